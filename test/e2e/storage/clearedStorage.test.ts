// The user, or a tidy program, empties the site's storages in the middle: nothing breaks, and nothing of the session lies in them (F25).

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { button, openAndSignIn, openOtherTab, pick } from '../user.ts'

/** Empties what a site can store; local storage too when everything goes, as "clear site data" does it. */
const clear = async (page: Page, what: 'everything' | 'all but local storage') =>
  page.evaluate(async (isEverything) => {
    sessionStorage.clear()
    if (isEverything) localStorage.clear()
    const databases = await indexedDB.databases()
    await Promise.all(
      databases.map(
        async ({ name }) =>
          new Promise<void>((resolve) => {
            const deleting = indexedDB.deleteDatabase(name ?? '')
            for (const end of ['success', 'error', 'blocked']) deleting.addEventListener(end, () => resolve())
          }),
      ),
    )
  }, what === 'everything')

describe('storages that are cleared', () => {
  const demo = useDemo({ auth: { autoLogout: false } })

  it('all but local storage, between two renewals: both tabs go on with one token, and a reload is signed in', async () => {
    const context = await demo.openBrowser()
    const page = await context.newPage()
    await openAndSignIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    const other = await openOtherTab(page)
    const { reuseDetected } = demo.authServer.counts
    for (const [round, tab] of [page, other].entries()) {
      await clear(tab, 'all but local storage')
      await button(tab, 'Renew now').click()
      for (const each of [page, other]) await expectVisible(each.getByText(`${round + 1} in this tab`))
    }
    await clear(page, 'all but local storage')
    await page.reload()
    await expectHeading(page, /, Anna$/)
    expect(demo.tokenCalls('refresh_token')).toBe(2)
    expect(demo.authServer.counts.reuseDetected).toBe(reuseDetected)
    expect(demo.authorizeVisits('redirect')).toBe(1)
  })

  it('everything, in the middle of a session: a page that is looked at again is signed in as before', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    await expectSignedIn(page)
    await clear(page, 'everything')
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await button(page, 'Renew now').click()
    await expectVisible(page.getByText('1 in this tab'))
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expectSignedIn(page)
    expect(demo.authorizeVisits('redirect')).toBe(1)
  })

  it('everything, while the user is at the sign-in page: they end signed in, by three navigations at most', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity`)
    await page.locator('button[value="anna"]').waitFor()
    const other = await page.context().newPage()
    // The app's origin without the app.
    await other.goto(`${demo.origin}/app-config.js`)
    await clear(other, 'everything')
    // The session storage of a tab that is elsewhere goes with the site's data; here it goes as soon as the page is back.
    await page.addInitScript(() => sessionStorage.clear())
    await pick(page, 'anna')
    await expectSignedIn(page)
    expect(demo.authorizeVisits('redirect')).toBeLessThanOrEqual(3)
    expect(demo.tokenCalls('authorization_code')).toBe(1)
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])
  })
})
