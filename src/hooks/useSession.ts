'use client'
// Signs in, out and again as mutations, and renews.
import { useEffect } from 'react'
import {
  loginMutation,
  logoutMutation,
  renewMutation,
  stepUpMutation,
  type StepUpVariables,
  switchToMutation,
} from '../queries/session.ts'
import type { LoginOptions, LogoutOptions, RenewOptions, SwitchOptions } from '../session/authOptions.ts'
import { useAuthObject } from '../provider/context.ts'
import { fetchLaterFile } from '../session/internals.ts'
import { useWrite, type WriteHook } from './useWrite.ts'

/**
 * Redirects to the sign-in page, as a mutation. Variables: `LoginOptions` or nothing.
 *
 * @example
 * useLogin().mutate({ returnTo: '/firms' })
 */
export const useLogin: WriteHook<void, LoginOptions | void> = (options) => useWrite(loginMutation, options)

/**
 * Ends the session here and at the server, as a mutation. Variables: `LogoutOptions` or nothing.
 *
 * @example
 * useLogout().mutate()
 */
export const useLogout: WriteHook<void, LogoutOptions | void> = (options) => useWrite(logoutMutation, options)

/**
 * Renews the access token when forced or due, as a mutation. Variables: `RenewOptions` or nothing.
 *
 * @example
 * useRenew().mutate({ force: true })
 */
export const useRenew: WriteHook<void, RenewOptions | void> = (options) => useWrite(renewMutation, options)

/**
 * Signs in again as strongly as an API asks for, as a mutation. Variables: the error `step-up-required`, and where the
 * sign-in page is shown.
 *
 * @example
 * useStepUp().mutate({ error })
 */
export const useStepUp: WriteHook<void, StepUpVariables> = (options) => {
  useLaterFile()
  return useWrite(stepUpMutation, options)
}

/**
 * Signs the same person in for another organization or firm, as a mutation. Variables: `SwitchOptions`.
 *
 * @example
 * useSwitchTo().mutate({ organization: 'org_acme' })
 */
export const useSwitchTo: WriteHook<void, SwitchOptions> = (options) => {
  useLaterFile()
  return useWrite(switchToMutation, options)
}

/** So that the click waits for no file. */
function useLaterFile(): void {
  const auth = useAuthObject()
  useEffect(() => fetchLaterFile(auth), [auth])
}
