// One-time keys that carry a session from one environment's server to another one.
import { createOneTimeKeys } from './tickets.ts'

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
  const keys = createOneTimeKeys<string>(HANDOVER_SECONDS * 1000)
  return { offer: keys.issue, take: keys.take }
}
