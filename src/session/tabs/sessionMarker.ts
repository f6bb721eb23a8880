// Records in local storage that this browser has a session, and which tabs have it.
import { parseJson, recordOf, textsOf } from '../../base/json.ts'
import { type Client, sessionMarkerKey } from '../../protocol/storageKeys.ts'
import type { StoragePort } from '../platform/platform.ts'

export type SessionMarker = ReturnType<typeof createSessionMarker>

/** Calls `createTabId` on first use: `createAuth` itself asks the browser for nothing. */
export function createSessionMarker(storage: StoragePort, client: Client, createTabId: () => string) {
  const key = sessionMarkerKey(client)
  let isJoined = false
  let made: string | undefined
  const tabId = () => (made ??= createTabId())
  const read = () => recordOf(parseJson(storage.get(key)))
  const others = () => textsOf(read()['tabs']).filter((tab) => tab !== tabId())
  const write = (part: object) => storage.set(key, JSON.stringify({ ...read(), ...part }))

  return {
    /** Whether this browser has had a session, and none that has ended since. */
    isThere: () => storage.get(key) !== undefined,
    get tabId() {
      return tabId()
    },
    join() {
      // At most 64 tabs.
      isJoined = write({ tabs: [...others().slice(-63), tabId()] })
    },
    /** This tab leaves; the session stays. */
    leave() {
      if (isJoined && storage.get(key) !== undefined) write({ tabs: others() })
    },
    forget() {
      isJoined = false
      storage.remove(key)
    },
    /** How many other tabs seem to have the session; a crashed one counts until the session ends. */
    countOthers: () => others().length,
    /** When the session began, as stored by a tab. */
    began: (): unknown => read()['began'],
    keepBegan(began: { readonly sessionId: string; readonly sinceMs: number }) {
      if (isJoined) write({ began })
    },
  }
}
