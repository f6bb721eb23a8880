// The firm in a real browser: its cloud provider is chosen by an administrator and by nobody else.

// @module-tag thorough

import type { Locator, Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectVisible } from '../page.ts'
import { button, openScreen } from '../user.ts'
import { strictPolicy } from '../policy/policy.ts'

describe('the firm', () => {
  const demo = useDemo({ contentSecurityPolicy: strictPolicy() })

  const openFirm = (who: string) => openScreen(demo, { path: '/firm', heading: 'Firm', who })

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
  const puts = () => demo.authServer.requests.count({ method: 'PUT', path: '/api/firms/firm-maasvogel' })

  beforeEach(() => {
    demo.authServer.accounts.updateFirm('firm-maasvogel', null as never)
  })

  it('an administrator chooses a provider, and the firm shows it', async () => {
    const page = await openFirm('daan')
    await expectVisible(page.getByText('none chosen yet'))
    await provider(page).selectOption('nimbus')
    await button(page, 'Save').click()
    await expectVisible(page.getByText('The provider is saved'))
    await expectVisible(page.getByRole('definition').getByText('nimbus'))
    expect(demo.authServer.accounts.firm('firm-maasvogel')?.cloudProviderId).toBe('nimbus')
  })

  it("an empty choice is 'cloudProviderId is required', and nothing is sent", async () => {
    const page = await openFirm('daan')
    await provider(page).selectOption('')
    await button(page, 'Save').click()
    await expectVisible(page.getByText('cloudProviderId is required'))
    expect(puts()).toBe(0)
  })

  it('staff see the provider, cannot change it, and are told who can', async () => {
    const page = await openFirm('elif')
    await expectVisible(provider(page))
    const reason = 'You can see this, and an administrator of your firm can change it.'
    await expectVisible(page.getByText(reason))
    for (const control of [provider(page), button(page, 'Save')]) {
      expect(await control.isDisabled()).toBe(true)
      expect(await descriptionOf(control)).toBe(reason)
    }
  })

  it('who is no administrator any more is refused by the server and told so', async () => {
    const page = await openFirm('daan')
    await provider(page).selectOption('cumulus')
    await asMember('daan', async () => {
      await button(page, 'Save').click()
      await expectVisible(page.getByText('The provider was not saved'))
      await expectVisible(page.getByText('This user is not allowed to do that.'))
      // The app learns of it too, and what the server has said stays.
      await expectEventually(() => provider(page).isDisabled(), true)
      await expectVisible(page.getByText('This user is not allowed to do that.'))
    })
  })

  it('without a network saving fails at once, and works when it is back', async () => {
    const page = await openFirm('daan')
    await provider(page).selectOption('cumulus')
    await page.context().setOffline(true)
    await button(page, 'Save').click()
    await expectVisible(page.getByText('The provider was not saved'))
    await page.context().setOffline(false)
    await button(page, 'Save').click()
    await expectVisible(page.getByText('The provider is saved'))
  })
})
