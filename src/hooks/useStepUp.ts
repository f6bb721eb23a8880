'use client'
// Signs in again as strongly as an API asks for, as a mutation.
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AuthError } from '../errors.ts'
import { useAuthObject } from '../provider/context.ts'
import { stepUpMutation, type StepUpVariables } from '../queries/session.ts'
import { internalsOf } from '../session/internals.ts'

/**
 * Signs in again as strongly as an API asks for, as a mutation. Variables: the error `step-up-required`, and where the
 * sign-in page is shown.
 *
 * @throws AuthError `no-provider`
 * @example
 * useStepUp().mutate({ error })
 */
export function useStepUp(): UseMutationResult<void, AuthError, StepUpVariables> {
  const auth = useAuthObject()
  useEffect(() => internalsOf(auth).fetchLaterFile(), [auth])
  return useMutation(stepUpMutation(auth))
}
