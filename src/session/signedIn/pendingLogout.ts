// Remembers in local storage a logout that the server has not been told of, so that no page signs that user in again.
import { numberOf, parseJson, recordOf } from '../../base/json.ts'
import { parseEndReason, REASONS, type SignedOutReason } from '../../protocol/signedOutReasons.ts'
import { ASKED_LOGOUT, type Client, pendingLogoutKey, SETTLED_LOGOUT } from '../../protocol/storageKeys.ts'
import type { StoragePort } from '../platform/platform.ts'

export interface LogoutRecord {
  reason: SignedOutReason
  force: boolean
  /** A page has gone to the logout page for it, and has not come back from there yet. */
  isSent: boolean
  /** When it began, by the wall clock: credentials given before it do not sign the user in. */
  atMs: number
  hasNoPage?: boolean | undefined
  /** The user has seen that the server has not confirmed it. */
  isSaid?: boolean | undefined
  /** The user has seen that the server still has the session: the next sign-in continues with it. */
  isTold?: boolean | undefined
}

export function createPendingLogout(storage: StoragePort, client: Client) {
  const key = pendingLogoutKey(client)
  // Stands in for a storage that is denied or full.
  let memory: LogoutRecord | undefined
  return {
    read: () => memory ?? parse(storage.get(key)),
    /** Whether another page has done what was to be done. A storage that the app has cleared does not say so. */
    isSettled: () => [SETTLED_LOGOUT, ASKED_LOGOUT].includes(storage.get(key) ?? ''),
    /** Whether the server may have kept its session because the user declined, and no user has signed in since. */
    mayBeDeclined: () => storage.get(key) === ASKED_LOGOUT,
    /** False when the browser refuses to store it: then only this page knows. */
    keep(pending: LogoutRecord) {
      const isStored = storage.set(key, JSON.stringify(pending))
      memory = isStored ? undefined : pending
      return isStored
    },
    /** The browser is back from the logout page, or a user has signed in. `wasAsked`: that page may have let the user decline. */
    settle(wasAsked = false) {
      memory = undefined
      const stored = storage.get(key)
      if (stored !== ASKED_LOGOUT && !parse(stored)) return
      // Not removed: a page that waits for the network tells this from a storage that the app has cleared.
      if (!storage.set(key, wasAsked ? ASKED_LOGOUT : SETTLED_LOGOUT)) storage.remove(key)
    },
  }
}

function parse(text: string | undefined): LogoutRecord | undefined {
  const { reason: stored, force, isSent, atMs, hasNoPage, isSaid, isTold } = recordOf(parseJson(text))
  const reason = parseEndReason(stored)
  if (!reason || !REASONS[reason].isOwed) return undefined
  return {
    reason,
    force: force !== false,
    isSent: isSent === true,
    hasNoPage: hasNoPage === true,
    isSaid: isSaid === true,
    isTold: isTold === true,
    atMs: numberOf(atMs) ?? 0,
  }
}
