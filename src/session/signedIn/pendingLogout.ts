// Stores a logout that the server does not know of yet, so that no page signs that user in again.
import { LONGEST_END_MS } from '../../base/sessionConstants.ts'
import { ASKED_LOGOUT, type Client, pendingLogoutKey, SETTLED_LOGOUT } from '../../protocol/storageKeys.ts'
import { type OwedLogout, parseOwedLogout } from '../../protocol/storedSession.ts'
import type { StoragePort } from '../platform/platform.ts'

export function createPendingLogout(storage: StoragePort, client: Client) {
  const key = pendingLogoutKey(client)
  // Replaces a storage that is denied or full.
  let memory: OwedLogout | undefined
  const read = () => memory ?? parseOwedLogout(storage.get(key))
  return {
    read,
    /** Whether a page has begun it a short time ago, and may be on its way. Not once the user has seen that it is unconfirmed. */
    isNew(nowMs: number) {
      const { atMs = 0, isSaid } = read() ?? {}
      return !isSaid && Math.abs(nowMs - atMs) < LONGEST_END_MS
    },
    /** Whether another page has settled it. A storage that the app has cleared does not count. */
    isSettled: () => !memory && [SETTLED_LOGOUT, ASKED_LOGOUT].includes(storage.get(key) ?? ''),
    /** Whether the server may have kept its session because the user declined, and no user has signed in since. */
    mayBeDeclined: () => storage.get(key) === ASKED_LOGOUT,
    /** False when the browser refuses to store it: then only this page knows it. */
    keep(pending: OwedLogout) {
      const isStored = storage.set(key, JSON.stringify(pending))
      memory = isStored ? undefined : pending
      return isStored
    },
    /** The browser is back from the logout page, or a user has signed in. `wasAsked`: that page may have let the user decline. */
    settle(wasAsked = false) {
      memory = undefined
      const stored = storage.get(key)
      if (stored !== ASKED_LOGOUT && !parseOwedLogout(stored)) return
      // Not removed: a page that waits for the network must distinguish this from a storage that the app has cleared.
      if (!storage.set(key, wasAsked ? ASKED_LOGOUT : SETTLED_LOGOUT)) storage.remove(key)
    },
  }
}
