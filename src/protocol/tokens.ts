// Builds the three request bodies of /oauth/token and reads its response strictly.
import { unexpectedAnswer } from '../base/errors.ts'
import { given, numberOf } from '../base/json.ts'
import { readRecord } from './answers.ts'
import { decodeAccessToken } from './claims.ts'
import type { Received } from './credentials.ts'
import type { Attempt } from './signIn.ts'

const WHAT = 'POST /oauth/token'

export type Tokens = Omit<Received, 'memory'>

type Body = Record<string, string>

export const codeGrant = (
  code: string,
  { verifier, clientId, redirectUri }: Pick<Attempt, 'verifier' | 'clientId' | 'redirectUri'>,
): Body => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: verifier,
  client_id: clientId,
  redirect_uri: redirectUri,
})

/** The body of the refresh_token grant, with the verifier of the sign-in that issued the first refresh token. */
export const refreshGrant = (refresh_token: string, code_verifier: string, client_id: string): Body => ({
  grant_type: 'refresh_token',
  refresh_token,
  code_verifier,
  client_id,
})

export const assertionGrant = (assertion: string, client_id: string): Body => ({
  grant_type: 'jti',
  assertion,
  client_id,
})

/**
 * `null`, `''` and `false` count as absent.
 *
 * @param nowInSeconds by the wall clock, for a token with `exp` only
 * @throws AuthError `unexpected-answer`, `invalid-access-token`
 */
export function parseTokens(answer: unknown, nowInSeconds?: number): Tokens {
  const { access_token: accessToken, refresh_token, expires_in, token_type } = readRecord(WHAT, answer)
  const refreshToken = given(refresh_token)
  const life = given(expires_in)
  const type = given(token_type)
  const isBearer = type === undefined || (typeof type === 'string' && /^bearer$/i.test(type))
  const isText = refreshToken === undefined || typeof refreshToken === 'string'
  if (typeof accessToken !== 'string' || !accessToken || !isBearer || !isText) throw unexpectedAnswer(WHAT)
  const { claims, lifetimeInSeconds, sinceMs } = decodeAccessToken(accessToken, nowInSeconds)
  const seconds = life === undefined ? lifetimeInSeconds : numberOf(life)
  return {
    accessToken,
    refreshToken,
    expiresInSeconds: seconds && seconds > 0 ? seconds : undefined,
    claims,
    sinceMs,
  }
}
