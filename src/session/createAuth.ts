// Puts a session together, from the lower parts up, and makes the object that an app calls.
import { AuthError, invalidListener } from '../base/errors.ts'
import { memberOf } from '../base/json.ts'
import { parseConfig, type Settings, type WholeConfig } from '../protocol/config.ts'
import { createConnection } from '../realtime/connection.ts'
import { noBrowser, notAuthenticated } from '../base/sessionErrors.ts'
import type { Auth } from './auth.ts'
import { createBoot } from './boot/boot.ts'
import { createContext } from './context.ts'
import { createLazyFetch } from './http/lazyFetch.ts'
import { keepInternals } from './internals.ts'
import { loadLater } from './laterFile.ts'
import { createLifecycle, untilSeen } from './signedIn/lifecycle.ts'
import { createBrowserPlatform } from './platform/browserPlatform.ts'
import type { Platform } from './platform/platform.ts'
import { checkChannel } from './realtimePort.ts'
import type { SendEvent } from './sessionEvent.ts'
import { createOwnWindow } from './features/popupSignIn/ownWindow.ts'
import { createPopupSignIn } from './features/popupSignIn/popupSignIn.ts'
import { createSignInRedirect } from './signIn/signInRedirect.ts'
import { createBearer } from './signedIn/bearer.ts'
import { createBetweenPages } from './features/betweenPages/betweenPages.ts'
import { createIdleLogout } from './features/idleLogout.ts'
import { createLogout, logoutReturn } from './signedIn/logout.ts'
import { createPageUse } from './signedIn/pageUse.ts'
import { createEnvironments } from './features/environments/environments.ts'
import { createSessionEnd } from './features/sessionEnd.ts'
import { createPassthrough } from './features/passthrough/passthrough.ts'
import { createSession } from './signedIn/session.ts'
import { createTokenRefresh } from './signedIn/tokenRefresh.ts'
import { createOtherTabs } from './tabs/otherTabs.ts'

/**
 * Checks the config and does nothing else: no request, no storage, no listener. Usable on a server.
 *
 * @throws AuthError `missing-config`, `invalid-scopes`, `invalid-config`, `unsupported-hook`, `invalid-hook`
 * @example
 * export const auth = createAuth({ authHost: 'https://auth.example.com', clientId: 'admin', scopes: ['openid'] })
 */
export function createAuth(
  config: WholeConfig,
  { platform = createBrowserPlatform() }: { platform?: Platform } = {},
): Auth {
  const parts = createParts(checked(config, platform), platform)
  const auth = createAuthObject(parts)
  const { context, session, startUp, refresh, bearer } = parts
  const { store, tokens, server, marker } = context
  const first = store.state
  keepInternals(auth, {
    settings: context.settings,
    platform,
    timeline: context.timeline,
    settleDoubt: context.reachability.settleDoubt,
    caches: context.caches,
    tokens,
    idle: parts.idleLogout.current,
    connection: parts.connection,
    firstState: () => first,
    store,
    marker,
    refresh,
    server,
    call: bearer.call,
    callOpenly: context.call,
    readUserInfo: bearer.readUserInfo,
    async loginByItself() {
      startUp.assertOver()
      const { state } = store
      // When a browser restores many tabs, the visible tab signs in; the others get its session.
      await untilSeen(platform, context.page())
      if (store.state === state) await session.logIn({ isAutomatic: true })
    },
    async leaveSignedIn(to, urlOf) {
      const signal = session.signal()
      await (await loadLater(platform)).leaveSignedIn(context, signal, to, urlOf)
    },
    takeOtherUsersLink: parts.passthrough.takeOtherUsersLink,
    ownWindow: parts.ownWindow.kind,
    page: context.page,
    hold: parts.lifecycle.hold,
    routeBy: context.place.routeBy,
    stillCounts: session.stillCounts,
  })
  return auth
}

/** The parts of a session: each gets the parts above it. */
function createParts(settings: Settings, platform: Platform) {
  const lifecycle = createLifecycle({
    platform,
    onStart: () => pageUse.run(),
    onStop: () => pageUse.pause(),
  })
  const context = createContext(settings, platform, lifecycle, () => loadLater(platform))
  // The session is made after its parts, which know only this of it.
  const send: SendEvent = (event) => session.send(event)
  const stillCounts = (isBack?: boolean) => session.stillCounts(isBack)
  /** The credentials that this tab can offer. */
  const credentials = () => {
    const current = stillCounts() ? context.tokens.copy() : undefined
    return current && { ...current, session: context.record.id() }
  }

  const refresh = createTokenRefresh(context, () => session.renew())
  const bearer = createBearer(context, {
    refresh,
    stillCounts,
    assertOver: () => startUp.assertOver(),
  })
  const otherTabs = createOtherTabs(context, { credentials, stillCounts, send })
  const connection = createConnection(context, send)
  const idleLogout = createIdleLogout(context, send)
  const passthrough = createPassthrough(context)
  const betweenPages = createBetweenPages(context, {
    credentials,
    refresh,
    otherTabs,
    send,
    checkSession: () => pageUse.checkSession(),
  })
  // Asked in this order; see `Feature`.
  const features = [
    idleLogout,
    createSessionEnd(context, send),
    createEnvironments(context, { bearer, send }),
    passthrough,
    betweenPages,
  ]
  const signInRedirect = createSignInRedirect(context, createPopupSignIn(context, send), () =>
    session.signal(),
  )
  const logout = createLogout(context, otherTabs)
  const ownWindow = createOwnWindow(context)
  const session = createSession(context, {
    refresh,
    otherTabs,
    connection,
    features,
    signInRedirect,
    logout,
    idleLogout,
  })
  const startUp = createBoot(context, {
    session,
    otherTabs,
    betweenPages,
    idleLogout,
    logout,
    ownWindow,
    features,
  })
  const pageUse = createPageUse(context, { startUp, refresh, session, features, otherTabs })
  return {
    context,
    lifecycle,
    session,
    startUp,
    refresh,
    bearer,
    otherTabs,
    connection,
    idleLogout,
    passthrough,
    ownWindow,
  }
}

function createAuthObject(parts: ReturnType<typeof createParts>): Auth {
  const { context, lifecycle, session, startUp, refresh, bearer, connection } = parts
  const { settings, platform, store, hooks, tokens, timeline, caches, server, stepUps } = context
  const { assertOver, assertEndedOnce } = startUp
  /** Every operation of a signed-in user begins here: the session is fixed before anything is awaited. */
  const enter = () => {
    assertOver()
    session.stillCounts()
    return caches.signal()
  }
  /** Loads the later file; throws if the user has changed meanwhile. */
  const loadForSession = async () => {
    const signal = enter()
    const file = await loadLater(platform)
    signal.throwIfAborted()
    return file
  }

  const meetClaims = async (error: unknown) => {
    if (memberOf(error, 'claims') === undefined) return undefined
    return (await loadForSession()).meetClaims(error as AuthError, context, session)
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
      // Also while start-up is repeated: a click does not wait for a server that may be away.
      assertEndedOnce()
      // `onClick={auth.login}` passes the click event, which holds no options.
      const isEvent = (request as { target?: unknown } | undefined)?.target !== undefined
      await session.logIn({ ...(!isEvent && request), isAutomatic: false })
    },
    async logout({ force, returnTo } = {}) {
      assertEndedOnce()
      const departure = { force, ...logoutReturn(returnTo, platform.address()) }
      await session.send({ type: 'logout', departure })
    },
    async stepUp(error, request) {
      await (await loadForSession()).stepUp(error, request, context, session)
    },
    async switchTo(wanted) {
      await (await loadForSession()).switchTo(wanted, context, session)
    },
    async renew({ force } = {}) {
      enter()
      if (!tokens.current) throw notAuthenticated()
      await refresh.ensureFresh(force)
    },
    stopRenewal() {
      assertEndedOnce()
      refresh.stopForApp()
    },
    async getAccessToken({ force, resource } = {}) {
      if (resource === undefined) return bearer.getAccessToken(force)
      return (await loadForSession()).getResourceToken(parts, resource, force)
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
      assertEndedOnce()
      return parts.idleLogout.current()
    },
    presence() {
      assertEndedOnce()
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

/** Prints the remedy: for an uncaught error, browsers print the message alone. */
function checked(config: WholeConfig, platform: Platform): Settings {
  try {
    return parseConfig(config)
  } catch (error) {
    if (error instanceof AuthError) platform.tell?.(`${error.message}. ${error.remedy ?? ''}`)
    throw error
  }
}
