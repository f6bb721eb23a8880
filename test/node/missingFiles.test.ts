// A later file of the library does not come, as after a deployment or behind a blocker: what can work without it works.
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Auth } from '../../src/session/auth.ts'
import { createMemoryRealtime } from '../../src/session/memoryRealtime.ts'
import { createAuth, sessionOf } from '../../src/session/session.ts'
import { createFakeAuthServer } from '../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost } from '../../src/testing/fakeHost.ts'
import { APP, CONFIG, createScene, startScene } from './sessionScene.ts'

const MISSING = 'Failed to fetch dynamically imported module: /assets/browserPlatformTabs.js'
const LIFE_MS = 3_600_000

/** Refuses the file until the answer is called. */
function withhold({ platform }: FakeHost) {
  const load = platform.loadTabs
  let askedCount = 0
  platform.loadTabs = async () => {
    askedCount += 1
    throw new TypeError(MISSING)
  }
  return {
    askedCount: () => askedCount,
    release() {
      platform.loadTabs = load
    },
  }
}

function openTab(browser = createFakeBrowser(), server = createFakeAuthServer()) {
  const host = createFakeHost(APP, {
    browser,
    fetch: server.fetch,
    onFrame: (frame) => queueMicrotask(() => server.answerFrame(frame)),
  })
  const auth = createAuth({ ...CONFIG, autoLogin: false, autoLogout: false }, { platform: host.platform })
  return { host, auth, server, browser }
}

const grants = (host: FakeHost) =>
  host.requests
    .filter(({ url }) => url.endsWith('/oauth/token'))
    .map(({ body }) => (JSON.parse(body ?? '{}') as Record<string, string>)['grant_type'])

it('signs in, renews and signs out', async () => {
  const scene = createScene({ config: { autoLogout: false } })
  withhold(scene.host)
  void scene.auth.start()
  await scene.host.settle()
  expect(scene.auth.getState().status).toBe('authenticated')
  await scene.host.clock.advance(LIFE_MS)
  await scene.auth.getAccessToken()
  expect(grants(scene.host)).toEqual(['authorization_code', 'refresh_token'])
  await scene.auth.logout()
  expect(scene.host.navigations.at(-1)).toContain('/oauth/logout')
})

it('finds the session at the server when it cannot ask the tabs beside it', async () => {
  const first = openTab()
  void first.auth.start()
  await first.host.settle()
  const second = openTab(first.browser, first.server)
  withhold(second.host)
  void second.auth.start()
  await second.host.settle()
  expect(second.auth.getState().status).toBe('authenticated')
  expect([second.host.frames.length, grants(second.host)]).toEqual([1, ['authorization_code']])
})

it('is not waited for longer than five seconds when it hangs, by a new tab or by a renewal', async () => {
  const first = openTab()
  void first.auth.start()
  await first.host.settle()
  const second = openTab(first.browser, first.server)
  second.host.platform.loadTabs = () => new Promise(() => {})
  void second.auth.start()
  await second.host.clock.advance(4_900)
  expect(second.auth.getState().status).toBe('initializing')
  await second.host.clock.advance(200)
  expect(second.auth.getState().status).toBe('authenticated')
  const renewing = second.auth.renew({ force: true })
  await second.host.clock.advance(5_100)
  await renewing
  expect(grants(second.host)).toEqual(['authorization_code', 'refresh_token'])
  second.auth.dispose()
  await second.host.clock.advance(10_000)
  expect(second.host.counts().timers).toBe(0)
})

it('says so, to the developer and in explain()', async () => {
  const scene = createScene({ config: { autoLogout: false } })
  withhold(scene.host)
  void scene.auth.start()
  await scene.host.settle()
  expect(scene.host.warnings.map(({ cause }) => String(cause))).toEqual([`TypeError: ${MISSING}`])
  expect(scene.auth.explain()).toContainEqual(
    expect.objectContaining({ step: 'other tabs', outcome: 'failed' }),
  )
})

it('shares the session after the next renewal, when the file comes then', async () => {
  const first = openTab()
  const file = withhold(first.host)
  void first.auth.start()
  await first.host.settle()
  file.release()
  await first.host.clock.advance(LIFE_MS)
  await first.auth.getAccessToken()
  await first.host.settle()
  const second = openTab(first.browser, first.server)
  void second.auth.start()
  await second.host.clock.advance(1000)
  expect([second.auth.getState().status, second.host.requests.length]).toEqual(['authenticated', 0])
})

it('joins the channels after the next renewal, when the file comes then', async () => {
  const hub = createMemoryRealtime()
  const { host, auth } = createScene({ config: { autoLogout: false, realtime: hub.transport } })
  const file = withhold(host)
  void auth.start()
  await host.settle()
  expect(auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'degraded' })
  file.release()
  await auth.renew({ force: true })
  await host.clock.advance(1000)
  expect(auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'connected' })
})

it('joins the channels after the next renewal also when the file hung at first', async () => {
  const hub = createMemoryRealtime()
  const { host, auth } = createScene({ config: { autoLogout: false, realtime: hub.transport } })
  const load = host.platform.loadTabs
  host.platform.loadTabs = () => new Promise(() => {})
  void auth.start()
  await host.clock.advance(5_100)
  expect(auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'degraded' })
  host.platform.loadTabs = load
  await auth.renew({ force: true })
  await host.clock.advance(1000)
  expect(auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'connected' })
})

it('a session that is shared late does not take the tokens of tabs long gone for its own', async () => {
  const { browser, server } = openTab()
  const old = openTab(browser, server)
  void old.auth.start()
  await old.host.settle()
  await old.host.clock.advance(LIFE_MS)
  await old.auth.getAccessToken()
  old.host.close()
  const tab = openTab(browser, server)
  const file = withhold(tab.host)
  void tab.auth.start()
  await tab.host.settle()
  file.release()
  for (let count = 0; count < 2; count += 1) {
    await tab.host.clock.advance(LIFE_MS)
    await tab.auth.getAccessToken()
    await tab.host.settle()
  }
  expect(grants(tab.host)).toEqual(['authorization_code', 'refresh_token', 'refresh_token'])
  expect(server.tokenRequests.filter(({ isGranted }) => !isGranted)).toEqual([])
})

it('a page where nobody is signed in waits without it, and signs in', async () => {
  const server = createFakeAuthServer({ user: undefined })
  const tab = openTab(undefined, server)
  withhold(tab.host)
  void tab.auth.start()
  await tab.host.settle()
  expect(tab.auth.getState().status).toBe('unauthenticated')
  await tab.auth.login()
  expect(tab.host.navigations.at(-1)).toContain('/oauth/authorize')
})

it('a page that goes while the file is on its way leaves no error behind', async () => {
  const { host, auth } = await startScene({ config: { autoLogin: false }, server: { user: undefined } })
  let fail: (error: Error) => void = () => {}
  host.platform.loadTabs = () =>
    new Promise((_resolve, reject) => {
      fail = reject
    })
  auth.dispose()
  void auth.start()
  await host.settle()
  auth.dispose()
  fail(new TypeError(MISSING))
  await host.settle()
  expect(host.warnings).toEqual([])
})

it('a page that goes while it is about to share its session late joins no channels any more', async () => {
  const hub = createMemoryRealtime()
  const { host, auth } = createScene({
    config: { autoLogout: false, realtime: hub.transport },
    host: { without: ['seal'] },
  })
  const load = host.platform.loadTabs
  withhold(host)
  const release = sessionOf(auth).hold()
  await host.settle()
  let arrive = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve
  })
  host.platform.loadTabs = () => arrival.then(load)
  await auth.renew({ force: true })
  release()
  await host.clock.advance(1)
  arrive()
  await host.clock.advance(1000)
  expect(hub.openLinks).toBe(0)
})

describe('without what a session needs', () => {
  async function open({ isHeld = false } = {}) {
    vi.resetModules()
    const file = { isMissing: true }
    vi.doMock('../../src/session/upkeep.ts', async (original) => {
      if (file.isMissing)
        throw new TypeError('Failed to fetch dynamically imported module: /assets/upkeep.js')
      return original()
    })
    const fresh = await import('../../src/session/session.ts')
    const server = createFakeAuthServer({ user: undefined })
    const host = createFakeHost(`${APP}place?x=1#y`, {
      browser: createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
      fetch: server.fetch,
      onFrame: (frame) => queueMicrotask(() => server.answerFrame(frame)),
    })
    const auth = fresh.createAuth({ ...CONFIG, autoLogin: false }, { platform: host.platform })
    const hold = () => fresh.sessionOf(auth).hold()
    const release = isHeld ? hold() : () => {}
    if (!isHeld) void auth.start()
    await host.settle()
    return { file, host, auth, hold, release }
  }
  const retry = (auth: Auth) => {
    const state = auth.getState()
    if (state.status === 'failed') state.retry()
  }
  afterEach(() => {
    vi.doUnmock('../../src/session/upkeep.ts')
  })

  it('start-up fails with a reason, explain() tells it, and a sign-in can be begun when it comes', async () => {
    const { file, host, auth } = await open()
    expect(auth.getState()).toMatchObject({ status: 'failed', error: { code: 'internal', retryable: true } })
    expect(auth.explain()).toContainEqual(expect.objectContaining({ step: 'state', detail: 'failed' }))
    await expect(auth.login()).rejects.toMatchObject({ code: 'internal' })
    expect(() => auth.stopRenewal()).not.toThrow()
    file.isMissing = false
    await auth.login()
    expect(host.navigations.at(-1)).toContain('/oauth/authorize')
  })

  it('a retry goes on where it was when the file comes', async () => {
    const { file, host, auth } = await open()
    file.isMissing = false
    retry(auth)
    await host.clock.advance(3000)
    expect(auth.getState().status).toBe('unauthenticated')
    expect(host.navigations).toEqual([])
  })

  it('a retry loads the page anew when it does not: some browsers remember the failure', async () => {
    const { host, auth } = await open()
    retry(auth)
    retry(auth)
    await host.settle()
    expect(host.navigations).toEqual([`${APP}place?x=1#y`])
  })

  it('a network that comes back tries again, and never loads the page anew by itself', async () => {
    const { file, host, auth } = await open()
    host.emit('online')
    await host.clock.advance(3000)
    expect([auth.getState().status, host.navigations]).toEqual(['failed', []])
    file.isMissing = false
    host.emit('online')
    await host.clock.advance(3000)
    expect([auth.getState().status, host.navigations]).toEqual(['unauthenticated', []])
  })

  it('a retry without a network keeps the page', async () => {
    const { host, auth } = await open()
    host.setOnline(false)
    retry(auth)
    await host.clock.advance(3000)
    expect([auth.getState().status, host.navigations]).toEqual(['failed', []])
  })

  it('a retry whose page has let go of the session meanwhile does nothing', async () => {
    const { host, auth } = await open()
    retry(auth)
    auth.dispose()
    await host.settle()
    expect(host.navigations).toEqual([])
  })

  it('a retry goes on though what used the session was gone meanwhile, and came back', async () => {
    const { file, host, auth, hold, release } = await open({ isHeld: true })
    release()
    await host.settle()
    hold()
    file.isMissing = false
    retry(auth)
    await host.clock.advance(3000)
    expect(auth.getState().status).toBe('unauthenticated')
  })

  it.each([true, false])(
    'a retry while nobody uses the session is for the next one who does; online: %s',
    async (isOnline) => {
      const { file, host, auth, hold, release } = await open({ isHeld: true })
      release()
      await host.settle()
      file.isMissing = false
      host.setOnline(isOnline)
      retry(auth)
      await host.clock.advance(3000)
      expect([auth.getState().status, host.frames.length]).toEqual(['initializing', 0])
      host.setOnline(true)
      hold()
      await host.clock.advance(3000)
      expect(auth.getState().status).toBe('unauthenticated')
    },
  )

  it('asked for by several at once it begins once', async () => {
    const { file, host, auth } = await open()
    file.isMissing = false
    await Promise.allSettled([auth.getAccessToken(), auth.getAccessToken(), auth.renew()])
    const listenerCount = host.counts().listeners
    auth.dispose()
    void auth.start()
    await host.clock.advance(3000)
    expect(host.counts().listeners).toBe(listenerCount)
  })
})
