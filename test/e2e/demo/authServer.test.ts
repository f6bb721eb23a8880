// The pages of the demo's authorization server in real Chromium. Its frame and popups are those of every other test here.

// @module-tag thorough

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listenOnLoopback, type Listening } from '../../../demo/authServer/listen.ts'
import { type AuthServer, startAuthServer } from '../../../demo/authServer/start.ts'
import { authorizeUrl, createProofKey } from '../../../demo/authServer/visitor.ts'
import { chromiumLaunchOptions } from '../../../scripts/findChromium.ts'

const CLIENT_ID = 'demo-admin'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser
let context: BrowserContext
let app: Listening
let server: AuthServer
/** What the browser complained about: blocked scripts or styles, failed messages. */
let complaints: string[]

beforeAll(async () => {
  browser = await chromium.launch(chromiumLaunchOptions())
})

afterAll(() => browser.close())

beforeEach(async () => {
  app = await listenOnLoopback({ host: '127.0.0.1', port: 0 }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><html lang="en"><title>App</title><h1>App</h1></html>')
  })
  server = await startAuthServer({ redirectUris: [`${app.origin}/`] })
  context = await browser.newContext()
  complaints = []
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
})

afterEach(async () => {
  await context.close()
  await Promise.all([server.close(), app.close()])
})

const address = (parameters: Record<string, string> = {}): string =>
  authorizeUrl({
    origin: server.origin,
    redirectUri: `${app.origin}/`,
    challenge: createProofKey().challenge,
    parameters,
  })

async function signIn(account: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address())
  await page.locator(`button[value="${account}"]`).click()
  await page.waitForURL(`${app.origin}/?code=*`)
  return page
}

describe('the pages', () => {
  const visits: [string, string, (page: Page) => Promise<void>][] = [
    ['sign-in', '', async (page) => void (await page.goto(address({ remember_me: 'true' })))],
    ['logout', 'anna', (page) => visit(page, '/oauth/logout')],
    ['change password', 'anna', (page) => visit(page, '/oauth/changepassword')],
    [
      'refused password',
      'anna',
      async (page) => {
        await visit(page, '/oauth/changepassword')
        for (const name of ['current', 'next', 'repeat'])
          await page.locator(`input[name="${name}"]`).fill('wrong one')
        await page.getByRole('button', { name: 'Change password' }).click()
        await page.getByRole('alert').waitFor()
      },
    ],
    ['close', '', (page) => visit(page, '/oauth/close')],
    ['a popup without a session', '', (page) => visit(page, '/cloudprovider/link')],
    ['an error', '', async (page) => void (await page.goto(`${server.origin}/nothing`))],
    ['the cloud asking to link', 'anna', (page) => visit(page, '/cloudprovider/link')],
    ['the cloud asking to unlink', 'bram', (page) => visit(page, '/cloudprovider/unlink')],
    ['the cloud asking for consent', 'anna', (page) => visit(page, '/cloudprovider/adminconsent')],
  ]

  const visit = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${server.origin}${path}?client_id=${CLIENT_ID}`)
  }

  it.each(visits)(
    '%s: no accessibility fault and nothing cut off, light and dark, from 360 px',
    async (_name, account, go) => {
      if (account !== '') await signIn(account)
      const page = await context.newPage()
      await page.setViewportSize({ width: 360, height: 740 })
      await go(page)
      await page.evaluate(AXE)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const { violations } = await page.evaluate(() =>
          (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
        )
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        ).toEqual([])
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      expect(await page.locator('footer').innerText()).toContain('Demo and test tool.')
      expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
    },
  )

  it('lets somebody sign in with the keyboard only', async () => {
    const page = await context.newPage()
    await page.goto(address())
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await page.getByRole('checkbox').isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('value'))).toBe('anna')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${app.origin}/?code=*`)
    expect(
      (await context.cookies(server.origin)).find(({ name }) => name.endsWith('_session'))?.expires,
    ).toBeGreaterThan(Date.now() / 1000 + 86_400)
  })

  it('signs in one person after another in the same browser', async () => {
    await signIn('anna')
    const page = await context.newPage()
    await page.goto(address({ prompt: 'login' }))
    await page.locator('button[value="bram"]').click()
    await page.waitForURL(`${app.origin}/?code=*`)
    const logout = await context.newPage()
    await logout.goto(`${server.origin}/oauth/logout?client_id=${CLIENT_ID}`)
    expect(await logout.locator('h1').innerText()).toBe('Sign out Bram Jansen?')
    expect(complaints).toEqual([])
  })
})
