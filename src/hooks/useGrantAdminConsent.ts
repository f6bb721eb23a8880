'use client'
// Grants the administrator's consent in a popup.
import {
  type AdminConsent,
  type ConsentRequest,
  grantAdminConsentFlow,
  grantAdminConsentMutation,
} from '../queries/adminConsent.ts'
import { type PopupMutationResult, usePopupMutation } from './usePopupMutation.ts'

/**
 * Grants the administrator's consent in a popup. Variables: `{ domain? }` or nothing. Call `mutate()` in a click.
 *
 * @throws AuthError `no-provider`
 * @example
 * useGrantAdminConsent().mutate({ domain: 'firm.example' })
 */
export function useGrantAdminConsent(): PopupMutationResult<AdminConsent, ConsentRequest | void> {
  return usePopupMutation(grantAdminConsentFlow, grantAdminConsentMutation)
}
