// Remembers in local storage that this browser has a session, and which tabs hold it.
import { parseJson, recordOf, textsOf } from '../../json.ts'
import type { Claims } from '../../protocol/claims.ts'
import { userName } from '../../protocol/identity.ts'
import { type Client, endedSessionsKey, sessionMarkerKey } from '../../protocol/storageKeys.ts'
import type { StoragePort } from '../platform/platform.ts'

export type SessionMarker = ReturnType<typeof createSessionMarker>

/** `createTabId` is called when the name is first needed: `createAuth` itself asks the browser for nothing. */
export function createSessionMarker(storage: StoragePort, client: Client, createTabId: () => string) {
  const key = sessionMarkerKey(client)
  let isJoined = false
  let made: string | undefined
  const tabId = () => (made ??= createTabId())
  const read = () => parse(storage.get(key))
  const others = () => read().tabs.filter((tab) => tab !== tabId())
  const endedKey = endedSessionsKey(client)
  const readEnded = () => textsOf(parseJson(storage.get(endedKey)))
  const writeEnded = (sessions: readonly string[]) => storage.set(endedKey, JSON.stringify(sessions))
  const write = (part: Partial<Stored>) => storage.set(key, JSON.stringify({ ...read(), ...part }))

  return {
    /** Whether this browser has had a session, and none that has ended since. */
    isThere: () => storage.get(key) !== undefined,
    /** Name of this tab among the tabs that hold the session. */
    get tabId() {
      return tabId()
    },
    /** This tab holds that session. */
    join({ session, claims }: { session: string; claims: Claims }) {
      // A browser with that many tabs knows enough with the newest.
      isJoined = write({ tabs: [...others().slice(-63), tabId()], user: userName(claims) })
      // Without ids of the server, a new session of the user has the name of the one before.
      const ended = readEnded()
      if (ended.includes(session)) writeEnded(ended.filter((name) => name !== session))
    },
    /** This tab is going away; the session stays. */
    leave() {
      if (isJoined && storage.get(key) !== undefined) write({ tabs: others() })
    },
    /** The session of that name has ended. */
    forget(session: string) {
      isJoined = false
      storage.remove(key)
      writeEnded([
        ...readEnded()
          .filter((name) => name !== session)
          .slice(1 - LARGEST_ENDED_COUNT),
        session,
      ])
    },
    /** Whether somebody else has signed in in this browser since. */
    isOfAnother(claims: Claims) {
      const { user } = read()
      return user !== undefined && user !== userName(claims)
    },
    /** How many other tabs seem to hold the session; a crashed one counts until the session ends. */
    countOthers: () => others().length,
    /** When a session began: what is remembered of it, else what is given, which is remembered. */
    since(sessionId: string, sinceMs: number) {
      const { began } = read()
      if (began?.sessionId === sessionId) return began.sinceMs
      if (isJoined) write({ began: { sessionId, sinceMs } })
      return sinceMs
    },
    /** Whether the session of that name was ended elsewhere. Nothing there (a storage that the app has cleared) means no. */
    isEndedElsewhere: (session: string) => readEnded().includes(session),
  }
}

const LARGEST_ENDED_COUNT = 8

interface Stored {
  /** The tabs that hold the session. */
  readonly tabs: readonly string[]
  /** Who is signed in. */
  readonly user?: string | undefined
  readonly began?: { readonly sessionId: string; readonly sinceMs: number } | undefined
}

function parse(text: string | undefined): Stored {
  const { tabs, user, began } = recordOf(parseJson(text))
  const { sessionId, sinceMs } = recordOf(began)
  const isKnown = typeof sessionId === 'string' && typeof sinceMs === 'number' && Number.isFinite(sinceMs)
  return {
    tabs: textsOf(tabs),
    ...(typeof user === 'string' && { user }),
    ...(isKnown && { began: { sessionId, sinceMs } }),
  }
}
