// A file of the library that is loaded later does not come, as after a deployment that took the old ones away, or behind a blocker.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectVisible } from '../page.ts'
import { button, openSignedIn } from '../user.ts'

// Warnings of ours; nothing may be uncaught.
const COMPLAINTS = /^\[latchkey\] Real time is not available/

/** Refuses a file of the build by its name, until the answer is called; says how often it was asked for. */
async function withhold(page: Page, file: string) {
  const pattern = new RegExp(`/assets/${file}-[\\w-]+\\.js$`)
  let count = 0
  await page.route(pattern, async (route) => {
    count += 1
    await route.abort()
  })
  return { count: () => count, release: async () => page.unroute(pattern) }
}

describe('a file that does not come', () => {
  const demo = useDemo({ realtime: true })

  it('what the app’s own requests need: they fail, and work when it comes', async () => {
    demo.expectOnConsole(COMPLAINTS)
    const page = await demo.openPage()
    const file = await withhold(page, 'appFetch')
    await openSignedIn(page, `${demo.origin}/sessions`)
    await expectVisible(page.getByText('Not live at the moment'))
    await file.release()
    await expectVisible(page.locator('.page-head').getByText('Live', { exact: true }))
    await button(page, 'Send to me').click()
    await expectVisible(page.getByText('To you'))
  })
})
