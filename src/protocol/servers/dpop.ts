// Binds tokens to a key of this page: each request proves that the page has the key (DPoP, RFC 9449). Loads only with the option `dpop`.
import { LARGEST_REFUSAL_BYTES } from '../../base/constants.ts'
import { fault } from '../../base/errors.ts'
import { parseJson, readBody, recordOf } from '../../base/json.ts'
import { invalidGrant, notSupported } from '../../base/sessionErrors.ts'
import { base64Url, hashText } from '../pkce.ts'
import type { Attempt } from '../signIn.ts'
import type { Metadata } from './metadata.ts'
import type { ServerTime } from './idToken.ts'
import type { OidcTokens } from './oidcTokens.ts'
import type { Credentials, Memory } from '../credentials.ts'
import type { ServerPorts, WireRequest } from './profile.ts'

type ProofPorts = ServerPorts & { askTime(): Promise<ServerTime> }

const ALGORITHMS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
}

/** The header `Date` has whole seconds. */
const SMALLEST_SKEW_MS = 2_000
/** Characters of a challenge that are read. */
const LONGEST_CHALLENGE = 2_000
/** Without an error, the API has recognised no token in the request (RFC 6750 §3). */
const BEARER_ALONE = /^bearer(?!.*(?:dpop|error))/i
const WRONG_PROOF = 'invalid_dpop_proof'
/** `use_dpop_nonce`. Auth0 has a further error for an old nonce. */
const NONCE_ERROR = /_dpop_nonce$/

interface ProofKey {
  readonly pair: CryptoKeyPair
  /** The public key, part of each proof. */
  readonly jwk: object
  readonly thumbprint: string
}

/**
 * Adds a proof to the requests of the token endpoint. Each sign-in makes a key, which cannot be exported and lives as long as
 * the `Memory` of the sign-in. A silent check uses the key of the current session.
 *
 * @throws AuthError `not-supported` when the metadata lists no usable algorithm and `mode` is `required`
 */
export function bindToKey(
  tokens: OidcTokens,
  { dpop_signing_alg_values_supported: listed = [] }: Metadata,
  mode: 'auto' | 'required',
  ports: ProofPorts,
): OidcTokens {
  const alg = (['ES256', 'RS256'] as const).find((name) => listed.includes(name))
  if (!alg) {
    if (mode === 'auto') return tokens
    throw notSupported('DPoP', "The metadata has no ES256: set dpop: 'auto'.")
  }
  const { createKey, readKey, send } = createSender(alg, ports)
  /** By the attempt during a sign-in, then by its memory. */
  const keys = new WeakMap<Attempt | Memory, ProofKey | Promise<ProofKey>>()
  const keyOf = (of: Credentials | undefined) => of && (keys.get(of.memory) as ProofKey | undefined)
  /** The key of the current access token, if it is bound. */
  const boundKey = () => {
    const current = ports.current()
    return current?.memory.binding?.startsWith('dpop ') ? keyOf(current) : undefined
  }
  const withProof = (request: WireRequest, key: ProofKey | Promise<ProofKey>): WireRequest => ({
    ...request,
    networkRemedy: `${request.networkRemedy} Allow the header DPoP.`,
    fetch: async (input, init = {}) => send(input, init, await key),
  })
  return {
    ...tokens,
    codeRequest(code, attempt, beside) {
      // A refresh token that stays is bound to this key.
      const key = keyOf(beside) ?? createKey()
      keys.set(attempt, key)
      return withProof(tokens.codeRequest(code, attempt), key)
    },
    refreshRequest(current, resource) {
      const key = keyOf(current)
      if (!key) throw invalidGrant()
      const request = tokens.refreshRequest(current, resource)
      return request && withProof(request, key)
    },
    async readTokens(answer, context) {
      const { current, attempt } = context
      const key = (await keys.get(current?.memory ?? attempt!))!
      const given = recordOf(answer)
      const type = String(given['token_type']).toLowerCase()
      if (mode === 'required' && type === 'bearer') throw notBound()
      const readable = type === 'dpop' ? { ...given, token_type: 'Bearer' } : answer
      const granted = await tokens.readTokens(readable, context)
      // A token for a resource does not change the binding of the session's own token.
      const own = context.forResource && current?.memory.binding
      const memory = { ...granted.memory, binding: own ?? `${type} ${key.thumbprint}` }
      keys.set(memory, key)
      return { ...granted, memory }
    },
    tokenError(refusal) {
      const { error } = recordOf(refusal.body)
      // Keycloak refuses a proof with `invalid_request`, and names it in the description only.
      if (!/dpop/i.test(JSON.stringify(refusal.body))) return tokens.tokenError(refusal)
      // The proof was refused, not the refresh token: the session stays.
      const message = `The provider refused DPoP: ${String(error)}`
      const cause = refused(message, "Set the device's clock.", refusal.body)
      // The refresh token is bound to another key, and no repeat changes that.
      return refusal.isRefresh && error === WRONG_PROOF ? invalidGrant(cause) : cause
    },
    binding: {
      async fetch(input, init = {}) {
        const key = boundKey()
        const headers = new Headers(init.headers)
        const token = headers.get('authorization')?.slice('Bearer '.length)
        if (!key || !token) return ports.fetch(input, init)
        headers.set('authorization', `DPoP ${token}`)
        return send(input, { ...init, headers }, key, token)
      },
      isBound: () => boundKey() !== undefined,
      keyOf: (credentials) => keyOf(credentials)?.pair,
      async takeKey(memory, pair) {
        const key = await readKey(pair as CryptoKeyPair)
        const [type, thumbprint] = memory.binding?.split(' ') ?? []
        if (thumbprint !== key.thumbprint || (mode === 'required' && type !== 'dpop')) throw notBound()
        keys.set(memory, key)
      },
    },
  }
}

/** Remembers the nonce of each origin, and the error of the device's clock. */
function createSender(alg: keyof typeof ALGORITHMS, ports: ProofPorts) {
  const { crypto } = ports
  const subtle = crypto.subtle!
  const algorithm = ALGORITHMS[alg]
  /** By origin. */
  const nonces = new Map<string, string>()
  const warned = new Set<string>()
  const warnOnce = (words: string) => {
    if (!warned.has(words)) ports.warn(words)
    warned.add(words)
    return words
  }
  let clockOffsetMs = 0

  /** @throws for anything but a key pair that cannot be exported */
  const readKey = async (pair: CryptoKeyPair): Promise<ProofKey> => {
    const { crv, e, kty, n, x, y } = await subtle.exportKey('jwk', pair.publicKey)
    if (pair.privateKey.extractable) throw notBound()
    // In the order of the thumbprint (RFC 7638). Each algorithm has some of these members.
    const jwk = { crv, e, kty, n, x, y }
    return { pair, jwk, thumbprint: await hashText(JSON.stringify(jwk), subtle) }
  }
  const sign = async ({ pair, jwk }: ProofKey, claims: object) => {
    const text = [{ typ: 'dpop+jwt', alg, jwk }, claims]
      .map((part) => base64Url(bytes(JSON.stringify(part))))
      .join('.')
    return `${text}.${base64Url(new Uint8Array(await subtle.sign(algorithm, pair.privateKey, bytes(text))))}`
  }
  /** Returns whether the clock has been corrected since the last proof. */
  const correctClock = async (before: number) => {
    const { nowMs, source } = await ports.askTime()
    if (source === 'origin') clockOffsetMs = nowMs - ports.now()
    if (Math.abs(clockOffsetMs - before) < SMALLEST_SKEW_MS) return false
    ports.record('tokens', 'done', 'clock corrected')
    return true
  }
  /** The error of the DPoP challenge. There may be challenges of other schemes. @throws AuthError `client-refused` where there are only those */
  const challengeError = ({ status, headers }: Response, isNew: boolean, origin: string) => {
    if (status !== 401) return ''
    const challenge = (headers.get('www-authenticate') ?? '').slice(0, LONGEST_CHALLENGE)
    if (BEARER_ALONE.test(challenge)) throw refused(warnOnce(`${origin} takes no DPoP`))
    if (challenge) return /\bDPoP\s.*?\berror="?(\w+)/i.exec(challenge)?.[1] ?? ''
    // CORS hides the challenge, but a new nonce means that the server wants it.
    if (isNew) return 'use_dpop_nonce'
    if (!ports.address().startsWith(`${origin}/`))
      warnOnce(`${origin} refused DPoP: expose WWW-Authenticate and DPoP-Nonce`)
    return ''
  }

  return {
    readKey,
    createKey: async () => readKey(await subtle.generateKey(algorithm, false, ['sign', 'verify'])),
    /** Sends a request with a new proof, and again if the server refused the nonce or the time of the proof. */
    async send(input: RequestInfo | URL, init: RequestInit, key: ProofKey, token?: string) {
      const copy = () => (input instanceof Request ? input.clone() : input)
      // `Request` normalises the method as the browser will send it.
      const { url, method } = new Request(copy(), { method: init.method! })
      const { origin, pathname } = new URL(url)
      const attempt = async () => {
        const used = nonces.get(origin)
        const headers = new Headers(init.headers)
        const proof = {
          jti: base64Url(crypto.randomBytes!(16)),
          htm: method,
          htu: origin + pathname,
          iat: Math.floor((ports.now() + clockOffsetMs) / 1000),
          nonce: used,
          ath: token && (await hashText(token, subtle)),
        }
        headers.set('dpop', await sign(key, proof))
        const response = await ports.fetch(copy(), { ...init, headers })
        const nonce = response.headers.get('dpop-nonce')
        if (nonce) nonces.set(origin, nonce)
        const isNew = nonce !== null && nonce !== used
        const error = await (token ? challengeError(response, isNew, origin) : bodyError(response))
        return { response, nonce, isNew, error }
      }
      const before = clockOffsetMs
      const { response, nonce, isNew, error } = await attempt()
      const wantsNonce = NONCE_ERROR.test(error)
      if (wantsNonce && !nonce)
        throw refused(`${origin} wants a nonce, which CORS hides`, 'Expose DPoP-Nonce.')
      // Not every token endpoint names the proof in its error. After a 401 of an API, a renewal follows.
      const isDoubtful = error === WRONG_PROOF || (!token && [400, 401].includes(response.status))
      const isMended = wantsNonce ? isNew : isDoubtful && (await correctClock(before))
      if (!isMended || init.body instanceof ReadableStream) return response
      const last = await attempt()
      // Undo a correction of the clock that did not help.
      if (last.error === WRONG_PROOF) clockOffsetMs = before
      return last.response
    },
  }
}

const bytes = (text: string) => new TextEncoder().encode(text)

const bodyError = async (response: Response) =>
  response.ok
    ? ''
    : String(recordOf(parseJson((await readBody(response.clone(), LARGEST_REFUSAL_BYTES)).text))['error'])

const refused = (message: string, remedy = 'Switch DPoP on there.', body?: unknown) =>
  fault('client-refused', message, remedy, { body })

const notBound = () => refused('The access token is not bound')
