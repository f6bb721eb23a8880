// How long the processor has worked for commands that have ended: beside the clock's time it shows which of them wait.
import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second on every machine (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100

/** Both return seconds, and `undefined` where the system does not say (not Linux). */
export function watchProcessor() {
  const start = endedTicks()
  let counted = start
  const since = (ticks: number | undefined) => {
    const now = endedTicks()
    return now === undefined || ticks === undefined ? undefined : (now - ticks) / TICKS_PER_SECOND
  }
  return {
    /** Since the last call: asked when a command has ended, it is what that command took. */
    spent() {
      const seconds = since(counted)
      counted = endedTicks()
      return seconds
    },
    all: () => since(start),
  }
}

/** Of all processes that came from this one and have ended: `cutime` and `cstime` of proc_pid_stat(5). */
function endedTicks(): number | undefined {
  if (process.platform !== 'linux') return undefined
  // The name in brackets may hold anything, brackets too.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return Number(fields[13]) + Number(fields[14])
}
