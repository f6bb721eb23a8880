// What every end-to-end test stands on: the demo's real servers and real Chromium.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type BrowserContext,
  type Page,
} from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest'
import type { AuthServer } from '../../demo/authServer/start.ts'
import type { RealtimeServer } from '../../demo/realtimeServer/startRealtimeServer.ts'
import { type Demo, type DemoOptions, type Environments, startDemo } from '../../demo/startDemo.ts'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'
import { createWarmBrowser } from './warmBrowser.ts'

/** Every wait of a test ends after this long, with the name of what did not come. */
export const PATIENCE_MS = 60_000

/** Browsers of one test, watched for faults. */
export interface TestBrowsers {
  /** A browser of its own, as on another computer: each of its tabs has a process. Its pages are watched for faults. */
  openBrowser(options?: BrowserContextOptions): Promise<BrowserContext>
  /**
   * A page in a browser of its own. The first two of a test are in browsers that have read the app's code for an earlier test,
   * and are as empty as new ones, when they ask for no more than a size, colours, motion and permissions: those of this page, not
   * of a popup. For several tabs ask for `openBrowser`: here they share a process.
   */
  openPage(options?: BrowserContextOptions): Promise<Page>
  /** Faults on the console that this test expects. */
  expectOnConsole(pattern: RegExp): void
  /** Everything the pages of this test have written on the console. */
  consoleLines(): readonly string[]
}

export interface TestDemo extends TestBrowsers {
  /** Origin of the app. */
  readonly origin: string
  readonly authServer: AuthServer
  /** The second environment; only with `environments: true`. */
  readonly environments: Environments
  /** With `realtime: true` only. */
  readonly realtimeServer: RealtimeServer | undefined
  /** Calls to the token endpoint of one grant, preflights not counted. */
  tokenCalls(grant: 'authorization_code' | 'refresh_token'): number
  /** Visits of /oauth/authorize, in the hidden frame or by the browser itself. */
  authorizeVisits(how: 'frame' | 'redirect'): number
}

// What the browser itself says of answers that a test has asked for.
const EXPECTED_ALWAYS = [/^Failed to load resource/, /Download the React DevTools/]

/** Else V8 reads each function a second time when an error wants its line: React's development build makes an error for every element. */
const POSITIONS_AT_ONCE = '--js-flags=--no-enable-lazy-source-positions'

/** Files run one after the other in a worker and share its browser; every test has contexts of its own in it. */
const browsers = new Map<boolean, Promise<Browser>>()

async function browserOfTheWorker(hasBackForwardCache = false): Promise<Browser> {
  const running = await browsers.get(hasBackForwardCache)
  if (running?.isConnected()) return running
  const { args, ...options } = chromiumLaunchOptions({ hasBackForwardCache })
  const starting = chromium.launch({ ...options, args: [...args, POSITIONS_AT_ONCE] })
  browsers.set(hasBackForwardCache, starting)
  return starting
}

/** What turns or breathes is drawn 60 times a second for as long as a test waits. A test about motion asks for it. */
const STILL: BrowserContextOptions = { reducedMotion: 'reduce' }

const warmBrowser = createWarmBrowser({
  flags: [POSITIONS_AT_ONCE],
  options: STILL,
  prepare: prepareContext,
})

async function prepareContext(context: BrowserContext): Promise<void> {
  context.setDefaultTimeout(PATIENCE_MS)
  // Whatever a page's policy forbids is a fault, in frames and workers' pages too, and where the console says nothing.
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.error(`violates the policy: ${effectiveDirective} ${blockedURI}`),
    ),
  )
}

/** The server that a browser of a test signs in at. */
const authServers = new WeakMap<BrowserContext, AuthServer>()

export function authServerOf(page: Page): AuthServer {
  const authServer = authServers.get(page.context())
  if (!authServer) throw new Error('authServerOf: the page is of no browser that the demo has opened')
  return authServer
}

/**
 * Starts the servers and the browser once for the file, and gives each test fresh faults, counts and browsers.
 * Call it at the top of a file.
 */
export function useDemo(
  options: Omit<DemoOptions, 'app'> & {
    contentSecurityPolicy?: string
    head?: string
    /** `latchkey/early` is inline in the page and looks for the session. */
    hasEarly?: boolean
    /** Playwright switches it off; users have it on. */
    hasBackForwardCache?: boolean
  } = {},
): TestDemo {
  let demo: Demo | undefined
  /** The folder of an app with a head of its own. */
  let ownApp: string | undefined
  const running = () => {
    if (!demo) throw new Error('useDemo: ask for it inside a test')
    return demo
  }

  beforeAll(async () => {
    const { contentSecurityPolicy, head, hasEarly, hasBackForwardCache: _browsers, ...others } = options
    if (head !== undefined) ownApp = await withHead(inject('appFolder'), head)
    demo = await startDemo({
      ...others,
      app: {
        from: 'build',
        folder: ownApp ?? inject('appFolder'),
        ...(contentSecurityPolicy !== undefined && { contentSecurityPolicy }),
        ...(hasEarly !== undefined && { hasEarly }),
      },
    })
  })
  beforeEach(() => {
    const { authServer } = running()
    authServer.faults.clear()
    authServer.revokeAllSessions()
    authServer.requests.clear()
  })
  afterAll(async () => {
    await demo?.close()
    if (ownApp !== undefined) await rm(ownApp, { recursive: true, force: true })
  })
  const browsers = useBrowsers({
    hasBackForwardCache: options.hasBackForwardCache,
    onOpen: (context) => authServers.set(context, running().authServer),
  })

  return {
    ...browsers,
    get origin() {
      return running().origin
    },
    get authServer() {
      return running().authServer
    },
    get realtimeServer() {
      return running().realtimeServer
    },
    get environments() {
      const { environments } = running()
      if (!environments) throw new Error('useDemo: pass environments: true')
      return environments
    },
    tokenCalls: (grant) =>
      running().authServer.requests.count({ method: 'POST', path: '/oauth/token', grant }),
    authorizeVisits: (how) =>
      running()
        .authServer.requests.matching({ method: 'GET', path: '/oauth/authorize' })
        .filter(({ prompt }) => (prompt === 'none') === (how === 'frame')).length,
  }
}

/** Gives each test fresh browsers, and fails one that leaves an unexpected line on the console. Call it at the top of a file. */
export function useBrowsers({
  hasBackForwardCache,
  onOpen,
}: {
  hasBackForwardCache?: boolean | undefined
  onOpen?: (context: BrowserContext) => void
} = {}): TestBrowsers {
  let contexts: BrowserContext[] = []
  let faults: string[] = []
  let lines: string[] = []
  let expected: RegExp[] = []

  beforeEach(() => {
    contexts = []
    faults = []
    lines = []
    expected = [...EXPECTED_ALWAYS]
  })
  afterEach(async ({ task }) => {
    const [failure] = task.result?.errors ?? []
    if (failure) failure.message += await showPages(contexts)
    const unexpected = () => faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))
    const hasFailed = failure !== undefined || unexpected().length > 0
    await Promise.all(
      contexts.map(async (context) => {
        if (!(await warmBrowser.takeBack(context, { hasFailed }))) await context.close()
      }),
    )
    // Pages that close may say one more thing.
    expect(unexpected()).toEqual([])
  })

  // A dozen processes, and half a gigabyte: the next files have no use for them.
  afterAll(async () => {
    if (hasBackForwardCache !== true) return
    const running = await browsers.get(true)
    browsers.delete(true)
    await running?.close()
  })

  const watch = (page: Page) => {
    page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
    page.on('console', (message) => {
      lines.push(message.text())
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
    })
  }

  const openBrowser: TestBrowsers['openBrowser'] = async (contextOptions) => {
    const browser = await browserOfTheWorker(hasBackForwardCache)
    const context = await browser.newContext({ ...STILL, ...contextOptions })
    await prepareContext(context)
    context.on('page', watch)
    onOpen?.(context)
    contexts.push(context)
    return context
  }

  const openWarm = async () => {
    const context = hasBackForwardCache === true ? undefined : await warmBrowser.lend(watch)
    if (!context) return undefined
    onOpen?.(context)
    contexts.push(context)
    return context
  }

  /** In a warm browser where all that is asked for can be taken back. */
  const openPage: TestBrowsers['openPage'] = async (contextOptions = {}) => {
    const { viewport, colorScheme, reducedMotion, permissions, ...others } = contextOptions
    const warm = Object.keys(others).length === 0 && viewport !== null ? await openWarm() : undefined
    if (!warm) return (await openBrowser(contextOptions)).newPage()
    if (permissions) await warm.grantPermissions(permissions)
    const page = await warm.newPage()
    if (viewport) await page.setViewportSize(viewport)
    if (colorScheme !== undefined) await page.emulateMedia({ colorScheme })
    if (reducedMotion !== undefined) await page.emulateMedia({ reducedMotion })
    return page
  }

  return {
    openBrowser,
    openPage,
    expectOnConsole: (pattern) => void expected.push(pattern),
    consoleLines: () => lines,
  }
}

/** What each open page showed when a test failed: its address without the query, where codes are, and its first words. */
async function showPages(contexts: readonly BrowserContext[]): Promise<string> {
  const pages = contexts.flatMap((context) => context.pages())
  const shown = await Promise.all(
    pages.map(async (page) => {
      const text = await page
        .evaluate(() => (document.querySelector('main') ?? document.body).innerText)
        .catch(String)
      return `\nA page at ${page.url().replace(/[?#].*/s, '')} shows: ${text.replace(/\s+/g, ' ').slice(0, 1_000)}`
    }),
  )
  return shown.join('')
}

/** The same app with something before everything else in its page; in a folder of its own that goes after the file. */
async function withHead(folder: string, head: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'latchkey-e2e-head-'))
  await cp(folder, copy, { recursive: true })
  const page = join(copy, 'index.html')
  await writeFile(
    page,
    (await readFile(page, 'utf8')).replace('<head>', () => `<head>${head}`),
  )
  return copy
}
