// The two faces of a session: the one that apps see, and the one for the rooms above.
import { invalidListener, notInitialised } from '../errors.ts'
import { checkChannel } from '../protocol/channel.ts'
import { noBrowser, notAuthenticated, storageUnavailable } from '../sessionErrors.ts'
import type { Auth } from './auth.ts'
import type { Boot } from './boot/boot.ts'
import type { Context } from './context.ts'
import type { Listening } from './realtime/topicListeners.ts'
import { createLazyFetch } from './http/lazyFetch.ts'
import type { AppCache } from './caches.ts'
import type { Internals } from './internals.ts'
import type { Lifecycle } from './lifecycle.ts'
import { logoutReturn } from './signedIn/logoutPage.ts'
import type { Session } from './signedIn/session.ts'
import { ownWindow } from './signIn/popupSignIn.ts'
import { fetchLaterFile, loadLater } from './laterFile.ts'
import type { RedirectTarget } from './state.ts'

export interface FacesOptions {
  context: Context
  session: Session
  boot: Boot
  lifecycle: Lifecycle
  listening: Set<Listening>
  attachCaches(cache: AppCache): () => void
  /** Whatever is under way signs nobody in any more. */
  dispose(): void
}

export function createFaces(options: FacesOptions): { auth: Auth; internals: Internals } {
  const { session, listening } = options
  const { connection } = session.parts.running
  const listen = (one: Listening) => {
    listening.add(one)
    connection.joinForListener()
    return () => void listening.delete(one)
  }
  return { auth: createPublicFace(options, listen), internals: createInternals(options, listen) }
}

type Listen = (listening: Listening) => () => void

function createPublicFace(options: FacesOptions, listen: Listen): Auth {
  const { context, session, boot, lifecycle } = options
  const { store, hooks, tokens, timeline } = context
  const { refresh, bearer, running } = session.parts
  const assertReady = () => assertStartUpOver(options)
  const assertStarted = () => {
    if (store.state.status === 'initializing') throw notInitialised()
  }
  const renew = async (isForced?: boolean) => {
    assertReady()
    if (!tokens.holding) throw notAuthenticated()
    await refresh.ensureFresh(isForced)
  }

  return {
    start() {
      if (context.platform.isServer) return Promise.reject(noBrowser())
      lifecycle.pin()
      return boot.start()
    },
    getState: () => store.state,
    subscribe: store.subscribe,
    async login(request) {
      assertReady()
      await session.logIn({ ...request, isAutomatic: false })
    },
    async logout({ force, returnTo } = {}) {
      assertReady()
      const departure = { force, ...logoutReturn(returnTo, context.platform.address()) }
      await session.send({ type: 'logout', departure })
    },
    async stepUp(error, request) {
      assertReady()
      await (await loadLater()).stepUp(error, request, context, (way) => session.logIn(way))
    },
    renew: async ({ force } = {}) => renew(force),
    stopRenewal() {
      assertStarted()
      refresh.stopForApp()
    },
    async getAccessToken({ force = false, resource } = {}) {
      assertReady()
      // Whose token is asked for is settled now, whatever is waited for.
      const signal = session.signal()
      if (resource !== undefined) {
        const file = await loadLater()
        return file.getResourceToken({ context, parts: session.parts, signal }, resource, force)
      }
      if (force) await renew(true)
      if (signal.aborted) throw notAuthenticated()
      return bearer.getAccessToken()
    },
    fetch: createLazyFetch({ ...context, ...bearer, assertReady }),
    setHook: hooks.set,
    onUserGone: (forget) => options.attachCaches({ clear: forget }),
    supports: context.settings.server.supports,
    addEventListener(topic, type, callback, { channel = 'user' } = {}) {
      if (typeof callback !== 'function') throw invalidListener(topic, type)
      return listen({ kind: checkChannel(channel), topic, type, callback })
    },
    idle() {
      assertStarted()
      return running.idle()
    },
    presence() {
      assertStarted()
      return running.connection.occupants()
    },
    explain: timeline.steps,
    dispose() {
      options.dispose()
      lifecycle.stop()
      session.dispose()
      boot.reset()
      store.change({ type: 'restarted' })
    },
  }
}

function createInternals(options: FacesOptions, listen: Listen): Internals {
  const { context, session, boot, lifecycle, attachCaches } = options
  const { settings, platform, timeline, store, tokens, call } = context
  const { marker, refresh, bearer, running, passthrough } = session.parts
  const assertReady = () => assertStartUpOver(options)

  const leave = (to: RedirectTarget, url: string) => {
    store.change({ type: 'redirecting', to })
    platform.navigate(url)
  }

  const first = store.state
  return {
    settings,
    firstState: () => first,
    platform,
    timeline,
    inspect: () => ({
      tabId: marker.tabId,
      renewsAtMs: refresh.plannedAtMs(),
      isRenewing: refresh.isRunning(),
      isBound: context.server.known()?.binding?.isBound(),
      expireToken() {
        tokens.expire()
        store.notify()
      },
    }),
    callOpenly: call,
    heldSecrets: tokens.secrets,
    async call(request) {
      assertReady()
      return bearer.call(request)
    },
    async readUserInfo(signal) {
      assertReady()
      const server = await context.server.get()
      return bearer.withToken((token) => server.readUserInfo(tokens.holding!, token, signal))
    },
    takeOtherUsersLink: passthrough.takeOtherUsersLink,
    idle: running.idle,
    presence: running.connection.presence,
    ownWindow: () => ownWindow(context),
    joinChannels: running.connection.join,
    listen,
    async loginByItself() {
      assertReady()
      await session.logIn({ isAutomatic: true })
    },
    leave,
    passThrough(url) {
      // The mark before the navigation: without it the way back could lead there again and again.
      if (!context.tabRecords.mark('passthrough')) throw storageUnavailable()
      leave('passthrough', url)
    },
    attachCaches,
    fetchLaterFile: () => fetchLaterFile(context),
    page: context.page,
    hold() {
      const release = lifecycle.hold()
      void boot.start()
      return release
    },
  }
}

/** Start-up, or its repeat, has ended. @throws AuthError `not-initialised` */
function assertStartUpOver({ context, boot }: FacesOptions): void {
  if (context.store.state.status === 'initializing' || boot.isRepeating()) throw notInitialised()
}
