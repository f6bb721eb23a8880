// The hidden frame cannot work: the user gets in by redirect, and nobody waits long for it.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectHappened } from '../page.ts'
import { button, openAndSignIn, signIn } from '../user.ts'

describe('a server that refuses to be framed', () => {
  const demo = useDemo({ auth: { iframeTimeoutInSeconds: 1, verifyFirstVisit: true, betweenPages: false } })

  it('lets users in by redirect, and so does a reload, which tries the frame once more after the sign-in', async () => {
    demo.expectOnConsole(/Refused to (?:display|frame)|violates|frame/)
    demo.authServer.faults.refuseFraming = 'x-frame-options'
    const page = await demo.openPage()
    await openAndSignIn(page, `${demo.origin}/activity`)
    expect(demo.authorizeVisits('frame')).toBe(1)
    demo.authServer.requests.clear()
    await page.reload()
    await expectHeading(page, 'Activity')
    expect(demo.authorizeVisits('frame')).toBe(1)
    expect(demo.authorizeVisits('redirect')).toBe(1)
    expect(demo.authServer.requests.count({ path: '/oauth/signin/:uid' })).toBe(0)
  })
})

describe('a browser that keeps third-party cookies out of frames', () => {
  const demo = useDemo({ authServerHost: '127.0.0.1', auth: { betweenPages: false } })

  it('signs in by redirect, and a reload ends signed in without the sign-in page', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, `${demo.origin}/activity?x=1`)
    demo.authServer.requests.clear()
    await page.reload()
    await expectHeading(page, 'Activity')
    expect(await page.evaluate(() => location.href)).toBe(`${demo.origin}/activity?x=1`)
    expect(demo.authorizeVisits('redirect')).toBe(1)
    expect(demo.authServer.requests.count({ path: '/oauth/signin/:uid' })).toBe(0)
    // However often in a minute.
    for (let count = 2; count <= 4; count += 1) {
      await page.reload()
      await expectHeading(page, 'Activity')
      await expectEventually(() => demo.authorizeVisits('redirect'), count)
    }
  })

  it('signs in again after each sign-out', async () => {
    const page = await demo.openPage()
    await page.goto(demo.origin)
    for (let count = 1; count <= 5; count += 1) {
      await signIn(page, 'anna')
      await button(page, 'Sign out').click()
      await expectHeading(page, 'You are signed out')
      // A reload finds nobody, and goes to the sign-in page by itself.
      await page.reload()
    }
    await signIn(page, 'anna')
  })
})

describe('a server whose frame loads and says nothing', () => {
  const demo = useDemo({ auth: { autoLogin: false } })

  /** The frame has a minute, and where it has loaded ten seconds: the page's clock lets them pass. */
  async function giveUp(page: Page): Promise<void> {
    await page.clock.install()
    await page.goto(demo.origin)
    const element = await page.waitForSelector('iframe[name=agent-iframe]', { state: 'attached' })
    const frame = await element.contentFrame()
    await frame!.waitForLoadState()
    await page.clock.fastForward(10_000)
    await expectHappened(page, 'agent-iframe timeout')
  }

  it('is given up soon, and signs in with the next reload, once the server is well again', async () => {
    demo.authServer.faults.dropWebMessage = true
    const page = await demo.openPage()
    await giveUp(page)
    await button(page, 'Sign in').click()
    await signIn(page, 'anna')
    // A tab that has seen nothing but the failure.
    const other = await page.context().newPage()
    await page.close()
    await giveUp(other)
    demo.authServer.faults.dropWebMessage = false
    await other.reload()
    await expectHeading(other, /, Anna$/)
  })
})
