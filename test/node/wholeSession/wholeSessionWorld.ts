// A world for whole sessions: browsers with tabs, each beside its own authorization server, and everything around them that can fail.
import type { AuthConfig } from '../../../src/protocol/config.ts'
import type { Hooks } from '../../../src/protocol/eventHooks.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createMemoryRealtime, type MemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
import type { TabsPort } from '../../../src/session/platform/platform.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createFakeAuthServer, createFakeUser, type FakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeBrowser, type FakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost, type FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { createFakeStorage } from '../../../src/testing/fakeStorage.ts'
import { requireProofs } from '../../oidc/tokens/proofs.ts'
import { type Book, createBook, type Family, idOf } from './wholeSessionBook.ts'
import { APP, claimsOf, CLIENT, CONFIG } from '../session/sessionScene.ts'
import { createChance } from '../../chance.ts'
import { nameSessions, type SessionNaming } from '../tabs/tabsScene.ts'
import { type Away, createAway } from './wholeSessionAway.ts'
import { createSeal } from './wholeSessionChance.ts'
import {
  createConnections,
  createNetwork,
  type Connections,
  type ServerFault,
} from './wholeSessionNetwork.ts'

// Warm, so that loading them does not take longer than a fake page rests.
import '../../../src/realtime/channels.ts'

export type FrameMode = 'answered' | 'mute' | 'refused'
export type Lacking = NonNullable<FakeHostOptions['without']>[number]

/** What a run begins with. */
export interface Setting {
  /** The server is an OpenID Connect provider to the app. */
  readonly isOpenIdConnect?: boolean
  readonly seed: number
  readonly browserCount: number
  readonly config: Partial<AuthConfig>
  readonly hasRealtime: boolean
  readonly isRotating: boolean
  /** How the server names its sessions; default: each sign-in of a person has a name that stays. */
  readonly naming?: SessionNaming
  /** The provider binds tokens to a key (DPoP); of an OpenID Connect provider alone. */
  readonly isBound: boolean
  readonly lifeInSeconds: number
  /** A silent check brings no refresh token, as with most providers. */
  readonly isSilentBare?: boolean
  /** How long a message from tab to tab is on its way. */
  readonly channelMs: number
  readonly without: readonly Lacking[]
  readonly hooks: 'none' | 'throw' | 'never end'
  /** What the app does in `uniqueSessionTrigger`. */
  readonly onClash: 'no hook' | 'stays' | 'logs out' | 'logs in' | 'throws'
}

/** The pages of one tab, one after the other. */
export interface Tab {
  readonly browser: Browser
  host: FakeHost
  auth: Auth
  /** Started, and neither disposed of nor in the back/forward cache. */
  isRunning: boolean
  /** Its page in the back/forward cache. */
  away: Away
  /** Before it went there. */
  wasRunning: boolean
  /** Takes the component that uses the session from the screen; `undefined`: it is away. */
  letGo: (() => void) | undefined
  /** Its pages ask for one scope more. */
  hasMoreScopes: boolean
  /** Its pages ask for tokens that are bound to a key; of an OpenID Connect provider alone. */
  hasDpop: boolean
  /** The next navigation is the user's own wish. */
  isClicked: boolean
  /** How many addresses this page had been sent to when the tab was last followed. */
  followedCount: number
  /** Instants of navigations that nobody asked for, since the last sign-in. */
  automatic: number[]
  /** What it was last signed in with. */
  family: Family | undefined
  /** What a step-up in a window of this page brought, until somebody signs out or another page is there. */
  strong: Family | undefined
  /** How often the user has signed out here. */
  signOutCount: number
  /** This page was opened after a logout, and nobody has been at the sign-in page since. */
  isAfterLogout: boolean
  /** States of this page, in order; a user's as 'authenticated alice'. */
  states: string[]
}

export interface Browser {
  readonly id: number
  readonly inside: FakeBrowser
  readonly server: FakeAuthServer
  readonly book: Book
  readonly tabs: Tab[]
  /** What any of its pages has been signed in with. */
  readonly held: Set<Family>
  readonly connectionsOf: Map<FakeHost, Connections>
  fault: ServerFault
  frames: FrameMode
  latencyMs: number
  isOnline: boolean
  /** The provider gives tokens with a proof and without one; else as the setting says. */
  takesBoth: boolean
  /** Somebody has signed out, and the browser has been nowhere since: neither the logout page nor the sign-in page has sent it back. */
  isSignedOut: boolean
  /** Access tokens that it has bound to a key, by their `jti`. */
  readonly boundIds: Set<string>
  /** Codes that its sign-in page has sent to a page or a window; all others are of frames. */
  readonly codes: Set<string | null>
  /** Somebody emptied local storage: a tab that opens does not know of the others. */
  isCleared: boolean
  /** Time that has really passed: sleep counts, a clock that somebody sets does not. */
  elapsedMs(): number
  readonly hasSlept: boolean
  sleep(ms: number): void
}

export interface World {
  readonly setting: Setting
  /** What was wrong in a moment that is over. */
  readonly faults: string[]
  readonly hub: MemoryRealtime
  challengeCount: number
  readonly browsers: readonly Browser[]
  pass(ms: number): Promise<void>
  settle(): Promise<void>
  sleep(ms: number): void
  /** Somebody signs in at the server of this browser. */
  beginSession(browser: Browser, userId?: string): void
  open(browser: Browser, address?: string, from?: Tab): Tab
  /** The next page of a tab. */
  load(tab: Tab, address: string): void
  close(tab: Tab, isCrash: boolean): void
}

/** An API that misses claims in the first token that it is sent (Entra ID). */
export const CHALLENGING = `${CLIENT.authHost}/api/claims/`
const CLAIMS = Buffer.from('{"access_token":{"acrs":{"essential":true}}}').toString('base64')
const LACKING_CLAIMS = `Bearer error="insufficient_claims", claims="${CLAIMS}"`

export function createWorld(setting: Setting): World {
  const chance = createChance(setting.seed)
  const hub = createMemoryRealtime()
  const browsers = Array.from({ length: setting.browserCount }, (_, id) => createBrowser(setting, id))
  const gone = new Set<FakeHost>()
  let sessionCount = 0
  const seal = createSeal(chance)
  const lacks = (part: Lacking) => setting.without.includes(part)
  const faults: string[] = []
  const answered = new Set<string>()
  /** Every tab hears of a logout at once. */
  const isOne = setting.without.length === 0 && setting.hooks !== 'never end'
  const settle = async () => {
    for (const { inside } of browsers) await inside.clock.settle()
  }
  const fail = () => {
    throw new Error('A hook of the app failed')
  }
  const hook = { none: undefined, throw: fail, 'never end': () => new Promise(() => {}) }[setting.hooks]
  const { authHost: _firm, ...others } = CONFIG
  const configOf = ({ hasDpop }: Tab) => ({
    ...(setting.isOpenIdConnect
      ? {
          ...others,
          server: openIdConnect({
            issuer: CLIENT.authHost,
            claims: claimsOf,
            ...(hasDpop && { dpop: 'auto' }),
          }),
        }
      : CONFIG),
    ...setting.config,
  })
  /** The hooks of a page. */
  function hooksOf(tab: Tab): Partial<Hooks> {
    const onClash: Record<Setting['onClash'], Hooks['uniqueSessionTrigger'] | undefined> = {
      'no hook': undefined,
      stays: () => {},
      'logs out': () => tab.auth.logout(),
      'logs in': () => tab.auth.login({ prompt: 'login' }),
      throws: fail,
    }
    const uniqueSessionTrigger = onClash[setting.onClash]
    return {
      ...(hook && { afterLogin: hook, beforeLogout: hook, afterRefreshToken: hook }),
      ...(uniqueSessionTrigger && { uniqueSessionTrigger }),
    }
  }

  /** A page and its auth object; `host` is a fresh one. */
  function fill(tab: Tab, host: FakeHost) {
    const { browser } = tab
    const { platform } = host
    const { tabs, navigate } = platform
    const network = createNetwork(browser, host)
    Object.assign(platform, {
      fetch: (async (input, init) => {
        const body = typeof init?.body === 'string' ? init.body : ''
        if (body !== '') browser.book.asks(body, tab.hasMoreScopes)
        const url = input instanceof Request ? input.url : String(input)
        const code = /(?:[?&]|^|")code"?[=:]"?([^&"]+)/.exec(body)?.[1]
        const isBare = setting.isSilentBare && code !== undefined && !browser.codes.has(code)
        if (isBare) return withoutRefreshToken(await network(input, init))
        if (!url.includes(CHALLENGING)) return network(input, init)
        // The first time it misses claims.
        if (answered.has(url)) return Response.json({})
        answered.add(url)
        return Response.json({}, { status: 401, headers: { 'www-authenticate': LACKING_CLAIMS } })
      }) satisfies typeof fetch,
      navigate(url: string) {
        const isAutomatic = !tab.isClicked && url.includes('/oauth/authorize')
        if (isAutomatic && tab.host === host) tab.automatic.push(browser.elapsedMs())
        navigate(url)
      },
      tabs() {
        const port = tabs()
        return {
          ...port,
          seal: port.seal && seal,
          openChannel: port.openChannel && openChannel(port.openChannel),
        }
      },
    })
    /** Messages take their time, and a page that is gone sends none. */
    const openChannel =
      (open: NonNullable<TabsPort['openChannel']>): typeof open =>
      (name, listen) => {
        const channel = open(name, (message) => {
          if (setting.channelMs === 0) listen(message)
          else platform.setTimer(() => listen(message), setting.channelMs)
        })
        return { ...channel, post: (message) => gone.has(host) || channel.post(message) }
      }
    const away = createAway(platform)
    const connections = createConnections(hub.transport)
    browser.connectionsOf.set(host, connections)
    const realtime = setting.hasRealtime && { realtime: connections.transport }
    const scopes = tab.hasMoreScopes ? [...CONFIG.scopes, 'email'] : CONFIG.scopes
    const auth = createAuth({ ...configOf(tab), scopes, hooks: hooksOf(tab), ...realtime } as AuthConfig, {
      platform,
    })
    Object.assign(tab, {
      host,
      auth,
      away,
      isRunning: true,
      isClicked: false,
      followedCount: 0,
      family: undefined,
      strong: undefined,
      isAfterLogout: browser.isSignedOut,
    })
    tab.states = [auth.getState().status]
    auth.subscribe(() => {
      // A page that is gone shows nothing any more, whatever it still hears.
      if (tab.host !== host) return
      const state = auth.getState()
      const isIn = state.status === 'authenticated'
      if (isIn) {
        tab.automatic = []
        tab.family = browser.book.byId.get(state.user.jti ?? '')?.family
        if (tab.family) browser.held.add(tab.family)
        if (tab.isAfterLogout && browser.isSignedOut && isOne) faults.push('a page undid a logout by itself')
      } else tab.strong = undefined
      if (tab.family && state.status === 'redirecting' && state.to === 'logout') signOut(tab)
      const name = isIn ? `authenticated ${state.user.userId}` : state.status
      if (tab.states.at(-1) !== name) tab.states.push(name)
    })
    tab.letGo = internalsOf(auth).hold()
  }
  function leave({ browser, host }: Tab) {
    gone.add(host)
    browser.connectionsOf.get(host)?.drop()
  }
  /** Signed out in this tab, and in all that it can reach. */
  function signOut(tab: Tab) {
    const { browser, family, isRunning } = tab
    tab.family = undefined
    tab.signOutCount += 1
    if (!isRunning) return
    browser.isSignedOut = true
    const isLinked = !lacks('channels') && !lacks('seal')
    // Whatever they asked for, and however the server names it: it is one session of the browser.
    for (const one of isLinked ? [...browser.held, family!] : [family!]) one.endedAtMs ??= browser.elapsedMs()
  }
  const options = (browser: Browser): FakeHostOptions => ({
    browser: browser.inside,
    without: setting.without,
    isOnline: browser.isOnline,
    randomBytes: (length) => Uint8Array.from({ length }, () => Math.floor(chance() * 256)),
    onFrame: (frame) =>
      queueMicrotask(() => {
        if (browser.frames === 'answered') browser.server.answerFrame(frame)
        if (browser.frames === 'refused') frame.csp()
        if (browser.frames !== 'answered' || !browser.server.user) browser.book.allowReuse()
      }),
  })

  return {
    setting,
    faults,
    hub,
    challengeCount: 0,
    browsers,
    settle,
    async pass(ms) {
      // In steps: what one browser says the others hear in their own time.
      const step = browsers.length > 1 ? Math.max(50, ms / 20) : ms
      for (let passed = 0; passed < ms; passed += step) {
        const part = Math.min(step, ms - passed)
        for (const { inside } of browsers) await inside.clock.advance(part)
      }
      await settle()
    },
    sleep(ms) {
      for (const browser of browsers) browser.sleep(ms)
    },
    beginSession(browser, userId = 'alice') {
      const { server } = browser
      sessionCount += 1
      browser.isSignedOut = false
      const auth_time = Math.floor(browsers[0]!.inside.clock.nowMs / 1000)
      server.user = createFakeUser({ userId, sessionId: `s${sessionCount}`, auth_time })
    },
    open(browser, address = APP, from) {
      const sessionStorage = createFakeStorage(from?.host.sessionStorage.entries())
      const tab = {
        browser,
        hasMoreScopes: from?.hasMoreScopes ?? false,
        hasDpop: from?.hasDpop ?? setting.isBound,
        signOutCount: 0,
        automatic: [...(from?.automatic ?? [])],
      } as unknown as Tab
      browser.tabs.push(tab)
      fill(tab, createFakeHost(address, { ...options(browser), sessionStorage }))
      return tab
    },
    load(tab, address) {
      const { host, browser } = tab
      const next = host.openNext(address, options(browser))
      leave(tab)
      fill(tab, next)
    },
    close(tab, isCrash) {
      const { browser, host } = tab
      if (isCrash) host.crash()
      else host.close()
      leave(tab)
      browser.tabs.splice(browser.tabs.indexOf(tab), 1)
    },
  }
}

function createBrowser(setting: Setting, id: number): Browser {
  const inside = createFakeBrowser()
  const server = createFakeAuthServer({
    user: undefined,
    expiresInSeconds: setting.lifeInSeconds,
    isRotating: setting.isRotating,
    now: () => inside.clock.nowMs,
  })
  let sleptMs = 0
  const elapsedMs = () => inside.clock.monotonicMs + sleptMs
  const browser: Browser = {
    id,
    inside,
    server,
    elapsedMs,
    get hasSlept() {
      return sleptMs > 0
    },
    sleep(ms) {
      inside.clock.sleep(ms)
      sleptMs += ms
    },
    book: createBook(server, elapsedMs),
    tabs: [],
    held: new Set(),
    connectionsOf: new Map(),
    fault: 'none',
    frames: 'answered',
    latencyMs: 0,
    isOnline: true,
    takesBoth: false,
    isSignedOut: false,
    boundIds: new Set(),
    codes: new Set(),
    isCleared: false,
  }
  nameSessions(server, setting.naming ?? 'stable')
  if (setting.isOpenIdConnect) bindTokens(browser, setting)
  return browser
}

/** The provider binds what it gives to the key of a proof, and takes that with proofs of the same key alone. */
function bindTokens(browser: Browser, { isBound }: Setting) {
  const { server, inside } = browser
  const plain = server.fetch
  const proving = requireProofs(plain, () => inside.clock.nowMs)
  const bound = new Set<unknown>()
  server.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const isProven = new Headers(init?.headers).has('dpop')
    const isToken = pathname === '/oauth/token'
    if (isToken && (browser.takesBoth ? !isProven : !isBound)) {
      const used = new URLSearchParams(init?.body as string).get('refresh_token')
      return bound.has(used) ? Response.json({ error: 'invalid_grant' }, { status: 400 }) : plain(input, init)
    }
    const response = await proving(input, init)
    if (isToken && response.ok) {
      const granted = (await response.clone().json()) as Granted
      bound.add(granted['refresh_token'])
      browser.boundIds.add(idOf(String(granted['access_token'])))
    }
    return response
  }
}

async function withoutRefreshToken(response: Response): Promise<Response> {
  if (!response.ok) return response
  const { value } = await response.body!.getReader().read()
  const { refresh_token: _, ...others } = JSON.parse(new TextDecoder().decode(value)) as Granted
  return Response.json(others)
}

type Granted = Readonly<Record<string, unknown>>
