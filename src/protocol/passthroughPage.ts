// The page that signs a browser in with a `jti`, and the token that an app is given to begin with (spec §4 "Passthrough").
import { isTokenShaped } from './address.ts'
import { type Claims, decodeAccessToken } from './claims.ts'
import { usableJti } from './passthrough.ts'

/** What an `initToken` is good for: a `jti` to pass through, or why there is none. */
export type InitToken = { readonly jti: string } | { readonly why: string }

/** Reads a token given to `createAuth` as `initToken`. It belongs to another app of the firm, so any audience will do. */
export function readInitToken(token: string, nowMs: number): InitToken {
  const claims = readClaims(token)
  if (!claims) return { why: 'it is no token, or names no user' }
  if (claims.firmId === undefined) return { why: 'it names no firm' }
  if (!claims.jti) return { why: 'it has no jti' }
  const jti = usableJti(claims, nowMs)
  return jti === undefined ? { why: 'it has expired' } : { jti }
}

function readClaims(token: string): Claims | undefined {
  if (!isTokenShaped(token)) return undefined
  try {
    return decodeAccessToken(token).claims
  } catch {
    return undefined
  }
}

/** The page that signs the browser in with a `jti` and comes back to `redirect`. */
export function passthroughUrl(authHost: string, jti: string, redirect: string): string {
  return `${authHost}/oauth/passthrough?${new URLSearchParams({ jti, redirect })}`
}
