// Keys of everything latchkey puts into the app's QueryClient, scoped to server, client, user, firm and impersonator (contract §3).
import { defaultShouldDehydrateMutation, defaultShouldDehydrateQuery } from '@tanstack/react-query'
import type { Mutation, Query, QueryKey } from '@tanstack/react-query'
import type { Id } from '../protocol/claims.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import type { AuthQuery } from './types.ts'

/** First member of every key of ours. */
const ROOT = 'latchkey'
/** Stands after the scope in the keys that `authed` makes for the app's own queries. */
const AUTHED = 'of this app'
const AUTHED_PLACE = 4

/** Everything of one client at one server. */
export function allKey(auth: Auth): QueryKey {
  const { authHost, clientId } = internalsOf(auth).settings
  return [ROOT, authHost, clientId]
}

/** One thing to be done. */
export const actionKey = (auth: Auth, name: string): QueryKey => [...allKey(auth), name]

/** One thing the server tells every user alike; the key carries the type of its data. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the data; the tag exists in types alone
export const sharedKey = <Data>(auth: Auth, name: string): AuthQuery<Data>['queryKey'] =>
  [...allKey(auth), name] as QueryKey as AuthQuery<Data>['queryKey']

/** Keys of queries and mutations. What follows the scope reads like a sentence in the devtools. */
export const authKeys = {
  /** Everything of one client at one server. */
  all: (auth: Auth): QueryKey => allKey(auth),
  /** Everything of one client for the user now signed in, in this firm and acted by this person. */
  scoped: (auth: Auth): QueryKey => [...allKey(auth), scopeOf(auth)],
  /** One thing the server knows; the key carries the type of its data. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the data; the tag exists in types alone
  read: <Data = unknown>(
    auth: Auth,
    name: string,
    ...details: readonly unknown[]
  ): AuthQuery<Data>['queryKey'] =>
    [...authKeys.scoped(auth), name, ...details] as QueryKey as AuthQuery<Data>['queryKey'],
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
  const isOurs = isLatchkeyKey(query.queryKey) && query.queryKey[AUTHED_PLACE] !== AUTHED
  return !isOurs && query.meta?.['sensitive'] !== true && defaultShouldDehydrateQuery(query)
}

/** For persisters: TanStack's own choice without our mutations. */
export function shouldDehydrateMutation(mutation: Mutation): boolean {
  return !isLatchkeyKey(mutation.options.mutationKey) && defaultShouldDehydrateMutation(mutation)
}

/**
 * Who the data is for. Another user, the same user in another firm, or another person acting for them never sees it.
 * An object, not one text: no id can be written so that it reads like another user.
 */
function scopeOf(auth: Auth): unknown {
  const state = auth.getState()
  if (state.status !== 'authenticated') return 'nobody'
  const { userId, firmId, impersonatorId } = state.user
  // `null` where there is none: a key without the member would match every impersonator of the user.
  return { user: textOf(userId), firm: textOf(firmId), impersonator: textOf(impersonatorId) }
}

/** Ids are compared as texts (contract §2). */
const textOf = (id: Id | undefined): string | null => (id === undefined ? null : String(id))
