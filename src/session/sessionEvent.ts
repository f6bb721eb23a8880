// Everything that can happen to a session, as the parts that notice it tell the session.
import type { AuthError } from '../base/errors.ts'
import type { SignedOutReason } from '../protocol/signedOutReasons.ts'
import type { SessionClash } from '../protocol/eventHooks.ts'
import type { LogoutOptions } from './authOptions.ts'
import type { Credentials, Granted } from '../protocol/credentials.ts'

/** How a page became signed in: by a redirect, in a window, by the hidden frame, from another tab. */
export type SignInWay = 'redirect' | 'popup' | 'silent' | 'tab'

/** The user has been at the sign-in page, which asked for the credentials. */
export const hasAskedUser = (via: SignInWay): boolean => via === 'redirect' || via === 'popup'

/** Where a logout leads, and what it is for. */
export interface Departure extends LogoutOptions {
  /** Address of another environment's passthrough page: the user continues there instead of coming back. */
  environmentUrl?: string | undefined
  /** A registered address of another origin, where the server itself sends the user afterwards. */
  returnUri?: string | undefined
  /** The sign-in that this session gives way to. */
  clash?: SessionClash | undefined
}

/** The same, once it is known why the session ends. */
export interface ReasonedDeparture extends Departure {
  reason: SignedOutReason
}

/** A logout on its way to the server. */
export interface Leaving {
  readonly departure: ReasonedDeparture
  /** What the session held that is being ended. */
  readonly credentials?: Credentials | undefined
}

/** What this page holds or shows counts no more, by the record; or by another tab, which names its `reason`. */
export interface EndedElsewhere {
  type: 'endedElsewhere'
  reason?: SignedOutReason | undefined
  clash?: SessionClash | undefined
  /** The page comes back from where it could hear nothing. */
  isBack?: boolean
}

export type SessionEvent =
  /** Tokens of a sign-in: of start-up, a window, a switch, or another tab. */
  | { type: 'granted'; granted: Granted; via: SignInWay }
  /** Another tab has signed in or renewed, or a hidden frame of this tab, `isOwn`, has brought other ones (claims challenge). */
  | { type: 'adopted'; granted: Granted; isOwn?: boolean }
  /** The idle time is over: every tab sees it, and one of them, `isFirst`, tells the server. */
  | { type: 'idle'; isFirst(): Promise<boolean> }
  /** Another device signed in as this user: every tab hears of it, and one of them, `isFirst`, tells the server. */
  | { type: 'superseded'; clash: SessionClash; isFirst(): Promise<boolean> }
  /** Another tab is about to end the session; `send` resolves when this one is ready. */
  | { type: 'ending'; reason: SignedOutReason }
  | EndedElsewhere
  /** Another device has ended exactly this session. */
  | { type: 'endedRemotely' }
  /** Nothing brings tokens any more; see `renewalOutcome.ts`. `identity-changed`: the server's own session is another user's. */
  | { type: 'refused'; cause: AuthError }
  /** The app, or a redirection to another environment, wants to leave. */
  | { type: 'logout'; departure?: Departure | undefined }

/** Tells the session; resolves when it has done what the event asks for. */
export type SendEvent = (event: SessionEvent) => Promise<void>
