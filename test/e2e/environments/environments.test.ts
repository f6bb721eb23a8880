// A user of the other environment signs in at the wrong one and ends where they belong, signed in, at the same place.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { addressOf, expectHeading, expectSignedIn } from '../page.ts'
import { goOnElsewhere, pick, signIn } from '../user.ts'
import { strictPolicy } from '../policy/policy.ts'

describe('a user of the other environment', () => {
  const demo = useDemo({ environments: true, contentSecurityPolicy: strictPolicy() })
  const elsewhere = () => demo.origin.replace('localhost', '127.0.0.1')
  const arrivedAt = (page: Page) => new URL(page.url()).searchParams.get('redirect')

  it('arrives there signed in, at the place they had asked for, byte for byte', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity?x=%20a+b#here`)
    await pick(page, 'frank')
    // On one computer the address cannot be moved, and no server rewrites it: the user goes on by a click.
    await page.getByRole('heading', { name: 'You are signed in here' }).waitFor()
    expect(arrivedAt(page)).toBe(`${demo.origin}/activity?x=%20a+b#here`)
    await goOnElsewhere(page)
    await page.waitForURL(`${elsewhere()}/activity?x=%20a+b#here`)
    await expectSignedIn(page)
    await expectHeading(page, 'Activity')
    await page.getByText('Frank Miller').first().waitFor()
    expect(demo.authServer.requests.count({ path: '/oauth/logout' })).toBeGreaterThanOrEqual(1)
    expect(demo.environments.us.requests.count({ path: '/oauth/passthrough' })).toBe(1)
  })

  it('is taken there once: whoever comes back stays, and Activity says why', async () => {
    const page = await demo.openPage()
    await page.goto(demo.origin)
    await pick(page, 'frank')
    await goOnElsewhere(page)
    await page.waitForURL(`${elsewhere()}/`)
    await expectSignedIn(page)
    await page.goto(`${demo.origin}/activity`)
    await pick(page, 'frank')
    await expectSignedIn(page)
    await page.getByText('it was tried before in this browser session').waitFor()
    expect(await addressOf(page)).toBe(`${demo.origin}/activity`)
  })

  it('stays, signed in, when the file is anything but the file', { tags: ['thorough'] }, async () => {
    for (const answer of [
      { status: 503, text: '<h1>down</h1>', contentType: 'text/html' },
      { text: '{"environments":[' },
      { text: JSON.stringify({ topLevelDomains: [], environments: [], environmentVariables: {} }) },
    ]) {
      demo.environments.redirections.answerWith(answer)
      const page = await demo.openPage()
      await page.goto(`${demo.origin}/activity`)
      await signIn(page, 'frank')
      await page.getByText('The redirections file got an unexpected answer').waitFor()
      expect(await addressOf(page)).toBe(`${demo.origin}/activity`)
    }
    demo.environments.redirections.answerWith(undefined)
  })

  it('is not held up by a file that never comes', async () => {
    demo.environments.redirections.answerWith({ hang: true })
    const page = await demo.openPage()
    await page.goto(demo.origin)
    await signIn(page, 'frank')
    await expectHeading(page, /, Frank$/)
    demo.environments.redirections.answerWith(undefined)
  })

  it('is the only one: a user of this environment stays', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity`)
    await signIn(page, 'anna')
    await page.getByText('no rule matches this user').waitFor()
    expect(await addressOf(page)).toBe(`${demo.origin}/activity`)
  })
})
