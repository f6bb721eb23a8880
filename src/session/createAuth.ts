// Puts a session together, from the lower parts up, and gives it its public face.
import { AuthError } from '../errors.ts'
import { type AuthConfig, parseConfig, type Settings } from '../protocol/config.ts'
import { createStateKey } from '../protocol/pkce.ts'
import type { Auth } from './auth.ts'
import { Boot } from './boot/boot.ts'
import { createContext } from './context.ts'
import { createAuthObject } from './authObject.ts'
import { createConnection } from '../realtime/connection.ts'
import { loadLater } from './laterFile.ts'
import { createLifecycle } from './lifecycle.ts'
import { createBrowserPlatform } from './platform/browserPlatform.ts'
import type { Platform } from './platform/platform.ts'
import type { SendEvent } from './sessionEvent.ts'
import { createPopupSignIn } from './signIn/popupSignIn.ts'
import { createSignInRedirect } from './signIn/signInRedirect.ts'
import { createBearer } from './signedIn/bearer.ts'
import { createBeforeLogout } from './signedIn/beforeLogout.ts'
import { createClashHook } from './signedIn/hooks.ts'
import { createIdleTime } from './signedIn/idle.ts'
import { LogoutPage } from './signedIn/logoutPage.ts'
import { createOwedLogout } from './signedIn/owedLogout.ts'
import { createPassthrough } from './signedIn/passthrough.ts'
import { createTimersAndChannels } from './signedIn/timersAndChannels.ts'
import { createSessionMarker } from './signedIn/sessionMarker.ts'
import { createTokenRefresh } from './signedIn/tokenRefresh.ts'
import { createJoining } from './tabs/joining.ts'
import { createKeptSession } from './tabs/keptSession.ts'
import { createOpenTabs } from './tabs/openTabs.ts'
import { createPageUse } from './signedIn/pageUse.ts'
import { Session } from './signedIn/session.ts'

/**
 * Checks the config and does nothing else: no request, no storage, no listener. Usable on a server.
 *
 * @throws AuthError `missing-config`, `invalid-scopes`, `invalid-config`, `unsupported-hook`, `invalid-hook`
 * @example
 * export const auth = createAuth({ authHost: 'https://auth.example.com', clientId: 'admin', scopes: ['openid'] })
 */
export function createAuth(
  config: AuthConfig,
  { platform = createBrowserPlatform() }: { platform?: Platform } = {},
): Auth {
  const lifecycle = createLifecycle({
    platform,
    onStart: () => pageUse.run(),
    onStop: () => pageUse.pause(),
  })
  const context = createContext(checked(config, platform), platform, lifecycle, () => loadLater(platform))
  const { settings, store, tokens, call, caches } = context
  // The session is made of its parts and comes after them; this is all that they know of it.
  const send: SendEvent = (event) => session.send(event)
  const signal = () => session.signal()
  const holding = () => (session.isEnding() ? undefined : tokens.copy())

  // Without randomness nobody signs in, and start-up says so: no tab needs a name then.
  const createTabId = () => (platform.crypto.randomBytes ? createStateKey(platform.crypto) : '')
  const marker = createSessionMarker(platform.localStorage, settings, createTabId)
  const refresh = createTokenRefresh({
    platform,
    isScheduled: settings.autoRefreshToken,
    isDue: tokens.isDue,
    remainingMs: tokens.remainingMs,
    renew: () => caches.show('renew token', () => session.renew()),
    tell: (isTokenExpired) => store.change({ type: 'flags', flags: { isTokenExpired } }),
  })
  const bearer = createBearer({ platform, store, tokens, call, refresh, signal })
  const tabs = createOpenTabs(context, { marker, holding, send })
  const betweenPages = createKeptSession(context, {
    holding,
    isRenewing: refresh.isRunning,
    isEnded: marker.isEndedElsewhere,
    tabs: tabs.open,
  })
  const connection = createConnection(context, { send, began: marker.since })
  const idleTime = createIdleTime(context, { marker, send })
  const timersAndChannels = createTimersAndChannels(context, { connection, tabs, bearer, idleTime, send })
  const signInRedirect = createSignInRedirect(context, createPopupSignIn(context, send), signal)
  const owedLogout = createOwedLogout(platform.localStorage, settings)
  const logoutPage = new LogoutPage(context, {
    owedLogout,
    keepDeparture: signInRedirect.keepDeparture,
    endInTabs(reason, ended) {
      marker.forget(ended)
      tabs.tellEnded(reason, [ended])
    },
  })
  const passthrough = createPassthrough(context, idleTime)
  const session = new Session(context, {
    marker,
    refresh,
    tabs,
    joining: createJoining(),
    betweenPages,
    timersAndChannels,
    signInRedirect,
    owedLogout,
    logoutPage,
    beforeLogout: createBeforeLogout(context),
    clashHook: createClashHook(context.hooks, platform),
    idleTime,
  })
  const startUp = new Boot(context, { session, idleTime, logoutPage, owedLogout, passthrough })
  const pageUse = createPageUse(context, {
    startUp,
    marker,
    refresh,
    timersAndChannels,
    idleTime,
    betweenPages,
    tabs,
    owedLogout,
    send,
  })
  return createAuthObject(context, {
    session,
    startUp,
    lifecycle,
    marker,
    refresh,
    bearer,
    tabs,
    betweenPages,
    connection,
    idleTime,
    passthrough,
  })
}

/** An uncaught error is shown without its remedy: browsers print the message alone. */
function checked(config: AuthConfig, platform: Platform): Settings {
  try {
    return parseConfig(config)
  } catch (error) {
    if (error instanceof AuthError) platform.tell?.(`${error.message}. ${error.remedy ?? ''}`)
    throw error
  }
}
