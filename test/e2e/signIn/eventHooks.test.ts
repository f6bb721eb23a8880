// A hook of the app in two tabs of a real browser: each tab saves its draft before the session ends.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { authOf } from '../authOf.ts'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectSignedIn } from '../page.ts'
import { button, openSignedIn } from '../user.ts'

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
