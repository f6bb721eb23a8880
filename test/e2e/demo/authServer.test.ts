// The demo's authorization server in real Chromium: its pages, the hidden frame, popups, cookies and cut-off windows.

// @module-tag thorough

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listenOnLoopback, type Listening } from '../../../demo/authServer/listen.ts'
import type { AuthServer, AuthServerOptions } from '../../../demo/authServer/options.ts'
import { startAuthServer } from '../../../demo/authServer/start.ts'
import { authorizeUrl, createProofKey } from '../../../demo/authServer/visitor.ts'
import { startCloudProvider, type CloudProvider } from '../../../demo/cloudProvider/start.ts'
import { chromiumLaunchOptions } from '../../../scripts/findChromium.ts'
import { finishPopup } from '../popups/popup.ts'

const CLIENT_ID = 'demo-admin'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser
let context: BrowserContext
let app: Listening
let cloud: CloudProvider
let server: AuthServer
/** What the browser complained about: blocked scripts or styles, failed messages. */
let complaints: string[]

beforeAll(async () => {
  browser = await chromium.launch(chromiumLaunchOptions())
})

afterAll(() => browser.close())

async function open(options: AuthServerOptions = {}, appHost = '127.0.0.1'): Promise<void> {
  app = await listenOnLoopback({ host: appHost, port: 0 }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><html lang="en"><title>App</title><h1>App</h1></html>')
  })
  cloud = await startCloudProvider()
  server = await startAuthServer({
    redirectUris: [`${app.origin}/`],
    cloudProviderOrigin: cloud.origin,
    ...options,
  })
  cloud.allowReturnTo(server.origin)
  context = await browser.newContext()
  complaints = []
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
}

beforeEach(() => open())

afterEach(close)

async function close(): Promise<void> {
  await context.close()
  await Promise.all([server.close(), app.close(), cloud.close()])
}

async function reopen(options: AuthServerOptions, appHost: string): Promise<void> {
  await close()
  await open(options, appHost)
}

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

/**
 * What the hidden frame posts to the app page, with who posted it; it is waited for.
 * `isRefused`: undefined when nothing has come a second after the frame has loaded.
 */
async function askFrame(
  page: Page,
  url: string,
  { isRefused = false } = {},
): Promise<{ origin: string; isFrame: boolean; data: unknown } | undefined> {
  return page.evaluate(
    ([source, isShort]) =>
      new Promise<{ origin: string; isFrame: boolean; data: unknown } | undefined>((resolve) => {
        const frame = document.createElement('iframe')
        addEventListener('message', ({ origin, data, source: sender }) =>
          resolve({ origin, isFrame: sender === frame.contentWindow, data: data as unknown }),
        )
        if (isShort) frame.addEventListener('load', () => setTimeout(() => resolve(undefined), 1000))
        frame.hidden = true
        frame.src = source
        document.body.append(frame)
      }),
    [url, isRefused] as const,
  )
}

const frameAddress = (): string => address({ prompt: 'none', response_mode: 'web_message' })

/** Opens a popup from the app page, as a click would, and collects what is posted to the app from then on. */
async function openPopup(page: Page, path: string): Promise<Page> {
  const opened = context.waitForEvent('page')
  await page.evaluate((url) => {
    const seen: unknown[] = []
    Object.assign(window, { seen })
    addEventListener('message', ({ origin, data }) => seen.push({ origin, data: data as unknown }))
    window.open(url, 'popup', 'popup,width=480,height=640')
  }, `${server.origin}${path}`)
  return opened
}

const postedTo = (page: Page): Promise<unknown> =>
  page.evaluate(() => (window as unknown as { seen: unknown }).seen)

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

  it('goes back to the app when somebody cancels', async () => {
    const page = await context.newPage()
    await page.goto(address())
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(`${app.origin}/?*`)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
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

describe('the hidden frame', () => {
  it('posts a code to the app of the same host', async () => {
    const page = await signIn('anna')
    expect(await askFrame(page, frameAddress())).toEqual({
      origin: server.origin,
      isFrame: true,
      data: {
        type: 'authorization_response',
        response: { code: expect.any(String), state: 'aB3dE6', iss: server.origin },
      },
    })
    expect(complaints).toEqual([])
  })

  it('posts login_required when nobody is signed in', async () => {
    const page = await context.newPage()
    await page.goto(app.origin)
    expect(await askFrame(page, frameAddress())).toMatchObject({
      data: { response: { error: 'login_required' } },
    })
  })

  it.each(['x-frame-options', 'csp'] as const)(
    'posts nothing when it refuses to be framed by %s',
    async (refuseFraming) => {
      const page = await signIn('anna')
      server.faults.refuseFraming = refuseFraming
      expect(await askFrame(page, frameAddress(), { isRefused: true })).toBeUndefined()
    },
  )

  it('has no session on another site, as with blocked third-party cookies, while redirects work', async () => {
    await reopen({}, 'localhost')
    const page = await signIn('anna')
    expect(await askFrame(page, frameAddress())).toMatchObject({
      data: { response: { error: 'login_required' } },
    })
    await page.goto(address({ prompt: 'none' }))
    expect(new URL(page.url()).searchParams.has('code')).toBe(true)
  })
})

describe('a popup', () => {
  it('goes over the cloud provider and tells the app closeMe', async () => {
    const page = await signIn('elif')
    const popup = await openPopup(page, `/cloudprovider/link?client_id=${CLIENT_ID}`)
    await popup.waitForURL(`${cloud.origin}/**`)
    await popup.getByRole('button', { name: 'Approve' }).click()
    await popup.waitForURL(`${server.origin}/oauth/close*`)
    await expect.poll(() => postedTo(page)).toEqual([{ origin: server.origin, data: 'closeMe' }])
    expect(server.accounts.links.get('elif')?.account.id).toBe('cumulus-anna')
    expect(complaints).toEqual([])
  })

  it('ends by itself with its button', async () => {
    const page = await signIn('elif')
    const popup = await openPopup(page, `/oauth/close?client_id=${CLIENT_ID}`)
    await finishPopup(popup, 'Close this window')
    expect(popup.isClosed()).toBe(true)
  })

  it('cannot reach the app when it is cut off from its opener', async () => {
    server.faults.severPopups = true
    const page = await signIn('elif')
    const popup = await openPopup(page, `/oauth/close?client_id=${CLIENT_ID}`)
    await popup.getByRole('heading', { name: 'Done' }).waitFor()
    expect(await popup.evaluate(() => window.opener === null)).toBe(true)
    expect(await postedTo(page)).toEqual([])
  })

  it('changes the password of whoever is signed in', async () => {
    const page = await signIn('anna')
    const popup = await openPopup(page, `/oauth/changepassword?client_id=${CLIENT_ID}`)
    await popup.getByLabel('Current password').fill('demo-password')
    await popup.getByLabel('New password', { exact: false }).first().fill('a longer one')
    await popup.getByLabel('New password again').fill('a longer one')
    await popup.getByRole('button', { name: 'Change password' }).click()
    await expect.poll(() => postedTo(page)).toEqual([{ origin: server.origin, data: 'closeMe' }])
    expect(server.accounts.passwords.isRight('anna', 'a longer one')).toBe(true)
  })
})
