'use client'
// Renews the access token when forced or due, as a mutation.
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import { useAuthObject } from '../provider/context.ts'
import { renewMutation } from '../queries/session.ts'
import type { RenewOptions } from '../session/auth.ts'

/**
 * Renews the access token when forced or due, as a mutation. Variables: `RenewOptions` or nothing.
 *
 * @throws AuthError `no-provider`
 * @example
 * useRenew().mutate({ force: true })
 */
export function useRenew(): UseMutationResult<void, AuthError, RenewOptions | void> {
  return useMutation(renewMutation(useAuthObject()))
}
