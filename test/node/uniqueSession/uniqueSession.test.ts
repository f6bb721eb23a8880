// One session per user as a whole session lives it: who stays, who goes, in which tabs, with which words.
import { describe, expect, it, vi } from 'vitest'
import { pubnub } from '../../../src/pubnub/index.ts'
import { createMemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
import type { RealtimeTransport } from '../../../src/protocol/realtimeTransport.ts'
import { sessionRecordKey } from '../../../src/protocol/storageKeys.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createWorld, MORNING } from './uniqueSessionScene.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import {
  CLIENT,
  CONFIG,
  createScene,
  nextPage,
  type Scene,
  type SceneOptions,
  startScene,
} from '../session/sessionScene.ts'

const CHANNEL = 'auth-session-42'
const agentOf = ({ host }: { host: { localStorage: { get(key: string): string | undefined } } }) =>
  host.localStorage.get('latchkey https://auth.test admin agent') ?? ''

describe('a second browser of the same user', () => {
  it('ends the older session, says why, when and where, and leaves the newer one alone', async () => {
    const { older, newer } = await createWorld().signInTwice()
    expect(newer.auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'connected' })
    expect(older.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    const [logout] = older.host.navigations
    expect(new URL(logout!).pathname).toBe('/oauth/logout')

    const state = new URL(logout!).searchParams.get('state')
    const back = nextPage(older, `https://app.test/?state=${state}`)
    void back.auth.start()
    await back.host.settle()
    expect(back.auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'session-clash',
      cause: {
        code: 'session-clash',
        body: { sinceMs: (MORNING + 60) * 1000, agentId: agentOf(newer) },
      },
    })
  })

  it('ends the older session in all its tabs at once, and one of them tells the server', async () => {
    const { signIn, openTab, pass } = createWorld()
    const first = await signIn({ atSeconds: 0 })
    const tabs = [first, await openTab(first), await openTab(first)]
    expect(tabs.map(({ auth }) => auth.getState().status)).toEqual(Array(3).fill('authenticated'))
    const newer = await signIn({ atSeconds: 60 })
    await pass(1000)
    const navigated = tabs.filter(({ host }) => host.navigations.length > 0)
    expect(navigated).toHaveLength(1)
    for (const tab of tabs.filter((one) => !navigated.includes(one)))
      expect(tab.auth.getState()).toMatchObject({
        status: 'unauthenticated',
        reason: 'session-clash',
        cause: { body: { agentId: agentOf(newer) } },
      })
  })

  it.each([
    ['a part of a millisecond', 0.0019, MORNING * 1000 + 1],
    ['before 1970', -MORNING - 3, 0],
    ['beyond every number', 1e306, 0],
  ])('announces when it began in whole milliseconds: %s', async (_what, atSeconds, since) => {
    const { hub, signIn } = createWorld()
    await signIn({ atSeconds })
    expect(hub.published).toMatchObject([{ channel: CHANNEL, body: { since } }])
  })

  it('calls the hook in place of the logout, once in every tab', async () => {
    const { signIn, openTab, pass } = createWorld()
    const first = await signIn({ atSeconds: 0 })
    const second = await openTab(first)
    const hooks = [first, second].map(({ auth }) => {
      const hook = vi.fn<(event: unknown) => void>()
      auth.setHook('uniqueSessionTrigger', hook)
      return hook
    })
    const newer = await signIn({ atSeconds: 60 })
    await pass(60_000)
    for (const hook of hooks)
      expect(hook.mock.calls).toEqual([[{ sinceMs: (MORNING + 60) * 1000, agentId: agentOf(newer) }]])
    expect(first.auth.getState().status).toBe('authenticated')
    expect(first.host.navigations).toEqual([])
  })

  it('calls the hook again for the next conflicting session, and goes on announcing itself', async () => {
    const { signIn, pass, hub } = createWorld()
    const first = await signIn({ atSeconds: 0 })
    const hook = vi.fn<(event: unknown) => void>()
    first.auth.setHook('uniqueSessionTrigger', hook)
    const second = await signIn({ atSeconds: 60 })
    await pass(60_000)
    const third = await signIn({ atSeconds: 120 })
    await pass(600_000)
    expect(hook.mock.calls).toEqual([
      [{ sinceMs: (MORNING + 60) * 1000, agentId: agentOf(second) }],
      [{ sinceMs: (MORNING + 120) * 1000, agentId: agentOf(third) }],
    ])
    expect(second.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'session-clash' })
    const saidByFirst = hub.published.filter(
      ({ body }) => (body as { agentId: string }).agentId === agentOf(first),
    )
    expect(saidByFirst.length).toBeGreaterThan(4)
    // A forgotten browser that comes back is older than both: it is told, and goes.
    const oldest = await signIn({ atSeconds: -60 })
    await pass(1000)
    expect(oldest.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    expect([first, third].map(({ auth }) => auth.getState().status)).toEqual(Array(2).fill('authenticated'))
  })

  const ways: Record<string, (auth: Scene['auth'], host: Scene['host']) => unknown> = {
    'and awaited': (auth) => auth.logout({ force: false }),
    'without waiting for it': (auth) => void auth.logout({ force: false }),
    'after a question that took a minute': (auth, host) =>
      new Promise<void>((resolve) => {
        host.platform.setTimer(() => resolve(auth.logout({ force: false })), 60_000)
      }),
  }
  it.each(Object.entries(ways))(
    'ends as session-clash in all tabs when the hook logs out, %s',
    async (_how, logOut) => {
      const { signIn, openTab, pass } = createWorld()
      const first = await signIn({ atSeconds: 0 })
      const second = await openTab(first)
      const beforeLogout = vi.fn<(event: object) => void>()
      first.auth.setHook('beforeLogout', beforeLogout)
      first.auth.setHook('uniqueSessionTrigger', () => logOut(first.auth, first.host))
      second.auth.setHook('uniqueSessionTrigger', () => {})
      const newer = await signIn({ atSeconds: 60 })
      await pass(62_000)
      const clash = { sinceMs: (MORNING + 60) * 1000, agentId: agentOf(newer) }
      expect(beforeLogout).toHaveBeenCalledWith(expect.objectContaining({ reason: 'session-clash' }))
      expect(second.auth.getState()).toMatchObject({
        status: 'unauthenticated',
        reason: 'session-clash',
        cause: { code: 'session-clash', body: clash },
      })
      const [logout] = first.host.navigations
      expect(new URL(logout!).searchParams.get('force')).toBe('false')
      const state = new URL(logout!).searchParams.get('state')
      const back = nextPage(first, `https://app.test/?state=${state}`)
      void back.auth.start()
      await back.host.settle()
      expect(back.auth.getState()).toMatchObject({ reason: 'session-clash', cause: { body: clash } })
    },
  )

  it('keeps session-clash when the hook goes to the sign-in page and the user turns it down', async () => {
    const { signIn, pass } = createWorld()
    const first = await signIn({ atSeconds: 0 })
    first.auth.setHook('uniqueSessionTrigger', () => first.auth.login({ prompt: 'login' }))
    const newer = await signIn({ atSeconds: 60 })
    await pass(1000)
    const authorize = new URL(first.host.navigations[0]!)
    expect(authorize.pathname).toBe('/oauth/authorize')
    const back = nextPage(first, first.server.callbackOf(authorize.href, 'access_denied'))
    void back.auth.start()
    await back.host.settle()
    expect(back.auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'session-clash',
      cause: { code: 'session-clash', body: { agentId: agentOf(newer) } },
    })
  })

  it('is a plain logout again once the hook is done', async () => {
    const { signIn, openTab, pass } = createWorld()
    const first = await signIn({ atSeconds: 0 })
    const second = await openTab(first)
    for (const { auth } of [first, second])
      auth.setHook('uniqueSessionTrigger', () => Promise.resolve('stay'))
    await signIn({ atSeconds: 60 })
    await pass(1000)
    void first.auth.logout()
    await pass(1000)
    expect(second.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it('ends nobody when one of the two is impersonated', async () => {
    const { signIn, pass, hub } = createWorld()
    const user = await signIn({ atSeconds: 0 })
    const admin = await signIn({ atSeconds: 60, impersonatorId: 'admin-1' })
    await pass(60_000)
    expect([user, admin].map(({ auth }) => auth.getState().status)).toEqual(Array(2).fill('authenticated'))
    expect(hub.occupants(CHANNEL).map((id) => id[0])).toEqual(['1', '2'])
  })

  it('ends nobody with uniqueSession: false', async () => {
    const { signIn, pass } = createWorld()
    const config = { uniqueSession: false }
    const older = await signIn({ atSeconds: 0 }, { config })
    await signIn({ atSeconds: 60 }, { config })
    await pass(60_000)
    expect(older.auth.getState().status).toBe('authenticated')
  })

  it('ends nobody who is another user', async () => {
    const { signIn, pass } = createWorld()
    const anna = await signIn({ atSeconds: 0 })
    await signIn({ atSeconds: 60, userId: '43' })
    await pass(60_000)
    expect(anna.auth.getState().status).toBe('authenticated')
  })

  it('of two that were apart, the one that was offline goes when it comes back', async () => {
    const { signIn, pass, hub } = createWorld()
    const older = await signIn({ atSeconds: 0 })
    hub.cut('offline')
    const newer = await signIn({ atSeconds: 60 })
    await pass(5000)
    expect(older.auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'degraded' })
    hub.restore()
    await pass(1000)
    expect(older.auth.getState().status).toBe('redirecting')
    expect(newer.auth.getState().status).toBe('authenticated')
  })

  it('counts a session from its first token, so a reload does not make it the newer one', async () => {
    const { signIn, pass, hub } = createWorld()
    const user = (iat: number, sessionId: string) => ({
      claims: { userId: '42', sessionId, iat },
      userInfo: {},
    })
    const config = { realtime: hub.transport }
    const older = await startScene({ config, server: { user: user(MORNING, 'a') } })
    older.server.user = user(MORNING + 600, 'a')
    const reloaded = nextPage(older, 'https://app.test/', { config })
    void reloaded.auth.start()
    await reloaded.host.settle()
    const newer = await signIn({ atSeconds: 60 })
    await pass(1000)
    await reloaded.host.clock.advance(1000)
    expect(reloaded.auth.getState().status).toBe('redirecting')
    expect(newer.auth.getState().status).toBe('authenticated')
  })
})

describe('a browser', () => {
  it('is online under its type, the nil UUID and its agent id: a random UUID, the same in all its tabs', async () => {
    const { signIn, openTab, pass, hub } = createWorld()
    const first = await signIn({ atSeconds: 0 }, { config: { uniqueSession: false } })
    await pass(100)
    expect(agentOf(first)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(hub.occupants(CHANNEL)).toEqual([`1:00000000-0000-0000-0000-000000000000:${agentOf(first)}`])
    expect(agentOf(await openTab(first))).toBe(agentOf(first))
    const other = await signIn({ atSeconds: 60 }, { config: { uniqueSession: false } })
    await pass(100)
    expect(new Set([agentOf(first), agentOf(other)]).size).toBe(2)
    expect(hub.occupants(CHANNEL)).toHaveLength(2)
  })
})

describe('a device-bound client', () => {
  const deviceId = '0A1B2C3D-1111-4222-8333-444455556666'

  it('is online under its type and device, in at most 92 characters, and gets its token for that name', async () => {
    const { signIn, pass, hub } = createWorld()
    const { auth } = await signIn({ atSeconds: 0 }, { config: { sessionType: '3', deviceId } })
    await pass(100)
    const [presenceId = ''] = hub.occupants(CHANNEL)
    expect(presenceId).toBe(
      `3:${deviceId.toLowerCase()}:${internalsOf(auth).connection.presence()?.presenceId?.slice(39)}`,
    )
    expect(presenceId.length).toBeLessThanOrEqual(92)
    const getToken = vi.fn<(session: { presenceId: string }) => Promise<string>>(async () => '')
    const { host } = await startScene({
      config: {
        sessionType: '3',
        deviceId,
        realtime: pubnub({ publishKey: 'p', subscribeKey: 's', getToken }),
      },
    })
    await host.settle()
    expect(getToken.mock.calls[0]?.[0].presenceId).toMatch(`3:${deviceId.toLowerCase()}:`)
  })

  it('that never announces itself logs nobody out, and a browser that does not is no device', async () => {
    const { signIn, pass, hub } = createWorld()
    const { auth } = await signIn({ atSeconds: 0 })
    await pass(1000)
    hub.tellPresence(CHANNEL, 'join', `3:${deviceId.toLowerCase()}:silent-device`)
    await pass(60_000)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('that signs in later makes the browser yield, like any other', async () => {
    const { signIn, pass } = createWorld()
    const browser = await signIn({ atSeconds: 0 })
    const device = await signIn({ atSeconds: 60 }, { config: { sessionType: '3', deviceId } })
    await pass(1000)
    expect(browser.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    expect(device.auth.getState().status).toBe('authenticated')
  })
})

describe('explain() says once why one session per user is off', () => {
  const stepsOf = ({ auth }: Pick<Scene, 'auth'>) =>
    auth.explain().filter(({ step }) => step === 'unique session')
  const open = createMemoryRealtime({ isProtected: false }).transport

  it.each<[string, SceneOptions, RegExp]>([
    ['without realtime', {}, /no `realtime`/i],
    ['where anybody could send the message', { config: { realtime: open } }, /getToken/],
    [
      'for a token without a session id',
      {
        config: { realtime: createMemoryRealtime().transport },
        server: { user: { claims: { userId: '42', sessionId: undefined as never }, userInfo: {} } },
      },
      /sessionId/,
    ],
    [
      'for an id that no channel can be named for',
      {
        config: { realtime: createMemoryRealtime().transport },
        server: { user: { claims: { userId: 'anna.b:c', sessionId: 's' }, userInfo: {} } },
      },
      /user.*channel/i,
    ],
    [
      'for an impersonated session',
      {
        config: { realtime: createMemoryRealtime().transport },
        server: { user: { claims: { userId: '42', sessionId: 's', impersonatorId: 'admin' }, userInfo: {} } },
      },
      /impersonated/i,
    ],
  ])('%s', async (_when, options, why) => {
    const scene = await startScene(options)
    scene.auth.addEventListener('note', 'new', () => {})
    await scene.host.settle()
    scene.auth.addEventListener('note', 'other', () => {})
    await scene.host.settle()
    expect(stepsOf(scene)).toMatchObject([{ outcome: 'skipped', detail: expect.stringMatching(why) }])
  })

  it('and that it is on, where it is', async () => {
    const { signIn } = createWorld()
    expect(stepsOf(await signIn({ atSeconds: 0 }))).toMatchObject([{ outcome: 'done' }])
  })

  it('and nothing where the app allows several sessions', async () => {
    expect(stepsOf(await startScene({ config: { uniqueSession: false } }))).toEqual([])
  })
})

describe('signing out', () => {
  it('is not announced when another user signed in in another tab: that one has the browser now', async () => {
    const { signIn, openTab, hub, pass } = createWorld()
    const first = await signIn({ atSeconds: 0 })
    const second = await openTab(first)
    await second.auth.login()
    first.server.user = createFakeUser({ userId: '43', sessionId: 'of bob' })
    const callback = first.server.callbackOf(second.host.navigations.at(-1)!)
    const host = second.host.openNext(callback)
    const next = createAuth({ ...CONFIG, realtime: hub.transport }, { platform: host.platform })
    void next.start()
    await pass(1000)
    expect(next.getState()).toMatchObject({ status: 'authenticated', user: { userId: '43' } })
    expect(first.auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: { code: 'identity-changed' },
    })
    expect(hub.published.filter(({ body }) => (body as { logout: boolean }).logout)).toEqual([])
  })

  it('tells the user’s other browsers and leaves the channels, before the page goes', async () => {
    const { signIn, hub, pass } = createWorld()
    const scene = await signIn({ atSeconds: 0 })
    void scene.auth.logout()
    await pass(100)
    expect(hub.published.at(-1)).toMatchObject({
      channel: CHANNEL,
      body: { logout: true, sessionId: 'session-of-0' },
    })
    expect(hub.occupants(CHANNEL)).toEqual([])
    expect(hub.openLinks).toBe(0)
    expect(scene.host.navigations).toHaveLength(1)
  })

  it.each(['the first tab', 'another tab'])(
    'in %s is told by the one tab that holds the connection',
    async (which) => {
      const { signIn, openTab, hub, pass } = createWorld()
      const first = await signIn({ atSeconds: 0 })
      const second = await openTab(first)
      const [leaving, staying] = which === 'the first tab' ? [first, second] : [second, first]
      void leaving.auth.logout()
      await pass(500)
      const told = hub.published.filter(({ body }) => (body as { logout: boolean }).logout)
      expect(told).toHaveLength(1)
      expect(hub.occupants(CHANNEL)).toEqual([])
      expect(staying.auth.getState()).toMatchObject({
        status: 'unauthenticated',
        reason: 'signed-out',
        realtime: 'off',
        isTokenExpired: false,
      })
      expect([leaving, staying].map(({ host }) => host.navigations.length)).toEqual([1, 0])
      await pass(30_000)
      expect(hub.openLinks).toBe(0)
    },
  )

  it('waits a second for the word to get out, and no longer', async () => {
    const { signIn, hub, pass } = createWorld()
    const link = {
      isSpeaker: true,
      publish: () => new Promise<void>(() => {}),
      occupants: async () => [],
    }
    const close = vi.fn<(how: unknown) => void>()
    const scene = await signIn(
      { atSeconds: 0 },
      { config: { realtime: { open: () => ({ ...link, close }) } } },
    )
    void scene.auth.logout()
    await pass(900)
    expect(scene.host.navigations).toHaveLength(0)
    await pass(150)
    expect(scene.host.navigations).toHaveLength(1)
    expect(close).toHaveBeenCalledWith({ leave: true })
    expect(hub.openLinks).toBe(0)
  })

  it('on the server ends exactly this session, in all its tabs', async () => {
    const { signIn, openTab, hub, pass } = createWorld()
    const first = await signIn({ atSeconds: 0 })
    const second = await openTab(first)
    const claim = { authHost: 'https://auth.test', clientId: 'admin', agentId: 'server', impersonatorId: '' }
    hub.publish(CHANNEL, { ...claim, sessionId: 'another', logout: true }, 'server')
    await pass(500)
    expect(first.auth.getState().status).toBe('authenticated')
    hub.publish(CHANNEL, { ...claim, sessionId: 'session-of-0', logout: true }, 'server')
    await pass(500)
    for (const { auth } of [first, second])
      expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(hub.published.filter(({ publisher }) => publisher !== 'server').length).toBe(1)
  })
})

describe('a renewal that brings another session of the same user', () => {
  // Signed in again at the server by another app: the refresh token is dead, and the frame finds the new session.
  async function renewInto(scene: Scene, atSeconds: number) {
    scene.server.revokeAll()
    const { claims } = createFakeUser({ userId: '42', firmId: '7', sessionId: `session-of-${atSeconds}` })
    scene.server.user = { claims: { ...claims, auth_time: MORNING + atSeconds }, userInfo: {} }
    await scene.auth.renew({ force: true })
  }
  const claim = { authHost: 'https://auth.test', clientId: 'admin', agentId: 'server', impersonatorId: '' }

  it('is ended by the server as the new session, in all its tabs, and no more as the old one', async () => {
    const { signIn, openTab, hub, pass } = createWorld()
    const first = await signIn({ atSeconds: 0 })
    const second = await openTab(first)
    const renewing = renewInto(first, 120)
    await pass(1000)
    await renewing
    for (const { auth } of [first, second])
      expect(auth.getState()).toMatchObject({ user: { sessionId: 'session-of-120' }, realtime: 'connected' })
    hub.publish(CHANNEL, { ...claim, sessionId: 'session-of-0', logout: true }, 'server')
    await pass(500)
    expect([first, second].map(({ auth }) => auth.getState().status)).toEqual(Array(2).fill('authenticated'))
    hub.publish(CHANNEL, { ...claim, sessionId: 'session-of-120', logout: true }, 'server')
    await pass(500)
    for (const { auth } of [first, second])
      expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it('stays on the connection it has: nobody sees it leave, and who listens hears on', async () => {
    const { signIn, hub, pass } = createWorld()
    const lines: string[] = []
    const realtime: RealtimeTransport = {
      open(line) {
        lines.push('open')
        const link = hub.transport.open(line)
        return { ...link, close: (how) => (lines.push('close'), link.close(how)) }
      },
    }
    const config = { uniqueSession: false }
    const first = await signIn({ atSeconds: 0 }, { config: { ...config, realtime } })
    const other = await signIn({ atSeconds: 30 }, { config })
    await pass(1000)
    const heard = vi.fn<(data: unknown) => void>()
    first.auth.addEventListener('note', 'new', heard)
    const seen = vi.fn<() => void>()
    other.auth.presence()
    other.auth.subscribe(seen)
    for (const atSeconds of [120, 60]) {
      const renewing = renewInto(first, atSeconds)
      await pass(1000)
      await renewing
      hub.publish('user_42', { topic: 'note', messageType: 'new', data: atSeconds })
      await pass(100)
    }
    expect([lines, seen.mock.calls]).toEqual([['open'], []])
    expect(heard.mock.calls.map(([data]) => data)).toEqual([120, 60])
    const own = internalsOf(first.auth).connection.presence()?.occupants()
    expect(own?.find(({ isThisBrowser }) => isThisBrowser)?.sessionId).toBe('session-of-60')
  })

  it('does not give way to a browser that signed in before it', async () => {
    const { signIn, pass } = createWorld()
    const hub = createMemoryRealtime()
    const first = await signIn({ atSeconds: 0 }, { config: { realtime: hub.transport } })
    const renewing = renewInto(first, 120)
    await pass(1000)
    await renewing
    const older = await signIn({ atSeconds: 60 }, { config: { realtime: hub.transport } })
    await pass(2000)
    expect(first.auth.getState().status).toBe('authenticated')
    expect(older.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  })
})

describe('messages', () => {
  const note = { topic: 'note', messageType: 'new', data: { text: 'hello' } }

  it('reach a listener that came before start-up, in every tab, frozen', async () => {
    const { signIn, openTab, hub, pass } = createWorld()
    const first = await signIn({ atSeconds: 0 })
    const second = await openTab(first)
    const heard: unknown[] = []
    for (const { auth } of [first, second]) auth.addEventListener('note', 'new', (data) => heard.push(data))
    hub.publish('user_42', note)
    await pass(100)
    expect(heard).toEqual([{ text: 'hello' }, { text: 'hello' }])
    expect(heard.every((data) => Object.isFrozen(data))).toBe(true)
  })

  it('reach it across sign-ins, until it is removed', async () => {
    const hub = createMemoryRealtime()
    const scene = createScene({ config: { realtime: hub.transport } })
    const heard: unknown[] = []
    const remove = scene.auth.addEventListener('note', 'new', (data) => heard.push(data))
    void scene.auth.start()
    await scene.host.settle()
    hub.publish('user_alice', note)
    await scene.host.settle()
    expect(heard).toHaveLength(1)
    remove()
    hub.publish('user_alice', note)
    await scene.host.settle()
    expect(heard).toHaveLength(1)
  })

  it('a listener that throws or rejects keeps nothing from the others', async () => {
    const { signIn, hub, pass } = createWorld()
    const { auth, host } = await signIn({ atSeconds: 0 })
    const heard = vi.fn<(data: unknown) => void>()
    auth.addEventListener('note', 'new', () => {
      throw new Error('first')
    })
    auth.addEventListener('note', 'new', () => Promise.reject(new Error('second')))
    auth.addEventListener('note', 'new', heard)
    hub.publish('user_42', note)
    await pass(100)
    expect(heard).toHaveBeenCalledTimes(1)
    expect(host.warnings.map(({ cause }) => (cause as Error).message)).toEqual(['first', 'second'])
    expect(JSON.stringify(host.warnings)).toContain('A listener of topic note, type new failed')
  })

  it('hears the firm when asked to, and refuses a channel that is none', async () => {
    const hub = createMemoryRealtime()
    const scene = await createWorld(hub).signIn({ atSeconds: 1 })
    const heard: unknown[] = []
    const remove = scene.auth.addEventListener('note', 'new', (data) => heard.push(data), { channel: 'firm' })
    await scene.host.settle()
    hub.publish('user_42', { topic: 'note', messageType: 'new', data: 'user' })
    hub.publish('firm_7', { topic: 'note', messageType: 'new', data: 'firm' })
    await scene.host.settle()
    expect(heard).toEqual(['firm'])
    remove()
    expect(() => scene.auth.addEventListener('note', 'new', () => {}, { channel: 'world' as never })).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    )
  })

  it('tells outside React who is online and how long the user has been idle', async () => {
    const hub = createMemoryRealtime()
    const world = createWorld(hub)
    const scene = await world.signIn({ atSeconds: 1 }, { config: { uniqueSession: false } })
    let changes = 0
    scene.auth.subscribe(() => (changes += 1))
    const own = scene.auth.presence()
    expect(scene.auth.presence()).toBe(own)
    await world.signIn({ atSeconds: 2 }, { config: { uniqueSession: false } })
    await world.pass(1_000)
    expect(scene.auth.presence()).toHaveLength(2)
    expect(changes).toBeGreaterThan(0)
    expect(scene.auth.idle()?.remainingMs).toBeGreaterThan(1_700_000)
    scene.auth.dispose()
    expect(() => scene.auth.presence()).toThrow('Not init yet')
    expect(() => scene.auth.idle()).toThrow('Not init yet')
  })

  it('what is no function is refused, naming topic and type', () => {
    const { auth } = createScene()
    expect(() => auth.addEventListener('note', 'new', undefined as never)).toThrow(/note.*new/)
  })

  it('of the firm come on the firm’s channel, whatever the app calls it', async () => {
    const { signIn, hub, pass } = createWorld()
    const { auth } = await signIn(
      { atSeconds: 0 },
      { config: { firmChannel: (firmId) => `office-${firmId}` } },
    )
    const heard = vi.fn<(data: unknown) => void>()
    internalsOf(auth).connection.listen({ kind: 'firm', topic: 'note', type: 'new', callback: heard })
    hub.publish('user_42', note)
    hub.publish('firm_7', note)
    hub.publish('office-7', note)
    await pass(100)
    expect(heard).toHaveBeenCalledTimes(1)
  })
})

describe('tabs of one browser share a real-time connection', () => {
  /** Two tabs that cannot hand their session to each other: each has signed in by itself, as `mine` and as `theirs`. */
  async function openTabs(mine: SceneOptions, theirs: SceneOptions) {
    const { signIn, hub, pass } = createWorld()
    const host = { without: ['seal'] as const }
    const first = await signIn({ atSeconds: 0 }, { ...mine, host })
    const second = createScene({
      ...theirs,
      config: { realtime: hub.transport, ...theirs.config },
      host: { ...host, browser: first.host.browser },
    })
    void second.auth.start()
    await pass(2000)
    expect(second.auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'connected' })
    return { tabs: [first, second], hub, pass }
  }
  const server = (firmId: string) => ({
    user: { claims: { userId: '42', firmId, sessionId: `at-${firmId}`, auth_time: MORNING }, userInfo: {} },
  })

  it('for one user, one firm and one device', async () => {
    const { hub } = await openTabs({}, { server: server('7') })
    expect(hub.openLinks).toBe(1)
  })

  it('never for two firms: each tab hears its own firm, and no other', async () => {
    const { tabs, hub, pass } = await openTabs({}, { server: server('8') })
    const heard = tabs.map(({ auth }) => {
      const listener = vi.fn<(data: unknown) => void>()
      auth.addEventListener('note', 'new', listener, { channel: 'firm' })
      return listener
    })
    for (const data of ['7', '8'])
      hub.publish(`firm_${data}`, { topic: 'note', messageType: 'new', data }, 'server')
    await pass(1000)
    expect(heard.map((listener) => listener.mock.calls.map(([data]) => data))).toEqual([['7'], ['8']])
    expect(hub.openLinks).toBe(2)
  })

  it('never for two devices: each is online under its own name', async () => {
    const deviceId = '11111111-2222-4333-8444-555555555555'
    const bound = { config: { sessionType: '3', deviceId } as const, server: server('7') }
    const { tabs, hub } = await openTabs({ config: { sessionType: '3' } }, bound)
    expect(hub.openLinks).toBe(2)
    const names = tabs.map(({ auth }) => internalsOf(auth).connection.presence()?.presenceId ?? '')
    expect(hub.occupants(CHANNEL).toSorted()).toEqual(names.toSorted())
    expect(new Set(names).size).toBe(2)
  })
})

describe('real time that is not there', () => {
  it('absent: nothing is opened until somebody listens, and the flag stays off', async () => {
    const scene = await startScene()
    expect(internalsOf(scene.auth).connection.presence()).toBeUndefined()
    expect(scene.auth.getState().realtime).toBe('off')
    scene.auth.addEventListener('note', 'new', () => {})
    await scene.host.settle()
    expect(internalsOf(scene.auth).connection.presence()?.occupants()).toMatchObject([
      { isThisBrowser: true },
    ])
    expect(scene.auth.getState().realtime).toBe('off')
    expect(scene.host.requests.map(({ url }) => new URL(url).pathname)).toEqual(['/oauth/token'])
  })

  it('wrong keys: the developer is told, the user is signed in', async () => {
    const { auth, host } = await startScene({
      config: { realtime: pubnub({ publishKey: 'no key!', subscribeKey: 'local' }) },
    })
    expect(auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'degraded' })
    expect(host.warnings).toMatchObject([{ cause: { code: 'invalid-config' } }])
    expect(auth.explain()).toContainEqual(expect.objectContaining({ step: 'real time', outcome: 'failed' }))
  })

  it('a transport that throws: degraded, and nothing else', async () => {
    const { auth } = await startScene({
      config: {
        realtime: {
          open() {
            throw new Error('no')
          },
        },
      },
    })
    expect(auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'degraded' })
  })

  it.each(['a,b', 'a.*', 'x/y', '*', 'a b', 'x'.repeat(80), 'a-pnpres', '\u0000'])(
    'an id that cannot be a channel name, %j: no channel is joined, and the user is signed in',
    async (userId) => {
      const hub = createMemoryRealtime()
      const user = { claims: { userId }, userInfo: {} }
      const { auth } = await startScene({ config: { realtime: hub.transport }, server: { user } })
      expect(auth.getState()).toMatchObject({ status: 'authenticated', realtime: 'off', user: { userId } })
      expect(hub.openLinks).toBe(0)
      expect(auth.explain()).toContainEqual(
        expect.objectContaining({
          step: 'real time',
          outcome: 'skipped',
          detail: expect.stringMatching(/channel/),
        }),
      )
    },
  )

  it('says in explain() why it is down, and that it is up again', async () => {
    const { signIn, hub, pass } = createWorld()
    const { auth } = await signIn({ atSeconds: 0 })
    hub.cut('denied')
    await pass(50)
    hub.restore()
    await pass(50)
    const steps = auth.explain().filter(({ step }) => step === 'real time')
    expect(steps.map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ['done', 'connecting'],
      ['done', 'connected'],
      ['failed', 'cut'],
      ['done', 'connected'],
    ])
  })
})

it('no message carries a token', async () => {
  const { signIn, hub, pass } = createWorld()
  const scene = await signIn({ atSeconds: 0 })
  await signIn({ atSeconds: 60 })
  await pass(1000)
  const tokens = [...scene.host.requests].flatMap(({ body }) =>
    Object.values(JSON.parse(body ?? '{}') as object),
  )
  const said = JSON.stringify([
    hub.published,
    scene.host.browser.posted.filter(({ channel }) => channel.includes('connection')),
  ])
  expect(hub.published.length).toBeGreaterThan(1)
  expect(said).not.toMatch(/eyJ|refresh/)
  expect(
    tokens.filter((text) => typeof text === 'string' && text.length > 20 && said.includes(text)),
  ).toEqual([])
})

it('a logout from another device of a session whose place another user has taken ends theirs in no tab', async () => {
  const { signIn, hub, pass } = createWorld()
  const { auth, host } = await signIn({ atSeconds: 0, sessionId: 'session-of-alice-0123456789' })
  await pass(1000)
  // What the other user's tab has written; its message was lost.
  const theirs = JSON.stringify({ id: 'another', user: 'bob' })
  host.localStorage.set(sessionRecordKey(CLIENT), theirs)
  const { channel, body, publisher } = hub.published.at(-1)!
  hub.publish(channel, { ...(body as object), logout: true }, publisher)
  await pass(1000)
  expect(auth.getState()).toMatchObject({ status: 'unauthenticated', cause: { code: 'identity-changed' } })
  expect(host.localStorage.get(sessionRecordKey(CLIENT))).toBe(theirs)
})
