// The first script of the page, inline under a policy that allows it by its hash: what the scripts after it see; and popups of ours that come back (W2; T27).
import type { BrowserContext } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildEarlyScript, type EarlyScript } from '../../scripts/earlyScript.ts'
import {
  addressOf,
  expectEventually,
  expectHeading,
  expectSignedIn,
  openSignedIn,
  pick,
  useDemo,
} from './fixture.ts'

const PLACE = '/activity?from=desk%20link&x=1'
let early: EarlyScript

beforeAll(async () => {
  early = await buildEarlyScript()
})

/** A script as analytics would be: it keeps every address that it sees from its first moment on. */
const NOSY = `
  window.seen = [location.href]
  addEventListener('popstate', () => window.seen.push(location.href))
  new PerformanceObserver(() => window.seen.push(location.href)).observe({ type: 'resource' })`

/** Puts the first script and a nosy one into every page of the app, under a policy with nothing but their hashes. */
async function withInlineScripts(
  context: BrowserContext,
  origin: string,
  hash: string,
  first: string,
): Promise<void> {
  const nosy = await import('node:crypto').then(({ createHash }) =>
    createHash('sha256').update(NOSY).digest('base64'),
  )
  await context.route(
    (url) => url.origin === origin && !/\.\w+$/.test(url.pathname),
    async (route) => {
      if (!route.request().isNavigationRequest()) return route.fallback()
      const response = await route.fetch()
      const headers = { ...response.headers() }
      headers['content-security-policy'] = (headers['content-security-policy'] ?? '').replace(
        "script-src 'self'",
        `script-src 'self' ${hash} 'sha256-${nosy}'`,
      )
      const body = (await response.text()).replace(
        '<head>',
        `<head><script>${first}</script><script>${NOSY}</script>`,
      )
      return route.fulfill({ response, headers, body })
    },
  )
}

describe('latchkey/early inline under a policy', () => {
  const demo = useDemo({ environments: true })

  it('runs by its hash, and no script after it ever sees code, state or token', async () => {
    const context = await demo.openBrowser()
    await withInlineScripts(context, demo.origin, early.hash, early.text)
    const page = await context.newPage()
    await page.goto(`${demo.environments.desk.origin}/right`)
    await expectSignedIn(page)
    await expectHeading(page, 'Activity')
    const seen = async () => page.evaluate(() => (window as never as { seen: string[] }).seen)
    expect((await seen()).filter((address) => /token|code|state/.test(address))).toEqual([])
    expect(await addressOf(page)).toBe(`${demo.origin}${PLACE}#steps`)

    const fresh = await demo.openBrowser()
    await withInlineScripts(fresh, demo.origin, early.hash, early.text)
    const second = await fresh.newPage()
    await second.goto(`${demo.origin}/activity?deep=%20link`)
    await pick(second, 'anna')
    await expectSignedIn(second)
    const addresses = await second.evaluate(() => (window as never as { seen: string[] }).seen)
    expect(addresses.length).toBeGreaterThan(0)
    expect(addresses.filter((address) => /[?&](?:code|state|iss)=/.test(address))).toEqual([])
    expect(await addressOf(second)).toBe(`${demo.origin}/activity?deep=%20link`)
  })

  it('is refused by a policy with another hash, and the app signs in all the same', async () => {
    demo.expectOnConsole(/Content Security Policy/)
    const context = await demo.openBrowser()
    const wrong = "'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='"
    await withInlineScripts(context, demo.origin, wrong, early.text)
    const page = await context.newPage()
    await page.goto(`${demo.environments.desk.origin}/right`)
    await expectSignedIn(page)
    expect(await addressOf(page)).toBe(`${demo.origin}${PLACE}#steps`)
  })
})

describe('a popup of ours that comes back to the app', () => {
  const demo = useDemo()

  it('closes, starts no second session, and leaves the page as it was', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, demo.origin)
    demo.authServer.requests.clear()
    const opening = page.waitForEvent('popup')
    await page.evaluate(
      (address) => void window.open(address, 'latchkey-demo-admin-link', 'popup,width=400'),
      `${demo.origin}/activity`,
    )
    const popup = await opening
    await expectEventually(() => popup.isClosed(), true)
    expect(demo.authServer.requests.count({ path: '/oauth/authorize' })).toBe(0)
    expect(demo.authServer.requests.count({ path: '/oauth/token' })).toBe(0)
    await expectSignedIn(page)
  })

  it('is no rule for other windows: a tab that the app opens itself is signed in', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, demo.origin)
    const opening = page.waitForEvent('popup')
    await page.evaluate((address) => void window.open(address, 'report'), `${demo.origin}/activity`)
    await expectSignedIn(await opening)
  })
})
