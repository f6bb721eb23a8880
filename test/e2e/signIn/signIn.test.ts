// Signing in on the demo's real authorization server, from nothing to the app, and everything that can get in between.
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { addressOf, expectEventually, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { button, openAndSignIn, openSignedOut, pick, signIn } from '../user.ts'

describe('a cold sign-in', () => {
  const demo = useDemo()

  it('takes one click on the sign-in page, sends the code once under StrictMode, and shows who is signed in', async () => {
    const page = await demo.openPage()
    await page.goto(demo.origin)
    await signIn(page, 'anna')
    await expectHeading(page, /, Anna$/)
    const main = page.getByRole('main')
    await expectVisible(main.getByText('firm-noorderlicht'))
    await expectVisible(main.getByText('anna@noorderlicht.example'))
    await expectVisible(page.getByRole('timer', { name: 'Token expires in' }))
    expect(demo.authorizeVisits('frame')).toBe(0)
    expect(demo.authorizeVisits('redirect')).toBe(1)
    expect(demo.tokenCalls('authorization_code')).toBe(1)
    expect(demo.authServer.counts.reuseDetected).toBe(0)
    expect(demo.authServer.requests.count({ path: '/api/userinfo', status: 200, method: 'GET' })).toBe(1)
  })

  it.each([
    ['an unknown place with every odd byte', '/no%2Fwhere/%E4%BD%A0/a+b/~?x=%7Ea&&=&%3D#/h%C3%A4?state=zz'],
    ['names of ours that are not ours', '/?code=mine&token=abc&error=none#access_token=kept'],
  ])('comes back to %s byte for byte', { tags: ['thorough'] }, async (_what, place) => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin + place)
    expect(await addressOf(page)).toBe(demo.origin + place)
    expect(await page.evaluate(() => history.state as unknown)).toBe(null)
  })

  it('signs in a colleague of another firm and shows that firm', { tags: ['thorough'] }, async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin, 'elif')
    await expectVisible(page.getByRole('banner').getByText('Maas & Vogel Lawyers'))
  })

  it('shows who is acting for whom in an impersonated session', { tags: ['thorough'] }, async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin, 'bram~anna')
    const session = page.getByRole('region', { name: 'Session' })
    await expectVisible(session.getByText('On behalf of'))
    expect(await session.locator('dd').allInnerTexts()).toContain('anna')
  })

  it(
    'says that a sign-in was cancelled, does not start another by itself, and signs in on a click',
    { tags: ['thorough'] },
    async () => {
      const page = await demo.openPage()
      await page.goto(`${demo.origin}/activity?keep=1`)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expectHeading(page, 'The sign-in was cancelled')
      expect(await addressOf(page)).toBe(`${demo.origin}/activity?keep=1`)
      expect(demo.authorizeVisits('redirect')).toBe(1)
      expect(demo.tokenCalls('authorization_code')).toBe(0)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await signIn(page, 'chiara')
      await expectHeading(page, 'Activity')
      expect(await addressOf(page)).toBe(`${demo.origin}/activity?keep=1`)
    },
  )
})

describe('the way back', () => {
  const demo = useDemo()

  it('survives the back button: the same session, no error, no code sent twice', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, `${demo.origin}/activity`)
    await page.goBack()
    await page.goBack()
    await expectSignedIn(page)
    await expectHeading(page, 'Activity')
    expect(demo.authServer.requests.matching({ path: '/oauth/token', status: 400 })).toEqual([])
    expect(demo.authServer.counts.reuseDetected).toBe(0)
  })

  it('ends signed in at the same place when the page is reloaded during the exchange', async () => {
    demo.authServer.faults.add({
      path: '/oauth/token',
      method: 'POST',
      grant: 'authorization_code',
      delayMs: 1500,
      times: 1,
    })
    const page = await demo.openPage()
    await page.goto(`${demo.origin}/activity?x=1#y`)
    await pick(page, 'anna')
    await expectEventually(() => demo.tokenCalls('authorization_code'), 1)
    await page.reload()
    await expectHeading(page, 'Activity')
    expect(await addressOf(page)).toBe(`${demo.origin}/activity?x=1#y`)
    expect(demo.authorizeVisits('redirect')).toBe(1)
  })

  it(
    'signs in both when a new tab opens the same callback address, and sends the code once',
    { tags: ['thorough'] },
    async () => {
      const context = await demo.openBrowser()
      const own = await context.newPage()
      await own.goto(`${demo.origin}/activity`)
      await expectVisible(own.locator('button[value="anna"]'))
      const other = await context.newPage()
      const callback = new Promise<string>((resolve) => {
        own.on('request', (request) => {
          if (request.isNavigationRequest() && request.url().startsWith(`${demo.origin}/?code=`))
            resolve(request.url())
        })
      })
      await pick(own, 'anna')
      await other.goto(await callback)
      await expectSignedIn(own)
      await expectSignedIn(other)
      expect(await addressOf(own)).toBe(`${demo.origin}/activity`)
      expect(demo.authServer.requests.matching({ path: '/oauth/token', status: 400 })).toEqual([])
      expect(demo.authServer.counts.reuseDetected).toBe(0)
    },
  )

  it('signs in with an old callback address without sending its code', { tags: ['thorough'] }, async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, demo.origin)
    await page.goto(`${demo.origin}/?code=long-gone&state=AbC123`)
    await expectSignedIn(page)
    expect(demo.authServer.requests.matching({ path: '/oauth/token', status: 400 })).toEqual([])
    expect(demo.authorizeVisits('redirect')).toBe(1)
  })
})

describe('without automatic sign-in', () => {
  const demo = useDemo({ auth: { autoLogin: false } })

  it('waits for a click', { tags: ['thorough'] }, async () => {
    const page = await openSignedOut(demo)
    expect(demo.authorizeVisits('redirect')).toBe(0)
    await button(page, 'Sign in').click()
    await signIn(page, 'daan')
    await expectHeading(page, /, Daan$/)
  })
})

describe('a browser that denies storage', () => {
  const demo = useDemo({ auth: { autoLogin: false } })

  it(
    'is told why signing in is not possible, and does not leave the page',
    { tags: ['thorough'] },
    async () => {
      const page = await demo.openPage()
      await page.addInitScript(() => {
        for (const name of ['sessionStorage', 'localStorage']) {
          Object.defineProperty(window, name, {
            get() {
              throw new DOMException('Access is denied for this document.', 'SecurityError')
            },
          })
        }
      })
      await page.goto(demo.origin)
      await button(page, 'Sign in').click()
      await expectVisible(page.getByText('Code storage-unavailable'))
      await expectVisible(page.getByText(/Allow site data/))
      expect(demo.authorizeVisits('redirect')).toBe(0)
    },
  )
})
