// The options of the auth object's calls.
import type { Id, User } from '../protocol/claims.ts'
import type { SignInWishes } from '../protocol/loginParameters.ts'

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
