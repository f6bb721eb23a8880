// A reload in a real browser asks the server for no session, with either kind of server; who was signed out elsewhere meanwhile is not signed in.
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading } from '../page.ts'
import { button, openAndSignIn, openOtherTab } from '../user.ts'

/** The page is at rest: its session is sealed, and the name has the key. */
const untilReady = async (page: Page) => page.waitForFunction(() => window.name.startsWith('latchkey-keys '))

describe.each([
  ['without latchkey/early', false],
  ['with latchkey/early', true],
])('a reload %s', (_name, hasEarly) => {
  const demo = useDemo({ hasEarly, auth: { betweenPages: true } })
  const session = () => demo.authServer.requests.all().filter(({ path }) => path.startsWith('/oauth/'))

  it('asks the server for no session, again and again, and leaves nothing behind while the page runs', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    for (let count = 0; count < 3; count += 1) {
      await untilReady(page)
      demo.authServer.requests.clear()
      await page.reload()
      await expectHeading(page, /, Anna$/)
      expect(session()).toEqual([])
      expect(
        await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.endsWith(' left'))),
      ).toEqual([])
    }
  })

  it('after a sign-out in another tab shows nobody', async () => {
    const context = await demo.openBrowser()
    const page = await context.newPage()
    await openAndSignIn(page, demo.origin)
    const other = await openOtherTab(page)
    await untilReady(page)
    // The page has gone, and the app of the next one comes after the sign-out.
    let signOut: Promise<void> | undefined
    const signOutThere = async () => {
      await button(other, 'Sign out').click()
      await expectHeading(other, 'You are signed out')
    }
    await page.route('**/assets/*.js', async (route) => {
      await (signOut ??= signOutThere())
      await route.continue()
    })
    await page.reload()
    await page.locator('button[value="anna"]').waitFor()
  })

  it.each([
    ['shows a page', 200],
    ['only redirects', 302],
  ])(
    'is none: back from a logout page of the provider that %s, the server is asked',
    async (_how, status) => {
      const page = await demo.openPage()
      await openAndSignIn(page, demo.origin)
      await untilReady(page)
      const logout = `${demo.authServer.origin}/its-own-logout`
      await page.route(logout, async (route) => {
        demo.authServer.revokeAllSessions()
        const body = `<a href="${demo.origin}">back</a>`
        await route.fulfill(
          status === 302
            ? { status, headers: { location: demo.origin } }
            : { status, contentType: 'text/html', body },
        )
      })
      await page.evaluate((address) => location.assign(address), logout)
      if (status === 200) await page.click('text=back')
      await page.locator('button[value="anna"]').waitFor()
      expect(demo.authServer.requests.count({ path: '/oauth/token', grant: 'refresh_token' })).toBe(0)
    },
  )
})
