// Adds the app's own claims, which its function `claims` reads from a token, to `user`.
import type { AppClaims } from '../base/register.ts'
import { type AuthError, fault } from '../base/errors.ts'
import { isRecord } from '../base/json.ts'
import { cleanText } from './redaction.ts'
import type { Claims, TokenClaims } from './claims.ts'

/** The config's `claims`. */
export type ReadAppClaims = (token: TokenClaims, accessToken: TokenClaims | undefined) => AppClaims

const OWN_NAMES = /^(userId|firmId|sessionId|impersonatorId|jti|aud|exp)$/

/** Returns a frozen copy. @throws AuthError `invalid-claims` with the message of the error that `read` throws */
export function addAppClaims(claims: Claims, read: () => unknown): Claims {
  try {
    const own = copyOf(read())
    if (!isRecord(own)) throw new TypeError('the function must return an object')
    const taken = Object.keys(own).find((name) => OWN_NAMES.test(name))
    if (taken !== undefined) throw new TypeError(`${taken} is latchkey's own`)
    return Object.freeze({ ...claims, ...own })
  } catch (error) {
    throw claimsThrew(error)
  }
}

export const claimsThrew = (error: unknown): AuthError =>
  invalidClaims(error instanceof Error ? error.message : 'the function threw', error)

export const invalidClaims = (why: string, cause?: unknown): AuthError =>
  fault('invalid-claims', `claims: ${cleanText(why)}`, 'Correct the function claims.', { cause })

export const isSameAppClaims = (a: Claims, b: Claims): boolean => appClaimsOf(a) === appClaimsOf(b)

const appClaimsOf = (claims: Claims): string =>
  JSON.stringify(Object.entries(claims).filter(([name]) => !OWN_NAMES.test(name)))

/** Refuses everything but plain data, which alone can be frozen and compared. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(copyOf))
  if (isRecord(value) && Object.getPrototypeOf(value) === Object.prototype)
    return Object.freeze(
      Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(item)])),
    )
  if (value === null || !/^(object|function|symbol|bigint)$/.test(typeof value)) return value
  throw new TypeError('it must be plain data, as JSON has it')
}
