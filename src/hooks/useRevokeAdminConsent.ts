'use client'
// Revokes the administrator's consent.
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import { useAuthObject } from '../provider/context.ts'
import { type ConsentRequest, revokeAdminConsentMutation } from '../queries/adminConsent.ts'

/**
 * Revokes the administrator's consent. Variables: `{ domain? }` or nothing.
 *
 * @throws AuthError `no-provider`
 * @example
 * useRevokeAdminConsent().mutate()
 */
export function useRevokeAdminConsent(): UseMutationResult<void, AuthError, ConsentRequest | void> {
  return useMutation(revokeAdminConsentMutation(useAuthObject()))
}
