// One session per user, as two people at two computers meet it: real browsers, the real SDK, the local service with access control.

// @module-tag thorough

import type { BrowserContext, Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RealtimeServer } from '../../../demo/realtimeServer/startRealtimeServer.ts'
import { authOf } from '../authOf.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { openSignedIn, pick } from '../user.ts'

// Several browsers each: a busy machine is not a fault.
describe('one session per user', { timeout: 240_000 }, () => {
  const demo = useDemo({ realtime: true })
  const CHANNEL = 'auth-session-anna'
  const ELSEWHERE = 'You signed in somewhere else'

  const service = (): RealtimeServer => {
    if (!demo.realtimeServer) throw new Error('this demo runs without real time')
    return demo.realtimeServer
  }
  const here = (channel = CHANNEL) => service().occupants(channel)
  const agentOf = (page: Page) =>
    page.evaluate(() => Object.entries(localStorage).find(([key]) => key.endsWith(' agent'))?.[1] as string)

  beforeEach(async () => {
    service().faults.clear()
    // A browser that was closed in the middle of something is not waited for.
    for (const id of service().occupants(CHANNEL)) service().expire(CHANNEL, id)
    service().requests.length = 0
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  interface Device {
    browser: BrowserContext
    page: Page
  }

  /** Signs in on a computer of its own, and waits until the line is up. */
  async function signInOn(who = 'anna', path = '/sessions', userId = who): Promise<Device> {
    const browser = await demo.openBrowser()
    const page = await browser.newPage()
    await openSignedIn(page, demo.origin + path, who)
    // It is drawn once real time has loaded.
    await expectEventually(async () => typeof (await agentOf(page)), 'string')
    const agent = await agentOf(page)
    await expectEventually(() => here(`auth-session-${userId}`).some((id) => id.endsWith(agent)), true)
    // The service knows it before it does.
    await expectEventually(async () => realtimeOf(page), 'connected')
    // Who shows what is sent has loaded.
    await expectVisible(page.getByRole('heading', { level: 1 }))
    return { browser, page }
  }

  const realtimeOf = async (page: Page) => (await authOf(page)).evaluate((auth) => auth.getState().realtime)

  /** Tokens tell the time in seconds: the next sign-in is to be the newer one. */
  const nextSecond = () => {
    const second = Math.floor(Date.now() / 1000)
    return expectEventually(() => Math.floor(Date.now() / 1000) > second, true)
  }

  async function openTab({ browser }: Device, path = '/'): Promise<Page> {
    const page = await browser.newPage()
    await page.goto(demo.origin + path)
    await expectSignedIn(page)
    return page
  }

  describe('a second sign-in of the same person', () => {
    it('ends the first in all its tabs, by one logout, and says when and where', async () => {
      const older = await signInOn()
      const tab = await openTab(older)
      await nextSecond()
      const newer = await signInOn()
      await Promise.all([expectHeading(older.page, ELSEWHERE), expectHeading(tab, ELSEWHERE)])
      const name = (await agentOf(newer.page)).slice(0, 4)
      for (const page of [older.page, tab])
        await expectVisible(page.getByText(`Browser ${name} signed in at`))

      await expectEventually(() => demo.authServer.requests.count({ path: '/oauth/logout', status: 303 }), 1)
      await expectHeading(newer.page, 'Sessions')
      // The older browser leaves by a request of its own.
      await expectEventually(() => here().length, 1)
    })

    it('of two that sign in at the same instant exactly one stays', async () => {
      const pages = await Promise.all(
        [1, 2].map(async () => {
          const page = await (await demo.openBrowser()).newPage()
          await page.goto(`${demo.origin}/sessions`)
          await page.locator('button[value="anna"]').waitFor()
          return page
        }),
      )
      // The server's clock stands still, so that both tokens tell the same second.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
      await Promise.all(pages.map((page) => pick(page, 'anna')))
      const claimants = () =>
        new Set(
          service()
            .requests.filter(({ operation, path }) => operation === 'publish' && path.includes(CHANNEL))
            .map(({ uuid }) => uuid),
        ).size
      await expectEventually(claimants, 2)
      vi.useRealTimers()
      const headings = () => Promise.all(pages.map((page) => page.locator('h1').innerText()))
      await expectEventually(async () => (await headings()).toSorted(), ['Sessions', ELSEWHERE])
      // The one that left is at the logout page and back by now; nobody else is sent there.
      await nextSecond()
      await nextSecond()
      expect((await headings()).toSorted()).toEqual(['Sessions', ELSEWHERE])
      await expectEventually(() => here().length, 1)
      expect(demo.authServer.requests.count({ path: '/oauth/logout', status: 303 })).toBe(1)
    })

    it('only tells the app when it has set the hook', async () => {
      const older = await signInOn()
      await older.page.getByLabel('Warn me instead of signing out').check()
      await nextSecond()
      const newer = await signInOn()
      const name = (await agentOf(newer.page)).slice(0, 4)
      await expectVisible(older.page.getByText(`Browser ${name} signed in as you`))
      await expectHeading(older.page, 'Sessions')
      await expectHeading(newer.page, 'Sessions')
      expect(demo.authServer.requests.count({ path: '/oauth/logout' })).toBe(0)
    })
  })

  describe('an administrator who works on behalf of somebody', () => {
    it('logs nobody out and is logged out by nobody, and each sees the other', async () => {
      const channel = 'auth-session-bram'
      const bram = await signInOn('bram')
      await nextSecond()
      const admin = await signInOn('bram~anna', '/sessions', 'bram')
      await expectVisible(bram.page.getByText('On behalf of you'))
      await nextSecond()
      expect(
        here(channel)
          .map((id) => id.charAt(0))
          .toSorted(),
      ).toEqual(['1', '2'])
      const again = await signInOn('bram')
      await expectHeading(bram.page, ELSEWHERE)
      await expectHeading(admin.page, 'Sessions')
      await expectHeading(again.page, 'Sessions')
    })
  })

  describe('what nobody but the service may do', () => {
    it('forged and foreign messages log nobody out', async () => {
      const { page } = await signInOn()
      const newest = { since: Date.now() + 60_000, logout: false, impersonatorId: null }
      const forged = {
        authHost: demo.authServer.origin,
        clientId: 'demo-admin',
        sessionId: 'zzz',
        agentId: 'zzz',
      }
      const stranger = '1:00000000-0000-0000-0000-000000000000:zzz'
      service().publish(CHANNEL, { ...forged, ...newest, agentId: 'somebody-else' }, stranger)
      service().publish(CHANNEL, { ...forged, ...newest, clientId: 'another' }, stranger)
      service().publish(CHANNEL, { ...forged, ...newest, authHost: 'https://evil.test' }, stranger)
      service().publish(CHANNEL, { ...forged, ...newest, logout: true }, stranger)
      service().publish(CHANNEL, { ...forged, ...newest, impersonatorId: 'boss' }, stranger)
      service().publish(CHANNEL, { ...forged, ...newest }, 'server')
      for (const body of [null, 'logout', 42, [], { logout: true }, { __proto__: { logout: true } }])
        service().publish(CHANNEL, body, stranger)
      // What comes after them has been heard, so they have been too.
      service().publish('user_anna', { topic: 'note', messageType: 'new', data: { text: 'the last word' } })
      await expectVisible(page.getByText('To you: the last word'))
      await nextSecond()
      await expectHeading(page, 'Sessions')
      expect(demo.authServer.requests.count({ path: '/oauth/logout' })).toBe(0)
    })
  })
})
