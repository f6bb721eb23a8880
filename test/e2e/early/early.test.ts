// The first script of the page, inline under a policy that allows it by its hash: what the scripts after it see; and popups of ours that come back.
import { createHash } from 'node:crypto'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { buildEarlyScript } from '../../../scripts/earlyScript.ts'
import { useDemo } from '../fixture.ts'
import { addressOf, expectEventually, expectHeading, expectSignedIn } from '../page.ts'
import { openAndSignIn, pick } from '../user.ts'

const PLACE = '/activity?from=desk%20link&x=1'
const early = await buildEarlyScript()

/** A script as analytics would be: it keeps every address that it sees from its first moment on, on every page of the tab. */
const NOSY = `{
  const keep = () => {
    const seen = JSON.parse(sessionStorage.getItem('nosy') ?? '[]')
    sessionStorage.setItem('nosy', JSON.stringify([...seen, location.href]))
  }
  keep()
  addEventListener('popstate', keep)
  new PerformanceObserver(keep).observe({ type: 'resource' })
}`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policy = (...hashes: string[]) =>
  `default-src 'none'; script-src 'self' ${hashes.join(' ')}; style-src 'self' 'unsafe-inline'; img-src data:; connect-src http:; frame-src http:`
const head = `<script>${early.text}</script><script>${NOSY}</script>`
const seenBy = async (page: Page) =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('nosy') ?? '[]') as string[])

describe('latchkey/early inline under a policy that allows it by its hash', () => {
  const demo = useDemo({ environments: true, head, contentSecurityPolicy: policy(early.hash, hashOf(NOSY)) })

  it('leaves no token for the scripts after it', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.environments.desk.origin}/right`)
    await expectSignedIn(page)
    await expectHeading(page, 'Activity')
    const seen = await seenBy(page)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.filter((address) => address.includes('eyJ'))).toEqual([])
    expect(await addressOf(page)).toBe(`${demo.origin}${PLACE}#steps`)
    // Signed in, tokens that come to nothing leave the address too.
    await page.goto(`${demo.environments.desk.origin}/two`)
    await expectSignedIn(page)
    expect((await seenBy(page)).filter((address) => address.includes('eyJ'))).toEqual([])
    expect(await addressOf(page)).toBe(`${demo.origin}${PLACE}#steps`)
  })

  it('leaves no code or state, and the deep link comes back', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity?deep=%20link`)
    await pick(page, 'anna')
    await expectSignedIn(page)
    const seen = await seenBy(page)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.filter((address) => /[?&](?:code|state|iss)=/.test(address))).toEqual([])
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?deep=%20link`)
  })
})

describe('latchkey/early inline under a policy with another hash', { tags: ['thorough'] }, () => {
  const demo = useDemo({ environments: true, head, contentSecurityPolicy: policy(hashOf(NOSY)) })

  it('does not run, and the app signs in all the same', async () => {
    demo.expectOnConsole(/Content Security Policy|violates the policy: (frame-src|script-src-elem) /)
    const page = await demo.openPage()
    await page.goto(`${demo.environments.desk.origin}/right`)
    await expectSignedIn(page)
    expect(await addressOf(page)).toBe(`${demo.origin}${PLACE}#steps`)
    // What the tests above are spared: without it the token is there to be read.
    expect((await seenBy(page)).filter((address) => address.includes('eyJ'))).not.toEqual([])
  })
})

describe('a popup of ours that comes back to the app', () => {
  const demo = useDemo()

  it('closes, starts no second session, and leaves the page as it was; a tab that the app opens itself is signed in', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    demo.authServer.requests.clear()
    const opening = page.waitForEvent('popup')
    await page.evaluate(
      (address) => void window.open(address, 'latchkey demo popup link', 'popup,width=400'),
      `${demo.origin}/activity`,
    )
    const popup = await opening
    await expectEventually(() => popup.isClosed(), true)
    expect(demo.authServer.requests.count({ path: '/oauth/authorize' })).toBe(0)
    expect(demo.authServer.requests.count({ path: '/oauth/token' })).toBe(0)
    await expectSignedIn(page)
    const tab = page.waitForEvent('popup')
    await page.evaluate((address) => void window.open(address, 'report'), `${demo.origin}/activity`)
    await expectSignedIn(await tab)
  })
})
