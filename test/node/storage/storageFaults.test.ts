// Every way in which a browser's storages fail, through every flow of a session, on the real storage code (F23-F25).

// @module-tag night

import { afterEach, describe, expect, it } from 'vitest'
// There before a flow asks for it: on a busy machine Vitest takes longer for a file than the flow is given.
import '../../../src/session/later.ts'
import { createBrowserPlatform } from '../../../src/session/platform/browserPlatform.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeAuthServer, createFakeUser, type FakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeBrowser, type FakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createMemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { APP, CONFIG, createScene } from '../session/sessionScene.ts'

const MINUTE = 60_000
const STRANGER = 'theme-of-the-app'

type Area = 'sessionStorage' | 'localStorage'

/** A storage as browsers have it, and the calls on it that fail. */
function createStorage(fail: (call: 'getItem' | 'setItem' | 'removeItem', isGrowing: boolean) => boolean) {
  const values = new Map([[STRANGER, 'dark']])
  const refuse = (call: Parameters<typeof fail>[0], isGrowing = false) => {
    if (fail(call, isGrowing)) throw new DOMException(`${call} failed`, 'QuotaExceededError')
  }
  return {
    values,
    getItem(key: string) {
      refuse('getItem')
      return values.get(key) ?? null
    },
    setItem(key: string, value: string) {
      refuse('setItem', value.length > (values.get(key)?.length ?? -1))
      values.set(key, value)
    },
    removeItem(key: string) {
      refuse('removeItem')
      values.delete(key)
    },
  }
}

type Storage = ReturnType<typeof createStorage>

interface Fault {
  /** What the page gets when it names the storage. */
  give(storage: Storage): unknown
  fail?: Parameters<typeof createStorage>[0]
  isClearedByEveryStep?: boolean
  /** Nothing can be kept for the way back from the sign-in page. */
  isUseless: boolean
}

const same = (storage: Storage): unknown => storage
const FAULTS: Record<string, Fault> = {
  'is not there': { give: () => undefined, isUseless: true },
  'is null': { give: () => null, isUseless: true },
  'throws when it is named': {
    give() {
      throw new DOMException('The operation is insecure', 'SecurityError')
    },
    isUseless: true,
  },
  'throws when it is read': { give: same, fail: (call) => call === 'getItem', isUseless: true },
  'throws when it is written': { give: same, fail: (call) => call === 'setItem', isUseless: true },
  'throws when something is removed': { give: same, fail: (call) => call === 'removeItem', isUseless: false },
  'is full': { give: same, fail: (call, isGrowing) => call === 'setItem' && isGrowing, isUseless: true },
  'is cleared between every two steps': { give: same, isClearedByEveryStep: true, isUseless: false },
}
const WHERE: Record<string, Area[]> = {
  'the session storage': ['sessionStorage'],
  'the local storage': ['localStorage'],
  'every storage': ['sessionStorage', 'localStorage'],
}

let clean = () => {}
afterEach(() => clean())

/** A browser whose storages are whole until they are broken. */
function createWorld(fault: Fault, areas: readonly Area[]) {
  const browser = createFakeBrowser()
  const server = createFakeAuthServer({ now: () => browser.clock.nowMs })
  const stores: Record<Area, Storage> = {
    sessionStorage: createStorage(() => false),
    localStorage: createStorage(() => false),
  }
  const give = (area: Area, get: () => unknown) =>
    Object.defineProperty(globalThis, area, { get, configurable: true })
  const before = (['sessionStorage', 'localStorage'] as const).map(
    (area) => [area, Object.getOwnPropertyDescriptor(globalThis, area)] as const,
  )
  clean = () => {
    for (const [area, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, area, descriptor)
      else Reflect.deleteProperty(globalThis, area)
    }
  }
  give('sessionStorage', () => stores.sessionStorage)
  give('localStorage', () => stores.localStorage)
  let isBroken = false
  return {
    browser,
    server,
    stores,
    break() {
      isBroken = true
      for (const area of areas) {
        const { values } = stores[area]
        stores[area] = createStorage(fault.fail ?? (() => false))
        for (const [key, value] of values) stores[area].values.set(key, value)
        give(area, () => fault.give(stores[area]))
      }
    },
    step() {
      if (isBroken && fault.isClearedByEveryStep) for (const area of areas) stores[area].values.clear()
    },
  }
}

type World = ReturnType<typeof createWorld>

/** A page that has started and come to rest. */
async function open(world: World, address = APP, config = {}) {
  const { browser, server }: { browser: FakeBrowser; server: FakeAuthServer } = world
  const { sessionStorage, localStorage } = createBrowserPlatform()
  const host = createFakeHost(address, {
    browser,
    async fetch(...request) {
      world.step()
      return server.fetch(...request)
    },
    onFrame: (frame) =>
      queueMicrotask(() => {
        world.step()
        server.answerFrame(frame)
      }),
  })
  const platform = { ...host.platform, sessionStorage, localStorage }
  const auth = createAuth({ ...CONFIG, autoLogout: false, ...config }, { platform })
  void auth.start()
  await host.settle()
  // A tab that found signs of others has waited for their answer.
  await browser.clock.advance(1_000)
  world.step()
  return { host, auth }
}

interface Cell {
  world: World
  fault: Fault
  isSessionStorage: boolean
}

const status = ({ auth }: Awaited<ReturnType<typeof open>>) => auth.getState().status
const target = ({ host }: Awaited<ReturnType<typeof open>>) =>
  host.navigations.map((address) => new URL(address).pathname)

const FLOWS: Record<string, (cell: Cell) => Promise<void>> = {
  async 'a session at the server is found'({ world }) {
    world.break()
    expect(status(await open(world))).toBe('authenticated')
  },
  async 'signing in leaves with a record, or says why it cannot and stays'({
    world,
    fault,
    isSessionStorage,
  }) {
    world.break()
    world.server.user = undefined
    const page = await open(world)
    if (isSessionStorage && fault.isUseless) {
      expect(page.auth.getState()).toMatchObject({ status: 'failed', error: { code: 'storage-unavailable' } })
      expect(target(page)).toEqual([])
    } else {
      expect(target(page)).toEqual(['/oauth/authorize'])
    }
  },
  async 'coming back ends signed in, and a code is sent once at most'({ world }) {
    const { user } = world.server
    world.server.user = undefined
    const left = await open(world)
    world.server.user = user
    const address = world.server.callbackOf(left.host.navigations[0] ?? '')
    left.host.close()
    world.break()
    world.step()
    const back = await open(world, address)
    expect(status(back)).toBe('authenticated')
    const codes = back.host.requests.map(({ body }) => (JSON.parse(body ?? '{}') as { code?: string }).code)
    expect(new Set(codes).size).toBe(codes.length)
  },
  async 'a renewal and a wake keep the session'({ world }) {
    world.break()
    const page = await open(world)
    const token = await page.auth.getAccessToken()
    await page.auth.renew({ force: true })
    expect(await page.auth.getAccessToken()).not.toBe(token)
    page.host.emit('focus')
    await page.host.settle()
    // Also where the app has cleared it: nobody has signed out.
    expect(status(page)).toBe('authenticated')
  },
  async 'a sign-out ends the session here and at the server'({ world }) {
    world.break()
    const page = await open(world)
    await page.auth.logout()
    expect(target(page)).toEqual(['/oauth/logout'])
    await expect(page.auth.getAccessToken()).rejects.toMatchObject({ code: 'not-authenticated' })
  },
  async 'a second tab is signed in, and a sign-out reaches it'({ world }) {
    world.break()
    const first = await open(world, APP, { autoLogin: false })
    const second = await open(world, APP, { autoLogin: false })
    expect([status(first), status(second)]).toEqual(['authenticated', 'authenticated'])
    void first.auth.logout()
    await first.host.settle()
    expect(status(second)).toBe('unauthenticated')
  },
  async 'idle time ends the session when it is over, and not before'({ world }) {
    world.break()
    const page = await open(world, APP, { autoLogout: true, idleTimeoutInMinutes: 30 })
    await world.browser.clock.advance(10 * MINUTE)
    world.step()
    page.host.emit('activity')
    await world.browser.clock.advance(30 * MINUTE - 2_000)
    expect(status(page)).toBe('authenticated')
    await world.browser.clock.advance(2_000)
    expect(page.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  },
  async 'a clash ends the older session in all its tabs, and leaves the newer one alone'({ world }) {
    world.break()
    const hub = createMemoryRealtime()
    const config = { realtime: hub.transport, autoLogin: false }
    world.server.user = createFakeUser({ sessionId: 'older', auth_time: 1_767_600_000 })
    const first = await open(world, APP, config)
    const second = await open(world, APP, config)
    // Another computer: its storages are its own, and whole.
    const elsewhere = createScene({
      config,
      server: { user: createFakeUser({ sessionId: 'newer', auth_time: 1_767_600_060 }) },
    })
    void elsewhere.auth.start()
    for (let round = 0; round < 40; round += 1) {
      await elsewhere.host.clock.advance(250)
      await world.browser.clock.advance(250)
    }
    expect(elsewhere.auth.getState().status).toBe('authenticated')
    for (const { auth } of [first, second]) {
      expect(auth.getState().status).not.toBe('authenticated')
      await expect(auth.getAccessToken()).rejects.toMatchObject({ code: 'not-authenticated' })
    }
    expect([first, second].flatMap(target)).toContain('/oauth/logout')
  },
  async 'a token in the address is passed through, or not used at all'({ world, fault, isSessionStorage }) {
    world.break()
    world.server.user = undefined
    const token = createAccessToken({ jti: 'jti-1' })
    const page = await open(world, `${APP}?token=${token}`, { autoLogin: false })
    const isRemembered = !(isSessionStorage && fault.isUseless)
    expect(target(page)).toEqual(isRemembered ? ['/oauth/passthrough'] : [])
    expect(page.host.address).toBe(APP)
    expect(status(page)).toBe(isRemembered ? 'redirecting' : 'unauthenticated')
  },
}

describe.each(Object.entries(WHERE))('%s', (_where, areas) => {
  describe.each(Object.entries(FAULTS))('%s', (_fault, fault) => {
    it.each(Object.entries(FLOWS))('%s', async (_flow, run) => {
      const world = createWorld(fault, areas)
      await run({
        world,
        fault,
        isSessionStorage: areas.includes('sessionStorage'),
      })
      for (const area of ['sessionStorage', 'localStorage'] as const) {
        const { values } = world.stores[area]
        const isCleared = fault.isClearedByEveryStep && areas.includes(area)
        expect(values.get(STRANGER)).toBe(isCleared ? undefined : 'dark')
        const ours = [...values.keys()].filter((key) => key !== STRANGER)
        expect(ours.length).toBeLessThanOrEqual(5)
        expect(ours.filter((key) => !key.startsWith('latchkey'))).toEqual([])
      }
    })
  })
})
