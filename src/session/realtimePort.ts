// The types of real time that the session and the layers above use.
import { REASONS, type SignedOutReason } from '../protocol/signedOutReasons.ts'
import type { PresenceId, TopicMessage } from '../protocol/presence.ts'
import { invalidArgument } from '../base/sessionErrors.ts'

/** A session of this user that is online. */
export interface Occupant extends PresenceId {
  /** Its identifier on the user's session channel: `{type}:{device}:{agentId}`. */
  readonly presenceId: string
  /** The first four characters of the agent id, by which users distinguish their browsers; the notice of a clash shows it too. */
  readonly name: string
  /** Whether it is the session of this browser. */
  readonly isThisBrowser: boolean
  /** Its session id; `undefined` until it has announced itself. */
  readonly sessionId: string | undefined
  /** When it began: milliseconds since 1970 by the server's clock; `undefined` until announced. */
  readonly sinceMs: number | undefined
}

export type MessageKind = 'user' | 'firm'

export interface Listening {
  readonly kind: MessageKind
  readonly topic: string
  readonly type: string
  readonly callback: (data: unknown, message: TopicMessage) => unknown
}

/** The channels of the signed-in user, as the layers above see them. */
export interface Presence {
  readonly presenceId: string | undefined
  /** Sessions of this user that are online now, this one included; the same array until it changes. */
  occupants(): readonly Occupant[]
  /** Whether this tab holds the connection, for the devtools. */
  isLeading(): boolean
}

/** `paused`: the session continues elsewhere; `over`: other browsers are not notified; `signed-out`: they are. */
export type LeaveHow = 'paused' | 'over' | 'signed-out'

/** How real time is told that the session ended for this reason. */
export const leaveHow = (reason: SignedOutReason): LeaveHow =>
  REASONS[reason].isAnnounced ? 'signed-out' : 'over'

export interface Connection {
  /** The channels of the signed-in user, once they are joined. */
  presence(): Presence | undefined
  /** A session began, or a renewal brought another session of the same user: joins the channels, if anything uses them. */
  start(): void
  /** Listens to messages until the returned function is called; joins the channels for it. */
  listen(listening: Listening): () => void
  /** The user's sessions that are online; from the first call on, the store's listeners are notified of every change. */
  occupants(): readonly Occupant[]
  /** Leaves the channels. Resolves when the user's other browsers have been notified, a second later at the latest. */
  leave(how: LeaveHow): Promise<void>
}

/** Checks the kind of a channel. @throws AuthError `invalid-argument` */
export function checkChannel(channel: unknown): 'user' | 'firm' {
  if (channel === 'user' || channel === 'firm') return channel
  throw invalidArgument("channel must be 'user' or 'firm'", "Leave it out for the user's own channel.")
}

/** The step of `explain()` about one session per user. */
export const UNIQUE_SESSION_STEP = 'unique session'
