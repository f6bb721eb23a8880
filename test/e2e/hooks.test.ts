// Hooks of the app that fail, in a real browser: signing in and out come to their end all the same (F37).
import type { Page } from 'playwright'
import { describe, it } from 'vitest'
import { authOf } from './authOf.ts'
import { button, expectEventually, expectHeading, useDemo } from './fixture.ts'

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
    const other = await context.newPage()
    await other.goto(demo.origin)
    await expectHeading(other, /, Anna$/)
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
