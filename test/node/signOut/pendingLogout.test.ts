// A logout that could not reach the server is not undone by the next page: not by a reload, another tab or the first script.
import { describe, expect, it } from 'vitest'
import type { Auth } from '../../../src/session/auth.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { earlyScript, openEarlyPage } from '../early/earlyScene.ts'
import {
  APP,
  createScene,
  nextPage,
  type Scene,
  type SceneOptions,
  startScene,
  stepsOfPage,
} from '../session/sessionScene.ts'

const OWED = 'latchkey https://auth.test admin owedLogout'

async function signOutOffline(options: SceneOptions = {}): Promise<Scene> {
  const scene = await startScene(options)
  scene.host.setOnline(false)
  await scene.auth.logout()
  return scene
}

async function started(scene: Scene): Promise<Scene> {
  void scene.auth.start()
  await scene.host.settle()
  return scene
}

/** The page closed, and one opened in a new tab of the same browser. */
function openAnew(scene: Scene, options: SceneOptions = {}): Promise<Scene> {
  scene.host.close()
  return openBeside(scene, options)
}
const openBeside = ({ host: { browser }, server }: Scene, options: SceneOptions = {}): Promise<Scene> => {
  const beside = createScene({
    ...options,
    host: { browser, server, ...options.host },
  })
  return started({ ...beside, server })
}

/** Bob signs in on the sign-in page that the page has gone to. */
async function signInAsBob(page: Scene): Promise<Scene> {
  page.server.user = createFakeUser({ userId: 'bob' })
  const bob = await started(nextPage(page, page.server.callbackOf(page.host.navigations[0] ?? '')))
  expect(bob.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'bob' } })
  return bob
}

/** Where a page has been sent, without what is drawn at random. */
const left = ({ host }: Scene) =>
  host.navigations.map((url) => {
    const { pathname, searchParams } = new URL(url)
    return [pathname, searchParams.get('prompt') ?? searchParams.get('force')]
  })

/** Nobody is sent anywhere before a click; it leads to a page that asks for the credentials, and Bob gets in for good. */
async function expectSignInByClick(page: Scene): Promise<void> {
  expect([page.host.frames, page.host.navigations]).toEqual([[], []])
  await page.auth.login()
  expect(left(page)).toEqual([['/oauth/authorize', 'login']])
  const later = await openAnew(await signInAsBob(page))
  expect(later.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'bob' } })
}

/** The browser comes back from the logout page, where the server has ended its session. */
const comeBack = (scene: Scene, options: SceneOptions = {}) => {
  scene.server.user = undefined
  const { searchParams } = new URL(scene.host.navigations.at(-1) ?? '')
  return started(nextPage(scene, `${APP}?state=${searchParams.get('state')}`, options))
}

const asked = ({ host }: Scene) =>
  host.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)

const owedSteps = (auth: Auth) =>
  stepsOfPage(auth)
    .filter(({ step }) => step === 'owed logout')
    .map(({ outcome, detail }) => [outcome, detail])

describe('a sign-out without network', () => {
  it('is not undone by a reload: the next page tells the server, and signs nobody in', async () => {
    const page = await started(nextPage(await signOutOffline(), APP))
    expect(page.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    expect(left(page)).toEqual([['/oauth/logout', 'true']])
    expect(page.host.frames).toEqual([])
    expect(asked(page)).toEqual(['GET /api/userinfo'])
    expect(owedSteps(page.auth)).toEqual([['started', 'to the logout page']])
  })

  it('on a shared computer the next user is asked for credentials, and is not the one before', async () => {
    const alice = await signOutOffline()
    const bob = await openAnew(alice)
    expect(left(bob)).toEqual([['/oauth/logout', 'true']])
    const back = await comeBack(bob)
    expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    await back.auth.login()
    expect(left(back)).toEqual([['/oauth/authorize', null]])
    const later = await openAnew(await signInAsBob(back))
    expect(later.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'bob' } })
  })

  it('is not undone by a page that is closed while beforeLogout still runs', async () => {
    const scene = await startScene({ config: { hooks: { beforeLogout: () => new Promise(() => {}) } } })
    scene.host.setOnline(false)
    void scene.auth.logout().catch(() => {})
    await scene.host.settle()
    const page = await openAnew(scene)
    expect(left(page)).toEqual([['/oauth/logout', 'true']])
    expect(page.auth.getState().status).toBe('redirecting')
  })

  it('is not undone by a page that opens without a network either: it says so, and tells the server later', async () => {
    const page = await openAnew(await signOutOffline(), { host: { isOnline: false } })
    expect(page.auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: { code: 'offline' },
    })
    expect(owedSteps(page.auth)).toEqual([['skipped', 'the browser is offline']])
    page.host.setOnline(true)
    await page.host.settle()
    expect(left(page)).toEqual([['/oauth/logout', 'true']])
    expect(page.host.frames).toEqual([])
  })

  it('with force=false is told with force=false', async () => {
    const scene = await startScene()
    scene.host.setOnline(false)
    await scene.auth.logout({ force: false })
    expect(left(await openAnew(scene))).toEqual([['/oauth/logout', 'false']])
  })

  it('at the end of idle time keeps its reason', async () => {
    const scene = await startScene({ config: { idleTimeoutInMinutes: 1, autoLogout: true } })
    scene.host.setOnline(false)
    await scene.host.clock.advance(120_000)
    const page = await openAnew(scene, { host: { isOnline: false } })
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
  })

  it('keeps nobody out: a server that sends nobody back from its logout page is asked once', async () => {
    const page = await openAnew(await signOutOffline())
    expect(left(page)).toEqual([['/oauth/logout', 'true']])
    const next = await openAnew(page)
    await expectSignInByClick(next)
  })

  it('without autoLogin waits for a click, and the sign-in page asks for the credentials', async () => {
    const options: SceneOptions = { config: { autoLogin: false } }
    const page = await openAnew(await openAnew(await signOutOffline(), options), options)
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    await page.auth.login({ prompt: 'select_account' })
    expect(left(page)).toEqual([['/oauth/authorize', 'login']])
  })

  it('lets no link and no initToken in before the server has been told', async () => {
    const scene = await signOutOffline({ config: { autoLogin: false } })
    const page = await openAnew(scene, { config: { initToken: 'a.b.c' } })
    expect(left(page)).toEqual([['/oauth/logout', 'true']])
    const skipped = page.auth.explain().find(({ step }) => step === 'initToken')
    expect(skipped).toMatchObject({ outcome: 'skipped', detail: 'a logout is owed to the server' })
  })
})

describe('the page of a sign-out without network', () => {
  it('tells the server when the network is back, and the page after that knows', async () => {
    const scene = await signOutOffline()
    scene.host.setOnline(true)
    await scene.host.settle()
    expect(left(scene)).toEqual([['/oauth/logout', 'true']])
    const back = await comeBack(scene)
    expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    await back.auth.login()
    expect(left(back)).toEqual([['/oauth/authorize', null]])
  })

  it('leaves nobody who has signed in elsewhere meanwhile: not them, and not itself', async () => {
    const first = await signOutOffline()
    // Told late that there is a network, as a frozen tab is.
    const second = await openBeside(first)
    const back = await comeBack(second)
    await back.auth.login()
    const bob = await signInAsBob(back)
    first.host.setOnline(true)
    await first.host.settle()
    expect(first.host.navigations).toEqual([])
    expect(bob.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'bob' } })
  })

  it('does not go to the logout page when another tab has been there', async () => {
    const first = await signOutOffline()
    await comeBack(await openBeside(first))
    first.host.setOnline(true)
    await first.host.settle()
    expect(first.host.navigations).toEqual([])
  })

  it('does not forget it when the app clears the storage', async () => {
    const scene = await signOutOffline()
    scene.host.localStorage.clear()
    scene.host.setOnline(true)
    await scene.host.settle()
    expect(left(scene)).toEqual([['/oauth/logout', 'true']])
  })

  it('tells the server itself where nothing can be stored, and explain() says that only it can', async () => {
    const scene = await startScene()
    scene.host.localStorage.fault = 'denied'
    scene.host.setOnline(false)
    await scene.auth.logout()
    expect(owedSteps(scene.auth)).toContainEqual(['failed', 'not stored: only this page can send it'])
    scene.host.setOnline(true)
    await scene.host.settle()
    expect(left(scene)).toEqual([['/oauth/logout', 'true']])
  })
})

describe('a sign-out while the browser says that it is online, and the server is out of reach', () => {
  // The browser shows an error page of its own in the place of the logout page: this page is gone, and hears nothing.
  const signOutInVain = async (options: SceneOptions = {}) => {
    const scene = await startScene(options)
    await scene.auth.logout()
    expect(left(scene)).toEqual([['/oauth/logout', 'true']])
    return scene
  }
  const byHand: SceneOptions = { config: { autoLogin: false } }

  it.each<[string, (scene: Scene) => Promise<Scene>]>([
    ['the next page of the tab', (scene) => started(nextPage(scene, APP, byHand))],
    ['a new tab', (scene) => openAnew(scene, byHand)],
    ['a tab beside it', (scene) => openBeside(scene, byHand)],
  ])('is not undone by %s once the server is back: nobody is asked for silently', async (_page, open) => {
    const page = await open(await signOutInVain(byHand))
    expect(page.auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: { code: 'logout-failed' },
    })
    expect([page.host.frames, page.host.requests, page.host.navigations]).toEqual([[], [], []])
    expect(owedSteps(page.auth)).toEqual([['skipped', 'the logout page was asked for before']])
    await page.auth.login()
    expect(left(page)).toEqual([['/oauth/authorize', 'login']])
  })

  it('is told once: the pages after that say nothing of it, and still ask for the credentials', async () => {
    const told = await openAnew(await signOutInVain())
    expect(told.auth.getState()).toMatchObject({ cause: { code: 'logout-failed' } })
    const page = await openAnew(told)
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(page.auth.getState()).not.toHaveProperty('cause')
    await expectSignInByClick(page)
  })

  it('is tried again by who logs out again at once, on a page that says so', async () => {
    const page = await started(nextPage(await signOutInVain(byHand), APP, byHand))
    expect(page.auth.getState()).toMatchObject({ cause: { code: 'logout-failed' } })
    void page.auth.logout()
    await page.host.settle()
    expect(left(page)).toEqual([['/oauth/logout', 'true']])
  })

  it('with automatic sign-in too waits for a click, which leads to a sign-in page that asks for the credentials', async () => {
    const page = await openAnew(await signOutInVain())
    await expectSignInByClick(page)
  })

  it('is told to who comes back to the page with the back button', async () => {
    const scene = await signOutInVain(byHand)
    scene.host.emit('restored')
    await scene.host.settle()
    expect(scene.auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: { code: 'logout-failed' },
    })
    await scene.auth.login()
    expect(left(scene).at(-1)).toEqual(['/oauth/authorize', 'login'])
  })

  it('is not undone by a page that is closed while beforeLogout still runs: the next one tells the server', async () => {
    const scene = await startScene({ config: { hooks: { beforeLogout: () => new Promise(() => {}) } } })
    void scene.auth.logout().catch(() => {})
    await scene.host.settle()
    const page = await openAnew(scene)
    expect(left(page)).toEqual([['/oauth/logout', 'true']])
    expect(page.host.frames).toEqual([])
  })

  it('is not undone at the end of idle time either', async () => {
    const config = { idleTimeoutInMinutes: 1, autoLogout: true, autoLogin: false }
    const scene = await startScene({ config })
    await scene.host.clock.advance(120_000)
    expect(left(scene)).toEqual([['/oauth/logout', 'true']])
    const page = await openAnew(scene, { config })
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
    expect(page.host.frames).toEqual([])
  })

  it('is over once the browser comes back from the logout page', async () => {
    const back = await comeBack(await signOutInVain(byHand), byHand)
    expect(back.auth.getState()).toEqual(
      expect.objectContaining({ status: 'unauthenticated', reason: 'signed-out' }),
    )
    expect(back.auth.getState()).not.toHaveProperty('cause')
    back.server.user = createFakeUser()
    expect((await openAnew(back, byHand)).auth.getState().status).toBe('authenticated')
  })
})

it.each([
  ['with a network', true],
  ['without a network', false],
])(
  'a logout that a reload has cut off while beforeLogout ran ends in the other tabs, %s',
  async (_how, isOnline) => {
    const scene = await startScene({ config: { hooks: { beforeLogout: () => new Promise(() => {}) } } })
    const beside = await openBeside(scene)
    await scene.host.clock.advance(1000)
    expect(beside.auth.getState().status).toBe('authenticated')
    void scene.auth.logout().catch(() => {})
    await scene.host.settle()
    const page = await started(nextPage(scene, APP, { host: { isOnline } }))
    await beside.host.clock.advance(6000)
    expect(beside.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(left(beside)).toEqual([])
    expect(left(page)).toEqual(isOnline ? [['/oauth/logout', 'true']] : [])
  },
)

it('a logout whose page could not be opened is told by the next page', async () => {
  const scene = await startScene()
  scene.host.navigationError = new Error('navigation blocked')
  await scene.auth.logout().catch(() => {})
  expect(left(await openAnew(scene))).toEqual([['/oauth/logout', 'true']])
})

it('a logout that reaches the server is owed, without a name or a secret, until the browser has come back', async () => {
  const scene = await startScene()
  await scene.auth.logout()
  expect(scene.host.localStorage.get(OWED)).toBe(
    `{"reason":"signed-out","force":true,"isSent":true,"atMs":${scene.host.clock.nowMs}}`,
  )
  const back = await comeBack(scene)
  expect(back.host.localStorage.get(OWED)).toBe('settled')
})

it.each(['', 'null', '[]', '"x"', '{"reason":"none"}', '{"reason":7}', '{'])(
  'what somebody else wrote there (%s) counts as absent',
  async (text) => {
    const scene = createScene()
    scene.host.localStorage.set(OWED, text)
    await started(scene)
    expect(scene.auth.getState().status).toBe('authenticated')
  },
)

describe('the first script of a page', () => {
  it('opens no frame while the server has not been told', async () => {
    await earlyScript()
    const owed = JSON.stringify({ reason: 'signed-out', force: true, isSent: false })
    const page = await openEarlyPage({ localStorage: { [OWED]: owed } })
    expect(page.frames).toEqual([])
    expect(page.server.tokenRequests).toEqual([])
  })

  it('looks for the session again after that', async () => {
    await earlyScript()
    const page = await openEarlyPage({ localStorage: { [OWED]: 'settled' } })
    expect(page.server.tokenRequests).toHaveLength(1)
  })
})

describe('the sign-in after a logout that nobody has confirmed', () => {
  /** Signed out in vain an hour after the sign-in; then a click, and the server sends the browser back. */
  const signInAgain = async (authTime: (nowMs: number) => number | undefined) => {
    const scene = await startScene()
    await scene.host.clock.advance(3_600_000)
    await scene.auth.logout()
    const next = await started(nextPage(scene, APP))
    await next.host.clock.advance(60_000)
    await next.auth.login()
    const url = next.host.navigations.at(-1)!
    expect(new URL(url).searchParams.get('prompt')).toBe('login')
    // The contract of authHost knows no such parameter.
    expect(new URL(url).searchParams.has('max_age')).toBe(false)
    const iat = Math.floor(next.host.clock.nowMs / 1000)
    const auth_time = authTime(next.host.clock.nowMs)
    next.server.user = createFakeUser({ iat, ...(auth_time !== undefined && { auth_time }) })
    return started(nextPage(next, next.server.callbackOf(url)))
  }

  it('by credentials that were given before it lets nobody in: the logout is owed again, and told at once', async () => {
    const page = await signInAgain((nowMs) => Math.floor(nowMs / 1000) - 3_600)
    expect(page.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    expect(left(page)).toEqual([['/oauth/logout', 'true']])
    expect(page.auth.explain()).toContainEqual(
      expect.objectContaining({
        step: 'code in the address',
        outcome: 'failed',
        detail: 'Logging out at the server failed',
      }),
    )
    const back = await comeBack(page)
    expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it.each<[string, (nowMs: number) => number | undefined]>([
    ['by credentials that were given after it', (nowMs) => Math.floor(nowMs / 1000) - 20],
    ['at a server that does not say when', () => undefined],
  ])('%s lets the user in, and nothing is owed any more', async (_how, authTime) => {
    const page = await signInAgain(authTime)
    expect(page.auth.getState().status).toBe('authenticated')
    expect(page.host.localStorage.get(OWED)).toBe('settled')
  })

  it('with the clock of the machine set back since then keeps nobody out', async () => {
    const page = await signInAgain((nowMs) => Math.floor(nowMs / 1000) - 3_600)
    page.host.localStorage.set(OWED, JSON.stringify({ reason: 'signed-out', isSent: true, atMs: 9e15 }))
    const next = await started(nextPage(page, APP))
    await next.auth.login()
    const url = next.host.navigations.at(-1)!
    const signedIn = await started(nextPage(next, next.server.callbackOf(url)))
    expect(signedIn.auth.getState().status).toBe('authenticated')
  })
})
