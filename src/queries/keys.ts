// Names of everything of ours in the app's QueryClient, scoped to the user and who acts for them (architecture "Where state lives").
import { defaultShouldDehydrateMutation, defaultShouldDehydrateQuery } from '@tanstack/react-query'
import type { Mutation, Query, QueryKey } from '@tanstack/react-query'
import type { Auth } from '../session/auth.ts'
import { sessionOf } from '../session/session.ts'

/** First member of every key of ours. */
const ROOT = 'latchkey'
/** Fourth member of the keys that `authed` makes for the app's own queries. */
const AUTHED = 'of this app'

/** Everything of one client. */
export const allKey = (auth: Auth): QueryKey => [ROOT, sessionOf(auth).settings.clientId]

/** One thing to be done. */
export const actionKey = (auth: Auth, name: string): QueryKey => [...allKey(auth), name]

/** Keys of queries and mutations. What follows the scope reads like a sentence in the devtools. */
export const authKeys = {
  /** Everything of one client. */
  all: (auth: Auth): QueryKey => allKey(auth),
  /** Everything of one client for the user now signed in. */
  scoped: (auth: Auth): QueryKey => [...allKey(auth), scopeOf(auth)],
  /** One thing the server knows. */
  read: (auth: Auth, name: string, ...details: readonly unknown[]): QueryKey => [
    ...authKeys.scoped(auth),
    name,
    ...details,
  ],
  /** One of the app's own queries. */
  authed: (auth: Auth, key: QueryKey): QueryKey => authKeys.read(auth, AUTHED, ...key),
  /** One thing to be done. */
  action: (auth: Auth, name: string): QueryKey => actionKey(auth, name),
}

/** Whether a key is one of ours, of any client. */
export function isLatchkeyKey(key: QueryKey | undefined): boolean {
  return key?.[0] === ROOT
}

/**
 * For persisters: TanStack's own choice without our queries. Those that `authed` made are kept, scoped to the user.
 *
 * @example
 * new QueryClient({ defaultOptions: { dehydrate: { shouldDehydrateQuery, shouldDehydrateMutation } } })
 */
export function shouldDehydrateQuery(query: Query): boolean {
  const isOurs = isLatchkeyKey(query.queryKey) && query.queryKey[3] !== AUTHED
  return !isOurs && query.meta?.['sensitive'] !== true && defaultShouldDehydrateQuery(query)
}

/** For persisters: TanStack's own choice without our mutations. */
export function shouldDehydrateMutation(mutation: Mutation): boolean {
  return !isLatchkeyKey(mutation.options.mutationKey) && defaultShouldDehydrateMutation(mutation)
}

/** Who the data is for: another user, or another person acting for the same one, never sees it. */
function scopeOf(auth: Auth): string {
  const state = auth.getState()
  if (state.status !== 'authenticated') return 'nobody'
  const { userId, impersonatorId } = state.user
  return impersonatorId === undefined ? `user ${userId}` : `user ${userId} impersonated by ${impersonatorId}`
}
