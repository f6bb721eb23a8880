// States as a test or a story writes them, made whole: what is left out is filled in as the real session would (contract §2 "State").
import type { AuthError } from '../errors.ts'
import type { SignedOutReason, User } from '../protocol/claims.ts'
import type { AuthState, Flags, LiveSession, RedirectTarget, StateEvent } from '../session/state.ts'
import { createAuthError } from './errors.ts'
import { createClaims, TOKEN_LIFETIME_IN_SECONDS } from './tokens.ts'

/** Claims of the signed-in user; those that are left out are Alice's of firm f1. */
export type TestUser = Partial<User>

/** A state; everything but its status may be left out. Flags that are left out: online, real time off, the token alive. */
export type TestState = Partial<Flags> &
  (
    | { status: 'initializing' }
    | {
        status: 'authenticated'
        /** Who is signed in. Default: Alice of firm f1. */
        user?: TestUser | undefined
        /** Milliseconds since 1970. Default: ten minutes from now. */
        expiresAtMs?: number | undefined
      }
    | {
        status: 'unauthenticated'
        /** Default 'none'. */
        reason?: SignedOutReason | undefined
        /** What went wrong on the way. Default: nothing. */
        cause?: AuthError | undefined
      }
    | {
        status: 'redirecting'
        /** Default 'login'. */
        to?: RedirectTarget | undefined
      }
    | {
        status: 'failed'
        /** Default `network`. */
        error?: AuthError | undefined
        /** Called by the screen's "Try again". Default: it is written down in `calls`. */
        retry?: (() => void) | undefined
        /** When it starts up again by itself, milliseconds since 1970. Default: that is not planned. */
        retryAtMs?: number | undefined
      }
  )

/** The event that leads to a state. */
export function eventOf(
  state: TestState,
  options: { now(): number; expiresAtMs(): number | undefined; retry(): void },
): StateEvent {
  switch (state.status) {
    case 'initializing':
      return { type: 'restarted' }
    case 'authenticated':
      return { type: 'authenticated', session: sessionOfUser(state.user, options) }
    case 'unauthenticated':
      return { type: 'absent', reason: state.reason ?? 'none', cause: state.cause }
    case 'redirecting':
      return { type: 'leaving', to: state.to ?? 'login' }
    case 'failed': {
      const error = state.error ?? createAuthError('network')
      return { type: 'failed', error, retry: state.retry ?? options.retry }
    }
  }
}

/** Flags of a state, those left out too. */
export const flagsOf = ({
  isOnline = true,
  realtime = 'off',
  isTokenExpired = false,
}: Partial<Flags>): Flags => ({
  isOnline,
  realtime,
  isTokenExpired,
})

/** Who a state is about, as a text; `undefined` when nobody is signed in. */
export function identityOf(state: AuthState): string | undefined {
  if (state.status !== 'authenticated') return undefined
  const { userId, firmId, impersonatorId } = state.user
  return JSON.stringify([userId, firmId, impersonatorId])
}

function sessionOfUser(
  user: TestUser | undefined,
  { now, expiresAtMs }: { now(): number; expiresAtMs(): number | undefined },
): LiveSession {
  const { userId, firmId, sessionId, jti, aud } = createClaims()
  const exp = Math.floor(now() / 1000) + TOKEN_LIFETIME_IN_SECONDS
  return {
    claims: { userId, firmId, sessionId, jti, aud, exp, ...user },
    // A renewal moves it.
    get expiresAtMs() {
      return expiresAtMs()
    },
  }
}
