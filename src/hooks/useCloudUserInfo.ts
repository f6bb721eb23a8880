'use client'
// Reads the linked account at the cloud provider.
import type { UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import { type CloudUserInfo, cloudUserInfoQuery } from '../queries/cloudUserInfo.ts'
import type { ReadOptions } from '../queries/types.ts'
import { useRead } from './useRead.ts'

/**
 * Reads GET /cloudprovider/userinfo for the signed-in user. Takes any TanStack query option.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { data: cloudUser } = useCloudUserInfo()
 */
export function useCloudUserInfo<Selected = CloudUserInfo>(
  options?: ReadOptions<CloudUserInfo, Selected>,
): UseQueryResult<Selected, AuthError> {
  return useRead(cloudUserInfoQuery, options)
}
