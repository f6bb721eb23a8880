// Repeats automatically a start-up that failed for a temporary cause.
import type { AuthError } from '../../base/errors.ts'
import { START_UP_WAITS_MS, waitAfter } from '../../base/sessionConstants.ts'
import { createTimer } from '../../base/timer.ts'
import type { Context } from '../context.ts'

export function createRepeats(
  { platform, store, page }: Pick<Context, 'platform' | 'store' | 'page'>,
  repeat: () => void,
) {
  let failureCount = 0
  let due: { wallMs: number; monotonicMs: number; isOffline: boolean } | undefined
  const timer = createTimer(platform)

  const pause = () => {
    timer.clear()
    store.change({ type: 'planned', retryAtMs: undefined })
  }
  const cancel = () => {
    due = undefined
    pause()
  }
  const resume = () => {
    pause()
    if (!due || page().aborted) return
    const isBack = due.isOffline && platform.isOnline()
    if (isBack) failureCount = 0
    // The later of two clocks: the monotonic clock may stop during sleep, the wall clock may be set back.
    const leftMs = Math.min(due.wallMs - platform.now(), due.monotonicMs - platform.monotonicNow())
    const waitMs = isBack ? 0 : leftMs
    if (waitMs > 0) {
      timer.set(Math.ceil(waitMs), resume)
      store.change({ type: 'planned', retryAtMs: platform.now() + waitMs })
    } else if (platform.isVisible()) {
      cancel()
      repeat()
    }
  }
  return {
    /** Plans the next attempt after a temporary failure. */
    plan({ code, retryAfterMs = 0 }: AuthError) {
      const waitMs = Math.max(waitAfter(START_UP_WAITS_MS, failureCount++), retryAfterMs)
      const isOffline = code === 'offline'
      due = { wallMs: platform.now() + waitMs, monotonicMs: platform.monotonicNow() + waitMs, isOffline }
      resume()
    },
    /** Tries now if the planned time has passed, else at that time. A hidden page waits until it is visible. */
    resume,
    pause,
    /** Nothing is planned any more. */
    cancel,
    /** Start-up has ended or is reset: the next failure counts as the first. */
    forget() {
      failureCount = 0
      cancel()
    },
  }
}
