// Takes everything of a user out of a QueryClient: what was read, what is under way, and what observers still show.
import { type Mutation, notifyManager, type Query, type QueryClient } from '@tanstack/react-query'
import { notAuthenticated } from '../sessionErrors.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { allKey, isKeyBelow, isLatchkeyKey, isSharedQuery } from './keys.ts'
import { isSessionAction } from './session.ts'

/** A query that has never been asked for. */
const NO_DATA: Partial<Query['state']> = {
  data: undefined,
  dataUpdateCount: 0,
  dataUpdatedAt: 0,
  error: null,
  errorUpdateCount: 0,
  errorUpdatedAt: 0,
  fetchFailureCount: 0,
  fetchFailureReason: null,
  fetchMeta: null,
  fetchStatus: 'idle',
  isInvalidated: false,
  status: 'pending',
}

/**
 * Removes the user's queries and mutations, whoever made them. Those of another auth object that shares the QueryClient stay.
 * All of it in this task, so that no component can read them any more.
 */
export function forgetUser(auth: Auth, client: QueryClient): void {
  const { clearQueries } = internalsOf(auth).settings
  const ownKey = allKey(auth)
  const isGone = (key: readonly unknown[] | undefined) =>
    isLatchkeyKey(key) ? isKeyBelow(key, ownKey) : clearQueries === 'all'

  const queries = client.getQueryCache()
  const gone = queries.getAll().filter((query) => isGone(query.queryKey) && !isSharedQuery(query))
  const observers = gone.flatMap((query) => query.observers)
  notifyManager.batch(() => {
    for (const query of gone) {
      // Who shows it has no data from now on; removing it ends its fetch.
      query.setState(NO_DATA)
      queries.remove(query)
    }
  })

  const mutations = client.getMutationCache()
  for (const mutation of mutations.getAll()) {
    if (!isGone(mutation.options.mutationKey)) continue
    if (mutation.state.status === 'pending') {
      // What this change comes from, such as a sign-in in a window.
      if (isSessionAction(mutation.options.mutationKey, ownKey)) continue
      if (clearQueries === 'all') silence(mutation)
    }
    mutations.remove(mutation)
  }

  // A component that stays on the screen asks again, for whoever is there then.
  if (observers.length > 0)
    notifyManager.schedule(() => {
      for (const observer of observers) if (observer.hasListeners()) observer.setOptions(observer.options)
    })
}

/** What comes of it is for nobody: it is not sent again, and writes nothing into the cache of the next user. */
function silence(mutation: Mutation): void {
  const { mutationKey } = mutation.options
  const mutationFn = () => Promise.reject(notAuthenticated())
  mutation.setOptions({ ...(mutationKey && { mutationKey }), mutationFn, retry: false })
  // A component that stays mounted would give it its callbacks back.
  mutation.setOptions = () => {}
}
