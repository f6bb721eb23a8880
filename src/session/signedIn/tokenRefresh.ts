// Keeps the access token fresh: when to renew, and never twice at once. Tells when its life is over and no renewal brings another.
import { RENEW_MARGIN_MS, RENEWAL_BACK_OFF_MS, waitAfter } from '../../base/sessionConstants.ts'
import type { AuthError } from '../../base/errors.ts'
import { createTimer } from '../../base/timer.ts'
import type { Context } from '../context.ts'

/** The timer never fires sooner than this, and no call asks for a renewal sooner after one that failed. */
const SHORTEST_WAIT_MS = 5_000

export type TokenRefresh = ReturnType<typeof createTokenRefresh>

/** @param renew one renewal at the server; rejects with AuthError */
export function createTokenRefresh(
  context: Pick<Context, 'settings' | 'platform' | 'store' | 'tokens' | 'caches'>,
  renew: () => Promise<void>,
) {
  const { settings, platform, store, tokens, caches } = context
  const { remainingMs } = tokens
  const timer = createTimer(platform)
  const lifeTimer = createTimer(platform)
  let inFlight: Promise<void> | undefined
  let failureCount = 0
  let last: Promise<void>
  /** Until when a call gets what became of the last renewal, in place of another one; by the monotonic clock. */
  let pausedUntilMs = 0
  let isStopped = true
  let isStoppedByApp = false
  // Life left at the planned moment; for a life shorter than the margin it is less than that.
  let plannedMs = RENEW_MARGIN_MS
  // Only then is the token reported as expired. An old token whose renewal was not tried yet is renewed by the next call.
  let hasFailed = false
  let end: (() => void) | undefined

  const ensureFresh = (isForced = false, isPatient = !isForced): Promise<void> => {
    // One in flight is waited for: the token it replaces may be refused already.
    if (inFlight || !(isForced || tokens.isDue())) return inFlight ?? Promise.resolve()
    // Every call of every query would ask a server that is not well.
    if (isPatient && platform.monotonicNow() < pausedUntilMs) return last
    pausedUntilMs = platform.monotonicNow() + SHORTEST_WAIT_MS
    const own = caches.show('renew token', renew).finally(() => {
      if (inFlight === own) inFlight = undefined
    })
    return (inFlight = last = own)
  }
  const renewByItself = () => {
    ensureFresh(true).then(
      () => {
        failureCount = 0
      },
      (error: unknown) => {
        if (isStopped || end) return
        const askedMs = (error as AuthError).retryAfterMs ?? 0
        const backOffMs = waitAfter(RENEWAL_BACK_OFF_MS, failureCount++)
        timer.set(Math.max(backOffMs, askedMs), renewByItself)
      },
    )
  }
  const stopRenewing = () => {
    isStopped = true
    timer.clear()
  }
  const tell = (isTokenExpired: boolean) => store.change({ type: 'flags', flags: { isTokenExpired } })
  /** Timers stop while the machine sleeps. */
  const lookAtLife = () => {
    lifeTimer.clear()
    const leftMs = remainingMs()
    if (!hasFailed || leftMs === undefined) return
    if (leftMs <= 0) (end ?? (() => tell(true)))()
    else lifeTimer.set(Math.ceil(leftMs), lookAtLife)
  }
  const schedule = () => {
    lookAtLife()
    isStopped = !settings.autoRefreshToken || isStoppedByApp
    timer.clear()
    const leftMs = remainingMs()
    if (isStopped || end || leftMs === undefined) return
    const aheadMs = leftMs - RENEW_MARGIN_MS
    // A life that is hardly longer than the margin would be renewed without end: half of it is waited.
    const delayMs = aheadMs >= SHORTEST_WAIT_MS ? aheadMs : Math.max(leftMs / 2, SHORTEST_WAIT_MS)
    plannedMs = leftMs - delayMs
    timer.set(delayMs, renewByItself)
  }
  return {
    /** Renews when forced or due; calls meanwhile join. Patient callers get the last error for a while after a failure. */
    ensureFresh,
    /** Sets the next deadline: after sign-in, renewal and wake; none while the app has stopped it, or while nothing can bring tokens. */
    schedule,
    /** The machine woke or the network came back: renew now if the planned moment has passed. */
    check() {
      failureCount = 0
      lookAtLife()
      if (end) return
      pausedUntilMs = 0
      if (isStopped || (remainingMs() ?? Infinity) > plannedMs) return
      timer.clear()
      renewByItself()
    },
    renewed() {
      pausedUntilMs = 0
      hasFailed = false
      end = undefined
      lifeTimer.clear()
      tell(false)
    },
    /**
     * A renewal failed and the session stays: the token is reported as expired at its end. With `atEnd` nothing can bring tokens:
     * only the app can force another attempt, and `atEnd` is called at the token's end.
     */
    failed(atEnd?: () => void) {
      const wasLast = end !== undefined
      hasFailed = true
      end = atEnd
      if (end) {
        timer.clear()
        pausedUntilMs = Infinity
      }
      // The app has forced one more, and after that another attempt may bring tokens.
      if (wasLast && !isStopped) schedule()
      else lookAtLife()
    },
    /** Clears the timers; nothing is renewed automatically until `schedule()`. */
    stop() {
      stopRenewing()
      lifeTimer.clear()
    },
    /** The app has stopped automatic renewal: no `schedule()` sets a timer until the next sign-in. */
    stopForApp() {
      isStoppedByApp = true
      stopRenewing()
    },
    /** A user signed in: what the app set for the former session no longer applies. */
    allow() {
      isStoppedByApp = false
      // No call joins a renewal of the former session.
      inFlight = undefined
    },
    /** When the timer fires, by the wall clock; `undefined` while none is set. */
    plannedAtMs: timer.atMs,
    isRunning: () => inFlight !== undefined,
  }
}
