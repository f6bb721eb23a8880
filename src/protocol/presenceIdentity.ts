// The identity of this session on the real-time channels, and its announcement.
import { type SessionAnnouncement, parseAnnouncement } from './presence.ts'

/** The session that is online. Ids are strings. `sinceMs` is when it began by the server's clock; 0 if unknown. */
export interface PresenceIdentity {
  readonly userId: string
  readonly firmId?: string | undefined
  /** Without an id, sessions cannot be told apart, so none yields. */
  readonly sessionId: string | undefined
  readonly agentId: string
  readonly impersonatorId?: string | undefined
  readonly sessionType: '1' | '2' | '3'
  /** The UUID of the device, for a device-bound client. Default: the nil UUID of a browser. */
  readonly deviceId?: string | undefined
  readonly authHost: string
  readonly clientId: string
  readonly sinceMs: number
}

/** Returns the announcement of a session; `undefined` without a session id. */
export const announcementOf = (identity: PresenceIdentity): SessionAnnouncement | undefined =>
  parseAnnouncement({
    authHost: identity.authHost,
    clientId: identity.clientId,
    sessionId: identity.sessionId,
    agentId: identity.agentId,
    impersonatorId: identity.impersonatorId,
    logout: false,
    since: Number.isFinite(identity.sinceMs) ? Math.max(0, Math.trunc(identity.sinceMs)) : 0,
  })
