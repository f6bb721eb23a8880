// No tab waits for another one for ever, and nobody's code runs while the others wait (F34, F37).
import { describe, expect, it, vi } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { takeFirstTabLock } from '../../../src/base/firstTabLock.ts'
import { longestRenewalMs } from '../../../src/base/sessionConstants.ts'
import { createBrowserPlatform } from '../../../src/session/platform/browserPlatform.ts'
import { createBrowserTabs } from '../../../src/session/platform/browserTabs.ts'
import type { SealPort, TabsPort } from '../../../src/session/platform/platform.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { browserWorks } from '../../../src/testing/fakeTabs.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'
import { APP } from '../session/sessionScene.ts'
import { createTabWorld, openTab, startTab, startTabs } from './tabsScene.ts'

const NAME = 'latchkey https://auth.test admin tabs admin%20%20openid%20profile'
/** How long a tab waits for its turn, with the default limit of the hidden frame. */
const LOCK_MS = longestRenewalMs(60_000)

async function openTabs(count: number, hooks: NonNullable<AuthConfig['hooks']> = {}) {
  const world = createTabWorld()
  const tabs = await startTabs(world, count, { config: { autoLogout: false, hooks } })
  return { ...world, tabs, works: browserWorks(world.browser) }
}

it.each([
  ['since before the tab asked', 0],
  ['and lets go a second too late', LOCK_MS + 1_000],
])(
  'a tab that holds the lock and does nothing, %s, is waited for as long as it may work, and no longer',
  async (_when, letsGoAfterMs) => {
    const { browser, tabs, works } = await openTabs(2)
    const { promise: frozen, resolve: letGo } = Promise.withResolvers<void>()
    void works.lock({}, NAME, {}, async () => frozen)
    const startedAtMs = browser.clock.monotonicMs
    let endedAtMs: number | undefined
    const renewing = tabs[0]!.auth.renew({ force: true }).finally(() => {
      endedAtMs = browser.clock.monotonicMs
    })
    await browser.clock.advance(Math.max(letsGoAfterMs, LOCK_MS))
    letGo()
    await browser.clock.advance(1_000)
    await renewing
    expect((endedAtMs ?? Infinity) - startedAtMs).toBeLessThanOrEqual(LOCK_MS + 1_000)
    const tokens = await Promise.all(tabs.map(async ({ auth }) => auth.getAccessToken()))
    expect(new Set(tokens).size).toBe(1)
  },
)

describe('a hook of the app', () => {
  it('runs when the lock is free again: the other tabs do not wait for it', async () => {
    const locks: number[] = []
    let end = () => {}
    const { browser, server, tabs } = await openTabs(2, {
      async afterRefreshToken() {
        locks.push(tabs.reduce((count, { host }) => count + host.counts().locks, 0))
        await new Promise<void>((resolve) => {
          end = resolve
        })
      },
    })
    await tabs[0]!.auth.renew({ force: true })
    await browser.clock.advance(1_000)
    expect(locks.length).toBeGreaterThan(0)
    expect(new Set(locks)).toEqual(new Set([0]))
    const renewing = tabs[1]!.auth.renew({ force: true })
    await browser.clock.advance(1_000)
    await renewing
    expect(server.tokenRequests.filter(({ grantType }) => grantType === 'refresh_token')).toHaveLength(2)
    end()
  })

  it('that renews from within does not wait for itself', async () => {
    let count = 0
    const { browser, tabs } = await openTabs(2, {
      async afterRefreshToken() {
        count += 1
        if (count < 5) await tabs[0]!.auth.renew({ force: true })
      },
    })
    const renewing = tabs[0]!.auth.renew({ force: true })
    await browser.clock.advance(2_000)
    await renewing
    expect(count).toBeGreaterThanOrEqual(5)
    expect(tabs.map(({ auth }) => auth.getState().status)).toEqual(['authenticated', 'authenticated'])
  })
})

/** A part of the browser that is there and does not work. */
type Broken = Partial<Pick<TabsPort, 'lock' | 'update' | 'openChannel'>> & {
  /** What a working seal becomes. */
  breakSeal?: (seal: SealPort) => SealPort
}

const breakTabs = (working: TabsPort, { breakSeal = (seal) => seal, ...broken }: Broken): TabsPort => ({
  ...working,
  ...broken,
  seal: working.seal && breakSeal(working.seal),
})

const never = () => new Promise<never>(() => {})
const inactive = () => new DOMException('The document is not fully active', 'InvalidStateError')

const BROKEN: readonly [string, Broken][] = [
  ['a database that never answers', { update: never }],
  [
    'a database that refuses',
    { update: async () => Promise.reject(new DOMException('no', 'NotFoundError')) },
  ],
  [
    'a database that throws',
    {
      update() {
        throw new DOMException('no', 'SecurityError')
      },
    },
  ],
  ['no database', { update: undefined }],
  ['a lock that neither comes nor hears that nobody waits any more', { lock: never }],
  ['a lock that refuses a page which is not fully active', { lock: async () => Promise.reject(inactive()) }],
  [
    'a lock that throws',
    {
      lock() {
        throw inactive()
      },
    },
  ],
  ['neither lock nor database that answer', { lock: never, update: never }],
  ['no channel', { openChannel: undefined }],
  ['crypto that never makes a key', { breakSeal: (seal) => ({ ...seal, createKey: never }) }],
  [
    'crypto that refuses a key',
    { breakSeal: (seal) => ({ ...seal, createKey: async () => Promise.reject(inactive()) }) },
  ],
  [
    'crypto that never opens what another tab has sealed',
    {
      breakSeal: (seal) => ({
        ...seal,
        createKey: async () => ({ ...(await seal.createKey()), open: never }),
      }),
    },
  ],
  ['crypto that never seals', { breakSeal: (seal) => ({ ...seal, seal: never }) }],
]

describe.each(BROKEN)('%s', (_what, broken) => {
  /** Tabs of one browser; each has the broken part. */
  function createBrokenWorld() {
    const world = createTabWorld()
    async function openBroken(waitMs = 11_000) {
      const tab = openTab(world, { tabs: (port) => breakTabs(port, broken) })
      void tab.auth.start()
      await world.browser.clock.advance(waitMs)
      return tab
    }
    return { ...world, openBroken }
  }

  it('costs no first sign-in, and no second', async () => {
    const { openBroken } = createBrokenWorld()
    const { auth } = await openBroken(0)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('costs no sign-in in a browser whose other tabs have crashed', async () => {
    const { browser, openBroken } = createBrokenWorld()
    browser.localStorage.set('latchkey https://auth.test admin session', '{"tabs":["Crash1"]}')
    const { auth } = await openBroken()
    expect(auth.getState().status).toBe('authenticated')
  })

  it('costs no sign-in in a new tab, and no renewal', async () => {
    const { browser, server, openBroken } = createBrokenWorld()
    const tabs = [await openBroken(), await openBroken()]
    for (const { auth } of tabs) {
      const renewing = auth.renew({ force: true }).then(() => 'renewed')
      // Who waits for a lock that never comes waits as long as another tab may have a refresh token under way.
      await browser.clock.advance(broken.lock ? LOCK_MS + 2_000 : 11_000)
      expect(await renewing).toBe('renewed')
    }
    expect(tabs.map(({ auth }) => auth.getState().status)).toEqual(['authenticated', 'authenticated'])
    expect(server.tokenRequests.filter(({ isGranted }) => !isGranted)).toEqual([])
  })

  it('costs no logout', async () => {
    const { browser, openBroken } = createBrokenWorld()
    const { host, auth } = await openBroken()
    void auth.logout()
    await browser.clock.advance(0)
    expect(host.navigations.at(-1)).toContain('https://auth.test/oauth/logout')
  })
})

describe('a database that never answers', () => {
  it('is waited for once, a second long: the renewals after that wait no more', async () => {
    const { browser, server } = createTabWorld()
    let count = 0
    const update = () => {
      count += 1
      return never()
    }
    const { auth } = openTab({ browser, server }, { tabs: (port) => ({ ...port, update }) })
    void auth.start()
    await browser.clock.advance(999)
    expect([auth.getState().status, count]).toEqual(['authenticated', 1])
    await browser.clock.advance(1)
    void auth.renew({ force: true })
    await browser.clock.settle()
    expect(server.tokenRequests.at(-1)).toEqual({ grantType: 'refresh_token', isGranted: true })
    expect(count).toBe(1)
  })

  it('and answers after all changes nothing any more', async () => {
    const changes: unknown[] = []
    let answer = () => {}
    const { browser, server } = createTabWorld()
    const stored = { generation: 7, isPending: false }
    const update: TabsPort['update'] = async (_name, change) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      const changed = change(stored)
      changes.push(changed)
      return changed
    }
    const { auth } = openTab({ browser, server }, { tabs: (port) => ({ ...port, update }) })
    void auth.start()
    await browser.clock.advance(1_000)
    answer()
    await browser.clock.settle()
    expect(changes).toEqual([stored])
  })
})

describe('crypto that never makes a key', () => {
  it('is waited for a second by each of the two questions of a start: then the tab signs in by itself', async () => {
    const world = createTabWorld()
    await startTab(world)
    const broken = { breakSeal: (seal: SealPort) => ({ ...seal, createKey: never }) }
    const { host, auth } = openTab(world, { tabs: (port) => breakTabs(port, broken) })
    const { browser } = world
    void auth.start()
    await browser.clock.advance(1_999)
    expect([auth.getState().status, host.frames.length]).toEqual(['initializing', 0])
    await browser.clock.advance(1)
    expect(auth.getState().status).toBe('authenticated')
  })
})

describe('a lock that is there for the first of several tabs', () => {
  const claim = (lock: TabsPort['lock'], { platform }: FakeHost) =>
    takeFirstTabLock({ lock, setTimer: platform.setTimer }, 'code', 60_000)

  it('is kept for a while, so that a tab which comes later is told', async () => {
    const browser = createFakeBrowser()
    const hosts = [createFakeHost(APP, { browser }), createFakeHost(APP, { browser })] as const
    const [lock, otherLock] = hosts.map(({ platform }) => platform.tabs().lock)
    expect(await claim(lock, hosts[0])).toBe(true)
    await browser.clock.advance(59_999)
    expect(await claim(otherLock, hosts[1])).toBe(false)
    await browser.clock.advance(1)
    expect(await claim(otherLock, hosts[1])).toBe(true)
  })

  it.each(BROKEN.filter(([, { lock }]) => lock))('%s makes everybody the first', async (_what, { lock }) => {
    const host = createFakeHost(APP)
    let isFirst: boolean | undefined
    void claim(lock, host).then((answer) => {
      isFirst = answer
    })
    await host.clock.advance(9_000)
    expect([isFirst, host.counts().timers]).toEqual([true, 0])
  })

  it('that comes late is kept all the same, and changes nothing', async () => {
    const host = createFakeHost(APP)
    let grant: (isHeld: boolean) => Promise<unknown> = async () => {}
    const lock = ((_name: string, _options: object, work: (isHeld: boolean) => Promise<unknown>) => {
      grant = work
      return never()
    }) as NonNullable<TabsPort['lock']>
    const claiming = claim(lock, host)
    await host.clock.advance(9_000)
    void grant(false)
    expect(await claiming).toBe(true)
  })
})

describe('a page whose site data is blocked', () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }

  it('has no channel where even making one throws', () => {
    vi.stubGlobal('BroadcastChannel', function forbidden() {
      denied()
    })
    expect(createBrowserTabs().openChannel).toBeUndefined()
  })

  it('has no database where even naming it throws', () => {
    Object.defineProperty(globalThis, 'indexedDB', { get: denied, configurable: true })
    expect(createBrowserTabs().update).toBeUndefined()
    Reflect.deleteProperty(globalThis, 'indexedDB')
    expect(createBrowserTabs().update).toBeUndefined()
  })

  it('has no storage where even naming it throws, and goes on', () => {
    for (const name of ['localStorage', 'sessionStorage'] as const) {
      const original = Object.getOwnPropertyDescriptor(globalThis, name)
      Object.defineProperty(globalThis, name, { get: denied, configurable: true })
      const storage = createBrowserPlatform()[name]
      expect([storage.get('a'), storage.set('a', 'b'), storage.remove('a')]).toEqual([
        undefined,
        false,
        undefined,
      ])
      if (original) Object.defineProperty(globalThis, name, original)
      else Reflect.deleteProperty(globalThis, name)
    }
  })

  it('is the first of all tabs where a lock is refused', async () => {
    vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(inactive()) } })
    expect(await createBrowserPlatform().takeLock('code', 1)).toBe(true)
  })
})
