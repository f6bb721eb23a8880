// The tabs of one browser are one session: sharing, one renewal for all, endings that reach everybody.
import { describe, expect, it } from 'vitest'
import { internalsOf } from '../../../src/session/internals.ts'
import { createFakeAuthServer, createFakeUser, type FakeAuthServer } from '../../../src/testing/authServer.ts'
import { browserWorks } from '../../../src/testing/fakeTabs.ts'
import type { FakeHost, FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { comeBackFromLogout, signInAfterLogout } from '../session/sessionScene.ts'
import { createTabWorld, openTab, startTab, startTabs, type World } from './tabsScene.ts'

async function openTabs(count: number, without: FakeHostOptions['without'] = []) {
  const world = createTabWorld()
  return { ...world, tabs: await startTabs(world, count, { host: { without } }) }
}

/** Somebody signs in in another tab. */
async function signInBeside(world: World) {
  world.server.user = createFakeUser()
  return startTab(world)
}

const requestCount = (hosts: readonly { host: FakeHost }[]) =>
  hosts.reduce((count, { host }) => count + host.requests.length, 0)

const reuseCount = (server: FakeAuthServer) =>
  server.tokenRequests.filter(({ isGranted }) => !isGranted).length

describe('a new tab beside a signed-in one', () => {
  it('is signed in with 0 requests to the server and 0 frames', async () => {
    const { tabs } = await openTabs(2)
    expect(tabs.map(({ auth }) => auth.getState().status)).toEqual(['authenticated', 'authenticated'])
    expect(tabs[1]!.host.requests).toEqual([])
  })

  it('renews as soon before the token ends as the one that had it', async () => {
    const world = createTabWorld()
    const options = { config: { autoRefreshToken: false } }
    const [first] = await startTabs(world, 1, options)
    const before = await first!.auth.getAccessToken()
    await world.browser.clock.advance(555_000)
    const late = await startTab(world, options)
    expect(await late.auth.getAccessToken()).toBe(before)
    await world.browser.clock.advance(14_000)
    const asking = late.auth.getAccessToken()
    await world.browser.clock.advance(5_000)
    expect(await asking).not.toBe(before)
    expect(late.host.requests).toHaveLength(1)
  })

  it('never sends a token over the channel in the clear', async () => {
    const { browser, tabs } = await openTabs(3)
    const token = await tabs[0]!.auth.getAccessToken()
    expect(JSON.stringify(browser.posted)).toContain('offer')
    expect(JSON.stringify(browser.posted)).not.toContain(token)
  })

  it('falls back to the frame when the sibling has crashed', async () => {
    const world = await openTabs(1)
    world.tabs[0]!.host.close()
    world.browser.localStorage.set('latchkey https://auth.test admin session', '{"tabs":["Crash1"]}')
    const late = openTab(world)
    void late.auth.start()
    await late.host.settle()
    expect(late.auth.getState().status).toBe('initializing')
    await world.browser.clock.advance(1000)
    expect(late.auth.getState().status).toBe('authenticated')
  })

  it.each([['seal'], ['channels']] as const)(
    'verifies by itself where the browser has no %s',
    async (part) => {
      const { tabs } = await openTabs(2, [part])
      expect(tabs.map(({ auth }) => auth.getState().status)).toEqual(['authenticated', 'authenticated'])
      expect(requestCount(tabs)).toBe(2)
    },
  )
})

describe('renewal', () => {
  it.each([
    ['with everything', []],
    ['without the shared store', ['store']],
  ] as const)(
    'runs once for 8 tabs that ask at the same time, and all have the new token, %s',
    async (_, without) => {
      const { browser, server, tabs } = await openTabs(8, without)
      const before = requestCount(tabs)
      await browser.clock.advance(590_000)
      const asking = Promise.all(tabs.map(({ auth }) => auth.getAccessToken()))
      await browser.clock.advance(5000)
      const tokens = await asking
      expect(requestCount(tabs) - before).toBe(1)
      expect(reuseCount(server)).toBe(0)
      expect(tabs.map(({ auth }) => auth.getState().status)).toEqual(Array(8).fill('authenticated'))
      expect(new Set(tokens).size).toBe(1)
    },
  )

  it('goes on for 20 rotations in 8 tabs with one request each and without one reuse of a refresh token', async () => {
    const { browser, server, tabs } = await openTabs(8)
    const before = requestCount(tabs)
    for (let round = 0; round < 20; round += 1) {
      const renewing = Promise.all(tabs.map(({ auth }) => auth.renew({ force: true })))
      await browser.clock.advance(3000)
      await renewing
    }
    expect(reuseCount(server)).toBe(0)
    expect(tabs.every(({ auth }) => auth.getState().status === 'authenticated')).toBe(true)
    expect(requestCount(tabs) - before).toBe(20)
  })

  it.each<[string, unknown]>([
    ['cleared', undefined],
    ['emptied', {}],
    ['set to a number that cannot grow', { generation: Number.MAX_VALUE }],
    ['set to a negative number', { generation: -5, isPending: false }],
    ['set to no number', { generation: 'many', isPending: 'yes' }],
    ['set far ahead', { generation: 1e12 }],
  ])('goes on when what the tabs agree on is %s between two renewals', async (_what, value) => {
    const { browser, server, tabs } = await openTabs(3)
    for (let round = 0; round < 6; round += 1) {
      await browserWorks(browser).update(
        'latchkey https://auth.test admin tabs admin%20%20openid%20profile',
        () => value,
      )
      const renewing = tabs[round % 3]!.auth.renew({ force: true })
      await browser.clock.advance(3_000)
      await renewing
      const tokens = await Promise.all(tabs.map(async ({ auth }) => auth.getAccessToken()))
      expect(new Set(tokens).size).toBe(1)
    }
    expect(reuseCount(server)).toBe(0)
  })

  it('that the server refuses is refused once for 5 tabs that ask at the same time, and all end', async () => {
    const { browser, server, tabs } = await openTabs(5)
    server.user = undefined
    server.revokeAll()
    const asking = Promise.allSettled(tabs.map(({ auth }) => auth.renew({ force: true })))
    await browser.clock.advance(30_000)
    expect(tabs.map(({ auth }) => auth.getState())).toEqual(
      Array(5).fill(expect.objectContaining({ status: 'unauthenticated', reason: 'expired' })),
    )
    expect(reuseCount(server)).toBe(1)
    expect((await asking).map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    const refused = tabs[0]!.auth.explain().filter(({ step }) => step === 'renew token')
    expect(refused).toMatchObject([{ outcome: 'failed', error: { code: 'invalid-grant' } }])
  })

  it('recovers when the tab that renewed is gone before it could tell the others', async () => {
    const { browser, server, tabs } = await openTabs(3)
    const [winner, ...others] = tabs
    void winner!.auth.renew({ force: true }).catch(() => {})
    await Promise.resolve()
    winner!.host.close()
    const asking = Promise.all(others.map(({ auth }) => auth.renew({ force: true })))
    await browser.clock.advance(30_000)
    await asking
    expect(others.map(({ auth }) => auth.getState().status)).toEqual(['authenticated', 'authenticated'])
    expect(reuseCount(server)).toBe(0)
  })
})

describe('a renewal that is forced right after signing in', () => {
  it('goes to the server, however far the other tabs have been told of the sign-in', async () => {
    for (let breaths = 0; breaths < 60; breaths += 1) {
      const world = createTabWorld()
      const { host, auth } = openTab(world)
      const renewed: Promise<void>[] = []
      const renew = async () => {
        for (let breath = 0; breath < breaths; breath += 1) await Promise.resolve()
        await auth.renew({ force: true })
      }
      auth.subscribe(() => {
        if (renewed.length === 0 && auth.getState().status === 'authenticated') renewed.push(renew())
      })
      void auth.start()
      await host.settle()
      await world.browser.clock.advance(1000)
      await Promise.all(renewed)
      const grants = world.server.tokenRequests.map(({ grantType }) => grantType)
      expect(grants, `after ${breaths} breaths`).toEqual(['authorization_code', 'refresh_token'])
      auth.dispose()
    }
  })
})

describe('the end of a session', () => {
  it('reaches every tab, which then holds no token', async () => {
    const { tabs } = await openTabs(3)
    const [first, ...others] = tabs
    void first!.auth.logout()
    await first!.host.settle()
    for (const { auth } of others) {
      expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
      await expect(auth.getAccessToken()).rejects.toThrow('Not authenticated yet')
    }
    expect(others.map(({ host }) => host.navigations)).toEqual([[], []])
  })

  it('is seen by a frozen tab when it wakes, before anything else', async () => {
    const { tabs } = await openTabs(2, ['channels'])
    void tabs[0]!.auth.logout()
    await tabs[0]!.host.settle()
    expect(tabs[1]!.auth.getState().status).toBe('authenticated')
    tabs[1]!.host.emit('restored')
    expect(tabs[1]!.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it.each<['page' | 'departure', string]>([
    ['page', 'authenticated'],
    ['departure', 'redirecting'],
  ])(
    'a %s from before another user signed in, brought back from the browser’s memory, has nothing of the former user',
    async (what, before) => {
      // The page in the browser's memory hears nothing of the others.
      const { server, browser, tabs } = await openTabs(1, ['channels'])
      const [first] = tabs
      if (what === 'departure') await first!.auth.login({ prompt: 'login' })
      expect(first!.auth.getState().status).toBe(before)
      first!.host.emit('pagehide')
      server.user = createFakeUser({ userId: 'bob', sessionId: 'b1' })
      const second = await startTab({ server, browser }, { host: { without: ['channels'] } })
      expect(second.auth.getState()).toMatchObject({ user: { userId: 'bob' } })
      const seen: unknown[] = []
      first!.auth.subscribe(() => seen.push(first!.auth.getState().status))
      // In the order of Chromium.
      first!.host.emit('visible')
      first!.host.emit('resume')
      first!.host.emit('restored')
      first!.host.emit('pageshow')
      // In the same task: nothing is painted before.
      expect(first!.auth.getState()).toMatchObject({
        status: 'unauthenticated',
        reason: 'signed-out',
        cause: { code: 'identity-changed' },
      })
      expect(seen).not.toContain('authenticated')
      await expect(first!.auth.getAccessToken()).rejects.toThrow('Not authenticated yet')
      // The other user's session goes on, and a new tab finds it.
      second.host.emit('restored')
      await browser.clock.advance(1000)
      expect(second.auth.getState()).toMatchObject({ user: { userId: 'bob' } })
    },
  )

  it('a page that goes is none of the tabs any more, though it is hidden after that: its reload waits for no other tab', async () => {
    const { browser, tabs } = await openTabs(1)
    const key = Object.keys(browser.localStorage.entries()).find((name) => name.endsWith(' session')) ?? ''
    const marker = () => JSON.parse(browser.localStorage.get(key) ?? '{}') as unknown
    expect(marker()).toMatchObject({ tabs: [expect.any(String)] })
    // In the order of Chromium.
    tabs[0]!.host.emit('pagehide')
    tabs[0]!.host.emit('hidden')
    expect(marker()).toMatchObject({ tabs: [] })
  })

  it('a page of the same user from the browser’s memory goes on', async () => {
    const { server, browser, tabs } = await openTabs(1, ['channels'])
    tabs[0]!.host.emit('pagehide')
    await startTab({ server, browser }, { host: { without: ['channels'] } })
    tabs[0]!.host.emit('restored')
    tabs[0]!.host.emit('pageshow')
    expect(tabs[0]!.auth.getState().status).toBe('authenticated')
  })

  it.each(['focus', 'visible', 'hidden', 'online'] as const)(
    'is not what an app means that clears local storage in a page that runs: at %s every tab is signed in, and knows the others',
    async (event) => {
      const { browser, tabs } = await openTabs(2)
      const keys = Object.keys(browser.localStorage.entries())
      expect(keys).not.toEqual([])
      for (const key of keys) browser.localStorage.remove(key)
      for (const { host } of tabs) host.emit(event)
      for (const { host } of tabs) host.emit('focus')
      await browser.clock.advance(1000)
      expect(tabs.map(({ auth }) => auth.getState().status)).toEqual(['authenticated', 'authenticated'])
      const third = await startTab({ browser, server: createFakeAuthServer({ user: undefined }) })
      expect(third.host.requests).toEqual([])
      expect(third.auth.getState().status).toBe('authenticated')
    },
  )

  it.each(['resume', 'restored'] as const)(
    'is what a storage that was cleared means to a page that could hear nothing: at %s it is signed out',
    async (event) => {
      const { browser, tabs } = await openTabs(1)
      browser.localStorage.clear()
      tabs[0]!.host.emit(event)
      expect(tabs[0]!.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    },
  )

  it('is followed by one sign-in that brings all tabs back', async () => {
    const { server, browser, tabs } = await openTabs(2)
    void tabs[0]!.auth.logout()
    await tabs[0]!.host.settle()
    await comeBackFromLogout({ host: tabs[0]!.host, server })
    server.user = createFakeUser()
    const third = await signInAfterLogout(await startTab({ server, browser }), server)
    await browser.clock.advance(2000)
    expect(third.auth.getState().status).toBe('authenticated')
    expect(tabs[1]!.auth.getState().status).toBe('authenticated')
  })
})

describe('a sign-in', () => {
  it('reaches the tabs that were opened before it and had no session, without a request of theirs', async () => {
    const world = createTabWorld({ user: undefined })
    const waiting = [openTab(world), openTab(world)]
    for (const { auth, host } of waiting) {
      void auth.start()
      await host.settle()
      expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'none' })
    }
    const third = await signInBeside(world)
    expect(third.auth.getState().status).toBe('authenticated')
    expect(waiting.map(({ auth }) => auth.getState().status)).toEqual(['authenticated', 'authenticated'])
    expect(requestCount(waiting)).toBe(0)
    // They are one session from then on.
    await waiting[0]!.auth.renew({ force: true })
    await world.browser.clock.advance(2000)
    expect(await waiting[1]!.auth.getAccessToken()).toBe(await third.auth.getAccessToken())
    expect(reuseCount(world.server)).toBe(0)
    void third.auth.logout()
    await third.host.settle()
    for (const { auth } of waiting)
      expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    for (const { auth } of [...waiting, third]) auth.dispose()
    await world.browser.clock.advance(3000)
    for (const { host } of waiting)
      expect(host.counts()).toMatchObject({ listeners: 0, channels: 0, timers: 0 })
  })

  it('reaches a page that was left for the sign-in page and came back without one', async () => {
    const world = createTabWorld({ user: undefined })
    const { auth, host } = openTab(world, { config: { autoLogin: true } })
    void auth.start()
    await host.settle()
    expect(auth.getState().status).toBe('redirecting')
    host.emit('restored')
    await host.settle()
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'cancelled' })
    await signInBeside(world)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('reaches a page that React has hidden and shown again, and none that is gone', async () => {
    const world = createTabWorld({ user: undefined })
    const [shown, gone] = [openTab(world), openTab(world)]
    for (const { auth, host } of [shown, gone]) {
      const hide = internalsOf(auth).hold()
      await host.settle()
      expect(auth.getState().status).toBe('unauthenticated')
      hide()
      await world.browser.clock.advance(1000)
      expect(host.counts()).toMatchObject({ listeners: 0, channels: 0 })
    }
    internalsOf(shown.auth).hold()
    await shown.host.settle()
    await signInBeside(world)
    expect(shown.auth.getState().status).toBe('authenticated')
    expect(gone.auth.getState().status).toBe('unauthenticated')
  })
})

describe('what a tab leaves behind', () => {
  it('is nothing', async () => {
    const { tabs, browser } = await openTabs(2)
    for (const { auth } of tabs) auth.dispose()
    await browser.clock.advance(3000)
    for (const { host } of tabs) {
      expect(host.counts()).toEqual({ listeners: 0, timers: 0, frames: 0, popups: 0, channels: 0, locks: 0 })
    }
  })
})
