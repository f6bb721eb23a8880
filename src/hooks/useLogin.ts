'use client'
// Redirects to the sign-in page, as a mutation.
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import { useAuthObject } from '../provider/context.ts'
import { loginMutation } from '../queries/session.ts'
import type { LoginOptions } from '../session/signIn/signInRedirect.ts'

/**
 * Redirects to the sign-in page, as a mutation. Variables: `LoginOptions` or nothing.
 *
 * @throws AuthError `no-provider`
 * @example
 * useLogin().mutate({ returnTo: '/firms' })
 */
export function useLogin(): UseMutationResult<void, AuthError, LoginOptions | void> {
  return useMutation(loginMutation(useAuthObject()))
}
