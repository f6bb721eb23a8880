'use client'
// Ends the session here and at the server, as a mutation.
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import { useAuthObject } from '../provider/context.ts'
import { logoutMutation } from '../queries/session.ts'
import type { LogoutOptions } from '../session/sessionEvent.ts'

/**
 * Ends the session here and at the server, as a mutation. Variables: `LogoutOptions` or nothing.
 *
 * @throws AuthError `no-provider`
 * @example
 * useLogout().mutate()
 */
export function useLogout(): UseMutationResult<void, AuthError, LogoutOptions | void> {
  return useMutation(logoutMutation(useAuthObject()))
}
