// A reload in a real browser asks the server for no session, with either kind of server; who was signed out elsewhere meanwhile is not signed in.
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { signInAtProvider, useOidcDemo } from '../oidc/oidcDemo.ts'
import { stopLongTimers } from '../clock.ts'
import { type TestBrowsers, useBrowsers, useDemo } from '../fixture.ts'
import { addressOf, expectHeading, expectSignedIn } from '../page.ts'
import { button, openAndSignIn, openOtherTab } from '../user.ts'

/** However slow the machine is: what the page before has left is taken in time. */
async function openPatient(pages: Pick<TestBrowsers, 'openPage'>): Promise<Page> {
  const page = await pages.openPage()
  await stopLongTimers(page)
  return page
}

/** The page is at rest: its session is sealed, and the name has the key. */
const untilReady = async (page: Page) => page.waitForFunction(() => window.name.startsWith('latchkey-keys '))

const HEADS = { without: false, with: true }

for (const [head, hasEarly] of Object.entries(HEADS))
  describe(`a reload ${head} latchkey/early`, { tags: hasEarly ? ['thorough'] : [] }, () => {
    const demo = useDemo({ hasEarly })
    const session = () => demo.authServer.requests.all().filter(({ path }) => path.startsWith('/oauth/'))

    it('asks the server for no session, again and again, and leaves nothing behind while the page runs', async () => {
      const page = await openPatient(demo)
      await openAndSignIn(page, demo.origin)
      for (let count = 0; count < 3; count += 1) {
        await untilReady(page)
        demo.authServer.requests.clear()
        await page.reload()
        await expectHeading(page, /, Anna$/)
        expect(session()).toEqual([])
        expect(
          await page.evaluate(() => [
            ...Object.keys(sessionStorage).filter((key) => key.endsWith(' left')),
            ...Object.keys((Reflect.get(window, Symbol.for('latchkey.early')) ?? {}) as object),
          ]),
        ).toEqual([])
      }
      // A server that is away keeps nobody from it.
      await untilReady(page)
      await page.route(`${demo.authServer.origin}/**`, async (route) => route.abort('connectionrefused'))
      await page.goto(`${demo.origin}/activity`)
      await expectHeading(page, 'Activity')
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

    // The script in the head and the app tell a page that was left by one rule: each way back with one of them.
    it.each([hasEarly ? (['only redirects', 302] as const) : (['shows a page', 200] as const)])(
      'is none: back from a logout page of the provider that %s, the server is asked',
      { tags: ['thorough'] },
      async (_how, status) => {
        const page = await openPatient(demo)
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

for (const [head, hasEarly] of Object.entries(HEADS))
  describe(
    `a reload with openIdConnect ${head} latchkey/early`,
    { tags: hasEarly ? ['thorough'] : [] },
    () => {
      const demo = useOidcDemo({ hasEarly })
      const browsers = useBrowsers()

      it('asks the provider for nothing but the user info', async () => {
        const page = await openPatient(browsers)
        await page.goto(`${demo.origin}/security?a=b#c`)
        await signInAtProvider(page)
        for (let count = 0; count < 2; count += 1) {
          await untilReady(page)
          await page.waitForLoadState('networkidle')
          demo.forget()
          await page.reload()
          await expectSignedIn(page)
          await page.waitForLoadState('networkidle')
          expect(demo.asked().filter((request) => !request.endsWith(' /me'))).toEqual([])
          expect(await addressOf(page)).toBe(`${demo.origin}/security?a=b#c`)
        }
      })
    },
  )

describe('the back button', { tags: ['thorough'] }, () => {
  const demo = useDemo({ hasBackForwardCache: true })

  it('after a reload, and after another page of the tab, leads back to a page that is signed in and can renew', async () => {
    const page = await (await demo.openBrowser()).newPage()
    await openAndSignIn(page, `${demo.origin}/activity`)
    await untilReady(page)
    await page.reload()
    await untilReady(page)
    await page.goto(`${demo.origin}/security`)
    await expectHeading(page, 'Security')
    await untilReady(page)
    await page.goBack()
    await expectHeading(page, 'Activity')
    await page.goto(demo.origin)
    await button(page, 'Renew now').click()
    await page.getByText('1 in this tab').waitFor()
    expect(demo.authServer.counts.reuseDetected).toBe(0)
  })
})
