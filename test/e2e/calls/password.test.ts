// The security screen in a real browser: the password in a window and on the server's own page, and signing out.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { button, openScreen } from '../user.ts'
import { strictPolicy } from '../policy/policy.ts'
import { closeBy, openPopup } from '../popups/popup.ts'

describe('security', () => {
  const demo = useDemo({ contentSecurityPolicy: strictPolicy() })

  const openSecurity = (who: string) => openScreen(demo, { path: '/security', heading: 'Security', who })

  async function fillIn(form: Page, current: string, next: string): Promise<void> {
    await form.locator('[name=current]').fill(current)
    await form.locator('[name=next]').fill(next)
    await form.locator('[name=repeat]').fill(next)
    await form.getByRole('button', { name: 'Change password' }).click()
  }

  it('the password is changed in a window, which closes by itself', async () => {
    const page = await openSecurity('bram')
    const popup = await openPopup(page, button(page, 'Change my password'))
    await fillIn(popup, 'wrong', 'a-new-password')
    await expectVisible(popup.getByText('The current password is not right.'))
    await closeBy(popup, () => fillIn(popup, 'demo-password', 'a-new-password'))
    await expectVisible(page.getByText('You are done on the password page'))
    expect(demo.authServer.accounts.passwords.isRight('bram', 'a-new-password')).toBe(true)
  })

  it('closing the window is no fault: the page says so calmly, and the window can be opened again', async () => {
    const page = await openSecurity('anna')
    const popup = await openPopup(page, button(page, 'Change my password'))
    await popup.close()
    const notice = page
      .getByRole('status')
      .filter({ hasText: 'The window was closed before anything changed' })
    await expectVisible(notice)
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
    await openPopup(page, notice.getByRole('button', { name: 'Try again' }))
  })

  it("the password is changed on the server's page, and the way back is signed in", async () => {
    const page = await openSecurity('chiara')
    await button(page, 'Change it on the server’s page').click()
    await expectHeading(page, 'Change password')
    await fillIn(page, 'demo-password', 'another-password')
    await expectHeading(page, 'Done')
    await page.getByRole('link', { name: 'Back to the app' }).click()
    await expectSignedIn(page)
    expect(demo.authServer.accounts.passwords.isRight('chiara', 'another-password')).toBe(true)
  })

  it("leaving the server's page by the back button finds the app signed in", async () => {
    const page = await openSecurity('anna')
    await button(page, 'Change it on the server’s page').click()
    await expectHeading(page, 'Change password')
    await page.goBack()
    await expectHeading(page, 'Security')
  })

  it('the session is named, and ended by its button', async () => {
    const page = await openSecurity('anna')
    await expectVisible(page.getByRole('definition').getByText('anna'))
    await button(page, 'Sign out of this browser').click()
    await page.waitForURL(`${demo.origin}/**`)
    await page.locator('#content').waitFor({ state: 'detached' })
  })
})
