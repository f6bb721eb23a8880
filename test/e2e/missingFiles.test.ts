// One of the app's later files does not come, as after a deployment that took the old ones away, or behind a blocker.
import type { BrowserContext } from 'playwright'
import { describe, expect, it } from 'vitest'
import {
  addressOf,
  button,
  expectEventually,
  expectHeading,
  expectSignedIn,
  expectVisible,
  openSignedIn,
  pick,
  useDemo,
} from './fixture.ts'

const PLACE = '/activity?x=1#y'
// Warnings of ours; nothing may be uncaught.
const COMPLAINTS = /^\[latchkey\] (Other tabs are out of reach|Real time is not available)/

/** Refuses a file of the build by its name, until the answer is called; says how often it was asked for. */
async function withhold(browser: BrowserContext, file: string) {
  const pattern = new RegExp(`/assets/${file}-[\\w-]+\\.js$`)
  let count = 0
  await browser.route(pattern, async (route) => {
    count += 1
    await route.abort()
  })
  return { count: () => count, release: async () => browser.unroute(pattern) }
}

describe('a file that does not come', () => {
  const demo = useDemo({ realtime: true })

  it('what tabs talk through: the user signs in, renews, reloads and signs out', async () => {
    demo.expectOnConsole(COMPLAINTS)
    const browser = await demo.openBrowser()
    const file = await withhold(browser, 'browserPlatformTabs')
    const page = await browser.newPage()
    await openSignedIn(page, demo.origin)
    for (const times of [1, 2]) {
      await button(page, 'Renew now').click()
      await expectVisible(page.getByText(`${times} in this tab`))
    }
    expect(demo.authServer.counts.reuseDetected).toBe(0)
    await page.reload()
    await expectHeading(page, /, Anna$/)
    await button(page, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    expect(file.count()).toBeGreaterThan(0)
  })

  it('what tabs talk through: a tab beside it signs in by the server, and both are one session when it comes', async () => {
    demo.expectOnConsole(COMPLAINTS)
    const browser = await demo.openBrowser()
    const file = await withhold(browser, 'browserPlatformTabs')
    const first = await browser.newPage()
    await openSignedIn(first, demo.origin)
    const second = await browser.newPage()
    await second.goto(demo.origin)
    await expectHeading(second, /, Anna$/)
    await file.release()
    for (const page of [first, second]) {
      await button(page, 'Renew now').click()
      await expectVisible(page.getByText('1 in this tab'))
    }
    await button(second, 'Sign out').click()
    await expectHeading(second, 'You are signed out')
    await expectHeading(first, 'You are signed out')
  })

  it('what a session needs, at the first visit: the user reads why, and one click goes on', async () => {
    demo.expectOnConsole(COMPLAINTS)
    const browser = await demo.openBrowser()
    const file = await withhold(browser, 'upkeep')
    const page = await browser.newPage()
    await page.goto(demo.origin + PLACE)
    await expectHeading(page, 'We could not sign you in')
    expect(await addressOf(page)).toBe(demo.origin + PLACE)
    await file.release()
    await button(page, 'Try again').click()
    await page.locator('button[value="anna"]').click()
    await expectSignedIn(page)
    expect(await addressOf(page)).toBe(demo.origin + PLACE)
  })

  it('what a session needs, and it is still not there: a retry loads the page anew, at the same place', async () => {
    const browser = await demo.openBrowser()
    const file = await withhold(browser, 'upkeep')
    const page = await browser.newPage()
    await page.goto(demo.origin + PLACE)
    await expectHeading(page, 'We could not sign you in')
    await page.evaluate(() => Object.assign(globalThis, { isOld: true }))
    await button(page, 'Try again').click()
    await page.waitForFunction(() => !('isOld' in globalThis))
    await expectHeading(page, 'We could not sign you in')
    expect(await addressOf(page)).toBe(demo.origin + PLACE)
    await file.release()
    await page.reload()
    await page.locator('button[value="anna"]').waitFor()
  })

  it('what a session needs, on the way back from the sign-in page: the sign-in is not lost', async () => {
    demo.expectOnConsole(COMPLAINTS)
    const browser = await demo.openBrowser()
    const page = await browser.newPage()
    await page.goto(demo.origin + PLACE)
    await page.locator('button[value="anna"]').waitFor()
    const file = await withhold(browser, 'upkeep')
    await pick(page, 'anna')
    await expectHeading(page, 'We could not sign you in')
    expect(await addressOf(page)).toBe(demo.origin + PLACE)
    await file.release()
    await button(page, 'Try again').click()
    await expectSignedIn(page)
    expect(await addressOf(page)).toBe(demo.origin + PLACE)
    expect(demo.authorizeVisits('redirect')).toBe(1)
  })

  it('what the app’s own requests need: they fail, and work when it comes', async () => {
    demo.expectOnConsole(COMPLAINTS)
    const browser = await demo.openBrowser()
    const file = await withhold(browser, 'appFetch')
    const page = await browser.newPage()
    await openSignedIn(page, `${demo.origin}/sessions`)
    await expectVisible(page.getByText('Not live at the moment'))
    await file.release()
    await expectVisible(page.locator('.page-head').getByText('Live', { exact: true }))
    await button(page, 'Send to me').click()
    await expectVisible(page.getByText('To you'))
  })

  it('what reads a refusal: the user reads of the refusal all the same', async () => {
    demo.expectOnConsole(COMPLAINTS)
    const browser = await demo.openBrowser()
    const file = await withhold(browser, 'refusal')
    demo.authServer.faults.add({ path: '/oauth/token', grant: 'refresh_token', status: 503, times: 1 })
    const page = await browser.newPage()
    await openSignedIn(page, demo.origin)
    await button(page, 'Renew now').click()
    await expectVisible(
      page.getByRole('main').getByRole('alert').getByText('Code unexpected-status, status 503'),
    )
    await expectEventually(() => Math.min(file.count(), 1), 1)
    await button(page, 'Renew now').click()
    await expectVisible(page.getByText('1 in this tab'))
  })
})
