// Maps the claims of an ID token to the user that the app sees.
import { given } from '../../base/json.ts'
import { addAppClaims, claimsThrew, invalidClaims } from '../appClaims.ts'
import { type Claims, type Id, readJwt, type TokenClaims } from '../claims.ts'
import type { IdClaims } from './idToken.ts'
import { tenantOf } from './metadata.ts'
import type { KnownProvider, MappedUser } from './oidcOptions.ts'

const IDS = ['userId', 'firmId', 'sessionId', 'impersonatorId'] as const

/** @throws AuthError `invalid-claims` */
export function userOf(
  idClaims: IdClaims,
  accessToken: string,
  { client, metadata, settings: { claims: map = mapByStandard, tenants } }: KnownProvider,
): Claims {
  const { claims: read } = client
  // Some access tokens are JWTs. Decoded only for the app's own functions.
  const accessClaims = map !== mapByStandard || read ? readJwt(accessToken) : undefined
  let mapped: MappedUser
  try {
    const own = { ...map(idClaims, accessClaims) }
    if (map !== mapByStandard) for (const name of IDS) assertId(name, own[name])
    // By default: without it, an administrator who acts as a user would count as that user.
    mapped = { impersonatorId: mapByStandard(idClaims).impersonatorId, ...own }
  } catch (error) {
    throw claimsThrew(error)
  }
  const tenant = tenants && tenantOf(String(idClaims['iss']), metadata.issuer)
  const user: Record<string, unknown> = { firmId: tenant, ...mapped, aud: client.clientId }
  for (const name of IDS) user[name] = readId(name, user[name])
  // Also 0, as some servers write it.
  user['impersonatorId'] ||= undefined
  if (user['userId'] === undefined) throw invalidClaims('there is no userId')
  const claims = Object.freeze(user) as unknown as Claims
  return read ? addAppClaims(claims, () => read(idClaims, accessClaims)) : claims
}

const mapByStandard = ({ sub, sid, act }: TokenClaims): MappedUser => ({
  userId: sub as Id,
  sessionId: sid as Id | undefined,
  // Strings have a method `sub`.
  impersonatorId: typeof act === 'object' ? (Object(act) as { sub?: Id }).sub : undefined,
})

/** A mapping may turn a missing claim into a string, such as 'undefined' for every user. */
function assertId(name: string, value: unknown): void {
  if (typeof value !== 'string' || !/^(\s*|undefined|null|NaN|\[object \w+\])$/.test(value)) return
  throw new TypeError(
    `${name} is ${value.trim() === '' ? 'an empty text' : `the text '${value}'`}: the claim it is read from is missing. Return undefined where there is none`,
  )
}

/** Refuses an unsafe integer: it may have been rounded to another user's id. */
function readId(name: string, value: unknown): Id | undefined {
  if (given(value) === undefined) return undefined
  if (Number.isSafeInteger(value) || (typeof value === 'string' && !/\p{Surrogate}/u.test(value)))
    return value as Id
  throw invalidClaims(`${name} is neither a text nor a safe integer`)
}
