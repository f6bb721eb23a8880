// What this tab remembers across a navigation: sign-in attempts, departures, the redirect-loop counter (contract §5).
import { parseSilentSignIn, type SilentSignIn } from '../../protocol/silentSignIn.ts'
import { type Client, tabKey } from '../../protocol/storageKeys.ts'
import type { StoragePort } from '../platform/platform.ts'

/** Everything of one tab, in one entry of session storage. */
export interface Stored {
  /** Attempts and departures by their state key; checked by whoever takes one. */
  attempts: Record<string, unknown>
  /** Instants of automatic navigations. */
  navigations: number[]
  /** Hidden frames have failed; `undefined` since the last one that answered, and since the last sign-in. */
  silentSignIn: SilentSignIn | undefined
  /** What is done once in a browser session and has been done. */
  marks: string[]
}

export interface TabRecords {
  read(): Stored
  /** Changes a part of it; false when the browser refuses to store it, and then it is kept in memory, attempts left out. */
  change(part: Partial<Stored>): boolean
  /** Takes the attempt out: a second call finds nothing. */
  takeAttempt(state: string): unknown
}

export function createTabRecords(storage: StoragePort, client: Client): TabRecords {
  const key = tabKey(client)
  // Stands in for a storage that is denied or full; attempts are not kept here, they must survive leaving the page.
  let memory: Stored | undefined

  const read = () => memory ?? parse(storage.get(key))
  const change = (part: Partial<Stored>) => {
    const stored = { ...read(), ...part }
    const isStored = isEmpty(stored) ? (storage.remove(key), true) : storage.set(key, JSON.stringify(stored))
    memory = isStored ? undefined : { ...stored, attempts: {} }
    return isStored
  }
  return {
    read,
    change,
    takeAttempt(state) {
      const { attempts } = read()
      if (!Object.hasOwn(attempts, state)) return undefined
      const { [state]: taken, ...others } = attempts
      change({ attempts: others })
      return taken
    },
  }
}

function isEmpty({ attempts, navigations, silentSignIn, marks }: Stored): boolean {
  return Object.keys(attempts).length + navigations.length + marks.length === 0 && !silentSignIn
}

// Each member by itself: one that an older version or a stranger wrote wrongly counts as absent.
function parse(text: string | undefined): Stored {
  const value = parseRecord(text)
  const attempts = value['attempts']
  const navigations = value['navigations']
  const marks = value['marks']
  return {
    attempts: isRecord(attempts) ? attempts : {},
    navigations: Array.isArray(navigations)
      ? navigations.filter((atMs): atMs is number => Number.isFinite(atMs))
      : [],
    silentSignIn: parseSilentSignIn(value['silentSignIn']),
    marks: Array.isArray(marks) ? marks.filter((mark): mark is string => typeof mark === 'string') : [],
  }
}

function parseRecord(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
