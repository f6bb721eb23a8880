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
  queryKey: DataTag<QueryKey, Data, AuthError>
  queryFn: QueryFunction<Data>
  networkMode: 'always'
  retry: (failureCount: number, error: AuthError) => boolean
  retryDelay: (failureCount: number, error: AuthError) => number
  gcTime?: number
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
