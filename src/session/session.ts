// Wires the parts into one session and puts the public face on it (spec §4, contract §2).
import { FRAME_NAME } from '../constants.ts'
import {
  AuthError,
  identityChanged,
  invalidGrant,
  loginRequired,
  notAuthenticated,
  notInitialised,
} from '../errors.ts'
import { isSameIdentity } from '../protocol/claims.ts'
import { type AuthConfig, parseConfig, type Settings } from '../protocol/config.ts'
import type { Auth } from './auth.ts'
import { createBrowserPlatform } from './browserPlatform.ts'
import { type Call, createCall, type Request } from './call.ts'
import { createEventHooks } from './eventHooks.ts'
import { createGrants, type Granted } from './grants.ts'
import { createLazyFetch } from './lazyFetch.ts'
import type { Platform } from './platform.ts'
import { createRecords } from './records.ts'
import { createRenewal } from './renewal.ts'
import { createSignIn, type LoginOptions } from './signIn.ts'
import { createSignOut } from './signOut.ts'
import { createSilentCheck } from './silentCheck.ts'
import { startUp } from './startUp.ts'
import { type AuthState, initialState, type StateEvent, transition } from './state.ts'
import { createTimeline } from './timeline.ts'
import { createVault, type Holding } from './vault.ts'

/** Names of the server interactions that the session starts by itself, as the query devtools show them. */
export type InteractionName = 'exchange code' | 'verify session' | 'renew token'

/** Runs a server interaction where the query devtools can see it; what it yields stays out of sight. */
export type RunInteraction = <Result>(name: InteractionName, work: () => Promise<Result>) => Promise<Result>

/** What the queries room needs beyond the public face. */
export interface Session {
  readonly settings: Settings
  readonly platform: Platform
  /** A call with the bearer token: renewed first when due, renewed and repeated once on 401. */
  call(request: Omit<Request, 'token'>): Promise<unknown>
  /** A call without the bearer token. */
  callOpenly: Call
  /** Hands over how interactions are run, and what empties the caches; returns the removal. */
  attachCaches(caches: { run: RunInteraction; clear(): Promise<void> }): () => void
  /** Somebody uses this session: it runs until the last one lets go. */
  hold(): () => void
}

const sessions = new WeakMap<Auth, Session>()

/** The session behind a public face. */
export function sessionOf(auth: Auth): Session {
  return sessions.get(auth)!
}

/**
 * Checks the config and does nothing else: no request, no storage, no listener. Usable on a server.
 *
 * @throws AuthError `missing-config`, `invalid-scopes`, `invalid-config`, `unsupported-hook`, `invalid-hook` (spec §5)
 * @example
 * export const auth = createAuth({ authHost: 'https://auth.example.com', clientId: 'admin', scopes: ['openid'] })
 */
export function createAuth(
  config: AuthConfig,
  { platform = createBrowserPlatform() }: { platform?: Platform } = {},
): Auth {
  const settings = parseConfig(config)
  const hintKey = `latchkey:${settings.clientId}:session`
  const redirectUri = () => settings.redirectUri ?? `${new URL(platform.address()).origin}/`

  const listeners = new Set<() => void>()
  const caches = new Set<{ run: RunInteraction; clear(): Promise<void> }>()
  let state: AuthState = initialState({ isOnline: true, realtime: 'off' })
  let epoch = 0
  let starting: Promise<void> | undefined
  let leaving: Promise<void> | undefined
  let exchanging: Promise<void> | undefined
  let holderCount = 0
  let isPinned = false
  let running: AbortController | undefined

  const timeline = createTimeline(platform.now)
  const hooks = createEventHooks(settings.hooks, { platform, timeline })
  const vault = createVault(platform)
  const records = createRecords(platform.sessionStorage, settings.clientId)
  const callOpenly = createCall(settings.authHost, platform)
  const silentCheck = createSilentCheck(settings, platform)
  const grants = createGrants({
    ...records,
    settings,
    platform,
    post: (body) => callOpenly({ method: 'POST', path: '/oauth/token', body }),
    askFrame: (signal) => silentCheck.ask(redirectUri(), signal),
  })
  const renewal = createRenewal({
    platform,
    isScheduled: settings.autoRefreshToken,
    isDue: vault.isDue,
    remainingMs: vault.remainingMs,
    renew: () => run('renew token', renew),
  })
  const signIn = createSignIn({
    ...records,
    settings,
    platform,
    redirectUri,
    onLeaving: () => changeState({ type: 'leaving', to: 'login' }),
  })
  const signOut = createSignOut({
    settings,
    platform,
    timeline,
    redirectUri,
    changeState,
    keepDeparture: signIn.keepDeparture,
    beginEpoch: () => (epoch += 1),
    beforeLogout: (reason) => hooks.fire('beforeLogout', { user: currentUser(), reason }),
    clearVault: () => endSession(),
    clearCaches,
  })

  function changeState(event: StateEvent) {
    const next = transition(state, event)
    if (next === state) return
    state = next
    if (event.type !== 'flags') timeline.record('state', 'done', next.status)
    notify()
  }
  function notify() {
    for (const listener of listeners) listener()
  }
  function currentUser() {
    return state.status === 'authenticated' ? state.user : undefined
  }
  const run: RunInteraction = (name, work) => {
    const [first] = caches
    return first ? first.run(name, work) : work()
  }
  async function clearCaches() {
    await Promise.all([...caches].map((cache) => cache.clear()))
  }

  // ——— tokens ———

  /** Takes tokens in and says who is signed in, unless the session they belong to has ended meanwhile. */
  function takeIn({ tokens, verifier }: Granted, startedIn: number) {
    if (startedIn !== epoch) throw notAuthenticated()
    const { isSameSession } = vault.put(tokens, verifier)
    platform.localStorage.set(hintKey, '1')
    records.forgetNavigations()
    renewal.schedule()
    if (isSameSession && state.status === 'authenticated') notify()
    else changeState({ type: 'authenticated', session: vault.holding! })
  }
  async function signedIn(granting: Promise<Granted>, via: 'redirect' | 'silent') {
    const startedIn = epoch
    takeIn(await granting, startedIn)
    // After this breath, so that components which mount on signing in have set their hook.
    platform.setTimer(() => {
      const user = currentUser()
      if (user && startedIn === epoch) void hooks.fire('afterLogin', { user, via })
    }, 0)
  }
  function endSession() {
    epoch += 1
    renewal.stop()
    vault.clear()
    platform.localStorage.remove(hintKey)
  }
  async function renew() {
    const startedIn = epoch
    try {
      if (!vault.holding) throw notAuthenticated()
      const { claims } = vault.holding
      const granted = await refresh(vault.holding)
      if (startedIn !== epoch) throw notAuthenticated()
      if (!isSameIdentity(claims, granted.tokens.claims)) throw identityChanged()
      takeIn(granted, startedIn)
    } catch (error) {
      if (error instanceof AuthError) timeline.record('renew token', 'failed', error)
      throw error
    }
    timeline.record('renew token', 'done')
    void hooks.fire('afterRefreshToken', { user: currentUser()!, expiresAtMs: vault.holding?.expiresAtMs })
  }
  async function refresh({ refreshToken, verifier }: Holding): Promise<Granted> {
    if (refreshToken === undefined) return verifyOrEnd(loginRequired())
    try {
      return await grants.refresh(refreshToken, verifier)
    } catch (error) {
      if (!isInvalidGrant(error)) throw error
      return verifyOrEnd(invalidGrant(error))
    }
  }
  /** The refresh token is worth nothing any more: the server's own session is the last chance. */
  async function verifyOrEnd(cause: AuthError): Promise<Granted> {
    const startedIn = epoch
    try {
      return await grants.verify(running?.signal ?? AbortSignal.abort())
    } catch (error) {
      // A server out of reach has not ended the session; whatever else it said, it has.
      if (error instanceof AuthError && error.retryable && !error.code.startsWith('iframe')) throw error
      if (startedIn === epoch) {
        endSession()
        void clearCaches()
        changeState({ type: 'absent', reason: 'expired', cause })
      }
      throw cause
    }
  }

  // ——— start and stop ———

  function startRunning(): Promise<void> {
    running ??= activate()
    starting ??= runStartUp(running.signal)
    return starting
  }
  async function runStartUp(signal: AbortSignal) {
    const startedIn = epoch
    // In a frame of our own the page is only on its way: it must not begin a session of its own.
    if (platform.frameName() === FRAME_NAME) return
    // Cut off and begun again while a code was on its way: that exchange decides, and is not repeated.
    if (
      exchanging &&
      (await exchanging.then(
        () => true,
        () => false,
      ))
    )
      return
    const event = await startUp({
      authHost: settings.authHost,
      isAutoLogin: settings.autoLogin,
      timeline,
      arrive: signIn.arrive,
      exchange: (code, attempt) => {
        exchanging = run('exchange code', () => signedIn(grants.exchange(code, attempt, signal), 'redirect'))
        return exchanging
      },
      verify: () => run('verify session', () => signedIn(grants.verify(signal), 'silent')),
      login: () => login({ isAutomatic: true }),
      retry,
      hadSession: () => platform.localStorage.get(hintKey) !== undefined,
    })
    if (event && !signal.aborted && startedIn === epoch) changeState(event)
  }
  function retry(how: 'start-up' | 'login') {
    if (state.status !== 'failed') return
    if (how === 'login') {
      login().catch((error: unknown) => {
        changeState({ type: 'failed', error: error as AuthError, retry: () => retry('login') })
      })
      return
    }
    changeState({ type: 'restarted' })
    starting = undefined
    void startRunning()
  }
  function activate() {
    const controller = new AbortController()
    const wake = () => {
      const isWaiting =
        state.status === 'failed' && state.error.retryable && state.error.code !== 'redirect-loop'
      if (isWaiting && platform.isOnline()) retry('start-up')
      else renewal.check()
    }
    const stops = [
      platform.on('online', () => {
        changeState({ type: 'flags', flags: { isOnline: true } })
        wake()
      }),
      platform.on('offline', () => changeState({ type: 'flags', flags: { isOnline: false } })),
      platform.on('visible', wake),
      platform.on('focus', wake),
      platform.on('resume', wake),
      platform.on('restored', () => {
        // Back from the page the browser was sent to: the user did not want to leave.
        if (state.status === 'redirecting')
          changeState({ type: 'absent', reason: state.to === 'login' ? 'cancelled' : 'signed-out' })
        wake()
      }),
    ]
    controller.signal.addEventListener('abort', () => {
      for (const stop of stops) stop()
      renewal.stop()
    })
    changeState({ type: 'flags', flags: { isOnline: platform.isOnline() } })
    if (vault.holding) renewal.schedule()
    return controller
  }
  function deactivate() {
    running?.abort()
    running = undefined
    // A start-up that was cut off begins again with the next start; an ended one is not repeated.
    if (state.status === 'initializing') starting = undefined
  }

  // ——— operations ———

  async function login(options: LoginOptions & { isAutomatic?: boolean } = {}) {
    leaving ??= signIn.leave(options).finally(() => {
      leaving = undefined
    })
    return leaving
  }
  function assertInitialised() {
    if (state.status === 'initializing') throw notInitialised()
  }
  async function getAccessToken() {
    assertInitialised()
    if (!vault.holding) throw notAuthenticated()
    try {
      await renewal.ensureFresh()
    } catch (error) {
      // The token still lives: better used than refused.
      if (!(vault.holding && (vault.remainingMs() ?? 1) > 0)) throw error
    }
    if (!vault.holding) throw notAuthenticated()
    return vault.holding.accessToken
  }
  async function renewRefused(token: string) {
    if (vault.holding?.accessToken === token) await renewal.ensureFresh(true)
    return getAccessToken()
  }
  async function call(request: Omit<Request, 'token'>) {
    const token = await getAccessToken()
    try {
      return await callOpenly({ ...request, token })
    } catch (error) {
      if (!(error instanceof AuthError && error.status === 401)) throw error
      const fresh = await renewRefused(token).catch(() => undefined)
      if (fresh === undefined || fresh === token) throw error
      return callOpenly({ ...request, token: fresh })
    }
  }

  const auth: Auth = {
    start() {
      isPinned = true
      return startRunning()
    },
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async login({ prompt, returnTo } = {}) {
      assertInitialised()
      return login({ prompt, returnTo })
    },
    async logout(options) {
      assertInitialised()
      return signOut('signed-out', options)
    },
    async renew({ force } = {}) {
      assertInitialised()
      if (!vault.holding) throw notAuthenticated()
      return renewal.ensureFresh(force)
    },
    stopRenewal() {
      assertInitialised()
      renewal.stop()
    },
    getAccessToken,
    fetch: createLazyFetch(async () => {
      const { createAppFetch } = await import('./appFetch.ts')
      return createAppFetch({
        platform,
        isAllowed: (origin) =>
          [settings.authHost, new URL(platform.address()).origin, ...settings.apiOrigins].includes(origin),
        getAccessToken,
        renewRefused,
      })
    }),
    setHook: hooks.set,
    explain() {
      assertInitialised()
      return timeline.steps()
    },
    dispose() {
      isPinned = false
      deactivate()
      epoch += 1
      starting = undefined
      vault.clear()
      changeState({ type: 'restarted' })
    },
  }
  sessions.set(auth, {
    settings,
    platform,
    call,
    callOpenly,
    attachCaches(cache) {
      caches.add(cache)
      return () => caches.delete(cache)
    },
    hold() {
      holderCount += 1
      void startRunning()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        holderCount -= 1
        // StrictMode and remounts let go and take hold again in the same breath.
        platform.setTimer(() => holderCount === 0 && !isPinned && deactivate(), 0)
      }
    },
  })
  return auth
}

function isInvalidGrant(error: unknown): boolean {
  const body = error instanceof AuthError ? error.body : undefined
  return typeof body === 'object' && body !== null && 'error' in body && body.error === 'invalid_grant'
}
