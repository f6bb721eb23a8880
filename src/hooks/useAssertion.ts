'use client'
// Exchanges a one-time assertion for an access token.
import type { UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import {
  type AssertionRequest,
  exchangeAssertionMutation,
  type ExchangedToken,
  hideAssertion,
} from '../queries/assertion.ts'
import type { WriteOptions } from '../queries/types.ts'
import { usePreparedWrite } from './useWrite.ts'

/**
 * Exchanges an assertion for an access token that your app keeps; the session is unaffected. Variables: `{ assertion }`,
 * wrapped in a `Secret` before TanStack Query receives it.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { accessToken } = await useExchangeAssertion().mutateAsync({ assertion: jti })
 */
export function useExchangeAssertion<OnMutate = unknown>(
  options?: WriteOptions<ExchangedToken, AssertionRequest, OnMutate>,
): UseMutationResult<ExchangedToken, AuthError, AssertionRequest, OnMutate> {
  return usePreparedWrite(exchangeAssertionMutation, hideAssertion, options)
}
