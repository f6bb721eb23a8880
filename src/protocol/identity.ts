// Compares users and sessions, and makes stored names of them.
import { recordOf } from '../base/json.ts'
import { type Claims, type Id, readJwt, type TokenClaims } from './claims.ts'
import type { Credentials } from './credentials.ts'
import type { Client } from './storageKeys.ts'

/** Whether two tokens are for the same user, firm, impersonator and audience. */
export const isSameIdentity = (a: Claims, b: Claims): boolean =>
  identityOf(a) === identityOf(b) && String(a.aud) === String(b.aud)

export const isSameSession = (a: Claims, b: Claims): boolean =>
  isSameIdentity(a, b) && sameId(a.sessionId, b.sessionId)

/** The user, firm and impersonator as one text, the same for ids that are equal as strings. */
export const identityOf = ({ userId, firmId, impersonatorId }: Claims): string =>
  JSON.stringify([userId, firmId, impersonatorId].map((id) => id !== undefined && String(id)))

export const sameId = (a: Id | undefined, b: Id | undefined): boolean =>
  a === undefined || b === undefined ? a === b : String(a) === String(b)

/** Identifies the user by the server's own claims: apps of one client may map an ID token differently. */
export function holderName(
  { authHost }: Client,
  { claims, memory }: Pick<Credentials, 'claims' | 'memory'>,
): string {
  const { sub, act } = idTokenOf(memory)
  const who = sub === undefined ? [claims.userId, claims.impersonatorId] : [sub, recordOf(act)['sub']]
  return fingerprint(JSON.stringify([authHost, ...who.map((id) => id !== undefined && `${id as Id}`)]))
}

/** A hash of the record's id and the provider's `sid`: the next session has another. */
export function sidHash({ memory }: Pick<Credentials, 'memory'>, id: string): string | undefined {
  const { sid } = idTokenOf(memory)
  return sid ? fingerprint(id + (sid as string)) : undefined
}

/** Each ID token is decoded once: start-up reads the claims several times. */
const decoded = new WeakMap<Credentials['memory'], TokenClaims>()
function idTokenOf(memory: Credentials['memory']): TokenClaims {
  const claims = decoded.get(memory) ?? readJwt(memory.idToken ?? '') ?? {}
  decoded.set(memory, claims)
  return claims
}

// Hashed, because user ids need not be stored. The input is no secret, so a fast synchronous hash is enough.
export function fingerprint(text: string): string {
  let [first, second] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    first = Math.imul(first ^ unit, 0x9e3779b1)
    second = Math.imul(second ^ unit, 0x5f356495)
  }
  first = Math.imul(first ^ (first >>> 16), 0x85ebca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2ae35)
  second = Math.imul(second ^ (second >>> 16), 0x85ebca6b) ^ Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (first >>> 0).toString(36) + (second >>> 0).toString(36)
}
