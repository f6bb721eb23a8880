// A whole sign-in in a real browser, for an app that any bundler has built.
import { chromium, type Page } from 'playwright'
import { expect } from 'playwright/test'
import { startAuthServer } from '../../demo/authServer/start.ts'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'

export type Desk = Awaited<ReturnType<typeof openDesk>>

const PATIENCE = { timeout: 30_000, intervals: [50] }

export async function openDesk() {
  const authServer = await startAuthServer({ host: 'localhost', clientId: 'admin' })
  const browser = await chromium.launch(chromiumLaunchOptions())
  /** A page in a browser of its own; what its console complains of, apart from files that are not there. */
  const openPage = async () => {
    const context = await browser.newContext()
    context.setDefaultTimeout(PATIENCE.timeout)
    const page = await context.newPage()
    return { page, faults: faultsOf(page), close: async () => context.close() }
  }
  const sees = async (page: Page, heading: string) => page.getByRole('heading', { name: heading }).waitFor()
  const choose = async (page: Page) => page.locator('button[value="anna"]').click()
  const start = async (page: Page, address: string) => {
    authServer.registerApp({ redirectUris: [`${new URL(address).origin}/`] })
    await page.goto(address)
    await choose(page)
  }
  const isAt = async (page: Page, address: string, heading: string) => {
    await sees(page, heading)
    if (page.url() !== new URL(address).href) throw new Error(`the address is ${page.url()}`)
  }
  const requestsTo = (start: string) => authServer.requests.all().filter(({ path }) => path.startsWith(start))

  return {
    authHost: authServer.origin,
    openPage,
    /** Opens an address of the app in this page, and signs in. */
    start,
    revokeAllSessions: authServer.revokeAllSessions,
    /** At an address of the app: signs in, reloads, signs out and in again. Throws where the address is another, or the screen. */
    async signIn(address: string, heading = 'Hello Anna', headingForAll?: string): Promise<void> {
      const { page, faults, close } = await openPage()
      await start(page, address)
      await isAt(page, address, heading)
      await page.reload()
      await sees(page, heading)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('You are signed out.').waitFor()
      await page.waitForURL(address)
      if (headingForAll !== undefined) await sees(page, headingForAll)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await choose(page)
      await isAt(page, address, heading)
      await close()
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
    /** Signs in, and opens the app anew while none of its own files come: the early script has tokens without them, and the app takes them over. */
    async signInEarly(origin: string): Promise<void> {
      const { page: first, close } = await openPage()
      await start(first, origin)
      await isAt(first, origin, 'Hello Anna')
      const page = await first.context().newPage()
      await first.close()
      const faults = faultsOf(page)
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      await page.route(
        (url) => url.origin === origin,
        async (route) => {
          if (route.request().resourceType() === 'script') await held
          await route.continue()
        },
      )
      authServer.requests.clear()
      const tokenCalls = () => requestsTo('/oauth/token').filter(({ status }) => status === 200).length
      const opened = page.goto(origin)
      await expect.poll(tokenCalls, { ...PATIENCE, message: 'asked early' }).toBe(1)
      release()
      await opened
      await sees(page, 'Hello Anna')
      expect(tokenCalls()).toBe(1)
      await close()
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
    /** Signs in at a provider that binds tokens to the page's key, and reads what the app's own API gives. */
    async readBound(address: string): Promise<void> {
      const { page, close } = await openPage()
      await page.goto(address)
      await page.locator('input[name=login]').fill('anna')
      await page.locator('input[name=password]').fill('any')
      await page.locator('button[type=submit]').click()
      await page.getByRole('button', { name: 'Continue' }).click()
      await sees(page, 'Invoices of anna, bound: true')
      await close()
    },
    async close(): Promise<void> {
      await browser.close()
      await authServer.close()
    },
  }
}

function faultsOf(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
      faults.push(message.text())
  })
  return faults
}
