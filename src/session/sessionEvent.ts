// The events of a session.
import type { AuthError } from '../base/errors.ts'
import type { SignedOutReason } from '../protocol/signedOutReasons.ts'
import type { SessionClash } from '../protocol/eventHooks.ts'
import type { LogoutOptions } from './auth.ts'
import type { Credentials, Granted } from '../protocol/credentials.ts'

/** How a page became signed in: by a redirect, in a window, by the hidden frame, from another tab. */
export type SignInWay = 'redirect' | 'popup' | 'silent' | 'tab'

/** Whether the user has given their credentials at the sign-in page. */
export const hasAskedUser = (via: SignInWay): boolean => via === 'redirect' || via === 'popup'

/** The target of a logout, and its cause. */
export interface Departure extends LogoutOptions {
  /** Address of another environment's passthrough page: the user continues there instead of coming back. */
  environmentUrl?: string | undefined
  /** A registered address of another origin, where the server itself sends the user afterwards. */
  returnUri?: string | undefined
  /** The newer sign-in that ends this session. */
  clash?: SessionClash | undefined
}

/** A logout under way. */
export interface Leaving extends Departure {
  readonly reason: SignedOutReason
  /** Of the session that ends. */
  readonly credentials?: Credentials | undefined
}

export type SessionEvent =
  /** Tokens of a sign-in: of start-up, a window, a switch, or another tab. */
  | { type: 'granted'; granted: Granted; via: SignInWay }
  /** Another tab has signed in or renewed; `isOwn`: a hidden frame of this tab has met a claims challenge. */
  | { type: 'adopted'; granted: Granted; isOwn?: boolean }
  /** The idle time is over. Every tab sees it. */
  | { type: 'idle' }
  /** Another device signed in as this user. Every tab receives it. */
  | { type: 'superseded'; clash: SessionClash }
  /** Another tab is about to end the session; `send` resolves when this one is ready. */
  | { type: 'ending'; reason: SignedOutReason }
  /** The session of this page is over by the record, or by another tab, which sends its `reason`. */
  | { type: 'endedElsewhere'; reason: SignedOutReason | undefined; clash: SessionClash | undefined }
  /** Another device has ended exactly this session. */
  | { type: 'endedRemotely' }
  /** No renewal is possible any more; see `renewalOutcome.ts`. `identity-changed`: the server's own session is another user's. */
  | { type: 'refused'; cause: AuthError }
  /** The app, or a redirection to another environment, wants to leave. */
  | { type: 'logout'; departure?: Departure | undefined }

/** Resolves when the session has handled the event. */
export type SendEvent = (event: SessionEvent) => Promise<void>
