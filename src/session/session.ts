// Wires the parts into one session and puts the public face on it (spec §4, contract §2).
import { FRAME_NAME } from '../constants.ts'
import { notAuthenticated, notInitialised } from '../errors.ts'
import { type AuthConfig, parseConfig, type Settings } from '../protocol/config.ts'
import { createStateKey } from '../protocol/proofKey.ts'
import type { Auth } from './auth.ts'
import { createBrowserPlatform } from './browserPlatform.ts'
import { type Call, createCall, type Request } from './call.ts'
import { createCompanions } from './companions.ts'
import { createEventHooks } from './eventHooks.ts'
import { createGrants } from './grants.ts'
import { createHint } from './hint.ts'
import type { Idle } from './idle.ts'
import { createKeeper } from './keeper.ts'
import { createLazyFetch } from './lazyFetch.ts'
import { createLifecycle } from './lifecycle.ts'
import type { Platform } from './platform.ts'
import { createRecords } from './records.ts'
import { createRenewal } from './renewal.ts'
import { createSignIn } from './signIn.ts'
import { createSignOut } from './signOut.ts'
import { createSilentCheck } from './silentCheck.ts'
import { createStarter } from './starter.ts'
import { startUp } from './startUp.ts'
import type { RedirectTarget } from './state.ts'
import { createStore } from './store.ts'
import { createTimeline } from './timeline.ts'
import { createVault } from './vault.ts'

/** Names of the server interactions that the session starts by itself, as the query devtools show them. */
export type InteractionName = 'exchange code' | 'verify session' | 'renew token'

/** Runs a server interaction where the query devtools can see it; what it yields stays out of sight. */
export type RunInteraction = <Result>(name: InteractionName, work: () => Promise<Result>) => Promise<Result>

/** What the rooms above need beyond the public face. */
export interface Session {
  readonly settings: Settings
  readonly platform: Platform
  /** A call with the bearer token: renewed first when due, renewed and repeated once on 401. */
  call(request: Omit<Request, 'token'>): Promise<unknown>
  /** A call without the bearer token. */
  callOpenly: Call
  /** Leaves for a page of the server that the user comes back from, still signed in. */
  leave(to: RedirectTarget, url: string): void
  /** Idle time of the signed-in user; `undefined` while nobody is, or without autoLogout. */
  idle(): Idle | undefined
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
  const { authHost, clientId } = settings
  const origin = () => new URL(platform.address()).origin
  const redirectUri = () => settings.redirectUri ?? `${origin()}/`

  const caches = new Set<{ run: RunInteraction; clear(): Promise<void> }>()
  let tabId: string | undefined

  const timeline = createTimeline(platform.now)
  const store = createStore({ isOnline: true, realtime: 'off' }, (status) => {
    timeline.record('state', 'done', status)
  })
  const hooks = createEventHooks(settings.hooks, { platform, timeline })
  const vault = createVault(platform)
  const records = createRecords(platform.sessionStorage, clientId)
  const hint = createHint(platform.localStorage, clientId, () => (tabId ??= createStateKey(platform.crypto)))
  const callOpenly = createCall(authHost, platform)
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
    renew: () => run('renew token', keeper.renew),
  })
  const lifecycle = createLifecycle({
    platform,
    listeners: {
      online() {
        store.change({ type: 'flags', flags: { isOnline: true } })
        wake()
      },
      offline: () => store.change({ type: 'flags', flags: { isOnline: false } }),
      visible: wake,
      focus: wake,
      resume: wake,
      pageshow: () => vault.holding && hint.join(),
      pagehide: hint.leave,
      restored() {
        // Back from the page the browser was sent to: the user did not want to leave.
        const { state } = store
        if (state.status === 'redirecting') {
          const session = state.to === 'change-password' ? vault.holding : undefined
          store.change(
            session
              ? { type: 'authenticated', session }
              : { type: 'absent', reason: state.to === 'login' ? 'cancelled' : 'signed-out' },
          )
        }
        wake()
      },
    },
    onStart() {
      store.change({ type: 'flags', flags: { isOnline: platform.isOnline() } })
      if (!vault.holding) return
      hint.join()
      renewal.schedule()
      void companions.begin(false)
    },
    onStop() {
      hint.leave()
      renewal.stop()
      companions.stop()
      starter.stop()
    },
  })
  const keeper = createKeeper({
    platform,
    store,
    vault,
    grants,
    timeline,
    hint,
    renewal,
    clearCaches,
    call: callOpenly,
    signal: lifecycle.signal,
    fireHook: hooks.fire,
    onceForAllTabs: async (work, hold) => {
      const loaded = await companions.loadedTabs()
      return loaded ? loaded.once(work, hold) : hold(await work(false))
    },
    onBegin: (isNew) => void companions.begin(isNew),
    onEnd: () => companions.end(),
  })
  const companions = createCompanions({
    settings,
    platform,
    store,
    vault,
    hint,
    load: { tabs: () => import('./tabs.ts'), idle: () => import('./idle.ts') },
    adopt: keeper.adopt,
    onEnded: (reason) => vault.holding && keeper.end(reason),
    onIdle: () => void signOut('idle').catch(() => {}),
  })
  const signIn = createSignIn({
    ...records,
    settings,
    platform,
    redirectUri,
    onLeaving: () => store.change({ type: 'leaving', to: 'login' }),
  })
  const signOut = createSignOut({
    settings,
    platform,
    timeline,
    redirectUri,
    clearCaches,
    changeState: store.change,
    keepDeparture: signIn.keepDeparture,
    beginEpoch: keeper.beginEpoch,
    async beforeLogout(reason) {
      const { state } = store
      const user = state.status === 'authenticated' ? state.user : undefined
      await hooks.fire('beforeLogout', { user, reason })
    },
    clearVault(reason) {
      void companions.loadedTabs()?.then((loaded) => loaded.ended(reason))
      keeper.forget()
    },
  })

  const starter = createStarter({
    store,
    grants,
    signIn,
    hint,
    show: run,
    epoch: () => keeper.epoch,
    signal: lifecycle.signal,
    signedIn: keeper.signedIn,
    tabs: companions.tabs,
    async run(steps) {
      // In a frame of our own the page is only on its way: it must not begin a session of its own.
      if (platform.frameName() === FRAME_NAME) return undefined
      return startUp({ ...steps, settings, timeline, arrive: signIn.arrive, hadSession: hint.had })
    },
  })

  function run<Result>(name: InteractionName, work: () => Promise<Result>): Promise<Result> {
    const [first] = caches
    return first ? first.run(name, work) : work()
  }
  async function clearCaches() {
    await Promise.all([...caches].map((cache) => cache.clear()))
  }
  function assertInitialised() {
    if (store.state.status === 'initializing') throw notInitialised()
  }

  /** The page woke or came back: idle time first, then whether the session still is, then the token. */
  function wake() {
    const { state } = store
    if (state.status === 'failed' && state.error.retryable && state.error.code !== 'redirect-loop') {
      if (platform.isOnline()) starter.retry('start-up')
      return
    }
    if (companions.idle()?.check()) return
    if (vault.holding && hint.isEndedElsewhere()) keeper.end('signed-out')
    else renewal.check()
  }

  const auth: Auth = {
    start() {
      lifecycle.pin()
      return starter.start()
    },
    getState: () => store.state,
    subscribe: store.subscribe,
    async login({ prompt, returnTo } = {}) {
      assertInitialised()
      return starter.login({ prompt, returnTo })
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
    getAccessToken: keeper.getAccessToken,
    fetch: createLazyFetch(async () => {
      const { createAppFetch } = await import('./appFetch.ts')
      const isAllowed = (target: string) => [authHost, origin(), ...settings.apiOrigins].includes(target)
      return createAppFetch({ ...keeper, platform, isAllowed })
    }),
    setHook: hooks.set,
    explain() {
      assertInitialised()
      return timeline.steps()
    },
    dispose() {
      lifecycle.stop()
      keeper.beginEpoch()
      starter.reset()
      vault.clear()
      store.change({ type: 'restarted' })
    },
  }
  sessions.set(auth, {
    settings,
    platform,
    callOpenly,
    call: keeper.call,
    leave(to, url) {
      store.change({ type: 'leaving', to })
      platform.navigate(url)
    },
    idle: companions.idle,
    attachCaches(cache) {
      caches.add(cache)
      return () => caches.delete(cache)
    },
    hold() {
      const release = lifecycle.hold()
      void starter.start()
      return release
    },
  })
  return auth
}
