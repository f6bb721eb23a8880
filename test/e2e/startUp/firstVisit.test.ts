// A browser that never had a session, in an app that does not look for one first (`verifyFirstVisit: false`): straight to the sign-in page, and in.
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { addressOf, expectSignedIn } from '../page.ts'
import { openAndSignIn, signIn } from '../user.ts'

const auth = { verifyFirstVisit: false }
const visits = (demo: ReturnType<typeof useDemo>) => [
  demo.authorizeVisits('frame'),
  demo.authorizeVisits('redirect'),
]

describe('a first visit that is not verified', () => {
  const demo = useDemo({ auth })

  it('is a sign-in without a frame; the reload after it is one frame without a redirect', async () => {
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity?x=%20y#end`)
    await signIn(page, 'anna')
    await expectSignedIn(page)
    expect(visits(demo)).toEqual([0, 1])
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?x=%20y#end`)
    demo.authServer.requests.clear()
    await page.reload()
    await expectSignedIn(page)
    expect(visits(demo)).toEqual([1, 0])
  })

  it('lets whoever has a session at the server in without a question', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    await page.evaluate(() => localStorage.clear())
    await page.goto('about:blank')
    demo.authServer.requests.clear()
    await page.goto(`${demo.origin}/activity?x=%20y#end`)
    await expectSignedIn(page)
    expect(visits(demo)).toEqual([0, 1])
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?x=%20y#end`)
  })
})

describe('with latchkey/early, which has asked already,', () => {
  const demo = useDemo({ auth, hasEarly: true })

  it('the session that was found is taken over, and nobody is sent anywhere', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    await page.evaluate(() => localStorage.clear())
    await page.goto('about:blank')
    demo.authServer.requests.clear()
    await page.goto(demo.origin)
    await expectSignedIn(page)
    expect(visits(demo)).toEqual([1, 0])
  })
})
