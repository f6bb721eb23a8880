// Wires the parts into one session and puts the public face on it (spec §4, contract §2).
import { CODE_LIFETIME_MS, FRAME_NAME } from '../constants.ts'
import { notAuthenticated, notInitialised } from '../errors.ts'
import { type AuthConfig, parseConfig } from '../protocol/config.ts'
import { createStateKey } from '../protocol/proofKey.ts'
import type { Auth } from './auth.ts'
import type { InteractionName, RunInteraction, Session } from './interior.ts'
import { createBrowserPlatform } from './browserPlatform.ts'
import { createCall } from './call.ts'
import { createCompanions } from './companions.ts'
import { createEventHooks } from './eventHooks.ts'
import { createGrants } from './grants.ts'
import { createHint } from './hint.ts'
import { createKeeper } from './keeper.ts'
import { createLazyFetch } from './lazyFetch.ts'
import { createLifecycle } from './lifecycle.ts'
import { passThrough } from './passthrough.ts'
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
    timeline,
    records,
    call: (request) => keeper.call(request),
    logOutTo: (environmentUrl) => signOut.leave('signed-out', { environmentUrl }),
    load: {
      tabs: () => import('./tabs.ts'),
      idle: () => import('./idle.ts'),
      redirection: () => import('./redirection.ts'),
    },
    adopt: keeper.adopt,
    onEnded: (reason) => vault.holding && keeper.end(reason),
    onIdle: () => void signOut.leave('idle').catch(() => {}),
  })
  const signIn = createSignIn({
    ...records,
    settings,
    platform,
    redirectUri,
    onLeaving: () => leaveFor('login'),
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
    claim: (attempt) =>
      platform.claim?.(`latchkey code ${attempt}`, CODE_LIFETIME_MS) ?? Promise.resolve(true),
    async run(steps) {
      // In a frame of our own the page is only on its way: it must not begin a session of its own.
      if (platform.frameName() === FRAME_NAME) return undefined
      return startUp({
        ...steps,
        settings,
        timeline,
        arrive: signIn.arrive,
        hadSession: hint.had,
        passThrough: (token) =>
          passThrough(
            { ...records, settings, platform, timeline, onLeaving: () => leaveFor('passthrough') },
            token,
          ),
      })
    },
  })

  function run<Result>(name: InteractionName, work: () => Promise<Result>): Promise<Result> {
    const [first] = caches
    return first ? first.run(name, work) : work()
  }
  async function clearCaches() {
    await Promise.all([...caches].map((cache) => cache.clear()))
  }
  function leaveFor(to: RedirectTarget) {
    store.change({ type: 'leaving', to })
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
      return signOut.leave('signed-out', options)
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
      signOut.forget()
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
    idle: companions.idle,
    leave(to, url) {
      leaveFor(to)
      platform.navigate(url)
    },
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
