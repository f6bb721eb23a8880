'use client'
// Reads the static redirections file.
import type { UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { RedirectionConfig } from '../protocol/redirection.ts'
import { redirectionConfigQuery } from '../queries/redirectionConfig.ts'
import type { ReadOptions } from '../queries/types.ts'
import { useRead } from './useRead.ts'

/**
 * Reads the redirections file. Reading it does not redirect. Takes any TanStack query option.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { data } = useRedirectionConfig({ staleTime: Infinity })
 */
export function useRedirectionConfig<Selected = RedirectionConfig>(
  options?: ReadOptions<RedirectionConfig, Selected>,
): UseQueryResult<Selected, AuthError> {
  return useRead(redirectionConfigQuery, options)
}
