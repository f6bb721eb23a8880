// The reasons of `unauthenticated`, and everything that follows from it: one row per reason. No other file branches on a reason.
import type { MessageName } from './messages.ts'

/** The reason of `unauthenticated`. */
export type SignedOutReason = 'none' | 'signed-out' | 'idle' | 'session-clash' | 'expired' | 'cancelled'

/** What follows from this reason; a column that a row leaves out means no. */
interface Consequences {
  /**
   * Which other tabs are notified that the session has ended: all, or those that share its tokens. `no tab`: no session has ended,
   * and the reason is neither sent nor stored.
   */
  toldTo: 'every tab' | 'tabs with these tokens' | 'no tab'
  /** Whether the server must hear of it at its logout page. */
  isOwed?: boolean
  /** Whether the user's other browsers hear of it by real time. */
  isAnnounced?: boolean
  /** Whether the `beforeLogout` hook runs again for a second click: the user may have typed on. */
  isClick?: boolean
  /** Whether a session may begin without a click: from another tab, or by the gate's redirect. */
  mayReturn?: boolean
  /** Whether the same user is expected back: the screen, the caches and the organization stay for them. */
  isAwaited?: boolean
  /** Whether data on disk goes, also when a later page finds it. */
  clearsDisk?: boolean
  /** The toast; `isForAll`: also for a page without a signed-in user. */
  notice?: { name: MessageName; isForAll?: boolean }
  /** The gate's sentence. */
  gateText: MessageName
  /** Whether the gate shows the server's own words. */
  showsRefusal?: boolean
}

/** No session ended, so no tab is notified and nothing is removed. */
const NO_END = { toldTo: 'no tab', gateText: 'notSignedIn' } as const

/** The session was ended on purpose: nothing of it stays. */
const ENDED = {
  toldTo: 'every tab',
  isOwed: true,
  isAnnounced: true,
  clearsDisk: true,
  gateText: 'signedOut',
} as const

export const REASONS: Readonly<Record<SignedOutReason, Consequences>> = {
  none: { ...NO_END, mayReturn: true },
  cancelled: { ...NO_END, showsRefusal: true },
  'signed-out': { ...ENDED, isClick: true, notice: { name: 'signedOutElsewhere' } },
  idle: { ...ENDED, notice: { name: 'idleSignedOut', isForAll: true }, gateText: 'idleSignedOut' },
  // The session that this one gives way to knows already.
  'session-clash': { ...ENDED, isAnnounced: false, notice: { name: 'sessionClash', isForAll: true } },
  // The server itself has ended it, or its time is over.
  expired: {
    toldTo: 'tabs with these tokens',
    mayReturn: true,
    isAwaited: true,
    notice: { name: 'sessionEnded' },
    gateText: 'sessionEnded',
  },
}

/** Reads why a session ended, from another tab or a storage; `undefined` for anything else. */
export const parseEndReason = (value: unknown): SignedOutReason | undefined =>
  (Object.keys(REASONS) as SignedOutReason[]).find(
    (reason) => reason === value && REASONS[reason].toldTo !== 'no tab',
  )
