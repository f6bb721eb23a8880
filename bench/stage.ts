// Sets the scene of every measurement in a browser: the measured page, the demo's real servers, Chromium with instruments.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { build } from 'vite'
import type { AppConfig } from '../demo/appServer/appConfig.ts'
import { APP_CONFIG_MODULE } from '../demo/appServer/appConfig.ts'
import type { AuthServer } from '../demo/authServer/options.ts'
import { startDemo } from '../demo/startDemo.ts'
import { chromiumLaunchOptions } from '../scripts/findChromium.ts'
import { ENTRIES } from './built.ts'
import { installInstruments } from './page/benchPage.ts'

const PATIENCE_MS = 60_000
const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export interface Stage {
  readonly origin: string
  readonly authServer: AuthServer
  readonly browserVersion: string
  /** A browser of its own, as on another computer. */
  openBrowser(): Promise<BrowserContext>
  /** A page with a session: by the sign-in page, or from what the browser has already. */
  openSignedIn(context: BrowserContext): Promise<Page>
  /** Answers a measurement waits for: everything that came except preflights. */
  requests(): string[]
  close(): Promise<void>
}

export interface StageOptions {
  /** `latchkey/early` is inline in the page. */
  hasEarly?: boolean
  /** Scripts are interpreted only. */
  isInterpreted?: boolean
}

/** Machine code counts as heap, and so do the engine's notes for it: both come when a function has been called often, not for each renewal. */
const WITHOUT_COMPILERS = '--js-flags=--no-turbofan --no-maglev --no-sparkplug --no-lazy-feedback-allocation'

/** The page is built from the built package, as an app's bundler would do it. */
export async function openStage(
  auth: Partial<AppConfig['auth']> = {},
  { hasEarly = false, isInterpreted = false }: StageOptions = {},
): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  await buildPage(folder)
  const demo = await startDemo({
    app: { from: 'build', folder, hasEarly },
    accessTokenLifetimeSeconds: 600,
    // Only what a measurement asks for may happen, and a clock that is turned must not end the session.
    auth: { autoRefreshToken: false, autoLogout: false, ...auth },
  })
  const options = chromiumLaunchOptions()
  const browser: Browser = await chromium.launch(
    isInterpreted ? { ...options, args: [...options.args, WITHOUT_COMPILERS] } : options,
  )
  const { authServer, origin } = demo

  return {
    origin,
    authServer,
    browserVersion: browser.version(),
    async openBrowser() {
      const context = await browser.newContext()
      context.setDefaultTimeout(PATIENCE_MS)
      await context.addInitScript(installInstruments)
      return context
    },
    async openSignedIn(context) {
      const page = await context.newPage()
      await page.goto(origin)
      const somebody = page.locator('button[value="anna"]')
      const app = signedIn(page)
      await Promise.race([somebody.waitFor(), app])
      if (await somebody.isVisible()) await somebody.click()
      await app
      return page
    },
    requests: () =>
      authServer.requests
        .all()
        .filter(({ method }) => method !== 'OPTIONS')
        .map(({ method, path, prompt }) => [method, path, prompt].filter(Boolean).join(' ')),
    async close() {
      await browser.close()
      await demo.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until the page is in this state. */
export async function inState(page: Page, status: string): Promise<void> {
  await page.locator(`html[data-status="${status}"]`).waitFor({ state: 'attached' })
}

export const signedIn = async (page: Page): Promise<void> => inState(page, 'authenticated')

async function buildPage(outDir: string): Promise<void> {
  await build({
    root: fromHere('page'),
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    resolve: { alias: ENTRIES },
    plugins: [
      {
        name: 'bench-app-config',
        enforce: 'pre',
        resolveId: (source) =>
          source === APP_CONFIG_MODULE ? { id: '/app-config.js', external: 'absolute' } : undefined,
      },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      reportCompressedSize: false,
      rolldownOptions: { checks: { moduleLevelDirective: false } },
    },
  })
}
