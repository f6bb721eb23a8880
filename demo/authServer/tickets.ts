// One-time keys of the popups: the nonce that opens a re-authentication, the ticket that comes back from the cloud.
import { randomBytes } from 'node:crypto'

export type PopupKind = 'link' | 'unlink' | 'reauthenticate' | 'adminconsent'

export interface Ticket {
  kind: PopupKind
  accountId: string
  sessionUid: string
  clientId: string
  opener: string | undefined
  domain: string | undefined
}

export interface Tickets {
  offerNonce(accountId: string): string
  /** The account a nonce was made for, once. */
  takeNonce(nonce: string): string | undefined
  issue(ticket: Ticket): string
  take(id: string): Ticket | undefined
  /** Ends what the popups of a session and app have half done: their answers come too late. */
  endAll(sessionUid: string, clientId: string): void
}

const NONCE_MS = 2 * 60_000
const TICKET_MS = 10 * 60_000

export function createTickets(): Tickets {
  const nonces = createOneTimeKeys<string>(NONCE_MS)
  const tickets = createOneTimeKeys<Ticket>(TICKET_MS)
  return {
    offerNonce: nonces.issue,
    takeNonce: nonces.take,
    issue: tickets.issue,
    take: tickets.take,
    endAll: (sessionUid, clientId) =>
      tickets.drop((ticket) => ticket.sessionUid === sessionUid && ticket.clientId === clientId),
  }
}

interface OneTimeKeys<T> {
  issue(value: T): string
  take(key: string): T | undefined
  drop(isMeant: (value: T) => boolean): void
}

/** Keys that can be taken once, within a time. */
export function createOneTimeKeys<T>(lifetimeMs: number): OneTimeKeys<T> {
  const held = new Map<string, { value: T; expiresAtMs: number }>()

  return {
    issue(value) {
      const nowMs = Date.now()
      for (const [key, { expiresAtMs }] of held) if (expiresAtMs <= nowMs) held.delete(key)
      const key = randomBytes(24).toString('base64url')
      held.set(key, { value, expiresAtMs: nowMs + lifetimeMs })
      return key
    },
    take(key) {
      const entry = held.get(key)
      held.delete(key)
      return entry !== undefined && entry.expiresAtMs > Date.now() ? entry.value : undefined
    },
    drop(isMeant) {
      for (const [key, { value }] of held) if (isMeant(value)) held.delete(key)
    },
  }
}
