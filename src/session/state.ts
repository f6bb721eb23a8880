// The state of the session, as one union of states, one union of events and one pure function between them.
import type { AuthError } from '../base/errors.ts'
import type { Claims, User } from '../protocol/claims.ts'
import { REASONS, type SignedOutReason } from '../protocol/signedOutReasons.ts'

/** Where the browser is being sent. */
export type RedirectTarget = 'login' | 'logout' | 'passthrough' | 'environment' | 'change-password'

/** Health of the real-time connection. */
export type RealtimeStatus = 'off' | 'connecting' | 'connected' | 'degraded'

/** Flags of every state. */
export interface Flags {
  /** Whether the browser reports a network. */
  readonly isOnline: boolean
  /** How the real-time connection is; 'off' without `realtime` in the config or without a session. */
  readonly realtime: RealtimeStatus
  /** Whether the token has expired while the server is out of reach: the user stays signed in, calls wait or fail. */
  readonly isTokenExpired: boolean
}

/** The signed-in user. */
export type Status =
  | { readonly status: 'initializing' }
  | {
      readonly status: 'authenticated'
      /** The signed-in user; the same object until one of its members but `jti` and `exp` changes. */
      readonly user: User
      /** Expiry by this machine's wall clock, for display; follows renewals without a new state. `undefined`: unknown. */
      readonly expiresAtMs: number | undefined
      /** When the provider ends the whole session (`session_expiry`), by this machine's wall clock; `undefined`: it did not say. */
      readonly sessionEndsAtMs?: number | undefined
    }
  | {
      readonly status: 'unauthenticated'
      /** Why the user is signed out. */
      readonly reason: SignedOutReason
      /** The error behind the reason, if there was one. */
      readonly cause?: AuthError | undefined
    }
  | {
      readonly status: 'redirecting'
      /** Where the browser is being sent. */
      readonly to: RedirectTarget
    }
  | {
      readonly status: 'failed'
      /** The cause, with a `remedy`. */
      readonly error: AuthError
      /** Starts up again; calls that come meanwhile join. */
      retry(): void
      /** When start-up is repeated automatically, by the wall clock; `undefined` while that is not planned. */
      readonly retryAtMs?: number | undefined
    }

/** What `getState()` returns. */
export type AuthState = Status & Flags

/** The events of the state. */
export type StateEvent =
  | { type: 'restarted' }
  | { type: 'authenticated'; session: LiveSession }
  | { type: 'absent'; reason: SignedOutReason; cause?: AuthError | undefined; clash?: unknown }
  | { type: 'redirecting'; to: RedirectTarget }
  | { type: 'failed'; error: AuthError; retry(): void }
  | { type: 'planned'; retryAtMs: number | undefined }
  | { type: 'flags'; flags: Partial<Flags> }

/** A live view of the tokens, so that a renewal needs no new state. */
export interface LiveSession {
  readonly claims: Claims
  readonly expiresAtMs: number | undefined
  readonly sessionEndsAtMs?: number | undefined
}

/** Signed out by time alone: the same user is expected back. */
export const isExpired = (state: AuthState): boolean =>
  state.status === 'unauthenticated' && REASONS[state.reason].isAwaited === true

export const initialState = (flags: Flags): AuthState => Object.freeze({ status: 'initializing', ...flags })

/** The next state; the same object when nothing changed. */
export function transition(state: AuthState, event: StateEvent): AuthState {
  const { isOnline, realtime } = state
  const flags: Flags = { isOnline, realtime, isTokenExpired: false }
  // Without a session there is no connection.
  const alone: Flags = { ...flags, realtime: 'off' }
  switch (event.type) {
    case 'restarted':
      return initialState(alone)
    case 'authenticated':
      return authenticatedState(event.session, flags)
    case 'absent': {
      const { reason, cause } = event
      return Object.freeze({ status: 'unauthenticated', reason, ...(cause && { cause }), ...alone })
    }
    case 'redirecting':
      return Object.freeze({ status: 'redirecting', to: event.to, ...flags })
    case 'failed':
      return Object.freeze({ status: 'failed', error: event.error, retry: event.retry, ...alone })
    case 'planned':
      if (state.status !== 'failed' || state.retryAtMs === event.retryAtMs) return state
      return Object.freeze({ ...state, retryAtMs: event.retryAtMs })
    case 'flags':
      return withFlags(state, event.flags)
  }
}

function withFlags(state: AuthState, flags: Partial<Flags>): AuthState {
  const { isOnline = state.isOnline, realtime = state.realtime } = flags
  // Only for a signed-in user.
  const isTokenExpired = state.status === 'authenticated' && (flags.isTokenExpired ?? state.isTokenExpired)
  const isSame =
    isOnline === state.isOnline && realtime === state.realtime && isTokenExpired === state.isTokenExpired
  if (isSame) return state
  // Descriptors, because expiresAtMs is a getter that must stay one.
  const members = Object.getOwnPropertyDescriptors({ isOnline, realtime, isTokenExpired })
  return Object.freeze(
    Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(state), ...members }),
  ) as AuthState
}

function authenticatedState(session: LiveSession, flags: Flags): AuthState {
  const { userId, firmId, sessionId, impersonatorId, aud, ...own } = session.claims
  const user = Object.freeze({
    ...own,
    userId,
    firmId,
    sessionId,
    ...(impersonatorId !== undefined && { impersonatorId }),
    get jti() {
      return session.claims.jti
    },
    aud,
    get exp() {
      return session.claims.exp
    },
  }) as User
  return Object.freeze({
    status: 'authenticated',
    user,
    get expiresAtMs() {
      return session.expiresAtMs
    },
    get sessionEndsAtMs() {
      return session.sessionEndsAtMs
    },
    ...flags,
  })
}
