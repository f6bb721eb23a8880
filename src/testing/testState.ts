// Completes the states and online sessions that tests and stories write, with the defaults of real ones.
import type { User } from '../protocol/claims.ts'
import { NIL_DEVICE } from '../protocol/presence.ts'
import type { Occupant, Presence } from '../session/realtimePort.ts'
import type { Flags, StateEvent, Status } from '../session/state.ts'
import type { OptionsOf } from './answers.ts'
import { createAuthError } from './errors.ts'
import { createClaims, TOKEN_LIFETIME_IN_SECONDS } from './tokens.ts'

/** Claims of the signed-in user. Missing ones are those of Alice of firm f1. */
export type TestUser = Partial<User>

type Of<Name extends Status['status']> = Extract<Status, { readonly status: Name }>

/**
 * A state. Only its status is required. Default flags: online, real time off, a valid token. Defaults of the members:
 * - `authenticated`: `user` Alice of firm f1, `expiresAtMs` in ten minutes, no `sessionEndsAtMs`
 * - `unauthenticated`: `reason` 'none', no `cause`
 * - `redirecting`: `to` 'login'
 * - `failed`: `error` `network`, `retry` is recorded in `calls`, no `retryAtMs`: start-up is not repeated
 */
export type TestState = Partial<Flags> &
  (
    | Of<'initializing'>
    | ({ status: 'authenticated'; user?: TestUser | undefined } & OptionsOf<
        Omit<Of<'authenticated'>, 'status' | 'user'>
      >)
    | ({ status: 'unauthenticated' } & OptionsOf<Omit<Of<'unauthenticated'>, 'status'>>)
    | ({ status: 'redirecting' } & OptionsOf<Omit<Of<'redirecting'>, 'status'>>)
    | ({ status: 'failed' } & OptionsOf<Omit<Of<'failed'>, 'status'>>)
  )

/** The event that leads to a state. */
export function eventOf(
  state: TestState,
  { nowMs, expiresAtMs, retry }: { nowMs: number; expiresAtMs(): number | undefined; retry(): void },
): StateEvent {
  switch (state.status) {
    case 'initializing':
      return { type: 'restarted' }
    case 'authenticated': {
      const exp = Math.floor(nowMs / 1000) + TOKEN_LIFETIME_IN_SECONDS
      const { iat: _iat, ...claims } = createClaims()
      const session = {
        claims: { ...claims, exp, ...state.user },
        sessionEndsAtMs: state.sessionEndsAtMs,
        // A renewal changes it.
        get expiresAtMs() {
          return expiresAtMs()
        },
      }
      return { type: 'authenticated', session }
    }
    case 'unauthenticated':
      return { type: 'absent', reason: state.reason ?? 'none', cause: state.cause }
    case 'redirecting':
      return { type: 'redirecting', to: state.to ?? 'login' }
    case 'failed': {
      const error = state.error ?? createAuthError('network')
      return { type: 'failed', error, retry: state.retry ?? retry }
    }
  }
}

/** Returns the flags of a state, with defaults. */
export const flagsOf = ({
  isOnline = true,
  realtime = 'off',
  isTokenExpired = false,
}: Partial<Flags>): Flags => ({
  isOnline,
  realtime,
  isTokenExpired,
})

/** Does a state mean that a session has ended? */
export const isEnd = (state: TestState): boolean =>
  state.status === 'unauthenticated' ||
  (state.status === 'redirecting' && (state.to === 'logout' || state.to === 'environment'))

/** An online session of the user. Missing members get defaults. */
export type TestOccupant = Partial<Occupant>

/** A list of online sessions that changes only when the test sets another one. */
export function createTestPresence(given: readonly TestOccupant[]): Presence {
  const occupants = Object.freeze(given.map(fillOccupant))
  return {
    presenceId: occupants.find(({ isThisBrowser }) => isThisBrowser)?.presenceId,
    occupants: () => occupants,
    isLeading: () => true,
  }
}

function fillOccupant(given: TestOccupant, index: number): Occupant {
  const agentId = given.agentId ?? `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
  const id = { type: given.type ?? '1', device: given.device ?? NIL_DEVICE, agentId }
  return {
    ...id,
    presenceId: `${id.type}:${id.device}:${agentId}`,
    name: agentId.slice(-4),
    isThisBrowser: index === 0,
    sessionId: `s${index + 1}`,
    sinceMs: undefined,
    ...given,
  }
}
