// Makes claims, unsigned tokens and token responses for tests and stories.
import type { Id } from '../protocol/claims.ts'
import { FAKE_START_MS } from './fakeBrowser.ts'

/** The payload of an access token as the server writes it. */
export interface TokenClaims {
  /** The user. Default 'alice'. */
  userId: Id
  /** The firm. Default 'f1'. */
  firmId: Id
  /** The session. Default 's1'. */
  sessionId: Id
  /** The impersonator. Default: none. */
  impersonatorId?: Id | undefined
  /** Id of the token itself. Default 'jti-1'. */
  jti: string
  /** The audience. Default 'admin'. */
  aud: string | string[]
  /** When it was issued, seconds since 1970. Default: the start of the fake clock. */
  iat: number
  /** When it expires, seconds since 1970. Default: 600 after `iat`. */
  exp: number
  /** Further claims. */
  [name: string]: unknown
}

/** A response of /oauth/token. */
export interface TokenResponse {
  /** The access token. */
  access_token: string
  /** The refresh token. Without one there is no renewal. */
  refresh_token?: string | undefined
  /** Lifetime of the access token, seconds. */
  expires_in?: number | undefined
  /** 'Bearer'. */
  token_type?: string | undefined
  /** Further members. */
  [name: string]: unknown
}

/** Lifetime of a made token, seconds. */
export const TOKEN_LIFETIME_IN_SECONDS = 600

/** Returns the claims of Alice of firm f1. A member that is `undefined` is left out. */
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

/** Returns an unsigned JWT with any payload. `alg`: what its header says. Default 'none'. */
export function createJwt(payload: unknown, alg = 'none'): string {
  return `${encode({ alg, typ: 'JWT' })}.${encode(payload)}.c2lnbmF0dXJl`
}

/** Returns an access token of Alice of firm f1. */
export function createAccessToken(members: Partial<TokenClaims> = {}): string {
  return createJwt(createClaims(members))
}

/**
 * Returns a token response for Alice of firm f1.
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

// Piece by piece: a test's token may have more bytes than a call can have arguments.
function encode(value: unknown): string {
  const bytes = Array.from(new TextEncoder().encode(JSON.stringify(value)), (byte) =>
    String.fromCharCode(byte),
  )
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
