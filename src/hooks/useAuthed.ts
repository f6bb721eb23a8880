'use client'
// Queries of the app's own, fitted to the session: the form of `authed` for components.
import {
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { useAuthObject } from '../provider/context.ts'
import { authed } from '../queries/authed.ts'
import { suspend, useAuthSelector } from './useAuth.ts'

/**
 * `useQuery` for a call of your own: scopes the key to the user, firm and impersonator, sends nothing until a user is
 * signed in or during a renewal, and never retries 401 or 403. Follows a change of user. Takes the options of `useQuery`,
 * written in place or made by `queryOptions`.
 *
 * @example
 * const { auth } = useAuth()
 * const firms = useAuthed({ queryKey: ['firms'], queryFn: () => auth.fetch<Firm[]>('/api/firms') })
 */
export const useAuthed: typeof useQuery = (options: Wrapped, client?: QueryClient) =>
  useQuery(useForUser(options) as UseQueryOptions, client) as never

/**
 * `useSuspenseQuery` for a call of your own, as `useAuthed`. Also suspends until a user is signed in.
 *
 * @example
 * const { data } = useSuspenseAuthed({ queryKey: ['firms'], queryFn: () => auth.fetch<Firm[]>('/api/firms') })
 */
export const useSuspenseAuthed: typeof useSuspenseQuery = (options, given) => {
  const auth = useAuthObject()
  const isSignedIn = useAuthSelector(({ status }) => status === 'authenticated')
  const adapted = useForUser(options)
  const client = useQueryClient(given)
  // A page that waits for its user to return shows the cached data.
  const isThere = isSignedIn || client.getQueryData(adapted.queryKey) !== undefined
  if (!isThere) suspend(auth)
  return useSuspenseQuery(adapted, client)
}

/**
 * `useInfiniteQuery` for calls of your own, page by page, as `useAuthed`.
 *
 * @example
 * const list = useInfiniteAuthed({
 *   queryKey: ['invoices'],
 *   queryFn: ({ pageParam }) => auth.fetch<Page>(`/api/invoices?from=${pageParam}`),
 *   initialPageParam: 0,
 *   getNextPageParam: (page) => page.next,
 * })
 */
export const useInfiniteAuthed: typeof useInfiniteQuery = (options: Wrapped, client?: QueryClient) =>
  useInfiniteQuery(useForUser(options) as never, client) as never

type Wrapped = { queryKey: QueryKey; enabled?: unknown }

/** Renders again when the user changes, because `authed` scopes the key to them. */
function useForUser<Options extends Wrapped>(options: Options): Options {
  // `authed` reads the user from the auth object; a compiler memo would miss its change.
  'use no memo'
  useAuthSelector((state) => (state.status === 'authenticated' ? state.user : state.status))
  return authed(useAuthObject(), options)
}
