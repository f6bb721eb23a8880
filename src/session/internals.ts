// What the rooms above need of a session beyond its public face.
import type { Auth, IdleTime } from './auth.ts'
import type { ServerRecord } from '../protocol/answers.ts'
import type { Settings } from '../protocol/config.ts'
import type { OpenedServer } from '../protocol/servers/profile.ts'
import type { Call, Request } from './http/call.ts'
import type { Caches } from './signedIn/caches.ts'
import { loadLater } from './laterFile.ts'
import type { Platform } from './platform/platform.ts'
import type { Connection } from './realtimePort.ts'
import type { TokenRefresh } from './signedIn/tokenRefresh.ts'
import type { TokenStore } from './signedIn/tokenStore.ts'
import type { AuthState, RedirectTarget } from './state.ts'
import type { Store } from './store.ts'
import type { SessionMarker } from './tabs/sessionMarker.ts'
import type { Timeline } from './timeline.ts'

/** What the rooms above need beyond the public face: parts of the session, and what they may do with it. */
export interface Internals {
  readonly settings: Settings
  readonly platform: Platform
  /** What happened so far; unlike `explain()` during start-up too. */
  readonly timeline: Timeline
  readonly caches: Pick<Caches, 'attach' | 'holds'>
  readonly tokens: Pick<TokenStore, 'secrets' | 'expire'>
  readonly store: Pick<Store, 'notify'>
  readonly marker: Pick<SessionMarker, 'tabId'>
  readonly refresh: Pick<TokenRefresh, 'plannedAtMs' | 'isRunning'>
  readonly server: Pick<OpenedServer, 'known'>
  readonly connection: Pick<Connection, 'presence' | 'join' | 'listen'>
  /** The state that a server renders: hydration begins with it, whatever has happened meanwhile. */
  firstState(): AuthState
  /** As `auth.idle()`, during start-up too. */
  idle(): IdleTime | undefined
  /** A call with the bearer token: renewed first when due, renewed and repeated once on 401. */
  call(request: Omit<Request, 'token'>): Promise<unknown>
  /** A call without the bearer token. */
  callOpenly: Call
  /** The user info of the signed-in user. @throws AuthError `not-supported` where the server has none */
  readUserInfo(signal?: AbortSignal): Promise<ServerRecord>
  /** Leaves for the sign-in page without a click: counted, and refused when there were too many. */
  loginByItself(): Promise<void>
  /**
   * Leaves for a page of the server that the user comes back from, still signed in; for the passthrough page once marked as tried.
   *
   * @throws AuthError `storage-unavailable`, others where the server is away
   */
  leave(to: RedirectTarget, url: string): Promise<void>
  /** Whether the link that was followed was meant for another user than the one who is signed in; true once. */
  takeOtherUsersLink(): boolean
  /** What this page runs in when latchkey has opened it itself: the window of a sign-in, or another. */
  ownWindow(): 'popup' | 'other' | undefined
  /** The page's lifetime: aborted when nobody uses the session any more. Timers and windows end with it. */
  page(): AbortSignal
  /** Somebody uses this session: start-up runs, and the session until the last one lets go. */
  hold(): () => void
}

const all = new WeakMap<Auth, Internals>()

/** The internals behind a public face. */
export function internalsOf(auth: Auth): Internals {
  return all.get(auth)!
}

/** Keeps the internals of a public face; also of one that was made elsewhere: in `latchkey/testing`. */
export function keepInternals(auth: Auth, internals: Internals): void {
  all.set(auth, internals)
}

/** Fetches what a step-up and a sign-in in a window need, in an idle moment: for a component whose click needs it. */
export function fetchLaterFile(auth: Auth): void {
  const { platform, page } = internalsOf(auth)
  platform.whenIdle?.(() => {
    const isElsewhere = /^(initializing|redirecting)$/.test(auth.getState().status)
    if (!page().aborted && !isElsewhere) loadLater(platform).catch(() => {})
  })
}
