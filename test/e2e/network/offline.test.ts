// No network, at each moment of a session: no error page of the browser, nothing lost, and it reconnects automatically.
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { openWithClock } from '../clock.ts'
import { useDemo } from '../fixture.ts'
import { addressOf, expectEventually, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { button, openAndSignIn, openSignedOut, pick, signIn } from '../user.ts'

/** Serves the app as a browser's cache would, so that its page opens without a network. */
async function keepAppReachable(page: Page, origin: string) {
  // Chromium does not know where a page that a test serves came from, and would keep its frames from this machine.
  await page.context().grantPermissions(['local-network-access'])
  await page.route(`${origin}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    const response = await fetch(`${origin}${pathname}${search}`)
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    })
  })
}

const banner = (page: Page) => page.getByText('You are offline.', { exact: true })

describe('offline', () => {
  const demo = useDemo()

  it('at the start: says so without leaving the page, and reconnects automatically', async () => {
    const page = await demo.openPage()
    await keepAppReachable(page, demo.origin)
    await page.context().setOffline(true)
    await page.goto(`${demo.origin}/activity?x=1`)
    await expectHeading(page, 'We could not sign you in')
    await expectVisible(page.getByText('That did not work, because you are offline.'))
    expect(await page.locator('iframe').count()).toBe(0)
    expect(demo.authServer.requests.count()).toBe(0)
    await page.context().setOffline(false)
    await signIn(page, 'anna')
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?x=1`)
  })

  it('between the return and the exchange: the code waits, and is sent once', async () => {
    const page = await demo.openPage()
    await keepAppReachable(page, demo.origin)
    await page.goto(`${demo.origin}/activity`)
    await expectVisible(page.locator('button[value="anna"]'))
    // The last file that the app is made of: the page has come back, and nothing of it has run yet.
    await page.route(`${demo.origin}/app-config.js`, async (route) => {
      await page.context().setOffline(true)
      await route.fallback()
    })
    await pick(page, 'anna')
    await expectVisible(page.getByText('Checking your session'))
    await expectEventually(async () => addressOf(page), `${demo.origin}/activity`)
    expect(demo.tokenCalls('authorization_code')).toBe(0)
    await page.context().setOffline(false)
    await expectSignedIn(page)
    expect(demo.tokenCalls('authorization_code')).toBe(1)
    expect(demo.authorizeVisits('redirect')).toBe(1)
  })

  it('at renewal: the session stays, and one renewal follows when the network is back', async () => {
    const page = await demo.openPage()
    await openWithClock(page, demo.origin)
    await page.context().setOffline(true)
    await expectVisible(banner(page))
    await page.clock.fastForward(62_000)
    await expectVisible(page.getByText('renewal is due'))
    expect(demo.tokenCalls('refresh_token')).toBe(0)
    await page.context().setOffline(false)
    await expectVisible(page.getByText('1 in this tab'))
    expect(demo.tokenCalls('refresh_token')).toBe(1)
  })

  it('at sign-out: signed out here at once, and at the server as soon as there is a network', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    await page.context().setOffline(true)
    await expectVisible(banner(page))
    await button(page, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    await expectVisible(page.getByText('You are signed out here.'))
    expect(demo.authServer.requests.count({ path: '/oauth/logout' })).toBe(0)
    await page.context().setOffline(false)
    await expectEventually(() => demo.authServer.requests.count({ path: '/oauth/logout', status: 303 }), 1)
    await expectHeading(page, 'You are signed out')
    await button(page, 'Sign in').click()
    await signIn(page, 'daan')
  })

  it('at sign-out on a shared computer: the next user is asked who they are, though the page was closed', async () => {
    const page = await demo.openPage()
    const context = page.context()
    await openAndSignIn(page, demo.origin)
    await context.setOffline(true)
    await expectVisible(banner(page))
    await button(page, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    // While a page closes, Chromium ends what Playwright has set, and the page may hear that it is online again.
    await page.goto('about:blank')
    await page.close()
    expect(demo.authServer.requests.count({ path: '/oauth/logout' })).toBe(0)
    await context.setOffline(false)
    const codes = demo.tokenCalls('authorization_code')
    const next = await context.newPage()
    await next.goto(`${demo.origin}/activity`)
    await expectHeading(next, 'You are signed out')
    expect(await addressOf(next)).toBe(`${demo.origin}/activity`)
    expect(demo.authServer.requests.count({ path: '/oauth/logout', status: 303 })).toBe(1)
    expect(demo.tokenCalls('authorization_code')).toBe(codes)
    await button(next, 'Sign in').click()
    await signIn(next, 'daan')
    const later = await context.newPage()
    await later.goto(demo.origin)
    await expectHeading(later, /, Daan$/)
  })
})

describe('offline at sign-in', () => {
  const demo = useDemo({ auth: { autoLogin: false } })

  it('stays on the page, says why, and the same button works when the network is back', async () => {
    const page = await openSignedOut(demo)
    await page.context().setOffline(true)
    await button(page, 'Sign in').click()
    await expectVisible(
      page.getByRole('main').getByRole('alert').getByText('The sign-in page could not be opened'),
    )
    await expectVisible(page.getByText('Code offline'))
    expect(demo.authorizeVisits('redirect')).toBe(0)
    await page.context().setOffline(false)
    await button(page, 'Sign in').click()
    await signIn(page, 'anna')
  })
})
