'use client'
// Hands the session to another address of the firm.
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import { useAuthObject } from '../provider/context.ts'
import {
  passthroughMutation,
  type PassthroughOptions,
  type PassthroughRequest,
} from '../queries/passthrough.ts'

/**
 * Redirects to the passthrough page of the authorization server, which redirects to `redirect` and passes the session on.
 * Variables: `{ redirect }`, a URL of this app or of one of `options.origins`.
 *
 * @throws AuthError `no-provider`
 * @example
 * usePassthrough({ origins: ['https://payroll.firm.example'] }).mutate({ redirect: 'https://payroll.firm.example/runs/7' })
 */
export function usePassthrough(
  options?: PassthroughOptions,
): UseMutationResult<void, AuthError, PassthroughRequest> {
  return useMutation(passthroughMutation(useAuthObject(), options))
}
