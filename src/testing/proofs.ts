// Checks proofs of possession as a strict server does (DPoP, RFC 9449 §4.3), for the fake authorization server.
import { parseJson, recordOf } from '../json.ts'
import { base64Url } from '../protocol/randomText.ts'
import { createBrowserPlatform } from '../session/platform/browserPlatform.ts'

/** What a proof is held against. */
export interface ExpectedProof {
  /** HTTP method, in capitals. */
  readonly method: string
  /** The URL of the request; query and fragment do not count. */
  readonly url: string
  /** The clock of the server, milliseconds. */
  readonly nowMs: number
  /** The nonce that the server gave last. Default: none is wanted. */
  readonly nonce?: string | undefined
  /** The access token of the request. Default: none. */
  readonly accessToken?: string | undefined
  /** How far the clock of the client may be off, milliseconds. Default 10 seconds. */
  readonly toleranceMs?: number | undefined
  /** Identifiers of the proofs so far: none may come twice. */
  readonly seen: Set<string>
}

/** A proof that was taken, or why it was refused. */
export type CheckedProof =
  | { readonly thumbprint: string; readonly error?: undefined }
  | { readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce'; readonly why: string }

const KEYS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
}

/** Checks form, signature, method, address, time, token, nonce, and that it comes for the first time. */
export async function checkProof(proof: string | null, expected: ExpectedProof): Promise<CheckedProof> {
  const { subtle, sha256 } = createBrowserPlatform().crypto
  const refuse = (why: string): CheckedProof => ({ error: 'invalid_dpop_proof', why })
  const parts = proof?.split('.') ?? []
  const [header, claims] = parts.map((part) => recordOf(parseJson(decode(part))))
  if (parts.length !== 3 || !header || !claims) return refuse('not one JWT')
  const { typ, alg, jwk } = header
  const { jti, htm, htu, iat, ath, nonce } = claims
  const { kty, crv, x, y, n, e, ...more } = recordOf(jwk)
  const key = new Map(Object.entries(KEYS)).get(String(alg))
  if (typ !== 'dpop+jwt' || !key) return refuse('typ or alg')
  if (Object.keys(more).length > 0) return refuse('more than a public key')
  const publicKey = await subtle!.importKey('jwk', recordOf(jwk), key, true, ['verify'])
  const text = new TextEncoder().encode(parts.slice(0, 2).join('.'))
  if (!(await subtle!.verify(key, publicKey, bytesOf(parts[2]!), text))) return refuse('signature')
  const { origin, pathname } = new URL(expected.url)
  if (htm !== expected.method) return refuse(`htm ${String(htm)}`)
  if (htu !== origin + pathname) return refuse(`htu ${String(htu)}`)
  const offMs = Math.abs(Number(iat) * 1000 - expected.nowMs)
  if (!(offMs <= (expected.toleranceMs ?? 10_000))) return refuse('iat')
  const hash = async (value: string) =>
    base64Url(new Uint8Array(await sha256!(new TextEncoder().encode(value))))
  const { accessToken } = expected
  if (ath !== (accessToken === undefined ? undefined : await hash(accessToken))) return refuse('ath')
  if (typeof jti !== 'string' || jti.length < 16 || expected.seen.has(jti)) return refuse('jti')
  expected.seen.add(jti)
  if (expected.nonce !== undefined && nonce !== expected.nonce)
    return { error: 'use_dpop_nonce', why: `nonce ${String(nonce)}` }
  return { thumbprint: await hash(JSON.stringify(alg === 'ES256' ? { crv, kty, x, y } : { e, kty, n })) }
}

const bytesOf = (part: string) =>
  Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )

const decode = (part: string): string => {
  try {
    return new TextDecoder().decode(bytesOf(part))
  } catch {
    return ''
  }
}
