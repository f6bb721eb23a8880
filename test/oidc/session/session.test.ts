// A whole session with an OpenID Connect provider: sign-in, reload, tabs, renewal, logout, and what goes wrong on the way.
import { describe, expect, it } from 'vitest'
import { internalsOf } from '../../../src/session/internals.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { APP, explained, ISSUER, jwt } from '../scene.ts'
import { userText } from '../../../src/protocol/userText.ts'
import { follow, signedIn, signedInByClick, signedInTwice, start, wayBackFromLogout } from './sessionPages.ts'
import { createOidcScene, json, type OidcScene, runAhead } from './sessionScene.ts'

const DISCOVERY = '/.well-known/openid-configuration'
const MINUTE = 60_000

describe('signing in', () => {
  it('asks for the metadata once, leaves with S256, state and nonce of 128 bits or more, and comes back to the place', async () => {
    const scene = createOidcScene()
    const first = await start(scene, `${APP}invoices?page=2`)
    const url = new URL(first.host.navigations[0]!)
    expect(url.href.startsWith(`${ISSUER}/auth?`)).toBe(true)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'admin',
      redirect_uri: APP,
      scope: 'openid offline_access',
      code_challenge_method: 'S256',
    })
    expect(url.searchParams.get('state')).toMatch(/^[\w-]{32}$/)
    expect(url.searchParams.get('nonce')).toMatch(/^[\w-]{32}$/)
    scene.provider.user = 'ada'
    const { auth, host } = await follow(scene, first)
    expect(auth.getState()).toMatchObject({
      status: 'authenticated',
      user: { userId: 'ada', sessionId: 'sid-1' },
    })
    expect(host.address).toBe(`${APP}invoices?page=2`)
    expect(scene.provider.count(DISCOVERY)).toBe(1)
    expect(scene.provider.count('/token')).toBe(1)
  })

  it('sends forms, which need no preflight, and no verifier with a refresh', async () => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    await auth.renew({ force: true })
    const [code, refresh] = scene.provider.requests.filter(({ path }) => path === '/token')
    expect(code!.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
    expect([...code!.headers.keys()].toSorted()).toEqual(['accept', 'content-type'])
    expect([...code!.body.keys()].toSorted()).toEqual([
      'client_id',
      'code',
      'code_verifier',
      'grant_type',
      'redirect_uri',
    ])
    expect([...refresh!.body.keys()].toSorted()).toEqual(['client_id', 'grant_type', 'refresh_token'])
  })

  it('that the user declines says so, and nothing is asked for', async () => {
    const scene = createOidcScene()
    const first = await start(scene)
    const state = new URL(first.host.navigations[0]!).searchParams.get('state')!
    const { auth } = await follow(scene, first, `${APP}?error=access_denied&state=${state}`)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'cancelled' })
    expect(scene.provider.count('/token')).toBe(0)
  })

  it('with a nonce that is not ours signs nobody in', async () => {
    const scene = createOidcScene()
    const first = await start(scene)
    scene.provider.user = 'ada'
    // Only the answer counts here: the frame would find the session.
    scene.provider.isFrameMute = true
    const sent = new URL(first.host.navigations[0]!)
    sent.searchParams.set('nonce', 'x'.repeat(32))
    const { auth } = await follow(scene, first, scene.provider.authorize(sent.href))
    expect(auth.getState().status).not.toBe('authenticated')
    expect(JSON.stringify(auth.explain())).toContain('not the nonce of this sign-in')
  })
})

describe('the metadata', () => {
  it.each([
    [
      'of another issuer',
      () => json({ issuer: 'https://other.example' }),
      'issuer-mismatch',
      'https://other.example',
    ],
    ['that is a page of a proxy', () => new Response('<html>'), 'invalid-metadata', ISSUER],
    [
      'that the server does not have',
      () => new Response('', { status: 404 }),
      'invalid-metadata',
      'correct the issuer',
    ],
    ['that fails', () => Promise.reject(new TypeError('Failed to fetch')), 'network', ISSUER],
  ])('%s ends in a failure with cause, remedy and repeat', async (_what, respond, code, words) => {
    const scene = createOidcScene()
    scene.provider.instead.set(DISCOVERY, respond)
    const { auth, host } = await start(scene)
    const state = auth.getState()
    expect(state).toMatchObject({ status: 'failed', error: { code } })
    if (state.status !== 'failed') throw new Error('unreachable')
    expect(state.error.remedy).toBeTruthy()
    expect(`${state.error.message} ${state.error.remedy}`).toContain(words)
    expect(host.navigations).toEqual([])
    scene.provider.instead.clear()
    state.retry()
    await host.settle()
    expect(host.navigations).toHaveLength(1)
  })

  it.each([
    [59, 0],
    [61, 1],
  ])(
    'of %d minutes before the sign-in page is fetched anew on the way back: %d times',
    async (minutes, times) => {
      const scene = createOidcScene({ config: { autoLogin: false } })
      const first = await start(scene)
      await scene.browser.clock.advance(minutes * MINUTE)
      void first.auth.login()
      await first.host.settle()
      scene.provider.user = 'ada'
      const before = scene.provider.count(DISCOVERY)
      expect((await follow(scene, first)).auth.getState().status).toBe('authenticated')
      expect(scene.provider.count(DISCOVERY) - before).toBe(times)
    },
  )

  it.each([
    ['that another script has changed in the storage', { issuer: 'https://evil.example' }],
    ['by which this app could not ask', { require_pushed_authorization_requests: true }],
  ])('%s is fetched anew, never believed', async (_what, change) => {
    const scene = createOidcScene()
    const first = await start(scene)
    scene.provider.user = 'ada'
    const { sessionStorage } = first.host
    const key = Object.keys(sessionStorage.entries()).find((name) => name.endsWith('metadata'))!
    const kept = JSON.parse(sessionStorage.get(key)!) as { document: Record<string, unknown> }
    sessionStorage.set(key, JSON.stringify({ ...kept, document: { ...kept.document, ...change } }))
    const next = await follow(scene, first)
    expect(next.auth.getState().status).toBe('authenticated')
    expect(scene.provider.count(DISCOVERY)).toBe(2)
  })
})

describe('a reload', () => {
  it('finds the session in the frame that comes back to the own origin, with one exchange', async () => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    const before = scene.provider.requests.length
    const { auth } = await follow(scene, page, APP)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(scene.provider.requests.slice(before).map(({ path }) => path)).toEqual([DISCOVERY, '/token'])
  })

  it('asks for no page in the frame, and not for offline_access', async () => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    scene.provider.isFrameMute = true
    const { host } = await follow(scene, page, APP)
    expect(Object.fromEntries(host.frames[0]!.parameters)).toMatchObject({ prompt: 'none', scope: 'openid' })
  })

  it('without a session at the provider leaves for the sign-in page', async () => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    scene.provider.user = undefined
    const { host } = await follow(scene, page, APP)
    expect(host.navigations).toHaveLength(1)
  })

  it('opens no frame where the app wants none', async () => {
    const scene = createOidcScene({ options: { silent: 'off' } })
    const page = await signedIn(scene)
    const { host } = await follow(scene, page, APP)
    expect(host.frames).toEqual([])
    expect(host.navigations).toHaveLength(1)
  })

  it('believes no address of the frame with another state', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    scene.provider.user = 'ada'
    const { host, auth } = scene.open(APP, {
      onFrame: (frame) => queueMicrotask(() => frame.load(`${APP}?code=stolen&state=${'y'.repeat(32)}`)),
    })
    void auth.start()
    await host.settle()
    expect(scene.provider.count('/token')).toBe(0)
  })
})

it('the hidden frame goes as soon as its address is read: the page in it is the app itself', async () => {
  const scene = createOidcScene()
  scene.provider.user = 'ada'
  const { auth, host } = await start(scene)
  expect(auth.getState().status).toBe('authenticated')
  expect(host.frames).toEqual([])
})

describe('a second tab', () => {
  it('takes session and metadata from the first one, without any request', async () => {
    const scene = createOidcScene()
    await signedIn(scene)
    const before = scene.provider.requests.length
    const { auth, host } = await start(scene)
    await scene.browser.clock.advance(1000)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(scene.provider.requests).toHaveLength(before)
    expect(host.frames).toEqual([])
    expect(await auth.getAccessToken()).toMatch(/^access-/)
  })

  it('renews with the first one once for both, and both hold the new token', async () => {
    const scene = createOidcScene()
    const [first, second] = await signedInTwice(scene)
    const before = scene.provider.count('/token')
    await scene.browser.clock.advance(280_000)
    const tokens = Promise.all([first.auth.getAccessToken(), second.auth.getAccessToken()])
    await scene.browser.clock.advance(1000)
    const [one, two] = await tokens
    expect(one).toBe(two)
    expect(scene.provider.count('/token')).toBe(before + 1)
  })
})

describe('a renewal', () => {
  it('without a new ID token keeps the user, and renders nothing', async () => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    const before = auth.getState()
    await auth.renew({ force: true })
    expect(auth.getState()).toBe(before)
  })

  it('whose answer was lost asks the frame first, and never sends a refresh token twice', async () => {
    const scene = createOidcScene()
    const { auth, host } = await signedIn(scene)
    scene.provider.instead.set('/token', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ code: 'network' })
    scene.provider.instead.clear()
    const before = scene.provider.requests.length
    await auth.renew({ force: true })
    const sent = scene.provider.requests.slice(before)
    expect(sent.map(({ body }) => body.get('grant_type'))).toEqual(['authorization_code'])
    expect(auth.getState().status).toBe('authenticated')
    expect(host.navigations).toEqual([])
  })

  it('sends it again within the time in which the provider takes it twice', async () => {
    const scene = createOidcScene({ options: { refreshReuseInSeconds: 30 } })
    const { auth } = await signedIn(scene)
    scene.provider.instead.set('/token', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ code: 'network' })
    scene.provider.instead.clear()
    const before = scene.provider.requests.length
    await auth.renew({ force: true })
    expect(scene.provider.requests.slice(before).map(({ body }) => body.get('grant_type'))).toEqual([
      'refresh_token',
    ])
  })

  it('that the provider refuses asks the frame once, and the session ends with its token when that finds none', async () => {
    const scene = createOidcScene()
    const { auth, host } = await signedIn(scene)
    scene.provider.instead.set('/token', () => json({ error: 'invalid_grant' }, 400))
    scene.provider.user = undefined
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ code: 'invalid-grant' })
    await host.clock.advance(300_000)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
  })

  it('of another user signs nobody over', async () => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    scene.provider.instead.set('/token', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ code: 'network' })
    scene.provider.instead.clear()
    scene.provider.user = 'bob'
    scene.provider.answer = { refresh_token: LATE }
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ code: 'identity-changed' })
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    // Bob may hold a session in another tab, which some providers would end with these tokens.
    expect(revokedTokens(scene)).toEqual([])
  })
})

const LATE = 'refresh-late'

/** The token endpoint responds when it is told to. */
function holdTokens({ provider }: OidcScene) {
  let respond = () => {}
  const isTime = new Promise<void>((resolve) => {
    respond = resolve
  })
  provider.instead.set('/token', async () => {
    await isTime
    return json({ access_token: 'late', token_type: 'Bearer', expires_in: 300, refresh_token: LATE })
  })
  return { respond }
}

const revokedTokens = ({ provider }: OidcScene) =>
  provider.requests.filter(({ path }) => path === '/revoke').map(({ body }) => body.get('token'))

describe('a clock a day off', () => {
  it('is found out by the own origin, and the user is signed in', async () => {
    const scene = createOidcScene()
    runAhead(scene.provider, 86_400_000)
    const { auth } = await signedIn(scene)
    expect(auth.getState().status).toBe('authenticated')
    expect(JSON.stringify(auth.explain())).toContain('clock')
  })
})

describe('a logout', () => {
  it('takes the refresh token back, and ends at the provider with the ID token as a hint', async () => {
    const scene = createOidcScene()
    const { auth, host } = await signedIn(scene)
    await auth.logout()
    await host.settle()
    const revoked = scene.provider.requests.find(({ path }) => path === '/revoke')
    expect(Object.fromEntries(revoked!.body)).toMatchObject({
      token_type_hint: 'refresh_token',
      client_id: 'admin',
    })
    const url = new URL(host.navigations.at(-1)!)
    expect(url.pathname).toBe('/realms/staff/logout')
    expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(APP)
    scene.provider.user = undefined
    const back = await follow(scene, { host, auth }, `${APP}?state=${url.searchParams.get('state')}`)
    expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it('takes the refresh token back also where the page is closed right after the click', async () => {
    const scene = createOidcScene()
    const { auth, host } = await signedIn(scene)
    const kept: unknown[] = []
    const { fetch } = host
    host.fetch = async (input, init) => {
      if (init?.keepalive) kept.push(new URL(input as string).pathname)
      return fetch(input, init)
    }
    await auth.logout()
    await host.settle()
    expect(kept).toEqual(['/realms/staff/revoke'])
  })

  it.each([
    ['a renewal', { force: true }],
    ['a token for a resource', { resource: 'https://files.example.com' }],
  ])('takes back, too, what a response to %s brings after it', async (_what, options) => {
    const scene = createOidcScene()
    const { auth, host } = await signedIn(scene)
    const late = holdTokens(scene)
    const asked = auth.getAccessToken(options).catch((error: unknown) => error)
    await host.settle()
    await auth.logout()
    late.respond()
    expect(await asked).toMatchObject({ code: 'not-authenticated' })
    await host.settle()
    expect(revokedTokens(scene)).toEqual(['refresh-2', LATE])
  })

  it('takes nothing back that comes after dispose(): other tabs may hold the session', async () => {
    const scene = createOidcScene()
    const { auth, host } = await signedIn(scene)
    const late = holdTokens(scene)
    const asked = auth.renew({ force: true }).catch((error: unknown) => error)
    await host.settle()
    auth.dispose()
    late.respond()
    expect(await asked).toMatchObject({ code: 'not-authenticated' })
    await host.settle()
    expect(revokedTokens(scene)).toEqual([])
  })

  it('waits two seconds for a revocation that hangs, and no longer', async () => {
    const scene = createOidcScene()
    const { auth, host } = await signedIn(scene)
    scene.provider.instead.set('/revoke', () => new Promise<never>(() => {}))
    void auth.logout()
    await scene.browser.clock.advance(1900)
    expect(host.navigations).toEqual([])
    await scene.browser.clock.advance(200)
    expect(host.navigations).toHaveLength(1)
  })

  it('ends in every tab', async () => {
    const scene = createOidcScene()
    const [first, second] = await signedInTwice(scene)
    await first.auth.logout()
    await scene.browser.clock.advance(1000)
    expect(second.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(second.host.navigations).toEqual([])
  })

  it('logout-without-endpoint: it ends here, says that its session stays, and the next sign-in asks who it is', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    scene.provider.metadata = { ...scene.provider.metadata, end_session_endpoint: undefined }
    const first = await start(scene)
    void first.auth.login()
    await first.host.settle()
    scene.provider.user = 'ada'
    const { auth, host } = await follow(scene, first)
    await auth.logout()
    await host.settle()
    expect(auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: {
        code: 'not-supported',
        message: 'The server has no page that ends its own session',
        retryable: false,
      },
    })
    explained((auth.getState() as { cause?: unknown }).cause)
    expect(host.navigations).toEqual([])
    // A reload does not let the next person in, and does not say the same again.
    const next = await follow(scene, { host, auth }, APP)
    expect(next.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(next.auth.getState()).not.toHaveProperty('cause')
    void next.auth.login()
    await next.host.settle()
    expect(new URL(next.host.navigations[0]!).searchParams.get('prompt')).toBe('login')
  })

  it('at a provider without a logout page that lets its old session in: it is said in words, and the next click signs in', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    scene.provider.metadata = { ...scene.provider.metadata, end_session_endpoint: undefined }
    const signedInAt = Math.floor(scene.provider.nowMs() / 1000)
    // It ignores `prompt` and `max_age`, and tells when the user gave their credentials.
    scene.provider.changeIdToken = (claims) => jwt({ ...claims, auth_time: signedInAt })
    let page = await signedInByClick(scene)
    await scene.browser.clock.advance(60_000)
    for (let round = 0; round < 2; round += 1) {
      await page.auth.logout()
      await scene.browser.clock.advance(60_000)
      void page.auth.login()
      await page.host.settle()
      const kept = await follow(scene, page)
      const state = kept.auth.getState()
      expect(state).toMatchObject({ status: 'failed', error: { code: 'session-kept' } })
      if (state.status !== 'failed') return
      expect(userText(state.error)).toContain('Sign in once more to continue with it.')
      state.retry()
      await kept.host.settle()
      page = await follow(scene, kept)
      expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    }
  })

  it('that is confirmed, in a browser whose frames see the cookies, leaves nothing to ask at the next sign-in', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    const known = await follow(scene, await signedInByClick(scene), APP)
    expect(known.auth.getState().status).toBe('authenticated')
    await known.auth.logout()
    await known.host.settle()
    scene.provider.user = undefined
    const out = await follow(scene, known, wayBackFromLogout(known))
    expect(out.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    void out.auth.login()
    await out.host.settle()
    const { searchParams } = new URL(out.host.navigations.at(-1)!)
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual([null, null])
  })

  it('that the user declined there has the next sign-in ask, with a max_age that a login fits in', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    const known = await follow(scene, await signedInByClick(scene), APP)
    await known.auth.logout()
    await known.host.settle()
    const tokens = scene.provider.count('/token')
    const out = await follow(scene, known, wayBackFromLogout(known))
    expect(scene.provider.count('/token')).toBe(tokens)
    void out.auth.login()
    await out.host.settle()
    const { searchParams } = new URL(out.host.navigations.at(-1)!)
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '300'])
  })
})

describe('what only the other kind of server has', () => {
  it('is told in advance, and fails before any request', async () => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    expect(auth.supports('userInfo')).toBe(true)
    expect(auth.supports('linkMap')).toBe(false)
    const before = scene.provider.requests.length
    await expect(internalsOf(auth).call({ method: 'GET', path: '/api/linkmap' })).rejects.toMatchObject({
      code: 'not-supported',
    })
    expect(scene.provider.requests).toHaveLength(before)
  })

  it('leaves a token in the address to the app, and says that initToken has nowhere to go', async () => {
    const token = createAccessToken({ aud: 'admin' })
    const scene = createOidcScene({ config: { autoLogin: false, initToken: token } })
    const { auth, host } = await start(scene, `${APP}?token=${token}`)
    expect(host.address).toBe(`${APP}?token=${token}`)
    expect(host.navigations).toEqual([])
    expect(auth.explain().filter(({ step }) => step === 'initToken')).toMatchObject([{ outcome: 'skipped' }])
  })

  it('user info comes from the endpoint of the metadata, with the access token', async () => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    expect(await internalsOf(auth).readUserInfo()).toEqual({ sub: 'ada', email: 'ada@example.com' })
    const sent = scene.provider.requests.find(({ path }) => path === '/userinfo')
    expect(sent!.headers.get('authorization')).toMatch(/^Bearer access-/)
  })
})

it('no storage, URL of the page, step or error holds a token, a code, a verifier or a nonce', async () => {
  const scene = createOidcScene()
  const { auth, host } = await signedIn(scene)
  await auth.renew({ force: true })
  const { sessionStorage, localStorage } = host
  const everything = [
    JSON.stringify([sessionStorage.entries(), localStorage.entries()]),
    host.address,
    JSON.stringify(auth.explain()),
    JSON.stringify(auth.getState()),
  ].join('\n')
  expect(everything).not.toMatch(/access-\d|refresh-\d|code-\d|eyJ/)
})
