// Tokens bound to a key of the page (DPoP, RFC 9449): what is sent, what is repeated, what is refused, and what other tabs get.
import { describe, expect, it, vi } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createTabRecords } from '../../../src/session/signIn/tabRecords.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createFakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createFakeStorage } from '../../../src/testing/fakeStorage.ts'
import { checkProof } from './proofs.ts'
import { APP, ISSUER, METADATA } from '../scene.ts'
import { follow, signedIn, signedInByClick, start } from '../session/sessionPages.ts'
import { createOidcScene, json, type OidcScene, runAhead } from '../session/sessionScene.ts'
import { holdRequests } from '../../holdRequests.ts'

const API = 'https://api.example.com'

function createDpopScene(
  dpop: 'auto' | 'required' = 'required',
  {
    algorithms = ['ES256'],
    ...more
  }: { algorithms?: readonly string[]; apiOrigins?: string[]; autoLogin?: boolean } = {},
): OidcScene {
  const scene = createOidcScene({ options: { dpop }, config: { apiOrigins: [API], ...more } })
  scene.provider.dpop = true
  scene.provider.metadata = { ...METADATA, dpop_signing_alg_values_supported: algorithms }
  return scene
}

const readUserInfo = (page: Awaited<ReturnType<typeof signedIn>>) => internalsOf(page.auth).readUserInfo()
const sent = ({ provider }: OidcScene, path: string) =>
  provider.requests.filter((request) => request.path === path)
const proofOf = (headers: Headers) => {
  const [header, claims] = (headers.get('dpop') ?? '').split('.')
  const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  return { header: read(header), claims: read(claims) }
}

describe('a session', () => {
  it('signs in, renews and reads the user with proofs of one key, each of them new', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    await page.auth.renew({ force: true })
    expect(await readUserInfo(page)).toEqual({ sub: 'ada', email: 'ada@example.com' })
    expect(scene.provider.refusedProofs).toEqual([])
    expect(new Set(scene.provider.keyOf.values()).size).toBe(1)
    const [userInfo] = sent(scene, '/userinfo')
    expect(userInfo!.headers.get('authorization')).toMatch(/^DPoP access-/)
    expect(proofOf(userInfo!.headers).claims['htu']).toBe(`${ISSUER}/userinfo`)
  })

  it('without the option sends no proof', async () => {
    const scene = createOidcScene()
    scene.provider.metadata = { ...METADATA, dpop_signing_alg_values_supported: ['ES256'] }
    const page = await signedIn(scene)
    expect(page.auth.getState().status).toBe('authenticated')
    expect(sent(scene, '/token').map(({ headers }) => headers.has('dpop'))).toEqual([false])
  })

  it('with metadata given by hand is bound, too', async () => {
    const metadata = { ...METADATA, dpop_signing_alg_values_supported: ['ES256'] }
    const scene = createOidcScene({ options: { dpop: 'required', metadata } })
    scene.provider.dpop = true
    const page = await signedIn(scene)
    expect(page.auth.getState().status).toBe('authenticated')
    expect(scene.provider.refusedProofs).toEqual([])
  })

  it('dpop-key-lost-in-all-tabs: a reload of the only tab gets a new key by the silent check, and refreshes nothing', async () => {
    const scene = createDpopScene()
    const first = await signedIn(scene)
    const next = await follow(scene, first, APP)
    expect(next.auth.getState().status).toBe('authenticated')
    expect(sent(scene, '/token').map(({ body }) => body.get('grant_type'))).toEqual([
      'authorization_code',
      'authorization_code',
    ])
    expect(new Set(scene.provider.keyOf.values()).size).toBe(2)
  })

  it('dpop-key-lost-in-all-tabs: a refresh token of another key leads to the sign-in page, never to a second refresh', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    for (const token of scene.provider.keyOf.keys()) scene.provider.keyOf.set(token, 'another key')
    scene.provider.user = undefined
    await expect(page.auth.renew({ force: true })).rejects.toMatchObject({ code: 'invalid-grant' })
    await scene.browser.clock.advance(600_000)
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
    expect(
      sent(scene, '/token').filter(({ body }) => body.get('grant_type') === 'refresh_token'),
    ).toHaveLength(1)
  })

  it('a stolen access token is worth nothing without the key', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    const token = await page.auth.getAccessToken()
    const replay = (authorization: string) =>
      page.host.fetch(`${ISSUER}/userinfo`, { headers: { authorization } }).then(({ status }) => status)
    expect(await replay(`Bearer ${token}`)).toBe(401)
    expect(await replay(`DPoP ${token}`)).toBe(401)
    expect(await readUserInfo(page)).toMatchObject({ sub: 'ada' })
  })
})

describe('other tabs', () => {
  it('get the key with the session, and sign with it', async () => {
    const scene = createDpopScene()
    await signedIn(scene)
    const before = scene.provider.requests.length
    const second = await start(scene)
    await scene.browser.clock.advance(1000)
    expect(second.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(scene.provider.requests).toHaveLength(before)
    expect(await readUserInfo(second)).toMatchObject({ sub: 'ada' })
    await second.auth.renew({ force: true })
    expect(scene.provider.refusedProofs).toEqual([])
    expect(new Set(scene.provider.keyOf.values()).size).toBe(1)
  })

  it('eight-tabs-one-refresh-with-dpop', async () => {
    const scene = createDpopScene()
    const tabs = [await signedIn(scene)]
    for (let count = 1; count < 8; count += 1) tabs.push(await start(scene))
    await scene.browser.clock.advance(1000)
    const before = scene.provider.count('/token')
    await scene.browser.clock.advance(280_000)
    const tokens = Promise.all(tabs.map(({ auth }) => auth.getAccessToken()))
    await scene.browser.clock.advance(1000)
    expect(new Set(await tokens).size).toBe(1)
    expect(scene.provider.count('/token')).toBe(before + 1)
    for (const tab of tabs) expect(await readUserInfo(tab)).toMatchObject({ sub: 'ada' })
    expect(scene.provider.refusedProofs).toEqual([])
  })

  it('take no session whose key is missing, or is another one', async () => {
    const scene = createDpopScene()
    await signedIn(scene)
    const forged = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'sign',
      'verify',
    ])
    for (const key of [undefined, 'key', {}, forged]) {
      scene.provider.isFrameMute = true
      const page = scene.open(APP)
      const { platform } = page.host
      const tabs = platform.tabs()
      Object.assign(platform, {
        tabs: () => ({
          ...tabs,
          openChannel: (name: string, listen: (message: unknown) => void) =>
            tabs.openChannel!(name, (message) => listen({ ...(message as object), key })),
        }),
      })
      void page.auth.start()
      await scene.browser.clock.advance(1000)
      expect(page.auth.getState().status).not.toBe('authenticated')
      page.host.close()
    }
  })

  it('without the option get the session from each other, with no request, beside a tab that has it', async () => {
    const scene = createDpopScene()
    const bound = await signedIn(scene)
    scene.provider.dpop = false
    const config = { ...scene.config(), server: openIdConnect({ issuer: ISSUER }) } as AuthConfig
    const startPlain = async () => {
      const page = scene.open(APP, {}, config)
      const { platform } = page.host
      const { seal, ...tabs } = platform.tabs()
      // The tab with the option is always faster.
      const sealLate = async (text: string, publicKey: string) => {
        await new Promise<void>((resolve) => platform.setTimer(resolve, 100))
        return seal!.seal(text, publicKey)
      }
      Object.assign(platform, { tabs: () => ({ ...tabs, seal: { ...seal!, seal: sealLate } }) })
      void page.auth.start()
      await scene.browser.clock.advance(60_000)
      expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
      return page
    }
    const first = await startPlain()
    const renew = async ({ auth }: typeof bound) => {
      const renewing = auth.renew({ force: true })
      await scene.browser.clock.advance(1000)
      await renewing
    }
    // Its tokens are the newest of all.
    scene.provider.dpop = true
    await renew(bound)
    scene.provider.dpop = false
    const before = scene.provider.requests.length
    const second = await startPlain()
    expect(scene.provider.requests).toHaveLength(before)
    expect(await second.auth.getAccessToken()).toBe(await first.auth.getAccessToken())
    await renew(first)
    expect(scene.provider.requests).toHaveLength(before + 1)
    expect(await second.auth.getAccessToken()).toBe(await first.auth.getAccessToken())
  })

  it.each([
    ['auto', 'required', true],
    ['auto', 'off', false],
    ['required', 'off', false],
    [undefined, 'off', true],
  ] as const)('with the option %s and %s share tokens: %s', (one, other, isShared) => {
    const askedBy = (dpop: typeof one | typeof other) =>
      openIdConnect({ issuer: ISSUER, ...(dpop && { dpop }) }).asked
    expect(askedBy(one) === askedBy(other)).toBe(isShared)
  })

  it('without the option take no tokens that are bound, also where an audience has the name of the option', async () => {
    const scene = createDpopScene()
    await signedIn(scene)
    scene.provider.isFrameMute = true
    const server = openIdConnect({ issuer: ISSUER, parameters: { audience: 'dpop' } })
    const page = scene.open(APP, {}, { ...scene.config(), server } as AuthConfig)
    void page.auth.start()
    await scene.browser.clock.advance(1000)
    const types = scene.browser.posted.map(({ message }) => (message as { type: string }).type)
    expect(types.slice(-2)).toContain('offer')
    expect(page.auth.getState().status).not.toBe('authenticated')
  })

  it('whose metadata is from before DPoP was switched on take no tokens that are bound: they sign in by themselves', async () => {
    const scene = createDpopScene('auto', { autoLogin: false })
    const { metadata } = scene.provider
    scene.provider.metadata = METADATA
    const page = scene.open()
    void page.auth.start()
    await page.host.settle()
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated' })
    scene.provider.metadata = metadata
    await signedInByClick(scene)
    await scene.browser.clock.advance(1000)
    const types = scene.browser.posted.map(({ message }) => (message as { type: string }).type)
    expect(types).toContain('offer')
    expect(page.auth.getState().status).toBe('unauthenticated')
  })

  it('without DPoP in the metadata share what is not bound', async () => {
    const scene = createDpopScene('auto', { algorithms: [] })
    scene.provider.dpop = false
    await signedIn(scene)
    const before = scene.provider.requests.length
    const second = await start(scene)
    await scene.browser.clock.advance(1000)
    expect(second.auth.getState()).toMatchObject({ status: 'authenticated' })
    expect(scene.provider.count('/token')).toBe(1)
    expect(scene.provider.requests.length).toBeLessThanOrEqual(before + 1)
  })

  it('see a handle that no script can export', async () => {
    const scene = createDpopScene()
    await signedIn(scene)
    await start(scene)
    await scene.browser.clock.advance(1000)
    const offers = scene.browser.posted.filter(
      ({ message }) => (message as { type?: string }).type === 'offer',
    )
    expect(offers.length).toBeGreaterThan(0)
    for (const { message } of offers) {
      const { privateKey } = (message as { key: CryptoKeyPair }).key
      expect(privateKey.extractable).toBe(false)
      await expect(crypto.subtle.exportKey('jwk', privateKey)).rejects.toThrow('extractable')
    }
  })
})

describe('a nonce', () => {
  it('dpop-nonce-first-use: is sent once the provider wants one, after one repeat with a new proof', async () => {
    const scene = createDpopScene()
    scene.provider.nonces.token = 'n-1'
    const page = await signedIn(scene)
    expect(page.auth.getState().status).toBe('authenticated')
    const proofs = sent(scene, '/token').map(({ headers }) => proofOf(headers).claims)
    expect(proofs.map(({ nonce }) => nonce)).toEqual([undefined, 'n-1'])
    expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(2)
    await page.auth.renew({ force: true })
    expect(scene.provider.count('/token')).toBe(3)
  })

  it('dpop-nonce-rotated-on-200: is taken from any response', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    scene.provider.instead.set('/userinfo', () => json({ sub: 'ada' }, 200, { 'dpop-nonce': 'n-2' }))
    await readUserInfo(page)
    scene.provider.instead.clear()
    scene.provider.nonces.userinfo = 'n-2'
    await readUserInfo(page)
    expect(sent(scene, '/userinfo').map(({ headers }) => proofOf(headers).claims['nonce'])).toEqual([
      undefined,
      'n-2',
    ])
  })

  it('dpop-nonce-wrong-twice: is an error that says so, and the session stays', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    let serial = 0
    scene.provider.instead.set('/token', () =>
      json({ error: 'use_dpop_nonce' }, 400, { 'dpop-nonce': `n-${(serial += 1)}` }),
    )
    const before = scene.provider.count('/token')
    await expect(page.auth.renew({ force: true })).rejects.toMatchObject({
      code: 'client-refused',
      message: expect.stringContaining('use_dpop_nonce') as string,
    })
    // The refresh, then the code that the frame brings: each once more.
    expect(scene.provider.count('/token')).toBe(before + 4)
    expect(page.auth.getState().status).toBe('authenticated')
  })

  it('dpop-nonce-per-origin-not-mixed: each server gets its own', async () => {
    const scene = createDpopScene()
    scene.provider.nonces.token = 'of-the-provider'
    const page = await signedIn(scene)
    const apis: Record<string, string> = { [API]: 'of-the-api', [APP.slice(0, -1)]: 'of-the-app' }
    const seen: string[] = []
    page.host.fetch = async (input, init) => {
      const { origin } = new URL(input as string)
      const { nonce } = proofOf(new Headers(init?.headers)).claims
      seen.push(`${origin} ${String(nonce)}`)
      return nonce === apis[origin]
        ? json({})
        : json({}, 401, {
            'dpop-nonce': apis[origin]!,
            'www-authenticate': 'Bearer realm="a, b", DPoP error="use_dpop_nonce"',
          })
    }
    for (const url of [`${API}/a`, '/b', `${API}/c`]) await page.auth.fetch(url)
    expect(seen).toEqual([
      `${API} undefined`,
      `${API} of-the-api`,
      `${APP.slice(0, -1)} undefined`,
      `${APP.slice(0, -1)} of-the-app`,
      `${API} of-the-api`,
    ])
  })

  it('dpop-nonce-header-not-exposed: the error names the header', async () => {
    const scene = createDpopScene()
    scene.provider.nonces.token = 'n-1'
    scene.provider.areHeadersHidden = true
    const page = await signedIn(scene)
    expect(page.auth.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'client-refused', remedy: expect.stringContaining('DPoP-Nonce') as string },
    })
    // One for the code in the address, one for that of the frame.
    const codes = sent(scene, '/token').map(({ body }) => body.get('code'))
    expect(new Set(codes).size).toBe(codes.length)
  })

  it('dpop-nonce-header-not-exposed: the console names both headers, once for an API', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    const { fetch } = page.host
    page.host.fetch = async (input, init) =>
      (input as string).startsWith(API) ? json({}, 401) : fetch(input, init)
    for (let count = 0; count < 2; count += 1)
      await expect(page.auth.fetch(`${API}/a`, { ignoreResponseError: true })).resolves.toEqual({})
    const told = page.host.warnings.filter(({ message }) => message.includes('DPoP-Nonce'))
    expect(told.map(({ message }) => message)).toEqual([
      expect.stringMatching(/api\.example\.com.*WWW-Authenticate/),
    ])
  })

  it('dpop-400-other-error-with-nonce-header: is no reason to repeat', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    scene.provider.instead.set('/token', () => json({ error: 'invalid_scope' }, 400, { 'dpop-nonce': 'n' }))
    const before = scene.provider.count('/token')
    await expect(page.auth.renew({ force: true })).rejects.toMatchObject({ code: 'client-refused' })
    const grants = sent(scene, '/token').map(({ body }) => body.get('grant_type'))
    expect(grants.slice(before)).toEqual(['refresh_token', 'authorization_code'])
  })
})

describe('a repeat', () => {
  it('dpop-network-retry-has-new-jti', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    const proofs: Record<string, unknown>[] = []
    page.host.fetch = async (_, init) => {
      proofs.push(proofOf(new Headers(init?.headers)).claims)
      if (proofs.length === 1) throw new TypeError('Failed to fetch')
      return json({})
    }
    await page.auth.fetch(`${API}/a`, { retry: 1 })
    expect(proofs).toHaveLength(2)
    expect(proofs[0]!['jti']).not.toBe(proofs[1]!['jti'])
  })
})

describe('an answer', () => {
  it('dpop-bearer-answer-in-required: is refused, and nobody is signed in', async () => {
    const scene = createDpopScene()
    scene.provider.answer = { token_type: 'Bearer' }
    const page = await signedIn(scene)
    expect(page.auth.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'client-refused', message: expect.stringContaining('not bound') as string },
    })
  })

  it('dpop-bearer-answer-in-auto: is used as a bearer token, and the refresh is bound', async () => {
    const scene = createDpopScene('auto')
    scene.provider.answer = { token_type: 'bearer' }
    const page = await signedIn(scene)
    scene.provider.keyOf.delete(await page.auth.getAccessToken())
    await readUserInfo(page)
    expect(sent(scene, '/userinfo')[0]!.headers.get('authorization')).toMatch(/^Bearer /)
    expect(sent(scene, '/userinfo')[0]!.headers.has('dpop')).toBe(false)
    await page.auth.renew({ force: true })
    expect(scene.provider.refusedProofs).toEqual([])
    const second = await start(scene)
    await scene.browser.clock.advance(1000)
    await second.auth.renew({ force: true })
    expect(scene.provider.refusedProofs).toEqual([])
  })

  it.each(['auto', 'required'] as const)('of another type is refused in %s', async (dpop) => {
    const scene = createDpopScene(dpop)
    scene.provider.answer = { token_type: 'mac' }
    const page = await signedIn(scene)
    expect(page.auth.getState()).toMatchObject({ error: { code: 'unexpected-answer' } })
  })
})

describe('a clock that is wrong', () => {
  it('dpop-device-clock-5-min-off: is put right by the own origin, with one repeat and a new proof', async () => {
    const scene = createDpopScene()
    runAhead(scene.provider, 300_000)
    const page = await signedIn(scene)
    expect(page.auth.getState().status).toBe('authenticated')
    expect(scene.provider.refusedProofs).toEqual(['iat'])
    expect(JSON.stringify(page.auth.explain())).toContain('clock')
    await page.auth.renew({ force: true })
    await readUserInfo(page)
    expect(scene.provider.refusedProofs).toEqual(['iat'])
  })

  /** Keycloak: a proof from 25 s before to 15 s after its own time; for any other `invalid_request`. */
  function strictLikeKeycloak(scene: ReturnType<typeof createDpopScene>) {
    const { provider } = scene
    const answer = async (): Promise<Response> => {
      const { headers, body } = provider.requests.at(-1)!
      const aheadMs = Number(proofOf(headers).claims['iat']) * 1000 - provider.nowMs()
      if (aheadMs > 15_000 || aheadMs < -25_000)
        return json({ error: 'invalid_request', error_description: 'DPoP proof is not active' }, 400)
      provider.instead.delete('/token')
      const response = await scene.fetch(`${ISSUER}/token`, { method: 'POST', headers, body: String(body) })
      provider.requests.pop()
      provider.instead.set('/token', answer)
      return response
    }
    provider.instead.set('/token', answer)
  }

  it.each([-16_000, 26_000])(
    'that is %i ms behind a server which says invalid_request for its proofs is put right, at the sign-in and later',
    async (behindMs) => {
      const scene = createDpopScene()
      runAhead(scene.provider, behindMs)
      strictLikeKeycloak(scene)
      const page = await signedIn(scene)
      expect(page.auth.getState().status).toBe('authenticated')
      // The clock jumps while the page is open.
      runAhead(scene.provider, 120_000)
      await page.auth.renew({ force: true })
      expect(page.auth.getState().status).toBe('authenticated')
    },
  )

  it('that nobody can put right: the remedy names the clock, not the registration', async () => {
    const scene = createDpopScene()
    strictLikeKeycloak(scene)
    const { nowMs } = scene.provider
    scene.provider.nowMs = () => nowMs() + 60_000
    const page = await signedIn(scene)
    expect(page.auth.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'client-refused', remedy: expect.stringContaining('clock') as string },
    })
  })

  it('is put right for all requests that were on their way, without a renewal', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    const dateMs = scene.provider.nowMs() + 300_000
    scene.provider.instead.set(
      '/',
      () => new Response('', { headers: { date: new Date(dateMs).toUTCString() } }),
    )
    for (const path of ['/a', '/b'])
      scene.provider.instead.set(path, () => {
        const { iat } = proofOf(scene.provider.requests.at(-1)!.headers).claims
        return Math.abs(Number(iat) * 1000 - dateMs) < 60_000
          ? json({ path })
          : json({}, 401, { 'www-authenticate': 'DPoP error="invalid_dpop_proof"' })
      })
    const read = (path: string) => page.auth.fetch(`${API}${path}`)
    expect(await Promise.all([read('/a'), read('/b')])).toEqual([{ path: '/a' }, { path: '/b' }])
    expect(['/a', '/b', '/token'].map((path) => sent(scene, path).length)).toEqual([2, 2, 1])
  })

  it.each([3_600_000, -3_600_000])(
    'that a correction of %i ms did not put right goes as it went before: the next proof is taken',
    async (offsetMs) => {
      const scene = createDpopScene()
      const page = await signedIn(scene)
      const date = new Date(scene.provider.nowMs() + offsetMs).toUTCString()
      scene.provider.instead.set('/', () => new Response('', { headers: { date } }))
      scene.provider.instead.set('/userinfo', () =>
        json({}, 401, { 'www-authenticate': 'DPoP error="invalid_dpop_proof"' }),
      )
      await expect(readUserInfo(page)).rejects.toMatchObject({ name: 'AuthError' })
      expect(scene.provider.count('/')).toBeGreaterThan(0)
      scene.provider.instead.delete('/userinfo')
      expect(await readUserInfo(page)).toMatchObject({ sub: 'ada' })
      expect(scene.provider.refusedProofs).toEqual([])
    },
  )

  it('without anybody who knows the time is an error that says so', async () => {
    const scene = createDpopScene()
    const { nowMs } = scene.provider
    scene.provider.nowMs = () => nowMs() + 300_000
    const page = await signedIn(scene)
    expect(page.auth.getState()).toMatchObject({
      error: { code: 'client-refused', remedy: expect.stringContaining('clock') as string },
    })
    // One for the code in the address, one for that of the frame.
    const codes = sent(scene, '/token').map(({ body }) => body.get('code'))
    expect(new Set(codes).size).toBe(codes.length)
  })
})

describe('the algorithms in the metadata', () => {
  it('dpop-only-rs256-listed: an RSA key signs', async () => {
    const scene = createDpopScene('required', { algorithms: ['EdDSA', 'RS256'] })
    await signedIn(scene)
    expect(scene.provider.refusedProofs).toEqual([])
    expect(proofOf(sent(scene, '/token')[0]!.headers).header).toMatchObject({
      alg: 'RS256',
      jwk: { kty: 'RSA' },
    })
  })

  it.each([[[]], [['EdDSA']]])('dpop-none-listed: auto goes on without, with %j', async (algorithms) => {
    const scene = createDpopScene('auto', { algorithms })
    scene.provider.dpop = false
    const page = await signedIn(scene)
    expect(page.auth.getState().status).toBe('authenticated')
    expect(sent(scene, '/token')[0]!.headers.has('dpop')).toBe(false)
  })

  it('dpop-none-listed: required says so before anybody leaves for the sign-in page', async () => {
    const scene = createDpopScene('required', { algorithms: [] })
    const page = await start(scene)
    expect(page.auth.getState()).toMatchObject({ error: { code: 'not-supported' } })
    expect(page.host.navigations).toEqual([])
  })
})

describe('auth.fetch', () => {
  it.each([
    ['dpop-htu-without-query', 'https://api.example.com/a?b=c#d', 'https://api.example.com/a'],
    ['dpop-htu-with-port', 'https://api.example.com:8443/a', 'https://api.example.com:8443/a'],
    ['dpop-htu-with-the-default-port', 'https://api.example.com:443/a', 'https://api.example.com/a'],
    ['dpop-htu-unicode-path', 'https://api.example.com/ä/%7Eb', 'https://api.example.com/%C3%A4/%7Eb'],
  ])('%s', async (_, url, htu) => {
    const scene = createDpopScene('required', { apiOrigins: [API, `${API}:8443`] })
    const page = await signedIn(scene)
    const token = await page.auth.getAccessToken()
    const checked: unknown[] = []
    page.host.fetch = async (input, init) => {
      const headers = new Headers(init?.headers)
      expect(headers.get('authorization')).toBe(`DPoP ${token}`)
      expect(proofOf(headers).claims['htu']).toBe(htu)
      const nowMs = scene.provider.nowMs()
      checked.push(
        await checkProof(headers.get('dpop'), {
          method: 'PATCH',
          url: new Request(input).url,
          nowMs,
          accessToken: token,
          seen: new Set(),
        }),
      )
      return json({})
    }
    await page.auth.fetch(url, { method: 'PATCH', body: { a: 1 } })
    await page.auth.fetch(new Request(url, { method: 'PATCH', body: 'a' }))
    const [thumbprint] = scene.provider.keyOf.values()
    expect(checked).toEqual([{ thumbprint }, { thumbprint }])
  })

  it('signs nothing for other origins, nor over an authorization header of the app', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    const seen: Headers[] = []
    page.host.fetch = async (_, init) => {
      seen.push(new Headers(init?.headers))
      return json({})
    }
    await page.auth.fetch('https://elsewhere.example.com/a')
    await page.auth.fetch(`${API}/a`, { headers: { authorization: 'Basic x' } })
    expect(seen.map((headers) => [headers.get('authorization'), headers.has('dpop')])).toEqual([
      [null, false],
      ['Basic x', false],
    ])
  })

  it.each(['auth.fetch', 'user info'])(
    'an address that wants a Bearer token is told as one without DPoP, once in the console, and renews nothing: %s',
    async (by) => {
      const scene = createDpopScene()
      const page = await signedIn(scene)
      await page.host.clock.advance(60_000)
      const before = scene.provider.count('/token')
      const { fetch } = page.host
      page.host.fetch = async (input, init) =>
        /userinfo|api\./.test(input as string)
          ? json({}, 401, { 'www-authenticate': 'Bearer' })
          : fetch(input, init)
      for (let count = 0; count < 2; count += 1)
        await expect(
          by === 'user info' ? readUserInfo(page) : page.auth.fetch(`${API}/a`),
        ).rejects.toMatchObject({
          code: 'client-refused',
          message: expect.stringContaining('takes no DPoP'),
        })
      expect(scene.provider.count('/token')).toBe(before)
      expect(page.host.warnings.filter(({ message }) => message.includes('takes no DPoP'))).toHaveLength(1)
    },
  )

  it('a Bearer challenge with an error is about the token: it renews', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    await page.host.clock.advance(60_000)
    const answers = [json({}, 401, { 'www-authenticate': 'Bearer error="invalid_token"' }), json({ a: 1 })]
    const { fetch } = page.host
    page.host.fetch = async (input, init) =>
      (input as string).startsWith(API) ? answers.shift()! : fetch(input, init)
    expect(await page.auth.fetch(`${API}/a`)).toEqual({ a: 1 })
  })

  it('sends a body that is a stream once, with a proof', async () => {
    const scene = createDpopScene()
    const page = await signedIn(scene)
    let count = 0
    page.host.fetch = async () => {
      count += 1
      return json({}, 401, { 'dpop-nonce': 'n', 'www-authenticate': 'DPoP error="use_dpop_nonce"' })
    }
    const body = new ReadableStream()
    await page.auth.fetch(`${API}/a`, { method: 'POST', body, ignoreResponseError: true })
    expect(count).toBe(1)
  })
})

it('the fake authorization server of the test kit issues and takes tokens with a proof alone', async () => {
  const server = createFakeAuthServer({ isBound: true })
  const config = {
    server: openIdConnect({ issuer: server.authHost, dpop: 'required' as const }),
    clientId: 'admin',
    scopes: ['openid'],
    verifyFirstVisit: true,
  }
  const host = createFakeHost('https://app.test/', {
    browser: createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
    server,
  })
  const auth = createAuth(config, { platform: host.platform })
  void auth.start()
  await host.settle()
  expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
  await auth.renew({ force: true })
  expect(await internalsOf(auth).readUserInfo()).toMatchObject({ sub: 'alice' })
  const token = await auth.getAccessToken()
  const replay = async (authorization: string) =>
    (await server.fetch(`${server.authHost}/api/userinfo`, { headers: { authorization } })).status
  expect([await replay(`Bearer ${token}`), await replay(`DPoP ${token}`)]).toEqual([401, 401])
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'any' })
  const refused = await server.fetch(`${server.authHost}/oauth/token`, { method: 'POST', body })
  expect([refused.status, await refused.json()]).toEqual([400, { error: 'invalid_dpop_proof' }])
})

it('canary: no storage, cache of the browser, URL, step, state or console line holds a key, a proof or a nonce', async () => {
  const scene = createDpopScene()
  scene.provider.nonces = { token: 'nonce-of-the-token-endpoint', userinfo: 'nonce-of-the-user-info' }
  const page = await signedIn(scene)
  await start(scene)
  await scene.browser.clock.advance(1000)
  await page.auth.renew({ force: true })
  await readUserInfo(page)
  const { host, auth } = page
  const everything = JSON.stringify([
    host.sessionStorage.entries(),
    host.localStorage.entries(),
    host.address,
    host.requests.map(({ url }) => url),
    host.navigations,
    host.warnings,
    auth.explain(),
    auth.getState(),
  ])
  const proofs = scene.provider.requests.flatMap(({ headers }) => headers.get('dpop') ?? [])
  expect(proofs.length).toBeGreaterThan(3)
  const secrets = [
    ...proofs,
    ...proofs.map((proof) => proof.split('.')[2]!),
    ...scene.provider.keyOf.values(),
    ...Object.values(scene.provider.nonces),
  ]
  for (const secret of secrets) expect(everything).not.toContain(secret)
})

it('a token for an API that is not bound changes nothing for the session’s own', async () => {
  const scene = createDpopScene('auto')
  const page = await signedIn(scene)
  scene.provider.answer = { token_type: 'Bearer', access_token: 'for-files' }
  await page.auth.getAccessToken({ resource: 'https://files.example.com' })
  scene.provider.answer = {}
  await readUserInfo(page)
  expect(sent(scene, '/userinfo').map(({ headers }) => headers.get('authorization')?.split(' ')[0])).toEqual([
    'DPoP',
  ])
})

it('a key that another tab hands over stays, when the metadata of this tab comes later', async () => {
  const scene = createDpopScene('required', { autoLogin: false })
  const sessionStorage = createFakeStorage()
  // No frame is opened here, so that the tab waits for the other one.
  const offUntilMs = scene.browser.clock.nowMs + 300_000
  createTabRecords(sessionStorage, { authHost: ISSUER, clientId: 'admin' }).change({
    silentSignIn: { failures: 2, offUntilMs },
  })
  const tab = scene.open(APP, { sessionStorage })
  const release = holdRequests(tab.host, (url) => url.includes('openid-configuration'))
  void tab.auth.start()
  await tab.host.settle()
  tab.auth.login().catch(() => {})
  await tab.host.settle()
  scene.provider.user = 'ada'
  await start(scene)
  await scene.browser.clock.advance(3_000)
  await readUserInfo(tab)
  release()
  await tab.host.settle()
  expect(internalsOf(tab.auth).server.known()?.binding?.isBound()).toBe(true)
})
