// Shows what the session does by itself in the app's QueryClient, and empties the client when the user changes.
import type { QueryClient } from '@tanstack/react-query'
import type { Auth } from '../session/auth.ts'
import type { RunInteraction } from '../session/internals.ts'
import { internalsOf } from '../session/internals.ts'
import { WRITE_DEFAULTS } from './defaults.ts'
import { actionKey, allKey, isLatchkeyKey } from './keys.ts'

/** Joins a session and a QueryClient; the answer parts them. */
export function attachQueryClient(auth: Auth, client: QueryClient): () => void {
  const mutations = client.getMutationCache()

  const run: RunInteraction = async (name, work) => {
    const mutationKey = actionKey(auth, name)
    // One row a name: a thousand renewals must not pile up.
    for (const old of mutations.findAll({ mutationKey, exact: true })) {
      if (old.state.status === 'pending') continue
      mutations.remove(old)
      old.destroy()
    }
    // What the work yields is secret, so it travels in this closure and not in the row.
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
      // The work's own error is thrown below. Any other one is of a callback that the app has on its cache.
      const own = await working?.then(
        () => undefined,
        (failure: unknown) => failure,
      )
      if (error !== own) internalsOf(auth).platform.warn('A callback of the QueryClient failed', error)
    }
    return begin()
  }

  return internalsOf(auth).attachCaches({
    run,
    async clear() {
      const queryKey = allKey(auth)
      // Not awaited: what is cancelled is removed in the same breath, before anybody can read it.
      void client.cancelQueries({ queryKey })
      for (const mutation of mutations.findAll({
        predicate: ({ options }) => isLatchkeyKey(options.mutationKey),
      })) {
        if (mutation.state.status !== 'pending') mutations.remove(mutation)
      }
      client.removeQueries({ queryKey })
    },
  })
}
