'use client'
// Reads, grants and revokes the administrator's consent.
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import {
  type AdminConsent,
  adminConsentQuery,
  type ConsentRequest,
  grantAdminConsentFlow,
  grantAdminConsentMutation,
  revokeAdminConsentMutation,
} from '../queries/adminConsent.ts'
import type { ReadOptions, WriteOptions } from '../queries/types.ts'
import { useRead } from './useRead.ts'
import type { PopupOutcome } from '../queries/popups.ts'
import { type PopupMutationResult, usePopupWrite, useWrite } from './useWrite.ts'

/**
 * Reads the status of the administrator's consent, optionally for one `domain`. Takes any TanStack query option.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { data: consent } = useAdminConsent()
 */
export function useAdminConsent<Selected = AdminConsent>({
  domain,
  ...options
}: ConsentRequest & ReadOptions<AdminConsent, Selected> = {}): UseQueryResult<Selected, AuthError> {
  return useRead(
    (auth) => adminConsentQuery(auth, { domain }),
    options as ReadOptions<AdminConsent, Selected>,
  )
}

/**
 * Grants the administrator's consent in a popup. Variables: `{ domain? }` or nothing. Call `mutate()` in a click.
 *
 * @throws AuthError `no-provider`
 * @example
 * useGrantAdminConsent().mutate({ domain: 'firm.example' })
 */
export function useGrantAdminConsent<OnMutate = unknown>(
  options?: WriteOptions<PopupOutcome<AdminConsent>, ConsentRequest | void, OnMutate>,
): PopupMutationResult<AdminConsent, ConsentRequest | void, OnMutate> {
  return usePopupWrite(grantAdminConsentFlow, grantAdminConsentMutation, options)
}

/**
 * Revokes the administrator's consent. Variables: `{ domain? }` or nothing.
 *
 * @throws AuthError `no-provider`
 * @example
 * useRevokeAdminConsent().mutate()
 */
export function useRevokeAdminConsent<OnMutate = unknown>(
  options?: WriteOptions<void, ConsentRequest | void, OnMutate>,
): UseMutationResult<void, AuthError, ConsentRequest | void, OnMutate> {
  return useWrite(revokeAdminConsentMutation, options)
}
