// Validates the access token of a call, and the proof of its key: RFC 9068, RFC 6750, RFC 9449 §4.3 and §7.
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { isLoopback } from '../protocol/origin.ts'
import { ASYMMETRIC, createProofCheck } from './proofCheck.ts'
import { TokenRefused } from './tokenRefused.ts'

/** Requirements for a token. */
export interface TokenCheckOptions {
  /** The issuer of the tokens, exactly as `iss` has it. */
  issuer: string
  /** The name of this API: one of the token's audiences. */
  audience: string
  /** The URL of the issuer's public keys, or the keys themselves. Default: from the issuer's metadata. */
  keys?: string | JSONWebKeySet | undefined
  /** Accepted signature algorithms; asymmetric ones only. Default: RS, PS, ES with 256 to 512 bits, EdDSA, Ed25519. */
  algorithms?: readonly string[] | undefined
  /** `'required'` refuses tokens that are not bound to a key. Bound tokens always need a proof. Default 'auto'. */
  dpop?: 'auto' | 'required' | undefined
  /** The URL that the caller requested, if a proxy changes it: a proof contains it. Default: the request's own URL. */
  publicUrl?: ((request: Request) => string) | undefined
  /**
   * Stores a proof until this time, milliseconds since 1970, and returns whether it is new. Share the storage between several
   * processes. Default: in memory.
   */
  rememberProof?: ((id: string, untilMs: number) => boolean | Promise<boolean>) | undefined
  /** Tolerated clock difference, seconds. Default 10. */
  clockToleranceInSeconds?: number | undefined
}

/** A valid token. */
export interface CheckedToken {
  /** Id of the user: `userId`, or else `sub`. */
  readonly userId: string
  /** The granted scopes. */
  readonly scopes: readonly string[]
  /** All claims of the token. */
  readonly claims: Readonly<JWTPayload>
  /** Whether the token is bound to a key, and the caller has it. */
  readonly isBound: boolean
}

/** A request of Node's server, Express or Fastify. */
export interface NodeRequest {
  /** The method, in capitals. */
  readonly method?: string | undefined
  /** The path with its query. */
  readonly url?: string | undefined
  /** The whole path, if a router of Express has removed its beginning. */
  readonly originalUrl?: string | undefined
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Checks the token of a request. @throws TokenRefused */
export type TokenCheck = (request: Request | NodeRequest) => Promise<CheckedToken>

const PATIENCE_MS = 5_000
/** Longer tokens, which no known server issues, are refused unread. */
const LARGEST_TOKEN_LENGTH = 16_384

/**
 * Makes the check of an API's calls: issuer, audience, expiry, signature, and for a bound token the DPoP proof with method,
 * URL, token hash, age and one-time id. Needs the package `jose`.
 *
 * @throws TypeError for invalid options
 * @example
 * export const checkToken = createTokenCheck({ issuer: 'https://login.example.com', audience: 'invoices' })
 * const { userId } = await checkToken(request)
 */
export function createTokenCheck(options: TokenCheckOptions): TokenCheck {
  const { issuer, audience, dpop = 'auto', algorithms = ASYMMETRIC, clockToleranceInSeconds = 10 } = options
  if (!issuer || !audience) throw new TypeError('createTokenCheck needs issuer and audience')
  const unfit = algorithms.filter((name) => !ASYMMETRIC.includes(name))
  if (unfit.length > 0 || algorithms.length === 0)
    throw new TypeError(`algorithms must be of ${ASYMMETRIC.join(', ')}`)
  const checkProof = createProofCheck({ ...options, clockToleranceInSeconds })
  const findKeys = keySource(options)

  return async (given) => {
    const request = isRequest(given) ? given : requestOfNode(given)
    const { scheme, token } = readToken(request)
    const payload = await verify(token)
    const { cnf } = payload as { cnf?: { jkt?: unknown } }
    const jkt = cnf?.jkt
    // Bound to something else, such as a certificate, which cannot be checked here.
    if (cnf !== undefined && typeof jkt !== 'string')
      throw invalid('The token is bound in a way that is not known here')
    if (typeof jkt === 'string') {
      if (scheme !== 'DPoP') throw proofMissing('The token is bound to a key: send it with DPoP')
      await checkProof(request, token, jkt)
    } else if (scheme === 'DPoP' || dpop === 'required') throw proofMissing('The token is bound to no key')
    return readClaims(payload, typeof jkt === 'string')
  }

  async function verify(token: string): Promise<JWTPayload> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await findKeys(), {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: clockToleranceInSeconds,
        requiredClaims: ['exp', 'iss', 'aud'],
      })
      if (!isAccessToken(protectedHeader.typ, payload)) throw invalid('This is no access token')
      return payload
    } catch (error) {
      throw refusalOf(error)
    }
  }
}

/** The issuer also signs ID and logout tokens, with the same audience if that is the client id. */
function isAccessToken(type: string | undefined, payload: JWTPayload): boolean {
  const name = type?.toLowerCase().replace(/^application\//, '')
  // RFC 9068 §2.1: the type says so.
  if (name === 'at+jwt') return true
  if (name !== undefined && name !== 'jwt') return false
  const { nonce, at_hash, events, typ } = payload
  const isOther = [nonce, at_hash, events].some((claim) => claim !== undefined)
  // Keycloak writes the kind into a claim.
  return !isOther && !['ID', 'Logout', 'Refresh', 'Offline'].includes(String(typ))
}

function readClaims(payload: JWTPayload, isBound: boolean): CheckedToken {
  const { sub, userId = sub, scope, scp } = payload as JWTPayload & Record<string, unknown>
  if (!(typeof userId === 'string' && userId !== '') && typeof userId !== 'number')
    throw invalid('The token names no user')
  const granted = typeof scope === 'string' ? scope.split(' ') : scp
  const scopes = (
    Array.isArray(granted) ? granted : typeof granted === 'string' ? granted.split(' ') : []
  ).filter((one): one is string => typeof one === 'string' && one !== '')
  return Object.freeze({ userId: String(userId), scopes: Object.freeze(scopes), claims: payload, isBound })
}

const invalid = (message: string, cause?: unknown) => new TokenRefused('invalid-token', message, { cause })
const proofMissing = (message: string) => new TokenRefused('invalid-proof', message, { scheme: 'DPoP' })

/** Duck-typed: the request may come from another realm or a library. */
const isRequest = (given: Request | NodeRequest): given is Request =>
  typeof (given.headers as Headers).get === 'function'

/** Node does not know whether it came by https. Only a proof contains the URL: then use `publicUrl`. */
function requestOfNode({ method = 'GET', url = '/', originalUrl = url, headers }: NodeRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    // HTTP/2 adds names with a colon.
    value === undefined || name.startsWith(':') ? [] : [[name, [value].flat().join(', ')]],
  )
  const address = `http://${String(headers['host'])}${originalUrl}`
  return new Request(URL.canParse(address) ? address : new URL(originalUrl, 'http://localhost'), {
    method,
    headers: given,
  })
}

function readToken(request: Request): { scheme: 'Bearer' | 'DPoP'; token: string } {
  const header = request.headers.get('authorization')
  if (header === null) throw new TokenRefused('missing-token', 'There is no access token')
  // Two headers arrive as one, with a comma.
  const [, scheme = '', token = ''] = /^(bearer|dpop) +([\w.~+/-]+=*)$/i.exec(header) ?? []
  if (token === '' || token.length > LARGEST_TOKEN_LENGTH)
    throw invalid('The authorization header cannot be read')
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token }
}

/** Its message goes into a response header: latchkey's own text, never the token's. */
function refusalOf(error: unknown): TokenRefused {
  if (error instanceof TokenRefused) return error
  if (error instanceof errors.JWTExpired)
    return new TokenRefused('expired-token', 'The token has expired', { cause: codeOf(error) })
  if (error instanceof errors.JWTClaimValidationFailed)
    return invalid(
      `The token is not for this API: ${/^[\w.-]{1,40}$/.test(error.claim) ? error.claim : 'a claim'}`,
      codeOf(error),
    )
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalid('The signature algorithm is not allowed', codeOf(error))
  return error instanceof errors.JOSEError && !OF_THE_KEYS.includes(error.code)
    ? invalid('The token cannot be verified', codeOf(error))
    : new TokenRefused('unavailable', 'The keys of the issuer cannot be read')
}

/** jose's codes for keys that cannot be fetched or read. Its other errors are about the token. */
const OF_THE_KEYS = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JWK_INVALID']

/** An error of jose may contain the claims: only its code is passed on. */
const codeOf = (error: InstanceType<typeof errors.JOSEError>) => new Error(error.code)

/** The keys, fetched at the first call; jose caches them and fetches again if one is missing. */
function keySource({ issuer, keys }: TokenCheckOptions): () => Promise<JWTVerifyGetKey> {
  if (typeof keys === 'object') {
    const local = createLocalJWKSet(keys)
    return async () => local
  }
  let found: Promise<JWTVerifyGetKey> | undefined
  return () => {
    found ??= (keys === undefined ? discover(issuer) : Promise.resolve(keys))
      .then((address) => createRemoteJWKSet(secure(address), { timeoutDuration: PATIENCE_MS }))
      .catch((error: unknown) => {
        found = undefined
        throw error
      })
    return found
  }
}

async function discover(issuer: string): Promise<string> {
  const address = secure(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) })
  const metadata = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown }
  if (metadata.issuer !== issuer || typeof metadata.jwks_uri !== 'string')
    throw new TypeError('The metadata of the issuer names another issuer, or no keys')
  return metadata.jwks_uri
}

function secure(address: string): URL {
  const url = new URL(address)
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) throw new TypeError('Keys come by https only')
  return url
}
