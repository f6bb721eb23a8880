// Everybody can use the demo: by keyboard, with a screen reader, on a small screen, in light and dark.

// @module-tag thorough

import type { BrowserContextOptions, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectVisible } from '../page.ts'
import { button, openScreen, openSignedOut, showScreen } from '../user.ts'
import { coveredOf, expectGoodLooks } from './looks.ts'

describe('on a phone and on a desk, in light and dark', () => {
  const demo = useDemo()

  it('every page is free of barriers and fits the screen', async () => {
    const page = await openScreen(demo)
    await page.getByText('anna@noorderlicht.example').first().waitFor()
    await expectGoodLooks(page)
    await showScreen(page, '/activity', 'Activity')
    await expectGoodLooks(page)
    await page.getByRole('button', { name: 'Session devtools' }).click()
    await expectVisible(page.getByRole('region', { name: 'Latchkey devtools' }))
    await expectGoodLooks(page)
    await showScreen(page, '/tour', 'Guided tour')
    await expectGoodLooks(page)
    await showScreen(page, '/nowhere', 'There is nothing here')
    await expectGoodLooks(page)
  })

  it('the pages outside the app are free of barriers and fit the screen', async () => {
    const page = await demo.openPage()
    await page.goto(demo.origin)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectHeading(page, 'The sign-in was cancelled')
    // The user did that: nothing alarms.
    expect(await page.locator('.notice-bad').count()).toBe(0)
    await page.getByText('What happened').click()
    await expectGoodLooks(page)
    // Not repeated by itself: the page stays as it is while it is looked at.
    demo.authServer.faults.add({ path: '/oauth/token', method: 'POST', status: 400 })
    await button(page, 'Sign in').click()
    await page.locator('button[value="anna"]').click()
    await expectHeading(page, 'We could not sign you in')
    await expectVisible(page.getByText('The sign-in was cancelled or refused.'))
    await expectGoodLooks(page)
  })
})

describe('the keyboard alone', () => {
  const demo = useDemo({ auth: { autoLogin: false } })

  const openByClick = async (options: BrowserContextOptions) => {
    const page = await demo.openPage(options)
    await page.goto(demo.origin)
    await button(page, 'Sign in').click()
    await page.locator('button[value="anna"]').click()
    await expectHeading(page, /, Anna$/)
    return page
  }

  const tabTo = async (page: Page, name: string | RegExp) => {
    const wanted = page.getByRole('button', { name }).or(page.getByRole('link', { name })).first()
    for (let press = 0; press < 40; press += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`no way to ${String(name)} by Tab`)
  }

  it('signs in, walks to another screen, renews and signs out', async () => {
    const page = await openSignedOut(demo, { viewport: { width: 1280, height: 800 } })
    await tabTo(page, 'Sign in')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Who is signing in?' }).waitFor()
    await tabTo(page, /Daan Maas/)
    await page.keyboard.press('Enter')
    await expectHeading(page, /, Daan$/)
    await tabTo(page, 'Activity')
    await page.keyboard.press('Enter')
    await expectHeading(page, 'Activity')
    await expectEventually(() => page.evaluate(() => document.activeElement?.id), 'content')
    await page.goBack()
    await tabTo(page, 'Renew now')
    await page.keyboard.press('Enter')
    await page.getByText('1 in this tab').waitFor()
    await tabTo(page, 'Sign out')
    await page.keyboard.press('Enter')
    await expectHeading(page, 'You are signed out')
  })

  it('reaches nothing that lies under the bars which stay in sight', async () => {
    const page = await openByClick({ viewport: { width: 1280, height: 520 } })
    await page.getByText('anna@noorderlicht.example').first().waitFor()
    expect(await coveredOf(page)).toEqual([])
  })

  it('opens the menu of a small screen, and Escape closes it and goes back to its button', async () => {
    const page = await openByClick({ viewport: { width: 360, height: 740 } })
    const opener = page.getByRole('button', { name: 'Open the menu' })
    await opener.press('Enter')
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await expectVisible(menu)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await expectEventually(() => opener.evaluate((element) => element === document.activeElement), true)
    await opener.press('Enter')
    await menu.getByRole('link', { name: 'Activity' }).click()
    await expectHeading(page, 'Activity')
    await menu.waitFor({ state: 'hidden' })
  })
})
