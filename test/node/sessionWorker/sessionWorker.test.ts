// A session that the page leaves to the next page of its tab, in the app's SharedWorker: a reload asks nobody.
import { describe, expect, it } from 'vitest'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeStorage } from '../../../src/testing/fakeStorage.ts'
import { APP, CLIENT, nextPage, type Scene } from '../session/sessionScene.ts'
import { beginReload, createWorld, openTab, reload, type WorkerWorld, workerSteps } from './workerScene.ts'

const KEPT = 'latchkey https://auth.test admin kept'

/** A tab that is signed in and reloaded: the same user and token, and nobody was asked. Returns the page after. */
async function reloadWithoutRequests(world: ReturnType<typeof createWorld>) {
  const first = await openTab(world)
  const token = await first.auth.getAccessToken()
  const next = await reload(world, first)
  expect(next.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
  expect(await next.auth.getAccessToken()).toBe(token)
  expect(next.host.requests).toEqual([])
  return next
}

describe('a reload', () => {
  it('is signed in with 0 requests and 0 frames, as the same user with the same token', async () => {
    const world = createWorld()
    const next = await reloadWithoutRequests(world)
    expect(workerSteps(next)).toEqual(['done: has the session of the page before'])
  })

  it('of an OpenID Connect client is signed in with 0 requests too, also for its metadata', async () => {
    const server = openIdConnect({ issuer: CLIENT.authHost })
    const world = createWorld({ authHost: undefined, server })
    const next = await reloadWithoutRequests(world)
    await next.auth.renew({ force: true })
    expect(next.auth.getState().status).toBe('authenticated')
  })

  it('is signed in again and again', async () => {
    const world = createWorld()
    let tab = await openTab(world)
    for (let count = 0; count < 5; count += 1) {
      tab = await reload(world, tab)
      expect([tab.auth.getState().status, tab.host.requests.length]).toEqual(['authenticated', 0])
    }
  })

  it('keeps the life of the token as it was', async () => {
    const world = createWorld()
    const first = await openTab(world)
    const { expiresAtMs } = first.auth.getState() as { expiresAtMs?: number }
    await world.browser.clock.advance(5000)
    const next = await reload(world, first)
    expect((next.auth.getState() as { expiresAtMs?: number }).expiresAtMs).toBe(expiresAtMs)
  })

  it('renews by the refresh token, as the page before would have', async () => {
    const world = createWorld()
    const next = await reload(world, await openTab(world))
    await next.auth.renew({ force: true })
    await world.browser.clock.advance(1000)
    expect(next.host.requests.map(({ url }) => url)).toEqual(['https://auth.test/oauth/token'])
    expect(world.server.tokenRequests.every(({ isGranted }) => isGranted)).toBe(true)
  })

  it('has the tokens of a renewal that was done just before', async () => {
    const world = createWorld()
    const first = await openTab(world)
    await first.auth.renew({ force: true })
    await first.host.settle()
    const token = await first.auth.getAccessToken()
    const next = await reload(world, first)
    expect(await next.auth.getAccessToken()).toBe(token)
    expect(next.host.requests).toEqual([])
  })

  it('verifies as today after a renewal that it cut off: its refresh token may be used up', async () => {
    const world = createWorld()
    const first = await openTab(world)
    first.host.fetch = () => new Promise(() => {})
    first.auth.renew({ force: true }).catch(() => {})
    await Promise.resolve()
    const next = beginReload(world, first, { fetch: world.server.fetch })
    await world.browser.clock.advance(20_000)
    expect(next.auth.getState().status).toBe('authenticated')
    expect(workerSteps(next)).toEqual(['skipped: the page before has left nothing'])
  })

  it('finds the session 19 seconds later, and verifies as today 20 seconds later', async () => {
    for (const [seconds, requests] of [
      [19, 0],
      [20, 1],
    ] as const) {
      const world = createWorld()
      const first = await openTab(world)
      first.host.close()
      await world.browser.clock.advance(seconds * 1000)
      const next = await openTab(world, { sessionStorage: first.host.sessionStorage })
      expect([next.auth.getState().status, next.host.requests.length]).toEqual(['authenticated', requests])
    }
  })

  it('starts one worker, module and outliving its pages, under a name of its own', async () => {
    const world = createWorld()
    await openTab(world)
    expect(world.worker.optionsSeen).toEqual([{ name: 'latchkey 1', type: 'module', extendedLifetime: true }])
  })
})

describe('what is left is read by nobody else', () => {
  it('the worker sees nothing that it could read, and session storage holds no token', async () => {
    const world = createWorld()
    const first = await openTab(world)
    const token = await first.auth.getAccessToken()
    first.host.close()
    await first.host.settle()
    const seen = JSON.stringify([
      world.worker.said,
      first.host.sessionStorage.entries(),
      first.host.localStorage.entries(),
    ])
    expect(world.worker.said).toMatchObject([{ type: 'keep' }])
    const { key } = JSON.parse(first.host.sessionStorage.get(KEPT)!) as { key: string }
    expect(JSON.stringify(world.worker.said)).not.toContain(key)
    for (const part of token.split('.')) expect(seen).not.toContain(part)
    expect(seen).not.toContain(JSON.stringify(token).slice(1, 20))
    expect(seen).not.toMatch(/refresh/i)
  })

  it('while a page is open, nothing of it is anywhere', async () => {
    const world = createWorld()
    const tab = await reload(world, await openTab(world))
    expect(tab.host.sessionStorage.get(KEPT)).toBeUndefined()
    expect(
      world.worker.hear({ type: 'take', id: (world.worker.said[0] as { id: string }).id }),
    ).toMatchObject({
      sealed: undefined,
    })
  })

  it('a duplicated tab that has copied the key too finds it taken, and verifies as today', async () => {
    const world = createWorld()
    const first = await openTab(world)
    first.host.close()
    const copy = createFakeStorage(first.host.sessionStorage.entries())
    const next = await openTab(world, { sessionStorage: first.host.sessionStorage })
    const duplicate = await openTab(world, { sessionStorage: copy })
    expect(workerSteps(next)).toEqual(['done: has the session of the page before'])
    expect(workerSteps(duplicate)).toEqual(['failed: it has nothing that can be used'])
    expect([next, duplicate].map(({ auth }) => auth.getState().status)).toEqual([
      'authenticated',
      'authenticated',
    ])
  })

  it('another client of the origin finds nothing', async () => {
    const world = createWorld()
    const first = await openTab(world)
    first.host.close()
    world.config.clientId = 'other'
    const next = await openTab(world, { sessionStorage: first.host.sessionStorage })
    expect(workerSteps(next)).toEqual(['skipped: the page before has left nothing'])
  })

  it('a page that comes back from the back/forward cache takes back what it left', async () => {
    const world = createWorld()
    const first = await openTab(world)
    first.host.emit('pagehide')
    await first.host.settle()
    expect(first.host.sessionStorage.get(KEPT)).toBeDefined()
    first.host.emit('restored')
    await first.host.settle()
    expect(first.host.sessionStorage.get(KEPT)).toBeUndefined()
    const next = await reload(world, first)
    expect(next.host.requests).toEqual([])
  })
})

describe('a session that is over is not found', () => {
  it('after a logout', async () => {
    const world = createWorld()
    const first = await openTab(world)
    void first.auth.logout()
    await first.host.settle()
    world.server.user = undefined
    const next = await reload(world, first)
    expect(next.auth.getState().status).not.toBe('authenticated')
    expect(world.worker.said.some((said) => (said as { type?: string }).type === 'keep')).toBe(false)
  })

  /** Alice signs out in another tab while this one is between two pages; the other one comes back from the logout page. */
  const endedElsewhere = async (world: WorkerWorld) => {
    const [first, other] = [await openTab(world), await openTab(world)]
    first.host.close()
    world.server.user = undefined
    void other.auth.logout()
    await world.browser.clock.advance(1000)
    const state = new URL(other.host.navigations.at(-1)!).searchParams.get('state')
    const host = { fetch: world.server.fetch }
    const back = nextPage(other, `${APP}?state=${state}`, { config: { autoLogin: false }, host })
    void back.auth.start()
    await back.host.settle()
    expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    const frames: unknown[] = []
    const sessionStorage = first.host.sessionStorage
    const openNext = async () =>
      openTab(world, { sessionStorage, onFrame: (frame) => void frames.push(frame) })
    return { back, openNext, frames }
  }

  it('after a logout in another tab while this one was between two pages, and no frame looks for it', async () => {
    const { openNext, frames } = await endedElsewhere(createWorld())
    const next = await openNext()
    expect(next.auth.getState().status).not.toBe('authenticated')
    expect(frames).toEqual([])
    expect(workerSteps(next)).toEqual(['skipped: the session has ended'])
  })

  it('after a logout and another sign-in in another tab: the new one is, without a frame', async () => {
    const world = createWorld()
    const { back, openNext, frames } = await endedElsewhere(world)
    world.server.user = createFakeUser({ userId: 'u2', sessionId: 's2' })
    back.host.close()
    const again = await openTab({ ...world, config: {} })
    expect(again.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'u2' } })
    const next = await openNext()
    expect(next.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'u2' } })
    expect(frames).toEqual([])
    expect(workerSteps(next)).toEqual(['skipped: the session has ended'])
  })

  it('after it has ended in a tab that knows no worker while this one was between two pages', async () => {
    const world = createWorld()
    const first = await openTab(world)
    const other = await openTab({ ...world, config: {} })
    first.host.close()
    world.server.user = undefined
    world.server.revokeAll()
    await Promise.all([other.auth.renew({ force: true }).catch(() => {}), other.host.settle()])
    expect(other.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
    const frames: unknown[] = []
    const next = await openTab(world, {
      sessionStorage: first.host.sessionStorage,
      onFrame: (frame) => void frames.push(frame),
    })
    expect(next.auth.getState().status).not.toBe('authenticated')
    expect(frames).toEqual([])
    expect(workerSteps(next)).toEqual(['skipped: the session has ended'])
  })

  it('from a page that has not heard of the logout when it goes', async () => {
    const world = createWorld()
    const [first, other] = [await openTab(world), await openTab(world)]
    world.server.user = undefined
    void other.auth.logout()
    await world.browser.clock.advance(1000)
    const name = 'latchkey https://auth.test admin kept '
    const ended = world.worker.said.find((said) => (said as { type?: string }).type === 'end')
    expect(ended).toMatchObject({ session: expect.stringContaining(name) as string })
    world.worker.hear({ ...(ended as object), type: 'keep', id: 'late', sealed: 'x' })
    expect(world.worker.hear({ type: 'take', id: 'late' })).toEqual({ id: 'late', sealed: undefined })
    void first
  })

  it('where the idle time has passed: the user is signed out as idle, with 0 content shown', async () => {
    const world = createWorld({ idleTimeoutInMinutes: 0.1 })
    const first = await openTab(world)
    // The machine slept: no timer ran, and the page goes as it wakes.
    first.host.close()
    await world.browser.clock.advance(6000)
    const states: string[] = []
    const next = beginReload(world, first)
    next.auth.subscribe(() => states.push(next.auth.getState().status))
    await next.host.settle()
    expect(states).not.toContain('authenticated')
    expect(next.host.navigations[0]).toContain('https://auth.test/oauth/logout')
  })

  it('where the token has expired meanwhile: start-up verifies as today', async () => {
    const world = createWorld({ autoLogout: false })
    const first = await openTab(world)
    await world.browser.clock.advance(3_590_000)
    first.host.close()
    await world.browser.clock.advance(15_000)
    const next = await openTab(world, { sessionStorage: first.host.sessionStorage })
    expect(workerSteps(next)).toEqual(['failed: it has nothing that can be used'])
  })

  it('where another user has signed in: nobody meets the user before', async () => {
    const world = createWorld()
    const first = await openTab(world)
    first.host.crash()
    world.server.user = createFakeUser({ userId: 'u2' })
    const next = await openTab(world, { sessionStorage: first.host.sessionStorage })
    expect(next.auth.getState()).toMatchObject({ user: { userId: 'u2' } })
  })
})

describe('where the worker is of no use, start-up goes on as today', () => {
  it('a browser without such workers: 0 errors, none is started', async () => {
    const world = createWorld()
    const first = await openTab(world, { without: ['keep'] })
    const next = await reload(world, first, { without: ['keep'] })
    expect(next.auth.getState().status).toBe('authenticated')
    expect([...first.host.warnings, ...next.host.warnings]).toEqual([])
    expect(world.worker.optionsSeen).toEqual([])
    expect(workerSteps(first)).toContain('skipped: this browser has none that outlives its pages')
  })

  it('a page that has crashed left nothing', async () => {
    const world = createWorld()
    const first = await openTab(world)
    first.host.crash()
    const next = await openTab(world, { sessionStorage: first.host.sessionStorage })
    expect(next.auth.getState().status).toBe('authenticated')
    expect(workerSteps(next)).toEqual(['skipped: the page before has left nothing'])
  })

  it('a worker that never answers costs 150 ms', async () => {
    const { world, first } = await openAndClose()
    world.worker.hear = () => undefined
    const next = await openTabAt(world, first, 149)
    expect([next.auth.getState().status, next.host.requests.length]).toEqual(['initializing', 0])
    await world.browser.clock.advance(1)
    expect(next.auth.getState().status).toBe('authenticated')
    expect(workerSteps(next)).toEqual(['failed: it did not respond in time'])
  })

  it('a worker that the browser has ended has nothing', async () => {
    const { world, first } = await openAndClose()
    world.worker.restart()
    const next = await openTab(world, { sessionStorage: first.host.sessionStorage })
    expect(next.auth.getState().status).toBe('authenticated')
    expect(workerSteps(next)).toEqual(['failed: it has nothing that can be used'])
  })

  it.each([
    ['throws', () => Promise.reject(new Error('no'))],
    ['nothing', () => undefined],
    ['a plain object', () => ({})],
  ])('an app whose function makes no worker: %s', async (what, make) => {
    const sessionWorker = () => {
      if (what === 'throws') throw new Error('CSP')
      return make() as unknown as SharedWorker
    }
    const world = createWorld({ sessionWorker })
    const first = await openTab(world)
    const next = await reload(world, first)
    expect([first, next].map(({ auth }) => auth.getState().status)).toEqual([
      'authenticated',
      'authenticated',
    ])
    expect(workerSteps(first)).toContain('failed: it could not be started')
  })

  it.each([
    ['another text', { sealed: 'AAAA' }],
    ['no text', { sealed: 42 }],
    ['not base64', { sealed: '\u2028%%' }],
    ['a long one', { sealed: 'A'.repeat(100_000) }],
    ['a list', []],
    ['null', null],
    ['a prototype', { __proto__: { sealed: 'AAAA' } }],
  ])('a poisoned answer of the worker: %s', async (_, poison) => {
    const { world, first } = await openAndClose()
    world.worker.hear = (message) => {
      const { id } = message as { id: string }
      return (poison === null || Array.isArray(poison) ? poison : { id, ...poison }) as never
    }
    const next = await openTab(world, { sessionStorage: first.host.sessionStorage })
    expect(next.auth.getState().status).toBe('authenticated')
    expect(next.host.requests.length).toBe(1)
  })

  it.each([
    'x',
    '{}',
    '[]',
    'null',
    '{"id":1,"key":2,"generation":0,"leftAtMs":0}',
    '{"id":"a","key":"AAAA","generation":"x","leftAtMs":1}',
    '{"id":"a","key":"%%","generation":0,"leftAtMs":9e99}',
  ])('a poisoned record in session storage: %s', async (text) => {
    const world = createWorld()
    const first = await openTab(world)
    first.host.close()
    first.host.sessionStorage.set(KEPT, text)
    const next = await openTab(world, { sessionStorage: first.host.sessionStorage })
    expect(next.auth.getState().status).toBe('authenticated')
    expect(first.host.sessionStorage.get(KEPT)).toBeUndefined()
  })

  it.each(['denied', 'full', 'throws'] as const)('a session storage that is %s', async (fault) => {
    const world = createWorld()
    const first = await openTab(world)
    first.host.sessionStorage.fault = fault
    const next = await reload(world, first)
    await world.browser.clock.advance(1000)
    expect(next.auth.getState().status).toBe('authenticated')
    expect(world.worker.said.some((said) => (said as { type?: string }).type === 'keep')).toBe(false)
  })
})

describe('several tabs', () => {
  it('two that reload at once are both signed in with 0 requests, each by its own', async () => {
    const world = createWorld()
    const tabs = [await openTab(world), await openTab(world)]
    const next = tabs.map((tab) => beginReload(world, tab))
    await world.browser.clock.advance(1000)
    expect(next.map(({ auth }) => auth.getState().status)).toEqual(['authenticated', 'authenticated'])
    expect(next.map(({ host }) => host.requests.length)).toEqual([0, 0])
  })

  it('tokens that another tab has renewed meanwhile follow', async () => {
    const world = createWorld()
    const [first, other] = [await openTab(world), await openTab(world)]
    first.host.close()
    await first.host.settle()
    await other.auth.renew({ force: true })
    await other.host.settle()
    const next = await openTab(world, { sessionStorage: first.host.sessionStorage })
    expect(await next.auth.getAccessToken()).toBe(await other.auth.getAccessToken())
    expect(next.host.requests).toEqual([])
  })

  it('60 reloads of 5 tabs, any at any time: 0 lost, 0 requests but those of the first sign-in', async () => {
    const world = createWorld()
    const tabs: Scene[] = []
    for (let count = 0; count < 5; count += 1) tabs.push(await openTab(world))
    const requestsBefore = world.server.tokenRequests.length
    let seed = 7
    for (let count = 0; count < 60; count += 1) {
      seed = (seed * 48_271) % 2_147_483_647
      const index = seed % tabs.length
      tabs[index] = beginReload(world, tabs[index]!)
      await world.browser.clock.advance(seed % 40)
    }
    await world.browser.clock.advance(1000)
    expect(tabs.map(({ auth }) => auth.getState().status)).toEqual(Array(5).fill('authenticated'))
    expect(world.server.tokenRequests.length).toBe(requestsBefore)
  })
})

/** A tab that has left its session behind. */
async function openAndClose() {
  const world = createWorld()
  const first = await openTab(world)
  first.host.close()
  await first.host.settle()
  return { world, first }
}

async function openTabAt(world: ReturnType<typeof createWorld>, first: Scene, ms: number) {
  const next = beginReload(world, first)
  await world.browser.clock.advance(ms)
  return next
}
