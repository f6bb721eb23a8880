// Keeps the access token fresh: renews in time, never twice at once, and reports an expired token that cannot be renewed.
import { RENEW_MARGIN_MS, RENEWAL_BACK_OFF_MS, waitAfter } from '../../base/sessionConstants.ts'
import type { AuthError } from '../../base/errors.ts'
import { createTimer } from '../../base/timer.ts'
import type { Context } from '../context.ts'

/** The shortest timer, and the pause of calls after a failed renewal. */
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
  /** Until then calls get the result of the last renewal, without another one; by the monotonic clock. */
  let pausedUntilMs = 0
  let isStopped = true
  let isStoppedByApp = false
  // Remaining life at the planned time; less than the margin for a shorter life.
  let plannedMs = RENEW_MARGIN_MS
  // Only after a failure is the token reported as expired: otherwise the next call renews it. `end`: no renewal is possible.
  let failure: { end: (() => void) | undefined } | undefined

  const ensureFresh = (isForced = false, isPatient = !isForced): Promise<void> => {
    // Join a renewal in flight: the token that it replaces may be refused already.
    if (inFlight || !(isForced || tokens.isDue())) return inFlight ?? Promise.resolve()
    // Without the pause, every call of every query would ask a failing server.
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
        if (isStopped || failure?.end) return
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
    if (!failure || leftMs === undefined) return
    if (leftMs <= 0) (failure.end ?? (() => tell(true)))()
    else lifeTimer.set(Math.ceil(leftMs), lookAtLife)
  }
  const schedule = () => {
    lookAtLife()
    isStopped = !settings.autoRefreshToken || isStoppedByApp
    timer.clear()
    const leftMs = remainingMs()
    if (isStopped || failure?.end || leftMs === undefined) return
    const aheadMs = leftMs - RENEW_MARGIN_MS
    // A life hardly longer than the margin would be renewed without end: wait for half of it.
    const delayMs = aheadMs >= SHORTEST_WAIT_MS ? aheadMs : Math.max(leftMs / 2, SHORTEST_WAIT_MS)
    plannedMs = leftMs - delayMs
    timer.set(delayMs, renewByItself)
  }
  return {
    /** Renews when forced or due; calls meanwhile join. For a while after a failure, patient callers get its error. */
    ensureFresh,
    /** Sets the timer: after sign-in, renewal and wake. Not while the app has stopped it, or while no renewal is possible. */
    schedule,
    /** The machine woke or the network came back: renew now if the planned moment has passed. */
    check() {
      failureCount = 0
      lookAtLife()
      if (failure?.end) return
      pausedUntilMs = 0
      if (isStopped || (remainingMs() ?? Infinity) > plannedMs) return
      timer.clear()
      renewByItself()
    },
    renewed() {
      pausedUntilMs = 0
      failure = undefined
      lifeTimer.clear()
      tell(false)
    },
    /**
     * A renewal failed and the session stays: the token is reported as expired at its end. With `atEnd`, which is called then, no renewal
     * is possible: only the app can force another attempt.
     */
    failed(atEnd?: () => void) {
      const wasLast = failure?.end !== undefined
      failure = { end: atEnd }
      if (atEnd) {
        timer.clear()
        pausedUntilMs = Infinity
      }
      // The app has forced another attempt, after which renewals are possible again.
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
    /** A user signed in: the app's stop no longer applies. */
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
