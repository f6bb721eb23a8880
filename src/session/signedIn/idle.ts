// Logs out after idle time: one wall-clock deadline for all tabs, looked at whenever the page wakes.
import { DEBOUNCE_MS, LARGEST_TIMER_DELAY_MS } from '../../constants.ts'
import { IDLE_WARNING_MS } from '../../sessionConstants.ts'
import { activityKey, type Client } from '../../protocol/storageKeys.ts'
import type { Platform } from '../platform/platform.ts'

export interface IdleOptions {
  platform: Pick<Platform, 'now' | 'monotonicNow' | 'setTimer' | 'on' | 'localStorage'>
  client: Client
  timeoutMs: number
  /** The deadline has passed; called once. */
  onIdle(): void
  /** The time left changed in a way that a screen shows: every second of the last minute, and when it is over. */
  onChange(): void
}

/** What a screen can show and do about idle time. */
export interface Idle {
  /** When the user last did something, in any tab; milliseconds since 1970. */
  readonly idleSinceMs: number
  /** Time to the logout. */
  readonly remainingMs: number
  /** Counts as activity: "Stay signed in". */
  stayActive(): void
  /** Looks at the deadline now; true when it has passed. */
  check(): boolean
  stop(): void
}

/** Whether the deadline passed while no page was there to look at it: the tab was discarded, or all were closed. */
export function wasIdleAway({
  platform,
  client,
  timeoutMs,
}: Pick<IdleOptions, 'platform' | 'client' | 'timeoutMs'>): boolean {
  const activeMs = Number(platform.localStorage.get(activityKey(client)))
  return activeMs > 0 && platform.now() - activeMs >= timeoutMs
}

/** The session is over: what was seen of its user says nothing about the next one. */
export function forgetActivity({ platform, client }: Pick<IdleOptions, 'platform' | 'client'>): void {
  platform.localStorage.remove(activityKey(client))
}

export function createIdle(options: IdleOptions): Idle {
  const { platform, timeoutMs } = options
  const activity = createActivity(options)
  let cancelTimer = () => {}
  let isOver = false
  let isWarning = false

  const remainingMs = () => Math.max(timeoutMs - activity.idleMs(), 0)
  const schedule = () => {
    cancelTimer()
    const leftMs = remainingMs()
    const untilWarningMs = leftMs - IDLE_WARNING_MS
    const delayMs = untilWarningMs > 0 ? untilWarningMs : Math.min(leftMs, 1000)
    cancelTimer = delayMs > LARGEST_TIMER_DELAY_MS ? () => {} : platform.setTimer(look, delayMs)
  }
  const look = () => {
    if (check()) return
    tell()
    schedule()
  }
  const tell = () => {
    const wasWarning = isWarning
    isWarning = remainingMs() <= IDLE_WARNING_MS
    if (isWarning || wasWarning) options.onChange()
  }
  const check = () => {
    if (isOver) return true
    if (remainingMs() > 0) return false
    isOver = true
    stop()
    options.onIdle()
    return true
  }
  const stayActive = () => {
    // The deadline first: moving the mouse after sleep does not reset a deadline that has passed.
    if (check()) return
    activity.begin()
    tell()
    schedule()
  }
  const stopListening = platform.on('activity', () => activity.isOld() && stayActive())
  const stop = () => {
    cancelTimer()
    stopListening()
  }

  schedule()
  return {
    get idleSinceMs() {
      return activity.lastMs()
    },
    get remainingMs() {
      return remainingMs()
    },
    stayActive,
    check,
    stop,
  }
}

/** When the user last did something, in any tab: written to local storage, by two clocks. Begins with now. */
function createActivity({ platform, client }: Pick<IdleOptions, 'platform' | 'client'>) {
  const key = activityKey(client)
  let active = { wallMs: 0, monotonicMs: 0 }
  const begin = () => {
    active = { wallMs: platform.now(), monotonicMs: platform.monotonicNow() }
    platform.localStorage.set(key, String(active.wallMs))
  }
  // Another tab's instant counts when it is newer and not from a clock that was wrong.
  const lastMs = () => {
    const stored = Number(platform.localStorage.get(key))
    return stored > active.wallMs && stored <= platform.now() ? stored : active.wallMs
  }
  begin()
  return {
    begin,
    lastMs,
    /** Whether the last one here is long enough ago to write another. */
    isOld: () => platform.monotonicNow() - active.monotonicMs >= DEBOUNCE_MS,
    idleMs() {
      const wallMs = platform.now() - lastMs()
      const monotonicMs = platform.monotonicNow() - active.monotonicMs
      // A clock set back makes the first one negative; a sleeping machine stops the second one.
      return lastMs() > active.wallMs ? Math.max(wallMs, 0) : Math.max(wallMs, monotonicMs)
    },
  }
}
