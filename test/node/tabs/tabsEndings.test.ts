// The end of a session in all tabs: every tab's own hook first, then the end, and of that session alone.
import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import type { Hooks } from '../../../src/protocol/eventHooks.ts'
import {
  endLock,
  pendingLogoutKey,
  sessionRecordKey,
  SETTLED_LOGOUT,
} from '../../../src/protocol/storageKeys.ts'
import { parseSessions } from '../../../src/protocol/tabMessages.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeHost, type FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { createWorld } from '../uniqueSession/uniqueSessionScene.ts'
import { APP, CLIENT, comeBackFromLogout, signInAfterLogout } from '../session/sessionScene.ts'
import { createTabWorld, startTab } from './tabsScene.ts'

const MINUTE = 60_000

/** Tabs of one browser, signed in one after the other; each with its own hook. */
async function openTabs(
  hooks: readonly (Hooks['beforeLogout'] | undefined)[],
  config: Partial<AuthConfig> = {},
  options: FakeHostOptions = {},
) {
  const world = createTabWorld({ expiresInSeconds: 86_400 })
  const open = async (beforeLogout?: Hooks['beforeLogout'], more: FakeHostOptions = {}) =>
    startTab(world, {
      config: { ...config, hooks: beforeLogout ? { beforeLogout } : {} },
      host: { ...options, ...more },
    })
  const tabs = []
  for (const hook of hooks) tabs.push(await open(hook))
  return { ...world, tabs, open }
}

/** A draft that takes a while to save, and needs the session for it. */
function createDraft(saveMs: number) {
  const saved: string[] = []
  const hookOf =
    (name: string, tab: () => Awaited<ReturnType<typeof openTabs>>['tabs'][number]): Hooks['beforeLogout'] =>
    async ({ user, reason }) => {
      const { host, auth } = tab()
      await new Promise<void>((resolve) => host.platform.setTimer(resolve, saveMs))
      await auth.getAccessToken()
      saved.push(`${name} ${user?.userId} ${reason}`)
    }
  return { saved, hookOf }
}

async function openThreeDrafts(saveMs: number, config?: Partial<AuthConfig>, options?: FakeHostOptions) {
  const draft = createDraft(saveMs)
  const scene: Awaited<ReturnType<typeof openTabs>> = await openTabs(
    [0, 1, 2].map((index) => draft.hookOf(`tab ${index}`, () => scene.tabs[index]!)),
    config,
    options,
  )
  const statuses = () => scene.tabs.map(({ auth }) => auth.getState().status)
  return { ...scene, saved: draft.saved, statuses }
}

describe('the drafts of every tab are saved', () => {
  it('before any of them ends, at a logout: in parallel', async () => {
    const { browser, tabs, saved, statuses } = await openThreeDrafts(2000)
    void tabs[0]!.auth.logout()
    await browser.clock.advance(1999)
    expect([saved, statuses()]).toEqual([[], Array(3).fill('authenticated')])
    await browser.clock.advance(1)
    expect(saved.toSorted()).toEqual([
      'tab 0 alice signed-out',
      'tab 1 alice signed-out',
      'tab 2 alice signed-out',
    ])
    expect(statuses()).toEqual(['redirecting', 'unauthenticated', 'unauthenticated'])
    expect(tabs.map(({ host }) => host.navigations.length)).toEqual([1, 0, 0])
  })

  it('at a logout in every tab at once, and one tab goes to the logout page for all', async () => {
    const { browser, tabs, saved, statuses } = await openThreeDrafts(2000)
    for (const { auth } of tabs) void auth.logout()
    await browser.clock.advance(10_000)
    expect(saved.toSorted()).toEqual([
      'tab 0 alice signed-out',
      'tab 1 alice signed-out',
      'tab 2 alice signed-out',
    ])
    expect(statuses()).not.toContain('authenticated')
    expect(tabs.flatMap(({ host }) => host.navigations)).toHaveLength(1)
  })

  it('and a tab that has ended by it goes to no logout page of its own: code of the app logs out at every refused call', async () => {
    const { browser, tabs } = await openTabs([undefined, undefined])
    const [first, second] = tabs as [(typeof tabs)[0], (typeof tabs)[0]]
    let isLate = false
    second.auth.subscribe(() => {
      if (isLate || second.auth.getState().status !== 'unauthenticated') return
      isLate = true
      void second.auth.logout()
    })
    void first.auth.logout()
    await browser.clock.advance(1000)
    expect(isLate).toBe(true)
    expect(tabs.map(({ host }) => host.navigations.length)).toEqual([1, 0])
    await browser.clock.advance(60_000)
    void second.auth.logout()
    await browser.clock.advance(1000)
    expect(second.host.navigations).toHaveLength(1)
  })

  it('and a click on a page that could not start is no click in vain: that page is signed out too', async () => {
    const { browser, tabs, open } = await openTabs([undefined])
    const failed = await open(undefined, {
      without: ['channels'],
      fetch: async () => Promise.reject(new TypeError('Failed to fetch')),
    })
    void tabs[0]!.auth.logout()
    await browser.clock.advance(500)
    expect(tabs[0]!.host.navigations).toHaveLength(1)
    expect(failed.auth.getState().status).toBe('failed')
    await failed.auth.logout()
    expect(failed.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(failed.host.navigations).toHaveLength(0)
  })

  it('and a click on a page that another tab has ended goes to the logout page, if that tab is closed before it goes there', async () => {
    const { browser, tabs, saved } = await openThreeDrafts(2000)
    const [first, second] = tabs as [(typeof tabs)[0], (typeof tabs)[0]]
    // Its request to the server hangs.
    first.host.fetch = () => new Promise(() => {})
    void first.auth.logout()
    await browser.clock.advance(3000)
    expect([saved.length, second.auth.getState().status]).toEqual([3, 'unauthenticated'])
    first.host.close()
    await second.auth.logout()
    await browser.clock.advance(15_000)
    expect(tabs.map(({ host }) => host.navigations.length)).toEqual([0, 1, 0])
  })

  it('and one that is closed before it could go there leaves it to another', async () => {
    const { browser, tabs } = await openThreeDrafts(2000)
    for (const { auth } of tabs) void auth.logout()
    await browser.clock.advance(1000)
    tabs[2]!.host.close()
    await browser.clock.advance(30_000)
    expect(tabs.flatMap(({ host }) => host.navigations)).toHaveLength(1)
  })

  it('at logouts in two tabs at once without a network, and both say so', async () => {
    const { browser, tabs } = await openTabs([undefined, undefined])
    for (const { host } of tabs) host.setOnline(false)
    for (const { auth } of tabs) void auth.logout()
    await browser.clock.advance(30_000)
    for (const { auth } of tabs) expect(auth.getState()).toMatchObject({ cause: { code: 'offline' } })
    for (const { host } of tabs) host.setOnline(true)
    await browser.clock.advance(30_000)
    expect(tabs.flatMap(({ host }) => host.navigations)).toHaveLength(1)
  })

  it('and one that the app has disposed of meanwhile goes nowhere', async () => {
    const { browser, tabs } = await openThreeDrafts(2000)
    for (const { auth } of tabs) void auth.logout()
    await browser.clock.advance(1000)
    tabs[2]!.host.close()
    await browser.clock.advance(6000)
    expect(tabs[0]!.auth.getState().status).toBe('unauthenticated')
    for (const { auth } of tabs) auth.dispose()
    await browser.clock.advance(30_000)
    expect(tabs.flatMap(({ host }) => host.navigations)).toHaveLength(0)
  })

  it.each(['denied', 'full'] as const)(
    'at logouts in two tabs at once whose storage is %s, and the server is told',
    async (fault) => {
      const { browser, tabs } = await openTabs([undefined, undefined])
      // Of an earlier logout.
      browser.localStorage.set(pendingLogoutKey(CLIENT), SETTLED_LOGOUT)
      for (const { host } of tabs) host.localStorage.fault = fault
      for (const { auth } of tabs) void auth.logout()
      await browser.clock.advance(10_000)
      expect(tabs.flatMap(({ host }) => host.navigations)).not.toHaveLength(0)
    },
  )

  it('at the end of idle time, each once, though every tab sees the deadline', async () => {
    const { browser, saved, statuses } = await openThreeDrafts(2000)
    await browser.clock.advance(31 * MINUTE)
    expect(saved.toSorted()).toEqual(['tab 0 alice idle', 'tab 1 alice idle', 'tab 2 alice idle'])
    expect(statuses()).not.toContain('authenticated')
  })

  it('at the end of idle time, and one tab goes to the logout page for all', async () => {
    const { browser, tabs, statuses } = await openThreeDrafts(2000)
    await browser.clock.advance(30 * MINUTE + 3000)
    expect(statuses().toSorted()).toEqual(['redirecting', 'unauthenticated', 'unauthenticated'])
    expect(tabs.flatMap(({ host }) => host.navigations)).toHaveLength(1)
  })

  it('at the end of idle time, also when the tab that was to tell the server has crashed', async () => {
    const { browser, tabs, statuses } = await openThreeDrafts(2000)
    const { localStorage, takeLock } = tabs[0]!.host.platform
    const { id } = JSON.parse(localStorage.get(sessionRecordKey(CLIENT))!) as { id: string }
    void takeLock(endLock(CLIENT, id), 60 * MINUTE)
    await browser.clock.advance(30 * MINUTE + 7000)
    expect(statuses()).toEqual(Array(3).fill('unauthenticated'))
    for (const { auth } of tabs) expect(auth.getState()).toMatchObject({ reason: 'idle' })
  })

  it('at a session clash, before any of them ends, and one tab goes to the logout page for all', async () => {
    const { signIn, openTab, pass } = createWorld()
    const first = await signIn({ atSeconds: 0 })
    const tabs = [first, await openTab(first), await openTab(first)]
    const saved: string[] = []
    const statuses = () => tabs.map(({ auth }) => auth.getState().status)
    for (const [index, { auth, host }] of tabs.entries())
      auth.setHook('beforeLogout', async ({ reason }) => {
        await new Promise<void>((resolve) => host.platform.setTimer(resolve, 1000 * (index + 1)))
        await auth.getAccessToken()
        saved.push(`tab ${index} ${reason}`)
      })
    await signIn({ atSeconds: 60 })
    await pass(2500)
    expect(saved).toEqual(['tab 0 session-clash', 'tab 1 session-clash'])
    expect(statuses()).toEqual(Array(3).fill('authenticated'))
    await pass(1500)
    expect(saved).toHaveLength(3)
    expect(statuses().toSorted()).toEqual(['redirecting', 'unauthenticated', 'unauthenticated'])
    await pass(10_000)
    expect(tabs.flatMap(({ host }) => host.navigations)).toHaveLength(1)
  })

  it('also by a logout of a tab that has no session itself', async () => {
    const { browser, saved, statuses, server, open } = await openThreeDrafts(1000)
    server.user = undefined
    const fourth = await open(undefined, { without: ['seal'] })
    expect(fourth.auth.getState().status).toBe('unauthenticated')
    void fourth.auth.logout()
    await browser.clock.advance(1000)
    expect(saved).toHaveLength(3)
    expect(statuses()).toEqual(Array(3).fill('unauthenticated'))
    expect(fourth.host.navigations).toHaveLength(1)
  })

  it('and a tab that signs in meanwhile ends too, though another page has gone to the logout page and the storage was emptied', async () => {
    const { browser, tabs, open } = await openTabs([() => new Promise(() => {})])
    void tabs[0]!.auth.logout()
    const second = await open()
    expect(second.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    browser.localStorage.clear()
    const third = await open()
    expect(third.auth.getState().status).toBe('authenticated')
    await browser.clock.advance(5000)
    expect(tabs[0]!.auth.getState().status).not.toBe('authenticated')
    expect(third.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it('where tabs cannot share a session either', async () => {
    const { browser, tabs, saved, statuses } = await openThreeDrafts(1000, {}, { without: ['seal'] })
    void tabs[1]!.auth.logout()
    await browser.clock.advance(1000)
    expect(saved).toHaveLength(3)
    expect(statuses()).toEqual(['unauthenticated', 'redirecting', 'unauthenticated'])
  })
})

describe('a tab that is not ready', () => {
  it('is waited for 5 seconds in all and not longer, and ends then too', async () => {
    const never = () => new Promise(() => {})
    const { browser, tabs } = await openTabs([undefined, never])
    void tabs[0]!.auth.logout()
    await browser.clock.advance(4999)
    expect(tabs[0]!.host.navigations).toEqual([])
    await browser.clock.advance(1)
    expect(tabs[0]!.host.navigations).toHaveLength(1)
    await browser.clock.advance(1)
    expect(tabs[1]!.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it('is waited for no longer by a tab that has no session itself, and ends then too', async () => {
    const { browser, tabs, server, open } = await openTabs([() => new Promise(() => {})])
    server.user = undefined
    const second = await open(undefined, { without: ['seal'] })
    expect(second.auth.getState().status).toBe('unauthenticated')
    void second.auth.logout()
    await browser.clock.advance(5001)
    expect(second.host.navigations).toHaveLength(1)
    expect(tabs[0]!.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it('because its hook throws is ready, and that is reported there', async () => {
    const { browser, tabs } = await openTabs([
      undefined,
      () => {
        throw new Error('a mistake of the app')
      },
    ])
    void tabs[0]!.auth.logout()
    await browser.clock.advance(1)
    expect(tabs[0]!.host.navigations).toHaveLength(1)
    expect(tabs[1]!.host.warnings).toMatchObject([{ message: 'The beforeLogout hook failed' }])
  })

  it('because it has crashed or sleeps holds nobody longer than half a second', async () => {
    const { browser, tabs } = await openTabs([undefined, undefined])
    tabs[1]!.host.crash()
    void tabs[0]!.auth.logout()
    await browser.clock.advance(500)
    expect(tabs[0]!.host.navigations).toHaveLength(1)
  })

  it('when the tab that asked has gone ends by itself, after as long as that tab could have taken', async () => {
    const { browser, tabs, saved } = await openThreeDrafts(1000)
    void tabs[0]!.auth.logout()
    await browser.clock.advance(0)
    tabs[0]!.host.crash()
    await browser.clock.advance(6000)
    expect(saved.toSorted()).toEqual(['tab 1 alice signed-out', 'tab 2 alice signed-out'])
    for (const { auth } of tabs.slice(1))
      expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it('when the tab that asked has gone is asked again by the next that signs out', async () => {
    const { saved, browser, tabs } = await openThreeDrafts(1000)
    void tabs[0]!.auth.logout()
    await browser.clock.advance(500)
    tabs[0]!.host.crash()
    await browser.clock.advance(2000)
    expect(tabs[1]!.auth.getState().status).toBe('authenticated')
    expect(saved.toSorted()).toEqual(['tab 1 alice signed-out', 'tab 2 alice signed-out'])
    void tabs[1]!.auth.logout()
    await browser.clock.advance(2000)
    expect(saved.filter((name) => name.startsWith('tab 1'))).toHaveLength(2)
    expect(tabs[2]!.auth.getState().status).toBe('unauthenticated')
  })
})

describe('an end', () => {
  const ended = (session: string) => ({ type: 'ended', reason: 'signed-out', sessions: [session] })
  const namesIn = (posted: readonly { message: unknown }[]) =>
    posted.flatMap(({ message }) => (message as { sessions?: string[] }).sessions ?? [])

  it.each<[string, object, object]>([
    ['that the server names', { sessionId: 's1' }, { sessionId: 's2' }],
    ['that the server does not name', { sessionId: undefined }, { sessionId: undefined }],
  ])('of a session %s ends no other one, however late it is heard', async (_what, first, second) => {
    const { browser, server, tabs, open } = await openTabs([])
    server.user = createFakeUser(first)
    const [own, other] = [await open(), await open()]
    void own.auth.logout()
    await browser.clock.advance(1000)
    expect(other.auth.getState().status).toBe('unauthenticated')
    const [name] = namesIn(browser.posted)
    await comeBackFromLogout({ host: own.host, server })
    server.user = createFakeUser(second)
    const next = await signInAfterLogout(await open(), server)
    await browser.clock.advance(1000)
    expect([next, other].map(({ auth }) => auth.getState().status)).toEqual([
      'authenticated',
      'authenticated',
    ])
    expect(tabs).toEqual([])
    const channel = browser.posted[0]?.channel ?? ''
    const late = createFakeHost(APP, { browser })
    late.platform
      .tabs()
      .openChannel?.(channel, () => {})
      .post(ended(name ?? ''))
    await browser.clock.advance(1000)
    expect([next, other].map(({ auth }) => auth.getState().status)).toEqual([
      'authenticated',
      'authenticated',
    ])
    // And one that names it does.
    void next.auth.logout()
    await browser.clock.advance(1000)
    expect(other.auth.getState().status).toBe('unauthenticated')
  })

  it('of a session keeps no tab from handing on the next one, when the server gives it the same name', async () => {
    const { browser, server, tabs, open } = await openTabs([undefined, undefined])
    const [own, other] = [tabs[0]!, tabs[1]!]
    const { user } = server
    void own.auth.logout({ force: false })
    await browser.clock.advance(1000)
    expect(other.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    const back = await comeBackFromLogout({ host: own.host, server })
    back.close()
    server.user = user
    const again = await signInAfterLogout(await open(), server)
    await browser.clock.advance(1000)
    expect(other.auth.getState().status).toBe('authenticated')
    again.host.crash()
    const next = await open()
    expect(next.auth.getState().status).toBe('authenticated')
    expect([next.host.requests, server.tokenRequests.length]).toEqual([[], 2])
  })

  it('because another user’s session is in its place at the server comes in every tab, when the token is over', async () => {
    const { browser, server, tabs } = await openTabs([undefined, undefined], { autoLogout: false })
    tabs[1]!.auth.stopRenewal()
    server.revokeAll()
    server.user = createFakeUser({ userId: 'bob', sessionId: 's2' })
    await browser.clock.advance(86_400_000)
    await expect(tabs[0]!.auth.getAccessToken()).rejects.toMatchObject({ code: 'identity-changed' })
    await browser.clock.advance(1000)
    expect(tabs.map(({ auth }) => auth.getState())).toMatchObject([
      { status: 'unauthenticated', reason: 'expired', cause: { code: 'identity-changed' } },
      { status: 'unauthenticated', reason: 'expired' },
    ])
  })

  it('that names no session ends none', async () => {
    const { browser, tabs } = await openTabs([undefined])
    const late = createFakeHost(APP, { browser })
    const channel = late.platform.tabs().openChannel?.(browser.posted[0]?.channel ?? '', () => {})
    for (const message of [{ type: 'ended', reason: 'signed-out' }, ended('')]) channel?.post(message)
    await browser.clock.advance(1000)
    expect(tabs[0]!.auth.getState().status).toBe('authenticated')
  })

  it('that names 50,000 sessions is read to the first 64', () => {
    const sessions = Array.from({ length: 50_000 }, (_, index) => `s${index}`)
    expect(parseSessions(sessions)).toEqual(sessions.slice(0, 64))
  })

  it('speaks of the session by a random id, which holds no secret', async () => {
    const { browser, server, open } = await openTabs([])
    server.user = createFakeUser({ sessionId: 'session-of-alice' })
    const own = await open()
    await open()
    const token = await own.auth.getAccessToken()
    void own.auth.logout()
    await browser.clock.advance(1000)
    const text = JSON.stringify([browser.posted, browser.localStorage.entries()])
    for (const secret of [token, 'session-of-alice', 'alice']) expect(text).not.toContain(secret)
    expect(namesIn(browser.posted)).toEqual([expect.stringMatching(/^[0-9a-zA-Z]{6}$/)])
  })
})

it.each([
  ['its hook', false],
  ['the hook of every tab', true],
])(
  'a logout ends every tab, and no page brings its user back, where %s empties the storage',
  async (_which, areAll) => {
    const empty = () => browser.localStorage.clear()
    const { browser, tabs, open } = await openTabs([empty, areAll ? empty : undefined], { autoLogout: false })
    const statuses = () => tabs.map(({ auth }) => auth.getState().status)
    expect(statuses()).toEqual(['authenticated', 'authenticated'])
    void tabs[0]!.auth.logout()
    await browser.clock.advance(1_000)
    expect(statuses()).toEqual(['redirecting', 'unauthenticated'])
    // One that was frozen meanwhile finds the end in the storage.
    expect((await open()).auth.getState().status).not.toBe('authenticated')
  },
)
