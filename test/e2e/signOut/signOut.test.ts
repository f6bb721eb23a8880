// Signing out: here first, then at the server, whatever becomes of the server.
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { addressOf, expectEventually, expectHeading, expectVisible } from '../page.ts'
import { button, openSignedIn, pick, signIn } from '../user.ts'

describe('signing out', () => {
  const demo = useDemo()

  it('ends the session here and at the server, stays at the place, and does not sign in by itself', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/?keep=1#place`)
    demo.authServer.requests.clear()
    await button(page, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    expect([demo.authorizeVisits('redirect'), demo.authorizeVisits('frame')]).toEqual([0, 0])
    expect(await addressOf(page)).toBe(`${demo.origin}/?keep=1#place`)
    const [logout] = demo.authServer.requests.matching({ path: '/oauth/logout' })
    expect(logout?.queryNames.toSorted()).toEqual(['client_id', 'force', 'post_logout_redirect_uri', 'state'])
    await button(page, 'Sign in').click()
    await signIn(page, 'bram')
    await expectHeading(page, /, Bram$/)
  })

  it('shows nothing of the session when the user goes back afterwards', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/activity`)
    await page.getByRole('link', { name: 'Home' }).click()
    await expectHeading(page, /, Anna$/)
    await button(page, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    await page.goBack()
    await expectEventually(async () => page.getByText('anna@noorderlicht.example').count(), 0)
    await expect.poll(() => page.locator('h1').innerText()).not.toContain('Anna')
  })

  it('has ended the session here even when the server is down', { tags: ['thorough'] }, async () => {
    const page = await demo.openPage()
    await openSignedIn(page, demo.origin)
    demo.authServer.faults.add({ path: '/oauth/logout', status: 503, body: 'html' })
    await button(page, 'Sign out').click()
    await expectEventually(() => demo.authServer.requests.count({ path: '/oauth/logout', status: 503 }), 1)
    await page.waitForURL(/\/oauth\/logout/)
    expect(await page.getByText('anna@noorderlicht.example').count()).toBe(0)
    demo.authServer.revokeAllSessions()
    await page.goto(demo.origin)
    // Nobody knows whether the server has heard of it, so nothing signs in by itself.
    await expectVisible(page.getByRole('main').getByText('the server has not confirmed it'))
    await button(page, 'Sign in').click()
    await pick(page, 'chiara')
    await expectHeading(page, /, Chiara$/)
  })
})
