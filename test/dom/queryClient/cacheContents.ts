// What the caches of a QueryClient hold, as the tests ask for it.
import type { QueryClient } from '@tanstack/react-query'

export const queryKeysOf = (client: QueryClient) =>
  client
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey)

/** Whose the data is: user, firm and impersonator of latchkey's own keys. */
export const ownersOf = (client: QueryClient) => queryKeysOf(client).map((queryKey) => queryKey[3])

/** The data that is there, whosever it is. */
export const dataOf = (client: QueryClient) =>
  client
    .getQueryCache()
    .getAll()
    .flatMap(({ state }) => (state.data === undefined ? [] : [state.data]))

/** Everything in the client. */
export const cacheText = (client: QueryClient) =>
  JSON.stringify([
    client
      .getQueryCache()
      .getAll()
      .map(({ queryKey, state }) => [queryKey, state.data]),
    client
      .getMutationCache()
      .getAll()
      .map(({ options, state }) => [options.mutationKey, state]),
  ])
