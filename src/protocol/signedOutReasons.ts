// The reasons of `unauthenticated` and their consequences, one row per reason. No other file branches on a reason.
import type { MessageName } from './messages.ts'

/** The reason of `unauthenticated`. */
export type SignedOutReason = 'none' | 'signed-out' | 'idle' | 'session-clash' | 'expired' | 'cancelled'

/** A column that a row leaves out means no. */
interface Consequences {
  /** Which other tabs are notified. `no tab`: no session has ended, and the reason is neither sent nor stored. */
  toldTo: 'every tab' | 'tabs with these tokens' | 'no tab'
  /** Whether the server's logout page must be opened. */
  isOwed?: boolean
  /** Whether the user's other browsers are notified by real time. */
  isAnnounced?: boolean
  /** Whether the `beforeLogout` hook runs again for a second click: the user may have typed on. */
  isClick?: boolean
  /** Whether a session may begin without a click: from another tab, or by the gate's redirect. */
  mayReturn?: boolean
  /** Whether the screen, the caches and the organization stay for the same user. */
  isAwaited?: boolean
  /** Whether data on disk is deleted, by a later page too. */
  clearsDisk?: boolean
  /** The toast; `isForAll`: also for a page without a signed-in user. */
  notice?: { name: MessageName; isForAll?: boolean }
  /** The gate's sentence. */
  gateText: MessageName
  /** Whether the gate shows the server's own words. */
  showsRefusal?: boolean
}

/** No session ended. */
const NO_END = { toldTo: 'no tab', gateText: 'notSignedIn' } as const

/** The session was ended on purpose. */
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
  // The newer session knows already.
  'session-clash': { ...ENDED, isAnnounced: false, notice: { name: 'sessionClash', isForAll: true } },
  // The server has ended it, or it has expired.
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
