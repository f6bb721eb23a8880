// What a test waits for on a page, and what it reads of it.
import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'
import { PATIENCE_MS } from './fixture.ts'

/** Waits until the app itself is shown. */
export async function expectSignedIn(page: Page): Promise<void> {
  await page.locator('#content').waitFor()
}

/** Waits until the user can see this. */
export async function expectVisible(locator: Locator): Promise<void> {
  await locator.waitFor()
}

/** Waits for a page with this main heading. */
export async function expectHeading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/** Opens "What happened" on a page outside of the app, and waits for these words of a step: another page may take its place, closed. */
export async function expectHappened(page: Page, words: string | RegExp): Promise<void> {
  const details = page.locator('.gate-card details, .latchkey-gate details')
  await expectEventually(async () => {
    await details.evaluate((one: HTMLDetailsElement) => (one.open = true))
    return details.getByText(words).first().isVisible()
  }, true)
}

/** Gives the page another size, and the app two frames to learn of it: what it draws by a media query of its own comes a frame later. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(
    async () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

/** The address as the page has it, byte for byte. */
export const addressOf = async (page: Page): Promise<string> => page.evaluate(() => location.href)

/**
 * The access and refresh tokens that the page gets from now on. Read on their way to the page: a browser that is asked for a
 * response afterwards may have it no more.
 */
export async function collectTokens(page: Page): Promise<readonly string[]> {
  const tokens: string[] = []
  await page.route('**/oauth/token', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const response = await route.fetch()
    const answer = (await response.json()) as Record<string, unknown>
    if (response.ok()) tokens.push(String(answer['access_token']), String(answer['refresh_token']))
    await route.fulfill({ response })
  })
  return tokens
}

/** Waits until a count or a text that a server or a page gives is as expected. */
export async function expectEventually<Value>(
  read: () => Value | Promise<Value>,
  value: Value,
): Promise<void> {
  await expect.poll(read, { timeout: PATIENCE_MS, interval: 50 }).toEqual(value)
}
