'use client'
// Reads an access token of the cloud provider.
import type { UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { Id } from '../protocol/claims.ts'
import type { Secret } from '../protocol/secret.ts'
import { cloudAccessTokenQuery } from '../queries/cloudAccessToken.ts'
import type { ReadOptions } from '../queries/types.ts'
import { useRead } from './useRead.ts'

/**
 * Reads an access token of the cloud provider: that of the user, or that of the account with this id. The data is a
 * `Secret`: `reveal()` returns the token. Takes any TanStack query option.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { data: token } = useCloudAccessToken()
 * const copy = () => token && navigator.clipboard.writeText(token.reveal())
 */
export function useCloudAccessToken<Selected = Secret>(
  id?: Id,
  options?: ReadOptions<Secret, Selected>,
): UseQueryResult<Selected, AuthError> {
  return useRead((auth) => cloudAccessTokenQuery(auth, id), options)
}
