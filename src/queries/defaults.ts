// Types and defaults of all option factories: one retry layer, never paused, marked by their meta. The types are built only from
// exported types of @tanstack/react-query, so that apps can name them.
import type {
  DataTag,
  Query,
  QueryClient,
  QueryFunction,
  QueryKey,
  UseMutationOptions,
  UseQueryOptions,
} from '@tanstack/react-query'
import type { AuthError } from '../base/errors.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { actionKey, authKeys } from './keys.ts'

/**
 * Options of one read: for useQuery, useSuspenseQuery, ensureQueryData, prefetchQuery. Any read may reject with
 * `not-authenticated`, `unexpected-status`, `rate-limited`, `unexpected-answer`, `network`, `offline` or `timeout`; its hook
 * names further errors.
 *
 * @example
 * const userInfo = await queryClient.ensureQueryData(userInfoQuery(auth))
 */
export interface AuthQuery<Data> {
  /** Scoped to client, user, firm and impersonator. Carries the types of data and error. */
  queryKey: DataTag<QueryKey, Data, AuthError>
  /** Sends the request. Rejects with `AuthError`. */
  queryFn: QueryFunction<Data>
  /** Offline, a query fails at once with `offline`. It is never paused, because a persister would write it to disk. */
  networkMode: 'always'
  /** At most two retries, and only for errors that a retry can cure. */
  retry: (failureCount: number, error: AuthError) => boolean
  /** Milliseconds: as long as the server asked, else 0.5 to 3 s. */
  retryDelay: (failureCount: number, error: AuthError) => number
  /** How long an unused result is kept, in milliseconds. 0 for secrets. Default: that of the QueryClient. */
  gcTime?: number
  /** How a result is merged with the previous one. Default: TanStack's structural sharing. */
  structuralSharing?: (before: unknown, now: unknown) => unknown
  /** `source: 'latchkey'` for app-wide rules, and `sensitive: true` for data that must not be stored or shown. */
  meta: Record<string, unknown>
}

/** Options of a read hook beside its own: any TanStack option except key and function. */
export type ReadOptions<Data, Selected = Data> = Omit<
  UseQueryOptions<Data, AuthError, Selected>,
  'queryKey' | 'queryFn'
>

/**
 * Options of a write hook beside its own: any TanStack option except key, function and network mode. They are added to
 * latchkey's: its own refetches after a write always happen.
 */
export type WriteOptions<Data, Variables, OnMutate = unknown> = Omit<
  UseMutationOptions<Data, AuthError, Variables, OnMutate>,
  'mutationKey' | 'mutationFn' | 'networkMode'
>

/** Options of one write: for useMutation. Those that call the server reject as a read does; their hooks name further errors. */
export type AuthMutation<Data, Variables, OnMutate = unknown> = UseMutationOptions<
  Data,
  AuthError,
  Variables,
  OnMutate
>

/** Marks queries and mutations of latchkey, so that app-wide rules can skip them. */
export const META: Record<string, unknown> = { source: 'latchkey' }

/** Marks data that is the same for every user: it stays when the user changes. */
export const SHARED_META: Record<string, unknown> = { source: 'latchkey', latchkey: 'shared' }

/** Marks data that must not be stored or shown. */
export const SENSITIVE_META: Record<string, unknown> = { source: 'latchkey', sensitive: true }

const LARGEST_RETRY_COUNT = 2

/** Retries a read at most twice, and only errors that a retry can cure. Offline, a read fails at once. */
export const READ_DEFAULTS: Omit<AuthQuery<never>, 'queryKey' | 'queryFn'> & {
  refetchOnReconnect: (query: Query<never, AuthError>) => boolean
} = {
  networkMode: 'always',
  // TanStack's default for this network mode is never: a read that failed would stay so when network or server is back.
  refetchOnReconnect: (query) => query.state.status === 'error',
  retry: (failureCount: number, error: AuthError) =>
    failureCount < LARGEST_RETRY_COUNT && error.retryable && error.code !== 'offline',
  retryDelay: (failureCount: number, error: AuthError) =>
    error.retryAfterMs ?? (0.5 + Math.random()) * 1000 * 2 ** failureCount,
  meta: META,
}

/** A read with these defaults. `read` receives the response of GET `path()`, and the name of the request for its errors. */
export const readQuery = <Data>(
  auth: Auth,
  [name, ...details]: readonly [string, ...unknown[]],
  path: () => string,
  read: (what: string, answer: unknown) => Data,
  more?: Pick<AuthQuery<Data>, 'gcTime' | 'meta'>,
): AuthQuery<Data> => ({
  ...READ_DEFAULTS,
  ...more,
  queryKey: authKeys.read<Data>(auth, name, ...details),
  async queryFn({ signal }) {
    const asked = path()
    const answer = await internalsOf(auth).call({ method: 'GET', path: asked, signal })
    return read(`GET ${asked.replace(/[?].*/, '')}`, answer)
  },
})

/** Writes are never retried automatically. */
export const WRITE_DEFAULTS: Pick<AuthQuery<never>, 'networkMode' | 'meta'> & { retry: false } = {
  networkMode: 'always',
  retry: false,
  meta: META,
}

/** A write with these defaults. `name` is its name in the query devtools. */
export const writeMutation = <Data, Variables>(
  auth: Auth,
  name: string,
  mutationFn: NonNullable<AuthMutation<Data, Variables>['mutationFn']>,
): AuthMutation<Data, Variables> => ({ ...WRITE_DEFAULTS, mutationKey: actionKey(auth, name), mutationFn })

/** What the hook of a write does in the caller's task: returns the variables that TanStack Query receives. */
type Prepare = (variables: never, client: QueryClient) => unknown

const preparations = new WeakMap<object, Prepare>()

/** Stores it for the hook; returns the same mutation. */
export function prepared<Mutation extends object>(mutation: Mutation, prepare: Prepare): Mutation {
  preparations.set(mutation, prepare)
  return mutation
}

export const preparationOf = <Variables>(mutation: object) =>
  preparations.get(mutation) as (variables: Variables, client: QueryClient) => Variables
