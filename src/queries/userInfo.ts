// What the server says of the signed-in user (spec §7 GET /api/userinfo).
import { unexpectedAnswer } from '../errors.ts'
import type { Auth } from '../session/auth.ts'
import { sessionOf } from '../session/session.ts'
import { READ_DEFAULTS } from './defaults.ts'
import { authKeys } from './keys.ts'
import type { AuthQuery } from './types.ts'

/** The members are the server's own; check them before you trust them. */
export type UserInfo = Readonly<Record<string, unknown>>

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
      const answer = await sessionOf(auth).call({ method: 'GET', path: '/api/userinfo', signal })
      if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
        throw unexpectedAnswer('GET /api/userinfo')
      }
      return answer as UserInfo
    },
  }
}
