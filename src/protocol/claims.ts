// Decodes an access token for display, channel names and renewal. Its signature is not verified.
import { jwtDecode } from 'jwt-decode'
import { LARGEST_TOKEN_LENGTH } from '../base/constants.ts'
import { invalidAccessToken } from '../base/errors.ts'
import { given, isRecord, memberOf, numberOf, readable } from '../base/json.ts'
import type { Register } from '../base/register.ts'

/** An id as the server writes it. Ids are compared as strings. */
export type Id = string | number

/** The fields read from an access token. */
export interface Claims {
  /** The user. Tokens without one are refused. */
  readonly userId: Id
  /** The firm that the user works for. */
  readonly firmId?: Id | undefined
  /** The id of the session at the server. */
  readonly sessionId?: Id | undefined
  /** The person who acts as this user; absent without impersonation. */
  readonly impersonatorId?: Id | undefined
  /** The id of the token itself; passthrough sends it instead of the token. */
  readonly jti?: string | undefined
  /** The audience: the clients that the token is for. */
  readonly aud?: string | readonly string[] | undefined
  /** Expiry: seconds since 1970 by the server's clock. */
  readonly exp?: number | undefined
}

/** The members of a token, as the server wrote them; check them before you trust them. */
export type TokenClaims = Readonly<Record<string, unknown>>

/** The signed-in user, with the members that the app has registered. `jti` and `exp` change with every renewal. */
export type User = Register extends { user: infer Own } ? Claims & Readonly<Own> : Claims

/** Copies the known claims, each checked for its type. @throws AuthError `invalid-access-token`, 'Fail to decode access token.' */
export function decodeAccessToken(
  token: string,
  nowInSeconds?: number,
): {
  readonly claims: Claims
  /** `exp` minus `iat`, so a wrong clock has no effect; without `iat`, `exp` by the clock that was given. */
  readonly lifetimeInSeconds: number | undefined
  /** When the user signed in (`auth_time`), else when the token was issued: milliseconds since 1970 by the server's clock. */
  readonly sinceMs: number | undefined
} {
  // Check the length first: decoding megabytes blocks the page for seconds.
  const isReadable = typeof token === 'string' && token.length <= LARGEST_TOKEN_LENGTH
  const payload = isReadable && token.split('.').length === 3 ? readJwt(token) : undefined
  /** An empty string, `false` and `null` count as absent; any other type is refused. */
  const read = (name: string, isRight: (value: unknown) => boolean): unknown => {
    const value = given(memberOf(payload, name))
    if (value !== undefined && !isRight(value)) throw invalidAccessToken()
    return value
  }
  // Numbers above 2^53 are rounded by JSON.parse, so two users could get the same id.
  const id = (name: string) =>
    read(name, (value) => typeof value === 'string' || Number.isSafeInteger(value)) as Id | undefined
  const seconds = (name: string) =>
    numberOf(read(name, (value) => ['string', 'number'].includes(typeof value)))

  const userId = id('userId') ?? id('sub')
  if (userId === undefined) throw invalidAccessToken()
  const jti = id('jti')
  const [exp, iat] = [seconds('exp'), seconds('iat')]
  // `NaN` where one is missing.
  const life = exp! - (iat ?? nowInSeconds)!
  const since = seconds('auth_time') ?? iat
  return {
    lifetimeInSeconds: life > 0 ? life : undefined,
    sinceMs: since && since * 1000,
    claims: Object.freeze({
      userId,
      firmId: id('firmId'),
      sessionId: id('sessionId'),
      // The server writes 0 for "no impersonator".
      impersonatorId: id('impersonatorId') || undefined,
      jti: jti === undefined ? undefined : String(jti),
      aud: read('aud', (value) => [value].flat().every((item) => typeof item === 'string')) as Claims['aud'],
      exp,
    }),
  }
}

/** The payload or header of a JWT; `undefined` unless it is an object. */
export function readJwt(token: string, header = false): Record<string, unknown> | undefined {
  // Its error would quote the token.
  const part = readable((): unknown => jwtDecode(token, { header }))
  return isRecord(part) ? part : undefined
}

/** Only `true` from the app's `allow` lets a user in: a promise would be truthy. */
export const isAllowed = (allow: ((user: User) => boolean) | undefined, user: User): boolean =>
  !allow || (allow(user) as unknown) === true
