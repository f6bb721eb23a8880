// Remembers in local storage that this browser has a session, and which tabs hold it (contract §5 "had a session" hint).
import { hintKey } from '../protocol/storageKeys.ts'
import type { StoragePort } from './platform.ts'

export interface Hint {
  /** Name of this tab among the tabs that hold the session. */
  readonly tabId: string
  /** This tab holds the session. */
  join(): void
  /** This tab is going away; the session stays. */
  leave(): void
  /** The session has ended. */
  forget(): void
  /** How many other tabs seem to hold the session; a crashed one counts until the session ends. */
  countOthers(): number
  /** Whether the session this tab joined was ended elsewhere. */
  isEndedElsewhere(): boolean
}

export function createHint(storage: StoragePort, clientId: string, tabId: string): Hint {
  const key = hintKey(clientId)
  let isJoined = false
  const others = () => parseTabs(storage.get(key)).filter((tab) => tab !== tabId)

  return {
    tabId,
    join() {
      // A browser with that many tabs knows enough with the newest.
      isJoined = storage.set(key, JSON.stringify([...others().slice(-63), tabId]))
    },
    leave() {
      if (isJoined && storage.get(key) !== undefined) storage.set(key, JSON.stringify(others()))
    },
    forget() {
      isJoined = false
      storage.remove(key)
    },
    countOthers: () => others().length,
    isEndedElsewhere: () => isJoined && storage.get(key) === undefined,
  }
}

function parseTabs(text: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return Array.isArray(value) ? value.filter((tab): tab is string => typeof tab === 'string') : []
  } catch {
    return []
  }
}
