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
import { usePreparedMutation } from './usePreparedMutation.ts'

/**
 * Exchanges an assertion for an access token that your app keeps; the session is unaffected. Variables: `{ assertion }`,
 * wrapped in a `Secret` before TanStack Query receives it.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { accessToken } = await useExchangeAssertion().mutateAsync({ assertion: jti })
 */
export function useExchangeAssertion(): UseMutationResult<ExchangedToken, AuthError, AssertionRequest> {
  return usePreparedMutation(exchangeAssertionMutation, hideAssertion)
}
