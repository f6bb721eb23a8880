'use client'
// Gives a component the state and the actions in one object.
import { useMemo, useSyncExternalStore } from 'react'
import { useAuthObject } from '../provider/context.ts'
import type { Auth } from '../session/auth.ts'
import type { AuthState } from '../session/state.ts'

/** The actions of `useAuth`. */
export interface AuthActions extends Pick<
  Auth,
  'login' | 'logout' | 'stepUp' | 'renew' | 'stopRenewal' | 'getAccessToken' | 'explain'
> {
  /**
   * The object that `createAuth` returned, for factories, loaders and `auth.fetch`. It never changes.
   */
  readonly auth: Auth
}

type NameOf<State> = State extends unknown ? keyof State : never
/** Adds the members of the other states as `undefined`, so that the union can be destructured in one line. */
type Whole<State, Name extends PropertyKey = NameOf<State>> = State extends unknown
  ? State & { readonly [Missing in Exclude<Name, keyof State>]?: undefined }
  : never

/** What `useAuth` returns: the members of the state, and the actions. */
export type AuthView = Whole<AuthState> & AuthActions

/**
 * Returns the state of the session and its actions. Renders when the status, the user or a flag changes, but not on a
 * renewal.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { status, user, logout } = useAuth()
 * if (status === 'authenticated') return <button onClick={() => logout()}>Sign out {user.userId}</button>
 */
export function useAuth(): AuthView {
  const auth = useAuthObject()
  const state = useSyncExternalStore(auth.subscribe, auth.getState, auth.getState)
  return useMemo(() => {
    const { login, logout, stepUp, renew, stopRenewal, getAccessToken, explain } = auth
    const actions: AuthActions = { auth, login, logout, stepUp, renew, stopRenewal, getAccessToken, explain }
    // Copy descriptors, because expiresAtMs is a getter that follows renewals.
    return Object.defineProperties(actions, Object.getOwnPropertyDescriptors(state)) as AuthView
  }, [auth, state])
}
