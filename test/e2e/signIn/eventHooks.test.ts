// Hooks of the app that fail, in a real browser: signing in and out come to their end all the same (F37).

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { authOf } from '../authOf.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectSignedIn } from '../page.ts'
import { button, openOtherTab, openSignedIn } from '../user.ts'

type Failure = 'throws' | 'rejects' | 'never ends'

/** Sets a hook on the auth object of the page. */
async function setHook(page: Page, name: 'afterLogin' | 'beforeLogout', failure: Failure): Promise<void> {
  const auth = await authOf(page)
  await auth.evaluate(
    (one, [hook, how]) =>
      one.setHook(hook, () => {
        if (how === 'throws') throw new Error('a mistake of the app')
        return how === 'rejects' ? Promise.reject(new Error('a mistake of the app')) : new Promise(() => {})
      }),
    [name, failure] as const,
  )
}

/** Sets a hook that saves what is typed in this tab, as soon as the hook of the other tab runs too. */
async function saveDraftWith(page: Page, own: string, other: string): Promise<void> {
  const auth = await authOf(page)
  await auth.evaluate(
    (one, [name, beside]) =>
      one.setHook('beforeLogout', async () => {
        localStorage.setItem(`${name} began`, '1')
        const untilMs = Date.now() + 4000
        while (!localStorage.getItem(`${beside} began`) && Date.now() < untilMs)
          await new Promise((resolve) => setTimeout(resolve, 20))
        const text = document.querySelector<HTMLInputElement>('input[name="code"]')?.value
        const isTogether = localStorage.getItem(`${beside} began`) !== null
        const { status } = one.getState()
        localStorage.setItem(`${name} draft`, [text, status, isTogether ? 'together' : 'alone'].join(', '))
      }),
    [own, other] as const,
  )
}

describe('a sign-out in one of two tabs', () => {
  const demo = useDemo()

  it('saves the draft of each tab before either of them ends', async () => {
    const context = await demo.openBrowser()
    const first = await context.newPage()
    await openSignedIn(first, `${demo.origin}/support-access`)
    const second = await context.newPage()
    await second.goto(`${demo.origin}/support-access`)
    await expectSignedIn(second)
    await first.locator('input[name="code"]').fill('typed in the first tab')
    await second.locator('input[name="code"]').fill('typed in the second tab')
    await saveDraftWith(first, 'first', 'second')
    await saveDraftWith(second, 'second', 'first')
    const signingOut = await authOf(first)
    await signingOut.evaluate((auth) => void auth.logout())
    await expectHeading(second, 'You are signed out')
    await expectHeading(first, 'You are signed out')
    const drafts = async () =>
      second.evaluate(() => ['first', 'second'].map((name) => localStorage.getItem(`${name} draft`)))
    const saved = [
      'typed in the first tab, authenticated, together',
      'typed in the second tab, authenticated, together',
    ]
    expect(await drafts()).toEqual(saved)
    // There for the app to offer after the next sign-in.
    await button(first, 'Sign in').click()
    await first.locator('button[value="anna"]').click()
    await expectSignedIn(second)
    expect(await drafts()).toEqual(saved)
  })
})

describe('a hook', () => {
  const demo = useDemo({ auth: { autoLogin: false } })

  it.each<[Failure]>([['throws'], ['rejects'], ['never ends']])(
    'that %s keeps nobody from signing out',
    async (failure) => {
      demo.expectOnConsole(/The beforeLogout hook failed/)
      const page = await demo.openPage()
      await page.goto(demo.origin)
      await button(page, 'Sign in').click()
      await page.locator('button[value="anna"]').click()
      await expectHeading(page, /, Anna$/)
      await setHook(page, 'beforeLogout', failure)
      await button(page, 'Sign out').click()
      await expectHeading(page, 'You are signed out')
      await expectEventually(() => demo.authServer.requests.count({ path: '/oauth/logout', status: 303 }), 1)
      // What the page writes comes by another way than what the server counts.
      const said = () =>
        demo.consoleLines().filter((line) => line.includes('The beforeLogout hook failed')).length
      await expectEventually(said, failure === 'never ends' ? 0 : 1)
    },
  )

  it('that throws after the sign-in leaves the user signed in', async () => {
    demo.expectOnConsole(/The afterLogin hook failed/)
    const context = await demo.openBrowser()
    const signInOn = async (page: Page) => {
      await button(page, 'Sign in').click()
      await page.locator('button[value="anna"]').click()
      await expectHeading(page, /, Anna$/)
    }
    const own = await context.newPage()
    await own.goto(demo.origin)
    await signInOn(own)
    const other = await openOtherTab(own)
    await button(own, 'Sign out').click()
    await expectHeading(other, 'You are signed out')
    await setHook(other, 'afterLogin', 'throws')
    await expectHeading(own, 'You are signed out')
    await signInOn(own)
    // The session comes to the other tab too, and its hook fails there.
    await expectHeading(other, /, Anna$/)
    await expectEventually(
      () => demo.consoleLines().filter((line) => line.includes('The afterLogin hook failed')).length,
      1,
    )
    await button(other, 'Renew now').click()
    await other.getByText('1 in this tab').waitFor()
  })
})
