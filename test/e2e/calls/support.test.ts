// Support access in a real browser: a code, a time, a confirmation with its end; the code stays out of sight.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectVisible } from '../page.ts'
import { button, openScreen } from '../user.ts'
import { strictPolicy } from '../policy/policy.ts'

describe('support access', () => {
  const demo = useDemo({ contentSecurityPolicy: strictPolicy() })

  const openSupport = (who: string) =>
    openScreen(demo, { path: '/support-access', heading: 'Support access', who })

  const code = (page: Page) => page.getByRole('textbox', { name: 'Request code' })
  const posts = () => demo.authServer.requests.count({ method: 'POST', path: '/support/authorization' })

  it('is given for the chosen time, confirmed with its end, and the code is gone from the page', async () => {
    const page = await openSupport('anna')
    await code(page).fill('HELP-1001')
    await page.getByText('4 hours').click()
    await button(page, 'Let support in').click()
    await expectHeadingOfCard(page, 'Support can look at your firm')
    const endsAt = Date.parse((await page.locator('.until time').getAttribute('datetime')) ?? '')
    expect(Math.abs(endsAt - Date.now() - 240 * 60_000)).toBeLessThan(60_000)
    await expectEventually(() => code(page).inputValue(), '')
    expect(await page.content()).not.toContain('HELP-1001')
  })

  it('is given with the keyboard alone', async () => {
    const page = await openSupport('bram')
    await code(page).focus()
    await page.keyboard.type('HELP-1002')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expectHeadingOfCard(page, 'Support can look at your firm')
  })

  it('is refused for a code that was used, and the error does not repeat it', async () => {
    const page = await openSupport('anna')
    await code(page).fill('HELP-1003')
    await button(page, 'Let support in').click()
    await expectHeadingOfCard(page, 'Support can look at your firm')
    await code(page).fill('HELP-1003')
    await button(page, 'Let support in').click()
    await expectVisible(page.getByText('This code has been used before'))
    expect(await page.getByRole('main').textContent()).not.toContain('HELP-1003')
  })

  it.each([['0'], ['1441'], ['']])(
    'for %j minutes is refused before anything is sent',
    { tags: ['thorough'] },
    async (minutes) => {
      const page = await openSupport('anna')
      await code(page).fill('HELP-1004')
      await page.getByRole('spinbutton', { name: 'Minutes' }).fill(minutes)
      await button(page, 'Let support in').click()
      await expectVisible(page.getByText('duration must be whole minutes from 1 to 1440'))
      expect(posts()).toBe(0)
    },
  )

  it('cannot be given on behalf of somebody else', async () => {
    const page = await openSupport('bram~anna')
    await code(page).fill('HELP-1005')
    await button(page, 'Let support in').click()
    await expectVisible(page.getByText('Support was not let in'))
  })

  const expectHeadingOfCard = async (page: Page, name: string) =>
    expectVisible(page.getByRole('heading', { level: 2, name }))
})
