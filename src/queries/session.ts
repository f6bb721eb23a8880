// Signs in, signs out and renews as mutations (contract §3 "sign in / out / renew").
import type { Auth, RenewOptions } from '../session/auth.ts'
import type { LoginOptions } from '../session/signIn/signInRedirect.ts'
import type { LogoutOptions } from '../session/sessionEvent.ts'
import { WRITE_DEFAULTS } from './defaults.ts'
import { actionKey } from './keys.ts'
import type { AuthMutation } from './types.ts'

/** Redirects to the sign-in page. Variables: `LoginOptions` or nothing. */
export function loginMutation(auth: Auth): AuthMutation<void, LoginOptions | void> {
  return {
    ...WRITE_DEFAULTS,
    mutationKey: actionKey(auth, 'log in'),
    mutationFn: (options) => auth.login(options ?? {}),
  }
}

/** Ends the session here and at the server. Variables: `LogoutOptions` or nothing. */
export function logoutMutation(auth: Auth): AuthMutation<void, LogoutOptions | void> {
  return {
    ...WRITE_DEFAULTS,
    mutationKey: actionKey(auth, 'log out'),
    mutationFn: (options) => auth.logout(options ?? {}),
  }
}

/** Renews the access token when forced or due. Variables: `{ force?: boolean }` or nothing. */
export function renewMutation(auth: Auth): AuthMutation<void, RenewOptions | void> {
  return {
    ...WRITE_DEFAULTS,
    mutationKey: actionKey(auth, 'renew'),
    mutationFn: (options) => auth.renew(options ?? {}),
  }
}
