// One-time keys that carry a session from one environment's server to another one (spec section 4 "Redirection").
import { randomBytes } from 'node:crypto'

/** How long a handed-over session may be picked up. */
export const HANDOVER_SECONDS = 60

export interface Handovers {
  /** A one-time key for this account. */
  offer(accountId: string): string
  /** The account of a key, once. */
  take(jti: string): string | undefined
}

/** Give the same object to the servers of all environments, as a shared back end would. */
export function createHandovers(): Handovers {
  const offers = new Map<string, { accountId: string; expiresAtMs: number }>()

  return {
    offer(accountId) {
      const nowMs = Date.now()
      for (const [jti, { expiresAtMs }] of offers) if (expiresAtMs <= nowMs) offers.delete(jti)
      const jti = randomBytes(24).toString('base64url')
      offers.set(jti, { accountId, expiresAtMs: nowMs + HANDOVER_SECONDS * 1000 })
      return jti
    },
    take(jti) {
      const offer = offers.get(jti)
      offers.delete(jti)
      return offer !== undefined && offer.expiresAtMs > Date.now() ? offer.accountId : undefined
    },
  }
}
