// Admin consent in a real browser: granted in a window, taken back, and out of reach of who is no administrator.

// @module-tag thorough

import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectVisible } from '../page.ts'
import { button, openScreen } from '../user.ts'
import { strictPolicy } from '../policy/policy.ts'
import { finishPopup, openPopup } from '../popups/popup.ts'

describe('admin consent', () => {
  const demo = useDemo({ contentSecurityPolicy: strictPolicy() })

  const openConsent = (who: string) =>
    openScreen(demo, { path: '/admin-consent', heading: 'Admin consent', who })

  beforeEach(() => {
    demo.authServer.accounts.consents.set('firm-noorderlicht', {
      domain: 'noorderlicht.example',
      grantedBy: 'anna',
      grantedAt: '2026-01-02T03:04:05.000Z',
    })
  })

  describe('an administrator', () => {
    it('takes consent back, and the status is what the server says', async () => {
      const page = await openConsent('anna')
      await expectVisible(page.getByText('noorderlicht.example', { exact: true }))
      await button(page, 'Revoke consent').click()
      await expectVisible(page.getByText('Consent was taken back'))
      await expectVisible(page.getByText('Nobody has consented yet'))
      expect(demo.authServer.accounts.consents.has('firm-noorderlicht')).toBe(false)
    })

    it('grants it for a domain of their choice', async () => {
      demo.authServer.accounts.consents.clear()
      const page = await openConsent('anna')
      await page.getByRole('textbox', { name: 'Domain' }).fill('north.example')
      const popup = await openPopup(page, button(page, 'Grant consent'))
      await expectHeading(popup, 'Consent for north.example')
      await finishPopup(popup, 'Grant consent')
      await expectVisible(page.getByText('Consent is granted'))
      await expectVisible(page.getByText('north.example', { exact: true }))
    })

    it('with a domain that is none is told so, and no window opens', async () => {
      const page = await openConsent('anna')
      let popupCount = 0
      page.on('popup', () => (popupCount += 1))
      await page.getByRole('textbox', { name: 'Domain' }).fill('https://evil.example/')
      await button(page, 'Consent again').click()
      await expectVisible(page.getByText('domain is not a domain name'))
      expect(popupCount).toBe(0)
    })

    it('whose revocation the server refuses sees why, and the consent stays in sight', async () => {
      demo.authServer.faults.add({ path: '/cloudprovider/adminconsent', method: 'DELETE', status: 200 })
      const page = await openConsent('anna')
      await button(page, 'Revoke consent').click()
      await expectVisible(page.getByText('Consent could not be taken back'))
      await expectVisible(page.getByText('Granted', { exact: true }))
    })
  })

  it('staff see the consent and have no button to change it', async () => {
    const page = await openConsent('bram')
    await expectVisible(page.getByText('an administrator of your firm can change it'))
    expect(await button(page, 'Consent again').count()).toBe(0)
  })
})
