// Reads the user info of the signed-in user.
import type { ServerRecord } from '../protocol/answers.ts'
import { fault } from '../base/errors.ts'
import type { Id } from '../protocol/claims.ts'
import { USER_INFO_PATH } from '../protocol/endpoints.ts'
import { sameId } from '../protocol/identity.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { type AuthQuery, READ_DEFAULTS } from './defaults.ts'
import { authKeys } from './keys.ts'
import type { RegisteredUserInfo } from '../base/register.ts'

/** The standard claims of OpenID Connect Core 1.0, section 5.1. What a server has sent is unchecked: all are optional. */
export interface StandardClaims {
  /** The user's id at the server. */
  readonly sub?: string
  /** The full name, for display. */
  readonly name?: string
  /** First names. */
  readonly given_name?: string
  /** Last names. */
  readonly family_name?: string
  /** Middle names. */
  readonly middle_name?: string
  /** Nickname. */
  readonly nickname?: string
  /** The name that the user signs in with, for display: it can change, and need not be unique. */
  readonly preferred_username?: string
  /** Address of the user's profile page. */
  readonly profile?: string
  /** Address of an image of the user. */
  readonly picture?: string
  /** Address of the user's own page. */
  readonly website?: string
  /** E-mail address, for display: it can change. */
  readonly email?: string
  /** Whether the server has checked that the address is the user's. */
  readonly email_verified?: boolean
  /** `female`, `male`, or another word. */
  readonly gender?: string
  /** `YYYY-MM-DD`; the year is `0000` where it is left out. */
  readonly birthdate?: string
  /** Time zone, as `Europe/Paris`. */
  readonly zoneinfo?: string
  /** Language, as `de-CH`. */
  readonly locale?: string
  /** Telephone number, such as `+1 (425) 555-1212`. */
  readonly phone_number?: string
  /** Whether the server has checked that the number is the user's. */
  readonly phone_number_verified?: boolean
  /** Postal address; `formatted` is the whole of it, with line breaks. */
  readonly address?: { readonly formatted?: string; readonly [member: string]: unknown }
  /** When the information was last changed: seconds since 1970. */
  readonly updated_at?: number
}

/**
 * The response: the standard claims of OpenID Connect, and anything else by name. It is unchecked; check what you rely on. Its
 * type is yours once you register it (`Register`).
 */
export type UserInfo = RegisteredUserInfo<ServerRecord & StandardClaims>

/** Options of reading the user info. */
export interface UserInfoOptions {
  /** Accept a response whose `userId` is not that of the access token; a cache may have sent that of another user. Default false. */
  allowOtherUser?: boolean | undefined
}

/** The read of `useUserInfo`. */
export function userInfoQuery(
  auth: Auth,
  { allowOtherUser = false }: UserInfoOptions = {},
): AuthQuery<UserInfo> {
  return {
    ...READ_DEFAULTS,
    // Two keys, so that a strict reader never gets a cached response that it would refuse.
    queryKey: authKeys.read<UserInfo>(auth, 'user info', ...(allowOtherUser ? [{ allowOtherUser }] : [])),
    queryFn: async ({ signal }) => {
      const state = auth.getState()
      const answer = await internalsOf(auth).readUserInfo(signal)
      const isOfAnother =
        state.status === 'authenticated' &&
        Object.hasOwn(answer, 'userId') &&
        !sameId(answer['userId'] as Id, state.user.userId)
      if (isOfAnother && !allowOtherUser)
        throw fault(
          'unexpected-answer',
          `GET ${USER_INFO_PATH} names another userId than the access token`,
          'If your server means the same person by both, pass allowOtherUser: true. Otherwise a cache or proxy sent the response of another user.',
        )
      // Its members are unchecked: the registered type is the app's claim.
      return answer
    },
  }
}
