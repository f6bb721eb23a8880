// One timer that can be set again: the newest setting replaces the one before.
import { LARGEST_TIMER_DELAY_MS } from './constants.ts'
import type { Timers } from './within.ts'

export function createTimer({ now, setTimer }: Timers & { now(): number }) {
  let cancel = () => {}
  let atMs: number | undefined
  const clear = () => {
    cancel()
    atMs = undefined
  }
  return {
    clear,
    /** Sets none for a delay that browsers fire at once because it is too long. */
    set(delayMs: number, work: () => void) {
      clear()
      if (delayMs > LARGEST_TIMER_DELAY_MS) return
      const fire = () => {
        atMs = undefined
        work()
      }
      cancel = setTimer(fire, delayMs)
      atMs = now() + delayMs
    },
    /** When it fires, by the wall clock; `undefined` while none is set. */
    atMs: () => atMs,
  }
}
