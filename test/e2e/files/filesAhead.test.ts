// What a click needs has come before it, in real Chromium: no first call, window or toast waits for a script file.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { authOf } from '../authOf.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectVisible } from '../page.ts'
import { comeBack, openAndSignIn, pick } from '../user.ts'
import { closeBy, openPopup } from '../popups/popup.ts'

const AHEAD = ['later']

/** The names of the script files that a page has asked for, without the part that the build adds. */
function watchScripts(page: Page): string[] {
  const names: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() !== 'script') return
    names.push(/([^/]+?)(-[\w-]{8})?\.js$/.exec(new URL(request.url()).pathname)?.[1] ?? request.url())
  })
  return names
}

describe('what a click needs', () => {
  const demo = useDemo()

  it('asks for no script file at the first auth.fetch, step-up, toast and sign-in in a window', async () => {
    const page = await demo.openPage()
    const context = page.context()
    const scripts = watchScripts(page)
    await openAndSignIn(page, `${demo.origin}/support-access`)
    // A frame finds the session: from then on a frame that finds nobody says that it has ended.
    scripts.length = 0
    await comeBack(page)
    await expectEventually(() => scripts.filter((name) => AHEAD.includes(name)).toSorted(), AHEAD)
    await expectVisible(page.getByRole('heading', { name: 'Support access' }))
    await expectEventually(() => scripts.includes('appFetch'), true)
    // What else comes with the page has come.
    await page.waitForLoadState('networkidle')
    scripts.length = 0

    const auth = await authOf(page)
    await auth.evaluate((own, url) => own.fetch(url), `${demo.authServer.origin}/api/userinfo`)
    expect(
      await auth.evaluate((own) =>
        own.stepUp(undefined as never).catch((error: unknown) => Object(error).code),
      ),
    ).toBe('invalid-argument')

    await context.setOffline(true)
    await expectVisible(page.getByText('You are offline.', { exact: true }))
    await context.setOffline(false)
    await expectVisible(page.locator('.latchkey-toast').getByText('You are online again.'))

    demo.authServer.revokeAllSessions()
    await context.clearCookies()
    await auth.evaluate((own) => own.renew({ force: true }).catch(() => {}))
    const dialog = page.getByRole('dialog', { name: 'Your session ended' })
    const popup = await openPopup(page, dialog.getByRole('button', { name: 'Sign in', exact: true }))
    await popup.locator('button[value="anna"]').waitFor()
    await closeBy(popup, () => pick(popup, 'anna'))
    await dialog.waitFor({ state: 'detached' })
    expect(scripts).toEqual([])
  })
})

// The idle logout listens to frames and further windows, by the same file, from one second after the sign-in.
describe('a page without idle logout', () => {
  const demo = useDemo({ auth: { autoLogout: false } })

  it('asks for no script file ahead where the user saves data', async () => {
    const page = await demo.openPage()
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    )
    const scripts = watchScripts(page)
    await openAndSignIn(page, `${demo.origin}/support-access`)
    // Longer than any idle moment takes to come.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 1_500))))
    expect(scripts.filter((name) => AHEAD.includes(name))).toEqual([])
  })
})
