// Checks proofs of possession as a strict server does (DPoP, RFC 9449 §4.3), around the fake authorization server.
import { recordOf } from '../../../src/base/json.ts'
import { readJwt } from '../../../src/protocol/claims.ts'
import type { Fetch } from '../../../src/protocol/servers/profile.ts'
import { base64Bytes } from '../../../src/protocol/challenge.ts'
import { hashText } from '../../../src/protocol/pkce.ts'
import { createBrowserPlatform } from '../../../src/session/platform/browserPlatform.ts'
import { requestOf } from '../../../src/testing/answers.ts'

/** The request that a proof is checked against. */
interface ExpectedProof {
  readonly method: string
  readonly url: string
  /** The clock of the server. */
  readonly nowMs: number
  /** The last nonce of the server, and the access token of the request. Default: none. */
  readonly nonce?: string | undefined
  readonly accessToken?: string | undefined
  /** Identifiers of earlier proofs: each counts once. */
  readonly seen: Set<string>
}

type CheckedProof =
  | { readonly thumbprint: string; readonly error?: undefined }
  | { readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce'; readonly why: string }

/** How far the clock of the client may be off. */
const TOLERANCE_MS = 10_000

const KEYS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
}

/** Checks form, signature, method, address, time, token, nonce, and that it comes for the first time. */
export async function checkProof(proof: string | null, expected: ExpectedProof): Promise<CheckedProof> {
  const { subtle } = createBrowserPlatform().crypto
  const refuse = (why: string): CheckedProof => ({ error: 'invalid_dpop_proof', why })
  const parts = proof?.split('.') ?? []
  const header = readJwt(proof ?? '', true)
  const claims = readJwt(proof ?? '')
  if (parts.length !== 3 || !header || !claims) return refuse('not one JWT')
  const { typ, alg, jwk } = header
  const { jti, htm, htu, iat, ath, nonce } = claims
  const { kty, crv, x, y, n, e, ...more } = recordOf(jwk)
  const key = new Map(Object.entries(KEYS)).get(String(alg))
  if (typ !== 'dpop+jwt' || !key) return refuse('typ or alg')
  if (Object.keys(more).length > 0) return refuse('more than a public key')
  const publicKey = await subtle!.importKey('jwk', recordOf(jwk), key, true, ['verify'])
  const text = new TextEncoder().encode(parts.slice(0, 2).join('.'))
  if (!(await subtle!.verify(key, publicKey, base64Bytes(parts[2]!), text))) return refuse('signature')
  const { origin, pathname } = new URL(expected.url)
  if (htm !== expected.method) return refuse(`htm ${String(htm)}`)
  if (htu !== origin + pathname) return refuse(`htu ${String(htu)}`)
  const offMs = Math.abs(Number(iat) * 1000 - expected.nowMs)
  if (!(offMs <= TOLERANCE_MS)) return refuse('iat')
  const hash = (value: string) => hashText(value, subtle!)
  const { accessToken } = expected
  if (ath !== (accessToken === undefined ? undefined : await hash(accessToken))) return refuse('ath')
  if (typeof jti !== 'string' || jti.length < 16 || expected.seen.has(jti)) return refuse('jti')
  expected.seen.add(jti)
  if (expected.nonce !== undefined && nonce !== expected.nonce)
    return { error: 'use_dpop_nonce', why: `nonce ${String(nonce)}` }
  return { thumbprint: await hash(JSON.stringify(alg === 'ES256' ? { crv, kty, x, y } : { e, kty, n })) }
}

/** The server behind `fetch`, which issues tokens only with a proof, and takes each with proofs of the same key alone. */
export function requireProofs(fetch: Fetch, now: () => number): Fetch {
  const keyOf = new Map<string, string>()
  const seen = new Set<string>()
  const refuse = (status: number, error: string) =>
    Response.json({ error }, { status, headers: { 'www-authenticate': `DPoP error="${error}"` } })
  const check = ({ method, url, headers }: Request, accessToken?: string) =>
    checkProof(headers.get('dpop'), { method, url, nowMs: now(), accessToken, seen })

  return async (input, init) => {
    const request = requestOf(input, init)
    const { pathname } = new URL(request.url)
    const [scheme, token = ''] = (request.headers.get('authorization') ?? '').split(' ')
    if (pathname === '/oauth/token') {
      const checked = await check(request)
      if (checked.error !== undefined) return refuse(400, checked.error)
      const { thumbprint } = checked
      const body = new URLSearchParams(await request.clone().text())
      const bound = keyOf.get(body.get('refresh_token') ?? '')
      if (bound !== undefined && bound !== thumbprint) return refuse(400, 'invalid_grant')
      const response = await fetch(request)
      const answer = recordOf(await response.json())
      for (const name of ['access_token', 'refresh_token']) keyOf.set(String(answer[name]), thumbprint)
      return Response.json(response.ok ? { ...answer, token_type: 'DPoP' } : answer, response)
    }
    if (keyOf.has(token)) {
      const checked = scheme === 'DPoP' ? await check(request, token) : undefined
      if (checked?.error !== undefined) return refuse(401, checked.error)
      if (checked?.thumbprint !== keyOf.get(token)) return refuse(401, 'invalid_token')
      request.headers.set('authorization', `Bearer ${token}`)
    }
    const response = await fetch(request)
    if (!pathname.startsWith('/.well-known/')) return response
    const metadata = recordOf(await response.json())
    return Response.json({ ...metadata, dpop_signing_alg_values_supported: Object.keys(KEYS) })
  }
}
