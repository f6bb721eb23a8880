// The guided tour: it leads to every screen, and its buttons do the real thing.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { openSignedIn } from '../user.ts'

describe('the guided tour', { timeout: 120_000 }, () => {
  const demo = useDemo({ realtime: true, environments: true })

  const stop = (page: Page, title: string) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  const said = (page: Page, title: string, words: string | RegExp) =>
    expectVisible(stop(page, title).getByRole('status').filter({ hasText: words }))

  async function open(): Promise<Page> {
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/tour`)
    await expectHeading(page, 'Guided tour')
    return page
  }

  it('leads to every screen of the app', async () => {
    const page = await open()
    const paths = async (within: string) =>
      page
        .locator(`${within} a[href^="/"]`)
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    const shown = new Set(await paths('main .tour'))
    const screens = (await paths('aside nav')).filter((path) => path !== '/' && path !== '/tour')
    expect(screens.length).toBeGreaterThan(8)
    expect(screens.filter((path) => !shown.has(path))).toEqual([])
  })

  it('has buttons that do what they say', { tags: ['thorough'] }, async () => {
    const page = await open()
    const press = async (title: string) => stop(page, title).getByRole('button').click()
    await press('Renewal')
    await said(page, 'Renewal', 'The afterRefreshToken hook was called 1 time.')
    expect(demo.tokenCalls('refresh_token')).toBe(1)
    await press('Renewal can be stopped')
    await said(page, 'Renewal can be stopped', 'Stopped')
    await press('Calls of your own')
    await said(page, 'Calls of your own', /It answered \d+ fields/)
    await press('A token for another app')
    await said(page, 'A token for another app', 'the token prints as [redacted]')
    await press('Errors in plain words')
    await said(
      page,
      'Errors in plain words',
      /^Something you entered is not valid\. Correct it, then try again\.$/,
    )
    await press('Hooks')
    await said(page, 'Hooks', 'Unsupported hook: beforeLunch')
    await press('Toasts')
    await expectVisible(page.getByText('The consent could not be read.').first())
    expect(demo.authServer.requests.count({ path: '/cloudprovider/linkmap', method: 'PUT' })).toBe(0)
  })

  it('is where the user comes back to from the sign-in page', async () => {
    const page = await open()
    // The answer is in the address for a moment only.
    const back = page.waitForURL(/[?&]code=/, { waitUntil: 'commit' })
    await stop(page, 'Sign-in by redirect').getByRole('button').click()
    await back
    await expectSignedIn(page)
    await expectHeading(page, 'Guided tour')
  })
})
