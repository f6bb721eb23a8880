// Watches the memory of everything that this process has started, and keeps the highest sum.
import { readdirSync, readFileSync } from 'node:fs'

/** A look at all of them costs a tenth of a second of work: the system counts their pages. */
const LOOK_EVERY_MS = 5_000

export interface PeakMemory {
  /** The highest sum so far, bytes; `undefined` where the system does not say (not Linux). */
  bytes(): number | undefined
  /** When that was, milliseconds after the start. */
  atMs(): number
  /** Looks once more, now. */
  look(): void
  stop(): void
}

export function watchMemory(): PeakMemory {
  const startedAtMs = Date.now()
  let peak: number | undefined
  let atMs = 0
  const look = () => {
    const bytes = memoryOf(process.pid)
    if (bytes === undefined || bytes <= (peak ?? 0)) return
    peak = bytes
    atMs = Date.now() - startedAtMs
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  look()
  return { bytes: () => peak, atMs: () => atMs, look, stop: () => clearInterval(timer) }
}

/** Of a process and all that came from it, each shared page divided among those that share it. */
function memoryOf(root: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    // The name in brackets may hold anything, brackets too.
    const parent = Number(read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1])
    if (Number.isInteger(parent)) parents.set(pid, parent)
  }
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 0; at = parents.get(at))
      if (at === root) return true
    return false
  }
  return [...parents.keys()]
    .filter(isOurs)
    .reduce(
      (sum, pid) => sum + 1024 * Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
      0,
    )
}

/** Nothing of a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
