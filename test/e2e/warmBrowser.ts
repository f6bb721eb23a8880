// A browser that stays warm from test to test: one process has read the app's code already, and each test finds it empty.
import { setTimeout as wait } from 'node:timers/promises'
import {
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  type Page,
  type Request,
  chromium,
} from 'playwright'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'

/** All pages in one process, which lives as long as the browser: a process for each page reads everything anew. */
const ONE_PROCESS = ['--renderer-process-limit=1', '--disable-site-isolation-trials']

/** One for a test's first page, one for a second user at another computer. Each context has its own process. */
const CONTEXTS = 2

/** What these leave is taken away again. When a test uses anything else, the context goes after it. */
const LEAVES_NOTHING = new Set([
  'addCookies',
  'browser',
  'clearCookies',
  'clearPermissions',
  'close',
  'cookies',
  'emit',
  'eventNames',
  'grantPermissions',
  'isClosed',
  'listenerCount',
  'listeners',
  'newPage',
  'off',
  'pages',
  'removeListener',
  'setOffline',
])

/** Are taken away again, one by one. */
const ADDS_LISTENER = new Set(['addListener', 'on', 'once', 'prependListener'])

/** Where a page or a worker is still there after this long, the context goes. A service worker stays on: nobody waits for it. */
const GONE_WITHIN_MS = 20_000

export interface WarmBrowser {
  /** An empty context, or undefined while the test has as many as there are. Its pages are told to `watch`. */
  lend(watch: (page: Page) => void): Promise<BrowserContext | undefined>
  /** Takes it back: its pages close and all that they stored goes. True when it was one of these. After a test that failed, nobody knows what still runs. */
  takeBack(context: BrowserContext, options: { hasFailed: boolean }): Promise<boolean>
}

interface Held {
  context: BrowserContext
  /** Told of each page while a test has the context. */
  watch: ((page: Page) => void) | undefined
  /** Keeps the process alive; nobody sees it. */
  keeper: Page
  keeperId: string
  id: string | undefined
  browserSession: CDPSession
  keeperSession: CDPSession
  /** Sent and not answered. Some outlive their page, and what the server says then may be a cookie. */
  pending: Set<Request>
  /** Of all pages and frames that were open. */
  origins: Set<string>
  /** Of the test, on the context: event and listener. */
  listeners: [event: 'page', listener: (page: Page) => void][]
  isSpoilt: boolean
}

export function createWarmBrowser({
  flags,
  options,
  prepare,
}: {
  flags: readonly string[]
  /** Of each context. */
  options: BrowserContextOptions
  /** Sets up a new context, once. */
  prepare: (context: BrowserContext) => Promise<void>
}): WarmBrowser {
  const { args, ...launchOptions } = chromiumLaunchOptions()
  let launching: ReturnType<typeof chromium.launch> | undefined
  let all: Held[] = []
  let opening = 0

  async function browser() {
    if ((await launching)?.isConnected() !== true)
      launching = chromium.launch({ ...launchOptions, args: [...args, ...flags, ...ONE_PROCESS] })
    return launching!
  }

  async function open(watch: Held['watch']): Promise<Held> {
    const running = await browser()
    const context = await running.newContext(options)
    await prepare(context)
    const keeper = await context.newPage()
    const keeperSession = await context.newCDPSession(keeper)
    const { targetInfo } = await keeperSession.send('Target.getTargetInfo')
    const opened: Held = {
      context,
      watch,
      keeper,
      keeperId: targetInfo.targetId,
      id: targetInfo.browserContextId,
      keeperSession,
      browserSession: await running.newBrowserCDPSession(),
      pending: new Set(),
      origins: new Set(),
      listeners: [],
      isSpoilt: false,
    }
    const { pending, origins } = opened
    context.on('request', (request) => {
      if (request.method() !== 'GET') pending.add(request)
      if (request.isNavigationRequest()) origins.add(new URL(request.url()).origin)
    })
    for (const end of ['requestfinished', 'requestfailed'] as const)
      context.on(end as 'requestfinished', (request) => pending.delete(request))
    context.on('page', (page) => {
      page.on('crash', () => (opened.isSpoilt = true))
      opened.watch?.(page)
    })
    keeper.on('crash', () => (opened.isSpoilt = true))
    hideKeeper(opened)
    noticeLeftovers(opened)
    return opened
  }

  return {
    async lend(watch) {
      all = all.filter(({ context }) => context.browser()?.isConnected() === true)
      const free = all.find((held) => !held.watch)
      if (free) {
        free.watch = watch
        return free.context
      }
      if (all.length + opening >= CONTEXTS) return undefined
      opening += 1
      try {
        const opened = await open(watch)
        all.push(opened)
        return opened.context
      } finally {
        opening -= 1
      }
    },
    async takeBack(context, { hasFailed }) {
      const held = all.find((one) => one.context === context)
      if (!held) return false
      const { isSpoilt, pending } = held
      // A page that the test leaves on its way somewhere else may never close, one at a time: with its context it does.
      const tooLate = wait(2 * GONE_WITHIN_MS, false, { ref: false })
      const emptied = async () => Promise.race([empty(held).catch(() => false), tooLate])
      const isEmpty = !hasFailed && !isSpoilt && pending.size === 0 && (await emptied())
      if (!isEmpty) {
        all = all.filter((one) => one !== held)
        await context.close()
      }
      held.watch = undefined
      return true
    },
  }
}

/** The pages are those of the test. */
function hideKeeper({ context, keeper }: Held): void {
  const all = context.pages.bind(context)
  context.pages = () => all().filter((page) => page !== keeper)
}

/** Routes, init scripts, clocks: nobody knows how to take all of them back. */
function noticeLeftovers(held: Held): void {
  const { context, listeners } = held
  for (const owner of [context, context.clock, context.tracing]) {
    for (const name of methodsOf(owner)) {
      if (owner === context && LEAVES_NOTHING.has(name)) continue
      const method: unknown = Reflect.get(owner, name)
      if (typeof method !== 'function') continue
      Object.defineProperty(owner, name, {
        value: (...args: unknown[]): unknown => {
          if (owner === context && ADDS_LISTENER.has(name)) listeners.push(args as Held['listeners'][number])
          else held.isSpoilt = true
          return Reflect.apply(method, owner, args)
        },
      })
    }
  }
}

/** Public ones; Playwright's own begin with an underscore. */
function methodsOf(owner: object): string[] {
  const names = new Set<string>()
  for (let type: unknown = owner; type && type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    for (const name of Object.getOwnPropertyNames(type)) names.add(name)
  }
  return [...names].filter((name) => /^[a-z]/.test(name) && name !== 'constructor')
}

/** Closes what is open, and empties what pages can write to. False when something stays, as a service worker does. */
async function empty(held: Held): Promise<boolean> {
  const { context, origins, listeners, keeperSession } = held
  const until = Date.now() + GONE_WITHIN_MS
  for (;;) {
    // Again and again: a window that the test has opened may come only now.
    await Promise.all(context.pages().map(async (page) => page.close()))
    const there = await typesThere(held)
    if (there.length === 0) break
    // Who is still there may write once more.
    if (there.includes('service_worker') || Date.now() > until) return false
    await wait(20)
  }

  const clearing = [...origins].map(async (origin) =>
    keeperSession.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
  )
  await Promise.all([
    context.clearCookies(),
    context.setOffline(false),
    context.clearPermissions(),
    keeperSession.send('Network.clearBrowserCache'),
    ...clearing,
  ])
  origins.clear()
  for (const [event, listener] of listeners.splice(0)) context.off(event, listener)
  return true
}

/** Pages and workers that still run; a tab is only what a page is shown in. */
async function typesThere({ browserSession, id, keeperId }: Held): Promise<string[]> {
  const { targetInfos } = await browserSession.send('Target.getTargets', { filter: [{}] })
  return targetInfos
    .filter(({ browserContextId, targetId }) => browserContextId === id && targetId !== keeperId)
    .map(({ type }) => type)
    .filter((type) => type !== 'tab')
}
