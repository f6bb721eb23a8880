// Types of the option factories, built only from exported types of @tanstack/react-query, so that apps can name them.
import type {
  DataTag,
  QueryFunction,
  QueryKey,
  UseMutationOptions,
  UseQueryOptions,
} from '@tanstack/react-query'
import type { AuthError } from '../base/errors.ts'

/**
 * Options of one read: for useQuery, useSuspenseQuery, ensureQueryData, prefetchQuery. Any read may reject with
 * `not-authenticated`, `unexpected-status`, `rate-limited`, `unexpected-answer`, `network`, `offline` or `timeout`; a factory
 * names its further errors.
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
 * Options of a write hook beside its own: any TanStack option except key, function and network mode. They are added to those
 * of latchkey: what it reads again after a write is read whatever is passed.
 */
export type WriteOptions<Data, Variables, OnMutate = unknown> = Omit<
  UseMutationOptions<Data, AuthError, Variables, OnMutate>,
  'mutationKey' | 'mutationFn' | 'networkMode'
>

/** Options of one write: for useMutation. Those that call the server reject as a read does; a factory names further errors. */
export type AuthMutation<Data, Variables, OnMutate = unknown> = UseMutationOptions<
  Data,
  AuthError,
  Variables,
  OnMutate
>
