'use client'
// Authorizes support access for a limited time.
import type { UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { SupportAccess, SupportRequest } from '../protocol/support.ts'
import { authorizeSupportMutation, hideRequestCode } from '../queries/support.ts'
import type { WriteOptions } from '../queries/types.ts'
import { usePreparedWrite } from './useWrite.ts'

/**
 * Authorizes support access for a limited time. Variables: `{ requestCode, duration }`, the duration in whole minutes, 1 to
 * 1440. The code is wrapped in a `Secret` before TanStack Query receives it.
 *
 * @throws AuthError `no-provider`
 * @example
 * useAuthorizeSupport().mutate({ requestCode, duration: 60 })
 */
export function useAuthorizeSupport<OnMutate = unknown>(
  options?: WriteOptions<SupportAccess, SupportRequest, OnMutate>,
): UseMutationResult<SupportAccess, AuthError, SupportRequest, OnMutate> {
  return usePreparedWrite(authorizeSupportMutation, hideRequestCode, options)
}
