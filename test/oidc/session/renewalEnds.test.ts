// Every outcome of a renewal: new tokens, another attempt at a known time, or the end of the session with its cause. Played as a table.
import { describe, expect, it } from 'vitest'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { bodyOf } from '../../holdRequests.ts'
import { APP, ISSUER, jwt } from '../scene.ts'
import { signedInByClick, signedInTwice } from './sessionPages.ts'
import { answerFrame, createOidcScene, json, type OidcScene, type Page } from './sessionScene.ts'

const LIFE_MS = 300_000

const tokensWith = ({ provider }: OidcScene, claims: object) => {
  const iat = Math.floor(provider.nowMs() / 1000)
  const id_token = jwt({
    iss: ISSUER,
    sub: 'ada',
    sid: 'sid-1',
    aud: 'admin',
    iat,
    exp: iat + 300,
    ...claims,
  })
  return json({ access_token: 'a', token_type: 'Bearer', expires_in: 300, refresh_token: 'r', id_token })
}

/** What the token endpoint responds to a refresh. */
const REFRESH = {
  refused: () => json({ error: 'invalid_grant' }, 400),
  'answered for another sign-in': (scene: OidcScene) => tokensWith(scene, { nonce: 'another' }),
  'answered for another user': (scene: OidcScene) => tokensWith(scene, { sub: 'bob' }),
  /** As a refusal without CORS, or a connection that is cut. */
  unreadable: () => Promise.reject(new TypeError('Failed to fetch')),
  'answered by a proxy': () => new Response('<html>Hotel</html>'),
  'refused by a proxy': () => new Response('<html>Bad request</html>', { status: 400 }),
  'answered with 503': () => json({ error: 'server_error' }, 503),
  'without a token': undefined,
} as const

type Refresh = keyof typeof REFRESH
type Play = (scene: OidcScene, frame: FakeFrame) => void

/** The hidden frame sees this user's session, whoever else the browser is signed in as. */
const sees =
  (user: string | undefined): Play =>
  (scene, frame) => {
    const before = scene.provider.user
    scene.provider.user = user
    answerFrame(scene.provider, frame)
    // A code is exchanged for tokens later.
    if (user === undefined) scene.provider.user = before
  }

const FRAME = {
  'the session': sees('ada'),
  'another user': sees('bob'),
  nobody: sees(undefined),
  nothing: (_: OidcScene, frame: FakeFrame) => frame.load(),
  'a policy that forbids it': (_: OidcScene, frame: FakeFrame) => frame.csp(),
} as const

type Frame = keyof typeof FRAME

/** What becomes of the session. `at its end`: when the token's life is over. */
type End = 'renewed' | 'again' | 'at its end' | 'at once'

const REFUSED: Record<Frame, End | { unknown: End; known: End }> = {
  'the session': 'renewed',
  'another user': 'at once',
  nobody: { unknown: 'at its end', known: 'at once' },
  nothing: 'at its end',
  'a policy that forbids it': 'at its end',
}
const AGAIN: typeof REFUSED = {
  'the session': 'again',
  'another user': 'again',
  nobody: 'again',
  nothing: 'again',
  'a policy that forbids it': 'again',
}
const EXPECTED: Record<Refresh, typeof REFUSED> = {
  refused: REFUSED,
  'answered for another sign-in': REFUSED,
  'answered for another user': REFUSED,
  // The frame is asked with the next attempt.
  unreadable: AGAIN,
  'answered by a proxy': AGAIN,
  'refused by a proxy': AGAIN,
  'answered with 503': AGAIN,
  'without a token': { ...REFUSED, 'another user': 'at its end', nothing: 'again' },
}

/** Signed in by a redirect. `isKnown`: a frame of this browser has found the provider's session once. */
async function signedIn(isKnown: boolean, refresh: Refresh = 'refused', autoRefreshToken = false) {
  const scene = createOidcScene({ config: { autoLogout: false, autoLogin: false, autoRefreshToken } })
  let play: Play = sees(undefined)
  const onFrame = (frame: FakeFrame) => queueMicrotask(() => play(scene, frame))
  if (REFRESH[refresh] === undefined) scene.provider.answer = { refresh_token: undefined }
  const begin = async (page: Page) => {
    void page.auth.start()
    await page.host.settle()
    return page
  }
  const next = (page: Page, address: string) => {
    const host = page.host.openNext(address, { onFrame })
    return begin({ host, auth: createAuth(scene.config(), { platform: host.platform }) })
  }
  const signIn = async (page: Page) => {
    void page.auth.login()
    await page.host.settle()
    scene.provider.user = 'ada'
    return next(page, scene.provider.authorize(page.host.navigations.at(-1)!))
  }
  let page = await signIn(await begin(scene.open(APP, { onFrame })))
  if (isKnown) {
    play = sees('ada')
    page = await next(page, APP)
  }
  expect(page.auth.getState().status).toBe('authenticated')
  const { host, auth } = page
  return {
    scene,
    host,
    auth,
    becomes(response: Refresh, frame: Frame) {
      play = FRAME[frame]
      host.fetch = async (input, init) => {
        const isRefresh = bodyOf(init).includes('refresh_token=')
        return isRefresh ? REFRESH[response]!(scene) : scene.fetch(input, init)
      }
    },
    /** One renewal, or a call that needs one; resolves with the error. */
    async tryOnce(isForced: boolean) {
      const done = (isForced ? auth.renew({ force: true }) : auth.getAccessToken()).then(
        () => undefined,
        (error: unknown) => error as { code: string },
      )
      await host.clock.advance(4_000)
      return done
    },
    signInAgain: () => signIn(page),
    /** Past the end of the token's life. */
    outlive: () => host.clock.advance(LIFE_MS + 1_000),
  }
}

const CELLS = Object.entries(EXPECTED).flatMap(([refresh, row]) =>
  Object.entries(row).flatMap(([frame, end]) =>
    [false, true].map((isKnown) => ({
      refresh: refresh as Refresh,
      frame: frame as Frame,
      frames: isKnown ? 'are known to see the session' : 'have never seen a session',
      isKnown,
      end: typeof end === 'string' ? end : end[isKnown ? 'known' : 'unknown'],
    })),
  ),
)

const ENDED = { status: 'unauthenticated', reason: 'expired' }

describe('while the token lives', () => {
  it.each(CELLS)(
    'a refresh $refresh, a frame that finds $frame, frames $frames: $end',
    async ({ refresh, frame, isKnown, end }) => {
      const { host, auth, becomes, tryOnce, outlive, scene } = await signedIn(isKnown, refresh)
      const token = await auth.getAccessToken()
      becomes(refresh, frame)
      const error = await tryOnce(true)
      if (end === 'renewed') {
        expect(error).toBeUndefined()
        expect(await auth.getAccessToken()).not.toBe(token)
        return
      }
      expect(error).toBeDefined()
      if (end === 'at once') {
        expect(auth.getState()).toMatchObject({ ...ENDED, cause: error })
        return
      }
      expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: false })
      expect(await auth.getAccessToken()).toBe(token)
      await outlive()
      if (end === 'at its end') {
        expect(auth.getState()).toMatchObject({ ...ENDED, cause: error })
        return
      }
      expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: true })
      host.fetch = scene.fetch
      becomes('refused', 'the session')
      expect(await tryOnce(false)).toBeUndefined()
    },
  )
})

describe('when its life is over', () => {
  it.each(CELLS)(
    'a refresh $refresh, a frame that finds $frame, frames $frames: $end',
    async ({ refresh, frame, isKnown, end }) => {
      const { auth, becomes, tryOnce, outlive } = await signedIn(isKnown, refresh)
      await outlive()
      becomes(refresh, frame)
      const error = await tryOnce(false)
      if (end === 'renewed') expect(error).toBeUndefined()
      else if (end === 'again')
        expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: true })
      else expect(auth.getState()).toMatchObject({ ...ENDED, cause: error })
    },
  )

  // A refusal that the page cannot read: some providers send it without CORS.
  it.each<[Refresh, Frame, string]>([
    ['unreadable', 'nobody', 'network'],
    ['unreadable', 'another user', 'identity-changed'],
    ['answered by a proxy', 'nobody', 'unexpected-answer'],
  ])('a refresh %s twice, and a frame that finds %s: it ends as %s', async (refresh, frame, code) => {
    const { auth, becomes, tryOnce, outlive, host } = await signedIn(false, refresh)
    await outlive()
    becomes(refresh, frame)
    await tryOnce(false)
    expect(auth.getState().status).toBe('authenticated')
    await host.clock.advance(5_000)
    await tryOnce(false)
    expect(auth.getState()).toMatchObject({ ...ENDED, cause: { code } })
  })

  it.each<[Refresh, Frame]>([
    ['unreadable', 'nothing'],
    ['unreadable', 'a policy that forbids it'],
    ['answered with 503', 'nobody'],
  ])(
    'a refresh %s twice, and a frame that finds %s: it may be the network, and goes on',
    async (refresh, frame) => {
      const { auth, becomes, tryOnce, outlive, host } = await signedIn(false, refresh)
      await outlive()
      becomes(refresh, frame)
      for (let count = 0; count < 2; count += 1) {
        await tryOnce(false)
        await host.clock.advance(5_000)
      }
      expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: true })
    },
  )

  it('a frame that finds nothing, at a provider whose sign-in page is known to be mute: it ends with the first', async () => {
    const { scene, host, auth, becomes, tryOnce, outlive } = await signedIn(false, 'without a token')
    becomes('refused', 'nothing')
    host.localStorage.set(
      `latchkey ${ISSUER} admin unanswered`,
      JSON.stringify({ failures: 2, offUntilMs: scene.browser.clock.nowMs + 86_400_000 }),
    )
    await outlive()
    await tryOnce(false)
    expect(auth.getState()).toMatchObject({ ...ENDED, cause: { code: 'iframe-timeout' } })
  })
})

describe('a renewal that is repeated', () => {
  it.each<[Refresh, Frame]>([
    ['answered by a proxy', 'nobody'],
    ['unreadable', 'another user'],
    ['without a token', 'nothing'],
  ])('after a refresh %s and a frame that finds %s, brings tokens once it can', async (refresh, frame) => {
    const { host, auth, becomes } = await signedIn(false, refresh, true)
    becomes(refresh, frame)
    await host.clock.advance(LIFE_MS - 25_000)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: false })
    becomes(refresh, 'the session')
    await host.clock.advance(45_000)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: false })
  })

  it('is not, once nothing can bring tokens: no request until the end, however often an API says 401', async () => {
    const { scene, host, auth, becomes, tryOnce } = await signedIn(false, 'refused', true)
    scene.provider.instead.set('/api/no', () => json({}, 401))
    becomes('refused', 'nobody')
    await tryOnce(true)
    const before = scene.provider.requests.length
    for (let count = 0; count < 5; count += 1) {
      await expect(auth.fetch('/api/no')).rejects.toMatchObject({ status: 401 })
      await host.clock.advance(20_000)
    }
    expect(scene.provider.requests.slice(before).map(({ path }) => path)).toEqual(Array(5).fill('/api/no'))
    expect(host.frames).toEqual([])
    await host.clock.advance(LIFE_MS)
    expect(auth.getState()).toMatchObject({ ...ENDED, cause: { code: 'invalid-grant' } })
    const after = scene.provider.requests.length
    await host.clock.advance(LIFE_MS)
    expect(scene.provider.requests).toHaveLength(after)
  })

  it('is so again after one that the app forces, where nothing could bring tokens before', async () => {
    const { auth, becomes, tryOnce, outlive } = await signedIn(false, 'refused', true)
    becomes('refused', 'a policy that forbids it')
    await tryOnce(true)
    becomes('answered with 503', 'a policy that forbids it')
    await tryOnce(true)
    becomes('refused', 'the session')
    await outlive()
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: false })
  })
})

describe('an API that says 401, at a provider without refresh tokens', () => {
  it.each([false, true])(
    'has its 401 reach the caller, and the session lives (frames known: %s)',
    async (isKnown) => {
      const { scene, auth, becomes, outlive } = await signedIn(isKnown, 'without a token')
      scene.provider.instead.set('/api/no', () => json({}, 401))
      becomes('refused', isKnown ? 'the session' : 'nobody')
      await expect(auth.fetch('/api/no')).rejects.toMatchObject({ status: 401 })
      expect(auth.getState().status).toBe('authenticated')
      await outlive()
      expect(auth.getState().status).toBe(isKnown ? 'authenticated' : 'unauthenticated')
    },
  )

  it('after a frame has ended one session that way: the browser may keep cookies from frames by now, and the next one lives', async () => {
    const { auth, becomes, tryOnce, signInAgain } = await signedIn(true, 'without a token')
    becomes('without a token', 'nobody')
    await tryOnce(true)
    expect(auth.getState()).toMatchObject(ENDED)
    const again = await signInAgain()
    await expect(again.auth.renew({ force: true })).rejects.toMatchObject({ code: 'login-required' })
    expect(again.auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: false })
    await again.host.clock.advance(LIFE_MS + 1_000)
    expect(again.auth.getState()).toMatchObject(ENDED)
  })

  it('of user info is no end either', async () => {
    const { scene, auth, becomes } = await signedIn(false, 'without a token')
    scene.provider.instead.set('/userinfo', () => json({ error: 'invalid_token' }, 401))
    becomes('refused', 'nobody')
    await expect(internalsOf(auth).readUserInfo()).rejects.toMatchObject({ status: 401 })
    expect(auth.getState().status).toBe('authenticated')
  })

  it.each([401, 403])(
    'of user info, or %d there, with a token of half a minute ago: it is renewed, once',
    async (status) => {
      const { scene, auth, host, becomes } = await signedIn(true, 'without a token')
      becomes('without a token', 'the session')
      await host.clock.advance(31_000)
      const sent = () => scene.provider.requests.filter(({ path }) => path === '/token').length
      const before = sent()
      scene.provider.instead.set('/userinfo', () => {
        scene.provider.instead.delete('/userinfo')
        return json({}, status)
      })
      await expect(internalsOf(auth).readUserInfo()).resolves.toMatchObject({ sub: 'ada' })
      expect(sent()).toBe(before + 1)
    },
  )

  it('of user info, with a new token, renews nothing, and says what the token is for', async () => {
    const { scene, auth } = await signedIn(false, 'without a token')
    scene.provider.instead.set('/userinfo', () => json({ error: 'invalid_token' }, 401))
    const sent = () => scene.provider.requests.filter(({ path }) => path === '/token').length
    const before = sent()
    await expect(internalsOf(auth).readUserInfo()).rejects.toMatchObject({
      status: 401,
      remedy: expect.stringContaining('Is the token for it'),
    })
    expect(sent()).toBe(before)
    expect(auth.explain()).toContainEqual(
      expect.objectContaining({ step: 'renew token', outcome: 'skipped', detail: '401' }),
    )
  })
})

it('with silent sign-in off and no refresh token the token lives to its end, and the cause says what is off', async () => {
  const scene = createOidcScene({
    options: { silent: 'off' },
    config: { scopes: ['openid'], autoLogout: false, autoLogin: false, autoRefreshToken: true },
  })
  scene.provider.answer = { refresh_token: undefined }
  const told: string[] = []
  const page = await signedInByClick({
    ...scene,
    platformOf: (host) => ({ ...host.platform, tell: (message: string) => told.push(message) }),
  })
  expect(told.join()).toContain("silent is 'off': the session ends with this token")
  await page.host.clock.advance(LIFE_MS - 1_000)
  expect(page.auth.getState().status).toBe('authenticated')
  await page.host.clock.advance(2_000)
  expect(page.auth.getState()).toMatchObject({
    ...ENDED,
    cause: { code: 'iframe-blocked', remedy: expect.stringContaining("silent: 'off'") },
  })
})

it('another user at the provider, and a refresh token that is refused: every tab ends at once, and says why', async () => {
  const scene = createOidcScene({ config: { autoLogout: false } })
  const tabs = await signedInTwice(scene)
  const { fetch } = tabs[0].host
  tabs[0].host.fetch = async (input, init) =>
    bodyOf(init).includes('refresh_token=') ? REFRESH.refused() : fetch(input, init)
  scene.provider.user = 'bob'
  await tabs[0].auth.renew({ force: true }).catch(() => {})
  await scene.browser.clock.advance(1_000)
  expect(tabs[0].auth.getState()).toMatchObject({ ...ENDED, cause: { code: 'identity-changed' } })
  expect(tabs[1].auth.getState().status).toBe('unauthenticated')
})
