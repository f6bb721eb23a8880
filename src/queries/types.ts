// Types of the option factories, built from names of @tanstack/react-query alone so that they survive in an app's types.
import type {
  DataTag,
  QueryFunction,
  QueryKey,
  UseMutationOptions,
  UseQueryOptions,
} from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'

/** Options of one read: for useQuery, useSuspenseQuery, ensureQueryData, prefetchQuery. */
export interface AuthQuery<Data> {
  /** Scoped to the client, the user and who acts for them; carries the types of data and error. */
  queryKey: DataTag<QueryKey, Data, AuthError>
  /** Makes the request; rejects with `AuthError`. */
  queryFn: QueryFunction<Data>
  /** Offline it fails at once with `offline` and is never paused: a paused one would be written to disk. */
  networkMode: 'always'
  /** At most twice, and only for what a repeat can cure. */
  retry: (failureCount: number, error: AuthError) => boolean
  /** Milliseconds: as long as the server asked for, else 0.5 to 3 s. */
  retryDelay: (failureCount: number, error: AuthError) => number
  /**
   * Milliseconds that an unused result is kept; 0 where it is sensitive. Default: as the QueryClient says.
   */
  gcTime?: number
  /** How an answer is put together with the one before it. Default: as TanStack does. */
  structuralSharing?: (before: unknown, now: unknown) => unknown
  /**
   * `source: 'latchkey'` for rules of the whole app, and `sensitive: true` where nothing may be kept or
   * shown.
   */
  meta: Record<string, unknown>
}

/** What a read hook takes beside its own arguments: any TanStack option but the key and the function. */
export type ReadOptions<Data, Selected = Data> = Omit<
  UseQueryOptions<Data, AuthError, Selected>,
  'queryKey' | 'queryFn'
>

/** Options of one write: for useMutation. */
export type AuthMutation<Data, Variables, OnMutate = unknown> = UseMutationOptions<
  Data,
  AuthError,
  Variables,
  OnMutate
>
