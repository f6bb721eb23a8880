// Remembers in local storage a logout that the server has not been told of, so that no page signs that user in again.
import { parseJson, recordOf } from '../../json.ts'
import { parseEndReason, type SignedOutReason } from '../../protocol/claims.ts'
import { type Client, owedLogoutKey, SETTLED_LOGOUT } from '../../protocol/storageKeys.ts'
import { parseSessions } from '../../protocol/tabMessages.ts'
import type { StoragePort } from '../platform/platform.ts'

/** A logout that the server has not been told of. */
export interface Owed {
  readonly reason: SignedOutReason
  /** The force flag that the app gave. */
  readonly force: boolean
  /** A page has gone to the logout page for it, and nobody has come back from there yet. */
  readonly isSent: boolean
  /** What the tabs call the session, until they have been told of its end. */
  readonly session?: string | undefined
}

export interface OwedLogout {
  /** `undefined` when none is owed. */
  read(): Owed | undefined
  /** Whether another page has done what was to be done. A storage that the app has cleared does not say so. */
  isSettled(): boolean
  /** False when the browser refuses to store it: then only this page knows. */
  keep(owed: Owed): boolean
  /** The logout page has been reached, or somebody has signed in on the sign-in page. */
  settle(): void
}

export function createOwedLogout(storage: StoragePort, client: Client): OwedLogout {
  const key = owedLogoutKey(client)
  // Stands in for a storage that is denied or full.
  let memory: Owed | undefined
  return {
    read: () => memory ?? parse(storage.get(key)),
    isSettled: () => storage.get(key) === SETTLED_LOGOUT,
    keep(owed) {
      const isStored = storage.set(key, JSON.stringify(owed))
      memory = isStored ? undefined : owed
      return isStored
    },
    settle() {
      memory = undefined
      // Not removed: a page that waits for the network tells this from a storage that the app has cleared.
      if (parse(storage.get(key)) && !storage.set(key, SETTLED_LOGOUT)) storage.remove(key)
    },
  }
}

function parse(text: string | undefined): Owed | undefined {
  const { reason: stored, force, isSent, session } = recordOf(parseJson(text))
  const reason = parseEndReason(stored)
  // The server itself ended a session that has expired: no logout is owed.
  if (reason === undefined || reason === 'expired') return undefined
  return { reason, force: force !== false, isSent: isSent === true, session: parseSessions([session])[0] }
}
