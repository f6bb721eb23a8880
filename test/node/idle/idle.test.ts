// Idle time: one deadline for all tabs, looked at whenever the page wakes, with a countdown before it.
import { describe, expect, it } from 'vitest'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { activityKey } from '../../../src/protocol/storageKeys.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { APP, CLIENT, comeBackFromLogout, CONFIG } from '../session/sessionScene.ts'
import { bodyOf } from '../../holdRequests.ts'
import { createTabWorld, openTab, startTab, startTabs, type TabOptions } from '../tabs/tabsScene.ts'

const MINUTE = 60_000

async function signedInTabs(count = 1, config = {}) {
  const world = createTabWorld({ expiresInSeconds: 86_400 })
  const tabs = await startTabs(world, count, { config })
  return { ...world, tabs, ...tabs[0]! }
}

describe('idle time', () => {
  it('logs out 30 minutes after the last activity, and not a second earlier', async () => {
    const { browser, host, auth } = await signedInTabs()
    await browser.clock.advance(10 * MINUTE)
    host.emit('activity')
    await browser.clock.advance(30 * MINUTE - 1000)
    expect(auth.getState().status).toBe('authenticated')
    await browser.clock.advance(1000)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    expect(host.navigations).toHaveLength(1)
  })

  it('is postponed once where the focus is in a frame of another origin, after the countdown, for all tabs', async () => {
    const { browser, tabs } = await signedInTabs(2)
    Object.assign(tabs[0]!.host.platform, { isFocusElsewhere: async () => true })
    const statuses = () => tabs.map(({ auth }) => auth.getState().status)
    const remainingMs = () => tabs[0]!.auth.idle()?.remainingMs ?? 0
    await browser.clock.advance(remainingMs() - 2000)
    expect(remainingMs()).toBe(2000)
    await browser.clock.advance(2000)
    expect(statuses()).toEqual(['authenticated', 'authenticated'])
    expect(remainingMs()).toBeGreaterThanOrEqual(29 * MINUTE)
    await browser.clock.advance(remainingMs() - 1)
    expect(statuses()).toEqual(['authenticated', 'authenticated'])
    await browser.clock.advance(1)
    expect(statuses()).not.toContain('authenticated')
  })

  it('is forgotten with its session, also while the browser is asked about the focus', async () => {
    const { browser, host, auth } = await signedInTabs()
    const { promise: told, resolve: tell } = Promise.withResolvers<boolean>()
    Object.assign(host.platform, { isFocusElsewhere: async () => told })
    await browser.clock.advance((auth.idle()?.remainingMs ?? 0) - 1000)
    await auth.logout()
    tell(true)
    await host.settle()
    expect(host.localStorage.get(activityKey(CLIENT))).toBeUndefined()
  })

  it('ends at its time, counted down, when the machine has slept until the last minute', async () => {
    const { browser, host, auth } = await signedInTabs()
    browser.clock.sleep((auth.idle()?.remainingMs ?? 0) - 30_000)
    let count = 0
    auth.subscribe(() => (count += 1))
    host.emit('visible')
    await browser.clock.advance(29_999)
    expect(count).toBeGreaterThanOrEqual(29)
    expect(auth.getState().status).toBe('authenticated')
    await browser.clock.advance(1)
    expect(auth.getState().status).toBe('redirecting')
  })

  it('is postponed again after activity, and not by a machine that slept past it', async () => {
    const { browser, host, auth } = await signedInTabs()
    Object.assign(host.platform, { isFocusElsewhere: async () => true })
    await browser.clock.advance(50 * MINUTE)
    host.emit('activity')
    await browser.clock.advance(50 * MINUTE)
    expect(auth.getState().status).toBe('authenticated')
    host.emit('activity')
    browser.clock.sleep(31 * MINUTE)
    host.emit('visible')
    await host.settle()
    expect(auth.getState().status).toBe('redirecting')
  })

  it('comes before a renewal whose timer fires after the machine slept past it: no refresh token is sent', async () => {
    const world = createTabWorld({ expiresInSeconds: 600 })
    const { host, auth } = await startTab(world, { config: { autoRefreshToken: true } })
    const sent: string[] = []
    host.fetch = async (url, init) => {
      sent.push(bodyOf(init))
      return world.server.fetch(url, init)
    }
    await world.browser.clock.advance(9 * MINUTE)
    world.browser.clock.sleep(31 * MINUTE)
    // No event tells that the machine is awake.
    await world.browser.clock.advance(MINUTE)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
    expect(host.navigations.map((url) => new URL(url).pathname)).toEqual(['/oauth/logout'])
    expect(sent.filter((body) => body.includes('refresh_token'))).toEqual([])
  })

  it('is 45 minutes when the app says so, and never when the app does not want it', async () => {
    const custom = await signedInTabs(1, { idleTimeoutInMinutes: 45 })
    await custom.browser.clock.advance(44 * MINUTE)
    expect(custom.auth.getState().status).toBe('authenticated')
    await custom.browser.clock.advance(MINUTE)
    expect(custom.auth.getState().status).toBe('redirecting')
    const never = await signedInTabs(1, { autoLogout: false })
    await never.browser.clock.advance(300 * MINUTE)
    expect(never.auth.getState().status).toBe('authenticated')
  })

  it('counts activity in any tab for all of them', async () => {
    const { browser, tabs } = await signedInTabs(3)
    for (let round = 0; round < 4; round += 1) {
      await browser.clock.advance(20 * MINUTE)
      tabs[1]!.host.emit('activity')
    }
    expect(tabs.map(({ auth }) => auth.getState().status)).toEqual(Array(3).fill('authenticated'))
    await browser.clock.advance(30 * MINUTE)
    expect(tabs.some(({ auth }) => auth.getState().status === 'authenticated')).toBe(false)
  })

  it('after a sleep past the deadline logs out, and the move that wakes the machine does not save it', async () => {
    const { browser, host, auth } = await signedInTabs()
    browser.clock.sleep(8 * 60 * MINUTE)
    host.emit('activity')
    await host.settle()
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  })

  it.each(['visible', 'focus', 'resume', 'restored'] as const)(
    'is decided first at %s: no renewal before it',
    async (event) => {
      const { browser, host, auth } = await signedInTabs(1, { autoRefreshToken: true })
      const before = host.requests.length
      browser.clock.sleep(30 * 60 * MINUTE)
      host.emit(event)
      await host.settle()
      expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
      // Only the request that asks whether the server is there.
      expect(host.requests.slice(before).map(({ method }) => method)).toEqual(['GET'])
    },
  )

  it('is not touched by a clock that is set back', async () => {
    const { browser, auth } = await signedInTabs()
    await browser.clock.advance(10 * MINUTE)
    browser.clock.jump(-24 * 60 * MINUTE)
    await browser.clock.advance(19 * MINUTE)
    expect(auth.getState().status).toBe('authenticated')
    await browser.clock.advance(2 * MINUTE)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
  })

  it.each(['', 'soon', '-1', 'NaN', '99999999999999', '{"at":1}'])(
    'ignores the stored instant %j',
    async (stored) => {
      const { browser, host, auth } = await signedInTabs()
      host.localStorage.set('latchkey https://auth.test admin activity', stored)
      await browser.clock.advance(29 * MINUTE)
      expect(auth.getState().status).toBe('authenticated')
      await browser.clock.advance(2 * MINUTE)
      expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
    },
  )

  it('counts down the last 60 seconds, and "Stay signed in" ends the countdown', async () => {
    const { browser, auth } = await signedInTabs()
    const idle = internalsOf(auth).idle()!
    let changes = 0
    auth.subscribe(() => (changes += 1))
    await browser.clock.advance(28 * MINUTE)
    expect(changes).toBe(0)
    await browser.clock.advance(MINUTE + 30_000)
    expect(idle.remainingMs).toBeLessThanOrEqual(30_000)
    expect(changes).toBeGreaterThanOrEqual(29)
    idle.stayActive()
    expect(idle.remainingMs).toBe(30 * MINUTE)
    await browser.clock.advance(20 * MINUTE)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('sets no timer for a delay above 2147483647 ms and keeps the session', async () => {
    const { browser, auth } = await signedInTabs(1, { idleTimeoutInMinutes: 60_000 })
    await browser.clock.advance(10 * MINUTE)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('works where local storage is denied', async () => {
    const { browser, host, auth } = await signedInTabs()
    host.localStorage.fault = 'denied'
    await browser.clock.advance(31 * MINUTE)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
  })
})

/** The page that the browser makes anew when the user looks at a tab again that it had thrown away, or opens the app again. */
describe('a page that loads after the deadline has passed while nobody was there', () => {
  async function comeBackAfter(ms: number, options: TabOptions = {}) {
    const before = await signedInTabs(1, options.config)
    before.host.crash()
    before.browser.clock.sleep(ms)
    const states: string[] = []
    const { host, auth } = openTab(before, options)
    auth.subscribe(() => states.push(auth.getState().status))
    void auth.start()
    await before.browser.clock.advance(2_000)
    return { ...before, host, auth, states }
  }

  it('signs the session out that is still alive at the server, and is at no moment signed in', async () => {
    const { auth, host, states } = await comeBackAfter(31 * MINUTE)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    expect(host.navigations.map((address) => new URL(address).pathname)).toEqual(['/oauth/logout'])
    expect(states).not.toContain('authenticated')
    await expect(auth.getAccessToken()).rejects.toMatchObject({ code: 'not-authenticated' })
  })

  it('tells the hook why, and the user on the page they come back to', async () => {
    const reasons: unknown[] = []
    const hooks = { beforeLogout: ({ reason }: { reason: string }) => void reasons.push(reason) }
    const { host, server, browser } = await comeBackAfter(31 * MINUTE, { config: { hooks } })
    expect(reasons).toEqual(['idle'])
    server.user = undefined
    const state = new URL(host.navigations[0] ?? '').searchParams.get('state')
    const next = host.openNext(`${APP}?state=${state}`)
    const auth = createAuth({ ...CONFIG, hooks }, { platform: next.platform })
    void auth.start()
    await browser.clock.advance(1_000)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
    expect(next.navigations).toEqual([])
  })

  it('is signed in as before when the deadline has not passed', async () => {
    const { auth, host } = await comeBackAfter(28 * MINUTE)
    expect(auth.getState().status).toBe('authenticated')
    expect(host.navigations).toEqual([])
  })

  it('is signed in as before with rememberMe, when every tab had been closed', async () => {
    const { browser, host, server } = await signedInTabs(1, { rememberMe: true })
    host.close()
    browser.clock.sleep(14 * 60 * MINUTE)
    const next = await startTab({ browser, server }, { config: { rememberMe: true } })
    expect(next.auth.getState().status).toBe('authenticated')
    expect(next.host.navigations).toEqual([])
    // Its idle time counts from now.
    await browser.clock.advance(31 * MINUTE)
    expect(next.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
  })

  it('with rememberMe is signed out all the same when the browser threw the tab away and nobody closed it', async () => {
    const { auth } = await comeBackAfter(31 * MINUTE, { config: { rememberMe: true } })
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  })

  it('is signed in as before where the app wants no idle time', async () => {
    const { auth } = await comeBackAfter(600 * MINUTE, { config: { autoLogout: false } })
    expect(auth.getState().status).toBe('authenticated')
  })

  it('takes nothing from a tab that sleeps on: both end', async () => {
    const { browser, server, tabs } = await signedInTabs(2)
    tabs[1]!.host.crash()
    browser.clock.sleep(60 * MINUTE)
    const { auth } = openTab({ browser, server }, { host: { onFrame: () => {} } })
    const states: string[] = []
    auth.subscribe(() => states.push(auth.getState().status))
    void auth.start()
    await browser.clock.advance(1_000)
    expect(states).not.toContain('authenticated')
    expect(auth.getState().status).toBe('redirecting')
    expect(tabs[0]!.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'idle' })
  })

  it('has the server ask for the credentials when no frame could tell whether it has a session', async () => {
    const { host } = await comeBackAfter(31 * MINUTE, {
      config: { autoLogin: true, iframeTimeoutInSeconds: 0.5 },
      host: { onFrame: () => {} },
    })
    const address = new URL(host.navigations[0] ?? '')
    expect(address.pathname).toBe('/oauth/authorize')
    expect(address.searchParams.get('prompt')).toBe('login')
  })

  it('does not send a user away who has just signed in: their code counts', async () => {
    const { host, server, browser } = await comeBackAfter(31 * MINUTE, {
      config: { autoLogin: true, iframeTimeoutInSeconds: 0.5 },
      host: { onFrame: () => {} },
    })
    const back = host.openNext(server.callbackOf(host.navigations[0] ?? ''))
    const auth = createAuth(CONFIG, { platform: back.platform })
    void auth.start()
    await browser.clock.advance(1_000)
    expect(auth.getState().status).toBe('authenticated')
    expect(back.navigations).toEqual([])
  })

  it('uses no token from the address in its stead', async () => {
    const token = createAccessToken({ jti: 'jti-1' })
    const { host } = await comeBackAfter(31 * MINUTE, { address: `${APP}?token=${token}` })
    expect(host.navigations.map((address) => new URL(address).pathname)).toEqual(['/oauth/logout'])
    expect(host.address).toBe(APP)
  })

  it('is nobody’s business after a sign-out: who signs in a day later is signed in', async () => {
    const { browser, host, auth, server } = await signedInTabs(1)
    void auth.logout()
    await browser.clock.advance(1_000)
    const { user } = server
    const back = await comeBackFromLogout({ host, server })
    browser.clock.sleep(24 * 60 * MINUTE)
    server.user = user
    const next = back.openNext(APP)
    const later = createAuth({ ...CONFIG, autoLogin: false }, { platform: next.platform })
    void later.start()
    await browser.clock.advance(1_000)
    expect(later.getState().status).toBe('authenticated')
  })

  it.each(['', 'soon', '-1', 'NaN', '0', '99999999999999', '{"at":1}'])(
    'ignores the stored instant %j',
    async (stored) => {
      const { browser, host } = await signedInTabs()
      host.crash()
      browser.localStorage.set('latchkey https://auth.test admin activity', stored)
      browser.clock.sleep(60 * MINUTE)
      const next = host.openNext(APP)
      const auth = createAuth({ ...CONFIG, autoLogin: false }, { platform: next.platform })
      void auth.start()
      await browser.clock.advance(1_000)
      expect(auth.getState().status).toBe('authenticated')
    },
  )
})
