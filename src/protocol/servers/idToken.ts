// Reads an ID token that came straight from the token endpoint, and refuses it by the book (OpenID Connect Core §3.1.3.7, §12.2).
import { LARGEST_TOKEN_LENGTH } from '../../constants.ts'
import { identityChanged } from '../../sessionErrors.ts'
import { readJwt } from '../claims.ts'
import { base64Url } from '../randomText.ts'
import { isIssuer, type Metadata, TENANT, tenantOf } from './metadata.ts'
import { clockSkew, invalidIdToken } from './oidcErrors.ts'
import type { ServerTime, TokenContext } from './oidcProfile.ts'

/** The claims of an ID token, as the provider wrote them. */
export type IdClaims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** What an ID token is held against. */
export interface IdTokenRules {
  readonly metadata: Metadata
  readonly clientId: string
  readonly tenants: readonly string[] | 'any' | undefined
}

/** The one moment at which an ID token is taken: after a sign-in, or after a refresh. */
export interface IdTokenUse {
  readonly accessToken: string
  /** What it must repeat; `undefined`: it must hold none. */
  readonly nonce: string | undefined
  /** The claims of the sign-in, after a refresh. */
  readonly before: IdClaims | undefined
  readonly time: ServerTime
  readonly sha256: TokenContext['sha256']
  readonly check?: TokenContext['check']
  readonly algorithms?: TokenContext['algorithms']
}

/** Clocks that are a little off are no reason to refuse. */
const TOLERANCE_SECONDS = 60
/** An ID token is this old at most when it comes; Entra ID makes them 5 minutes old. */
const LARGEST_AGE_SECONDS = 600
/** Where no clock can be trusted, the nonce proves that the token is new: a clock in the wrong time zone, or a day off, keeps nobody out. */
const LARGEST_SKEW_SECONDS = 26 * 60 * 60

/** The claims of an ID token, its form and the member that everything hangs on checked. @throws AuthError `invalid-id-token` */
export function decodeIdToken(token: unknown): IdClaims {
  const { claims } = decode(token)
  return claims
}

/** @throws AuthError `invalid-id-token`, `clock-skew`, `identity-changed` */
export async function readIdToken(token: unknown, rules: IdTokenRules, use: IdTokenUse): Promise<IdClaims> {
  const { check = () => {} } = use
  check('form')
  const { header, claims } = decode(token)
  check('signature algorithm')
  checkHeader(header, rules.metadata, use.algorithms)
  check('issuer')
  checkIssuer(claims, rules)
  check('audience')
  checkAudience(claims, rules)
  if (use.before) {
    check('same user')
    checkSameSignIn(claims, use.before)
  }
  check('nonce')
  const { nonce } = claims
  // After a refresh it should not be there; some servers repeat it.
  if (nonce !== use.nonce && !(use.before && nonce === undefined))
    throw invalidIdToken('not the nonce of this sign-in')
  check('time')
  checkTime(claims, use)
  const { at_hash } = claims
  if (at_hash !== undefined && use.sha256 && String(header['alg']).endsWith('256')) {
    check('access token hash')
    const hash = new Uint8Array(await use.sha256(new TextEncoder().encode(use.accessToken)))
    if (at_hash !== base64Url(hash.slice(0, hash.length / 2)))
      throw invalidIdToken('at_hash is not that of the access token')
  }
  return claims
}

function decode(token: unknown): { header: Record<string, unknown>; claims: IdClaims } {
  if (token === undefined || token === null)
    throw invalidIdToken('none came', 'Let the provider issue ID tokens to this client.')
  // The length first: decoding megabytes blocks the page for seconds.
  if (typeof token !== 'string' || token.length > LARGEST_TOKEN_LENGTH)
    throw invalidIdToken('larger than 64 kB', 'Put fewer claims into it.')
  const parts = token.split('.')
  if (parts.length === 5) throw invalidIdToken('encrypted', 'Switch encryption off for this client.')
  const [header, claims] = [readJwt(token, true), readJwt(token)]
  if (parts.length !== 3 || !header || !claims) throw invalidIdToken('not three parts of JSON')
  const { sub } = claims
  if (typeof sub !== 'string' || sub === '' || /\p{Surrogate}/u.test(sub)) throw invalidIdToken('no sub')
  return { header, claims: claims as IdClaims }
}

function checkHeader(
  { alg, crit }: Record<string, unknown>,
  metadata: Metadata,
  algorithms = metadata.id_token_signing_alg_values_supported ?? ['RS256'],
): void {
  if (crit !== undefined) throw invalidIdToken('crit in the header', 'Use no extensions of JWS.')
  if (typeof alg !== 'string' || /^none$/i.test(alg))
    throw invalidIdToken('not signed', 'Give the provider a signing key.')
  if (/^HS/i.test(alg))
    throw invalidIdToken(
      `signed with a secret (${alg})`,
      'Give the provider a signing key: RS256, ES256 or the like.',
    )
  if (!algorithms.includes(alg))
    throw invalidIdToken(
      `alg ${JSON.stringify(alg.slice(0, 20))} is not in the metadata`,
      'Name it in id_token_signing_alg_values_supported.',
    )
}

function checkIssuer({ iss, tid }: IdClaims, { metadata, tenants }: IdTokenRules): void {
  if (!isIssuer(iss, metadata, tenants)) {
    const isTenant = tenants && typeof iss === 'string' && tenantOf(iss, metadata.issuer)
    throw isTenant
      ? invalidIdToken('another tenant', 'Add it to tenants.')
      : invalidIdToken('another iss than that of the metadata')
  }
  if (tenants && metadata.issuer.replace(TENANT, String(tid)) !== iss)
    throw invalidIdToken('tid is not the tenant of iss')
}

function checkAudience({ aud, azp }: IdClaims, { clientId }: IdTokenRules): void {
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (!audiences.includes(clientId))
    throw invalidIdToken('for another client (aud)', 'Compare clientId with its registration.')
  if (azp === undefined ? audiences.length > 1 : azp !== clientId)
    throw invalidIdToken('not issued to this client (azp)')
}

function checkSameSignIn(claims: IdClaims, before: IdClaims): void {
  if (claims.sub !== before.sub) throw identityChanged()
  if (claims['iss'] !== before['iss']) throw invalidIdToken('another iss than at sign-in')
  if (before['azp'] !== undefined && claims['azp'] !== before['azp'])
    throw invalidIdToken('another azp than at sign-in')
}

function checkTime(
  { exp, iat, nbf = 0 }: Readonly<Record<string, unknown>>,
  { time, before }: IdTokenUse,
): void {
  if (![exp, iat, nbf].every(Number.isFinite)) throw invalidIdToken('exp and iat are no numbers')
  const [end, start, from] = [exp, iat, nbf] as [number, number, number]
  if (end <= start) throw invalidIdToken('exp before iat')
  const isBlind = time.source === 'none'
  const tolerance = isBlind ? LARGEST_SKEW_SECONDS : TOLERANCE_SECONDS
  const age = isBlind ? LARGEST_SKEW_SECONDS : LARGEST_AGE_SECONDS
  const now = time.nowMs / 1000
  const isOfNow =
    end + tolerance > now &&
    from - tolerance <= now &&
    // What a refresh brings may be the token of the sign-in once more.
    (before !== undefined || Math.abs(now - start) <= age)
  if (!isOfNow)
    throw time.source === 'device'
      ? clockSkew()
      : invalidIdToken('too old, or not valid yet', 'Set the clocks.')
}
