// The public face of a session: what createAuth returns.
import type { AuthError } from '../base/errors.ts'
import type { Id, User } from '../protocol/claims.ts'
import type { HookName, Hooks } from '../protocol/eventHooks.ts'
import type { SignInWishes } from '../protocol/loginParameters.ts'
import type { ServerFeature } from '../protocol/servers/profile.ts'
import type { Occupant } from './realtimePort.ts'
import type { AppFetch } from './http/fetchTypes.ts'
import type { AuthState } from './state.ts'
import type { ExplainStep } from './timeline.ts'

/** Ids of a user whose data is cleared: `userId`, `firmId`, `impersonatorId`; none if no user has been signed in on this page. */
export type GoneUser = Readonly<Partial<Record<'userId' | 'firmId' | 'impersonatorId', Id | undefined>>>

/** Idle time, read at the moment of asking. */
export interface IdleTime {
  /** When the user last did something, in any tab, milliseconds since 1970; `undefined` when idle time does not count. */
  readonly idleSinceMs: number | undefined
  /** Time to the logout; `undefined` when idle time does not count. */
  readonly remainingMs: number | undefined
  /** Counts as activity: "Stay signed in". */
  stayActive(): void
}

/** Options of one sign-in. */
export interface LoginOptions extends SignInWishes {
  /** Where the user is to be afterwards, an address of this origin. Default: where they are now. */
  returnTo?: string | undefined
}

/** Options of one logout. */
export interface LogoutOptions {
  /** Sent to the server as the force flag: end the session without asking. Default true. */
  force?: boolean | undefined
  /**
   * Where the user is to be afterwards: an address of this origin, or one of another origin that is registered at the
   * server for the return from a logout. Default: where they are now.
   */
  returnTo?: string | undefined
}

/** Options of a step-up. */
export interface StepUpOptions {
  /** 'popup' keeps the page, with the user's input; call it inside the click. Default 'page'. */
  display?: 'page' | 'popup' | undefined
}

/** Target and options of a switch. One of `organization`, `firmId` and `parameters` is needed. */
export interface SwitchOptions {
  /** The organization by the id or name that the provider knows. */
  organization?: string | undefined
  /** The `user.firmId` to get. Alone, it is sent as the organization; beside others, the tokens are checked against it. */
  firmId?: Id | undefined
  /** Parameters of the request, by the server's own names. */
  parameters?: Readonly<Record<string, string | readonly string[]>> | undefined
  /**
   * Where the server wants to ask the user: 'silent' rejects, 'popup' opens a window and never leaves the page, 'page' leaves
   * it. Default: a window where the browser lets one open, else the page.
   */
  display?: 'silent' | 'popup' | 'page' | undefined
  /** Where the user is to be afterwards when the page is left, an address of this origin. Default: where they are now. */
  returnTo?: string | undefined
  /**
   * Whether it is the same person, where the provider names one differently in each organization. Default: same `userId` and
   * `impersonatorId`. After a redirect, any user who signed in is accepted.
   */
  isSameUser?: ((before: User, next: User) => boolean) | undefined
}

/** Options of a renewal. */
export interface RenewOptions {
  /** Renew even when the token lives for longer than 30 seconds. Default false. */
  force?: boolean | undefined
}

/** Options of `getAccessToken`. */
export interface AccessTokenOptions {
  /**
   * The token for one API (RFC 8707), as the API is registered at an OpenID Connect provider: an absolute address. It is renewed
   * automatically and shared across tabs. Default: the session's own token.
   */
  resource?: string | undefined
  /** Renew first, even when the token lives for longer than 30 seconds; fails when that cannot be done. Default false. */
  force?: boolean | undefined
}

/** Options of a message listener. */
export interface ListenerOptions {
  /** The user's own, or that of their firm. Default 'user'. */
  channel?: 'user' | 'firm' | undefined
}

/**
 * A sign-in client. Usable outside React: in router guards, workers of the app, plain functions.
 *
 * Before start-up has ended, every operation but `start`, `getState`, `subscribe`, `setHook`, `onUserGone`, `addEventListener`,
 * `supports`, `explain` and `dispose` fails with AuthError `not-initialised`, 'Not init yet'. While one that failed is repeated, `login` and
 * `logout` work: what the repeat finds does not undo them.
 */
export interface Auth {
  /** Runs start-up; a second call joins the first. Resolves when start-up has ended, in whatever state. */
  start(): Promise<void>
  /** The state now; the same object until it changes. */
  getState(): AuthState
  /** Calls on every change of the state and after every renewal. */
  subscribe(listener: () => void): () => void
  /**
   * Leaves for the sign-in page; the user comes back to where they are now, or to `returnTo`. With `display: 'popup'` the
   * page stays, and the promise resolves when a user is signed in.
   *
   * @throws AuthError `offline`, `storage-unavailable`, `redirect-refused`, `invalid-argument`; in a window `popup-blocked`,
   * `popup-closed`, `popup-timeout`, `access-denied`, and those of a code exchange
   */
  login(options?: LoginOptions): Promise<void>
  /**
   * Signs in again as strongly as an API asks for: pass it the error `step-up-required` of the call, then repeat the call.
   * A call meanwhile joins. If the user cancels, the current session stays.
   *
   * @throws AuthError `step-up-refused`, `identity-changed`, `not-authenticated`, `invalid-argument`, and those of `login`
   */
  stepUp(error: AuthError, options?: StepUpOptions): Promise<void>
  /**
   * Signs the same person in for another organization or firm: silently where the server allows it, else in a window, else by
   * leaving the page. Everything of the firm before goes first, as when another user signs in; the other tabs follow. Until it
   * has worked, and when it fails, the session is as it was. A second call for the same joins, one for another takes its place.
   *
   * @throws AuthError `switch-refused`, `identity-changed` (another person signed in), `not-authenticated`, `invalid-argument`,
   * `not-supported`, and those of `login`
   * @example
   * await auth.switchTo({ organization: 'org_acme' })
   */
  switchTo(options: SwitchOptions): Promise<void>
  /**
   * Ends the session here and in the other tabs, then at the server.
   *
   * @throws AuthError `logout-failed`, `redirect-refused`
   */
  logout(options?: LogoutOptions): Promise<void>
  /**
   * Renews the access token when forced or when it expires within 30 seconds.
   *
   * @throws AuthError `not-authenticated`, `invalid-grant`, `network`, `offline`, `timeout`, `unexpected-status`
   */
  renew(options?: RenewOptions): Promise<void>
  /** Stops renewal by timer until the next sign-in; a renewal on demand, or one in flight, does not set it again. */
  stopRenewal(): void
  /**
   * The access token, renewed first when forced or when it expires within 30 seconds. For calls that `fetch` cannot make.
   *
   * @throws AuthError `not-authenticated`, and those of `renew`; with `resource` also `not-supported`, `invalid-argument`, `client-refused`
   */
  getAccessToken(options?: AccessTokenOptions): Promise<string>
  /** An ofetch instance for the app's own calls: bearer to allowed origins only, one renewal and one repeat on 401. */
  readonly fetch: AppFetch
  /**
   * Sets one of the four hooks; the returned function puts the one before back.
   *
   * @throws AuthError `unsupported-hook`, `invalid-hook`
   */
  setHook<Name extends HookName>(name: Name, hook: Hooks[Name]): () => void
  /**
   * Calls back when a user's data must go from this page, before the next state shows: for stores of your own beside the
   * QueryClient. That is at every end of a session in this tab or another, when another user signs in, and when a session
   * expires, unless a screen waits for its user to come back. Also on the page where another user comes back from the server for
   * which this one's page had left: set it beside `createAuth`. It can be called twice for one user. A logout waits for what it
   * returns, 5 seconds at most. The returned function removes it.
   *
   * @example
   * auth.onUserGone(() => useCart.setState(emptyCart, true))
   */
  onUserGone(forget: (user: GoneUser) => unknown): () => void
  /**
   * Listens to the user's channel, or the firm's with `{ channel: 'firm' }`: calls back for every message of a topic and type. The data is frozen and unchecked:
   * check it before you trust it. Works before start-up and across sign-ins.
   *
   * @throws AuthError `invalid-listener`, naming topic and type; `invalid-argument` for another channel
   */
  addEventListener(
    topic: string,
    type: string,
    callback: (data: unknown) => unknown,
    options?: ListenerOptions,
  ): () => void
  /** Whether the server has a call, known before any request. Without it, what needs it fails with `not-supported`. */
  supports(feature: ServerFeature): boolean
  /** Idle time of the signed-in user; `undefined` when signed out, or with `autoLogout: false`. `subscribe` notifies during its last minute. */
  idle(): IdleTime | undefined
  /**
   * The user's sessions that are online, this one included; empty when signed out and until the service has
   * responded. The same array until a session joins or leaves; `subscribe` notifies of that.
   */
  presence(): readonly Occupant[]
  /** Why the session is in this state: the last 200 steps, free of secrets. Works before start-up has ended, too. */
  explain(): readonly ExplainStep[]
  /** Ends everything this object runs: timers, listeners, frames. Requests in flight sign no user in. The session at the server stays. */
  dispose(): void
}
