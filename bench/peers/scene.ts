// Sets up one contestant: its page, the server as it needs it, browsers with gauges.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'
import { buildPage, type PeerApp, startPeerApp } from './app.ts'
import { type Contestant, STANDARD_PATHS } from './contestants.ts'
import { installGauges } from './gauges.ts'
import { CLIENT_ID } from './provider.ts'
import { type PeerServer, startPeerServer } from './server.ts'

const PATIENCE_MS = 20_000

export interface Scene {
  readonly contestant: Contestant
  readonly origin: string
  readonly app: PeerApp
  readonly server: PeerServer
  setLatency(ms: number): void
  /** A separate browser, as on another computer. */
  openBrowser(options: { signsIn: boolean }): Promise<BrowserContext>
  /** Requests that the server received since the last `clear()` of its log. */
  asked(): string[]
  close(): Promise<void>
}

export async function openScene(contestant: Contestant): Promise<Scene> {
  const {
    paths = STANDARD_PATHS,
    issuerPath = '',
    redirectPaths = ['/'],
    readsRefreshTokens = false,
  } = contestant
  const folder = await buildPage(contestant.page, contestant.builder)
  const server = await startPeerServer({ paths, issuerPath, wrapsRefreshTokens: readsRefreshTokens })
  const config = { origin: server.origin, clientId: CLIENT_ID, mode: contestant.mode }
  const saidConfig = `<script>window.benchConfig = ${JSON.stringify(config)}</script>`
  const app = await startPeerApp({
    folder,
    head: saidConfig + ((await contestant.head?.(config)) ?? ''),
  })
  await server.openFor({ origin: app.origin, redirectPaths })
  const browser: Browser = await chromium.launch(chromiumLaunchOptions())

  return {
    contestant,
    origin: app.origin,
    app,
    server,
    setLatency(ms) {
      app.latencyMs = ms
      server.latencyMs = ms
    },
    async openBrowser(options) {
      const context = await browser.newContext()
      context.setDefaultTimeout(PATIENCE_MS)
      await context.addInitScript(installGauges, options)
      return context
    },
    asked: () =>
      server.requests
        .all()
        .map(({ method, path, prompt, grant }) =>
          [method, place(path), prompt, grant].filter(Boolean).join(' '),
        ),
    async close() {
      await browser.close()
      await Promise.all([app.close(), server.close()])
    },
  }
}

/** The path without the one-time part of interaction pages. */
const place = (path: string) => path.replace(/(sign-in|authorize)\/[^/]+$/, '$1/:uid')

/** Waits until the page is in this state. */
export async function inState(page: Page, status: string): Promise<void> {
  await page.locator(`html[data-status="${status}"]`).waitFor({ state: 'attached' })
}

/** Opens the page and waits until the user is signed in, by the button or by an existing session. */
export async function openSignedIn(scene: Scene, context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${scene.origin}/`)
  await inState(page, 'authenticated')
  return page
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
