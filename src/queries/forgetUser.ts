// Takes everything of a user out of a QueryClient: what was read, what is under way, and what observers still show.
import {
  defaultScheduler,
  type MutationObserver,
  notifyManager,
  type Query,
  QueryCache,
  type QueryClient,
} from '@tanstack/react-query'
import { notAuthenticated } from '../sessionErrors.ts'
import type { Auth } from '../session/auth.ts'
import { going } from '../session/signedIn/caches.ts'
import { internalsOf } from '../session/internals.ts'
import { allKey, isKeyBelow, isLatchkeyKey, isShared } from './keys.ts'
import { isSessionAction } from './session.ts'

/** Who shows a mutation, which does not say so itself; and the QueryClients of which that is known. */
const shownBy = new WeakMap<object, Partial<Pick<MutationObserver, 'reset'>>>()

/** TanStack Query's own way, or what another library has made of it: what latchkey's stands in for. */
const before: { batchCalls?: typeof notifyManager.batchCalls } = {}

/**
 * TanStack Query tells components in a later task, and its `setScheduler` cannot be set back to what the app has set. But React
 * draws the next user right after this task: their name could be painted beside the data of the one before.
 */
const tellAtOnce: typeof notifyManager.batchCalls =
  (tell) =>
  (...event) =>
    going.tell?.(() => tell(...event)) ?? before.batchCalls!(tell)(...event)

/** From now on it is noted who shows the mutations of the QueryClient, and components hear at once when a user goes. */
export function watchReaders(client: QueryClient): void {
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
 * Removes the user's queries and mutations, whoever made them. Those of another auth object that shares the QueryClient stay.
 * All of it in this task, so that no component can read them any more.
 */
export function forgetUser(auth: Auth, client: QueryClient): void {
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
    // Who shows them has no data from now on; removing them ends their fetches.
    for (const query of gone) query.setState(unasked)
    for (const query of all)
      for (const observer of query.observers) {
        // It shows the placeholder of before until it has had none, and makes the next from the query that it had data of last.
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
    // What this change comes from, such as a sign-in in a window.
    if (mutation.state.status === 'pending' && isSessionAction(mutation.options.mutationKey, ownKey)) continue
    // While it has its scope: a mutation of the next user would wait for it there.
    mutations.remove(mutation)
    // Else a component would show its response, and give it back its callbacks.
    shownBy.get(mutation)?.reset?.()
    // What comes of it is for nobody: it is not sent again, and writes nothing into the cache of the next user.
    mutation.setOptions({ mutationFn: () => Promise.reject(notAuthenticated()) })
  }

  // A component that stays on the screen asks again, for whoever is there then: drawn anew by React, whatever the app has set.
  defaultScheduler(() => {
    for (const observer of observers) if (observer.hasListeners()) observer.setOptions(observer.options)
  })
}
