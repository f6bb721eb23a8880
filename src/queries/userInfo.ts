// Reads the user info of the signed-in user.
import type { ServerRecord } from '../protocol/answers.ts'
import { fault } from '../errors.ts'
import type { Id } from '../protocol/claims.ts'
import { USER_INFO_PATH } from '../protocol/endpoints.ts'
import { sameId } from '../protocol/identity.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { READ_DEFAULTS } from './defaults.ts'
import { authKeys } from './keys.ts'
import type { RegisteredUserInfo } from '../register.ts'
import type { AuthQuery } from './types.ts'

/** The response, unchecked: check its members before you trust them. Its type is yours once you register it (`Register`). */
export type UserInfo = RegisteredUserInfo<ServerRecord>

/** Which user info is accepted. */
export interface UserInfoOptions {
  /** Accept a response whose `userId` is not that of the access token. Default false. */
  allowOtherUser?: boolean | undefined
}

/**
 * Reads GET /api/userinfo. Refuses a response with another `userId` than the access token unless `allowOtherUser` is set,
 * because a cache may have returned the response of another user.
 *
 * Errors: `not-authenticated`, `unexpected-status`, `unexpected-answer`, `network`, `offline`, `timeout`.
 *
 * @example
 * const userInfo = await queryClient.ensureQueryData(userInfoQuery(auth))
 */
export function userInfoQuery(
  auth: Auth,
  { allowOtherUser = false }: UserInfoOptions = {},
): AuthQuery<UserInfo> {
  return {
    ...READ_DEFAULTS,
    queryKey: keyOf(auth, allowOtherUser),
    queryFn: async ({ signal }) => {
      const what = `GET ${USER_INFO_PATH}`
      const state = auth.getState()
      const answer = await internalsOf(auth).readUserInfo(signal)
      const isOfAnother =
        state.status === 'authenticated' &&
        Object.hasOwn(answer, 'userId') &&
        !sameId(answer['userId'] as Id, state.user.userId)
      if (isOfAnother && !allowOtherUser) throw ofAnotherUser(what)
      // Registered by the app.
      return answer
    },
  }
}

const ofAnotherUser = (what: string) =>
  fault(
    'unexpected-answer',
    `${what} names another userId than the access token`,
    'If your server means the same person by both, pass allowOtherUser: true. Otherwise a cache or proxy sent the response of another user.',
  )

/** Two keys, so that a strict reader never gets a cached response that it would refuse. */
function keyOf(auth: Auth, allowOtherUser: boolean): AuthQuery<UserInfo>['queryKey'] {
  const details = allowOtherUser ? [{ allowOtherUser }] : []
  return authKeys.read<UserInfo>(auth, 'user info', ...details)
}
