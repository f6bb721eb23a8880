// What the rooms above need of a session beyond its public face.
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

export interface Internals extends Pick<Context, 'settings' | 'platform' | 'timeline' | 'page'> {
  readonly caches: Pick<Context['caches'], 'attach' | 'holds' | 'untilBack' | 'gates'>
  readonly tokens: Pick<Context['tokens'], 'secrets' | 'expire'>
  readonly store: Pick<Context['store'], 'notify'>
  readonly server: Pick<Context['server'], 'known'>
  readonly marker: Pick<SessionMarker, 'tabId'>
  readonly refresh: Pick<TokenRefresh, 'plannedAtMs' | 'isRunning'>
  readonly connection: Pick<Connection, 'presence' | 'occupants' | 'join' | 'listen'>
  readonly call: Bearer['call']
  readonly readUserInfo: Bearer['readUserInfo']
  /** A call without the bearer token. */
  readonly callOpenly: Context['call']
  /** To a page of the server that sends the user back signed in. @throws AuthError `storage-unavailable`, `not-authenticated`, those of `Flow.check` */
  leaveSignedIn(to: RedirectTarget, url: string): Promise<void>
  readonly hold: Lifecycle['hold']
  readonly routeBy: Context['place']['routeBy']
  readonly stillCounts: Session['stillCounts']
  readonly settleDoubt: Context['reachability']['settleDoubt']
  /** As `auth.idle()`, during start-up too. */
  idle(): IdleTime | undefined
  /** The state that a server renders: hydration begins with it, whatever has happened meanwhile. */
  firstState(): AuthState
  /** Leaves for the sign-in page without a click: counted, and refused when there were too many. */
  loginByItself(): Promise<void>
  /** Whether the link that was followed was meant for another user than the one who is signed in; true once. */
  takeOtherUsersLink(): boolean
  /** What this page runs in when latchkey has opened it itself: the window of a sign-in, or another. */
  ownWindow(): 'popup' | 'other' | undefined
}

const all = new WeakMap<Auth['subscribe'], Internals>()

export function internalsOf(auth: Pick<Auth, 'subscribe'>): Internals {
  return all.get(auth.subscribe)!
}

/** Keeps the internals of a public face; also of one that was made elsewhere: in `latchkey/testing`. */
export function keepInternals(auth: Auth, internals: Internals): void {
  all.set(auth.subscribe, internals)
}

/** Fetches what a step-up and a sign-in in a window need, in an idle moment: for a component whose click needs it. */
export function fetchLaterFile(auth: Auth): void {
  const { platform, page } = internalsOf(auth)
  platform.whenIdle?.(() => {
    const isElsewhere = /^(initializing|redirecting)$/.test(auth.getState().status)
    if (!page().aborted && !isElsewhere) void withLater(platform, () => {})
  })
}
