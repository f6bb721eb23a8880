// What the page holds of a user for the app: it shows server interactions, and is emptied before another user is shown.
import type { Claims } from '../../protocol/claims.ts'
import { REASONS, type SignedOutReason } from '../../protocol/signedOutReasons.ts'
import { isSameIdentity } from '../../protocol/identity.ts'
import { notAuthenticated } from '../../base/sessionErrors.ts'
import { createSubscribers, type Subscribers } from '../../base/subscribers.ts'
import type { GoneUser } from '../auth.ts'
import type { Platform } from '../platform/platform.ts'

/** Names of the server interactions that the session starts automatically, as the query devtools show them. */
export type InteractionName = 'exchange code' | 'verify session' | 'renew token'

/** Runs a server interaction where the query devtools can see it; what it yields stays out of sight. */
export type RunInteraction = <Result>(name: InteractionName, work: () => Promise<Result>) => Promise<Result>

/**
 * Resolves when the user is signed in again. `calls` and `abort` end the wait with their reason.
 *
 * @throws AuthError `not-authenticated`, also when the limit has passed
 */
export type WaitForUser = (calls: AbortSignal, abort?: AbortSignal | null) => Promise<void>

/** What holds data of the user for the app: a QueryClient, a tree of components, a store of the app's own. */
export interface AppCache {
  run?: RunInteraction
  /** Forgets the user: at once what is in memory, in its time what is on disk. */
  clear?(user: GoneUser, reason?: SignedOutReason): unknown
  /** Whether a screen keeps what was typed until the user of an expired session is back. */
  isKept?(): boolean
}

/** `tell`, while caches are emptied of a user: calls a reader of their data back as soon as all are empty. */
export const going: { tell?: Subscribers['subscribe'] | undefined } = {}

export function createCaches(platform: Pick<Platform, 'warn'>) {
  /** By their holders; also of one that is on no screen now, and may come back. Those are few, and empty once the user has gone. */
  const all = new Map<object, AppCache>()
  /** The user whose data the page may hold: also after their session has ended, for late responses. */
  let last: Claims | undefined
  let owner: Claims | undefined
  let calls = new AbortController()

  const list = () => [...all.values()]
  const warn = (error: unknown) => platform.warn('A callback failed while the user changed', error)
  const empty = async (cache: AppCache, reason?: SignedOutReason) => {
    try {
      const { userId, firmId, impersonatorId } = last ?? ({} as Partial<Claims>)
      await cache.clear?.(Object.freeze({ userId, firmId, impersonatorId }), reason)
    } catch (error) {
      warn(error)
    }
  }
  const refuse = () => {
    calls.abort(notAuthenticated())
    calls = new AbortController()
  }
  const clear = async (reason?: SignedOutReason) => {
    if (reason && REASONS[reason].isAwaited && list().some((cache) => cache.isKept?.())) return
    owner = undefined
    refuse()
    const readers = createSubscribers(warn)
    // A callback of the app may end the session of another auth object.
    const { tell } = going
    going.tell = readers.subscribe
    const emptied = list().map((cache) => empty(cache, reason))
    going.tell = tell
    readers.notify()
    await Promise.all(emptied)
  }

  const show: RunInteraction = (name, work) => {
    // The newest QueryClient: an app may have made another one for this page.
    const { run } = list().findLast((cache) => cache.run) ?? {}
    return run ? run(name, work) : work()
  }

  const caches = {
    /** Adds a cache, once for each holder; returns the removal, which is not for what may come back to the screen. */
    attach(cache: AppCache, holder: object = cache) {
      all.set(holder, cache)
      return () => void all.delete(holder)
    },
    show,
    /** The page before was left with this user's data on the disk: who is signed in next is compared with this user. */
    expect(user: Claims | undefined) {
      last ??= user
    },
    /** Called before a user is signed in: another user's data is cleared first. Returns whether there was any: the app's callbacks may have emptied the storage. */
    makeRoomFor(claims: Claims): boolean | undefined {
      const isOther = last && !isSameIdentity(last, claims)
      if (isOther) void clear()
      last = owner = claims
      return isOther
    },
    /** Resolves when the user's data is gone, from disk too; never rejects. After an expiry nothing goes while a screen waits for the user. */
    clear,
    /** The user whose data the page holds; `undefined` once it has been cleared. */
    holds: () => owner,
    /** For calls of the user: aborted, with the error to throw then, when their data goes. An expired session goes on where a screen waits. */
    signal: () => calls.signal,
    refuse,
  }
  return caches as typeof caches & {
    /** The gates that keep their content for the user of an expired session, and how long calls wait behind each. */
    gates?: Set<{ readonly seconds: number }>
    /** Set where a screen can ask for the sign-in: returns what calls wait for, once the session has expired. */
    untilBack?: () => WaitForUser | undefined
  }
}
