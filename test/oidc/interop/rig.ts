// A browser for a whole session: latchkey in fake tabs, real requests to a real server, and CORS enforced as browsers do.
import { setTimeout as wait } from 'node:timers/promises'
// What the session loads later, loaded now: the fake clock waits for requests, not for files.
import '../../../src/protocol/servers/dpop.ts'
import '../../../src/protocol/servers/oidcLater.ts'
import '../../../src/session/features/environments/redirectToEnvironment.ts'
import '../../../src/session/http/appFetch.ts'
import '../../../src/session/later.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost, type FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { createBrowser, type Page } from './browser.ts'
import { type Answer, type RunningServer, workThrough } from './server.ts'

/** One tab, and the session in it. */
export interface Tab {
  readonly host: FakeHost
  readonly auth: Auth
}

export type Rig = ReturnType<typeof createRig>

export interface SessionCase {
  readonly title: string
  /** What was found, in a few words; throws where it is not right. */
  run(rig: Rig): Promise<string>
}

// What a response leads to has begun within that time.
const QUIET_MS = 20

export function createRig(server: RunningServer, app: string) {
  const appOrigin = new URL(app).origin
  const reach = server.fetch ?? fetch
  const person = createBrowser(app, reach)
  const pending = new Set<Promise<unknown>>()
  const requests: string[] = []
  const withoutCors = new Set<string>()
  const tabs = new Set<Tab>()
  let current: Partial<AuthConfig> = {}
  let isAway = false

  const during = <Result>(work: Promise<Result>): Promise<Result> => {
    pending.add(work)
    const end = () => pending.delete(work)
    work.then(end, end)
    return work
  }
  const browser = createFakeBrowser({
    startMs: Date.now(),
    async whileSettling() {
      while (pending.size > 0) {
        await Promise.allSettled(pending)
        await wait(QUIET_MS)
      }
    },
  })
  const send = withCors(
    appOrigin,
    async (url, init) => {
      requests.push(`${init.method} ${new URL(url).pathname}`)
      if (isAway) throw new TypeError('Failed to fetch')
      return reach(url, init)
    },
    withoutCors,
  )
  const pageFetch: typeof fetch = (input, init) => during(send(input as string, init))
  const onFrame = (frame: FakeFrame) => {
    requests.push(`frame ${new URL(frame.url).pathname}`)
    const loading = person.open({ url: frame.url }).then(
      ({ url }) => frame.load(url.startsWith(app) ? url : undefined),
      () => frame.load(),
    )
    void during(loading)
  }
  const start = async (host: FakeHost): Promise<Tab> => {
    const config = {
      server: openIdConnect(server.options),
      clientId: server.clientId,
      scopes: server.scopes,
      ...current,
    }
    const tab = { host, auth: createAuth(config as AuthConfig, { platform: host.platform }) }
    tabs.add(tab)
    void tab.auth.start()
    await host.settle()
    // It asks the other tabs first, and waits for them a little.
    if (tab.auth.getState().status === 'initializing') await browser.clock.advance(1_000)
    // A frame that is at a page of the server, and stays there, is given up.
    if (tab.auth.getState().status === 'initializing') await browser.clock.advance(3_000)
    return tab
  }
  const hostOptions: FakeHostOptions = { browser, fetch: pageFetch, onFrame }

  const rig = {
    server,
    clock: browser.clock,
    /** What the pages have asked for, in order: 'POST /token'. A preflight is one too. */
    requests: requests as readonly string[],
    /** Requests to the token endpoint, without preflights. */
    countTokenRequests: () => requests.filter((request) => request === `POST ${server.tokenPath}`).length,
    /** From now on the token endpoint sends no CORS headers. */
    hideTokens: () => void withoutCors.add(server.tokenPath),
    showTokens: () => void withoutCors.delete(server.tokenPath),
    /** Meanwhile no page reaches the server. */
    async away(work: () => Promise<unknown>) {
      isAway = true
      await work()
      await browser.clock.settle()
      isAway = false
    },
    /** A new tab at this path, started. */
    async open(path = '', config: Partial<AuthConfig> = {}) {
      current = config
      return start(createFakeHost(`${app}${path}`, hostOptions))
    },
    /** The page that the tab was sent to, or the address of the app, before anybody clicks. */
    async look(tab: Tab) {
      await browser.clock.settle()
      return person.open({ url: sentTo(tab) })
    },
    /** Goes on from such a page until the way is back at the app. */
    workThrough: async (page: Page, answer?: Answer) =>
      workThrough({ server, browser: person, app }, page, answer),
    /** The next page of the same tab at that address, started. */
    async next(tab: Tab, url: string) {
      tab.auth.dispose()
      return start(tab.host.openNext(url, hostOptions))
    },
    /** Follows the tab to where it was sent, through all pages, and back. */
    async follow(tab: Tab, answer?: Answer): Promise<Tab> {
      const { url } = await rig.workThrough(await rig.look(tab), answer)
      return rig.next(tab, url)
    },
    /** Ends ada's session at the server, without the app. */
    endSession: async () => server.endSession?.(person),
    /** A first tab whose user has signed in. */
    async signedIn(config?: Partial<AuthConfig>) {
      const tab = await rig.follow(await rig.open('', config))
      mustBe(tab, 'authenticated')
      return tab
    },
    /** Ends all sessions and timers. */
    close() {
      for (const { auth } of tabs) auth.dispose()
    },
  }
  return rig
}

function sentTo(tab: Tab): string {
  const to = tab.host.navigations.at(-1)
  if (to === undefined) throw new Error(`was sent nowhere: ${describe(tab)}`)
  return to
}

/** The state of a tab in a few words, with what went wrong. */
export function describe({ auth }: Tab): string {
  const state = auth.getState()
  if (state.status === 'failed') return `failed, ${state.error.code}: ${state.error.message}`
  if (state.status === 'redirecting') return `redirecting to ${state.to}`
  if (state.status !== 'unauthenticated') return state.status
  const { cause } = state
  return `unauthenticated, ${state.reason}${cause ? `, ${cause.code}: ${cause.message}` : ''}`
}

export function mustBe(tab: Tab, status: ReturnType<Auth['getState']>['status']): void {
  if (tab.auth.getState().status !== status) throw new Error(`not ${status}: ${describe(tab)}`)
}

export function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what)
}

const SIMPLE_HEADERS = ['accept', 'accept-language', 'content-language', 'content-type']
const SIMPLE_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']
const READABLE_HEADERS = [
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
]

/** What the Fetch standard lets a page of this origin send and read. */
function withCors(
  origin: string,
  send: (url: string, init: RequestInit) => Promise<Response>,
  withoutCors: ReadonlySet<string>,
) {
  const isAllowed = (url: string, { headers }: Response) =>
    !withoutCors.has(new URL(url).pathname) &&
    ['*', origin].includes(headers.get('access-control-allow-origin') ?? '')
  const listed = (value: string | null) => (value ?? '').toLowerCase().split(/\s*,\s*/)

  return async (url: string, { method = 'GET', ...init }: RequestInit = {}): Promise<Response> => {
    // The app's own origin: only its clock is asked for.
    if (new URL(url).origin === origin)
      return new Response('', { headers: { date: new Date().toUTCString() } })
    const headers = new Headers(init.headers)
    const unusual = [...headers.keys()].filter(
      (name) =>
        !SIMPLE_HEADERS.includes(name) ||
        (name === 'content-type' && !SIMPLE_TYPES.includes(headers.get(name)!.split(';')[0]!)),
    )
    if (unusual.length > 0 || !['GET', 'HEAD', 'POST'].includes(method)) {
      const preflight = await send(url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': unusual.join(','),
        },
      })
      const allowed = listed(preflight.headers.get('access-control-allow-headers'))
      const isCovered = unusual.every(
        (name) => allowed.includes(name) || (name !== 'authorization' && allowed.includes('*')),
      )
      if (!preflight.ok || !isAllowed(url, preflight) || !isCovered) throw new TypeError('Failed to fetch')
    }
    headers.set('origin', origin)
    const response = await send(url, { ...init, method, headers, redirect: 'manual' })
    // A page never sees where it leads.
    if (response.status >= 300 && response.status < 400 && init.redirect === 'manual') return Response.error()
    if (!isAllowed(url, response) || (response.status >= 300 && response.status < 400))
      throw new TypeError('Failed to fetch')
    const exposed = listed(response.headers.get('access-control-expose-headers'))
    return new Response(await response.blob(), {
      status: response.status,
      headers: [...response.headers].filter(
        ([name]) => READABLE_HEADERS.includes(name) || exposed.includes(name) || exposed.includes('*'),
      ),
    })
  }
}
