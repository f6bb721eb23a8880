// A page whose files take their time: the first script looks for the session meanwhile, and the app has it when it starts.

// @module-tag thorough

import { describe, expect, it } from 'vitest'
import { stopLongTimers } from '../clock.ts'
import { useDemo } from '../fixture.ts'
import { addressOf, expectEventually, expectSignedIn } from '../page.ts'
import { openAndSignIn, pick } from '../user.ts'
import { holdFiles } from '../files/heldFiles.ts'

describe('a page with latchkey/early', () => {
  const demo = useDemo({ hasEarly: true, auth: { betweenPages: false } })

  it('is signed in with nothing left to ask when its files arrive', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    demo.authServer.requests.clear()
    const release = await holdFiles(page)
    await page.goto(`${demo.origin}/activity?x=%20y#end`, { waitUntil: 'commit' })
    await expectEventually(() => demo.tokenCalls('authorization_code'), 1)
    expect(demo.authorizeVisits('frame')).toBe(1)
    await page.waitForFunction(() => document.querySelector('iframe') !== null)
    const before = demo.authServer.requests.all().length
    release()
    await expectSignedIn(page)
    expect(
      demo.authServer.requests
        .all()
        .slice(before)
        .map(({ path }) => path),
    ).not.toContain('/oauth/token')
    expect([demo.authorizeVisits('frame'), demo.tokenCalls('authorization_code')]).toEqual([1, 1])
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?x=%20y#end`)
    await expectEventually(async () => page.locator('iframe[name=agent-iframe]').count(), 0)
    await page.reload()
    await expectSignedIn(page)
    expect(demo.tokenCalls('authorization_code')).toBe(2)
  })

  it('asks no more than without it when its files are quick', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    for (let round = 0; round < 2; round += 1) {
      demo.authServer.requests.clear()
      await page.reload()
      await expectSignedIn(page)
      expect([demo.authorizeVisits('frame'), demo.tokenCalls('authorization_code')]).toEqual([1, 1])
    }
  })

  it('asks nothing beside a signed-in tab', async () => {
    const context = await demo.openBrowser()
    await openAndSignIn(await context.newPage(), demo.origin)
    demo.authServer.requests.clear()
    const second = await context.newPage()
    await stopLongTimers(second)
    await second.goto(demo.origin)
    await expectSignedIn(second)
    expect([demo.authorizeVisits('frame'), demo.tokenCalls('authorization_code')]).toEqual([0, 0])
  })

  it('has its tokens before its files when it comes back from the sign-in page', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity?deep=%20link&state=open#end`)
    const release = await holdFiles(page)
    await pick(page, 'anna')
    await expectEventually(() => demo.tokenCalls('authorization_code'), 1)
    expect(await addressOf(page)).not.toContain('code=')
    release()
    await expectSignedIn(page)
    expect([demo.authorizeVisits('frame'), demo.tokenCalls('authorization_code')]).toEqual([1, 1])
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?deep=%20link&state=open#end`)
  })

  it('is signed in all the same when it is reloaded before its files have come', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity?deep=%20link#end`)
    const release = await holdFiles(page)
    await pick(page, 'anna')
    await expectEventually(() => demo.tokenCalls('authorization_code'), 1)
    const reloading = page.reload({ waitUntil: 'commit' })
    release()
    await reloading
    await expectSignedIn(page)
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?deep=%20link#end`)
  })

  it('shows what is wrong when the server is down, and is signed in once it is back', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    const mend = demo.authServer.faults.add({ path: '/oauth/token', status: 503 })
    const release = await holdFiles(page)
    await page.goto(demo.origin, { waitUntil: 'commit' })
    await expectEventually(() => demo.tokenCalls('authorization_code') > 0, true)
    release()
    await page.getByRole('alert').first().waitFor()
    mend()
    // By itself.
    await expectSignedIn(page)
  })
})

describe('a page with latchkey/early whose policy forbids the frame', () => {
  const demo = useDemo({
    hasEarly: true,
    contentSecurityPolicy:
      "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src http:; frame-src 'none'",
  })

  it('signs in by the sign-in page all the same', async () => {
    demo.expectOnConsole(/Content Security Policy|violates the policy: (frame-src|script-src-elem) /)
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity`)
    await pick(page, 'anna')
    await expectSignedIn(page)
    expect(await addressOf(page)).toBe(`${demo.origin}/activity`)
  })
})
