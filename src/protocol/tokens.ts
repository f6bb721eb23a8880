// Builds the three request bodies of /oauth/token and reads its response strictly.
import { unexpectedAnswer } from '../errors.ts'
import { given, numberOf } from '../json.ts'
import { readRecord } from './answers.ts'
import { decodeAccessToken } from './claims.ts'
import type { Received } from './credentials.ts'
import type { Attempt } from './signIn.ts'

const WHAT = 'POST /oauth/token'

/** What a response of /oauth/token holds. */
export type Tokens = Omit<Received, 'memory'>

/** Builds the body of the authorization_code grant. */
export function codeGrant(
  code: string,
  { verifier, clientId, redirectUri }: Pick<Attempt, 'verifier' | 'clientId' | 'redirectUri'>,
): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id: clientId,
    redirect_uri: redirectUri,
  }
}

/** Builds the body of the refresh_token grant, with the verifier of the sign-in that issued the first refresh token. */
export function refreshGrant(
  refreshToken: string,
  verifier: string,
  clientId: string,
): Record<string, string> {
  return {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    code_verifier: verifier,
    client_id: clientId,
  }
}

/** Builds the body of the jti grant. */
export function assertionGrant(assertion: string, clientId: string): Record<string, string> {
  return { grant_type: 'jti', assertion, client_id: clientId }
}

/**
 * Reads a token response strictly.
 *
 * @throws AuthError `unexpected-answer`; `invalid-access-token` when the token cannot be decoded
 */
export function parseTokens(answer: unknown): Tokens {
  const { access_token, refresh_token, expires_in, token_type } = readRecord(WHAT, answer)
  const [refreshToken, type] = [refresh_token, token_type].map(given)
  const isTyped = type === undefined || (typeof type === 'string' && /^bearer$/i.test(type))
  const isRefresh = refreshToken === undefined || typeof refreshToken === 'string'
  if (typeof access_token !== 'string' || !access_token || !isTyped || !isRefresh)
    throw unexpectedAnswer(WHAT)
  const { claims, lifetimeInSeconds, sinceMs } = decodeAccessToken(access_token)
  return {
    accessToken: access_token,
    refreshToken,
    expiresInSeconds: given(expires_in) === undefined ? lifetimeInSeconds : lifetime(expires_in),
    claims,
    sinceMs,
  }
}

function lifetime(value: unknown): number | undefined {
  const seconds = numberOf(value)
  return seconds !== undefined && seconds > 0 ? seconds : undefined
}
