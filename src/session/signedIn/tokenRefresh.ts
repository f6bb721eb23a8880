// Keeps the access token fresh: when to renew, and never twice at once (spec §4 "TokenRefresh").
import { LARGEST_TIMER_DELAY_MS } from '../../constants.ts'
import { RENEW_MARGIN_MS, RENEWAL_BACK_OFF_MS } from '../../sessionConstants.ts'
import { AuthError } from '../../errors.ts'
import type { Platform } from '../platform/platform.ts'

/** The timer never fires sooner than this. */
const SHORTEST_WAIT_MS = 5_000

export interface TokenRefreshOptions {
  platform: Pick<Platform, 'now' | 'setTimer'>
  /** TokenRefresh ahead of expiry by a timer. */
  isScheduled: boolean
  isDue(): boolean
  /** Time to expiry; `undefined` when unknown. */
  remainingMs(): number | undefined
  /** One renewal at the server; rejects with AuthError. */
  renew(): Promise<void>
}

export interface TokenRefresh {
  /** Renews when forced or due; calls that arrive meanwhile join. */
  ensureFresh(isForced?: boolean): Promise<void>
  /** Sets the next deadline: after sign-in, renewal and wake; none while the app has stopped it. */
  schedule(): void
  /** The machine woke or the network came back: renew now if the planned moment has passed. */
  check(): void
  /** Clears the timer; nothing is renewed by itself until `schedule()`. */
  stop(): void
  /** The same, on the app's own wish: no `schedule()` sets a timer until the next sign-in. */
  stopForApp(): void
  /** Somebody signed in: what the app wished for the session before is over. */
  allow(): void
  /** When the timer fires, by the wall clock; `undefined` while none is set. */
  plannedAtMs(): number | undefined
  /** Whether a renewal is under way. */
  isRunning(): boolean
}

export function createTokenRefresh(options: TokenRefreshOptions): TokenRefresh {
  let inFlight: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined
  let timerAtMs: number | undefined
  let failureCount = 0
  let isStopped = true
  let isStoppedByApp = false
  // Life left at the planned moment; for a life shorter than the margin it is less than that.
  let plannedMs = RENEW_MARGIN_MS

  const clearTimer = () => {
    cancelTimer?.()
    timerAtMs = undefined
  }
  const setTimer = (delayMs: number) => {
    clearTimer()
    if (delayMs > LARGEST_TIMER_DELAY_MS) return
    cancelTimer = options.platform.setTimer(renewByItself, delayMs)
    timerAtMs = options.platform.now() + delayMs
  }
  const schedule = () => {
    isStopped = !options.isScheduled || isStoppedByApp
    clearTimer()
    const remainingMs = options.remainingMs()
    if (!isStopped && remainingMs !== undefined) {
      const aheadMs = remainingMs - RENEW_MARGIN_MS
      // A life that is hardly longer than the margin would be renewed without end: half of it is waited.
      const delayMs = aheadMs >= SHORTEST_WAIT_MS ? aheadMs : Math.max(remainingMs / 2, SHORTEST_WAIT_MS)
      plannedMs = remainingMs - delayMs
      setTimer(delayMs)
    }
  }
  const renewByItself = () => {
    timerAtMs = undefined
    ensureFresh(true).catch((error: unknown) => {
      if (!(error instanceof AuthError && error.retryable) || isStopped) return
      const backOffMs = RENEWAL_BACK_OFF_MS[Math.min(failureCount, RENEWAL_BACK_OFF_MS.length) - 1]!
      setTimer(Math.max(backOffMs, error.retryAfterMs ?? 0))
    })
  }
  const ensureFresh = (isForced = false) => {
    // One in flight is waited for: the token it replaces may be refused already.
    if (!isForced && !options.isDue()) return inFlight ?? Promise.resolve()
    inFlight ??= options
      .renew()
      .then(
        () => {
          failureCount = 0
        },
        (error: unknown) => {
          failureCount += 1
          throw error
        },
      )
      .finally(() => {
        inFlight = undefined
      })
    return inFlight
  }

  const stop = () => {
    isStopped = true
    clearTimer()
  }
  return {
    ensureFresh,
    schedule,
    check() {
      if (!isStopped && (options.remainingMs() ?? Infinity) <= plannedMs) renewByItself()
    },
    stop,
    stopForApp() {
      isStoppedByApp = true
      stop()
    },
    allow() {
      isStoppedByApp = false
    },
    plannedAtMs: () => timerAtMs,
    isRunning: () => inFlight !== undefined,
  }
}
