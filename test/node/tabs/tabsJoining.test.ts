// What reaches a tab that is on its way to the session, or has none, while something happens in the others (F34, F35).
import { describe, expect, it } from 'vitest'
import type { Granted } from '../../../src/protocol/credentials.ts'
import type { Context } from '../../../src/session/context.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { joinSession } from '../../../src/session/tabs/joining.ts'
import type { TabChannel } from '../../../src/session/tabs/tabChannel.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import type { FakeHost, FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { APP, CONFIG, type Scene } from '../session/sessionScene.ts'
import { createTabWorld, openTab, startTab, startTabs } from './tabsScene.ts'
import { holdResponses } from '../../holdRequests.ts'

/** What other tabs hand over is read by this tab no sooner than when the answer is called. */
function holdBack({ platform }: FakeHost) {
  const real = platform.tabs
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  platform.tabs = () => {
    const { seal, ...port } = real()
    const createKey = async () => {
      const { publicKey, open } = await seal!.createKey()
      return { publicKey, open: (sealed: string) => released.then(() => open(sealed)) }
    }
    return { ...port, seal: { ...seal!, createKey } }
  }
  return release
}

const viewOf = ({ auth }: Pick<Scene, 'auth'>) => {
  const state = auth.getState()
  return state.status === 'authenticated'
    ? state.user.sessionId
    : `${state.status} ${(state as { reason?: string }).reason}`
}

describe('while a tab that has just opened is being handed the session', () => {
  async function openHeldBack() {
    const world = createTabWorld()
    const first = await startTab(world)
    const second = openTab(world)
    const release = holdBack(second.host)
    void second.auth.start()
    await second.host.clock.advance(100)
    return { world, first, second, release }
  }

  it('signing out in another tab leaves it signed out too', async () => {
    const { world, first, second, release } = await openHeldBack()
    world.server.user = undefined
    await first.auth.logout()
    release()
    await second.host.clock.advance(1000)
    expect(viewOf(second)).toBe('unauthenticated expired')
    await expect(second.auth.getAccessToken()).rejects.toMatchObject({ code: 'not-authenticated' })
  })

  it('a newer session of another tab is the one that it gets', async () => {
    const { world, first, second, release } = await openHeldBack()
    world.server.user = createFakeUser({ sessionId: 's2' })
    world.server.revokeAll()
    await first.auth.renew({ force: true })
    release()
    await second.host.clock.advance(1000)
    expect([first, second].map(viewOf)).toEqual(['s2', 's2'])
  })

  it('disposing of it leaves no channel open', async () => {
    const world = createTabWorld()
    await startTab(world)
    const second = openTab(world)
    void second.auth.start()
    second.auth.dispose()
    await second.host.clock.advance(1000)
    expect(second.host.counts()).toMatchObject({ channels: 0, listeners: 0, timers: 0, frames: 0 })
  })
})

it('a tab that is taken away in the middle of its renewal leaves its refresh token spent: no other tab uses it', async () => {
  const world = createTabWorld()
  const [first, second] = [await startTab(world), await startTab(world)]
  const release = holdResponses(first.host)
  const renewing = first.auth.renew({ force: true })
  await world.browser.clock.advance(100)
  first.auth.dispose()
  release()
  await expect(renewing).rejects.toMatchObject({ code: 'not-authenticated' })
  await second.auth.renew({ force: true })
  expect(viewOf(second)).toBe('s1')
  expect(world.server.tokenRequests.filter(({ isGranted }) => !isGranted)).toEqual([])
})

it('of two answers for one page, which are of two users, the one that was asked for before dispose() counts no more', async () => {
  const world = createTabWorld()
  const { host, auth } = openTab(world)
  const seen: unknown[] = []
  auth.subscribe(() => {
    const state = auth.getState()
    seen.push(state.status === 'authenticated' ? state.user.userId : state.status)
  })
  const releaseFirst = holdResponses(host)
  void auth.start()
  await host.settle()
  auth.dispose()
  world.server.user = createFakeUser({ userId: 'bob' })
  const releaseSecond = holdResponses(host)
  void auth.start()
  await host.settle()
  releaseFirst()
  await host.settle()
  releaseSecond()
  await host.settle()
  expect(seen).toEqual(['initializing', 'bob'])
})

it('after another user signed in in one of two tabs, a tab that opens is handed that session, without a request', async () => {
  const world = createTabWorld()
  const [first, second] = [await startTab(world), await startTab(world)]
  await second.auth.login()
  world.server.user = createFakeUser({ userId: 'bob', sessionId: 's2' })
  const host = second.host.openNext(world.server.callbackOf(second.host.navigations.at(-1)!))
  void createAuth(CONFIG, { platform: host.platform }).start()
  await world.browser.clock.advance(1000)
  const third = await startTab(world)
  expect([first, third].map(viewOf)).toEqual(['unauthenticated signed-out', 's2'])
  expect(third.host.requests).toEqual([])
})

it('a tab whose frame never answers has the session of a tab that signed in while it waited', async () => {
  const world = createTabWorld()
  const slow = await startTab(world, { host: { onFrame: () => {} } })
  const signedIn = await startTab(world)
  expect(slow.auth.getState().status).toBe('initializing')
  await world.browser.clock.advance(61_000)
  expect([slow, signedIn].map(viewOf)).toEqual(['s1', 's1'])
  expect(slow.host.requests.map(({ method }) => method)).toEqual(['GET'])
})

describe('a session that is worth nothing any more', () => {
  const endAtServer = async (options: FakeHostOptions) => {
    const world = createTabWorld()
    const tabs = await startTabs(world, 2, { host: options })
    world.server.user = undefined
    world.server.revokeAll()
    await expect(tabs[0]!.auth.renew({ force: true })).rejects.toMatchObject({ code: 'invalid-grant' })
    await world.browser.clock.advance(1000)
    return { tabs, requests: world.server.tokenRequests.filter(({ isGranted }) => !isGranted) }
  }

  it('ends in all tabs when one of them learns of it, for one request', async () => {
    const { tabs, requests } = await endAtServer({})
    expect(tabs.map(viewOf)).toEqual(['unauthenticated expired', 'unauthenticated expired'])
    expect(requests).toHaveLength(1)
  })

  it('ends in one tab alone where tabs cannot share: each has tokens of its own', async () => {
    const { tabs } = await endAtServer({ without: ['seal'] })
    expect(tabs.map(viewOf)).toEqual(['unauthenticated expired', 's1'])
  })
})

it('signing out in a tab that went to the sign-in page before reaches the tab that signed in meanwhile', async () => {
  const world = createTabWorld()
  world.server.user = undefined
  const left = await startTab(world)
  await left.auth.login()
  // What it has heard so far it has forgotten: it was away, and its page is another one.
  const again = left.host.openNext(APP, { onFrame: () => {} })
  const auth = createAuth(CONFIG, { platform: again.platform })
  void auth.start()
  await again.clock.advance(61_000)
  expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
  world.server.user = createFakeUser()
  const signedIn = await startTab(world)
  expect(viewOf(signedIn)).toBe('s1')
  await auth.logout()
  await again.clock.advance(1000)
  expect(viewOf(signedIn)).toBe('unauthenticated signed-out')
})

it('where nothing can be kept for all tabs, the sign-in of a page that has just opened reaches the tabs beside it', async () => {
  const world = createTabWorld()
  const options: FakeHostOptions = { without: ['store'] }
  const first = await startTab(world, { host: options })
  const waiting = await startTab(world, { host: options })
  const renewing = first.auth.renew({ force: true })
  await world.browser.clock.advance(1000)
  await renewing
  await waiting.auth.login({ prompt: 'login' })
  world.server.user = createFakeUser({ sessionId: 's2' })
  const host = waiting.host.openNext(world.server.callbackOf(waiting.host.navigations.at(-1)!), {
    ...options,
  })
  const signedIn = { host, auth: createAuth(CONFIG, { platform: host.platform }) }
  void signedIn.auth.start()
  await world.browser.clock.advance(1000)
  expect([first, signedIn].map(viewOf)).toEqual(['s2', 's2'])
})

it('tokens that another tab’s sign-in brought, while this one asked the server, came from a tab: nobody takes them back', async () => {
  const granted = (session: string) => ({ session, claims: {} }) as Granted
  const others: Pick<TabChannel, 'ask' | 'renewOnce'> = {
    ask: async () => undefined,
    async renewOnce(fetchTokens, hold) {
      await fetchTokens('frame')
      hold(granted('theirs'), false)
    },
  }
  const entered: unknown[] = []
  const context = {
    marker: { countOthers: () => 1 },
    pendingLogout: { mayBeDeclined: () => false },
    tokenEndpoint: { askFrame: async () => granted('own') },
    page: () => new AbortController().signal,
  } as unknown as Context
  await joinSession(context, { open: () => others as TabChannel }, context.page(), {
    isCopy: false,
    isOver: () => false,
    enter: async ({ session }, via) => void entered.push([session, via]),
  })
  expect(entered).toEqual([['theirs', 'tab']])
})
