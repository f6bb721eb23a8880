// A sign-in page that neither knows prompt=none nor may be framed: one cold start waits for its frame, and the browser remembers.
import { describe, expect, it } from 'vitest'
import { UNANSWERED_FRAME_MS } from '../../../src/base/constants.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import { unansweredKey } from '../../../src/protocol/storageKeys.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { APP, ISSUER, METADATA } from '../scene.ts'
import { createOidcScene, json, type OidcScene, type OidcSceneOptions, type Page } from './sessionScene.ts'

/** How long the frame has after it has loaded. */
const GRACE_MS = 3_000
const CLIENT = { authHost: ISSUER, clientId: 'admin' }
const IN_VAIN = { code: 'iframe-blocked', message: 'agent-iframe blocked: unanswered' }

/** Shows its sign-in page in the frame, unless somebody has a session there: then it sends the browser back, as by any redirect. */
const onlyWithSession =
  (scene: OidcScene) =>
  (frame: FakeFrame): void =>
    queueMicrotask(() => (scene.provider.user === undefined ? frame.load() : scene.answerFrame(frame)))

const anyway =
  (scene: OidcScene) =>
  (frame: FakeFrame): void =>
    queueMicrotask(() => scene.answerFrame(frame))

const never = () => (frame: FakeFrame) => queueMicrotask(() => frame.load())

type OnFrame = (scene: OidcScene) => (frame: FakeFrame) => void

function createScene(options?: OidcSceneOptions, first: OnFrame = onlyWithSession) {
  const scene = createOidcScene(options)
  let onFrame = first(scene)
  let askedCount = 0
  const counted = (frame: FakeFrame) => {
    askedCount += 1
    onFrame(frame)
  }
  const begin = async (page: Page) => {
    void page.auth.start()
    await page.host.settle()
    return page
  }
  return {
    ...scene,
    askedCount: () => askedCount,
    becomes(next: OnFrame) {
      onFrame = next(scene)
    },
    /** A tab of its own: no other is open. */
    newTab: (config?: AuthConfig) => begin(scene.open(APP, { onFrame: counted }, config)),
    /** The same tab, at the place the browser is sent to, or reloaded. */
    next({ host }: Page, address: string) {
      host.close()
      const after = host.openNext(address, { onFrame: counted })
      return begin({ host: after, auth: createAuth(scene.config(), { platform: after.platform }) })
    },
    /** Somebody types a password, and the browser comes back. */
    async signIn(page: Page, waitMs = 20_000) {
      await page.host.clock.advance(waitMs)
      scene.provider.user = 'ada'
      return this.next(page, scene.provider.authorize(page.host.navigations.at(-1)!))
    },
    /** The browser is closed, and the provider's session ends. */
    close({ host }: Page) {
      host.close()
      scene.provider.user = undefined
    },
  }
}

type Scene = ReturnType<typeof createScene>

/** A cold start that waits in vain for the frame, then a sign-in. */
async function coldStart(scene: Scene): Promise<Page> {
  const page = await scene.newTab()
  expect(page.auth.getState().status).toBe('initializing')
  await page.host.clock.advance(GRACE_MS)
  expect(page.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
  const back = await scene.signIn(page)
  expect(back.auth.getState().status).toBe('authenticated')
  return back
}

/** The next page waits for no frame. */
async function waitsForNone(scene: Scene, page: Promise<Page>): Promise<Page> {
  const count = scene.askedCount()
  const { auth, host } = await page
  expect(scene.askedCount()).toBe(count)
  expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
  expect(host.frames).toEqual([])
  return page
}

describe('a browser that has waited once', () => {
  it('does not wait again after a restart, and says why', async () => {
    const scene = createScene()
    scene.close(await coldStart(scene))
    const { auth } = await waitsForNone(scene, scene.newTab())
    const step = auth.explain().find(({ step: name }) => name === 'verify existing session')
    expect(step).toMatchObject({ outcome: 'failed', error: IN_VAIN })
    expect(step?.error?.remedy).toContain("silent: 'off'")
  })

  it('does not wait in a second tab that nobody is signed in to', async () => {
    const scene = createScene()
    scene.close(await coldStart(scene))
    await waitsForNone(scene, scene.newTab())
    const { auth } = await waitsForNone(scene, scene.newTab())
    expect(auth.getState().status).toBe('redirecting')
  })

  it('keeps no secret and nothing of the user', async () => {
    const scene = createScene()
    const { host } = await coldStart(scene)
    expect(JSON.parse(host.localStorage.get(unansweredKey(CLIENT))!)).toEqual({
      failures: 2,
      offUntilMs: expect.any(Number),
    })
  })

  it('still asks by the frame at a reload, where the server has the session', async () => {
    const scene = createScene()
    const page = await coldStart(scene)
    const count = scene.askedCount()
    const { auth, host } = await scene.next(page, APP)
    expect(scene.askedCount()).toBe(count + 1)
    expect(auth.getState().status).toBe('authenticated')
    expect(host.navigations).toEqual([])
  })

  it('waits once more after 7 days, not earlier, and then again not', async () => {
    const scene = createScene()
    const page = await coldStart(scene)
    const learnedAtMs = scene.browser.clock.nowMs
    scene.close(page)
    await scene.browser.clock.advance(learnedAtMs + UNANSWERED_FRAME_MS - 1 - scene.browser.clock.nowMs)
    const early = await waitsForNone(scene, scene.newTab())
    early.host.close()
    await scene.browser.clock.advance(1)
    const late = await scene.newTab()
    expect(late.auth.getState().status).toBe('initializing')
    await late.host.clock.advance(GRACE_MS)
    expect(late.auth.getState().status).toBe('redirecting')
    late.host.close()
    await waitsForNone(scene, scene.newTab())
  })

  it('waits when its clock is set back', async () => {
    const scene = createScene()
    scene.close(await coldStart(scene))
    scene.browser.clock.jump(-86_400_000)
    const page = await scene.newTab()
    expect(page.auth.getState().status).toBe('initializing')
  })

  it.each([
    ['another client', { clientId: 'shop' }],
    [
      'another issuer',
      {
        server: openIdConnect({
          issuer: 'https://other.example.com',
          metadata: { ...METADATA, issuer: 'https://other.example.com' },
        }),
      },
    ],
  ])('asks %s', async (_what, change) => {
    const scene = createScene()
    scene.close(await coldStart(scene))
    const count = scene.askedCount()
    await scene.newTab({ ...scene.config(), ...change } as AuthConfig)
    expect(scene.askedCount()).toBe(count + 1)
  })

  it('still renews by the frame in a tab that is signed in', async () => {
    const scene = createScene()
    scene.provider.answer = { refresh_token: undefined }
    const page = await coldStart(scene)
    await page.auth.renew({ force: true })
    expect(page.auth.getState().status).toBe('authenticated')
  })
})

describe('a renewal by the frame, of a session without a refresh token,', () => {
  /** What stands in front of the provider is restarted: the frame gets an error page, and the next request is answered. */
  async function signedIn(config: Partial<AuthConfig> = {}, life: { expires_in?: number | undefined } = {}) {
    const scene = createScene({ config: { autoLogout: false, autoRefreshToken: true, ...config } }, anyway)
    scene.provider.answer = { refresh_token: undefined, expires_in: 300, ...life }
    scene.provider.user = 'ada'
    const page = await scene.newTab()
    expect(page.auth.getState().status).toBe('authenticated')
    return { ...scene, ...page }
  }

  it('that gets no response once keeps the user, and the next frame renews', async () => {
    const { auth, host, askedCount, becomes } = await signedIn()
    const before = auth.getState()
    const token = await auth.getAccessToken()
    becomes(never)
    await host.clock.advance(270_000 + GRACE_MS)
    becomes(anyway)
    await host.clock.advance(1_000)
    expect(askedCount()).toBe(3)
    expect(auth.getState()).toBe(before)
    expect(await auth.getAccessToken()).not.toBe(token)
    expect(host.navigations).toEqual([])
  })

  it('keeps the user as long as the token lives, then ends the session', async () => {
    const { auth, host, becomes } = await signedIn()
    becomes(never)
    await host.clock.advance(299_000)
    expect(auth.getState().status).toBe('authenticated')
    await host.clock.advance(60_000)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
  })

  it('does not end a session whose token has expired by one frame without a response', async () => {
    const { auth, host, becomes } = await signedIn({ autoRefreshToken: false })
    await host.clock.advance(400_000)
    becomes(never)
    const failed = auth.getAccessToken().catch((error: unknown) => error)
    await host.clock.advance(GRACE_MS)
    expect(await failed).toMatchObject({ code: 'iframe-timeout' })
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: true })
    becomes(anyway)
    // Calls ask for a renewal every 5 s at most while it fails.
    await host.clock.advance(5_000 - GRACE_MS)
    expect(await auth.getAccessToken()).toBeTypeOf('string')
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: false })
  })

  it.each([
    ['has expired', {}],
    ['came without its life', { expires_in: undefined }],
  ])('ends the session by the second frame in vain, where the token %s', async (_when, life) => {
    const { auth, host, becomes } = await signedIn({ autoRefreshToken: false }, life)
    await host.clock.advance(400_000)
    becomes(never)
    for (let time = 0; time < 2; time += 1) {
      const failed = auth.renew({ force: true }).catch(() => {})
      await host.clock.advance(GRACE_MS)
      await failed
    }
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
  })

  it('teaches the browser nothing about cold starts', async () => {
    const { host, becomes } = await signedIn()
    becomes(never)
    await host.clock.advance(280_000 + GRACE_MS)
    expect(host.localStorage.get(unansweredKey(CLIENT))).toBeUndefined()
  })

  it('ends the session at once where the provider has none', async () => {
    const { auth, host, provider, becomes } = await signedIn()
    provider.user = undefined
    becomes(anyway)
    await host.clock.advance(270_000)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
  })
})

describe('a server that gets better', () => {
  it('is noticed by the first frame that is told that nobody is signed in', async () => {
    const scene = createScene()
    const page = await coldStart(scene)
    scene.becomes(anyway)
    scene.provider.user = undefined
    const reloaded = await scene.next(page, APP)
    expect(reloaded.auth.getState().status).toBe('redirecting')
    reloaded.host.close()
    const count = scene.askedCount()
    const next = await scene.newTab()
    expect(scene.askedCount()).toBe(count + 1)
    expect(next.auth.getState().status).toBe('redirecting')
  })

  it('within 7 days, whatever happens', async () => {
    const scene = createScene({ config: { autoLogout: false } })
    scene.close(await coldStart(scene))
    scene.becomes(anyway)
    await scene.browser.clock.advance(UNANSWERED_FRAME_MS)
    scene.provider.user = 'ada'
    const { auth, host } = await scene.newTab()
    expect(auth.getState().status).toBe('authenticated')
    expect(host.navigations).toEqual([])
  })
})

describe('a browser that has learned nothing', () => {
  it('waits again after one frame that nobody signed in after', async () => {
    const scene = createScene()
    const first = await scene.newTab()
    await first.host.clock.advance(GRACE_MS)
    first.host.close()
    const second = await scene.newTab()
    expect(second.auth.getState().status).toBe('initializing')
    await second.host.clock.advance(GRACE_MS)
    second.host.close()
    // Two in a row, in two tabs, are enough.
    await waitsForNone(scene, scene.newTab())
  })

  it('counts no slow server, whose sign-in page then lets the user through at once', async () => {
    const scene = createScene({}, never)
    const page = await scene.newTab()
    await page.host.clock.advance(GRACE_MS)
    scene.close(await scene.signIn(page, 500))
    const next = await scene.newTab()
    expect(next.auth.getState().status).toBe('initializing')
  })

  it('counts no server that is away', async () => {
    const scene = createScene({}, () => () => {})
    for (let round = 1; round <= 2; round += 1) {
      const page = await scene.newTab()
      // A response counts as a sign of life for 10 s.
      await page.host.clock.advance(11_000)
      scene.provider.instead.set('/.well-known/openid-configuration', () => json({}, 503))
      page.host.frames[0]!.load()
      await page.host.clock.advance(GRACE_MS + 15_000)
      page.host.close()
      scene.provider.instead.clear()
    }
    const { auth } = await scene.newTab()
    expect(JSON.stringify(auth.explain())).not.toContain('unanswered')
  })

  it.each(['{', '"x"', '{"failures":2}', '{"failures":2,"offUntilMs":1e999}', '[]', 'null'])(
    'takes %s in the storage for nothing',
    async (text) => {
      const scene = createScene()
      const page = scene.open(APP)
      page.host.localStorage.set(unansweredKey(CLIENT), text)
      await scene.newTab()
      expect(scene.askedCount()).toBe(1)
    },
  )
})

describe('without autoLogin', () => {
  it('a browser that had a session still waits, since only the frame can find it', async () => {
    const scene = createScene({ config: { autoLogin: false } })
    const first = await scene.newTab()
    await first.host.clock.advance(GRACE_MS)
    await first.auth.login()
    const page = await scene.signIn(first)
    expect(page.auth.getState().status).toBe('authenticated')
    page.host.close()
    const { auth } = await scene.newTab()
    expect(auth.getState().status).toBe('authenticated')
  })

  it('one that has none shows the app without a wait', async () => {
    const scene = createScene({ config: { autoLogin: false } })
    for (let round = 1; round <= 2; round += 1) {
      const page = await scene.newTab()
      await page.host.clock.advance(GRACE_MS)
      page.host.close()
    }
    const { auth } = await scene.newTab()
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', cause: IN_VAIN })
  })
})

it('a frame that gets no response with a session either is asked in vain once, not at each reload', async () => {
  const scene = createScene({}, never)
  const page = await coldStart(scene)
  const reloaded = await scene.next(page, APP)
  expect(reloaded.auth.getState().status).toBe('initializing')
  await reloaded.host.clock.advance(GRACE_MS)
  const back = await scene.signIn(reloaded, 500)
  expect(back.auth.getState().status).toBe('authenticated')
  await waitsForNone(scene, scene.next(back, APP))
})
