// Says on the user's channel which session this is, and whose (contract §7 "announcement").
import { type SessionAnnouncement, parseAnnouncement } from './presence.ts'

/** Whose presence it is. Ids are texts; `sinceMs` is when the session began by the server's clock, 0 if unknown. */
export interface PresenceIdentity {
  readonly userId: string
  readonly firmId?: string | undefined
  /** Without one nobody can be told apart, so nobody yields. */
  readonly sessionId: string | undefined
  readonly agentId: string
  readonly impersonatorId?: string | undefined
  readonly sessionType: '1' | '2' | '3'
  /** A real UUID for a device-bound client. Default: the nil UUID of a browser. */
  readonly deviceId?: string | undefined
  readonly authHost: string
  readonly clientId: string
  readonly sinceMs: number
}

/** `undefined` without a session id. */
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
