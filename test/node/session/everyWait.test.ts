// Every wait has a limit of its own: whatever hangs under a start-up, a renewal, a step-up, a logout, the promise settles and the page is no dead end.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { takeFirstTabLock } from '../../../src/base/firstTabLock.ts'
import { POPUP_GRACE_MS } from '../../../src/base/popupConstants.ts'
import { sessionMarkerKey } from '../../../src/protocol/storageKeys.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import { FILE_WAIT_MS, longestRenewalMs } from '../../../src/base/sessionConstants.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import type { Platform } from '../../../src/session/platform/platform.ts'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { createFakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'
import { APP, claimsOf, CLIENT, CONFIG } from './sessionScene.ts'
import { urlOf } from '../../holdRequests.ts'

const never = () => new Promise<never>(() => {})
const isTokenEndpoint = (input: RequestInfo | URL) => urlOf(input).includes('token')
const FRAME_SECONDS = 10
/** Longer than the longest turn of a tab: nothing waits longer. */
const LONGEST_MS = longestRenewalMs(FRAME_SECONDS * 1000) + 60_000

const { authHost: _host, server: _server, ...OTHERS } = CONFIG
const oidc = (more: object = {}) => ({
  ...OTHERS,
  server: openIdConnect({ issuer: CLIENT.authHost, claims: claimsOf, ...more }),
})
const PROFILES = {
  'the firm’s server': { config: { ...OTHERS, authHost: CLIENT.authHost }, isBound: false },
  'OpenID Connect with DPoP': { config: oidc({ dpop: 'required' }), isBound: true },
}

/** What can hang, one at a time: a part of the page as it is then. */
const WAITS: Record<string, (platform: Platform, hung: () => boolean) => Partial<Platform>> = {
  'every request': ({ fetch }, hung) => ({ fetch: (...given) => (hung() ? never() : fetch(...given)) }),
  'every body': ({ fetch }, hung) => ({
    fetch: async (...given) => (hung() ? new Response(new ReadableStream()) : fetch(...given)),
  }),
  'the token endpoint': ({ fetch }, hung) => ({
    fetch: (...given) => (hung() && isTokenEndpoint(given[0]) ? never() : fetch(...given)),
  }),
  'the hidden frame': () => ({}),
  'every lock': (platform, hung) => ({
    takeLock: (name, forMs) =>
      hung()
        ? takeFirstTabLock({ lock: never, setTimer: platform.setTimer }, name, forMs)
        : platform.takeLock(name, forMs),
    tabs() {
      const port = platform.tabs()
      return { ...port, lock: (...given) => (hung() ? never() : port.lock!(...given)) }
    },
  }),
  'the database': (platform, hung) => ({
    tabs() {
      const port = platform.tabs()
      return { ...port, update: (...given) => (hung() ? never() : port.update!(...given)) }
    },
  }),
  'the channel to the other tabs': (platform, hung) => ({
    tabs() {
      const port = platform.tabs()
      return {
        ...port,
        openChannel(name, listen) {
          const channel = port.openChannel!(name, listen)
          return { ...channel, post: (message) => hung() || channel.post(message) }
        },
      }
    },
  }),
  'the seal between tabs': (platform, hung) => ({
    tabs() {
      const port = platform.tabs()
      const { createKey, seal } = port.seal!
      return {
        ...port,
        seal: {
          createKey: () => (hung() ? never() : createKey()),
          seal: (...given) => (hung() ? never() : seal(...given)),
        },
      }
    },
  }),
  'hashes and keys': ({ crypto }, hung) => ({
    crypto: {
      ...crypto,
      subtle: new Proxy(crypto.subtle!, {
        get: (subtle, name) => (hung() ? never : (Reflect.get(subtle, name) as () => unknown).bind(subtle)),
      }),
    },
  }),
  'every function of the app': () => ({}),
}

interface World {
  host: FakeHost
  auth: Auth
  hang(isHung: boolean): void
  open(address: string): { host: FakeHost; auth: Auth }
  server: ReturnType<typeof createFakeAuthServer>
}

function createWorld(profile: keyof typeof PROFILES, what: keyof typeof WAITS): World {
  const { config, isBound } = PROFILES[profile]
  const browser = createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() })
  const server = createFakeAuthServer({ isBound, now: () => browser.clock.nowMs })
  // Another tab is expected, which never answers.
  browser.localStorage.set(sessionMarkerKey(CLIENT), '{"tabs":["Crash1"]}')
  let isHung = false
  const hung = () => isHung
  const hook = () => (hung() && what === 'every function of the app' ? never() : undefined)
  const fill = (host: FakeHost) => {
    const platform = { ...host.platform, ...WAITS[what]!(host.platform, hung) }
    const hooks = { beforeLogout: hook, afterLogin: hook, afterRefreshToken: hook }
    const auth = createAuth(
      {
        ...config,
        autoLogin: false,
        autoLogout: false,
        iframeTimeoutInSeconds: FRAME_SECONDS,
        hooks,
      },
      { platform },
    )
    auth.onUserGone(hook)
    return { host, auth }
  }
  const options = {
    browser,
    fetch: server.fetch,
    onFrame: (frame: Parameters<typeof server.answerFrame>[0]) =>
      queueMicrotask(() => (hung() && what === 'the hidden frame') || server.answerFrame(frame)),
  }
  const first = fill(createFakeHost(APP, options))
  const world: World = {
    ...first,
    server,
    hang: (next) => (isHung = next),
    open(address) {
      const next = fill(world.host.openNext(address, options))
      Object.assign(world, next)
      return next
    },
  }
  return world
}

async function begin(world: World) {
  void world.auth.start()
  await world.host.clock.advance(3_000)
  expect(world.auth.getState().status).toBe('authenticated')
}

/** Each begins while all is well, and hangs from the moment that its promise is made. */
const FLOWS: Record<string, (world: World) => Promise<{ work: Promise<unknown> }>> = {
  'a start-up': async (world) => {
    world.hang(true)
    return { work: world.auth.start() }
  },
  'a start-up with a code': async (world) => {
    world.server.user = undefined
    void world.auth.start()
    await world.host.clock.advance(3_000)
    await world.auth.login()
    const { user } = createFakeAuthServer()
    world.server.user = user
    const address = world.server.callbackOf(world.host.navigations.at(-1)!)
    world.hang(true)
    return { work: world.open(address).auth.start() }
  },
  'a renewal': async (world) => {
    await begin(world)
    world.hang(true)
    return { work: world.auth.renew({ force: true }) }
  },
  'a token for a call': async (world) => {
    await begin(world)
    world.auth.stopRenewal()
    await world.host.clock.advance(590_000)
    world.hang(true)
    return { work: world.auth.getAccessToken() }
  },
  'a step-up on the page': async (world) => {
    await begin(world)
    await world.host.clock.advance(11_000)
    world.hang(true)
    return { work: world.auth.stepUp(stepUpRequired({ acrValues: ['gold'] })) }
  },
  'a step-up in a window': async (world) => {
    await begin(world)
    await world.host.clock.advance(11_000)
    const step = world.auth.stepUp(stepUpRequired({ acrValues: ['gold'] }), { display: 'popup' })
    step.catch(() => {})
    await world.host.settle()
    const popup = world.host.popups[0]!
    world.hang(true)
    popup.post({ type: 'signInAnswer', address: world.server.callbackOf(popup.urls.at(-1)!) })
    return { work: step }
  },
  'a window that hangs before it goes anywhere': async (world) => {
    await begin(world)
    await world.host.clock.advance(11_000)
    world.hang(true)
    const sign = world.auth.login({ display: 'popup', acrValues: 'gold' })
    sign.catch(() => {})
    await world.host.clock.advance(LONGEST_MS / 4)
    // The user gives up.
    world.host.popups[0]?.close()
    await world.host.clock.advance(POPUP_GRACE_MS * 3)
    return { work: sign }
  },
  'a switch': async (world) => {
    await begin(world)
    await world.host.clock.advance(11_000)
    world.hang(true)
    return { work: world.auth.switchTo({ parameters: { tenant: 'f2' }, display: 'silent' }) }
  },
  'a token for an API': async (world) => {
    await begin(world)
    await world.host.clock.advance(11_000)
    world.hang(true)
    return { work: world.auth.getAccessToken({ resource: 'https://api.test/' }) }
  },
  'a logout': async (world) => {
    await begin(world)
    world.hang(true)
    return { work: world.auth.logout() }
  },
}

/** `undefined` while it has not settled. */
function ending(work: Promise<unknown>) {
  const seen: { how?: string } = {}
  work.then(
    () => (seen.how = 'done'),
    (error: unknown) => (seen.how = error instanceof Error && 'code' in error ? String(error.code) : 'Other'),
  )
  return seen
}

describe.each(Object.keys(PROFILES) as (keyof typeof PROFILES)[])(
  'with %s',
  { tags: ['night'] },
  (profile) => {
    describe.each(Object.keys(WAITS))('%s hangs:', (what) => {
      it.each(Object.entries(FLOWS))('%s ends, and the page is no dead end', async (_flow, flow) => {
        const world = createWorld(profile, what)
        const { work } = await flow(world)
        const end = ending(work)
        await world.host.clock.advance(LONGEST_MS)
        expect(end.how).toBeDefined()
        // An error without a code is none of ours.
        expect(end.how).toMatch(/^[a-z-]+$/)
        const { auth, host } = world
        const { status } = auth.getState()
        expect(status).not.toBe('initializing')
        if (status === 'redirecting') expect(host.navigations.length).toBeGreaterThan(0)
        // All is well again: who is not signed in by themselves can click.
        world.hang(false)
        await host.clock.advance(130_000)
        if (auth.getState().status === 'redirecting') return
        if (auth.getState().status === 'authenticated') {
          expect(await auth.getAccessToken()).toBeTruthy()
          return
        }
        const before = host.navigations.length
        await auth.login()
        expect(host.navigations.length).toBe(before + 1)
      })
    })
  },
)

describe('a file of latchkey that never comes', () => {
  const FILES = {
    later: '../../../src/session/later.ts',
    'auth.fetch': '../../../src/session/http/appFetch.ts',
  }
  const FLOW: Record<string, [keyof typeof FILES, (auth: Auth) => Promise<unknown>]> = {
    'a step-up on the page': ['later', (auth) => auth.stepUp(stepUpRequired({}))],
    'a step-up in a window': ['later', (auth) => auth.stepUp(stepUpRequired({}), { display: 'popup' })],
    'a sign-in in a window': ['later', (auth) => auth.login({ display: 'popup' })],
    'a sign-in with wishes': ['later', (auth) => auth.login({ loginHint: 'ada' })],
    'a token for a resource': ['later', (auth) => auth.getAccessToken({ resource: 'https://api.test/' })],
    'a call that is refused with a challenge': [
      'later',
      (auth) => auth.fetch('https://auth.test/api/refused'),
    ],
    'a call': ['auth.fetch', (auth) => auth.fetch('https://auth.test/api/userinfo')],
  }
  afterEach(() => {
    for (const file of Object.values(FILES)) vi.doUnmock(file)
    vi.resetModules()
  })

  it.each(Object.entries(FLOW))(
    'ends %s with its reason, and later it is asked for again',
    async (_what, [file, flow]) => {
      vi.resetModules()
      let asked = 0
      vi.doMock(FILES[file], () => {
        asked += 1
        return never()
      })
      if (file === 'later') await import('../../../src/session/http/appFetch.ts')
      const { createAuth: createFresh } = await import('../../../src/session/createAuth.ts')
      const server = createFakeAuthServer()
      const host = createFakeHost(APP, {
        fetch: async (...given) =>
          urlOf(given[0]).endsWith('/refused')
            ? Response.json(
                {},
                {
                  status: 401,
                  headers: { 'www-authenticate': 'Bearer error="insufficient_user_authentication"' },
                },
              )
            : server.fetch(...given),
        server,
      })
      const auth = createFresh(
        { ...OTHERS, authHost: CLIENT.authHost, autoLogin: false },
        {
          platform: host.platform,
        },
      )
      void auth.start()
      await host.settle()
      const end = ending(flow(auth))
      await host.clock.advance(FILE_WAIT_MS - 1)
      expect([asked, end.how]).toEqual([1, undefined])
      await host.clock.advance(1_000)
      expect(end.how).toBe('timeout')
      expect(auth.getState().status).toBe('authenticated')
      expect(host.popups).toEqual([])
    },
  )
})

describe('the file of tokens that are bound to a key, where it never comes', () => {
  const FILE = '../../../src/protocol/servers/dpop.ts'
  afterEach(() => {
    vi.doUnmock(FILE)
    vi.resetModules()
  })

  it('ends a start-up with its reason', async () => {
    vi.resetModules()
    let asked = 0
    vi.doMock(FILE, () => {
      asked += 1
      return never()
    })
    const { createAuth: createFresh } = await import('../../../src/session/createAuth.ts')
    const fresh = await import('../../../src/protocol/servers/openIdConnect.ts')
    const server = createFakeAuthServer({ isBound: true })
    const host = createFakeHost(APP, { fetch: server.fetch })
    const auth = createFresh(
      {
        ...OTHERS,
        server: fresh.openIdConnect({ issuer: CLIENT.authHost, claims: claimsOf, dpop: 'required' }),
        autoLogin: false,
      },
      { platform: host.platform },
    )
    void auth.start()
    await host.clock.advance(FILE_WAIT_MS - 1)
    expect([asked, auth.getState().status]).toEqual([1, 'initializing'])
    await host.clock.advance(1_000)
    expect(auth.getState()).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
  })
})
