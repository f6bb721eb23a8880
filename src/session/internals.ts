// What hooks, provider and devtools need of a session beyond the auth object.
import type { Auth, IdleTime } from './auth.ts'
import type { Context } from './context.ts'
import { withLater } from './laterFile.ts'
import type { Connection } from './realtimePort.ts'
import type { Bearer } from './signedIn/bearer.ts'
import type { Lifecycle } from './signedIn/lifecycle.ts'
import type { Session } from './signedIn/session.ts'
import type { TokenRefresh } from './signedIn/tokenRefresh.ts'
import type { AuthState, RedirectTarget } from './state.ts'
import type { SessionMarker } from './tabs/sessionMarker.ts'

type Shared = 'settings' | 'platform' | 'timeline' | 'page' | 'caches' | 'store'

export interface Internals extends Pick<Context, Shared> {
  readonly tokens: Pick<Context['tokens'], 'secrets'>
  readonly server: Pick<Context['server'], 'known'>
  readonly marker: Pick<SessionMarker, 'tabId'>
  readonly refresh: Pick<TokenRefresh, 'plannedAtMs' | 'isRunning'>
  readonly connection: Pick<Connection, 'presence' | 'occupants' | 'listen'>
  readonly call: Bearer['call']
  readonly readUserInfo: Bearer['readUserInfo']
  /** A call without the bearer token. */
  readonly callOpenly: Context['call']
  /** Leaves for a page of the server that sends the user back signed in. @throws AuthError `storage-unavailable`, `not-authenticated`, those of `Flow.check` */
  leaveSignedIn(to: RedirectTarget, urlOf: () => string): Promise<void>
  readonly hold: Lifecycle['hold']
  readonly routeBy: Context['place']['routeBy']
  readonly stillCounts: Session['stillCounts']
  readonly settleDoubt: Context['reachability']['settleDoubt']
  /** As `auth.idle()`, during start-up too. */
  idle(): IdleTime | undefined
  /** The state that a server renders. Hydration begins with it, also after a change. */
  firstState(): AuthState
  /** Leaves for the sign-in page without a click; refused after too many such redirects. */
  loginByItself(): Promise<void>
  /** Whether the page was opened by a link for another user than the one signed in; true once. */
  takeOtherUsersLink(): boolean
  /** The window of latchkey that this page runs in: a sign-in popup, or another. */
  ownWindow(): 'popup' | 'other' | undefined
}

const all = new WeakMap<Auth['subscribe'], Internals>()

export function internalsOf(auth: Pick<Auth, 'subscribe'>): Internals {
  return all.get(auth.subscribe)!
}

export function keepInternals(auth: Auth, internals: Internals): void {
  all.set(auth.subscribe, internals)
}

/** Preloads the later file in an idle moment, for a component whose click opens a popup or a step-up. */
export function fetchLaterFile(auth: Auth): void {
  const { platform, page } = internalsOf(auth)
  platform.whenIdle?.(() => {
    const isElsewhere = /^(initializing|redirecting)$/.test(auth.getState().status)
    if (!page().aborted && !isElsewhere) void withLater(platform, () => {})
  })
}
