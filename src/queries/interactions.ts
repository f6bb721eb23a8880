// Connects a session to the app's QueryClient: shows sign-ins, renewals and logouts as mutations, empties it when the user changes, and refetches failed queries after a sign-in.
import type { QueryClient } from '@tanstack/react-query'
import type { Auth } from '../session/auth.ts'
import type { RunInteraction } from '../session/signedIn/caches.ts'
import { internalsOf } from '../session/internals.ts'
import { WRITE_DEFAULTS } from './defaults.ts'
import { forgetUser, watchReaders } from './forgetUser.ts'
import { actionKey } from './keys.ts'

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
      const own = await working?.then(
        () => undefined,
        (failure: unknown) => failure,
      )
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
