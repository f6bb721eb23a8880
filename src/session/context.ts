// Makes what most parts of a session share. A part names the few that it uses by `Pick`.
import type { Settings } from '../protocol/config.ts'
import type { Tokens } from '../protocol/credentials.ts'
import { createStateKey } from '../protocol/pkce.ts'
import { stepsKey } from '../protocol/storageKeys.ts'
import { createCaches } from './signedIn/caches.ts'
import { createCall } from './http/call.ts'
import type { StepUps } from './http/challenge.ts'
import { createRateLimits, createSend } from './http/send.ts'
import { createReachability } from './http/reachability.ts'
import type { Lifecycle } from './signedIn/lifecycle.ts'
import { limitedCrypto } from './platform/limitedCrypto.ts'
import type { Platform } from './platform/platform.ts'
import { createBeforeLogout, createClashHook, createEventHooks } from './signedIn/hooks.ts'
import { createPendingLogout } from './signedIn/pendingLogout.ts'
import { createTokenStore } from './signedIn/tokenStore.ts'
import { createPlace } from './signIn/place.ts'
import { createTabRecords } from './signIn/tabRecords.ts'
import { createTokenEndpoint } from './signIn/tokenEndpoint.ts'
import { createStore } from './store.ts'
import { createSessionMarker } from './tabs/sessionMarker.ts'
import { createSessionRecord } from './sessionRecord.ts'
import { createTimeline } from './timeline.ts'

/** Exists from the beginning, and knows nothing of the session. */
export type Context = Readonly<ReturnType<typeof createContext>>

export function createContext(
  settings: Settings,
  platform: Platform,
  { page, disposal }: Lifecycle,
  loadStepUp: StepUps['load'],
) {
  const timeline = createTimeline(platform, stepsKey(settings))
  const store = createStore({ isOnline: true, realtime: 'off', isTokenExpired: false }, platform, timeline)
  const tokens = createTokenStore(platform)
  const limits = createRateLimits(platform)
  const stepUps: StepUps = { load: loadStepUp }
  const reachability = createReachability(
    platform,
    createSend(platform, limits, tokens.secrets, stepUps),
    async () => (await server.get()).probe,
  )
  const { send } = reachability
  // Without randomness there is no sign-in, and start-up reports it: nothing needs a name then.
  const createId = () => (platform.crypto.randomBytes ? createStateKey(platform.crypto) : 'none')
  const marker = createSessionMarker(platform.localStorage, settings, createId)
  const record = createSessionRecord(platform.localStorage, settings, createId)
  const revoke = (refused: Tokens) => {
    if (!tokens.current && !marker.isThere())
      void server
        .known()
        ?.revoke?.(refused)
        .catch(() => {})
  }
  const call = createCall(settings.server.authHost, send)
  const redirectUri = () => settings.redirectUri ?? `${new URL(platform.address()).origin}/`
  const server = settings.server.open(settings, {
    ...platform,
    crypto: limitedCrypto(platform),
    send,
    call,
    record: timeline.record,
    current: () => tokens.current,
    revoke,
    redirectUri,
  })
  const hooks = createEventHooks(settings.hooks, platform, timeline)
  const place = createPlace(platform)
  const tabRecords = createTabRecords(platform.sessionStorage, settings)
  const tokenEndpoint = createTokenEndpoint({
    settings,
    platform,
    tabRecords,
    server,
    reachability,
    tokens,
    redirectUri,
  })
  return {
    settings,
    platform,
    page,
    disposal,
    store,
    timeline,
    tabRecords,
    place,
    tokens,
    marker,
    record,
    pendingLogout: createPendingLogout(platform.localStorage, settings),
    /** Revokes refused tokens in the background, unless this browser has a session: some providers end it with any of its tokens. */
    revoke,
    limits,
    reachability,
    call,
    server,
    redirectUri,
    tokenEndpoint,
    hooks,
    beforeLogout: createBeforeLogout(hooks, platform, store, record),
    clashHook: createClashHook(hooks, platform),
    /** The app's data of the user. */
    caches: createCaches(platform),
    stepUps,
  }
}
