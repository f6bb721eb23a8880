'use client'
// What the server says of the signed-in user (contract §3 "GET /api/userinfo").
import type { UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { ReadOptions } from '../queries/types.ts'
import { type UserInfo, userInfoQuery } from '../queries/userInfo.ts'
import { useRead } from './useRead.ts'

/**
 * Reads GET /api/userinfo for the signed-in user. Takes any TanStack query option.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { data } = useUserInfo({ select: (userInfo) => String(userInfo['name']) })
 */
export function useUserInfo<Selected = UserInfo>(
  options?: ReadOptions<UserInfo, Selected>,
): UseQueryResult<Selected, AuthError> {
  return useRead(userInfoQuery, options)
}
