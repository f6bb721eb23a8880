// A whole sign-in in a real browser, for an app that any bundler has built.
import { chromium } from 'playwright'
import { startAuthServer } from '../../demo/authServer/start.ts'
import { chromiumLaunchOptions } from '../findChromium.ts'

export interface Desk {
  readonly authHost: string
  /** Signs in at the app of this origin, reloads and signs out; throws when anything is not as it should be. */
  signIn(origin: string): Promise<void>
  close(): Promise<void>
}

export async function openDesk(): Promise<Desk> {
  const authServer = await startAuthServer({ host: 'localhost', clientId: 'admin' })
  const browser = await chromium.launch(chromiumLaunchOptions())
  return {
    authHost: authServer.origin,
    async signIn(origin) {
      authServer.registerApp({ redirectUris: [`${origin}/`] })
      const context = await browser.newContext()
      context.setDefaultTimeout(30_000)
      const page = await context.newPage()
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
      await context.close()
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
    async close() {
      await browser.close()
      await authServer.close()
    },
  }
}
