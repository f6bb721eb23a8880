'use client'
// When the access token expires, for countdowns. Follows every renewal.
import { useAuthSelector } from './useAuthSelector.ts'

/**
 * Returns when the access token expires: milliseconds since 1970 by this machine's clock. `undefined` when nobody is signed
 * in, or when the server sent no lifetime. Renders once per renewal.
 *
 * @throws AuthError `no-provider`
 * @example
 * const expiresAtMs = useAccessTokenExpiry()
 */
export function useAccessTokenExpiry(): number | undefined {
  return useAuthSelector((state) => (state.status === 'authenticated' ? state.expiresAtMs : undefined))
}
