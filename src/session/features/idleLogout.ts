// Logs out after idle time: one wall-clock deadline for all tabs, checked whenever the page wakes.
import { DEBOUNCE_MS } from '../../base/constants.ts'
import { activityKey } from '../../protocol/storageKeys.ts'
import type { IdleTime } from '../auth.ts'
import type { Context } from '../context.ts'
import { hasAskedUser, type SendEvent, type SignInWay } from '../sessionEvent.ts'
import { createDeadline } from './deadline.ts'

/** In the last minute the deadline is checked every second. */
const LAST_LOOK_MS = 1_000

type IdleContext = Pick<Context, 'settings' | 'platform' | 'store' | 'tokens' | 'marker'>

/** The idle time of the signed-in user, and of a user who was away when this page opened. */
export function createIdleLogout(context: IdleContext, send: SendEvent) {
  const { settings, platform, tokens, marker } = context
  const timeoutMs = settings.idleTimeoutInMinutes * 60_000
  const key = activityKey(settings)
  let watched: ReturnType<typeof createIdle> | undefined
  let isOver: boolean | undefined

  const giveUp = () => void send({ type: 'idle' })
  /** The deadline passed while no page ran: the tab was discarded, or all were closed. */
  const wasAway = () => {
    const activeMs = Number(platform.localStorage.get(key))
    return activeMs > 0 && platform.now() - activeMs >= timeoutMs
  }
  return {
    /** `undefined` when signed out, or without autoLogout. */
    current: (): IdleTime | undefined => watched,
    whileSignedIn(signal: AbortSignal): void {
      if (!settings.autoLogout) return
      watched = createIdle(context, { timeoutMs, key, onIdle: giveUp })
      signal.addEventListener('abort', () => {
        watched?.stop()
        watched = undefined
      })
    },
    /** Checks the deadline now, and times the next look; true when it has passed. Also for a page that is used again, before that counts as activity. */
    check(): boolean {
      if (watched) return watched.check()
      if (!settings.autoLogout || !tokens.current || !wasAway()) return false
      giveUp()
      return true
    },
    /** The session is over: its user's activity does not count for the next one. */
    forget: (): void => platform.localStorage.remove(key),

    /** Reads the state as the page starts, once: another tab may clean up soon. */
    lookForAbsence(): void {
      // With rememberMe, a page that is opened after all tabs were closed is not idle.
      isOver ??= settings.autoLogout && !(settings.rememberMe && marker.countOthers() === 0) && wasAway()
    },
    /** Whether the deadline had passed when this page opened, and no user has signed in since. */
    isOver: (): boolean => isOver === true,
    /** Called before a user is signed in; true when that session must end as idle instead. */
    endsAt(via: SignInWay): boolean {
      const isSentAway = isOver === true && !hasAskedUser(via)
      isOver = false
      return isSentAway
    },
  }
}

/** @param onIdle the deadline has passed; called once */
function createIdle(
  context: IdleContext,
  { timeoutMs, key, onIdle }: { timeoutMs: number; key: string; onIdle(): void },
) {
  const { platform } = context
  /** The last activity in this tab, by two clocks. */
  let active = { wallMs: 0, monotonicMs: 0 }
  let postponedAtMs: number | undefined

  /** Idle time begins with now, for all tabs. */
  const begin = () => {
    active = { wallMs: platform.now(), monotonicMs: platform.monotonicNow() }
    platform.localStorage.set(key, String(active.wallMs))
  }
  // Another tab's instant counts when it is newer and not from a clock that was wrong.
  const lastMs = () => {
    const stored = Number(platform.localStorage.get(key))
    return stored > active.wallMs && stored <= platform.now() ? stored : active.wallMs
  }
  const remainingMs = () => {
    const wallMs = platform.now() - lastMs()
    const monotonicMs = lastMs() > active.wallMs ? 0 : platform.monotonicNow() - active.monotonicMs
    // A clock set back makes the first one negative; a sleeping machine stops the second one.
    return Math.max(timeoutMs - Math.max(wallMs, monotonicMs), 0)
  }
  // Activity in a frame of another origin is invisible: if it has the focus, the end is postponed once.
  const postpone = async () => {
    const isCountedDown = remainingMs() > 0 && remainingMs() <= LAST_LOOK_MS
    const isElsewhere =
      isCountedDown && lastMs() !== postponedAtMs && (await platform.isFocusElsewhere?.().catch(() => false))
    // The session may have ended meanwhile.
    if (!isElsewhere || deadline.isStopped()) return
    begin()
    postponedAtMs = lastMs()
  }
  const deadline = createDeadline(context, remainingMs, onIdle, postpone)
  const stayActive = () => {
    // The deadline first: moving the mouse after sleep does not reset a deadline that has passed.
    if (deadline.look()) return
    begin()
    deadline.look()
  }
  const stopListening = platform.on('activity', () => {
    // Do not write with each movement.
    if (platform.monotonicNow() - active.monotonicMs >= DEBOUNCE_MS) stayActive()
  })

  begin()
  deadline.look()
  return {
    get idleSinceMs() {
      return lastMs()
    },
    get remainingMs() {
      return remainingMs()
    },
    stayActive,
    check: deadline.look,
    stop() {
      deadline.stop()
      stopListening()
    },
  }
}
