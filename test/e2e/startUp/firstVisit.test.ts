// A browser that never had a session is sent straight to the sign-in page, and in, without the hidden frame.
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { type TestDemo, useDemo } from '../fixture.ts'
import { addressOf, expectSignedIn } from '../page.ts'
import { comeBack, openAndSignIn, signIn } from '../user.ts'

const visits = (demo: TestDemo) => [demo.authorizeVisits('frame'), demo.authorizeVisits('redirect')]

/** An empty page of a browser that the server knows, and that remembers nothing of the app. */
async function openForgotten(demo: TestDemo): Promise<Page> {
  const page = await demo.openPage()
  await openAndSignIn(page, demo.origin)
  // Not in the app: a page that runs puts back what says that it has a session.
  const empty = `${demo.origin}/empty`
  await page.route(empty, async (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto(empty)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.goto('about:blank')
  demo.authServer.requests.clear()
  return page
}

describe('a first visit', () => {
  const demo = useDemo()

  it('is a sign-in without a frame; the next one is one frame without a redirect', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity?x=%20y#end`)
    await signIn(page, 'anna')
    await expectSignedIn(page)
    expect(visits(demo)).toEqual([0, 1])
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?x=%20y#end`)
    demo.authServer.requests.clear()
    await comeBack(page)
    await expectSignedIn(page)
    expect(visits(demo)).toEqual([1, 0])
  })

  it('lets whoever has a session at the server in without a question', async () => {
    const page = await openForgotten(demo)
    await page.goto(`${demo.origin}/activity?x=%20y#end`)
    await expectSignedIn(page)
    expect(visits(demo)).toEqual([0, 1])
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?x=%20y#end`)
  })
})

describe('with latchkey/early, which has asked already,', { tags: ['thorough'] }, () => {
  const demo = useDemo({ hasEarly: true })

  it('the session that was found is taken over, and nobody is sent anywhere', async () => {
    const page = await openForgotten(demo)
    await page.goto(demo.origin)
    await expectSignedIn(page)
    expect(visits(demo)).toEqual([1, 0])
  })
})
