'use client'
// Signs in, out and again as mutations, and renews.
import type { UseMutationResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AuthError } from '../base/errors.ts'
import {
  loginMutation,
  logoutMutation,
  renewMutation,
  stepUpMutation,
  type StepUpVariables,
  switchToMutation,
} from '../queries/session.ts'
import type { LoginOptions, LogoutOptions, RenewOptions, SwitchOptions } from '../session/authOptions.ts'
import type { WriteOptions } from '../queries/types.ts'
import { useAuthObject } from '../provider/context.ts'
import { fetchLaterFile } from '../session/internals.ts'
import { useWrite } from './useWrite.ts'

/**
 * Redirects to the sign-in page, as a mutation. Variables: `LoginOptions` or nothing.
 *
 * @throws AuthError `no-provider`
 * @example
 * useLogin().mutate({ returnTo: '/firms' })
 */
export function useLogin<OnMutate = unknown>(
  options?: WriteOptions<void, LoginOptions | void, OnMutate>,
): UseMutationResult<void, AuthError, LoginOptions | void, OnMutate> {
  return useWrite(loginMutation, options)
}

/**
 * Ends the session here and at the server, as a mutation. Variables: `LogoutOptions` or nothing.
 *
 * @throws AuthError `no-provider`
 * @example
 * useLogout().mutate()
 */
export function useLogout<OnMutate = unknown>(
  options?: WriteOptions<void, LogoutOptions | void, OnMutate>,
): UseMutationResult<void, AuthError, LogoutOptions | void, OnMutate> {
  return useWrite(logoutMutation, options)
}

/**
 * Renews the access token when forced or due, as a mutation. Variables: `RenewOptions` or nothing.
 *
 * @throws AuthError `no-provider`
 * @example
 * useRenew().mutate({ force: true })
 */
export function useRenew<OnMutate = unknown>(
  options?: WriteOptions<void, RenewOptions | void, OnMutate>,
): UseMutationResult<void, AuthError, RenewOptions | void, OnMutate> {
  return useWrite(renewMutation, options)
}

/**
 * Signs in again as strongly as an API asks for, as a mutation. Variables: the error `step-up-required`, and where the
 * sign-in page is shown.
 *
 * @throws AuthError `no-provider`
 * @example
 * useStepUp().mutate({ error })
 */
export function useStepUp<OnMutate = unknown>(
  options?: WriteOptions<void, StepUpVariables, OnMutate>,
): UseMutationResult<void, AuthError, StepUpVariables, OnMutate> {
  useLaterFile()
  return useWrite(stepUpMutation, options)
}

/**
 * Signs the same person in for another organization or firm, as a mutation. Variables: `SwitchOptions`.
 *
 * @throws AuthError `no-provider`
 * @example
 * useSwitchTo().mutate({ organization: 'org_acme' })
 */
export function useSwitchTo<OnMutate = unknown>(
  options?: WriteOptions<void, SwitchOptions, OnMutate>,
): UseMutationResult<void, AuthError, SwitchOptions, OnMutate> {
  useLaterFile()
  return useWrite(switchToMutation, options)
}

/** So that the click waits for no file. */
function useLaterFile(): void {
  const auth = useAuthObject()
  useEffect(() => fetchLaterFile(auth), [auth])
}
