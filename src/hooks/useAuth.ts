'use client'
// The state and the actions for a component, in one object (contract §3 "useAuth").
import { useMemo, useSyncExternalStore } from 'react'
import { useAuthObject } from '../provider/context.ts'
import type { Auth } from '../session/auth.ts'
import type { AuthState } from '../session/state.ts'

/** What a component can do with the session. */
export interface AuthActions extends Pick<
  Auth,
  'login' | 'logout' | 'renew' | 'stopRenewal' | 'getAccessToken' | 'explain'
> {
  /**
   * The object that `createAuth` made: for factories, loaders and `auth.fetch`. The same one in every render.
   */
  readonly auth: Auth
}

type NameOf<State> = State extends unknown ? keyof State : never
/** Names every member of any state, those it lacks as `undefined`: what is taken apart in one line stays one union. */
type Whole<State, Name extends PropertyKey = NameOf<State>> = State extends unknown
  ? State & { readonly [Missing in Exclude<Name, keyof State>]?: undefined }
  : never

/** What `useAuth` answers: the members of the state, and the actions. */
export type AuthView = Whole<AuthState> & AuthActions

/**
 * Who is signed in, and what can be done about it. Renders when the status, the user or a flag changes; a renewal
 * renders nothing.
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
    const { login, logout, renew, stopRenewal, getAccessToken, explain } = auth
    const actions: AuthActions = { auth, login, logout, renew, stopRenewal, getAccessToken, explain }
    // Descriptors, because expiresAtMs is a getter that follows renewals.
    return Object.defineProperties(actions, Object.getOwnPropertyDescriptors(state)) as AuthView
  }, [auth, state])
}
