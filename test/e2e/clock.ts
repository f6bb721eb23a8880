// Pages whose clock a test moves on: begun with nothing on its way, because what is has its time-out with the first move.
import type { Page } from 'playwright'
import { authOf } from './authOf.ts'
import { expectHeading } from './page.ts'
import { openSignedIn } from './user.ts'

/** Opens the home page with a clock of its own and signs in; comes back when all that a session needs is there. */
export async function openWithClock(
  page: Page,
  address: string,
  { time }: { time?: number } = {},
): Promise<void> {
  await page.clock.install(time === undefined ? {} : { time })
  await openSignedIn(page, address)
  await expectHeading(page, /, Anna$/)
  await page.waitForLoadState('networkidle')
}

/** Takes the clock to so many milliseconds before the end of the token, however slow the page was, and stops it there. */
export async function stopClockBeforeExpiry(page: Page, milliseconds: number): Promise<void> {
  const auth = await authOf(page)
  const expiresAtMs = await auth.evaluate((one) => {
    const state = one.getState()
    return state.status === 'authenticated' ? state.expiresAtMs : undefined
  })
  await page.clock.pauseAt(expiresAtMs! - milliseconds)
}
