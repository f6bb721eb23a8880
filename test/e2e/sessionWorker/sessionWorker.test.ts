// The session worker in real Chromium: a reload is signed in without the server, also where its cookies are blocked in frames.
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { SESSION_WORKER_WAIT_MS } from '../../../src/sessionConstants.ts'
import { authOf } from '../authOf.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectSignedIn } from '../page.ts'
import { openAndSignIn } from '../user.ts'

const stepsOf = async (page: Page) =>
  (await authOf(page)).evaluate((auth) => auth.explain().map(({ step, detail }) => `${step}: ${detail}`))
/** A page that goes while its session is still being sealed leaves nothing. */
const untilSealed = (page: Page) =>
  expectEventually(async () => (await stepsOf(page)).includes('session for the next page: sealed'), true)
/** A busy machine needs longer than a page waits for the worker; here the page waits as long as that takes. */
const waitForTheWorker = (page: Page) =>
  page.addInitScript((waitMs) => {
    const setOwn = globalThis.setTimeout
    const setLonger = (work: () => void, delayMs?: number, ...given: unknown[]) =>
      setOwn(work, delayMs === waitMs ? 20_000 : delayMs, ...given)
    globalThis.setTimeout = setLonger as typeof setTimeout
  }, SESSION_WORKER_WAIT_MS)

describe.each([
  ['on the same site', 'localhost'],
  ['where the browser keeps the server’s cookies out of frames', '127.0.0.1'],
] as const)('a reload, %s', (_where, authServerHost) => {
  const demo = useDemo({ hasSessionWorker: true, authServerHost })

  it('is signed in with 0 requests to the server and 0 navigations but its own', async () => {
    // The worker outlives its pages for half a minute: a browser that is closed after the test need not wait for its end.
    const page = await (await demo.openBrowser()).newPage()
    await waitForTheWorker(page)
    await openAndSignIn(page, demo.origin)
    await untilSealed(page)
    for (let count = 0; count < 3; count += 1) {
      demo.authServer.requests.clear()
      await page.reload()
      await expectSignedIn(page)
      expect(page.url()).toBe(`${demo.origin}/`)
      const said = (await stepsOf(page)).find((step) => step.startsWith('session worker: '))
      await untilSealed(page)
      expect(said).toBe('session worker: has the session of the page before')
      const asked = demo.authServer.requests.matching({}).map(({ path }) => path)
      expect(asked.filter((path) => path.startsWith('/oauth/'))).toEqual([])
    }
  })
})
