'use client'
// Common to all read hooks: waits for start-up, follows the user, passes TanStack options on.
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../base/errors.ts'
import { useAuthObject } from '../provider/context.ts'
import { holderOf } from '../queries/keys.ts'
import type { AuthQuery, ReadOptions } from '../queries/types.ts'
import type { Auth } from '../session/auth.ts'
import { useAuthSelector } from './useAuth.ts'

/** A hook of one read. Takes any TanStack query option, and `More`. Throws `no-provider`. */
export type ReadHook<Data, More = unknown> = <Selected = Data>(
  options?: More & ReadOptions<Data, Selected>,
) => UseQueryResult<Selected, AuthError>

/** Binds a factory to the auth object. Sends no request before start-up has ended. */
export function useRead<Data, Selected = Data>(
  factory: (auth: Auth) => AuthQuery<Data>,
  options: ReadOptions<Data, Selected> = {},
): UseQueryResult<Selected, AuthError> {
  // The factory reads the user from the auth object; a compiler memo would miss its change.
  'use no memo'
  const auth = useAuthObject()
  // Render when the user changes, because the query key is scoped to the user.
  const who = useAuthSelector((state) => (state.status === 'authenticated' ? state.user : state.status))
  // What is there stays while a page waits for its user to come back.
  const isWaiting = who === 'unauthenticated' && holderOf(auth) !== undefined
  const isSettled = who !== 'initializing' && who !== 'redirecting' && !isWaiting
  return useQuery<Data, AuthError, Selected>({
    ...(factory(auth) as object),
    ...options,
    queryKey: factory(auth).queryKey,
    enabled: isSettled && (options.enabled ?? true),
  } as never)
}
