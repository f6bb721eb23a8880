'use client'
// Gives a component the state of the session, or a part of it, the actions, and a hook of its own.
import { useContext, useLayoutEffect, useMemo, useState } from 'react'
import { fault } from '../base/errors.ts'
import type { User } from '../protocol/claims.ts'
import type { HookName, Hooks } from '../protocol/eventHooks.ts'
import { isSameIdentity } from '../protocol/identity.ts'
import { holderOf } from '../queries/keys.ts'
import { useAuthObject, useStoreBeforePaint } from '../provider/context.ts'
import { GateContext } from '../provider/forbidden.tsx'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { isBrowser } from '../session/platform/browserPlatform.ts'
import { noBrowser } from '../base/sessionErrors.ts'
import type { AuthState } from '../session/state.ts'
import { untilChanged } from '../session/store.ts'

/** The actions of `useAuth`. */
export interface AuthActions extends Pick<
  Auth,
  'login' | 'logout' | 'stepUp' | 'switchTo' | 'renew' | 'stopRenewal' | 'getAccessToken' | 'explain'
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

/** The result of `useAuth`: the members of the state, and the actions. */
export type AuthView = Whole<AuthState> & AuthActions

/**
 * Returns the state of the session and its actions. Renders when the status, the user or a flag changes, but not on a
 * renewal.
 *
 * @example
 * const { status, user, logout } = useAuth()
 * if (status === 'authenticated') return <button onClick={() => logout()}>Sign out {user.userId}</button>
 */
export function useAuth(): AuthView {
  const auth = useAuthObject()
  const state = useStoreBeforePaint(auth.subscribe, auth.getState, internalsOf(auth).firstState)
  return useMemo(() => {
    const { login, logout, stepUp, switchTo, renew, stopRenewal, getAccessToken, explain } = auth
    const actions: AuthActions = {
      auth,
      login,
      logout,
      stepUp,
      switchTo,
      renew,
      stopRenewal,
      getAccessToken,
      explain,
    }
    // Copy descriptors, because expiresAtMs is a getter that follows renewals.
    return Object.defineProperties(actions, Object.getOwnPropertyDescriptors(state)) as AuthView
  }, [auth, state])
}

/**
 * Reads one value of the state. Values are compared with `Object.is`: select a primitive or a member, and do not create an
 * object.
 *
 * @example
 * const firmId = useAuthSelector((state) => (state.status === 'authenticated' ? state.user.firmId : undefined))
 */
export function useAuthSelector<Selected>(select: (state: AuthState) => Selected): Selected {
  const auth = useAuthObject()
  return useStoreBeforePaint(
    auth.subscribe,
    () => select(auth.getState()),
    () => select(internalsOf(auth).firstState()),
  )
}

/**
 * Returns when the access token expires: milliseconds since 1970 by this machine's clock. `undefined` when signed out, or when
 * the server sent no lifetime. Renders once per renewal.
 *
 * @example
 * const expiresAtMs = useAccessTokenExpiry()
 */
export function useAccessTokenExpiry(): number | undefined {
  return useAuthSelector((state) => (state.status === 'authenticated' ? state.expiresAtMs : undefined))
}

/** Options of `useAuthState`. */
export interface AuthStateOptions {
  /** Suspend during start-up: the nearest `<Suspense>` shows its fallback. For apps with `<AuthProvider eager>`. Default false. */
  suspense?: boolean | undefined
}

/** The state of a session whose start-up has ended. */
export type SettledState = Exclude<AuthState, { readonly status: 'initializing' }>

/**
 * Returns the state of the session, without the actions. With `suspense: true` it suspends while the session is
 * `initializing`, so that the state is always a settled one; a server shows the fallback.
 *
 * @example
 * const state = useAuthState({ suspense: true })
 * return state.status === 'authenticated' ? <Desk /> : <Welcome />
 */
export function useAuthState(options: AuthStateOptions & { suspense: true }): SettledState
/** The state, during start-up too. */
export function useAuthState(options?: AuthStateOptions): AuthState
export function useAuthState({ suspense = false }: AuthStateOptions = {}): AuthState {
  const auth = useAuthObject()
  const state = useAuthSelector((current) => current)
  if (!suspense || state.status !== 'initializing') return state
  // Hydration begins with the first state, and start-up may have ended meanwhile.
  const current = auth.getState()
  return current.status === 'initializing' ? suspend(auth) : current
}

/**
 * Returns the signed-in user, never `undefined`: for components inside `<Authenticated>`. While `<Authenticated expired>` keeps
 * them mounted, it is the former user. Renders when the user changes, not on a renewal.
 *
 * @throws AuthError `no-provider`; `not-authenticated` when signed out
 * @example
 * const { userId } = useUser()
 */
export function useUser(): User {
  const user = useLastUser()
  if (!user) throw fault('not-authenticated', 'Not authenticated yet', 'Put it inside <Authenticated>.')
  return user
}

/** The signed-in user; where components stay mounted after the session has expired, the former user. */
export function useLastUser(): User | undefined {
  // `holderOf` reads from the auth object; a compiler memo would miss its change.
  'use no memo'
  const state = useAuthState()
  const holder = holderOf(useAuthObject())
  const current = state.status === 'authenticated' ? state.user : undefined
  const { shown } = useContext(GateContext)
  const [last, setLast] = useState(current ?? shown)
  if (current && current !== last) setLast(current)
  // Another user may have signed in and out while this component was hidden.
  return current ?? (last && holder && isSameIdentity(last, holder) ? last : undefined)
}

const waits = new WeakMap<Auth, Promise<void>>()

/** Suspends the component until the status changes. */
export function suspend(auth: Auth): never {
  // Waiting would keep the server's response open for ever. An error makes React send the fallback.
  if (!isBrowser) throw noBrowser()
  const { status } = auth.getState()
  const wait =
    waits.get(auth) ??
    untilChanged(auth, () => auth.getState().status !== status).finally(() => waits.delete(auth))
  waits.set(auth, wait)
  // oxlint-disable-next-line typescript/only-throw-error -- how a component suspends in React 18 and 19
  throw wait
}

/**
 * Sets a hook while the component is mounted, and restores the previous one afterwards.
 *
 * @throws AuthError `no-provider`, `unsupported-hook`, `invalid-hook`
 * @example
 * useAuthHook('beforeLogout', () => saveDraft())
 */
export function useAuthHook<Name extends HookName>(name: Name, hook: Hooks[Name]): void {
  const auth = useAuthObject()
  // A layout effect: the hook must be set before the session calls afterLogin.
  useLayoutEffect(() => auth.setHook(name, hook), [auth, name, hook])
}
