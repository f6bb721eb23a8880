// The common walk in real Chromium: the library in a page of its own, real redirects, frames and cookies; the same at every server.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type BrowserContext, chromium, type Page } from 'playwright'
import { build } from 'vite'
import { listenOnLoopback } from '../../../demo/authServer/listen.ts'
import { findFreePort } from '../../../scripts/browsers/freePort.ts'
import { chromiumLaunchOptions } from '../../../scripts/findChromium.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { must } from './rig.ts'
import type { InteropServer, RunningServer } from './server.ts'
import { limited, type Step, type Tell } from './walks.ts'

const SRC = join(import.meta.dirname, '../../../src')
const PATIENCE_MS = 60_000
const LOOKS_EVERY_MS = 50
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.json': 'application/json' }

declare global {
  interface Window {
    auth?: Auth
  }
}

/** Each step goes on from the one before: what fails ends the walk. */
export async function walkInChromium(
  server: RunningServer,
  app: string,
  _known: InteropServer,
  tell: Tell,
): Promise<Step[]> {
  const site = await serveApp(server, app)
  const browser = await chromium.launch(chromiumLaunchOptions())
  const steps: Step[] = []
  try {
    const context = await browser.newContext()
    context.setDefaultTimeout(PATIENCE_MS)
    for (const [title, run] of STEPS) {
      const step = { title: `in Chromium: ${title}` }
      try {
        const scene = { server, context, app, version: browser.version() }
        steps.push({ ...step, isRight: true, found: await limited(title, run(scene)) })
        tell(steps.at(-1)!)
      } catch (error) {
        const where = context.pages().map((page) => page.url())
        steps.push({ ...step, isRight: false, found: `${String(error)}; ${where.join(', ')}` })
        tell(steps.at(-1)!)
        break
      }
    }
  } finally {
    await browser.close()
    await site.close()
  }
  return steps
}

interface Scene {
  readonly server: RunningServer
  readonly context: BrowserContext
  readonly app: string
  readonly version: string
}

const STEPS: readonly (readonly [title: string, run: (scene: Scene) => Promise<string>])[] = [
  [
    'a sign-in from a deep link',
    async ({ context, app, version }) => {
      const page = await context.newPage()
      await page.goto(`${app}invoices?page=2`)
      must((await arrive(page, app)) > 0, 'no page of the server')
      await mustBe(page, 'authenticated')
      must(page.url() === `${app}invoices?page=2`, `came back to ${page.url()}`)
      return `back at the place; Chromium ${version}`
    },
  ],
  [
    'a reload',
    async ({ context, app }) => {
      const [page] = context.pages()
      await page!.reload()
      must((await arrive(page!, app)) === 0, 'a page of the server came')
      await mustBe(page!, 'authenticated')
      return 'signed in, and no page of the server'
    },
  ],
  [
    'a new tab',
    async ({ context, app }) => {
      const page = await context.newPage()
      const asked: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(app)) asked.push(request.url())
      })
      await page.goto(`${app}users`)
      must((await arrive(page, app)) === 0, 'a page of the server came')
      await mustBe(page, 'authenticated')
      must(asked.length === 0, `asked for ${asked.join(', ')}`)
      return 'signed in by the first one, without a request'
    },
  ],
  [
    'a renewal',
    async ({ context }) => {
      const [first, second] = context.pages()
      const before = await tokenOf(first!)
      await first!.evaluate(() => window.auth!.renew({ force: true }))
      const after = await tokenOf(first!)
      must(after !== before, 'the same token')
      await until(async () => (await tokenOf(second!)) === after, 'the other tab has the token')
      return 'another token, the same in both tabs'
    },
  ],
  [
    'a logout, and the other tab',
    async ({ context, app }) => {
      const [first, second] = context.pages()
      // It may be back at its place before anybody has looked.
      const leaves = leaving(first!, app)
      await first!.evaluate(() => void window.auth!.logout())
      await until(async () => (await stateOf(second!)).status === 'unauthenticated', 'the other tab ends')
      await leaves
      await arrive(first!, app)
      for (const page of [first!, second!]) {
        await mustBe(page, 'unauthenticated')
        const { reason } = await stateOf(page)
        must(reason === 'signed-out', String(reason))
      }
      return 'signed out in both, and back at the app'
    },
  ],
  [
    'a sign-in after it',
    async ({ context, app }) => {
      const [, second] = context.pages()
      const leaves = leaving(second!, app)
      await second!.evaluate(() => void window.auth!.login())
      await leaves
      must((await arrive(second!, app)) > 0, 'nobody was asked for the password')
      await mustBe(second!, 'authenticated')
      return 'the password is asked for again'
    },
  ],
  [
    'a sign-out in another app',
    async ({ server, context, app }) => {
      const address = await server.signOutOfAll?.(`${app}signed-out.html`)
      if (address === undefined) return 'not walked: no front-channel logout'
      const [, second] = context.pages()
      const other = await context.newPage()
      await other.goto(address)
      await other.locator('form [type=submit]').first().click()
      await until(async () => (await stateOf(second!)).status === 'unauthenticated', 'the tab ends')
      const { reason } = await stateOf(second!)
      must(reason === 'signed-out', String(reason))
      return 'the page in its frame ended the session in the other tab'
    },
  ],
]

const stateOf = async (page: Page): Promise<{ status?: string; reason?: string; cause?: string }> =>
  page
    .evaluate(() => {
      const state = window.auth?.getState()
      if (state === undefined) return {}
      const error = state.status === 'failed' ? state.error : 'cause' in state ? state.cause : undefined
      const { status } = state
      return {
        status,
        ...('reason' in state && { reason: state.reason }),
        ...(error && { cause: String(error) }),
      }
    })
    .catch(() => ({}))

async function mustBe(page: Page, status: string): Promise<void> {
  const state = await stateOf(page)
  must(state.status === status, JSON.stringify(state))
}

const tokenOf = async (page: Page) => page.evaluate(() => window.auth!.getAccessToken())

/** Ask for it before the tab is told to leave. */
const leaving = async (page: Page, app: string) =>
  page.waitForRequest(
    (request) =>
      request.isNavigationRequest() && request.frame() === page.mainFrame() && !request.url().startsWith(app),
  )

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (let leftMs = PATIENCE_MS; leftMs > 0; leftMs -= LOOKS_EVERY_MS) {
    if (await isSo()) return
    await wait(LOOKS_EVERY_MS)
  }
  throw new Error(`Not within ${PATIENCE_MS / 1000} s: ${what}`)
}

/** Does what a person does on the pages of the server, until the app has come to rest; resolves with how many they were. */
async function arrive(page: Page, app: string): Promise<number> {
  let count = 0
  await until(async () => {
    if (page.url().startsWith(app))
      return ['authenticated', 'unauthenticated', 'failed'].includes((await stateOf(page)).status ?? '')
    const submit = page.locator('form [type=submit], form button:not([type=button])').first()
    if (!(await submit.isVisible().catch(() => false))) return false
    count += 1
    if (await page.locator('[name=password]').isVisible()) {
      await page.locator('[name=username]').fill('ada')
      await page.locator('[name=password]').fill('not-a-secret')
    }
    for (const box of await page.locator('[type=checkbox]').all()) await box.check()
    await submit.click()
    return false
  }, `the app at rest; at ${page.url()}`)
  return count
}

/** What the app at an address needs of its server. */
type Settings = Pick<RunningServer, 'options' | 'clientId' | 'scopes'>

/** The app, built by Vite: every path the same page. */
async function buildApp({ options, clientId, scopes }: Settings) {
  const outDir = mkdtempSync(join(tmpdir(), 'latchkey-interop-'))
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^latchkey\/(.+)$/, replacement: `${SRC}/$1/index.ts` },
        { find: /^latchkey$/, replacement: `${SRC}/index.ts` },
      ],
    },
    build: { outDir, emptyOutDir: true, rolldownOptions: { checks: { moduleLevelDirective: false } } },
  })
  const respond: RequestListener = (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?')
    const isFile = path.startsWith('/assets/')
    response.setHeader('content-type', TYPES[extname(path)] ?? 'text/html')
    if (path === '/settings.json') response.end(JSON.stringify({ options, clientId, scopes }))
    else response.end(readFileSync(join(outDir, isFile ? path : 'index.html')))
  }
  return { respond, remove: () => rmSync(outDir, { recursive: true, force: true }) }
}

async function serveApp(settings: Settings, app: string) {
  const { respond, remove } = await buildApp(settings)
  const { hostname: host, port } = new URL(app)
  const listening = await listenOnLoopback({ host, port: Number(port) }, respond)
  return {
    async close() {
      await listening.close()
      remove()
    },
  }
}

/** App and server by TLS, each on a site of its own: with third-party cookies, and without. */
export async function walkOnTwoSites(
  server: RunningServer,
  _app: string,
  _known: InteropServer,
  tell: Tell,
): Promise<Step[]> {
  if (!server.onOwnSite) return []
  const app = `https://admin.app.example:${await findFreePort()}/`
  const { options, pfx, passphrase } = await server.onOwnSite(app)
  const { respond, remove } = await buildApp({ ...server, options })
  const https = createServer({ pfx, passphrase }, respond).listen(Number(new URL(app).port), '127.0.0.1')
  const steps: Step[] = []
  for (const hasCookies of [true, false]) {
    const title = `in Chromium, on two sites: third-party cookies ${hasCookies ? 'allowed' : 'kept out'}`
    const found = await limited(title, visitAgain({ app, options, hasCookies })).then(
      (words) => ({ title, isRight: true, found: words }),
      (error: unknown) => ({ title, isRight: false, found: String(error) }),
    )
    steps.push(found)
    tell(found)
  }
  https.close()
  https.closeAllConnections()
  remove()
  return steps
}

/** Chromium's preference for third-party cookies: 0 allows them, 1 keeps them out. */
const COOKIE_MODES = { true: 0, false: 1 } as const

/** A sign-in, a new visit to the app, a renewal and a logout. */
async function visitAgain({
  app,
  options,
  hasCookies,
}: { app: string; hasCookies: boolean } & Pick<Settings, 'options'>) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-chromium-'))
  mkdirSync(join(folder, 'Default'))
  const preferences = { profile: { cookie_controls_mode: COOKIE_MODES[`${hasCookies}`] } }
  writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  // The shell of Chromium has no preferences.
  const launch = chromiumLaunchOptions({ hasBackForwardCache: true })
  const context = await chromium.launchPersistentContext(folder, {
    ...launch,
    args: [...launch.args, '--ignore-certificate-errors', '--host-resolver-rules=MAP *.example 127.0.0.1'],
  })
  try {
    context.setDefaultTimeout(PATIENCE_MS)
    const first = await context.newPage()
    await first.goto(app)
    must((await arrive(first, app)) > 0, 'no page of the server')
    await mustBe(first, 'authenticated')
    await first.close()

    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.url().startsWith(options.issuer ?? ''))
        asked.push(request.frame() === page.mainFrame() ? 'the page' : 'the frame')
    })
    await page.goto(`${app}users`)
    must((await arrive(page, app)) === 0, 'a page of the server came')
    await mustBe(page, 'authenticated')
    must(page.url() === `${app}users`, page.url())
    const way = asked.join(', then ')
    must(way === (hasCookies ? 'the frame' : 'the frame, then the page'), `asked by ${way}`)

    const before = await tokenOf(page)
    await page.evaluate(() => window.auth!.renew({ force: true }))
    must((await tokenOf(page)) !== before, 'the same token')
    const leaves = leaving(page, app)
    await page.evaluate(() => void window.auth!.logout())
    await leaves
    await arrive(page, app)
    await mustBe(page, 'unauthenticated')
    return `a new visit asks by ${way}; renewed; signed out`
  } finally {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
