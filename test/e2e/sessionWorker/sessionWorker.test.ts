// The session worker in real Chromium: a reload is signed in without the server, also where its cookies are blocked in frames.
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { authOf } from '../authOf.ts'
import { expectEventually, expectSignedIn, openAndSignIn, useDemo } from '../fixture.ts'

const stepsOf = async (page: Page) =>
  (await authOf(page)).evaluate((auth) => auth.explain().map(({ step, detail }) => `${step}: ${detail}`))
/** A page that goes while its session is still being sealed leaves nothing. */
const untilSealed = (page: Page) =>
  expectEventually(async () => (await stepsOf(page)).includes('session for the next page: sealed'), true)

describe.each([
  ['on the same site', 'localhost'],
  ['where the browser keeps the server’s cookies out of frames', '127.0.0.1'],
] as const)('a reload, %s', (_where, authServerHost) => {
  const demo = useDemo({ hasSessionWorker: true, authServerHost })

  it('is signed in with 0 requests to the server and 0 navigations but its own', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    await untilSealed(page)
    let takenCount = 0
    for (let count = 0; count < 12 && takenCount < 3; count += 1) {
      demo.authServer.requests.clear()
      await page.reload()
      await expectSignedIn(page)
      expect(page.url()).toBe(`${demo.origin}/`)
      const said = (await stepsOf(page)).find((step) => step.startsWith('session worker: '))
      await untilSealed(page)
      // A busy machine may need longer than the 150 ms that are waited: then the server is asked as ever, where its
      // cookies are kept out of frames by a redirect, after which there was nothing to take.
      if (said === undefined || said === 'session worker: it did not respond in time') continue
      expect(said).toBe('session worker: has the session of the page before')
      takenCount += 1
      const asked = demo.authServer.requests.matching({}).map(({ path }) => path)
      expect(asked.filter((path) => path.startsWith('/oauth/'))).toEqual([])
    }
    expect(takenCount).toBe(3)
  })
})
