// Signs in, signs out and renews as mutations.
import type { QueryKey } from '@tanstack/react-query'
import type { AuthError } from '../base/errors.ts'
import type { Auth } from '../session/auth.ts'
import type {
  LoginOptions,
  LogoutOptions,
  RenewOptions,
  StepUpOptions,
  SwitchOptions,
} from '../session/auth.ts'
import { type AuthMutation, writeMutation } from './defaults.ts'
import { isKeyBelow } from './keys.ts'

/** Names of the mutations that may begin or end a session. */
const SESSION_ACTIONS: readonly unknown[] = [
  'log in',
  'log out',
  'step up',
  'switch',
  'renew',
  'exchange code',
  'verify session',
  'renew token',
]

/** Whether a mutation may begin or end the session. */
export const isSessionAction = (key: QueryKey | undefined, ownKey: QueryKey): boolean =>
  isKeyBelow(key, ownKey) && SESSION_ACTIONS.includes(key?.[ownKey.length])

/** The write of `useLogin`. */
export function loginMutation(auth: Auth): AuthMutation<void, LoginOptions | void> {
  return writeMutation(auth, 'log in', (options) => auth.login(options ?? {}))
}

/** The write of `useLogout`. */
export function logoutMutation(auth: Auth): AuthMutation<void, LogoutOptions | void> {
  return writeMutation(auth, 'log out', (options) => auth.logout(options ?? {}))
}

/** One stronger sign-in. */
export interface StepUpVariables extends StepUpOptions {
  /** The `step-up-required` that a call was rejected with. */
  error: AuthError
}

/** The write of `useStepUp`. */
export function stepUpMutation(auth: Auth): AuthMutation<void, StepUpVariables> {
  return writeMutation(auth, 'step up', ({ error, ...options }) => auth.stepUp(error, options))
}

/** The write of `useSwitchTo`. */
export function switchToMutation(auth: Auth): AuthMutation<void, SwitchOptions> {
  return writeMutation(auth, 'switch', (options) => auth.switchTo(options))
}

/** The write of `useRenew`. */
export function renewMutation(auth: Auth): AuthMutation<void, RenewOptions | void> {
  return writeMutation(auth, 'renew', (options) => auth.renew(options ?? {}))
}
