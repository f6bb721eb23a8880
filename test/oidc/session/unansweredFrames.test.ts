// A sign-in page that gives no response in a hidden frame: what a tab makes of it, at start-up and at a renewal.
import { describe, expect, it } from 'vitest'
import { SILENT_SIGN_IN_OFF_MS } from '../../../src/base/constants.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { APP } from '../scene.ts'
import { createOidcScene, type OidcScene, type OidcSceneOptions, type Page } from './sessionScene.ts'

/** How long the frame has after it has loaded. */
const GRACE_MS = 3_000

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

describe('a tab that waits in vain', () => {
  it('asks by the frame at a reload, where the server has the session', async () => {
    const scene = createScene()
    const page = await coldStart(scene)
    const count = scene.askedCount()
    const { auth, host } = await scene.next(page, APP)
    expect(scene.askedCount()).toBe(count + 1)
    expect(auth.getState().status).toBe('authenticated')
    expect(host.navigations).toEqual([])
  })

  it('does so twice, and then not for five minutes', async () => {
    const scene = createScene({ config: { autoLogin: false } }, never)
    let page = await scene.newTab()
    for (let round = 1; round <= 2; round += 1) {
      expect(page.auth.getState().status).toBe('initializing')
      await page.host.clock.advance(GRACE_MS)
      expect(page.auth.getState()).toMatchObject({ cause: { code: 'iframe-timeout' } })
      page = await scene.next(page, APP)
    }
    expect(page.auth.getState()).toMatchObject({ cause: { message: 'agent-iframe blocked: earlier' } })
    await page.host.clock.advance(SILENT_SIGN_IN_OFF_MS)
    page = await scene.next(page, APP)
    expect(page.auth.getState().status).toBe('initializing')
    expect(scene.askedCount()).toBe(3)
  })

  it('says nothing of other tabs', async () => {
    const scene = createScene()
    scene.close(await coldStart(scene))
    const { auth } = await scene.newTab()
    expect(auth.getState().status).toBe('initializing')
  })

  it('still renews by the frame once it is signed in', async () => {
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

  it('ends the session at once where the provider has none', async () => {
    const { auth, host, provider, becomes } = await signedIn()
    provider.user = undefined
    becomes(anyway)
    await host.clock.advance(270_000)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
  })
})
