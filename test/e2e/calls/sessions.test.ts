// Real time in the whole app: who is online, messages, outages, sign-outs, and what travels on the wire.

// @module-tag thorough

import type { BrowserContext, Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import type { RealtimeServer } from '../../../demo/realtimeServer/startRealtimeServer.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { openSignedIn } from '../user.ts'
import { expectGoodLooks } from '../looks/looks.ts'

// Several browsers each: a busy machine is not a fault.
describe('real time in the app', { timeout: 240_000 }, () => {
  const demo = useDemo({ realtime: true })
  const CHANNEL = 'auth-session-anna'

  const service = (): RealtimeServer => {
    if (!demo.realtimeServer) throw new Error('this demo runs without real time')
    return demo.realtimeServer
  }
  const here = () => service().occupants(CHANNEL)
  const live = (page: Page) => expectVisible(page.locator('.page-head').getByText('Live', { exact: true }))
  const log = (page: Page) => page.getByRole('log').getByRole('listitem')
  const note = (text: string) => ({ topic: 'note', messageType: 'new', data: { text } })

  beforeEach(async () => {
    service().faults.clear()
    // A browser that was closed in the middle of something is not waited for.
    for (const id of service().occupants(CHANNEL)) service().expire(CHANNEL, id)
    service().requests.length = 0
  })

  async function open(
    who = 'anna',
    { hasTabs = false } = {},
  ): Promise<{ browser: BrowserContext; page: Page }> {
    const page = hasTabs ? await (await demo.openBrowser()).newPage() : await demo.openPage()
    await openSignedIn(page, `${demo.origin}/sessions`, who)
    await live(page)
    return { browser: page.context(), page }
  }

  async function openTab(browser: BrowserContext): Promise<Page> {
    const page = await browser.newPage()
    await page.goto(`${demo.origin}/sessions`)
    await expectSignedIn(page)
    await live(page)
    return page
  }

  it('the screen is free of barriers and fits', async () => {
    const { page } = await open()
    await expectVisible(page.getByText('This browser', { exact: true }))
    await expectGoodLooks(page)
  })

  describe('messages', () => {
    it('from the firm’s server reach every tab once, on one line', async () => {
      const { browser, page } = await open('anna', { hasTabs: true })
      const tabs = [page, await openTab(browser), await openTab(browser)]
      await page.getByRole('button', { name: 'Send to me' }).click()
      await page.getByRole('button', { name: 'Send to the firm' }).click()
      for (const tab of tabs) {
        await expectVisible(tab.getByText('To you: The office closes at five'))
        await expectVisible(tab.getByText('To the firm: The office closes at five'))
        expect(await log(tab).count()).toBe(2)
      }
      // Each message ended the poll, and the next one comes a moment later.
      await expect.poll(() => service().heldPolls()).toBe(1)
    })

    it('to the firm reach a colleague, and those to a person nobody else', async () => {
      const [anna, bram] = [await open('anna'), await open('bram')]
      await anna.page.getByRole('button', { name: 'Send to me' }).click()
      // It is sent before the other one, and is on its way to nobody when the test ends.
      await expectVisible(anna.page.getByText('To you: The office closes at five'))
      await anna.page.getByRole('button', { name: 'Send to the firm' }).click()
      await expectVisible(bram.page.getByText('To the firm: The office closes at five'))
      expect(await bram.page.getByText('To you').count()).toBe(0)
    })

    it('sent while the service was away are caught up with', async () => {
      const { page } = await open()
      const restarting = service().restart({ downMs: 1500 })
      await expectVisible(page.getByText('Not live at the moment'))
      service().publish('user_anna', note('while away'))
      await restarting
      await expectVisible(page.getByText('To you: while away'))
      await live(page)
      service().publish('user_anna', note('afterwards'))
      await expectVisible(page.getByText('To you: afterwards'))
      expect(await log(page).count()).toBe(2)
    })

    it('sent while the browser was offline are caught up with', async () => {
      const { browser, page } = await open()
      await browser.setOffline(true)
      // Chromium keeps what is open; a real network would not.
      await service().restart({ downMs: 300 })
      await expectVisible(page.getByText('Not live at the moment'))
      service().publish('user_anna', note('while offline'))
      await browser.setOffline(false)
      await expectVisible(page.getByText('To you: while offline'))
      await live(page)
    })
  })

  describe('signing out', () => {
    it('in a tab without the line ends the other tabs, tells the service, and leaves the channels', async () => {
      const { browser, page } = await open('anna', { hasTabs: true })
      const second = await openTab(browser)
      await second.getByRole('button', { name: 'Sign out' }).first().click()
      await expectHeading(page, 'You are signed out')
      await expectHeading(second, 'You are signed out')
      await expectEventually(here, [])
      const said = service().requests.filter(
        ({ operation, path }) => operation === 'publish' && path.includes('true'),
      )
      expect(said).toHaveLength(1)
      await expectEventually(() => demo.authServer.requests.count({ path: '/oauth/logout' }), 1)
    })
  })

  describe('a service that does not work', () => {
    it('refuses the token: the app works, and says that it is not live', async () => {
      service().faults.add({ on: 'subscribe', kind: 'status', status: 403 })
      const page = await demo.openPage()
      await openSignedIn(page, `${demo.origin}/sessions`)
      await expectVisible(page.getByText('Not live at the moment'))
      service().faults.clear()
      await live(page)
    })

    it.each(['channels', 'pubnub'])('does not load (%s): the app works', async (chunk) => {
      const page = await demo.openPage()
      const refused: string[] = []
      await page.route(new RegExp(`/assets/${chunk}[\\w.-]*\\.js$`), async (route) => {
        refused.push(route.request().url())
        await route.abort()
      })
      demo.expectOnConsole(/Real time is not available|dynamically imported module/)
      await openSignedIn(page, `${demo.origin}/sessions`)
      await expectVisible(page.getByText('Not live at the moment'))
      expect(refused).not.toEqual([])
    })
  })
})
