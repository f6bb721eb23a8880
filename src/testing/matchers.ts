// Matchers for sessions, for `expect.extend` of Vitest and Jest.
import { AuthError, type AuthErrorCode } from '../base/errors.ts'
import type { User } from '../protocol/claims.ts'
import type { SignedOutReason } from '../protocol/signedOutReasons.ts'
import { sameId } from '../protocol/identity.ts'
import type { Auth } from '../session/auth.ts'
import type { AuthState } from '../session/state.ts'

/** The result of a matcher. */
export interface MatcherResult {
  /** Whether the value is as expected. */
  readonly pass: boolean
  /** Returns the message of a failing test. */
  message(): string
}

/** The expected user. Ids are compared as strings. */
export type ExpectedUser = Partial<Pick<User, 'userId' | 'firmId' | 'sessionId' | 'impersonatorId'>>

/** The types of the matchers, for merging into those of your test runner. */
export interface AuthMatchers<Result = void> {
  /** Passes for an `Auth` with a signed-in user; with `user`, for that one. */
  toBeSignedIn(user?: ExpectedUser): Result
  /** Passes for an `Auth` without a user; with `reason`, for that reason. */
  toBeSignedOut(reason?: SignedOutReason): Result
  /** Passes for an `AuthError`; with `code`, for that code. */
  toBeAuthError(code?: AuthErrorCode): Result
}

/**
 * For `expect.extend`.
 *
 * @example
 * expect.extend(authMatchers)
 * expect(auth).toBeSignedIn({ userId: 'alice' })
 * expect(auth).toBeSignedOut('idle')
 * await expect(auth.renew({ force: true })).rejects.toBeAuthError('offline')
 */
export const authMatchers: {
  [Name in keyof AuthMatchers]: (
    received: unknown,
    ...expected: Parameters<AuthMatchers[Name]>
  ) => MatcherResult
} = {
  toBeSignedIn(received, user = {}) {
    const state = stateOf(received)
    const wanted = Object.entries(user) as [keyof ExpectedUser, string | number | undefined][]
    const pass =
      state?.status === 'authenticated' && wanted.every(([name, id]) => sameId(state.user[name], id))
    const who = wanted.map(([name, id]) => `${name} ${String(id)}`).join(', ')
    return answer(pass, `to be signed in${who && ` as ${who}`}`, describe(received, state))
  },
  toBeSignedOut(received, reason) {
    const state = stateOf(received)
    const pass = state?.status === 'unauthenticated' && (reason === undefined || state.reason === reason)
    return answer(pass, `to be signed out${reason ? ` (${reason})` : ''}`, describe(received, state))
  },
  toBeAuthError(received, code) {
    const pass = received instanceof AuthError && (code === undefined || received.code === code)
    return answer(pass, `to be an AuthError${code ? ` ${code}` : ''}`, kindOf(received))
  },
}

const answer = (pass: boolean, expected: string, got: string): MatcherResult => ({
  pass,
  message: () => `expected ${pass ? 'not ' : ''}${expected}, but it is: ${got}`,
})

function stateOf(received: unknown): AuthState | undefined {
  const auth = received as Partial<Auth> | null | undefined
  return typeof auth?.getState === 'function' ? auth.getState() : undefined
}

function describe(received: unknown, state: AuthState | undefined): string {
  switch (state?.status) {
    case undefined:
      return `no Auth, but ${kindOf(received)}`
    case 'authenticated': {
      const { userId, firmId, sessionId, impersonatorId } = state.user
      const ids = Object.entries({ userId, firmId, sessionId, impersonatorId })
      return `authenticated, ${ids.map(([name, id]) => `${name} ${String(id ?? 'none')}`).join(', ')}`
    }
    case 'unauthenticated':
      return `unauthenticated (${state.reason})${state.cause ? `: ${state.cause.message}` : ''}`
    case 'redirecting':
      return `redirecting to ${state.to}`
    case 'failed':
      return `failed with ${state.error.code}: ${state.error.message}`
    case 'initializing':
      return 'initializing: wait for start-up to end'
  }
}

function kindOf(value: unknown): string {
  if (value instanceof AuthError) return `AuthError ${value.code}: ${value.message}`
  return value instanceof Error ? String(value) : value === null ? 'null' : typeof value
}
