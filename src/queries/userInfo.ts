// What the server says of the signed-in user (spec §7 GET /api/userinfo).
import { readRecord, type ServerRecord } from '../protocol/answers.ts'
import { unexpectedAnswer } from '../errors.ts'
import type { Id } from '../protocol/claims.ts'
import { USER_INFO_PATH } from '../protocol/endpoints.ts'
import { sameId } from '../protocol/identity.ts'
import type { Auth } from '../session/auth.ts'
import { sessionOf } from '../session/session.ts'
import { READ_DEFAULTS } from './defaults.ts'
import { authKeys } from './keys.ts'
import type { AuthQuery } from './types.ts'

/** The members are the server's own; check them before you trust them. */
export type UserInfo = ServerRecord

/**
 * Reads GET /api/userinfo.
 *
 * Errors: `not-authenticated`, `unexpected-status`, `unexpected-answer`, `network`, `offline`, `timeout`.
 *
 * @example
 * const userInfo = await queryClient.ensureQueryData(userInfoQuery(auth))
 */
export function userInfoQuery(auth: Auth): AuthQuery<UserInfo> {
  return {
    ...READ_DEFAULTS,
    queryKey: authKeys.read(auth, 'user info') as AuthQuery<UserInfo>['queryKey'],
    queryFn: async ({ signal }) => {
      const what = `GET ${USER_INFO_PATH}`
      const state = auth.getState()
      const answer = readRecord(
        what,
        await sessionOf(auth).call({ method: 'GET', path: USER_INFO_PATH, signal }),
      )
      // A cache on the way may answer for somebody else: nobody is shown another user's name.
      const isOfAnother =
        state.status === 'authenticated' &&
        Object.hasOwn(answer, 'userId') &&
        !sameId(answer['userId'] as Id, state.user.userId)
      if (isOfAnother) throw unexpectedAnswer(what)
      return answer
    },
  }
}
