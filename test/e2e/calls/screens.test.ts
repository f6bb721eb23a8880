// The screens of consent, firm, support and security in a real browser: one visit does what each offers, another sees what it refuses.

// @module-tag thorough

import type { Locator, Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { authOf } from '../authOf.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { button, openScreen } from '../user.ts'
import { strictPolicy } from '../policy/policy.ts'
import { closeBy, finishPopup, openPopup } from '../popups/popup.ts'

describe('a screen', () => {
  const demo = useDemo({ contentSecurityPolicy: strictPolicy() })

  const open = (heading: string, who: string) =>
    openScreen(demo, { path: `/${heading.toLowerCase().replace(' ', '-')}`, heading, who })

  describe('of admin consent', () => {
    beforeEach(() => {
      demo.authServer.accounts.consents.set('firm-noorderlicht', {
        domain: 'noorderlicht.example',
        grantedBy: 'anna',
        grantedAt: '2026-01-02T03:04:05.000Z',
      })
    })

    it('takes consent back and asks for it, and the status is what the server says', async () => {
      const refusal = { path: '/cloudprovider/adminconsent', method: 'DELETE', status: 200, times: 1 }
      demo.authServer.faults.add(refusal)
      const page = await open('Admin consent', 'anna')
      await button(page, 'Revoke consent').click()
      await expectVisible(page.getByText('Consent could not be taken back'))
      await expectVisible(page.getByText('Granted', { exact: true }))
      await button(page, 'Revoke consent').click()
      await expectVisible(page.getByText('Consent was taken back'))
      await expectVisible(page.getByText('Nobody has consented yet'))
      expect(demo.authServer.accounts.consents.has('firm-noorderlicht')).toBe(false)

      let popupCount = 0
      page.on('popup', () => (popupCount += 1))
      const domain = page.getByRole('textbox', { name: 'Domain' })
      await domain.fill('https://evil.example/')
      await button(page, 'Grant consent').click()
      await expectVisible(page.getByText('domain is not a domain name'))
      expect(popupCount).toBe(0)
      await domain.fill('north.example')
      const popup = await openPopup(page, button(page, 'Grant consent'))
      await expectHeading(popup, 'Consent for north.example')
      await finishPopup(popup, 'Grant consent')
      await expectVisible(page.getByText('Consent is granted'))
      await expectVisible(page.getByText('north.example', { exact: true }))
    })

    it('has no button for staff', async () => {
      const page = await open('Admin consent', 'bram')
      await expectVisible(page.getByText('an administrator of your firm can change it'))
      expect(await button(page, 'Consent again').count()).toBe(0)
    })
  })

  describe('of the firm', () => {
    const provider = (page: Page) => page.getByRole('combobox', { name: 'Provider' })
    const descriptionOf = (control: Locator) =>
      control.evaluate(
        (element) => document.getElementById(element.getAttribute('aria-describedby')!)?.textContent,
      )
    /** While the server takes this administrator for a member. */
    async function asMember(userId: string, during: () => Promise<void>): Promise<void> {
      const person = demo.authServer.accounts.person(userId)!
      const { role } = person
      person.role = 'member'
      await during().finally(() => {
        person.role = role
      })
    }

    it('saves what an administrator chooses, and says why it did not', async () => {
      demo.authServer.accounts.updateFirm('firm-maasvogel', null as never)
      const page = await open('Firm', 'daan')
      await expectVisible(page.getByText('none chosen yet'))
      const save = async (choice: string) => {
        await provider(page).selectOption(choice)
        await button(page, 'Save').click()
      }
      await save('')
      await expectVisible(page.getByText('Choose a provider first.'))
      await page.context().setOffline(true)
      await save('nimbus')
      await expectVisible(page.getByText('The provider was not saved'))
      expect(demo.authServer.requests.count({ method: 'PUT', path: '/api/firms/firm-maasvogel' })).toBe(0)
      await page.context().setOffline(false)
      await button(page, 'Save').click()
      await expectVisible(page.getByText('The provider is saved'))
      await expectVisible(page.getByRole('definition').getByText('nimbus'))
      expect(demo.authServer.accounts.firm('firm-maasvogel')?.cloudProviderId).toBe('nimbus')
      await asMember('daan', async () => {
        await save('cumulus')
        await expectVisible(page.getByText('The provider was not saved'))
        await expectVisible(page.getByText('This user is not allowed to do that.'))
        // The next tokens say so, and what the server has said stays.
        await (await authOf(page)).evaluate((auth) => auth.renew({ force: true }))
        await expectEventually(() => provider(page).isDisabled(), true)
        await expectVisible(page.getByText('This user is not allowed to do that.'))
      })
    })

    it('shows staff the provider, and tells them who can change it', async () => {
      const page = await open('Firm', 'elif')
      await expectVisible(provider(page))
      const reason = 'You can see this, and an administrator of your firm can change it.'
      await expectVisible(page.getByText(reason))
      for (const control of [provider(page), button(page, 'Save')]) {
        expect(await control.isDisabled()).toBe(true)
        expect(await descriptionOf(control)).toBe(reason)
      }
    })
  })

  describe('of support access', () => {
    const code = (page: Page) => page.getByRole('textbox', { name: 'Request code' })
    const isGiven = (page: Page) =>
      expectVisible(page.getByRole('heading', { level: 2, name: 'Support can look at your firm' }))

    it('gives it for the chosen time, with the keyboard too, and keeps the code out of sight', async () => {
      const page = await open('Support access', 'anna')
      await code(page).fill('HELP-1001')
      const minutes = page.getByRole('spinbutton', { name: 'Minutes' })
      await minutes.fill('1441')
      await button(page, 'Let support in').click()
      await expectVisible(page.getByText('duration must be whole minutes from 1 to 1440'))
      expect(demo.authServer.requests.count({ method: 'POST', path: '/support/authorization' })).toBe(0)
      await page.getByText('4 hours').click()
      await button(page, 'Let support in').click()
      await isGiven(page)
      const endsAt = Date.parse((await page.locator('.until time').getAttribute('datetime')) ?? '')
      expect(Math.abs(endsAt - Date.now() - 240 * 60_000)).toBeLessThan(60_000)
      await expectEventually(() => code(page).inputValue(), '')
      expect(await page.content()).not.toContain('HELP-1001')

      await code(page).focus()
      await page.keyboard.type('HELP-1001')
      await page.keyboard.press('Tab')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Enter')
      await expectVisible(page.getByText('This code has been used before'))
      expect(await page.getByRole('main').textContent()).not.toContain('HELP-1001')
    })

    it('does not give it on behalf of somebody else', async () => {
      const page = await open('Support access', 'bram~anna')
      await code(page).fill('HELP-1005')
      await button(page, 'Let support in').click()
      await expectVisible(page.getByText('Support was not let in'))
    })
  })

  describe('of security', () => {
    async function fillIn(form: Page, current: string, next: string): Promise<void> {
      await form.locator('[name=current]').fill(current)
      await form.locator('[name=next]').fill(next)
      await form.locator('[name=repeat]').fill(next)
      await form.getByRole('button', { name: 'Change password' }).click()
    }

    it('changes the password in a window, which closes itself or by hand, and ends the session', async () => {
      const page = await open('Security', 'bram')
      await (await openPopup(page, button(page, 'Change my password'))).close()
      const words = 'The window was closed before anything changed'
      const notice = page.getByRole('status').filter({ hasText: words })
      await expectVisible(notice)
      expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
      const popup = await openPopup(page, notice.getByRole('button', { name: 'Try again' }))
      await fillIn(popup, 'wrong', 'a-new-password')
      await expectVisible(popup.getByText('The current password is not right.'))
      await closeBy(popup, () => fillIn(popup, 'demo-password', 'a-new-password'))
      await expectVisible(page.getByText('You are done on the password page'))
      expect(demo.authServer.accounts.isPassword('bram', 'a-new-password')).toBe(true)
      await page.getByRole('complementary').getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL(`${demo.origin}/**`)
      await page.locator('#content').waitFor({ state: 'detached' })
    })

    it("changes it on the server's page, whose ways back are signed in", async () => {
      const page = await open('Security', 'chiara')
      await button(page, 'Change it on the server’s page').click()
      await expectHeading(page, 'Change password')
      await page.goBack()
      await expectHeading(page, 'Security')
      await button(page, 'Change it on the server’s page').click()
      await expectHeading(page, 'Change password')
      await fillIn(page, 'demo-password', 'another-password')
      await expectHeading(page, 'Done')
      await page.getByRole('link', { name: 'Back to the app' }).click()
      await expectSignedIn(page)
      expect(demo.authServer.accounts.isPassword('chiara', 'another-password')).toBe(true)
    })
  })
})
