// Reads the `initToken` of the config.
import { readable } from '../base/json.ts'
import { isTokenShaped } from './address.ts'
import { decodeAccessToken } from './claims.ts'
import { usableJti } from './passthrough.ts'

/** The `jti` of an `initToken`, or why it cannot be used. */
export type InitToken = { readonly jti: string } | { readonly why: string }

/** Reads the `initToken` of the config. It is a token of another app of the firm, so any audience is accepted. */
export function readInitToken(token: string, nowMs: number): InitToken {
  const claims = isTokenShaped(token) ? readable(() => decodeAccessToken(token).claims) : undefined
  if (!claims) return { why: 'it is no token, or names no user' }
  if (claims.firmId === undefined) return { why: 'it names no firm' }
  if (!claims.jti) return { why: 'it has no jti' }
  const jti = usableJti(claims, nowMs)
  return jti === undefined ? { why: 'it has expired' } : { jti }
}
