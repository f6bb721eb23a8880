// Staying signed in: reloads, and renewal on a clock that the test moves on.
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { expectRenewalInTime, openWithClock } from '../clock.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectVisible } from '../page.ts'
import { button, comeBack, openSignedIn } from '../user.ts'

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
    'asks for the server’s own session when the refresh token is refused, without leaving the page',
    { tags: ['thorough'] },
    async () => {
      const page = await demo.openPage()
      await openSignedIn(page, demo.origin)
      const isMarked = await markHeading(page)
      demo.authServer.faults.add({
        path: '/oauth/token',
        grant: 'refresh_token',
        times: 1,
        status: 400,
        body: { text: '{"error":"invalid_grant"}' },
      })
      demo.authServer.requests.clear()
      await button(page, 'Renew now').click()
      await expectVisible(page.getByText('1 in this tab'))
      expect(demo.authorizeVisits('frame')).toBe(1)
      expect(demo.authorizeVisits('redirect')).toBe(0)
      expect(await isMarked()).toBe(true)
    },
  )
})
