// Validates an ID token that came straight from the token endpoint (OpenID Connect Core §3.1.3.7, §12.2).
import { LARGEST_TOKEN_LENGTH } from '../../base/constants.ts'
import { identityChanged } from '../../base/sessionErrors.ts'
import { given } from '../../base/json.ts'
import { readJwt } from '../claims.ts'
import { base64Url, type CryptoPort } from '../pkce.ts'
import { isIssuer, type Metadata, TENANT, tenantOf } from './metadata.ts'
import { clockSkew, invalidIdToken } from './oidcErrors.ts'
import type { KnownProvider } from './oidcOptions.ts'

/** The claims of an ID token, as the provider wrote them. */
export type IdClaims = Readonly<Record<string, unknown>> & { readonly sub: string }

export interface ServerTime {
  readonly nowMs: number
  /** The device's clock, the app's own origin (header `Date`), or `none`: the device's clock, which may be wrong. */
  readonly source: 'device' | 'origin' | 'none'
}

export interface IdTokenContext {
  /** The time that the ID token is compared with. */
  readonly time: ServerTime
  readonly subtle: CryptoPort['subtle']
}

/** How far two clocks may differ. */
const TOLERANCE_SECONDS = 60
/** For a new ID token. Entra ID dates them back by 5 minutes. */
const LARGEST_AGE_SECONDS = 600
/** Without a reliable clock, the nonce proves that the token is new. Tolerates a wrong time zone, or a clock that is a day off. */
const LARGEST_SKEW_SECONDS = 26 * 60 * 60

const NO_PARTS = 'not three parts of JSON'

/** The hash of a signature algorithm: `at_hash` is half of it (OpenID Connect Core §3.1.3.6). */
const HASH_BITS = /(256|384|512)$/

/**
 * @param expected without a nonce, the token must have none; `before`: at a refresh, the claims of the former ID token
 * @throws AuthError `invalid-id-token`, `clock-skew`, `identity-changed`
 */
export async function readIdToken(
  token: unknown,
  provider: KnownProvider,
  expected: { accessToken: string; nonce: string | undefined; before: IdClaims | undefined },
  { time, subtle }: IdTokenContext,
): Promise<IdClaims> {
  const { accessToken, nonce, before } = expected
  const claims = decodeIdToken(token)
  const header = readJwt(token as string, true)
  if (!header) throw invalidIdToken(NO_PARTS)
  await checkHeader(header, provider)
  checkIssuer(claims, provider)
  checkAudience(claims, provider)
  if (before) checkSameSignIn(claims, before)
  const [found, hashGiven] = [given(claims['nonce']), given(claims['at_hash'])]
  // After a refresh it should be absent, but some servers repeat it.
  if (found !== nonce && !(before && found === undefined))
    throw invalidIdToken('not the nonce of this sign-in')
  checkTime(claims, time, before === undefined)
  // Ed25519 hashes with SHA-512.
  const bits = HASH_BITS.exec((header['alg'] as string).replace('EdDSA', '512'))?.[0]
  if (hashGiven !== undefined && bits) {
    const hash = new Uint8Array(await subtle!.digest(`SHA-${bits}`, new TextEncoder().encode(accessToken)))
    if (hashGiven !== base64Url(hash.slice(0, hash.length / 2)))
      throw invalidIdToken('at_hash is not that of the access token')
  }
  return claims
}

/** Decodes an ID token and checks its form and `sub` only. @throws AuthError `invalid-id-token` */
export function decodeIdToken(token: unknown): IdClaims {
  if (given(token) === undefined) throw invalidIdToken('none came')
  // Check the length first: decoding megabytes blocks the page for seconds.
  if (typeof token !== 'string' || token.length > LARGEST_TOKEN_LENGTH)
    throw invalidIdToken('larger than 64 kB')
  const parts = token.split('.')
  if (parts.length === 5) throw invalidIdToken('encrypted')
  const claims = readJwt(token)
  if (parts.length !== 3 || !claims) throw invalidIdToken(NO_PARTS)
  const { sub } = claims
  if (typeof sub !== 'string' || sub === '' || /\p{Surrogate}/u.test(sub))
    throw invalidIdToken('sub is no text')
  return claims as IdClaims
}

async function checkHeader(
  { alg, crit }: Record<string, unknown>,
  { metadata, isKnownByNow }: KnownProvider,
): Promise<void> {
  if (crit !== undefined) throw invalidIdToken('crit in the header')
  if (typeof alg !== 'string' || /^none$/i.test(alg)) throw invalidIdToken('not signed')
  if (/^HS/i.test(alg)) throw invalidIdToken(`signed with a secret (${alg})`)
  const isKnown = ({ id_token_signing_alg_values_supported: algorithms = ['RS256'] }: Metadata) =>
    algorithms.includes(alg)
  if (!isKnown(metadata) && !(await isKnownByNow?.(isKnown).catch(() => false)))
    throw invalidIdToken(`alg ${JSON.stringify(alg.slice(0, 20))} is not in the metadata`)
}

function checkIssuer({ iss, tid }: IdClaims, { metadata, settings: { tenants } }: KnownProvider): void {
  if (!isIssuer(iss, metadata, tenants)) {
    const isTenant = tenants && typeof iss === 'string' && tenantOf(iss, metadata.issuer)
    throw invalidIdToken(isTenant ? 'another tenant' : 'another iss than that of the metadata')
  }
  if (tenants && metadata.issuer.replace(TENANT, String(tid)) !== iss)
    throw invalidIdToken('tid is not the tenant of iss')
}

function checkAudience({ aud, azp }: IdClaims, { client, settings }: KnownProvider): void {
  const { clientId } = client
  const { trustedAudiences = [] } = settings
  const audiences: unknown[] = [aud].flat()
  if (!audiences.includes(clientId)) throw invalidIdToken('for another client (aud)')
  if ((given(azp) ?? clientId) !== clientId) throw invalidIdToken('not issued to this client (azp)')
  const isTrusted = (one: unknown) => [clientId, ...trustedAudiences].includes(one as string)
  if (given(azp) === undefined && !audiences.every(isTrusted))
    throw invalidIdToken('further audiences and no azp')
}

function checkSameSignIn(claims: IdClaims, before: IdClaims): void {
  if (claims.sub !== before.sub) throw identityChanged()
  if (claims['iss'] !== before['iss']) throw invalidIdToken('another iss than at sign-in')
  if (given(before['azp']) !== undefined && claims['azp'] !== before['azp'])
    throw invalidIdToken('another azp than at sign-in')
}

function checkTime({ exp, iat, nbf }: IdClaims, time: ServerTime, isSignIn: boolean): void {
  const times = [exp, iat, given(nbf) ?? 0] as [number, number, number]
  if (!times.every(Number.isFinite)) throw invalidIdToken('exp and iat are no numbers')
  const [end, start, from] = times
  if (end <= start) throw invalidIdToken('exp before iat')
  const [tolerance, age] =
    time.source === 'none'
      ? [LARGEST_SKEW_SECONDS, LARGEST_SKEW_SECONDS]
      : [TOLERANCE_SECONDS, LARGEST_AGE_SECONDS]
  const now = time.nowMs / 1000
  const isOfNow =
    end + tolerance > now &&
    from - tolerance <= now &&
    // A refresh may return the ID token of the sign-in again.
    (!isSignIn || Math.abs(now - start) <= age)
  if (!isOfNow) throw time.source === 'device' ? clockSkew() : invalidIdToken('too old, or not valid yet')
}
