// A whole sign-in in a real browser, for an app that any bundler has built.
import { chromium, type Page } from 'playwright'
import type { Auth } from '../../src/session/auth.ts'
import { startAuthServer } from '../../demo/authServer/start.ts'
import { chromiumLaunchOptions } from '../findChromium.ts'

export interface Desk {
  readonly authHost: string
  /** Signs in at the app of this origin, reloads and signs out; throws when anything is not as it should be. */
  signIn(origin: string): Promise<void>
  /** Opens an address of the app, signs in, and is led back to that very address and this heading. */
  signInTo(address: string, heading: string): Promise<void>
  /** Signs in, and opens the app anew while none of its own files come: the early script has tokens without them, and the app takes them over. */
  signInEarly(origin: string): Promise<void>
  /** Signs in and reloads: the session worker gives the session, and nothing is asked of the server. The app says what its `auth` is. */
  reloadByWorker(origin: string): Promise<void>
  /** Signs in at a provider that binds tokens to the page's key, and reads what the app's own API gives. */
  readBound(address: string): Promise<void>
  close(): Promise<void>
}

export async function openDesk(): Promise<Desk> {
  const authServer = await startAuthServer({ host: 'localhost', clientId: 'admin' })
  const browser = await chromium.launch(chromiumLaunchOptions())
  const openPage = async () => {
    const context = await browser.newContext()
    context.setDefaultTimeout(30_000)
    return context.newPage()
  }
  return {
    authHost: authServer.origin,
    async signIn(origin) {
      authServer.registerApp({ redirectUris: [`${origin}/`] })
      const page = await openPage()
      const faults: string[] = []
      page.on('pageerror', ({ message }) => faults.push(message))
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
          faults.push(message.text())
      })
      await page.goto(`${origin}/?page=2`)
      await page.locator('button[value="anna"]').click()
      await page.getByRole('heading', { name: 'Hello Anna' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Hello Anna' }).waitFor()
      if (page.url() !== `${origin}/?page=2`) faults.push(`the address is ${page.url()}`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('You are signed out.').waitFor()
      await page.context().close()
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
    async signInTo(address, heading) {
      const page = await openPage()
      await page.goto(address)
      await page.locator('button[value="anna"]').click()
      await page.getByRole('heading', { name: heading }).waitFor()
      if (page.url() !== address) throw new Error(`the address is ${page.url()}`)
      await page.context().close()
    },
    async signInEarly(origin) {
      authServer.registerApp({ redirectUris: [`${origin}/`] })
      const first = await openPage()
      await first.goto(origin)
      await first.locator('button[value="anna"]').click()
      await first.getByRole('heading', { name: 'Hello Anna' }).waitFor()
      const page = await first.context().newPage()
      await first.close()
      const faults: string[] = []
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      await page.route(
        (url) => url.origin === origin,
        async (route) => {
          if (route.request().resourceType() === 'script') await held
          await route.continue()
        },
      )
      authServer.requests.clear()
      const tokenCalls = () =>
        authServer.requests.all().filter(({ path, status }) => path === '/oauth/token' && status === 200)
      const opened = page.goto(origin)
      const endMs = Date.now() + 30_000
      while (tokenCalls().length === 0) {
        if (Date.now() > endMs) throw new Error(`nothing was asked early; ${faults.join('\n')}`)
        await page.waitForTimeout(50)
      }
      release()
      await opened
      await page.getByRole('heading', { name: 'Hello Anna' }).waitFor()
      if (tokenCalls().length !== 1) faults.push(`${tokenCalls().length} token calls, in place of one`)
      await page.context().close()
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
    async reloadByWorker(origin) {
      const page = await openPage()
      await page.goto(origin)
      await page.locator('button[value="anna"]').click()
      // A busy machine may need longer than the 150 ms that are waited.
      for (let count = 0; count < 5; count += 1) {
        await untilExplained(page, 'session for the next page: sealed')
        authServer.requests.clear()
        await page.reload()
        await page.getByRole('heading', { name: 'Hello Anna' }).waitFor()
        const asked = authServer.requests.all().filter(({ path }) => path.startsWith('/oauth/'))
        if (asked.length === 0) return page.context().close()
      }
      throw new Error(`the server was asked at each reload: ${(await explained(page)).join('; ')}`)
    },
    async readBound(address) {
      const page = await openPage()
      await page.goto(address)
      await page.locator('input[name=login]').fill('anna')
      await page.locator('input[name=password]').fill('any')
      await page.locator('button[type=submit]').click()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Invoices of anna, bound: true' }).waitFor()
      await page.context().close()
    },
    async close() {
      await browser.close()
      await authServer.close()
    },
  }
}

/** What `auth.explain()` says; the app has put `auth` on its window. */
const explained = async (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    (Reflect.get(window, 'auth') as Auth).explain().map(({ step, detail }) => `${step}: ${detail}`),
  )

async function untilExplained(page: Page, wanted: string): Promise<void> {
  const endMs = Date.now() + 30_000
  for (;;) {
    const steps: string[] = await explained(page).catch(() => [])
    if (steps.includes(wanted)) return
    if (Date.now() > endMs) throw new Error(`explain() does not say "${wanted}": ${steps.join('; ')}`)
    await page.waitForTimeout(50)
  }
}
