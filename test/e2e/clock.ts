// Pages whose clock a test moves on: begun with nothing on its way, because what is has its time-out with the first move.
import type { BrowserContext, Page } from 'playwright'
import { expect } from 'vitest'
import { authOf } from './authOf.ts'
import type { TestDemo } from './fixture.ts'
import { expectHeading, expectVisible } from './page.ts'
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

/**
 * From its next document on no timer of 400 ms or more fires: no limit is over and nothing is repeated by itself, however slow
 * the machine is. For a test of what comes of an answer or of a click, not of time.
 */
export const stopLongTimers = (pages: Page | BrowserContext): Promise<unknown> =>
  pages.addInitScript(() => {
    const { setTimeout: usual } = window
    const timer = (work: () => void, delayMs = 0, ...rest: unknown[]) =>
      usual(work, delayMs < 400 ? delayMs : 2 ** 31 - 1, ...rest)
    Object.assign(window, { setTimeout: timer })
  })

/** Renewed once, 30 seconds before the token expires and not sooner. */
export async function expectRenewalInTime(page: Page, demo: TestDemo): Promise<void> {
  await stopClockBeforeExpiry(page, 45_000)
  await expectVisible(page.getByTestId('renewal-due').getByText('renews in 0:15', { exact: true }))
  expect(demo.tokenCalls('refresh_token')).toBe(0)
  await page.clock.fastForward(16_000)
  await page.clock.resume()
  await expectVisible(page.getByText('1 in this tab'))
  expect(demo.tokenCalls('refresh_token')).toBe(1)
}

/** Takes the clock to so many milliseconds before the end of the token, however slow the page was, and stops it there. */
async function stopClockBeforeExpiry(page: Page, milliseconds: number): Promise<void> {
  const auth = await authOf(page)
  const expiresAtMs = await auth.evaluate((one) => {
    const state = one.getState()
    return state.status === 'authenticated' ? state.expiresAtMs : undefined
  })
  await page.clock.pauseAt(expiresAtMs! - milliseconds)
}
