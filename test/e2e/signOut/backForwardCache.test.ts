// A page that comes back from the browser's memory: nothing of a session that has ended since is painted (F33).

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading } from '../page.ts'
import { button, openAndSignIn, openOtherTab, openSignedIn } from '../user.ts'

describe('a page from the back-forward cache', () => {
  const demo = useDemo({ hasBackForwardCache: true })

  const goToServer = async (page: Page) =>
    void (await page.goto(`${demo.authServer.origin}/.well-known/openid-configuration`))

  it.each<[string, (page: Page) => Promise<void>]>([
    [
      'after a sign-out in another tab the first picture is that of a signed-out page',
      async (page) => {
        const other = await openOtherTab(page)
        await goToServer(page)
        await button(other, 'Sign out').click()
        await expectHeading(other, 'You are signed out')
      },
    ],
    [
      'after another user has signed in in another tab the first picture is that of a signed-out page',
      async (page) => {
        const other = await page.context().newPage()
        await goToServer(page)
        await openSignedIn(other, demo.origin, 'bram')
      },
    ],
  ])('%s', async (_what, happen) => {
    const context = await demo.openBrowser()
    // The browser drops a remembered page that is sent a message; without channels it comes back as it was.
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'BroadcastChannel'))
    const page = await context.newPage()
    await openAndSignIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    // The browser may drop a page that was left in the middle of a request.
    await page.waitForLoadState('networkidle')

    await page.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => {
        // The last moment before the browser paints.
        requestAnimationFrame(() =>
          Object.assign(window, { firstPicture: { persisted, text: document.body.innerText } }),
        )
      })
    })
    await happen(page)
    // A page from the cache has no load event.
    await page.goBack({ waitUntil: 'commit' })
    const reasons = await page.evaluate(() =>
      performance.getEntriesByType('navigation').map((visit) => visit.toJSON().notRestoredReasons ?? null),
    )
    expect(reasons, 'why the browser loaded the page again').toEqual([null])
    await expectHeading(page, 'You are signed out')
    // The heading may be there before the picture is.
    const picture = await page.waitForFunction(
      () => (window as unknown as { firstPicture?: { persisted: boolean; text: string } }).firstPicture,
    )
    const { persisted, text } = await picture.evaluate((seen) => seen!)
    expect(persisted).toBe(true)
    expect(text).not.toContain('Anna')
  })
})
