// Puts a session together, from the lower parts up, and gives it its public face.
import { AuthError, notInitialised } from '../errors.ts'
import { type AuthConfig, parseConfig, type Settings } from '../protocol/config.ts'
import { createStateKey } from '../protocol/pkce.ts'
import type { Auth } from './auth.ts'
import { Boot } from './boot/boot.ts'
import { createCaches } from './caches.ts'
import type { Context } from './context.ts'
import type { Listening } from './realtime/topicListeners.ts'
import { createFaces } from './faces.ts'
import { createCall } from './http/call.ts'
import type { StepUps } from './http/challenge.ts'
import { createSend } from './http/send.ts'
import { createRateLimits } from './http/rateLimits.ts'
import { keepInternals } from './internals.ts'
import { createLifecycle } from './lifecycle.ts'
import { createBrowserPlatform } from './platform/browserPlatform.ts'
import type { Platform } from './platform/platform.ts'
import { createSilentCheck } from './signIn/silentSignIn.ts'
import { loadLater } from './laterFile.ts'
import { createTabRecords } from './signIn/tabRecords.ts'
import { createTokenEndpoint } from './signIn/tokenEndpoint.ts'
import { createEventHooks, createFireHook } from './signedIn/hooks.ts'
import { PageUse } from './signedIn/pageUse.ts'
import { Session } from './signedIn/session.ts'
import { createTokenStore } from './signedIn/tokenStore.ts'
import { createStore } from './store.ts'
import { createTimeline } from './timeline.ts'

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
  const caches = createCaches(platform)
  const listening = new Set<Listening>()
  let disposal = new AbortController()
  const context = createContext(checked(config, platform), platform, {
    caches,
    show: caches.show,
    listening,
    page: lifecycle.signal,
    disposal: () => disposal.signal,
  })
  const session = new Session(context)
  const boot = new Boot(context, session)
  const pageUse = new PageUse(context, session, boot)
  const { auth, internals } = createFaces({
    context,
    session,
    boot,
    lifecycle,
    listening,
    attachCaches: caches.attach,
    dispose() {
      disposal.abort(notInitialised())
      disposal = new AbortController()
    },
  })
  keepInternals(auth, internals)
  return auth
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

type Shared = Pick<Context, 'show' | 'caches' | 'listening' | 'page' | 'disposal'>

function createContext(settings: Settings, platform: Platform, shared: Shared): Context {
  const timeline = createTimeline(platform.now, platform.tell)
  const store = createStore(
    { isOnline: true, realtime: 'off', isTokenExpired: false },
    {
      onStatus: (status) => timeline.record('state', 'done', status),
      onFault: (error) => platform.warn('A subscriber failed', error),
    },
  )
  // Without Web Crypto the tabs hand nothing on, so they go by what each can read from its token.
  const createBeginning = () => (platform.crypto.sha256 ? createStateKey(platform.crypto) : '')
  const tokens = createTokenStore(platform, createBeginning)
  const limits = createRateLimits(platform)
  const stepUps: StepUps = { load: loadLater }
  const send = createSend(platform, limits, tokens.secrets, stepUps)
  const call = createCall(settings.server.authHost, send)
  const server = settings.server.open(settings, {
    ...platform,
    send,
    call,
    record: timeline.record,
    held: () => tokens.holding,
  })
  const tabRecords = createTabRecords(platform.sessionStorage, settings)
  const redirectUri = () => settings.redirectUri ?? `${new URL(platform.address()).origin}/`
  const silentSignIn = createSilentCheck(settings, platform, tabRecords, server, () => tokens.holding)
  const hooks = createEventHooks(settings.hooks)
  return {
    ...shared,
    settings,
    platform,
    store,
    timeline,
    tabRecords,
    tokens,
    limits,
    stepUps,
    call,
    server,
    redirectUri,
    tokenEndpoint: createTokenEndpoint({
      platform,
      server,
      askFrame: (signal, isLastChance) => silentSignIn.ask(redirectUri(), signal, isLastChance),
    }),
    hooks,
    fireHook: createFireHook(hooks, platform, timeline),
  }
}
