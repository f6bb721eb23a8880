// An auth object in any state, without a server, frame or redirect, for tests and stories of an app's components.
import type { User } from '../protocol/claims.ts'
import type { SwitchOptions } from '../session/auth.ts'
import { RENEW_MARGIN_MS } from '../base/sessionConstants.ts'
import { notInitialised, offline } from '../base/errors.ts'
import type { Listening, MessageKind } from '../session/realtimePort.ts'
import { type AuthConfig, parseConfig } from '../protocol/config.ts'
import { deepFreeze } from '../protocol/presence.ts'
import { notAuthenticated } from '../base/sessionErrors.ts'
import type { Auth, IdleTime } from '../session/auth.ts'
import { readRecord } from '../protocol/answers.ts'
import { USER_INFO_PATH } from '../protocol/endpoints.ts'
import { createEventHooks } from '../session/signedIn/hooks.ts'
import { createLazyFetch } from '../session/http/lazyFetch.ts'
import type { AppFetchOptions } from '../session/http/appFetch.ts'
import { parseJson } from '../base/json.ts'
import { createAuth } from '../session/createAuth.ts'
import { type Internals, internalsOf } from '../session/internals.ts'
import { loadLater } from '../session/laterFile.ts'
import type { Respond } from './answers.ts'
import type { FakeCloudServer, FakeCloudServerOptions } from './cloudServer.ts'
import type { FakePopup } from './fakeWindows.ts'
import { createTestPage } from './testPage.ts'
import {
  createTestPresence,
  eventOf,
  flagsOf,
  isEnd,
  type TestOccupant,
  type TestState,
  type TestUser,
} from './testState.ts'
import { createAccessToken, TOKEN_LIFETIME_IN_SECONDS } from './tokens.ts'

/** One call of a component. */
export interface TestCall {
  /** The called action. */
  readonly action:
    | 'login'
    | 'logout'
    | 'stepUp'
    | 'switchTo'
    | 'renew'
    | 'stopRenewal'
    | 'retry'
    | 'stayActive'
  /** Its options, if any. */
  readonly options?: unknown
}

/** Options of a test auth. By default Alice of firm f1 is signed in. */
export interface TestAuthOptions {
  /** The signed-in user; short for a `state` of `authenticated`. Default: Alice of firm f1. */
  user?: TestUser | undefined
  /** The first state. Default: `authenticated`. */
  state?: TestState | undefined
  /**
   * The auth object that modules of the app import. It becomes the test auth and is returned, so that those modules and the
   * provider have one session. Default: a new object.
   */
  insteadOf?: Auth | undefined
  /** Members of the config. Defaults: authHost 'https://auth.test', clientId 'admin', scopes ['openid']. */
  config?: Partial<AuthConfig> | undefined
  /** Responds to a request. If it returns nothing, a fake server responds, or `fetch` for URLs outside authHost. Default: nothing. */
  respond?: Respond | undefined
  /** The cloud account, consent and link map of the fake server. Default: nothing linked. */
  cloud?: FakeCloudServerOptions | undefined
  /** Called with every popup that opens. Default: the user completes it at once. */
  onPopup?: ((popup: FakePopup) => void) | undefined
  /** Whether the browser blocks popups. Default false. */
  isPopupBlocked?: boolean | undefined
  /** Time left before the idle logout, milliseconds. It does not count down. Default: no idle time. */
  idleRemainingMs?: number | undefined
  /** The user's online sessions, that of this browser first. Default: unknown. */
  occupants?: readonly TestOccupant[] | undefined
}

/** An auth object whose state a test sets, with a record of its calls. */
export interface TestAuth extends Auth {
  /** Sets another state. */
  setState(state: TestState): void
  /** Sets the time left before the idle logout; `undefined` for no idle time. */
  setIdleRemainingMs(remainingMs: number | undefined): void
  /** Sets the user's online sessions; `undefined` for unknown. */
  setOccupants(occupants: readonly TestOccupant[] | undefined): void
  /** Delivers a message on the channel of the user or the firm. */
  deliver(message: { topic: string; type: string; data?: unknown; channel?: MessageKind }): void
  /** The calls of components, in order. */
  readonly calls: readonly TestCall[]
  /** The requests, in order. */
  readonly requests: readonly Request[]
  /** URLs that the page would have navigated to. */
  readonly navigations: readonly string[]
  /** Popups now open. */
  readonly popups: readonly FakePopup[]
  /** The data of the fake server. Tests may change its members at any time. */
  readonly cloud: FakeCloudServer
}

/** What a test auth leaves as `createAuth` has made it. */
type RealMember =
  | 'getState'
  | 'subscribe'
  | 'onUserGone'
  | 'supports'
  | 'explain'
  | 'addEventListener'
  | 'presence'

/**
 * Creates an auth object in any state. `login`, `logout` and `renew` change the state as the real ones do, and are recorded
 * in `calls`. Nothing navigates.
 *
 * @example
 * const auth = createTestAuth({ state: { status: 'unauthenticated', reason: 'idle' } })
 * render(<TestAuthProvider auth={auth}><App /></TestAuthProvider>)
 * expect(auth.calls).toEqual([{ action: 'login' }])
 */
export function createTestAuth(options: TestAuthOptions = {}): TestAuth {
  const config = {
    authHost: 'https://auth.test',
    clientId: 'admin',
    scopes: ['openid'],
    // It never leaves the page, so several can be mounted without a warning.
    autoLogin: false,
    ...options.config,
  } as AuthConfig
  const settings = parseConfig(config)
  const first: TestState = options.state ?? { status: 'authenticated', user: options.user }
  const calls: TestCall[] = []
  const listening = new Set<Listening>()
  let idle: IdleTime | undefined
  let presence = options.occupants && createTestPresence(options.occupants)
  let expiresAtMs: number | undefined

  const { platform, lifecycle, ...page } = createTestPage({
    ...options,
    authHost: settings.authHost,
    isOnline: () => store.state.isOnline,
    user: () => (store.state.status === 'authenticated' ? store.state.user : undefined),
  })
  // A real session that never starts: it has no tokens, and the test sets its state.
  const real = createAuth(config, { platform })
  const internals = internalsOf(real)
  const { store, caches, timeline, callOpenly: send } = internals
  const hooks = createEventHooks(settings.hooks, platform, timeline)
  const assertOnline = async () => store.state.isOnline || Promise.reject(offline())
  const callOpenly: typeof send = async (request) => {
    ready()
    await assertOnline()
    return send(request)
  }
  const call: typeof send = async (request) => callOpenly({ ...request, token: token() })

  const record = (action: TestCall['action'], given?: object) =>
    void calls.push({ action, ...(given && { options: given }) })
  const enter = (state: TestState) => {
    if (state.status === 'authenticated')
      expiresAtMs =
        'expiresAtMs' in state ? state.expiresAtMs : platform.now() + TOKEN_LIFETIME_IN_SECONDS * 1000
    const retry = () => record('retry')
    const event = eventOf(state, { nowMs: platform.now(), expiresAtMs: () => expiresAtMs, retry })
    if (event.type === 'authenticated') caches.makeRoomFor(event.session.claims)
    store.change(event)
    if (state.status === 'failed') store.change({ type: 'planned', retryAtMs: state.retryAtMs })
    store.change({ type: 'flags', flags: flagsOf(state) })
  }
  const ready = () => {
    if (store.state.status === 'initializing') throw notInitialised()
  }
  /** Returns the state with its user; throws as the real session does when signed out. */
  const signedIn = () => {
    ready()
    if (store.state.status !== 'authenticated') throw notAuthenticated()
    return store.state
  }
  const whileSignedIn = <Value>(value: Value) => (store.state.status === 'authenticated' ? value : undefined)
  const token = () => createAccessToken({ ...signedIn().user } as Parameters<typeof createAccessToken>[0])
  const setIdleRemainingMs = (remainingMs: number | undefined) => {
    const timeoutMs = settings.idleTimeoutInMinutes * 60_000
    const stayActive = () => {
      record('stayActive')
      setIdleRemainingMs(timeoutMs)
    }
    idle =
      remainingMs === undefined
        ? undefined
        : { idleSinceMs: platform.now() - (timeoutMs - remainingMs), remainingMs, stayActive }
    store.notify()
  }

  const replaced: Omit<TestAuth, RealMember> = {
    start: async () => {},
    async login(given) {
      ready()
      record('login', given)
      // In a popup: the test sets the outcome with `setState`.
      if (given?.display !== 'popup') store.change({ type: 'redirecting', to: 'login' })
    },
    async logout(given) {
      ready()
      record('logout', given)
      const user = store.state.status === 'authenticated' ? store.state.user : undefined
      await hooks.fire('beforeLogout', { user, reason: 'signed-out' })
      const cleared = caches.clear()
      store.change({ type: 'redirecting', to: 'logout' })
      await cleared
    },
    async stepUp(error, given) {
      signedIn()
      record('stepUp', { code: error.code, ...given })
      if (given?.display !== 'popup') store.change({ type: 'redirecting', to: 'login' })
    },
    async switchTo(given) {
      record('switchTo', given)
      enter({ status: 'authenticated', user: switchedUser(signedIn().user, given) })
    },
    async renew(given) {
      const { user } = signedIn()
      record('renew', given)
      expiresAtMs = platform.now() + TOKEN_LIFETIME_IN_SECONDS * 1000
      store.change({ type: 'flags', flags: { isTokenExpired: false } })
      store.notify()
      await hooks.fire('afterRefreshToken', { user, expiresAtMs })
    },
    stopRenewal() {
      ready()
      record('stopRenewal')
    },
    async getAccessToken({ force } = {}) {
      if (force) await auth.renew({ force })
      return token()
    },
    fetch: createLazyFetch(
      {
        settings,
        platform,
        timeline,
        stepUps: { load: () => loadLater(platform) },
        bearer: bearerOf(token),
      },
      ready,
    ),
    setHook: hooks.set,
    idle() {
      ready()
      return whileSignedIn(idle)
    },
    dispose: lifecycle.dispose,
    setState(state) {
      if (store.state.status === 'authenticated' && isEnd(state))
        void caches.clear('reason' in state ? state.reason : undefined)
      enter(state)
    },
    setIdleRemainingMs,
    setOccupants(given) {
      presence = given && createTestPresence(given)
      store.notify()
    },
    deliver({ topic, type, data: given, channel = 'user' }) {
      // As over a connection: JSON, frozen.
      const data = deepFreeze(parseJson(JSON.stringify(given)))
      for (const one of Array.from(listening))
        if (one.kind === channel && one.topic === topic && one.type === type)
          one.callback(data, { topic, messageType: type, data })
    },
    calls,
    ...page,
  }
  const auth: TestAuth = Object.assign(options.insteadOf ?? real, real, replaced)
  // In their place: the real members of the auth object ask these.
  Object.assign(internals.connection, {
    presence: () => whileSignedIn(presence),
    occupants: () => whileSignedIn(presence)?.occupants() ?? [],
    listen(one) {
      listening.add(one)
      return () => listening.delete(one)
    },
  } satisfies Internals['connection'])
  Object.assign(internals.refresh, {
    plannedAtMs: () =>
      settings.autoRefreshToken && expiresAtMs !== undefined ? expiresAtMs - RENEW_MARGIN_MS : undefined,
  } satisfies Partial<Internals['refresh']>)
  Object.assign(internals, {
    firstState: () => store.state,
    call,
    callOpenly,
    readUserInfo: async (signal) =>
      readRecord(`GET ${USER_INFO_PATH}`, await call({ method: 'GET', path: USER_INFO_PATH, signal })),
    loginByItself: () => auth.login(),
    async leaveSignedIn(to, urlOf) {
      await assertOnline()
      store.change({ type: 'redirecting', to })
      platform.navigate(urlOf())
    },
    idle: () => whileSignedIn(idle),
    page: lifecycle.page,
    hold: lifecycle.hold,
    settleDoubt: async () => void (await assertOnline()),
  } satisfies Partial<Internals>)
  setIdleRemainingMs(options.idleRemainingMs)
  enter(first)
  return auth
}

/** The same person for another firm or organization; without one, unchanged. */
const switchedUser = (user: User, { firmId, organization }: SwitchOptions): User => ({
  ...user,
  firmId: firmId ?? organization ?? user.firmId,
})

/** The session interface that `auth.fetch` needs, of a session that is never renewed or replaced. */
function bearerOf(token: () => string): AppFetchOptions['bearer'] {
  const get = async () => token()
  return { getAccessToken: get, renewRefused: get, signal: () => new AbortController().signal }
}
