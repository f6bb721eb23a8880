// Connects a session to the app's QueryClient: shows sign-ins, renewals and logouts as mutations, empties it when the user changes, and refetches failed queries after a sign-in.
import {
  defaultScheduler,
  type MutationObserver,
  notifyManager,
  type Query,
  QueryCache,
  type QueryClient,
} from '@tanstack/react-query'
import { notAuthenticated } from '../base/sessionErrors.ts'
import type { Auth } from '../session/auth.ts'
import { going, type RunInteraction } from '../session/signedIn/caches.ts'
import { internalsOf } from '../session/internals.ts'
import { WRITE_DEFAULTS } from './defaults.ts'
import { actionKey, allKey, isKeyBelow, isLatchkeyKey, isShared } from './keys.ts'
import { isSessionAction } from './session.ts'

/** Connects an auth object to a QueryClient for good, whether a provider is mounted or not. Once is enough. */
export function followQueryClient(auth: Auth, client: QueryClient): void {
  const mutations = client.getMutationCache()

  const run: RunInteraction = async (name, work) => {
    const mutationKey = actionKey(auth, name)
    // One mutation per name: renewals must not pile up.
    for (const old of mutations.findAll({ mutationKey, exact: true })) {
      if (old.state.status === 'pending') continue
      mutations.remove(old)
      old.destroy()
    }
    // The result is secret: it stays in this closure and never reaches the mutation.
    let working: ReturnType<typeof work> | undefined
    const begin = () => (working ??= work())
    try {
      const row = mutations.build(client, {
        ...WRITE_DEFAULTS,
        mutationKey,
        mutationFn: async () => void (await begin()),
      })
      await row.execute(undefined)
    } catch (error) {
      // The error of the work is thrown below. Any other error comes from a callback of the app's mutation cache.
      const own = await working?.catch((failure: unknown) => failure)
      if (error !== own) internalsOf(auth).platform.warn('A callback of the QueryClient failed', error)
    }
    return begin()
  }

  watchReaders(client)
  internalsOf(auth).caches.attach({ run, clear: () => forgetUser(auth, client) }, client)
}

/** While mounted: refetches queries that failed without a token once there is one, as TanStack does when the network is back. */
export function refetchWhenPossible(auth: Auth, client: QueryClient): () => void {
  const isPossible = () => {
    const state = auth.getState()
    return state.status === 'authenticated' && !state.isTokenExpired
  }
  let was = isPossible()
  return auth.subscribe(() => {
    const is = isPossible()
    if (is && !was)
      for (const query of client.getQueryCache().getAll())
        if (query.state.status === 'error') query.onOnline()
    was = is
  })
}

/** The observer of each mutation, which the mutation does not expose; and the watched QueryClients. */
const shownBy = new WeakMap<object, Partial<Pick<MutationObserver, 'reset'>>>()

/** The replaced `batchCalls`: TanStack Query's, or that of another library. */
const before: { batchCalls?: typeof notifyManager.batchCalls } = {}

/**
 * TanStack Query notifies components in a later task. React renders the next user right after this task, so their name could be
 * painted beside the previous user's data. `setScheduler` does not help: the app's own scheduler could not be restored.
 */
const tellAtOnce: typeof notifyManager.batchCalls =
  (tell) =>
  (...event) =>
    going.tell?.(() => tell(...event)) ?? before.batchCalls!(tell)(...event)

/** Notes the observers of a QueryClient's mutations, and makes `forgetUser` notify components at once. */
function watchReaders(client: QueryClient): void {
  if (shownBy.has(client)) return
  shownBy.set(client, {})
  if (!before.batchCalls) {
    before.batchCalls = notifyManager.batchCalls
    Object.assign(notifyManager, { batchCalls: tellAtOnce })
  }
  client.getMutationCache().subscribe((event) => {
    if (event.type === 'observerAdded') shownBy.set(event.mutation, event.observer)
    if (event.type === 'observerRemoved') shownBy.delete(event.mutation)
  })
}

/**
 * Removes the user's queries and mutations, latchkey's and the app's, except those of another auth object. Synchronous, so that
 * no component can read them any more.
 */
function forgetUser(auth: Auth, client: QueryClient): void {
  const ownKey = allKey(auth)
  const isGone = (key: readonly unknown[] | undefined) =>
    isLatchkeyKey(key) ? isKeyBelow(key, ownKey) : internalsOf(auth).settings.clearQueries === 'all'

  const isGoneQuery = (query: Query) => isGone(query.queryKey) && !isShared(query)

  const queries = client.getQueryCache()
  const unasked = new QueryCache().build(client, { queryKey: [], gcTime: Infinity }).state
  const all = queries.getAll()
  const gone = all.filter(isGoneQuery)
  const observers = gone.flatMap((query) => query.observers)
  notifyManager.batch(() => {
    // Observers lose their data now. Removing a query ends its fetch.
    for (const query of gone) query.setState(unasked)
    for (const query of all)
      for (const observer of query.observers) {
        // `placeholderData` can show the data of an earlier query: empty that one, too.
        const { options } = observer
        observer.setOptions({
          ...options,
          placeholderData: (_data: unknown, last?: Query) =>
            last && last !== query && isGoneQuery(last) ? last.setState(unasked) : undefined,
        })
        observer.setOptions(options)
      }
    for (const query of gone) queries.remove(query)
  })

  const mutations = client.getMutationCache()
  for (const mutation of mutations.getAll()) {
    if (!isGone(mutation.options.mutationKey) || isShared(mutation)) continue
    // The mutation that causes this change, such as a sign-in in a window.
    if (mutation.state.status === 'pending' && isSessionAction(mutation.options.mutationKey, ownKey)) continue
    // Otherwise a mutation of the next user with the same scope would wait for it.
    mutations.remove(mutation)
    // Otherwise a component would show its response and call its callbacks.
    shownBy.get(mutation)?.reset?.()
    // No repeat is sent, and nothing is written into the cache of the next user.
    mutation.setOptions({ mutationFn: () => Promise.reject(notAuthenticated()) })
  }

  // Components that stay mounted fetch again for the next user, after React has rendered. TanStack's scheduler, not the app's.
  defaultScheduler(() => {
    for (const observer of observers) if (observer.hasListeners()) observer.setOptions(observer.options)
  })
}
