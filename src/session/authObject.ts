// Makes what createAuth returns, and what the rooms above need beside it.
import { type AuthError, invalidListener, notInitialised } from '../errors.ts'
import { checkChannel, type Connection } from './realtimePort.ts'
import { noBrowser, notAuthenticated, storageUnavailable } from '../sessionErrors.ts'
import { memberOf } from '../json.ts'
import type { Auth } from './auth.ts'
import type { Boot } from './boot/boot.ts'
import type { Context } from './context.ts'
import type { Bearer } from './signedIn/bearer.ts'
import type { IdleTime } from './signedIn/idle.ts'
import type { Passthrough } from './signedIn/passthrough.ts'
import type { SessionMarker } from './signedIn/sessionMarker.ts'
import type { TokenRefresh } from './signedIn/tokenRefresh.ts'
import type { KeptSession } from './tabs/keptSession.ts'
import type { OpenTabs } from './tabs/openTabs.ts'
import { createLazyFetch } from './http/lazyFetch.ts'
import { type Internals, keepInternals } from './internals.ts'
import type { Lifecycle } from './lifecycle.ts'
import { logoutReturn } from './signedIn/logoutPage.ts'
import type { Session } from './signedIn/session.ts'
import { ownWindow } from './signIn/popupSignIn.ts'
import { loadLater } from './laterFile.ts'
import type { RedirectTarget } from './state.ts'

/** What the calls of an app, and the rooms above, reach. */
interface AuthParts {
  session: Pick<Session, 'logIn' | 'send' | 'signal' | 'dispose'>
  startUp: Pick<Boot, 'start' | 'reset' | 'assertOver' | 'assertEndedOnce'>
  lifecycle: Pick<Lifecycle, 'pin' | 'hold' | 'dispose'>
  marker: Pick<SessionMarker, 'tabId'>
  refresh: TokenRefresh
  bearer: Bearer
  tabs: OpenTabs
  betweenPages: KeptSession | undefined
  connection: Connection
  idleTime: Pick<IdleTime, 'current'>
  passthrough: Pick<Passthrough, 'takeOtherUsersLink'>
}

/** The public object, with its internals. */
export function createAuthObject(context: Context, parts: AuthParts): Auth {
  const auth = createPublicObject(context, parts)
  keepInternals(auth, createInternals(context, parts))
  return auth
}

function createPublicObject(context: Context, parts: AuthParts): Auth {
  const { settings, platform, store, hooks, tokens, timeline, caches, server, stepUps } = context
  const { session, startUp, lifecycle, refresh, bearer, tabs, betweenPages, connection, idleTime } = parts
  const { assertOver } = startUp
  const assertStarted = () => {
    if (store.state.status === 'initializing') throw notInitialised()
  }
  const renew = async (isForced?: boolean) => {
    assertOver()
    if (!tokens.holding) throw notAuthenticated()
    await refresh.ensureFresh(isForced)
  }
  /** What loads for a signed-in user, who has not changed meanwhile. */
  const loadForSession = async () => {
    assertOver()
    const assertSameSession = bearer.watchSession()
    const file = await loadLater(platform)
    assertSameSession()
    return file
  }

  const meetClaims = async (error: unknown) => {
    if (memberOf(error, 'claims') === undefined) return undefined
    const signal = session.signal()
    const file = await loadLater(platform)
    return file.meetClaims(error as AuthError, context, signal, session.send)
  }

  return {
    start() {
      if (platform.isServer) return Promise.reject(noBrowser())
      lifecycle.pin()
      return startUp.start()
    },
    getState: () => store.state,
    subscribe: store.subscribe,
    async login(request) {
      // Also while start-up is repeated: a click waits for no server that may be away.
      startUp.assertEndedOnce()
      await session.logIn({ ...request, isAutomatic: false })
    },
    async logout({ force, returnTo } = {}) {
      startUp.assertEndedOnce()
      const departure = { force, ...logoutReturn(returnTo, platform.address()) }
      await session.send({ type: 'logout', departure })
    },
    async stepUp(error, request) {
      const file = await loadForSession()
      await file.stepUp(error, request, context, (way) => session.logIn(way))
    },
    async switchTo(wanted) {
      const file = await loadForSession()
      await file.switchTo(wanted, context, session)
    },
    renew: async ({ force } = {}) => renew(force),
    stopRenewal() {
      assertStarted()
      refresh.stopForApp()
    },
    async getAccessToken({ force = false, resource } = {}) {
      assertOver()
      // Whose token is asked for is settled now, whatever is waited for.
      const signal = session.signal()
      if (resource !== undefined) {
        const file = await loadForSession()
        return file.getResourceToken({ context, refresh, tabs, betweenPages, signal }, resource, force)
      }
      if (force) await renew(true)
      if (signal.aborted) throw notAuthenticated()
      return bearer.getAccessToken()
    },
    fetch: createLazyFetch({ settings, platform, server, timeline, stepUps, bearer, meetClaims }, assertOver),
    setHook: hooks.set,
    onUserGone: (forget) => caches.attach({ clear: forget }),
    supports: settings.server.supports,
    addEventListener(topic, type, callback, { channel = 'user' } = {}) {
      if (typeof callback !== 'function') throw invalidListener(topic, type)
      return connection.listen({ kind: checkChannel(channel), topic, type, callback })
    },
    idle() {
      assertStarted()
      return idleTime.current()
    },
    presence() {
      assertStarted()
      return connection.occupants()
    },
    explain: timeline.steps,
    dispose() {
      lifecycle.dispose()
      session.dispose()
      startUp.reset()
      store.change({ type: 'restarted' })
    },
  }
}

/** What the rooms above need beside it. */
function createInternals(context: Context, parts: AuthParts): Internals {
  const { settings, platform, timeline, store, tokens, call, caches } = context
  const { session, startUp, lifecycle, marker, refresh, bearer, connection, idleTime, passthrough } = parts

  const leave = async (to: RedirectTarget, url: string) => {
    const signal = session.signal()
    await context.reachability.check(context.server)
    // Signed out while the server was asked.
    if (signal.aborted) throw notAuthenticated()
    context.tabRecords.keepUser(context.caches.holds())
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
      startUp.assertOver()
      // A server without these calls says so by itself: no token is renewed for it.
      return (settings.server.authHost === undefined ? call : bearer.call)(request)
    },
    async readUserInfo(signal) {
      startUp.assertOver()
      const assertSameSession = bearer.watchSession()
      const server = await context.server.get()
      assertSameSession()
      return bearer.withToken((token) => server.readUserInfo(tokens.holding!, token, signal))
    },
    takeOtherUsersLink: passthrough.takeOtherUsersLink,
    idle: idleTime.current,
    presence: connection.presence,
    ownWindow: () => ownWindow(context),
    joinChannels: connection.join,
    listen: connection.listen,
    async loginByItself() {
      startUp.assertOver()
      await session.logIn({ isAutomatic: true })
    },
    leave,
    async passThrough(url) {
      // The mark before the navigation: without it the way back could lead there again and again.
      if (!context.tabRecords.mark('passthrough')) throw storageUnavailable()
      await leave('passthrough', url)
    },
    caches,
    page: context.page,
    hold() {
      const release = lifecycle.hold()
      void startUp.start()
      return release
    },
  }
}
