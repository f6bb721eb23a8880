'use client'
// When the access token expires, for countdowns; follows every renewal (contract §2 "State").
import { useAuthSelector } from './useAuthSelector.ts'

/**
 * Expiry of the access token, milliseconds since 1970 by this machine's clock; `undefined` when nobody is signed in or
 * the server told no lifetime. Renders once a renewal.
 *
 * @throws AuthError `no-provider`
 * @example
 * const expiresAtMs = useAccessTokenExpiry()
 */
export function useAccessTokenExpiry(): number | undefined {
  return useAuthSelector((state) => (state.status === 'authenticated' ? state.expiresAtMs : undefined))
}
