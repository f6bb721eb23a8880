// The app asks "Leave this page?", and the user stays: the page is theirs again as soon as the browser tells.
import type { Page } from 'playwright'
import { describe, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectVisible } from '../page.ts'
import { button, openSignedIn, signIn } from '../user.ts'

/** From now on the app asks before it is left, and the user stays. */
async function stay(page: Page): Promise<() => Promise<void>> {
  page.on('dialog', (dialog) => void dialog.dismiss())
  await page.evaluate(() => {
    const ask = (event: Event) => event.preventDefault()
    Object.assign(globalThis, { askNoMore: () => removeEventListener('beforeunload', ask) })
    addEventListener('beforeunload', ask)
  })
  return async () => page.evaluate(() => (globalThis as unknown as { askNoMore(): void }).askNoMore())
}

describe('a page that asks whether to leave it, where the user stays', () => {
  const demo = useDemo()

  it('says after a logout that they are signed out and the server has not heard of it, and offers the sign-in again', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, demo.origin)
    const askNoMore = await stay(page)
    await button(page, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    await expectVisible(page.getByRole('main').getByText('the server has not confirmed it'))
    await button(page, 'Sign in').click()
    await expectHeading(page, 'The sign-in was cancelled')
    await askNoMore()
    await button(page, 'Sign in').click()
    await signIn(page, 'bram')
    await expectHeading(page, /, Bram$/)
  })
})
