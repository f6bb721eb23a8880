// Makes claims, tokens and token answers that are well formed and signed by nobody, for tests and stories.
import type { Id } from '../protocol/claims.ts'
import { FAKE_START_MS } from './fakeClock.ts'

/** The payload of an access token as the server writes it (spec §3 "Decoded access token"). */
export interface TokenClaims {
  /** The user. Default 'alice'. */
  userId: Id
  /** The firm. Default 'f1'. */
  firmId: Id
  /** The session. Default 's1'. */
  sessionId: Id
  /** Who works in the user's name. Default: nobody. */
  impersonatorId?: Id | undefined
  /** Id of the token itself. Default 'jti-1'. */
  jti: string
  /** Whom the token is for. Default 'admin'. */
  aud: string | string[]
  /** When it was made, seconds since 1970. Default: the start of the fake clock. */
  iat: number
  /** When it expires, seconds since 1970. Default: 600 after `iat`. */
  exp: number
  /** Whatever else a server puts in. */
  [name: string]: unknown
}

/** An answer of /oauth/token (spec §3 "Token response"). */
export interface TokenResponse {
  /** The access token. */
  access_token: string
  /** The refresh token; without one there is no renewal. */
  refresh_token?: string | undefined
  /** Life of the access token, seconds. */
  expires_in?: number | undefined
  /** 'Bearer'. */
  token_type?: string | undefined
  /** Whatever else a server answers. */
  [name: string]: unknown
}

/** Life of a made token, seconds. */
export const TOKEN_LIFETIME_IN_SECONDS = 600

/** Claims of Alice at firm f1; a member that is `undefined` is left out. */
export function createClaims(members: Partial<TokenClaims> = {}): TokenClaims {
  const iat = members.iat ?? FAKE_START_MS / 1000
  return {
    userId: 'alice',
    firmId: 'f1',
    sessionId: 's1',
    jti: 'jti-1',
    aud: 'admin',
    iat,
    exp: iat + TOKEN_LIFETIME_IN_SECONDS,
    ...members,
  }
}

/** A JWT with the given payload, whatever it is; `alg` none, empty signature text. */
export function createJwt(payload: unknown): string {
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(payload)}.c2lnbmF0dXJl`
}

/** An access token of Alice at firm f1. */
export function createAccessToken(members: Partial<TokenClaims> = {}): string {
  return createJwt(createClaims(members))
}

/**
 * A token answer for Alice at firm f1.
 *
 * @example
 * HttpResponse.json(createTokenResponse({ userId: 'bob' }, { expires_in: 31 }))
 */
export function createTokenResponse(
  members: Partial<TokenClaims> = {},
  answer: Partial<TokenResponse> = {},
): TokenResponse {
  return {
    access_token: createAccessToken(members),
    refresh_token: 'refresh-1',
    expires_in: TOKEN_LIFETIME_IN_SECONDS,
    token_type: 'Bearer',
    ...answer,
  }
}

function encode(value: unknown): string {
  const bytes = Array.from(new TextEncoder().encode(JSON.stringify(value)), (byte) =>
    String.fromCharCode(byte),
  )
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
