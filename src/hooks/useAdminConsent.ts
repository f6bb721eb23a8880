'use client'
// Reads whether the administrator has consented.
import type { UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import { type AdminConsent, adminConsentQuery, type ConsentRequest } from '../queries/adminConsent.ts'
import type { ReadOptions } from '../queries/types.ts'
import { useRead } from './useRead.ts'

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
