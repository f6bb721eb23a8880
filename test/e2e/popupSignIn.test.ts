// Signing in in a window, in real Chromium: the page and what was typed into it stay, with and without an opener policy of the server.
import type { BrowserContext, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { authOf } from './authOf.ts'
import { addressOf, expectEventually, expectHeading, openAndSignIn, pick, useDemo } from './fixture.ts'
import { closeBy } from './popup.ts'

const TYPED = 'Zürich 🚲 “half a sentence” \t and so on'

/** A field of the app's own, and a button that signs in in a window. */
async function addField(page: Page): Promise<void> {
  const auth = await authOf(page)
  await page.evaluate((own) => {
    const field = document.createElement('textarea')
    field.id = 'typed'
    const button = document.createElement('button')
    button.id = 'sign-in'
    button.textContent = 'Sign in in a window'
    const how = document.createElement('output')
    how.id = 'how'
    button.addEventListener('click', () => {
      how.textContent = 'open'
      own.login({ display: 'popup' }).then(
        () => (how.textContent = 'done'),
        (error: unknown) => (how.textContent = (error as { code: string }).code),
      )
    })
    document.body.append(field, button, how)
  }, auth)
  await page.locator('#typed').fill(TYPED)
}

const how = (page: Page) => page.locator('#how').textContent()
const userOf = async (page: Page) =>
  (await authOf(page)).evaluate((auth) => {
    const state = auth.getState()
    return state.status === 'authenticated' ? state.user.userId : state.status
  })

async function openWindow(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.locator('#sign-in').click()])
  await popup.locator('button[value="anna"]').waitFor()
  return popup
}

/** The server's pages in windows cut themselves off, as those of many providers do. */
const cutOff = (context: BrowserContext, authHost: string) =>
  context.route(`${authHost}/**`, async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    await route.fulfill({
      response,
      headers: { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' },
    })
  })

describe.each([
  ['without latchkey/early', false],
  ['with latchkey/early', true],
])('a sign-in in a window, %s', (_how, hasEarly) => {
  const demo = useDemo({ hasEarly })

  /** Signed out on the page of the app. */
  async function openSignedOut(isCutOff = false) {
    const context = await demo.openBrowser()
    const page = await context.newPage()
    await openAndSignIn(page, `${demo.origin}/security?a=b#c`)
    demo.authServer.revokeAllSessions()
    await context.clearCookies()
    const auth = await authOf(page)
    await auth.evaluate((own) => own.renew({ force: true }).catch(() => {}))
    await expectHeading(page, 'Your session has ended')
    await addField(page)
    if (isCutOff) await cutOff(context, demo.authServer.origin)
    return { context, page }
  }

  it.each([false, true])('leaves every character where it was; the server cuts off: %s', async (isCutOff) => {
    const { context, page } = await openSignedOut(isCutOff)
    const field = await page.locator('#typed').elementHandle()
    if (!field) throw new Error('there is no field')
    const popup = await openWindow(page)
    const drawn: string[] = []
    popup.on('framenavigated', (frame) => drawn.push(frame.url()))
    await closeBy(popup, () => pick(popup, 'anna'))
    await expectEventually(() => how(page), 'done')
    expect(await field.evaluate((element) => Reflect.get(element, 'value') as unknown)).toBe(TYPED)
    expect(await field.evaluate((element) => element.isConnected)).toBe(true)
    expect([await userOf(page), await addressOf(page)]).toEqual(['anna', `${demo.origin}/security?a=b#c`])
    expect(context.pages()).toHaveLength(1)
    // Once for the first sign-in, once for this one: the window's page asks for nothing.
    expect(demo.tokenCalls('authorization_code')).toBe(2)
  })

  it('is told to another tab', async () => {
    const { context, page } = await openSignedOut()
    const popup = await openWindow(page)
    await closeBy(popup, () => pick(popup, 'anna'))
    await expectEventually(() => how(page), 'done')
    const other = await context.newPage()
    await other.goto(demo.origin)
    await other.locator('#content').waitFor()
    expect(await userOf(other)).toBe('anna')
    expect(demo.tokenCalls('authorization_code')).toBe(2)
  })

  it('closed by hand says so, and the text stays', async () => {
    const { page } = await openSignedOut()
    const popup = await openWindow(page)
    await popup.close()
    await expectEventually(() => how(page), 'popup-closed')
    expect(await page.locator('#typed').inputValue()).toBe(TYPED)
    expect(await userOf(page)).toBe('unauthenticated')
  })

  it('comes to the front with a second click', async () => {
    const { context, page } = await openSignedOut()
    const popup = await openWindow(page)
    await page.locator('#sign-in').click()
    expect(context.pages()).toHaveLength(2)
    await closeBy(popup, () => pick(popup, 'anna'))
    await expectEventually(() => how(page), 'done')
  })
})
