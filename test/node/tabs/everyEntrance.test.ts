// Every way back into a page, and out of it, after the session was ended or replaced where the page could not hear of it.
import { describe, expect, it } from 'vitest'
import { metadataKey, sessionMarkerKey, sessionRecordKey } from '../../../src/protocol/storageKeys.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import type { PlatformEvent, TabsPort } from '../../../src/session/platform/platform.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { bodyOf } from '../../holdRequests.ts'
import { CLIENT, comeBackFromLogout, type Scene, signInAfterLogout } from '../session/sessionScene.ts'
import {
  createTabWorld,
  nameSessions,
  openTab,
  type SessionNaming,
  startTab,
  type World,
} from './tabsScene.ts'

interface Away extends Scene {
  /** Its component is on the screen, or not. */
  mount(): void
  unmount(): void
  /** Whether words from tab to tab are lost. */
  isDeaf: boolean
  /** The app was asked to remove data of these users. */
  readonly gone: unknown[]
}

/** A tab of alice, beside which others open. */
async function openAway(world: World, config?: object): Promise<Away> {
  const tab = openTab(world, {
    config: { autoLogout: false, ...config },
    tabs: (port): TabsPort => ({
      ...port,
      openChannel:
        port.openChannel &&
        ((name, listen) => {
          const channel = port.openChannel!(name, (message) => away.isDeaf || listen(message))
          return { ...channel, post: (message) => away.isDeaf || channel.post(message) }
        }),
    }),
  })
  let letGo = () => {}
  const away: Away = {
    ...tab,
    mount: () => (letGo = internalsOf(tab.auth).hold()),
    unmount: () => letGo(),
    isDeaf: false,
    gone: [],
  }
  tab.auth.onUserGone(({ userId }) => away.gone.push(userId))
  away.mount()
  await world.browser.clock.advance(1_000)
  expect(userOf(away)).toBe('alice')
  away.gone.length = 0
  return away
}

const userOf = ({ auth }: Pick<Scene, 'auth'>) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? String(state.user.userId) : state.status
}

const hears = (...events: readonly PlatformEvent[]) => ({
  leave(tab: Away) {
    tab.isDeaf = true
  },
  back(tab: Away) {
    for (const event of events) tab.host.emit(event)
  },
})

/** How a page goes where it hears nothing, and is back. */
const ENTRANCES: Record<string, { leave(tab: Away): void; back(tab: Away): unknown }> = {
  'is mounted again': { leave: (tab) => tab.unmount(), back: (tab) => tab.mount() },
  'gets the focus': hears('focus'),
  'is seen again': {
    leave(tab) {
      tab.isDeaf = true
      tab.host.setVisible(false)
    },
    back: ({ host }) => host.setVisible(true),
  },
  'is online again': hears('online'),
  'wakes from a freeze': hears('resume'),
  'is shown without a load': hears('pageshow'),
  'comes back from the back/forward cache': {
    leave(tab) {
      tab.isDeaf = true
      tab.host.emit('pagehide')
    },
    back: hears('visible', 'restored', 'pageshow').back,
  },
  'is asked for a token': { ...hears(), back: ({ auth }) => auth.getAccessToken().catch(() => {}) },
  'is asked for a token while nobody uses it': {
    leave: (tab) => tab.unmount(),
    back: ({ auth }) => auth.getAccessToken().catch(() => {}),
  },
  'is to renew': { ...hears(), back: ({ auth }) => auth.renew({ force: true }).catch(() => {}) },
}

/** What happens meanwhile, and what the page then says of its own session. */
const MEANWHILE: Record<string, { happens(world: World): Promise<unknown>; says: object }> = {
  'the user signs out': { happens: signOut, says: { reason: 'signed-out' } },
  'the user signs out in a tab with other scopes': {
    happens: (world) => signOut(world, ['openid', 'email']),
    says: { reason: 'signed-out' },
  },
  'the user signs out, and the app clears its storage': {
    async happens(world) {
      await signOut(world)
      world.browser.localStorage.clear()
    },
    says: { reason: 'signed-out' },
  },
  'the user is idle': {
    async happens(world) {
      const other = await startTab(world)
      await world.browser.clock.advance(30 * 60_000)
      await world.browser.clock.advance(1_000)
      expect(userOf(other)).toBe('redirecting')
    },
    says: { reason: 'idle' },
  },
  'another user signs in': {
    happens: (world) => signInAs(world, 'bob'),
    says: { reason: 'signed-out', cause: { code: 'identity-changed' } },
  },
  'another user signs in in a tab with other scopes': {
    happens: (world) => signInAs(world, 'bob', ['openid', 'email']),
    says: { reason: 'signed-out', cause: { code: 'identity-changed' } },
  },
}

async function signOut(world: World, scopes?: readonly string[]) {
  const other = await startTab(world, { config: { autoLogout: false, ...(scopes && { scopes }) } })
  expect(userOf(other)).toBe('alice')
  void other.auth.logout()
  await world.browser.clock.advance(1_000)
  const back = await comeBackFromLogout({ host: other.host, server: world.server })
  back.close()
}

async function signInAs(world: World, userId: string, scopes?: readonly string[]) {
  const other = await startTab(world, { config: { autoLogout: false, ...(scopes && { scopes }) } })
  other.auth.login({ display: 'popup' }).catch(() => {})
  await other.host.settle()
  const popup = other.host.popups[0]!
  world.server.user = createFakeUser({ userId, sessionId: `${userId} 1` })
  popup.post({ type: 'signInAnswer', address: world.server.callbackOf(popup.urls.at(-1)!) })
  await world.browser.clock.advance(1_000)
  expect(userOf(other)).toBe(userId)
  return other
}

/** With a clear, only what comes back from where it could hear nothing knows: a page that runs puts the record back. */
const GOES_ON = [
  'gets the focus',
  'is online again',
  'is shown without a load',
  'is asked for a token',
  'is to renew',
]

function whereNamesAre(naming: SessionNaming) {
  describe.each(Object.keys(MEANWHILE))('and %s meanwhile,', (meanwhile) => {
    it.each(
      Object.keys(ENTRANCES).filter((name) => !meanwhile.includes('clears') || !GOES_ON.includes(name)),
    )('a page that %s shows and holds nothing of the session', async (entrance) => {
      const world = createTabWorld({ expiresInSeconds: 86_400 })
      nameSessions(world.server, naming)
      const away = await openAway(world)
      const token = await away.auth.getAccessToken()
      ENTRANCES[entrance]!.leave(away)
      await world.browser.clock.advance(10)
      const { happens, says } = MEANWHILE[meanwhile]!
      await happens(world)
      const back = ENTRANCES[entrance]!.back(away)
      // In the same task: nothing is drawn before.
      expect(away.auth.getState()).toMatchObject({ status: 'unauthenticated', ...says })
      expect(away.gone).toEqual(['alice'])
      await back
      const asked = away.auth.getAccessToken()
      await expect(asked).rejects.toMatchObject({ code: 'not-authenticated' })
      away.isDeaf = false
      // And nobody gets it from there.
      const next = await startTab(world)
      expect(userOf(next)).not.toBe('alice')
      expect(await next.auth.getAccessToken().catch(() => undefined)).not.toBe(token)
    })
  })

  it.each(['is mounted again', 'wakes from a freeze', 'comes back from the back/forward cache'])(
    'a page that %s after its user has signed out and in again has the new session',
    async (entrance) => {
      const world = createTabWorld({ expiresInSeconds: 86_400 })
      nameSessions(world.server, naming)
      const away = await openAway(world)
      const token = await away.auth.getAccessToken()
      ENTRANCES[entrance]!.leave(away)
      await world.browser.clock.advance(10)
      await signOut(world)
      world.server.user = createFakeUser()
      const other = await signInAfterLogout(await startTab(world), world.server)
      await world.browser.clock.advance(1_000)
      expect(userOf(other)).toBe('alice')
      away.isDeaf = false
      ENTRANCES[entrance]!.back(away)
      expect(away.gone).toEqual(['alice'])
      await world.browser.clock.advance(2_000)
      expect(userOf(away)).toBe('alice')
      expect(await away.auth.getAccessToken()).not.toBe(token)
      expect(await away.auth.getAccessToken()).toBe(await other.auth.getAccessToken())
    },
  )

  it.each(['is mounted again', 'wakes from a freeze', 'comes back from the back/forward cache'])(
    'a page that %s after its user has switched to another firm follows',
    async (entrance) => {
      const world = createTabWorld({ expiresInSeconds: 86_400 })
      nameSessions(world.server, naming)
      const away = await openAway(world)
      ENTRANCES[entrance]!.leave(away)
      await world.browser.clock.advance(10)
      const other = await startTab(world)
      world.server.user = createFakeUser({ firmId: 'f2' })
      await other.auth.switchTo({ parameters: { firm: 'f2' }, display: 'silent' })
      await world.browser.clock.advance(1_000)
      away.isDeaf = false
      ENTRANCES[entrance]!.back(away)
      await world.browser.clock.advance(2_000)
      for (const { auth } of [other, away]) expect(auth.getState()).toMatchObject({ user: { firmId: 'f2' } })
    },
  )

  it.each(['signs out', 'is idle'])(
    'a user who %s ends every tab, whatever it asked for, each with its hook',
    async (how) => {
      const world = createTabWorld({ expiresInSeconds: 86_400 })
      nameSessions(world.server, naming)
      const ran: string[] = []
      const open = (name: string, config: object) =>
        startTab(world, { config: { ...config, hooks: { beforeLogout: () => void ran.push(name) } } })
      const tabs = [
        await open('same', {}),
        await open('scopes', { scopes: ['openid', 'email'], autoLogout: false }),
        await open('audience', { audience: 'https://api.test', autoLogout: false }),
      ]
      expect(tabs.map(userOf)).toEqual(['alice', 'alice', 'alice'])
      if (how === 'signs out') void tabs[0]!.auth.logout()
      else await world.browser.clock.advance(30 * 60_000)
      await world.browser.clock.advance(1_000)
      expect(tabs.map(userOf)).toEqual(['redirecting', 'unauthenticated', 'unauthenticated'])
      expect(ran.toSorted()).toEqual(['audience', 'same', 'scopes'])
    },
  )

  it.each([true, false])(
    'what a claims challenge brings after another tab has signed out brings nobody back; that tab was closed at once: %s',
    async (isClosed) => {
      const world = createTabWorld({ expiresInSeconds: 86_400 })
      nameSessions(world.server, naming)
      const away = await openAway(world)
      const other = await startTab(world, { config: { autoLogout: false } })
      const { platform } = away.host
      const frames: (() => void)[] = []
      const { answerFrame } = world.server
      world.server.answerFrame = (frame) => void frames.push(() => answerFrame(frame))
      const claims = btoa(JSON.stringify({ access_token: { acrs: { essential: true, value: 'c1' } } }))
      const headers = { 'www-authenticate': `Bearer error="insufficient_claims", claims="${claims}"` }
      away.host.fetch = async () => new Response('{}', { status: 401, headers })
      const called = away.auth.fetch('/api/data').catch((error: unknown) => error)
      await world.browser.clock.advance(100)
      expect(frames).toHaveLength(1)
      away.isDeaf = !isClosed
      other.auth.logout().catch(() => {})
      // Its first task: what the click itself does.
      for (let turn = 0; turn < 3; turn += 1) await Promise.resolve()
      if (isClosed) other.host.close()
      await world.browser.clock.advance(100)
      for (const answer of frames) answer()
      expect(await called).toMatchObject({ code: 'not-authenticated' })
      const record = platform.localStorage.get(sessionRecordKey(CLIENT)) ?? ''
      expect(JSON.parse(record)).toEqual({ id: expect.any(String) as string, reason: 'signed-out' })
      await world.browser.clock.advance(10_000)
      expect(userOf(away)).toBe('unauthenticated')
    },
  )

  it.each(['its timer', 'a call of the app'])(
    'a page that has not heard of a logout sends no refresh token by %s, also while its hook saves something',
    async (cause) => {
      const world = createTabWorld({ expiresInSeconds: 600 })
      nameSessions(world.server, naming)
      const away = await openAway(world, { autoRefreshToken: cause === 'its timer' })
      const sent: string[] = []
      away.host.fetch = async (url, init) => {
        sent.push(bodyOf(init))
        return world.server.fetch(url, init)
      }
      away.auth.setHook('beforeLogout', () => new Promise<void>(() => {}))
      away.isDeaf = true
      await signOut(world)
      if (cause === 'its timer') await world.browser.clock.advance(599_000)
      else await away.auth.renew({ force: true }).catch(() => {})
      expect(sent.filter((body) => body.includes('refresh_token'))).toEqual([])
      await world.browser.clock.advance(5_000)
      expect(userOf(away)).toBe('unauthenticated')
    },
  )

  it('the record holds a random id and a hash, no name', async () => {
    const world = createTabWorld()
    nameSessions(world.server, naming)
    await openAway(world)
    const text = world.browser.localStorage.get(sessionRecordKey(CLIENT)) ?? ''
    expect(JSON.parse(text)).toEqual({
      id: expect.stringMatching(/^[0-9a-zA-Z]{6}$/) as string,
      user: expect.stringMatching(/^[0-9a-z]{1,14}$/) as string,
    })
  })
}

describe('where the name of a session is stable', () => {
  whereNamesAre('stable')
})
describe('where the name of a session is none', { tags: ['thorough'] }, () => {
  whereNamesAre('none')
})
// Each sign-in has a name that no other has: what tells two of them apart without it does so with it.
describe('where the name of a session is per sign-in', { tags: ['night'] }, () => {
  whereNamesAre('per sign-in')
})

describe.each(['the user signs out', 'another user signs in'])(
  'a page whose session has expired, and that waits for its user behind a dialog, where %s meanwhile:',
  (meanwhile) => {
    it.each(Object.keys(ENTRANCES).filter((name) => !/^is (asked|to renew)/.test(name)))(
      'one that %s keeps nothing',
      async (entrance) => {
        const world = createTabWorld({ expiresInSeconds: 600 })
        const away = await openAway(world)
        const gone: string[] = []
        internalsOf(away.auth).caches.attach({
          isKept: () => true,
          clear: ({ userId }) => gone.push(String(userId)),
        })
        world.server.user = undefined
        const { fetch } = away.host
        away.host.fetch = async (url, init) =>
          bodyOf(init).includes('refresh_token')
            ? Response.json({ error: 'invalid_grant' }, { status: 400 })
            : fetch(url, init)
        await away.auth.renew({ force: true }).catch(() => {})
        await world.browser.clock.advance(601_000)
        await away.auth.getAccessToken().catch(() => {})
        expect(away.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
        expect(gone).toEqual([])
        ENTRANCES[entrance]!.leave(away)
        await world.browser.clock.advance(10)
        world.server.user = createFakeUser()
        await signOut(world)
        if (meanwhile === 'another user signs in') {
          world.server.user = createFakeUser({ userId: 'bob', sessionId: 'bob 1' })
          await signInAfterLogout(await startTab(world), world.server)
        }
        ENTRANCES[entrance]!.back(away)
        expect(away.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
        expect(gone).toEqual(['alice'])
      },
    )
  },
)

it.each([
  'is mounted again',
  'is seen again',
  'wakes from a freeze',
  'comes back from the back/forward cache',
])(
  'a page that %s after the app has cleared its storage ends, and the page that runs beside it goes on',
  async (entrance) => {
    const world = createTabWorld({ expiresInSeconds: 86_400 })
    const away = await openAway(world)
    const runs = await startTab(world, { config: { autoLogout: false } })
    ENTRANCES[entrance]!.leave(away)
    await world.browser.clock.advance(10)
    world.browser.localStorage.clear()
    ENTRANCES[entrance]!.back(away)
    expect(userOf(away)).toBe('unauthenticated')
    await expect(runs.auth.getAccessToken()).resolves.toBeTypeOf('string')
    runs.host.emit('focus')
    expect(userOf(runs)).toBe('alice')
    expect(userOf(await startTab(world))).toBe('alice')
  },
)

it('a page whose record found no room in the storage sees what the other tabs write when there is room again', async () => {
  const world = createTabWorld({ expiresInSeconds: 86_400 })
  world.browser.localStorage.fault = 'full'
  const away = await openAway(world)
  away.unmount()
  await world.browser.clock.advance(10)
  world.browser.localStorage.fault = undefined
  await signOut(world)
  await expect(away.auth.getAccessToken()).rejects.toMatchObject({ code: 'not-authenticated' })
  away.mount()
  expect(userOf(away)).toBe('unauthenticated')
})

it('a record that finds no room takes that of the remembered metadata, and a new tab hears of a logout', async () => {
  const world = createTabWorld({ expiresInSeconds: 86_400 })
  const { localStorage } = world.browser
  const metadata = metadataKey(CLIENT)
  localStorage.set(metadata, '{}')
  const { set } = localStorage
  localStorage.set = (key, value) =>
    (key !== sessionRecordKey(CLIENT) || localStorage.get(metadata) === undefined) && set(key, value)
  const away = await openAway(world)
  expect(localStorage.get(sessionRecordKey(CLIENT))).toBeTypeOf('string')
  expect(localStorage.get(metadata)).toBeUndefined()
  away.unmount()
  await world.browser.clock.advance(10)
  await signOut(world)
  away.mount()
  expect(userOf(away)).toBe('unauthenticated')
})

it('a page on which the user stays after all, and which has not heard of a logout, asks before it shows them', async () => {
  const world = createTabWorld({ expiresInSeconds: 86_400 })
  const away = await openAway(world)
  const shown: string[] = []
  void away.auth.login()
  await away.host.settle()
  expect(userOf(away)).toBe('redirecting')
  away.auth.subscribe(() => shown.push(userOf(away)))
  away.isDeaf = true
  await signOut(world)
  away.host.emit('stayed')
  expect(shown).toEqual(['unauthenticated'])
  expect(away.gone).toEqual(['alice'])
})

it('a session that ends elsewhere as it is shown here joins no tabs and starts nothing', async () => {
  const world = createTabWorld({ expiresInSeconds: 86_400 })
  const { localStorage } = world.browser
  const { auth, host } = openTab(world)
  const ended = JSON.stringify({ id: 'abcdef', reason: 'signed-out' })
  const shown: string[] = []
  auth.subscribe(() => {
    if (shown.push(userOf({ auth })) > 1) return
    localStorage.set(sessionRecordKey(CLIENT), ended)
    localStorage.remove(sessionMarkerKey(CLIENT))
  })
  const written: string[] = []
  const { set } = localStorage
  localStorage.set = (key, value) => {
    if (shown.length > 0) written.push(key)
    return set(key, value)
  }
  void auth.start()
  await host.settle()
  expect(shown).toEqual(['alice', 'unauthenticated'])
  expect(written).toEqual([sessionRecordKey(CLIENT)])
  expect(localStorage.get(sessionRecordKey(CLIENT))).toBe(ended)
})

it.each([
  [29, 'alice'],
  [480, 'redirecting'],
])(
  'idle time counts while the page is not used: mounted again after %d minutes its user is %s',
  async (minutes, shown) => {
    const world = createTabWorld({ expiresInSeconds: 86_400 })
    const tab = openTab(world)
    const letGo = internalsOf(tab.auth).hold()
    await world.browser.clock.advance(1_000)
    expect(userOf(tab)).toBe('alice')
    letGo()
    await world.browser.clock.advance(minutes * 60_000)
    internalsOf(tab.auth).hold()
    await world.browser.clock.advance(1_000)
    expect(userOf(tab)).toBe(shown)
    expect(tab.host.navigations.filter((url) => url.includes('/oauth/logout'))).toHaveLength(
      shown === 'alice' ? 0 : 1,
    )
  },
)

it.each([false, true])(
  'another user who signs in ends the tabs that asked for other scopes at once; the app empties its storage: %s',
  async (isEmptied) => {
    const world = createTabWorld({ expiresInSeconds: 86_400 })
    const away = await openAway(world)
    const other = await startTab(world, { config: { autoLogout: false, scopes: ['openid', 'email'] } })
    if (isEmptied) other.auth.onUserGone(() => world.browser.localStorage.clear())
    expect(userOf(other)).toBe('alice')
    other.auth.login({ display: 'popup' }).catch(() => {})
    await other.host.settle()
    const popup = other.host.popups[0]!
    world.server.user = createFakeUser({ userId: 'bob', sessionId: 'bob 1' })
    popup.post({ type: 'signInAnswer', address: world.server.callbackOf(popup.urls.at(-1)!) })
    await world.browser.clock.advance(1_000)
    expect(userOf(other)).toBe('bob')
    expect(userOf(away)).toBe('unauthenticated')
  },
)
