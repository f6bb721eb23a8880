// Idle time in a real browser: a countdown that the keyboard can stop, and one end for every tab (F43).
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectVisible } from '../page.ts'
import { openScreen, openSignedIn, signIn } from '../user.ts'

describe('half a minute of idle time', () => {
  const demo = useDemo({ auth: { idleTimeoutInMinutes: 0.5 } })

  it('counts down in sight, and "Stay signed in" begins it anew, by the keyboard alone', async () => {
    const page = await demo.openPage()
    await page.clock.install()
    await openSignedIn(page, demo.origin)
    const countdown = page.getByText(/^You will be signed out in (\d+) s/)
    const secondsLeft = async () => Number(/(\d+) s/.exec(await countdown.first().innerText())?.[1])
    const stay = page.getByRole('button', { name: 'Stay signed in' })
    await expectVisible(stay)
    // However long the way through the page takes, the half minute is not over.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
    const isFocused = async () => stay.evaluate((element) => element === document.activeElement)
    for (let step = 0; step < 60 && !(await isFocused()); step += 1) await page.keyboard.press('Shift+Tab')
    expect(await isFocused()).toBe(true)
    await page.clock.runFor(4_000)
    await expect.poll(secondsLeft).toBeLessThanOrEqual(27)

    // The page itself writes down what it shows: more than 27 is there for three seconds only.
    await page.evaluate(() => {
      const shown = new Set<number>()
      Object.assign(window, { shown })
      const look = () =>
        shown.add(Number(/signed out in (\d+) s/.exec(document.body.textContent ?? '')?.[1] ?? 0))
      new MutationObserver(look).observe(document.body, {
        childList: true,
        subtree: true,
        characterData: true,
      })
    })
    await page.keyboard.press('Enter')
    await page.clock.resume()
    await expectEventually(
      () => page.evaluate(() => Math.max(...(window as unknown as { shown: Set<number> }).shown) > 27),
      true,
    )
    expect(demo.authServer.requests.count({ path: '/oauth/logout' })).toBe(0)
  })
})

describe('half a minute of idle time that has passed', () => {
  const demo = useDemo({ auth: { idleTimeoutInMinutes: 0.5 } })

  it('signs every tab out, says why, and lets nobody back without a sign-in', async () => {
    const context = await demo.openBrowser()
    await context.clock.install()
    const page = await context.newPage()
    await openSignedIn(page, `${demo.origin}/activity?x=1`)
    const other = await context.newPage()
    await other.goto(`${demo.origin}/activity?x=1`)
    // It counts in both.
    for (const tab of [page, other]) await expectVisible(tab.getByRole('button', { name: 'Stay signed in' }))
    await context.clock.fastForward(31_000)
    for (const tab of [page, other]) {
      await expectHeading(tab, 'Signed out to keep things safe')
      expect(new URL(tab.url()).pathname).toBe('/activity')
    }
    await expectEventually(() => demo.authServer.requests.count({ path: '/oauth/logout' }) > 0, true)
    await page.reload()
    await expectVisible(page.locator('button[value="anna"]'))
  })
})

describe('an idle time that ends while no page is open', () => {
  const demo = useDemo({ auth: { idleTimeoutInMinutes: 30 } })

  it('signs out before anything is shown, and says why', async () => {
    const page = await openScreen(demo)
    await page.close()

    // As the next morning.
    const next = await page.context().newPage()
    await next.addInitScript(() => {
      const { now } = Date
      Date.now = () => now() + 8 * 3_600_000
      const seen: string[] = []
      Object.assign(window, { seen })
      const look = () => {
        const text = document.body?.innerText ?? ''
        if (text.includes('Anna')) seen.push(text)
      }
      new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
    })
    await next.goto(demo.origin)
    await expectHeading(next, 'Signed out to keep things safe')
    expect(demo.authServer.requests.count({ path: '/oauth/logout' })).toBeGreaterThan(0)
    expect(await next.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
    // The page's own button is the only one.
    const signInButtons = next.getByRole('button', { name: 'Sign in', exact: true })
    expect(await signInButtons.count()).toBe(1)
    await signInButtons.click()
    await signIn(next, 'anna')
  })
})

describe('a window of the same origin that the page has opened', () => {
  const demo = useDemo()

  it(
    'is a place where the user works, also after it has loaded another page',
    { tags: ['thorough'] },
    async () => {
      const page = await openScreen(demo)
      await page
        .context()
        .route('**/plain.html*', async (route) =>
          route.fulfill({ contentType: 'text/html', body: '<input aria-label="Note">' }),
        )
      const activeAt = async () =>
        page.evaluate(() =>
          Number(Object.entries(localStorage).find(([key]) => key.includes('activity'))?.[1]),
        )
      // Windows are noted from a second after the sign-in on.
      await expectEventually(() => page.evaluate(() => String(open).includes('[native code]')), false)
      const [opened] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate(() => void open('/plain.html', '', 'popup,width=300,height=200')),
      ])
      for (const next of [undefined, '/plain.html?next']) {
        if (next !== undefined) {
          await opened.goto(demo.origin + next)
          await page.bringToFront()
          await page.evaluate(() => dispatchEvent(new Event('blur')))
          await opened.bringToFront()
        }
        const before = await activeAt()
        await opened.getByLabel('Note').pressSequentially('abc', { delay: 100 })
        await expectEventually(async () => (await activeAt()) > before, true)
      }
    },
  )
})
