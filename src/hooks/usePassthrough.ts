'use client'
// Hands the session to another address of the firm.
import type { UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import {
  passthroughMutation,
  type PassthroughOptions,
  type PassthroughRequest,
} from '../queries/passthrough.ts'
import type { WriteOptions } from '../queries/types.ts'
import { useWrite } from './useWrite.ts'

/**
 * Redirects to the passthrough page of the authorization server, which redirects to `redirect` and passes the session on.
 * Variables: `{ redirect }`, a URL of this app or of one of `options.origins`.
 *
 * @throws AuthError `no-provider`
 * @example
 * usePassthrough({ origins: ['https://payroll.firm.example'] }).mutate({ redirect: 'https://payroll.firm.example/runs/7' })
 */
export function usePassthrough<OnMutate = unknown>({
  origins,
  ...options
}: PassthroughOptions & WriteOptions<void, PassthroughRequest, OnMutate> = {}): UseMutationResult<
  void,
  AuthError,
  PassthroughRequest,
  OnMutate
> {
  return useWrite(
    (auth) => passthroughMutation(auth, { origins }),
    options as WriteOptions<void, PassthroughRequest, OnMutate>,
  )
}
