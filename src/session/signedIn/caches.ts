// The app's data of a user on this page: cleared before another user is shown.
import type { Claims } from '../../protocol/claims.ts'
import { REASONS, type SignedOutReason } from '../../protocol/signedOutReasons.ts'
import { isSameIdentity } from '../../protocol/identity.ts'
import { notAuthenticated } from '../../base/sessionErrors.ts'
import { createSubscribers, type Subscribers } from '../../base/subscribers.ts'
import type { GoneUser } from '../auth.ts'
import type { Platform } from '../platform/platform.ts'

/** Names of the server interactions that the session starts automatically, as the query devtools show them. */
export type InteractionName = 'exchange code' | 'verify session' | 'renew token'

/** Runs a server interaction so that the query devtools show it, without its result. */
export type RunInteraction = <Result>(name: InteractionName, work: () => Promise<Result>) => Promise<Result>

/**
 * Resolves when the user is signed in again. `calls` ends the wait with its reason.
 *
 * @throws AuthError `not-authenticated`, also when the limit has passed
 */
export type WaitForUser = (calls: AbortSignal) => Promise<void>

/** A place with data of the user: a QueryClient, a tree of components, a store of the app's own. */
export interface AppCache {
  run?: RunInteraction
  /** Clears the user's data: synchronously in memory, asynchronously on disk. */
  clear?(user: GoneUser, reason?: SignedOutReason): unknown
  /** Whether a screen keeps its input until the user of an expired session is back. */
  isKept?(): boolean
}

/** `tell` is set while caches are emptied: subscribers are called as soon as all are empty. */
export const going: { tell?: Subscribers['subscribe'] | undefined } = {}

export function createCaches(platform: Pick<Platform, 'warn'>) {
  /** By holder. A holder that is unmounted stays, because it may come back: those are few, and empty without a user. */
  const all = new Map<object, AppCache>()
  /** The user whose data the page may have, also after the end of their session: responses may come late. */
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
    /** Adds the cache of a holder; returns the removal. */
    attach(cache: AppCache, holder: object = cache) {
      all.set(holder, cache)
      return () => void all.delete(holder)
    },
    show,
    /** The page before has left this user's data on disk: the next user is compared with this one. */
    expect(user: Claims | undefined) {
      last ??= user
    },
    /** Called before a user is signed in: clears another user's data. Returns whether there was any: the app's callbacks may have emptied the storage. */
    makeRoomFor(claims: Claims): boolean | undefined {
      const isOther = last && !isSameIdentity(last, claims)
      if (isOther) void clear()
      last = owner = claims
      return isOther
    },
    /** Resolves when the user's data is gone, from disk too; never rejects. After an expiry the data stays while a screen waits for the user. */
    clear,
    /** The user whose data the page has; `undefined` after a clear. */
    holds: () => owner,
    /** For calls of the user: aborted, with the error to throw, when their data is cleared. After an expiry it stays while a screen waits. */
    signal: () => calls.signal,
    refuse,
  }
  return caches as typeof caches & {
    /** The gates that keep their content for the user of an expired session, and how long calls wait behind each. */
    gates?: Set<{ readonly seconds: number }>
    /** Set if a screen can ask for the sign-in; after an expiry, returns the wait for it. */
    untilBack?: () => WaitForUser | undefined
  }
}
