// Shows sign-ins, renewals and logouts as mutations in the app's QueryClient.
import type { QueryClient } from '@tanstack/react-query'
import type { Auth } from '../session/auth.ts'
import type { RunInteraction } from '../session/caches.ts'
import { internalsOf } from '../session/internals.ts'
import { WRITE_DEFAULTS } from './defaults.ts'
import { forgetUser, type ShownMutations } from './forgetUser.ts'
import { actionKey } from './keys.ts'

/** Connects an auth object to a QueryClient. Returns the function that disconnects them. */
export function attachQueryClient(auth: Auth, client: QueryClient): () => void {
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

  const shown: ShownMutations = new WeakMap()
  const stop = mutations.subscribe((event) => {
    if (event.type === 'observerAdded') shown.set(event.mutation, event.observer)
    if (event.type === 'observerRemoved') shown.delete(event.mutation)
  })
  const detach = internalsOf(auth).attachCaches({
    run,
    holder: client,
    clear: () => forgetUser(auth, client, shown),
  })
  return () => {
    stop()
    detach()
  }
}
