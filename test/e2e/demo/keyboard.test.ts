// Who uses the demo with a keyboard keeps their place: behind a button at work, a tool that closes, a screen that is replaced, a long table.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { seedLinkMap, firmById } from '../../../demo/seed.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectVisible } from '../page.ts'
import { button, openScreen, signIn } from '../user.ts'

/** What has the focus: its tag and its name. */
const focusOf = async (page: Page) =>
  page.evaluate(() => {
    const { activeElement: one } = document
    return `${one?.localName} ${one?.id || one?.getAttribute('aria-label') || one?.className}`
  })

/** From now on the page waits for such responses; those of before are not meant. */
async function holdResponse(page: Page, url: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await released
    await route.fallback()
  })
  return release
}

describe('the keyboard in the demo', { timeout: 120_000 }, () => {
  const demo = useDemo()

  it('stays on a button that is at work, and a second press begins nothing', async () => {
    const page = await openScreen(demo)
    const before = demo.tokenCalls('refresh_token')
    const release = await holdResponse(page, '**/oauth/token')
    await button(page, 'Renew now').focus()
    await page.keyboard.press('Enter')
    const renewing = button(page, 'Renewing…')
    await expectVisible(renewing)
    expect(await renewing.isDisabled()).toBe(true)
    await page.keyboard.press('Enter')
    release()
    await expectVisible(button(page, 'Renew now'))
    await expectEventually(
      () => button(page, 'Renew now').evaluate((one) => one === document.activeElement),
      true,
    )
    await expectVisible(page.getByText('1 in this tab'))
    expect(demo.tokenCalls('refresh_token') - before).toBe(1)
  })

  it('goes on where the devtools are opened, once they are closed', async () => {
    const page = await openScreen(demo)
    const handle = page.getByRole('button', { name: 'Session devtools' })
    await handle.focus()
    await page.keyboard.press('Enter')
    await button(page, 'Sign out').waitFor()
    await page.getByRole('button', { name: 'Close the Latchkey devtools' }).focus()
    await page.keyboard.press('Enter')
    await expectEventually(() => handle.getAttribute('aria-expanded'), 'false')
    await expectEventually(() => handle.evaluate((one) => one === document.activeElement), true)
  })

  it('goes on at the beginning of what takes the place of a screen: of the page outside, and of the screen again', async () => {
    const page = await openScreen(demo, { path: '/firm', heading: 'Firm' })
    const other = await page.context().newPage()
    await other.goto(demo.origin)
    await expectHeading(other, /, Anna$/)
    await page.getByRole('combobox').focus()
    await button(other, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    await expectEventually(() => focusOf(page), 'main gate')
    expect(await page.getByRole('main', { name: 'You are signed out' }).count()).toBe(1)
    await expectHeading(other, 'You are signed out')
    await button(other, 'Sign in').click()
    await signIn(other, 'anna')
    await expectHeading(page, 'Firm')
    await expectEventually(() => focusOf(page), 'main content')
  })

  it('takes no focus on the first page', async () => {
    const page = await openScreen(demo, { path: '/firm', heading: 'Firm' })
    expect(await focusOf(page)).toBe('body ')
  })

  it('passes the thousands of fields of the link map in one step, and saves from any of them', async () => {
    const firm = firmById('firm-noorderlicht')!
    demo.authServer.accounts.replaceLinkMap(firm.id, seedLinkMap(firm))
    const page = await openScreen(demo, { path: '/link-map', heading: 'Link map' })
    await page.getByRole('checkbox', { name: 'All users' }).focus()
    await expectVisible(page.getByRole('textbox', { name: /^Cloud account of Bram/ }))
    await expectVisible(page.getByRole('button', { name: 'Session devtools' }))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.getByRole('table').evaluate((one) => one.contains(document.activeElement))).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Session devtools')
    await page.getByRole('textbox', { name: /^Cloud account of Bram/ }).focus()
    await page.keyboard.press('End')
    await page.keyboard.type('-2')
    await expectVisible(page.getByText('1 change not saved yet'))
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('The link map is saved'))
  })

  it('goes on where it was when the button that was pressed goes: at what is said, or at the part of the screen', async () => {
    const page = await openScreen(demo, { path: '/link-map', heading: 'Link map' })
    const focused = async () =>
      page.evaluate(() => {
        const one = document.activeElement
        const heading = document.getElementById(one?.getAttribute('aria-labelledby') ?? '')
        return `${one?.localName} ${heading?.textContent ?? one?.textContent}`
      })
    const typeInto = async (text: string) => {
      await page
        .getByRole('textbox', { name: /^Cloud account of / })
        .first()
        .focus()
      await page.keyboard.press('End')
      await page.keyboard.type(text)
    }
    await typeInto('-3')
    await button(page, 'Save changes').focus()
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('The link map is saved'))
    await expectEventually(focused, 'div The link map is saved')
    await typeInto('-4')
    await button(page, 'Discard').focus()
    await page.keyboard.press('Enter')
    await expectEventually(async () => button(page, 'Discard').count(), 0)
    await expectEventually(() => page.evaluate(() => document.activeElement?.localName), 'form')
  })

  it('the menu says nobody’s id before it knows their name', async () => {
    const page = await demo.openPage()
    // Signed in first: before it leaves for the sign-in page, the app asks this address whether the server is there.
    await page.goto(demo.origin)
    await signIn(page, 'anna')
    const release = await holdResponse(page, '**/api/userinfo')
    await page.reload()
    const account = page.getByRole('complementary', { name: 'Deskwell' }).locator('.account')
    await expectVisible(account)
    expect((await account.innerText()).trim()).toBe('')
    release()
    await expectVisible(account.getByText('Anna de Vries'))
  })
})
