// The four hooks that an app can set, and the details of a session clash.
import { invalidHook, unsupportedHook } from '../base/errors.ts'
import type { User } from './claims.ts'
import type { SignedOutReason } from './signedOutReasons.ts'
import { recordOf } from '../base/json.ts'
import { LARGEST_INSTANT_MS } from '../base/sessionConstants.ts'

/** The session that replaced this one. */
export interface SessionClash {
  /** When the other session began: milliseconds since 1970 by the server's clock. */
  readonly sinceMs?: number | undefined
  /** The agent id of the other browser. */
  readonly agentId?: string | undefined
}

/** The four hooks. None receives a token. */
export interface Hooks {
  /** A session has begun on this page: after a redirect, silently through the hidden frame, or taken over from another tab. */
  afterLogin: (event: {
    readonly user: User
    readonly via: 'redirect' | 'popup' | 'silent' | 'tab'
    /** What the server added to its response, like Keycloak's `kc_action_status`; only where the sign-in page sent the user back. */
    readonly answer?: Readonly<Record<string, string>> | undefined
  }) => unknown
  /** The session is about to end. latchkey waits at most 5 seconds for the result. */
  beforeLogout: (event: { readonly user: User | undefined; readonly reason: SignedOutReason }) => unknown
  /**
   * The user signed in on another device. Called in every tab instead of the logout, once per such session. If you call
   * `logout` or `login` before the returned promise settles, the user is notified of the other sign-in.
   */
  uniqueSessionTrigger: (event: SessionClash) => unknown
  /** The access token has been renewed. */
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

/** @throws AuthError `unsupported-hook`, `invalid-hook` */
export function assertHook(name: string, hook: unknown): asserts name is HookName {
  if (!HOOK_NAMES.includes(name as HookName)) throw unsupportedHook(name)
  if (typeof hook !== 'function') throw invalidHook(name)
}

/** Short, and enough for users to recognise their browsers. */
export const shortAgentName = (agentId: string): string => agentId.slice(0, 4)

/** Parses a clash from another tab or page. Skips invalid members. */
export function parseClash(value: unknown): SessionClash | undefined {
  const { sinceMs, agentId } = recordOf(value)
  const isTime = typeof sinceMs === 'number' && sinceMs > 0 && sinceMs <= LARGEST_INSTANT_MS
  const isName = typeof agentId === 'string' && /^[\w-]{1,64}$/.test(agentId)
  if (!isTime && !isName) return undefined
  return Object.freeze({ ...(isTime && { sinceMs }), ...(isName && { agentId }) })
}
