// The entry of session storage with everything that must survive a navigation.
import { isRecord, listOf, parseJson, recordOf, textsOf } from '../../base/json.ts'
import { parseSilentSignIn, type SilentSignIn } from '../../protocol/frameFailures.ts'
import { type Client, tabKey } from '../../protocol/storageKeys.ts'
import type { StoragePort } from '../platform/platform.ts'

/** The records of one tab. Callers check the members that are `unknown`. */
export interface Stored {
  /** Attempts and visits to the logout page by their state key. */
  attempts: Record<string, unknown>
  /** Times of automatic navigations. */
  navigations: number[]
  /** Failed frames since the last response of a frame and the last sign-in. */
  silentSignIn: SilentSignIn | undefined
  /** What is done once per tab and has been done. */
  marks: string[]
  /** Ids of the user who was signed in when the page was left, until the next sign-in. */
  user?: unknown
  /** The parameters of the switch to the organization that this tab works in, and its firm. */
  switched?: unknown
}

export function createTabStorage(storage: StoragePort, client: Client) {
  const key = tabKey(client)
  // Used while the storage is denied or full. Without attempts, which are of no use on this page.
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
    /** Changes some members; false when the browser refuses to store them. Then memory has them, without attempts. */
    change,
    /** Removes an attempt and returns it. */
    takeAttempt(state: string) {
      const { attempts } = read()
      if (!Object.hasOwn(attempts, state)) return undefined
      const { [state]: taken, ...others } = attempts
      change({ attempts: others })
      return taken
    },
  }
}

function isEmpty({ attempts, navigations, silentSignIn, marks, user, switched }: Stored): boolean {
  const count = Object.keys(attempts).length + navigations.length + marks.length
  return count === 0 && !silentSignIn && !user && !switched
}

// An invalid member, of an older version or another script, counts as absent.
function parse(text: string | undefined): Stored {
  const { attempts, navigations, silentSignIn, marks, user, switched } = recordOf(parseJson(text))
  return {
    attempts: isRecord(attempts) ? attempts : {},
    navigations: listOf(navigations).filter((atMs): atMs is number => Number.isFinite(atMs)),
    silentSignIn: parseSilentSignIn(silentSignIn),
    marks: textsOf(marks),
    user,
    switched,
  }
}
