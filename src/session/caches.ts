// What the page holds of a user for the app: it shows server interactions, and is emptied before another user is shown.
import type { Claims, Id } from '../protocol/claims.ts'
import { isSameIdentity } from '../protocol/identity.ts'
import type { Platform } from './platform/platform.ts'

/** Names of the server interactions that the session starts by itself, as the query devtools show them. */
export type InteractionName = 'exchange code' | 'verify session' | 'renew token'

/** Runs a server interaction where the query devtools can see it; what it yields stays out of sight. */
export type RunInteraction = <Result>(name: InteractionName, work: () => Promise<Result>) => Promise<Result>

/** Ids of a user whose data goes: `userId`, `firmId`, `impersonatorId`; none where nobody has been signed in on this page. */
export type GoneUser = Readonly<Partial<Record<'userId' | 'firmId' | 'impersonatorId', Id | undefined>>>

/** What holds data of the user for the app: a QueryClient, a tree of components, a store of the app's own. */
export interface AppCache {
  /** Shows server interactions. */
  run?: RunInteraction
  /** Forgets the user: at once what is in memory, in its time what is on disk. */
  clear(user: GoneUser): unknown
  /** Whether a screen keeps what was typed until the user of an expired session is back. */
  isKept?(): boolean
  /** What holds the data, where it lives on when this is removed and may be added again. */
  holder?: object
}

export type Caches = ReturnType<typeof createCaches>

export function createCaches(platform: Pick<Platform, 'warn'>) {
  const all = new Set<AppCache>()
  /** For each cache that was let go: how often the page had been emptied by then. */
  const leftAt = new WeakMap<object, number>()
  let clearCount = 0
  /** Whose data the page may hold: also after their session has ended, for what came late. */
  let last: Claims | undefined
  let held: Claims | undefined

  const empty = async (cache: AppCache) => {
    try {
      const { userId, firmId, impersonatorId } = last ?? ({} as Partial<Claims>)
      await cache.clear(Object.freeze({ userId, firmId, impersonatorId }))
    } catch (error) {
      platform.warn('The caches of the app could not be emptied', error)
    }
  }
  /** Removes what the page holds of its user; resolves when it is gone from disk too. A failure is reported, it never rejects. */
  const clear = async () => {
    clearCount += 1
    held = undefined
    await Promise.all([...all].map(empty))
  }

  /** Shows a server interaction in the query devtools. */
  const show: RunInteraction = (name, work) => {
    const { run } = [...all].find((cache) => cache.run) ?? {}
    return run ? run(name, work) : work()
  }

  return {
    /** Adds a cache; returns the removal. */
    attach(cache: AppCache): () => void {
      const { holder = cache } = cache
      all.add(cache)
      // The user went while nobody showed it.
      if ((leftAt.get(holder) ?? clearCount) !== clearCount) void empty(cache)
      return () => {
        leftAt.set(holder, clearCount)
        all.delete(cache)
      }
    },
    show,
    /** The page before has left with this user's data on the disk: the next one is compared with them. */
    expect(user: Claims | undefined) {
      last ??= user
    },
    /** Somebody is about to be signed in here: what the page holds of another user goes first. */
    makeRoomFor(claims: Claims) {
      if (last && !isSameIdentity(last, claims)) void clear()
      last = held = claims
    },
    clear,
    /** The same for a session that has expired, unless a screen waits for its user to come back. */
    async clearUnlessKept() {
      if (![...all].some((cache) => cache.isKept?.())) await clear()
    },
    /** Whose data the page holds; `undefined` once it has been emptied. */
    holds: () => held,
  }
}
