// Staying signed in: reloads, and renewal on a clock that the test moves on.
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { expectRenewalInTime, openWithClock } from '../clock.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { button, comeBack, openSignedIn, pick } from '../user.ts'
import { closeBy, openPopup } from '../popups/popup.ts'

const RENEWED = 'The token could not be renewed'

/** Marks the page's own heading: it is the same element as long as nothing was taken down. */
async function markHeading(page: Page): Promise<() => Promise<boolean>> {
  await page.locator('h1').evaluate((element) => element.setAttribute('data-marked', ''))
  return async () => page.locator('h1[data-marked]').isVisible()
}

describe('the next visit', () => {
  const demo = useDemo()

  it('ends signed in after two calls and no page of the server', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/activity?x=1#y`)
    // The first page has read the user info, too.
    await expectVisible(page.locator('.account').getByText('Anna de Vries').first())
    demo.authServer.requests.clear()
    await comeBack(page)
    await expectHeading(page, 'Activity')
    await expectEventually(() => demo.authServer.requests.count({ method: 'GET', path: '/api/userinfo' }), 1)
    const called = demo.authServer.requests
      .all()
      .filter(({ method }) => method !== 'OPTIONS')
      .map(({ method, path, prompt }) => [method, path, prompt].filter(Boolean).join(' '))
    expect(called).toEqual(['GET /oauth/authorize none', 'POST /oauth/token', 'GET /api/userinfo'])
  })
})

describe('renewal', () => {
  // A frame has found the session: its word that nobody is signed in ends one at once.
  const demo = useDemo({ accessTokenLifetimeSeconds: 90, auth: { verifyFirstVisit: true } })

  it('comes by itself 30 seconds before expiry, and nothing on the page is taken down', async () => {
    const page = await demo.openPage()
    await openWithClock(page, demo.origin)
    const isMarked = await markHeading(page)
    await expectRenewalInTime(page, demo)
    expect(await isMarked()).toBe(true)
    await page.clock.fastForward(61_000)
    await expectVisible(page.getByText('2 in this tab'))
    expect(demo.tokenCalls('refresh_token')).toBe(2)
    expect(demo.authServer.counts.reuseDetected).toBe(0)
  })

  it(
    'says why it failed when the server is down, keeps the session, and works again afterwards',
    { tags: ['thorough'] },
    async () => {
      const page = await demo.openPage()
      await openSignedIn(page, demo.origin)
      const mend = demo.authServer.faults.add({ path: '/oauth/token', grant: 'refresh_token', status: 503 })
      await button(page, 'Renew now').click()
      const alert = page.getByRole('main').getByRole('alert')
      await expectVisible(alert.getByText(RENEWED))
      await expectVisible(alert.getByText('Code unexpected-status, status 503'))
      mend()
      await button(page, 'Renew now').click()
      await expectVisible(page.getByText('1 in this tab'))
      await alert.waitFor({ state: 'hidden' })
    },
  )

  it('tries again by itself when the server was down for a while', { tags: ['thorough'] }, async () => {
    demo.authServer.faults.add({ path: '/oauth/token', grant: 'refresh_token', status: 503, times: 2 })
    const page = await demo.openPage()
    await openWithClock(page, demo.origin)
    await page.clock.fastForward(61_000)
    // The pauses are 1 and then 2 seconds, and pass by themselves.
    await expectVisible(page.getByText('1 in this tab'))
    expect(demo.tokenCalls('refresh_token')).toBe(3)
    await expectSignedIn(page)
  })

  it(
    'asks for the server’s own session when the refresh token is refused, without leaving the page',
    { tags: ['thorough'] },
    async () => {
      const page = await demo.openPage()
      await openSignedIn(page, demo.origin)
      const isMarked = await markHeading(page)
      demo.authServer.faults.failNextRefreshes = 1
      demo.authServer.requests.clear()
      await button(page, 'Renew now').click()
      await expectVisible(page.getByText('1 in this tab'))
      expect(demo.authorizeVisits('frame')).toBe(1)
      expect(demo.authorizeVisits('redirect')).toBe(0)
      expect(await isMarked()).toBe(true)
    },
  )

  it('tells that the session has ended when the server ended it, and comes back to the same place', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/?tab=2#there`)
    // Whatever the page asks for after that would find out by itself.
    await expectHeading(page, /, Anna$/)
    demo.authServer.revokeAllSessions()
    await button(page, 'Renew now').click()
    const dialog = page.getByRole('dialog', { name: 'Your session ended' })
    expect(await page.evaluate(() => location.href)).toBe(`${demo.origin}/?tab=2#there`)
    const popup = await openPopup(page, dialog.getByRole('button', { name: 'Sign in' }))
    await closeBy(popup, () => pick(popup, 'anna'))
    await dialog.waitFor({ state: 'detached' })
    await expectHeading(page, /, Anna$/)
    expect(await page.evaluate(() => location.href)).toBe(`${demo.origin}/?tab=2#there`)
  })
})

describe('renewal on demand', () => {
  const demo = useDemo({ accessTokenLifetimeSeconds: 90, auth: { autoRefreshToken: false } })

  it(
    'renews before the next call once the token is within 30 seconds of its end',
    { tags: ['thorough'] },
    async () => {
      const page = await demo.openPage()
      await openWithClock(page, demo.origin)
      await page.clock.fastForward(65_000)
      await expectVisible(page.getByText('renewal is due'))
      expect(demo.tokenCalls('refresh_token')).toBe(0)
      await page.getByRole('button', { name: 'Read the user info again' }).click()
      await expectVisible(page.getByText('1 in this tab'))
      await expectEventually(
        () => demo.authServer.requests.count({ method: 'GET', path: '/api/userinfo', status: 200 }),
        2,
      )
      expect(demo.tokenCalls('refresh_token')).toBe(1)
    },
  )

  it('renews once and repeats once when a call is answered with 401', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, demo.origin)
    await expectVisible(page.getByText('anna@noorderlicht.example'))
    demo.authServer.expireAllTokens()
    demo.authServer.requests.clear()
    await page.getByRole('button', { name: 'Read the user info again' }).click()
    await expectVisible(page.getByText('1 in this tab'))
    const answers = () =>
      demo.authServer.requests.matching({ method: 'GET', path: '/api/userinfo' }).map(({ status }) => status)
    await expectEventually(answers, [401, 200])
    expect(demo.tokenCalls('refresh_token')).toBe(1)
  })
})
