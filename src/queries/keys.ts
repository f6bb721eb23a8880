// Keys of everything latchkey puts into the app's QueryClient, scoped to server, client, user, firm and impersonator.
import { defaultShouldDehydrateMutation, defaultShouldDehydrateQuery } from '@tanstack/react-query'
import type {
  AnyDataTag,
  DataTag,
  InferDataFromTag,
  InferErrorFromTag,
  Mutation,
  Query,
  QueryKey,
} from '@tanstack/react-query'
import { type AuthError, notInitialised } from '../base/errors.ts'
import { notAuthenticated } from '../base/sessionErrors.ts'
import type { Claims, Id } from '../protocol/claims.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { isExpired } from '../session/state.ts'

/** First member of every key of latchkey. */
const ROOT = 'latchkey'
/** Follows the scope in the keys that `authed` makes for the app's own queries. */
const AUTHED = 'of this app'
const AUTHED_PLACE = 4

/** Everything of one client at one server. */
export function allKey(auth: Auth): QueryKey {
  const { authHost, clientId } = internalsOf(auth).settings
  return [ROOT, authHost, clientId]
}

/** Key of an action, and of data that is the same for every user. */
export const actionKey = (auth: Auth, name: string): QueryKey => [...allKey(auth), name]

/** The key of one of the app's own queries, with the types that its own key carries. */
export type AuthedKey<Key extends QueryKey> = Key extends AnyDataTag
  ? DataTag<QueryKey, InferDataFromTag<unknown, Key>, InferErrorFromTag<Error, Key>>
  : QueryKey

/** Makes the keys of queries and mutations. */
export const authKeys = {
  /** Everything of one client at one server. */
  all: (auth: Auth): QueryKey => allKey(auth),
  /** Everything of one client for the current user, firm and impersonator. */
  scoped: (auth: Auth): QueryKey => [...allKey(auth), scopeOf(auth)],
  /** Key of data that the server has for the current user. It carries the type of the data. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the data; the tag exists in types alone
  read: <Data = unknown>(auth: Auth, name: string, ...details: readonly unknown[]) =>
    [...authKeys.scoped(auth), name, ...details] as QueryKey as DataTag<QueryKey, Data, AuthError>,
  /** Key of one of the app's own queries. It carries the type of the data where `queryOptions` has given one. */
  authed: <Key extends QueryKey>(auth: Auth, key: Key): AuthedKey<Key> =>
    authKeys.read(auth, AUTHED, ...key) as QueryKey as AuthedKey<Key>,
  /** Key of an action. */
  action: (auth: Auth, name: string): QueryKey => actionKey(auth, name),
}

/** Whether a key is one of latchkey, of any client. */
export function isLatchkeyKey(key: QueryKey | undefined): boolean {
  return key?.[0] === ROOT
}

/** Whether a key begins with all members of another. */
export const isKeyBelow = (key: QueryKey | undefined, above: QueryKey): boolean =>
  above.every((member, index) => key?.[index] === member)

/** Whether a query or a mutation is the same for every user, and marked so. */
export const isShared = ({ meta }: Pick<Query | Mutation, 'meta'>): boolean => meta?.['latchkey'] === 'shared'

/**
 * For persisters: applies TanStack's default and skips latchkey's queries. Queries of `authed` are kept, scoped to the user.
 *
 * @example
 * new QueryClient({ defaultOptions: { dehydrate: { shouldDehydrateQuery, shouldDehydrateMutation } } })
 */
export function shouldDehydrateQuery(query: Query): boolean {
  return isForDisk(query) && defaultShouldDehydrateQuery(query)
}

/** Whether a query is the app's own, and not sensitive. */
export function isForDisk({ queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>): boolean {
  const isOwn = isLatchkeyKey(queryKey) && queryKey[AUTHED_PLACE] !== AUTHED
  return !isOwn && meta?.['sensitive'] !== true
}

/** For persisters: applies TanStack's default and skips latchkey's mutations. */
export function shouldDehydrateMutation(mutation: Mutation): boolean {
  return !isLatchkeyKey(mutation.options.mutationKey) && defaultShouldDehydrateMutation(mutation)
}

/** The signed-in user; after an expired session, the user whose page waits for them to return. */
export function holderOf(auth: Auth): Pick<Claims, 'userId' | 'firmId' | 'impersonatorId'> | undefined {
  const state = auth.getState()
  if (state.status === 'authenticated') return state.user
  return isExpired(state) ? internalsOf(auth)?.caches.holds() : undefined
}

/**
 * The user, the firm and the impersonator of the data. An object, because a joined text could be the same for two different
 * users.
 */
function scopeOf(auth: Auth): unknown {
  const holder = holderOf(auth)
  if (!holder) return 'nobody'
  const { userId, firmId, impersonatorId } = holder
  // `null` if absent: TanStack matches keys partially, so a missing member would match every impersonator.
  return { user: textOf(userId), firm: textOf(firmId), impersonator: textOf(impersonatorId) }
}

/** Ids are compared as strings. */
const textOf = (id: Id | undefined): string | null => (id === undefined ? null : String(id))

/**
 * Remembers the current session. Returns a function that reports later whether it is still the same: true after a renewal,
 * false after a sign-out, even if the same user has signed in again.
 *
 * @throws AuthError `not-initialised`, `not-authenticated`
 */
export function rememberUser(auth: Auth): () => boolean {
  const state = auth.getState()
  if (state.status === 'initializing') throw notInitialised()
  if (state.status !== 'authenticated') throw notAuthenticated()
  const { user } = state
  return () => {
    const now = auth.getState()
    return now.status === 'authenticated' && now.user === user
  }
}
