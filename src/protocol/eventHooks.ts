// The four hooks an app can set, and what each is given: never a token (spec §4 "Hooks", §5).
import { invalidHook, unsupportedHook } from '../errors.ts'
import type { SignedOutReason, User } from './claims.ts'

/** What a session clash says about the other sign-in (spec §4 "Unique session"). */
export interface SessionClash {
  /** When the other session began, by the server's clock. */
  readonly sinceMs?: number | undefined
  /** The browser that the other session lives in. */
  readonly agentId?: string | undefined
}

/** The four hooks (spec §4 "Hooks"). None is given a token. */
export interface Hooks {
  /** A session began on this page: after a redirect, silently through the hidden frame, or from another tab. */
  afterLogin: (event: { readonly user: User; readonly via: 'redirect' | 'silent' | 'tab' }) => unknown
  /** The session is about to end; awaited for at most 5 seconds. */
  beforeLogout: (event: { readonly user: User | undefined; readonly reason: SignedOutReason }) => unknown
  /**
   * Another device signed in as this user; called in every tab instead of the logout, once for each such session. Log
   * out or sign in from here, before what you return has settled, and the user is told of the other sign-in.
   */
  uniqueSessionTrigger: (event: SessionClash) => unknown
  /** The access token was renewed. */
  afterRefreshToken: (event: { readonly user: User; readonly expiresAtMs: number | undefined }) => unknown
}

/** Name of a hook. */
export type HookName = keyof Hooks

export const HOOK_NAMES: readonly HookName[] = [
  'afterLogin',
  'beforeLogout',
  'uniqueSessionTrigger',
  'afterRefreshToken',
]

/** @throws AuthError `unsupported-hook`, `invalid-hook` with the texts of spec §5 */
export function assertHook(name: string, hook: unknown): asserts name is HookName {
  if (!HOOK_NAMES.includes(name as HookName)) throw unsupportedHook(name)
  if (typeof hook !== 'function') throw invalidHook(name)
}
