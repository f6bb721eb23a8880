// What all that this process has started costs: how long the processor worked, and the most memory at once. Linux says both; other systems do not.
import { readdirSync, readFileSync } from 'node:fs'

/** The system counts in hundredths of a second on every machine (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100
/** A look at the memory of all of them costs a tenth of a second of work: the system counts their pages. */
const LOOK_EVERY_MS = 5_000

/** All of them return `undefined` where the system does not say. */
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
    /** Seconds of commands that have ended since the last call: asked when one has ended, it is what that one took. */
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

/** Of all processes that came from this one and have ended: `cutime` and `cstime` of proc_pid_stat(5). */
function endedTicks(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const fields = statOf('self')
  return Number(fields[13]) + Number(fields[14])
}

/** Of a process and all that came from it, each shared page divided among those that share it. */
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

/** From the state on: the name in brackets before it may hold anything, brackets too. */
const statOf = (pid: string) => read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []

/** Nothing of a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
