// Measures CPU time and peak memory of all child processes, on Linux only.
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second on every machine (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100
/** Reading the memory of all processes costs a tenth of a second, because the system counts their pages. */
const LOOK_EVERY_MS = 5_000

/** All return `undefined` if the system does not provide the figure. */
export function watchResources() {
  const start = endedTicks()
  let counted = start
  let peakBytes: number | undefined
  const since = (ticks: number | undefined) => {
    const now = endedTicks()
    return now === undefined || ticks === undefined ? undefined : (now - ticks) / TICKS_PER_SECOND
  }
  const look = () => {
    const bytes = memoryOf(process.pid)
    if (bytes !== undefined) peakBytes = Math.max(bytes, peakBytes ?? 0)
  }
  look()
  setInterval(look, LOOK_EVERY_MS).unref()
  return {
    /** Seconds of the commands that ended since the last call: right after one command, these are its own. */
    spent() {
      const seconds = since(counted)
      counted = endedTicks()
      return seconds
    },
    /** Seconds of all commands that have ended. */
    all: () => since(start),
    peakBytes: () => peakBytes,
  }
}

/** The total of all ended child processes: `cutime` and `cstime` of proc_pid_stat(5). */
function endedTicks(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const fields = statOf('self')
  return Number(fields[13]) + Number(fields[14])
}

/** The memory of a process and its descendants, each shared page divided among its users. */
function memoryOf(root: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(pids.map((pid) => [Number(pid), Number(statOf(pid)[1])]))
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 0 && (pid === root || isOurs(parents.get(pid)))
  const kilobytesOf = (pid: number) =>
    Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
  return [...parents.keys()].filter(isOurs).reduce((sum, pid) => sum + 1024 * kilobytesOf(pid), 0)
}

/** The fields from the state on: the name in brackets before it can contain anything, even brackets. */
const statOf = (pid: string) => read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []

/** Empty for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
