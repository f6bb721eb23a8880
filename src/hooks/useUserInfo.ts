'use client'
// Reads the user info of the signed-in user.
import type { UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { ReadOptions } from '../queries/types.ts'
import { type UserInfo, type UserInfoOptions, userInfoQuery } from '../queries/userInfo.ts'
import { useRead } from './useRead.ts'

/**
 * Reads GET /api/userinfo for the signed-in user. A response with another `userId` than the access token is an error unless
 * `allowOtherUser` is set. Takes any TanStack query option.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { data } = useUserInfo({ select: (userInfo) => userInfo.name })
 */
export function useUserInfo<Selected = UserInfo>({
  allowOtherUser,
  ...options
}: UserInfoOptions & ReadOptions<UserInfo, Selected> = {}): UseQueryResult<Selected, AuthError> {
  return useRead(
    (auth) => userInfoQuery(auth, { allowOtherUser }),
    options as ReadOptions<UserInfo, Selected>,
  )
}
