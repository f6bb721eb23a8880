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

/** FNV-1a, 64 bits. Hashed, because user ids need not be stored; the input is no secret, so a fast synchronous hash is enough. */
export function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(36)
}
