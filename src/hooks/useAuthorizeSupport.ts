'use client'
// Authorizes support access for a limited time.
import type { UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { SupportAccess, SupportRequest } from '../protocol/support.ts'
import { authorizeSupportMutation, hideRequestCode } from '../queries/support.ts'
import { usePreparedMutation } from './usePreparedMutation.ts'

/**
 * Authorizes support access for a limited time. Variables: `{ requestCode, duration }`, the duration in whole minutes, 1 to
 * 1440. The code is wrapped in a `Secret` before TanStack Query receives it.
 *
 * @throws AuthError `no-provider`
 * @example
 * useAuthorizeSupport().mutate({ requestCode, duration: 60 })
 */
export function useAuthorizeSupport(): UseMutationResult<SupportAccess, AuthError, SupportRequest> {
  return usePreparedMutation(authorizeSupportMutation, hideRequestCode)
}
