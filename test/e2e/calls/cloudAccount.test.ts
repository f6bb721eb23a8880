// The cloud account in a real browser: linked, confirmed and unlinked in real windows, over three origins.

// @module-tag thorough

import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectVisible } from '../page.ts'
import { button, openScreen } from '../user.ts'
import { strictPolicy } from '../policy/policy.ts'
import { closeBy, finishPopup, openPopup } from '../popups/popup.ts'

describe('the cloud account', () => {
  const demo = useDemo({ contentSecurityPolicy: strictPolicy() })

  const openAccount = (who: string) =>
    openScreen(demo, { path: '/cloud-account', heading: 'Cloud account', who })

  const badge = (page: Page, text: string) => page.locator('.badge').getByText(text, { exact: true })
  const readCount = () => demo.authServer.requests.count({ method: 'GET', path: '/cloudprovider/userinfo' })

  beforeEach(() => {
    for (const who of ['anna', 'chiara']) demo.authServer.accounts.links.delete(who)
  })

  it('is linked, confirmed, shown and unlinked, each in a window at the cloud provider and without a reload', async () => {
    const page = await openAccount('anna')
    await expectVisible(badge(page, 'Not linked'))
    const popup = await openPopup(page, button(page, 'Link my account'))
    expect(new Set([page, popup].map((each) => new URL(each.url()).origin)).size).toBe(2)
    expect(new URL(popup.url()).origin).toBe(demo.authServer.origin)
    await expectVisible(page.getByText('Go on in the other window'))
    await finishPopup(popup, 'Approve')
    await expectVisible(page.getByText('Your account is linked'))
    await expectVisible(badge(page, 'Linked'))
    await expectVisible(page.getByText('anna.devries@cumulus.example'))

    const confirming = await openPopup(page, button(page, 'Confirm it is me'))
    await confirming.waitForURL(/\/cloudprovider\/reauthenticate/)
    await finishPopup(confirming, 'Yes, it is me')
    await expectVisible(page.getByText('Thank you, the link is confirmed'))
    const confirmed = { path: '/cloudprovider/reauthenticate/link', method: 'GET' }
    expect(demo.authServer.requests.count(confirmed)).toBe(1)

    await button(page, 'Show the token').click()
    const token = page.getByRole('status', { name: 'Access token' })
    await expectEventually(async () => (await token.textContent())?.startsWith('cumulus.'), true)
    const first = await token.textContent()
    await button(page, 'Read it again').click()
    await expectEventually(async () => [first, 'Reading…'].includes(await token.textContent()), false)
    const shown = (await token.textContent()) ?? ''
    await button(page, 'Hide it').click()
    await token.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(shown)

    await finishPopup(await openPopup(page, button(page, 'Unlink')), 'Deny')
    await expectVisible(page.getByText('The account is still linked'))
    await expectVisible(badge(page, 'Linked'))

    await button(page, 'Unlink').focus()
    const [last] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
    await last.getByRole('button', { name: 'Disconnect' }).focus()
    await closeBy(last, () => last.keyboard.press('Enter'))
    await expectVisible(page.getByText('Your account is unlinked'))
    await expectVisible(badge(page, 'Not linked'))
  })

  describe('the window', () => {
    it('closed by hand is noticed; blocked it asks for a fresh click; asked for twice it is one', async () => {
      const page = await openAccount('chiara')
      const popups: Page[] = []
      page.on('popup', (popup) => popups.push(popup))
      const closed = await openPopup(page, button(page, 'Link my account'))
      const before = readCount()
      await closed.close()
      await expectVisible(page.getByText('The window was closed before anything changed'))
      await expectEventually(() => readCount() > before, true)

      await page.evaluate(() => {
        const { open } = window
        let isFirst = true
        window.open = (...request) => {
          if (!isFirst) return open.apply(window, request)
          isFirst = false
          return null
        }
      })
      await button(page, 'Link my account').click()
      await expectVisible(page.getByText('The browser blocked the window'))
      const denied = await openPopup(page, button(page, 'Open the window'))
      await finishPopup(denied, 'Deny')
      await expectVisible(page.getByText('No account was linked'))

      const popup = await openPopup(page, button(page, 'Link my account'))
      await expectVisible(page.getByText('Go on in the other window'))
      await button(page, 'Show the window').click()
      await button(page, 'Cancel').click()
      await expectVisible(page.getByText('The window was closed before anything changed'))
      // The page has closed it; the word of that comes from the window itself.
      await expectEventually(() => popup.isClosed(), true)
      expect(popups).toEqual([closed, denied, popup])
    })

    it('whose last page says nothing ends with the word of its user, and the server has the last one', async () => {
      demo.authServer.faults.closeMessage = 'nothing'
      const page = await openAccount('chiara')
      const popup = await openPopup(page, button(page, 'Link my account'))
      await popup.getByRole('button', { name: 'Approve' }).click()
      await expectHeading(popup, 'Done')
      await button(page, 'I am done').click()
      await expectVisible(page.getByText('Your account is linked'))
      await expectEventually(() => popup.isClosed(), true)
    })

    it('cut off by its opener policy comes to an end, and what it brought about is shown', async () => {
      demo.authServer.faults.add({
        path: '/cloudprovider/*',
        headers: { 'cross-origin-opener-policy': 'same-origin' },
      })
      const page = await openAccount('chiara')
      const popup = await openPopup(page, button(page, 'Link my account'))
      await popup.getByRole('button', { name: 'Approve' }).click()
      await expectHeading(popup, 'Done')
      expect(await popup.evaluate(() => window.opener === null)).toBe(true)
      await popup.close()
      await expectVisible(badge(page, 'Linked'))
      await page.getByText('Go on in the other window').waitFor({ state: 'detached' })
    })

    it('is not closed by closeMe of this page, nor of another window of the very same server, but when the session ends', async () => {
      const page = await openAccount('chiara')
      const popup = await openPopup(page, button(page, 'Link my account'))
      await page.evaluate(() => window.postMessage('closeMe', '*'))
      const close = `${demo.authServer.origin}/oauth/close?client_id=demo-admin`
      const [other] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate((address) => void window.open(address, 'another'), close),
      ])
      await expectHeading(other, 'Done')
      await expectVisible(page.getByText('Go on in the other window'))
      expect(popup.isClosed()).toBe(false)
      await Promise.all([
        popup.waitForEvent('close'),
        page.getByRole('button', { name: 'Sign out' }).first().click(),
      ])
    })
  })
})
