// The devtools in the whole app: they follow the real session, and the bundle on the clipboard holds no secret.

// @module-tag thorough

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { collectTokens, expectEventually, expectHeading, expectVisible } from '../page.ts'
import { openSignedIn } from '../user.ts'

describe('the devtools of the demo', { timeout: 120_000 }, () => {
  const demo = useDemo({ realtime: true })

  const tools = (page: Page) => page.getByRole('region', { name: 'Latchkey devtools' })
  const press = async (page: Page, name: string) => tools(page).getByRole('button', { name }).click()

  async function open(page: Page, path = '/'): Promise<void> {
    await openSignedIn(page, demo.origin + path)
    await page.getByRole('button', { name: 'Session devtools' }).click()
    await expectVisible(tools(page).getByText('Copy support bundle'))
  }

  it('show the session, and put a bundle without secrets on the clipboard', async () => {
    const context = await demo.openBrowser({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await context.newPage()
    const secrets: string[] = []
    page.on('request', (request) => {
      const { code = '', code_verifier: verifier = '' } = (request.postDataJSON() ?? {}) as Record<
        string,
        string
      >
      if (request.url().endsWith('/oauth/token')) secrets.push(code, verifier)
    })
    const tokens = await collectTokens(page)
    await open(page)
    await expectVisible(tools(page).getByText('1 tab holds the session, this one is among them.'))
    await expectVisible(tools(page).getByText('this tab, leads'))
    await press(page, 'Copy support bundle')
    await expectVisible(tools(page).getByText('Copied.'))
    const bundle = await page.evaluate(async () => navigator.clipboard.readText())
    expect(JSON.parse(bundle)).toMatchObject({
      page: demo.origin,
      status: 'authenticated',
      user: { userId: 'anna' },
    })
    const real = [...secrets, ...tokens].filter((secret) => secret.length > 3)
    expect(real.length).toBeGreaterThanOrEqual(4)
    const everywhere = bundle + (await tools(page).innerHTML())
    expect(real.filter((secret) => everywhere.includes(secret))).toEqual([])
  })

  it.each([360, 740, 1280])('lie beside the toasts, not under them: %i px', async (width) => {
    const page = await demo.openPage({ viewport: { width, height: 740 } })
    await openSignedIn(page, `${demo.origin}/tour`)
    await page.getByRole('button', { name: 'Six toasts at once' }).click()
    const toasts = page.locator('.latchkey-toast')
    await expectEventually(async () => toasts.count(), 3)
    await page.getByRole('button', { name: 'Session devtools', exact: true }).click()
    await expectVisible(tools(page).getByText('Copy support bundle'))
    const top = (await tools(page).boundingBox())?.y
    const lowest = async () =>
      toasts.evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().bottom)))
    await expectEventually(async () => (await lowest()) <= top!, true)
    const highest = await toasts.evaluateAll((all) =>
      Math.min(...all.map((one) => one.getBoundingClientRect().top)),
    )
    expect(highest).toBeGreaterThanOrEqual(0)
  })

  it('say outside the app too why the session ended', async () => {
    const page = await demo.openPage()
    await open(page)
    const elsewhere = await (await demo.openBrowser()).newPage()
    await openSignedIn(elsewhere, demo.origin)
    await expectHeading(page, /signed in/i)
    await page.getByRole('button', { name: 'Latchkey' }).click()
    await expectVisible(tools(page).getByText('session-clash', { exact: false }).first())
  })
})
