// The check of an API's calls: what counts, what is refused and why, and that no refusal holds a token.
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, calculateJwkThumbprint, type JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { listenOnLoopback, type Listening } from '../../../demo/authServer/listen.ts'
import { createTokenCheck, guard, TokenRefused, type TokenCheckOptions } from '../../../src/server/index.ts'

const pair = await generateKeyPair('ES256', { extractable: true })
const other = await generateKeyPair('ES256', { extractable: true })
const client = await generateKeyPair('ES256', { extractable: true })
const publicKey = async (key: CryptoKey): Promise<JWK> => exportJWK(key)
const keys = { keys: [{ ...(await publicKey(pair.publicKey)), alg: 'ES256', kid: 'k1' }] }
const clientKey = await publicKey(client.publicKey)
const jkt = await calculateJwkThumbprint(clientKey)

const ISSUER = 'https://login.example.com'
const URL_OF_API = 'https://api.example.com/invoices?page=2'
const seconds = () => Math.floor(Date.now() / 1000)

/** `undefined` leaves a claim out. */
type Claims = Record<string, unknown>

async function sign(
  claims: Claims = {},
  { key = pair.privateKey, alg = 'ES256', typ = undefined as string | undefined } = {},
): Promise<string> {
  const all = {
    iss: ISSUER,
    aud: 'invoices',
    sub: 'bob',
    exp: seconds() + 60,
    scope: 'read write',
    ...claims,
  }
  return new SignJWT(all).setProtectedHeader({ alg, kid: 'k1', ...(typ && { typ }) }).sign(key)
}
const call = (headers: Record<string, string>, method = 'GET') => new Request(URL_OF_API, { method, headers })
const bearer = (token: string) => call({ authorization: `Bearer ${token}` })
const check = (request: Request, options: Partial<TokenCheckOptions> = {}) =>
  createTokenCheck({ issuer: ISSUER, audience: 'invoices', keys, ...options })(request)

async function refusal(work: Promise<unknown>): Promise<TokenRefused> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(TokenRefused)
  return error as TokenRefused
}

describe('a request of Node’s own server', () => {
  it('is checked as it comes, with its proof too', async () => {
    const checkToken = createTokenCheck({ issuer: ISSUER, audience: 'invoices', keys })
    const token = await sign()
    const seen: unknown[] = []
    const server = createServer((request, response) => {
      checkToken(request)
        .then(
          ({ userId }) => void seen.push(userId),
          (error: unknown) => void seen.push((error as TokenRefused).code),
        )
        .finally(() => response.end())
    })
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    try {
      await fetch(`http://127.0.0.1:${port}/invoices`, { headers: { authorization: `Bearer ${token}` } })
      await fetch(`http://127.0.0.1:${port}/invoices`)
      expect(seen).toEqual(['bob', 'missing-token'])
    } finally {
      server.close()
    }
  })

  it('of Express has its whole address, below a router too; a host that is none does no harm', async () => {
    const seen: string[] = []
    const publicUrl = ({ url }: Request) => {
      seen.push(url)
      return url
    }
    const token = await sign({ cnf: { jkt } })
    for (const host of ['api.example.com', 'a b'])
      await refusal(
        createTokenCheck({ issuer: ISSUER, audience: 'invoices', keys, publicUrl })({
          method: 'GET',
          url: '/invoices',
          originalUrl: '/api/invoices?page=2',
          headers: { host, authorization: `DPoP ${token}`, dpop: 'e30.e30.e30' },
        }),
      )
    expect(seen.every((url) => url.endsWith('/api/invoices?page=2'))).toBe(true)
  })
})

describe('a bearer token', () => {
  it('counts with issuer, audience, expiry and signature', async () => {
    expect(await check(bearer(await sign()))).toMatchObject({
      userId: 'bob',
      scopes: ['read', 'write'],
      isBound: false,
    })
    expect(
      await check(bearer(await sign({ userId: 7, aud: ['x', 'invoices'], scope: undefined, scp: ['a'] }))),
    ).toMatchObject({ userId: '7', scopes: ['a'] })
  })

  // RFC 9068 §2.1; `JWT` where a server knows no types; Keycloak has its own in a claim.
  it.each(['at+jwt', 'application/at+jwt', 'AT+JWT', 'JWT'])('counts with the type %s', async (typ) => {
    expect(await check(bearer(await sign({ typ: 'Bearer' }, { typ })))).toMatchObject({ userId: 'bob' })
  })

  it.each<[string, () => Promise<string>, string]>([
    ['of another issuer', () => sign({ iss: 'https://evil.example.com' }), 'invalid-token'],
    ['for another API', () => sign({ aud: 'payroll' }), 'invalid-token'],
    ['without an audience', () => sign({ aud: undefined }), 'invalid-token'],
    ['that has expired', () => sign({ exp: seconds() - 60 }), 'expired-token'],
    ['without an expiry', () => sign({ exp: undefined }), 'invalid-token'],
    ['that is not valid yet', () => sign({ nbf: seconds() + 60 }), 'invalid-token'],
    ['without a user', () => sign({ sub: undefined }), 'invalid-token'],
    ['with the signature of another key', () => sign({}, { key: other.privateKey }), 'invalid-token'],
    [
      'with a changed payload',
      async () => (await sign()).replace(/\.[^.]+\./, `.${btoa('{"sub":"alice"}').replaceAll('=', '')}.`),
      'invalid-token',
    ],
    [
      'without a signature',
      async () => `${btoa('{"alg":"none"}').replaceAll('=', '')}.${(await sign()).split('.')[1]}.`,
      'invalid-token',
    ],
    [
      'signed with a shared secret',
      async () =>
        new SignJWT({ iss: ISSUER, aud: 'invoices', exp: seconds() + 60 })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(JSON.stringify(keys))),
      'invalid-token',
    ],
    ['that is none', async () => 'abc', 'invalid-token'],
    ['that is longer than any', async () => 'a'.repeat(20_000), 'invalid-token'],
    ['that is an ID token: it has a nonce', () => sign({ nonce: 'n' }), 'invalid-token'],
    ['that is an ID token: it has at_hash', () => sign({ at_hash: 'h' }), 'invalid-token'],
    ['that is an ID token, by its claim', () => sign({ typ: 'ID' }), 'invalid-token'],
    ['that is a logout token', () => sign({}, { typ: 'logout+jwt' }), 'invalid-token'],
    ['of another type', () => sign({}, { typ: 'application/secevent+jwt' }), 'invalid-token'],
    ['that is an ID token, bound to a key', () => sign({ nonce: 'n', cnf: { jkt } }), 'invalid-token'],
    ['bound to a certificate', () => sign({ cnf: { 'x5t#S256': 'x' } }), 'invalid-token'],
    ['bound to a key, sent without a proof', () => sign({ cnf: { jkt } }), 'invalid-proof'],
  ])('%s is refused, and the refusal holds nothing of it', async (_, make, code) => {
    const token = await make()
    const error = await refusal(check(bearer(token)))
    expect(error.code).toBe(code)
    const said = `${error.message} ${JSON.stringify(error.cause ?? '')} ${String(error.cause)} ${error.response().headers.get('www-authenticate')}`
    for (const part of token.split('.').filter((one) => one.length > 8)) expect(said).not.toContain(part)
    expect(said).not.toContain('evil.example.com')
  })

  it.each([
    ['no header', {}, 'missing-token'],
    ['another scheme', { authorization: 'Basic abc' }, 'invalid-token'],
    ['two tokens', { authorization: 'Bearer a, Bearer b' }, 'invalid-token'],
    ['no token', { authorization: 'Bearer ' }, 'invalid-token'],
  ])('%s', async (_, headers, code) => {
    expect((await refusal(check(call(headers)))).code).toBe(code)
  })

  it('counts by an algorithm of the list only, and the list takes no shared secrets', async () => {
    expect((await refusal(check(bearer(await sign()), { algorithms: ['RS256'] }))).message).toBe(
      'The signature algorithm is not allowed',
    )
    for (const algorithms of [['HS256'], ['none'], []])
      expect(() => createTokenCheck({ issuer: ISSUER, audience: 'a', algorithms })).toThrow(TypeError)
    expect(() => createTokenCheck({ issuer: '', audience: 'a' })).toThrow(TypeError)
  })

  it('that is bound to no key is refused where keys are required', async () => {
    expect(
      (await refusal(check(bearer(await sign()), { dpop: 'required' })))
        .response()
        .headers.get('www-authenticate'),
    ).toMatch(/^DPoP error="invalid_dpop_proof"/)
  })
})

describe('a token that is bound to a key', () => {
  const hash = async (token: string) =>
    Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))).toString('base64url')
  async function prove(
    token: string,
    claims: Claims = {},
    { key = client.privateKey, jwk = clientKey, typ = 'dpop+jwt' } = {},
  ) {
    const all = {
      htm: 'GET',
      htu: 'https://api.example.com/invoices',
      iat: seconds(),
      jti: crypto.randomUUID(),
      ath: await hash(token),
      ...claims,
    }
    return new SignJWT(all).setProtectedHeader({ alg: 'ES256', typ, jwk }).sign(key)
  }
  const bound = () => sign({ cnf: { jkt } })
  const proven = (token: string, dpop: string, method = 'GET') =>
    call({ authorization: `DPoP ${token}`, dpop }, method)

  it('counts with a proof for this request', async () => {
    const token = await bound()
    expect(await check(proven(token, await prove(token)))).toMatchObject({ userId: 'bob', isBound: true })
  })

  it.each<[string, (token: string) => Promise<string>]>([
    [
      'of another key',
      async (token) => prove(token, {}, { key: other.privateKey, jwk: await publicKey(other.publicKey) }),
    ],
    [
      'with the key of one and the signature of another',
      async (token) => prove(token, {}, { key: other.privateKey }),
    ],
    [
      'with a private key in it',
      async (token) => prove(token, {}, { jwk: await exportJWK(client.privateKey) }),
    ],
    ['for another method', async (token) => prove(token, { htm: 'POST' })],
    ['for another address', async (token) => prove(token, { htu: 'https://api.example.com/invoices/7' })],
    ['for another host', async (token) => prove(token, { htu: 'https://evil.example.com/invoices' })],
    ['for an address that is none', async (token) => prove(token, { htu: 'invoices' })],
    ['for another token', async (token) => prove(token, { ath: await hash('another') })],
    ['without a token hash', async (token) => prove(token, { ath: undefined })],
    ['that is too old', async (token) => prove(token, { iat: seconds() - 120 })],
    ['of the future', async (token) => prove(token, { iat: seconds() + 120 })],
    ['without a time', async (token) => prove(token, { iat: undefined })],
    ['without an id', async (token) => prove(token, { jti: undefined })],
    ['of another type', async (token) => prove(token, {}, { typ: 'JWT' })],
    ['that is there twice', async (token) => `${await prove(token)}, ${await prove(token)}`],
    ['that is none', async () => 'a.b.c'],
  ])('a proof %s is refused', async (_, make) => {
    const token = await bound()
    expect((await refusal(check(proven(token, await make(token))))).code).toBe('invalid-proof')
  })

  it('takes a proof once', async () => {
    const token = await bound()
    const checkToken = createTokenCheck({ issuer: ISSUER, audience: 'invoices', keys })
    const dpop = await prove(token)
    await checkToken(proven(token, dpop))
    expect((await refusal(checkToken(proven(token, dpop)))).message).toBe('The proof was used before')
    await checkToken(proven(token, await prove(token)))
  })

  it('asks a memory that several processes share', async () => {
    const token = await bound()
    const rememberProof = vi.fn<NonNullable<TokenCheckOptions['rememberProof']>>(async () => false)
    expect((await refusal(check(proven(token, await prove(token)), { rememberProof }))).code).toBe(
      'invalid-proof',
    )
    expect(rememberProof.mock.calls[0]?.[1]).toBeGreaterThan(Date.now())
  })

  it('compares the address that the caller asked, behind a proxy', async () => {
    const token = await bound()
    const inner = new Request('http://10.0.0.7:3000/invoices', {
      headers: { authorization: `DPoP ${token}`, dpop: await prove(token) },
    })
    expect((await refusal(check(inner))).code).toBe('invalid-proof')
    const publicUrl = ({ url }: Request) => new URL(new URL(url).pathname, 'https://api.example.com').href
    const again = new Request(inner.url, {
      headers: { authorization: `DPoP ${token}`, dpop: await prove(token) },
    })
    expect((await check(again, { publicUrl })).isBound).toBe(true)
  })

  it('a proof does not make a bound token of one that is none', async () => {
    const token = await sign()
    expect((await refusal(check(proven(token, await prove(token))))).code).toBe('invalid-proof')
  })
})

describe('the keys of the issuer', () => {
  let server: Listening
  let asked: string[] = []
  let document: object | undefined
  beforeAll(async () => {
    server = await listenOnLoopback({ host: 'localhost', port: 0 }, (request, response) => {
      asked.push(request.url ?? '')
      const body = request.url === '/keys' ? keys : document
      response
        .writeHead(body ? 200 : 500, { 'content-type': 'application/json' })
        .end(JSON.stringify(body ?? {}))
    })
  })
  afterAll(async () => server.close())

  it('come by way of its metadata, once for many calls; a failure is no answer for the next', async () => {
    asked = []
    document = undefined
    const issuer = server.origin
    const checkToken = createTokenCheck({ issuer, audience: 'invoices' })
    const token = await sign({ iss: issuer })
    const failed = await refusal(checkToken(bearer(token)))
    expect(failed.code).toBe('unavailable')
    expect(failed.response().status).toBe(503)
    document = { issuer, jwks_uri: `${issuer}/keys` }
    await checkToken(bearer(token))
    await checkToken(bearer(token))
    expect(asked).toEqual(['/.well-known/openid-configuration', '/.well-known/openid-configuration', '/keys'])
  })

  it('are not taken from metadata of another issuer, or over plain http', async () => {
    const issuer = server.origin
    document = { issuer: 'https://evil.example.com', jwks_uri: `${issuer}/keys` }
    expect(
      (await refusal(check(bearer(await sign({ iss: issuer })), { issuer, keys: undefined }))).code,
    ).toBe('unavailable')
    expect((await refusal(check(bearer(await sign()), { keys: 'http://keys.example.com/' }))).code).toBe(
      'unavailable',
    )
  })
})

describe('guard', () => {
  const checkToken = createTokenCheck({ issuer: ISSUER, audience: 'invoices', keys })

  it('lets a caller in, for a request and for the context of a framework', async () => {
    const get = guard(checkToken, ({ userId }, _request: Request | { request: Request }, more?: string) =>
      Response.json([userId, more]),
    )
    expect(await (await get(bearer(await sign()), 'params')).json()).toEqual(['bob', 'params'])
    expect(await (await get({ request: bearer(await sign()) })).json()).toEqual(['bob', null])
  })

  it('takes a request for what it is, also where its member `request` throws', async () => {
    // As Next makes it on its edge runtime.
    class EdgeRequest extends Request {
      get request(): never {
        throw new Error('not here')
      }
    }
    const get = guard(checkToken, ({ userId }, _request: Request) => Response.json(userId))
    const headers = { authorization: `Bearer ${await sign()}` }
    expect(await (await get(new EdgeRequest(URL_OF_API, { headers }))).json()).toBe('bob')
  })

  it('responds for the handler to all others, without calling it', async () => {
    const handle = vi.fn<() => Response>(() => new Response())
    const get = guard(checkToken, handle, { scopes: ['read', 'admin'] })
    const none = await get(call({}))
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    const less = await get(bearer(await sign()))
    expect([less.status, less.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", error_description="The access token lacks a scope"',
    ])
    expect(less.headers.get('cache-control')).toBe('no-store')
    expect(handle).not.toHaveBeenCalled()
  })

  it('leaves errors of the handler to the framework', async () => {
    const get = guard(checkToken, () => {
      throw new RangeError('mine')
    })
    await expect(get(bearer(await sign()))).rejects.toThrow('mine')
  })
})
