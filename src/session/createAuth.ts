// Wires the parts into one session and puts the public face on it (spec §4, contract §2).
import { invalidListener, notInitialised } from '../errors.ts'
import { checkChannel } from '../protocol/channel.ts'
import { type AuthConfig, parseConfig } from '../protocol/config.ts'
import { type Callback, takeCallback } from './signIn/callback.ts'
import type { Auth } from './auth.ts'
import { createBrowserPlatform } from './platform/browserPlatform.ts'
import { createCall } from './http/call.ts'
import type { Core, Listening } from './context.ts'
import { createEventHooks } from './signedIn/hooks.ts'
import { createTokenEndpoint } from './signIn/tokenEndpoint.ts'
import type { RunInteraction, Session } from './internals.ts'
import { createLazyFetch } from './http/lazyFetch.ts'
import { createLifecycle } from './lifecycle.ts'
import type { Platform } from './platform/platform.ts'
import { createOnlineSessions } from './realtime/onlineSessions.ts'
import { createTabRecords } from './signIn/tabRecords.ts'
import { createSilentCheck } from './signIn/silentSignIn.ts'
import { createStarter } from './boot/boot.ts'
import { startUp } from './boot/startUp.ts'
import { createStore } from './store.ts'
import { createTimeline } from './timeline.ts'
import { createUpkeep, type Upkeep } from './signedIn/upkeep.ts'

const sessions = new WeakMap<Auth, Session>()

/** The session behind a public face. */
export function internalsOf(auth: Auth): Session {
  return sessions.get(auth)!
}

/** Puts another session behind a public face that was made elsewhere: in `latchkey/testing`. */
export function lendInternals(auth: Auth, session: Session): void {
  sessions.set(auth, session)
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
  const caches = new Set<{ run: RunInteraction; clear(): Promise<void> }>()
  let upkeep: Upkeep | undefined
  let token: Callback | undefined
  let isOtherUsersLink = false

  const timeline = createTimeline(platform.now)
  const store = createStore(
    { isOnline: true, realtime: 'off', isTokenExpired: false },
    {
      onStatus: (status) => timeline.record('state', 'done', status),
      onFault: (error) => platform.warn('A subscriber failed', error),
    },
  )
  const listening = new Set<Listening>()
  const hooks = createEventHooks(settings.hooks)
  const records = createTabRecords(platform.sessionStorage, settings)
  const blockedUntil = new Map<string, number>()
  let disposal = new AbortController()
  const heldSecrets = () => upkeep?.heldSecrets() ?? []
  const call = createCall(
    settings.authHost,
    platform,
    blockedUntil,
    (endpoint, forMs) => upkeep?.tellOfBlock(endpoint, forMs),
    heldSecrets,
  )
  const silentCheck = createSilentCheck(settings, platform, records)
  const redirectUri = () => settings.redirectUri ?? `${new URL(platform.address()).origin}/`
  const lifecycle = createLifecycle({
    platform,
    listeners: {
      online() {
        store.change({ type: 'flags', flags: { isOnline: true } })
        upkeep?.wake()
      },
      offline() {
        store.change({ type: 'flags', flags: { isOnline: false } })
        starter.pause()
      },
    },
    onStart() {
      store.change({ type: 'flags', flags: { isOnline: platform.isOnline() } })
      upkeep?.run()
      starter.resume()
    },
    onStop: () => starter.stop(),
  })
  const core: Core = {
    settings,
    platform,
    store,
    timeline,
    records,
    listening,
    call,
    blockedUntil,
    redirectUri,
    grants: createTokenEndpoint({
      settings,
      platform,
      post: (body) => call({ method: 'POST', path: '/oauth/token', body }),
      askFrame: (signal, isLastChance) => silentCheck.ask(redirectUri(), signal, isLastChance),
    }),
    hook: hooks.get,
    signal: lifecycle.signal,
    disposal: () => disposal.signal,
    show(name, work) {
      const [first] = caches
      return first ? first.run(name, work) : work()
    },
    async clearCaches() {
      const clear = async (cache: { clear(): Promise<void> }) => cache.clear()
      const report = (error: unknown) => platform.warn('The caches of the app could not be emptied', error)
      await Promise.all([...caches].map((cache) => clear(cache).catch(report)))
    },
    resumeStartUp: () => starter.resume(),
    onOtherUsersLink() {
      isOtherUsersLink = true
      store.notify()
    },
  }
  /** What runs the session; made when it is first needed, because `createAuth` itself reads no storage. */
  const upkeepNow = () => {
    if (!upkeep) {
      upkeep = createUpkeep(core)
      if (!lifecycle.signal().aborted) upkeep.run()
    }
    return upkeep
  }
  const starter = createStarter({
    ...core,
    upkeep: upkeepNow,
    runSteps: (steps) =>
      startUp({
        ...steps,
        settings,
        timeline,
        arrive() {
          const arrival = takeCallback(core) ?? token
          // It is not in the address any more when a start-up that failed, or was cut off, begins again.
          if (arrival?.type === 'token') token = arrival
          return arrival
        },
      }),
  })

  function assertStarted() {
    if (store.state.status === 'initializing') throw notInitialised()
  }
  /** What runs the session; only after start-up, or its repeat, has ended. */
  function ready(): Upkeep {
    assertStarted()
    if (starter.isRepeating()) throw notInitialised()
    return upkeepNow()
  }

  function listen(one: Listening) {
    listening.add(one)
    void upkeep?.followListeners()
    return () => {
      listening.delete(one)
      void upkeep?.followListeners()
    }
  }

  const onlineSessions = createOnlineSessions({
    store,
    presence: () => upkeep?.presence(),
    join: () => void upkeep?.joinChannels(),
  })

  const auth: Auth = {
    start() {
      lifecycle.pin()
      return starter.start()
    },
    getState: () => store.state,
    subscribe: store.subscribe,
    // Member by member: an app may hand the event of a click through.
    login: async ({ prompt, returnTo } = {}) => ready().login({ prompt, returnTo }),
    logout: async ({ force } = {}) => ready().logout({ force }),
    renew: async ({ force } = {}) => ready().renew(force),
    stopRenewal() {
      assertStarted()
      upkeep?.stopRenewal()
    },
    async getAccessToken({ force } = {}) {
      const { renew, getAccessToken } = ready()
      if (force) await renew(true)
      return getAccessToken()
    },
    fetch: createLazyFetch(async () => ready().loadAppFetch()),
    setHook: hooks.set,
    addEventListener(topic, type, callback, { channel = 'user' } = {}) {
      if (typeof callback !== 'function') throw invalidListener(topic, type)
      return listen({ kind: checkChannel(channel), topic, type, callback })
    },
    idle() {
      assertStarted()
      return upkeep?.idle()
    },
    presence() {
      assertStarted()
      return onlineSessions.read()
    },
    explain: timeline.steps,
    dispose() {
      disposal.abort(notInitialised())
      disposal = new AbortController()
      onlineSessions.stop()
      lifecycle.stop()
      upkeep?.dispose()
      token = undefined
      starter.reset()
      store.change({ type: 'restarted' })
    },
  }
  sessions.set(auth, {
    settings,
    platform,
    timeline,
    inspect: () => upkeep?.inspect(),
    callOpenly: call,
    heldSecrets,
    call: async (request) => ready().call(request),
    takeOtherUsersLink() {
      const isUntold = isOtherUsersLink
      isOtherUsersLink = false
      return isUntold
    },
    idle: () => upkeep?.idle(),
    presence: () => upkeep?.presence(),
    joinChannels: async () => upkeep?.joinChannels(),
    listen,
    loginByItself: async () => ready().login({ isAutomatic: true }),
    leave(to, url) {
      store.change({ type: 'leaving', to })
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
