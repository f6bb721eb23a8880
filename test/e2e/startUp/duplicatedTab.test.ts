// A tab that is duplicated on its way back from the sign-in page: both have the code and the attempt, and the code is sent once (RFC 6749 §4.1.2).

// @module-tag thorough

import type { BrowserContext, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { addressOf, expectEventually, expectSignedIn } from '../page.ts'
import { pick } from '../user.ts'

const PLACE = '/activity?from=desk%20link&x=1'

const BLANK = '<p>blank</p>'

/** Signs in, and holds the tab at the callback address, where no script of the app has run yet. */
async function stopAtCallback(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${origin}${PLACE}`)
  // The server redirects there, and Playwright's routes see no redirected request.
  const line = await context.newCDPSession(page)
  await line.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/?*code=*` }] })
  line.on('Fetch.requestPaused', ({ requestId }) => {
    const responseHeaders = [{ name: 'content-type', value: 'text/html' }]
    const body = Buffer.from(BLANK).toString('base64')
    void line.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body })
  })
  await pick(page, 'anna')
  await page.getByText('blank').waitFor()
  await line.detach()
  return page
}

/** As "Duplicate tab" does: the same address, and a copy of the session storage. */
async function duplicate(context: BrowserContext, page: Page): Promise<Page> {
  const isCallback = (url: URL) => url.searchParams.has('code')
  await context.route(isCallback, (route) => route.fulfill({ contentType: 'text/html', body: BLANK }))
  const opening = context.waitForEvent('page')
  await page.evaluate(() => void open(location.href))
  const copy = await opening
  await copy.getByText('blank').waitFor()
  await context.unroute(isCallback)
  return copy
}

const stored = async (page: Page) =>
  page.evaluate(() =>
    Object.entries(sessionStorage)
      .filter(([key]) => key.startsWith('latchkey '))
      .toSorted(([one], [other]) => one.localeCompare(other)),
  )

describe.each([
  ['with latchkey/early', true],
  ['without latchkey/early', false],
])('a tab duplicated at the callback address, %s', (_how, hasEarly) => {
  const demo = useDemo({ hasEarly })

  it('sends its code once for both, and both end signed in where the user was', async () => {
    const context = await demo.openBrowser()
    const page = await stopAtCallback(context, demo.origin)
    const copy = await duplicate(context, page)
    const attempts = await stored(page)
    expect(attempts.length).toBeGreaterThan(0)
    expect(await stored(copy)).toEqual(attempts)
    expect(await addressOf(copy)).toBe(await addressOf(page))
    const code = new URL(await addressOf(page)).searchParams.get('code')
    expect(demo.tokenCalls('authorization_code')).toBe(0)

    const codes: string[] = []
    context.on('request', (request) => {
      const { code } = (request.postDataJSON() ?? {}) as { code?: string }
      if (request.method() === 'POST' && code !== undefined) codes.push(code)
    })
    await Promise.all([page.reload(), copy.reload()])
    await Promise.all([expectSignedIn(page), expectSignedIn(copy)])
    for (const tab of [page, copy])
      await expectEventually(async () => addressOf(tab), `${demo.origin}${PLACE}`)
    expect(codes.filter((sent) => sent === code)).toHaveLength(1)
    expect(demo.tokenCalls('authorization_code')).toBe(1)
    expect(demo.tokenCalls('refresh_token')).toBe(0)
  })
})
