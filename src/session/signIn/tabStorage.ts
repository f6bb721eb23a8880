// The one entry of session storage in which a tab remembers what must survive a navigation.
import { isRecord, listOf, parseJson, recordOf, textsOf } from '../../json.ts'
import { parseSilentSignIn, type SilentSignIn } from '../../protocol/silentSignIn.ts'
import { type Client, tabKey } from '../../protocol/storageKeys.ts'
import type { StoragePort } from '../platform/platform.ts'

/** Everything of one tab, in one entry of session storage; what is `unknown` is checked by whoever takes it. */
export interface Stored {
  /** Attempts and visits to the logout page by their state key. */
  attempts: Record<string, unknown>
  /** Instants of automatic navigations. */
  navigations: number[]
  /** Hidden frames have failed; `undefined` since the last one that answered, and since the last sign-in. */
  silentSignIn: SilentSignIn | undefined
  /** What is done once in a browser session and has been done. */
  marks: string[]
  /** Ids of the user whose page left for the server, until somebody is signed in again. */
  user?: unknown
  /** What the server was asked at the switch to an organization that this tab works in. */
  switched?: unknown
}

export function createTabStorage(storage: StoragePort, client: Client) {
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
    /** Changes a part of it; false when the browser refuses to store it, and then it is kept in memory, attempts left out. */
    change,
    /** Takes the attempt out: a second call finds nothing. */
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

// Each member by itself: one that an older version or another script wrote wrongly counts as absent.
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
