// A time at which the session ends: checked by a timer and whenever the page wakes, and counted down in its last minute.
import { LARGEST_TIMER_DELAY_MS } from '../../base/constants.ts'
import { IDLE_WARNING_MS, untilNextLookMs } from '../../base/sessionConstants.ts'
import { createTimer } from '../../base/timer.ts'
import type { Context } from '../context.ts'

/** @param onOver called once. @param postpone called by the timer: it may move the deadline */
export function createDeadline(
  { platform, store }: Pick<Context, 'platform' | 'store'>,
  remainingMs: () => number,
  onOver: () => void,
  postpone: () => Promise<void> = async () => {},
) {
  const timer = createTimer(platform)
  let isOver = false
  let isWarning = false

  const stop = () => {
    isOver = true
    timer.clear()
  }
  /** Returns whether the time has passed. Notifies every second of the last minute, and when it is over. */
  const look = (): boolean => {
    if (isOver) return true
    const leftMs = remainingMs()
    if (leftMs <= 0) {
      stop()
      onOver()
      return true
    }
    const wasWarning = isWarning
    isWarning = leftMs <= IDLE_WARNING_MS
    if (isWarning || wasWarning) store.notify()
    const waitMs = untilNextLookMs(leftMs)
    // Looked at on the way to a time that no timer reaches; without a deadline, never.
    const timerMs = waitMs < Infinity ? Math.min(waitMs, LARGEST_TIMER_DELAY_MS) : waitMs
    timer.set(timerMs, () => void postpone().then(look))
    return false
  }
  return { look, stop, isStopped: () => isOver }
}
