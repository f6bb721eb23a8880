// The frame, the callback and the logout of an OpenID Connect provider that goes wrong, in a whole session: each case by its name.
import { describe, expect, it } from 'vitest'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import type { FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { APP, codeOf, explained, jwt } from '../scene.ts'
import { follow, signedIn, signedInByClick, start, wayBackFromLogout } from './sessionPages.ts'
import { createOidcScene, json, type OidcScene, type OidcSceneOptions, type Page } from './sessionScene.ts'

const DISCOVERY = '/.well-known/openid-configuration'

/** Signed in before, and a reload whose frame does what the test says. */
async function reloadWith(
  onFrame: (frame: FakeFrame, scene: OidcScene) => void,
  options: OidcSceneOptions = { config: { autoLogin: false } },
) {
  const scene = createOidcScene(options)
  scene.provider.user = 'ada'
  const hostOptions: FakeHostOptions = { onFrame: (frame) => queueMicrotask(() => onFrame(frame, scene)) }
  const page = scene.open(APP, hostOptions)
  void page.auth.start()
  await page.host.settle()
  return { scene, ...page }
}

/** Cause and remedy that the user's screen shows. */
const causeOf = (auth: { getState(): unknown }) => {
  const state = auth.getState() as { cause?: unknown; error?: unknown }
  return explained(state.error ?? state.cause).code
}

describe('the metadata', () => {
  it('discovery-redirect-is-refused: it says so, with cause and remedy, and nobody is sent anywhere', async () => {
    const scene = createOidcScene()
    const redirects: unknown[] = []
    const { auth, host } = scene.open(APP, {
      // What fetch makes of a redirect that it is told not to follow: status 0, and nothing to read.
      async fetch(_, init) {
        redirects.push(init?.redirect)
        return Response.error()
      },
    })
    void auth.start()
    await host.settle()
    expect(redirects).toEqual(['manual'])
    expect(auth.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'invalid-metadata', retryable: true, remedy: expect.stringContaining('discoveryUrl') },
    })
    expect(causeOf(auth)).toBe('invalid-metadata')
    expect(host.navigations).toEqual([])
  })

  it('discovery-down-keeps-session-and-retries: a renewal in a session goes on with the metadata that there are', async () => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    scene.provider.instead.set(DISCOVERY, () => new Response('', { status: 503 }))
    await scene.browser.clock.advance(20 * 60_000)
    await auth.renew({ force: true })
    expect(auth.getState().status).toBe('authenticated')
  })

  it('discovery-down-keeps-session-and-retries: a start-up is repeated by itself, and signed in then', async () => {
    const scene = createOidcScene()
    scene.provider.user = 'ada'
    scene.provider.instead.set(DISCOVERY, () => new Response('', { status: 503 }))
    const { auth } = await start(scene)
    expect(auth.getState()).toMatchObject({ status: 'failed', error: { retryable: true } })
    scene.provider.instead.clear()
    await scene.browser.clock.advance(3_000)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  })
})

describe('the callback', () => {
  it('code-replayed-after-reload: the same address twice is one token call', async () => {
    const scene = createOidcScene()
    const first = await start(scene)
    scene.provider.user = 'ada'
    const back = scene.provider.authorize(first.host.navigations[0]!)
    const page = await follow(scene, first, back)
    const code = new URL(back).searchParams.get('code')
    const again = await follow(scene, page, back)
    const sent = scene.provider.requests.filter(({ body }) => body.get('code') === code)
    expect(sent).toHaveLength(1)
    // The frame finds the session.
    expect(again.auth.getState().status).toBe('authenticated')
  })

  it('callback-iss-wrong: no token call, and no error page where a session exists', async () => {
    const scene = createOidcScene()
    const first = await start(scene)
    scene.provider.user = 'ada'
    const back = new URL(scene.provider.authorize(first.host.navigations[0]!))
    back.searchParams.set('iss', 'https://evil.example')
    const { auth } = await follow(scene, first, back.href)
    expect(
      scene.provider.requests.filter(({ body }) => body.get('code') === back.searchParams.get('code')),
    ).toEqual([])
    expect(JSON.stringify(auth.explain())).toContain('issuer')
    // The frame of the right provider finds the session all the same.
    expect(auth.getState().status).toBe('authenticated')
  })

  it('callback-error-with-wrong-iss: it is not reported as an error of this provider', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    const first = await start(scene)
    void first.auth.login()
    await first.host.settle()
    const state = new URL(first.host.navigations[0]!).searchParams.get('state')!
    const iss = encodeURIComponent('https://evil.example')
    const { auth } = await follow(scene, first, `${APP}?error=access_denied&state=${state}&iss=${iss}`)
    expect(auth.getState()).not.toMatchObject({ reason: 'cancelled' })
    expect(causeOf(auth)).toBe('issuer-mismatch')
  })
})

describe('the frame', () => {
  it('frame-own-page-forbids-framing: it is given up three seconds after it has loaded, not at the limit', async () => {
    const { auth, scene } = await reloadWith((frame) => frame.load())
    await scene.browser.clock.advance(2_900)
    expect(auth.getState().status).toBe('initializing')
    await scene.browser.clock.advance(200)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', cause: { code: 'iframe-timeout' } })
    expect(causeOf(auth)).toBe('iframe-timeout')
    expect(JSON.stringify(auth.getState())).toContain('frame-ancestors')
  })

  it('frame-login-page: no session after the same three seconds, and no token call', async () => {
    const { auth, scene, host } = await reloadWith((frame) => frame.load())
    await scene.browser.clock.advance(3_100)
    expect(auth.getState().status).toBe('unauthenticated')
    expect(causeOf(auth)).toBe('iframe-timeout')
    expect(scene.provider.count('/token')).toBe(0)
    expect(host.frames).toEqual([])
  })

  it('frame-interstitial-then-answer: a page in between begins the three seconds anew, and the response counts', async () => {
    const { auth, scene, host } = await reloadWith((frame) => frame.load())
    await scene.browser.clock.advance(2_500)
    host.frames[0]!.load()
    await scene.browser.clock.advance(2_500)
    host.frames[0]!.load(scene.provider.authorize(host.frames[0]!.url))
    await host.settle()
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  })

  it('frame-never-loads: it is given up at the configured limit', async () => {
    const { auth, scene } = await reloadWith(() => {}, {
      config: { autoLogin: false, iframeTimeoutInSeconds: 5 },
    })
    await scene.browser.clock.advance(4_900)
    expect(auth.getState().status).toBe('initializing')
    await scene.browser.clock.advance(200)
    expect(causeOf(auth)).toBe('iframe-timeout')
  })

  describe('frame-login-required-then-instant-redirect-is-learnt:', () => {
    /** Reloads in a browser that keeps the provider's cookies from frames, and comes back from the sign-in page after that time. */
    async function reload(scene: OidcScene, page: Page, awayMs = 200) {
      scene.provider.user = undefined
      let frames = 0
      const host = page.host.openNext(APP, {
        onFrame(frame) {
          frames += 1
          queueMicrotask(() => scene.answerFrame(frame))
        },
      })
      const auth = createAuth(scene.config(), { platform: host.platform })
      void auth.start()
      await host.settle()
      scene.provider.user = 'ada'
      await scene.browser.clock.advance(awayMs)
      return { frames, next: await follow(scene, { host, auth }) }
    }

    it('the next reload opens no frame, and signs in as before', async () => {
      const scene = createOidcScene()
      const first = await reload(scene, await signedIn(scene))
      const second = await reload(scene, first.next)
      expect([first, second].map(({ frames }) => frames)).toEqual([1, 0])
      expect(second.next.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    })

    it('five minutes later the frame is tried again', async () => {
      const scene = createOidcScene()
      const first = await reload(scene, await signedIn(scene))
      await scene.browser.clock.advance(301_000)
      expect(await reload(scene, first.next)).toMatchObject({ frames: 1 })
    })

    it('a user who has typed a password is no sign of it', async () => {
      const scene = createOidcScene()
      const first = await reload(scene, await signedIn(scene), 5_000)
      expect(await reload(scene, first.next)).toMatchObject({ frames: 1 })
    })

    it('nor is the first visit of a browser, however fast the sign-in was', async () => {
      const scene = createOidcScene()
      expect(await reload(scene, await signedIn(scene))).toMatchObject({ frames: 1 })
    })

    it('nor is a sign-in that the app or a click began: the frame was not asked before it', async () => {
      const scene = createOidcScene({ config: { autoLogin: false } })
      scene.provider.user = 'ada'
      const first = await start(scene)
      void first.auth.login({ returnTo: '/x' })
      await first.host.settle()
      const back = await follow(scene, first)
      await scene.browser.clock.advance(60_000)
      const { auth } = await follow(scene, back, APP)
      expect(auth.getState().status).toBe('authenticated')
    })

    it('a developer is told once in a tab, with the remedy', async () => {
      const scene = createOidcScene()
      const told: string[] = []
      const page = await signedIn(scene)
      scene.provider.user = undefined
      let last = page
      for (let visit = 0; visit < 3; visit += 1) {
        await scene.browser.clock.advance(60_000)
        scene.provider.user = undefined
        const away = await follow(scene, last, APP)
        scene.provider.user = 'ada'
        const host = away.host.openNext(scene.provider.authorize(away.host.navigations.at(-1)!))
        const auth = createAuth(scene.config(), {
          platform: { ...host.platform, tell: (message: string) => told.push(message) },
        })
        void auth.start()
        await host.settle()
        last = { host, auth }
      }
      expect(told).toEqual([
        expect.stringMatching(/keeps the cookies of the server .* Serve both from one site\.$/),
      ])
    })
  })

  it('frame-says-nothing-twice: the third one is left out', async () => {
    const scene = createOidcScene()
    let page = await signedIn(scene)
    const mute = { onFrame: (frame: FakeFrame) => queueMicrotask(() => frame.load()) }
    const frames: number[] = []
    for (let visit = 0; visit < 3; visit += 1) {
      const host = page.host.openNext(APP, mute)
      const auth = createAuth(scene.config(), { platform: host.platform })
      void auth.start()
      await host.settle()
      frames.push(host.frames.length)
      await scene.browser.clock.advance(61_000)
      expect(host.navigations).toHaveLength(1)
      page = { host, auth }
    }
    expect(frames).toEqual([1, 1, 0])
  })

  it('frame-app-does-not-boot-inside-itself: the app in its own frame asks for nothing', async () => {
    const scene = createOidcScene()
    const { host, auth } = scene.open(`${APP}?code=c-1&state=${'s'.repeat(32)}`, {
      windowName: 'agent-iframe',
    })
    void auth.start()
    await host.settle()
    expect(scene.provider.requests).toEqual([])
    expect(host.frames).toEqual([])
    expect(host.navigations).toEqual([])
    expect(auth.getState().status).toBe('initializing')
  })

  it('frame-other-user-than-before: the second user is shown, and no storage names the first', async () => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    scene.provider.user = 'bob'
    const { auth, host } = await follow(scene, page, APP)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'bob' } })
    const stored = JSON.stringify([host.sessionStorage.entries(), host.localStorage.entries()])
    expect(stored).not.toMatch(/\bada\b/)
  })

  it('frame-never-asks-offline-access: in a whole session either', async () => {
    const { host } = await reloadWith(() => {})
    expect(host.frames[0]!.parameters.get('scope')).toBe('openid')
  })
})

describe('a renewal', () => {
  it.each([
    ['refresh-answer-lost-within-grace: the refresh token is sent again', 30, 'refresh_token'],
    ['refresh-answer-lost-without-grace: the frame is asked instead', 0, 'authorization_code'],
  ])('%s', async (_, refreshReuseInSeconds, grant) => {
    const scene = createOidcScene({ options: { refreshReuseInSeconds } })
    const { auth } = await signedIn(scene)
    scene.provider.instead.set('/token', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await codeOf(() => auth.renew({ force: true }))).toBe('network')
    scene.provider.instead.clear()
    const before = scene.provider.requests.length
    await auth.renew({ force: true })
    expect(scene.provider.requests.slice(before).map(({ body }) => body.get('grant_type'))).toEqual([grant])
  })

  it.each([
    ['refresh-429', 429, { error: 'slow_down' }],
    ['refresh-5xx', 503, {}],
  ])('%s: the session stays, and the cause has a remedy', async (_, status, body) => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    scene.provider.instead.set('/token', () => json(body, status))
    expect(await codeOf(() => auth.renew({ force: true }))).toMatch(
      /^(rate-limited|unexpected-status|client-refused)$/,
    )
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  })

  it.each([
    ['refresh-400-other', 400, { error: 'invalid_scope' }],
    ['refresh-401-invalid_client', 401, { error: 'invalid_client' }],
  ])('%s: one silent verification, and expired where that brings nothing', async (_, status, body) => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    const asked: (string | null)[] = []
    scene.provider.instead.set('/token', () => {
      asked.push(scene.provider.requests.at(-1)!.body.get('grant_type'))
      return asked.at(-1) === 'refresh_token' ? json(body, status) : undefined!
    })
    scene.provider.user = undefined
    expect(await codeOf(() => auth.renew({ force: true }))).toMatch(/^(unexpected-status|client-refused)$/)
    expect(asked).toEqual(['refresh_token'])
    await scene.browser.clock.advance(300_000)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
  })

  it('organization-switch-scopes-cache: tokens of another user from the frame are refused, and the first one stays', async () => {
    const claims = (token: Readonly<Record<string, unknown>>) => ({
      userId: String(token['sub']),
      firmId: String(token['org']),
    })
    const scene = createOidcScene({ options: { claims } })
    scene.provider.answer = { id_token: undefined }
    const first = await start(scene)
    scene.provider.user = 'ada'
    const withOrg = (org: string) => (nonce: string | null) => {
      const iat = Math.floor(scene.provider.nowMs() / 1000)
      return jwt({
        iss: scene.provider.metadata['issuer'],
        sub: 'ada',
        aud: 'admin',
        org,
        nonce,
        iat,
        exp: iat + 300,
      })
    }
    const back = scene.provider.authorize(first.host.navigations[0]!)
    const nonce = new URL(first.host.navigations[0]!).searchParams.get('nonce')
    scene.provider.answer = { id_token: withOrg('firm-a')(nonce) }
    const { auth } = await follow(scene, first, back)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { firmId: 'firm-a' } })
    // The user has switched the organization at the provider: the same subject, another tenant.
    scene.provider.answer = { id_token: withOrg('firm-b')(nonce) }
    expect(await codeOf(() => auth.renew({ force: true }))).toBe('identity-changed')
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { firmId: 'firm-a' } })
  })
})

describe('user info', () => {
  it('userinfo-cors-blocked: the error says what to allow, and the session stays', async () => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    scene.provider.instead.set('/userinfo', () => Promise.reject(new TypeError('Failed to fetch')))
    const error = await internalsOf(auth).readUserInfo().catch(explained)
    expect(error).toMatchObject({ code: 'network' })
    expect((error as { remedy: string }).remedy).toContain('CORS')
    expect(auth.getState().status).toBe('authenticated')
  })

  it('userinfo-other-host (Entra): the endpoint of the metadata is asked, wherever it is', async () => {
    const scene = createOidcScene()
    const url = 'https://graph.example.com/oidc/userinfo'
    scene.provider.metadata = { ...scene.provider.metadata, userinfo_endpoint: url }
    scene.provider.instead.set('/oidc/userinfo', () => json({ sub: 'ada' }))
    const { auth, host } = await signedIn(scene)
    expect(await internalsOf(auth).readUserInfo()).toEqual({ sub: 'ada' })
    expect(host.requests.at(-1)?.url).toBe(url)
  })

  it('userinfo-refused, by a token for the API of the app (RFC 8707, Entra): what the ID token says of the user, and nothing is renewed', async () => {
    const scene = createOidcScene()
    scene.provider.changeIdToken = (claims) => jwt({ ...claims, name: 'Ada', email: 'ada@example.com' })
    const { auth } = await signedIn(scene)
    scene.provider.instead.set('/userinfo', () => json({ error: 'invalid_token' }, 401))
    const before = scene.provider.count('/token')
    expect(await internalsOf(auth).readUserInfo()).toEqual({
      sub: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
    })
    expect([scene.provider.count('/token') - before, scene.provider.count('/userinfo')]).toEqual([0, 1])
  })

  it('userinfo-other-sub: it is not used, and the session stays', async () => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    scene.provider.instead.set('/userinfo', () => json({ sub: 'bob' }))
    expect(await codeOf(() => internalsOf(auth).readUserInfo())).toBe('unexpected-answer')
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  })
})

describe('a logout', () => {
  it.each([
    ['logout-revocation-cors', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['logout-revocation-500', () => new Response('', { status: 500 })],
    ['logout-revocation-hang', () => new Promise<never>(() => {})],
  ])('%s: the page is left within two seconds', async (_, respond) => {
    const scene = createOidcScene()
    const { auth, host } = await signedIn(scene)
    scene.provider.instead.set('/revoke', respond)
    void auth.logout()
    await scene.browser.clock.advance(2_000)
    expect(host.navigations).toHaveLength(1)
    expect(new URL(host.navigations[0]!).pathname).toBe('/realms/staff/logout')
  })

  it.each([
    ['logout-state-mismatch-on-return', `?state=${'z'.repeat(32)}`],
    ['oidcc-client-test-rp-init-logout: with another state', '?state=other'],
    ['oidcc-client-test-rp-init-logout: without a state', ''],
  ])('%s: signed out all the same, and the address is left as it came', async (_, query) => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    const page = await signedInByClick(scene)
    await page.auth.logout()
    await page.host.settle()
    scene.provider.user = undefined
    const { auth, host } = await follow(scene, page, APP + query)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated' })
    expect(host.address).toBe(APP + query)
  })

  it('logout-then-no-automatic-sign-in: whoever still has a session at the provider stays out', async () => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    await page.auth.logout()
    await page.host.settle()
    const { auth, host } = await follow(scene, page, wayBackFromLogout(page))
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(host.navigations).toEqual([])
    expect(host.frames).toEqual([])
  })
})

it('canary-no-id-token-or-key-in-cache-storage-log-or-url: only the hint of the logout holds the ID token', async () => {
  const scene = createOidcScene()
  const page = await signedIn(scene)
  await page.auth.renew({ force: true })
  const reloaded = await follow(scene, page, APP)
  await reloaded.auth.logout()
  await reloaded.host.settle()
  const { sessionStorage, localStorage, frames, navigations, requests } = reloaded.host
  const [logout, ...others] = navigations.toReversed()
  expect(logout).toContain('id_token_hint=eyJ')
  const everything = JSON.stringify([
    sessionStorage.entries(),
    localStorage.entries(),
    frames.map(({ url }) => url),
    others,
    requests.map(({ url }) => url),
    reloaded.auth.explain(),
    reloaded.auth.getState(),
  ])
  expect(everything).not.toMatch(/eyJ|access-\d|refresh-\d/)
})
