// One-time keys that carry a session from one environment's server to another one, and what a `jti` is taken for.
import type { ServerContext } from './context.ts'
import { createOneTimeKeys } from './tickets.ts'

/** How long a handed-over session may be picked up. */
export const HANDOVER_SECONDS = 60

/** Give the same object to the servers of all environments, as a shared back end would. */
export const createHandovers = () => createOneTimeKeys<string>(HANDOVER_SECONDS * 1000)

/** The account, and the session where it was a token's claim; undefined for a key that is unknown or used. */
export function redeemJti({ handovers, issued, accounts }: ServerContext, jti: string) {
  const handedOver = handovers.take(jti)
  const { accountId, sessionUid } =
    handedOver === undefined ? (issued.takeJti(jti) ?? {}) : { accountId: handedOver }
  return accountId !== undefined && accounts.isKnown(accountId) ? { accountId, sessionUid } : undefined
}
