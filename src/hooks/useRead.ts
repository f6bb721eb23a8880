'use client'
// What all read hooks do: wait for start-up, follow the user, and let TanStack options through (contract §3).
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import { useAuthObject } from '../provider/context.ts'
import type { AuthQuery, ReadOptions } from '../queries/types.ts'
import type { Auth } from '../session/auth.ts'
import { useAuthSelector } from './useAuthSelector.ts'

/** Binds a factory to the session. Nothing is asked before start-up has ended. */
export function useRead<Data, Selected = Data>(
  factory: (auth: Auth) => AuthQuery<Data>,
  options: ReadOptions<Data, Selected> = {},
): UseQueryResult<Selected, AuthError> {
  // The factory reads the user from the session, which a memo would not see change.
  'use no memo'
  const auth = useAuthObject()
  // The key is scoped to the user: a change of user must come through here.
  const who = useAuthSelector((state) => (state.status === 'authenticated' ? state.user : state.status))
  const isSettled = who !== 'initializing' && who !== 'redirecting'
  return useQuery<Data, AuthError, Selected>({
    ...(factory(auth) as object),
    ...options,
    queryKey: factory(auth).queryKey,
    enabled: isSettled && (options.enabled ?? true),
  } as never)
}
