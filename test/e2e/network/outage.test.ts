// The server is down, slow or talks nonsense at each step of a sign-in: the user sees why and what to do, at the same place.

// @module-tag thorough

import { describe, expect, it } from 'vitest'
import { stopLongTimers } from '../clock.ts'
import { useDemo } from '../fixture.ts'
import { addressOf, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { button, openAndSignIn, pick, signIn } from '../user.ts'

const PLACE = '/activity?x=1#y'

describe('the token endpoint', () => {
  const demo = useDemo()

  it.each([
    ['cuts the connection before its answer', { reset: 'before-answer' }],
    ['cuts the connection in the middle of its answer', { reset: 'mid-body' }],
  ] as const)('%s once: the user is signed in all the same', async (_what, fault) => {
    demo.authServer.faults.add({ path: '/oauth/token', method: 'POST', times: 1, ...fault })
    const page = await demo.openPage()
    await page.goto(demo.origin + PLACE)
    await signIn(page, 'anna')
    expect(await addressOf(page)).toBe(demo.origin + PLACE)
    expect(demo.authorizeVisits('redirect')).toBe(1)
    expect(demo.authServer.counts.reuseDetected).toBe(0)
  })

  it('is unreachable: the user reads why, and one click goes on when it is back', async () => {
    const mend = demo.authServer.faults.add({ path: '/oauth/token', method: 'POST', reset: 'before-answer' })
    const page = await demo.openPage()
    // The click goes on, not the page by itself.
    await stopLongTimers(page)
    await page.goto(demo.origin + PLACE)
    await pick(page, 'anna')
    await expectHeading(page, 'We could not sign you in')
    await expectVisible(page.getByRole('alert').getByText('The server could not be reached.'))
    expect(await addressOf(page)).toBe(demo.origin + PLACE)
    expect(demo.authorizeVisits('redirect')).toBe(1)
    mend()
    await button(page, 'Try again').click()
    await expectSignedIn(page)
    expect(await addressOf(page)).toBe(demo.origin + PLACE)
  })
})

describe('the sign-in page', () => {
  const demo = useDemo({ auth: { autoLogin: false } })

  it('is down: the app is there again after going back, and signs in when the server is back', async () => {
    const page = await demo.openPage()
    await page.goto(demo.origin + PLACE)
    await expectHeading(page, 'Sign in to Deskwell')
    const mend = demo.authServer.faults.add({ path: '/oauth/authorize', status: 503, body: 'html' })
    await button(page, 'Sign in').click()
    await page.waitForURL(/\/oauth\/authorize/)
    mend()
    await page.goBack()
    await button(page, 'Sign in').click()
    await signIn(page, 'anna')
    expect(await addressOf(page)).toBe(demo.origin + PLACE)
  })
})

describe('the user info', () => {
  const demo = useDemo()

  it('is down: its card says so, the rest of the page stays, one click reads it again', async () => {
    const page = await demo.openPage()
    // Signed in first: before it leaves for the sign-in page, the app asks this address whether the server is there.
    await openAndSignIn(page, demo.origin)
    const mend = demo.authServer.faults.add({ path: '/api/userinfo', method: 'GET', status: 503 })
    await page.reload()
    const card = page.getByRole('region', { name: 'User info' })
    await expectVisible(card.getByText('The user info could not be read'))
    await expectVisible(card.getByText('Code unexpected-status, status 503'))
    await expectVisible(page.getByRole('timer', { name: 'Token expires in' }))
    mend()
    await card.getByRole('button', { name: 'Read the user info again' }).click()
    await expectVisible(card.getByText('anna@noorderlicht.example'))
  })
})

describe('the server answers wrongly', () => {
  const demo = useDemo()

  it('leaves an answer with a state of somebody else alone', async () => {
    const page = await demo.openPage()
    await page.goto(demo.origin)
    await expectVisible(page.locator('button[value="anna"]'))
    demo.authServer.faults.wrongState = true
    demo.authServer.requests.clear()
    // The page has come back, and nothing of it has run yet: the next answer is right.
    await page.route(`${demo.origin}/app-config.js`, async (route) => {
      demo.authServer.faults.wrongState = false
      await route.continue()
    })
    const answered = page.waitForURL(/[?&]code=/, { waitUntil: 'commit' })
    await pick(page, 'anna')
    await answered
    await expectSignedIn(page)
    expect(demo.authServer.requests.matching({ path: '/oauth/token', status: 400 })).toEqual([])
  })
})
