// The common walk in real Chromium: the library in a page of its own, real redirects, frames and cookies; the same at every server.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type BrowserContext, chromium, type Page } from 'playwright'
import { build, type InlineConfig, preview } from 'vite'
import { findFreePort } from '../../../scripts/browsers/freePort.ts'
import { chromiumLaunchOptions } from '../../../scripts/findChromium.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { must } from './rig.ts'
import { type OwnSite, PASSWORD, type RunningServer } from './server.ts'
import { type Step, stepOf, type Tell } from './walks.ts'

const SRC = join(import.meta.dirname, '../../../src')
const PATIENCE_MS = 60_000
const LOOKS_EVERY_MS = 50

declare global {
  interface Window {
    auth?: Auth
  }
}

/** What the app at an address needs of its server. */
type Settings = Pick<RunningServer, 'options' | 'clientId' | 'scopes'>

interface Scene {
  readonly server: RunningServer
  readonly context: BrowserContext
  readonly app: string
}

export interface ChromiumCase {
  readonly title: string
  /** Where its walk needs others than the common one: of the first step. */
  settings?(server: RunningServer): Partial<Settings>
  /** What was found, in a few words; throws where it is not right. */
  run(scene: Scene): Promise<string>
}

/** The common walk, then the server's own, each in a browser profile of its own: a step goes on from the one before. */
export async function walkInChromium(
  server: RunningServer,
  app: string,
  { inChromium = [] }: { inChromium?: readonly (readonly ChromiumCase[])[] },
  tell: Tell,
): Promise<Step[]> {
  const end = await serveApp(app)
  const browser = await chromium.launch(chromiumLaunchOptions())
  const steps: Step[] = []
  try {
    for (const cases of [STEPS, ...inChromium]) {
      const context = await browser.newContext()
      await prepare(context, { ...server, ...cases[0]!.settings?.(server) })
      const scene = { server, context, app }
      const where = () => context.pages().map((page) => page.url())
      for (const { title, run } of cases) {
        steps.push(await stepOf(`in Chromium: ${title}`, run(scene), () => where().join(', ')))
        tell(steps.at(-1)!)
        if (!steps.at(-1)!.isRight) break
      }
      await context.close()
    }
  } finally {
    await browser.close()
    await end()
  }
  return steps
}

/** Each page of this profile finds its settings. */
async function prepare(context: BrowserContext, { options, clientId, scopes }: Settings): Promise<void> {
  context.setDefaultTimeout(PATIENCE_MS)
  const settings = { options, clientId, scopes }
  await context.addInitScript((found) => Reflect.set(window, 'settings', found), settings)
}

const STEPS: readonly ChromiumCase[] = [
  {
    title: 'a sign-in from a deep link',
    async run({ context, app }) {
      const page = await context.newPage()
      await page.goto(`${app}invoices?page=2`)
      must((await arrive(page, app)) > 0, 'no page of the server')
      await mustBe(page, 'authenticated')
      must(page.url() === `${app}invoices?page=2`, `came back to ${page.url()}`)
      return `back at the place; Chromium ${context.browser()?.version()}`
    },
  },
  {
    title: 'a reload',
    async run({ context, app }) {
      const [page] = context.pages()
      await page!.reload()
      must((await arrive(page!, app)) === 0, 'a page of the server came')
      await mustBe(page!, 'authenticated')
      return 'signed in, and no page of the server'
    },
  },
  {
    title: 'a new tab',
    async run({ context, app }) {
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
  },
  {
    title: 'a renewal',
    async run({ context }) {
      const [first, second] = context.pages()
      const before = await tokenOf(first!)
      await first!.evaluate(() => window.auth!.renew({ force: true }))
      const after = await tokenOf(first!)
      must(after !== before, 'the same token')
      await until(async () => (await tokenOf(second!)) === after, 'the other tab has the token')
      return 'another token, the same in both tabs'
    },
  },
  {
    title: 'a logout, and the other tab',
    async run({ context, app }) {
      const [first, second] = context.pages()
      await goAndReturn(first!, app, () => void window.auth!.logout())
      await until(async () => (await stateOf(second!)).status === 'unauthenticated', 'the other tab ends')
      for (const page of [first!, second!]) {
        await mustBe(page, 'unauthenticated')
        const { reason } = await stateOf(page)
        must(reason === 'signed-out', String(reason))
      }
      return 'signed out in both, and back at the app'
    },
  },
  {
    title: 'a sign-in after it',
    async run({ context, app }) {
      const [, second] = context.pages()
      const count = await goAndReturn(second!, app, () => void window.auth!.login())
      must(count > 0, 'nobody was asked for the password')
      await mustBe(second!, 'authenticated')
      return 'the password is asked for again'
    },
  },
  {
    title: 'a sign-out in another app',
    async run({ server, context, app }) {
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
  },
]

export const stateOf = async (
  page: Page,
): Promise<Partial<Record<'status' | 'reason' | 'cause' | 'firmId', unknown>>> =>
  page
    .evaluate(() => {
      const state = window.auth?.getState()
      if (state === undefined) return {}
      const error = state.status === 'failed' ? state.error : 'cause' in state ? state.cause : undefined
      const { status } = state
      return {
        status,
        ...('reason' in state && { reason: state.reason }),
        ...('user' in state && { firmId: state.user.firmId }),
        ...(error && { cause: String(error) }),
      }
    })
    .catch(() => ({}))

export async function mustBe(page: Page, status: string): Promise<void> {
  const state = await stateOf(page)
  must(state.status === status, JSON.stringify(state))
}

export const tokenOf = async (page: Page) => page.evaluate(() => window.auth!.getAccessToken())

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (let leftMs = PATIENCE_MS; leftMs > 0; leftMs -= LOOKS_EVERY_MS) {
    if (await isSo()) return
    await wait(LOOKS_EVERY_MS)
  }
  throw new Error(`Not within ${PATIENCE_MS / 1000} s: ${what}`)
}

/** What the person fills in, by field. */
const FIELDS: Readonly<Record<string, string>> = { '[name=username]': 'ada', '[name=password]': PASSWORD }

/** Does what a person does on the pages of the server, until the app has come to rest; resolves with how many they were. */
export async function arrive(
  page: Page,
  app: string,
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  let count = 0
  await until(async () => {
    if (page.url().startsWith(app))
      return ['authenticated', 'unauthenticated', 'failed'].includes(String((await stateOf(page)).status))
    // Of several organizations, acme.
    const acme = page.locator('form [value=acme]')
    const first = page.locator('form [type=submit], form button:not([type=button])').first()
    const submit = (await acme.isVisible().catch(() => false)) ? acme : first
    if (!(await submit.isVisible().catch(() => false))) return false
    count += 1
    for (const [field, value] of Object.entries({ ...FIELDS, ...more }))
      if (await page.locator(field).isVisible()) await page.locator(field).fill(value)
    for (const box of await page.locator('[type=checkbox]').all()) await box.check()
    await submit.click()
    return false
  }, `the app at rest; at ${page.url()}`)
  return count
}

/** What the app does leads to the server, and back; resolves with how many of its pages came. */
export async function goAndReturn(
  page: Page,
  app: string,
  act: () => void,
  more?: Readonly<Record<string, string>>,
): Promise<number> {
  // It may be back at its place before anybody has looked.
  const leaves = page.waitForRequest(
    (request) =>
      request.isNavigationRequest() && request.frame() === page.mainFrame() && !request.url().startsWith(app),
  )
  await page.evaluate(act)
  await leaves
  return arrive(page, app, more)
}

/** The app at that address, built and served by Vite: every path the same page. Resolves with how it ends. */
async function serveApp(app: string, https?: Pick<OwnSite, 'pfx' | 'passphrase'>) {
  const outDir = mkdtempSync(join(tmpdir(), 'latchkey-interop-'))
  const options: InlineConfig = {
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
    preview: {
      host: '127.0.0.1',
      port: Number(new URL(app).port),
      allowedHosts: true,
      ...(https && { https }),
    },
  }
  await build(options)
  const site = await preview(options)
  return async () => {
    await site.close()
    rmSync(outDir, { recursive: true, force: true })
  }
}

/** App and server by TLS, each on a site of its own: with third-party cookies, and without. */
export async function walkOnTwoSites(
  server: RunningServer,
  _app: string,
  _known: unknown,
  tell: Tell,
): Promise<Step[]> {
  if (!server.onOwnSite) return []
  const app = `https://admin.app.example:${await findFreePort()}/`
  const { options, ...https } = await server.onOwnSite(app)
  const end = await serveApp(app, https)
  const steps: Step[] = []
  for (const hasCookies of [true, false]) {
    const title = `in Chromium, on two sites: third-party cookies ${hasCookies ? 'allowed' : 'kept out'}`
    const work = visitAgain(app, { ...server, options }, hasCookies)
    steps.push(await stepOf(title, work, () => app))
    tell(steps.at(-1)!)
  }
  await end()
  return steps
}

/** Chromium's preference for third-party cookies: 0 allows them, 1 keeps them out. */
const COOKIE_MODES = { true: 0, false: 1 } as const

/** A sign-in, a new visit to the app, a renewal and a logout. */
async function visitAgain(app: string, settings: Settings, hasCookies: boolean): Promise<string> {
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
    await prepare(context, settings)
    const first = await context.newPage()
    await first.goto(app)
    must((await arrive(first, app)) > 0, 'no page of the server')
    await mustBe(first, 'authenticated')
    await first.close()

    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.url().startsWith(settings.options.issuer))
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
    await goAndReturn(page, app, () => void window.auth!.logout())
    await mustBe(page, 'unauthenticated')
    return `a new visit asks by ${way}; renewed; signed out`
  } finally {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
