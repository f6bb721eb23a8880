// The entry latchkey/react-router: guarded routes, and loaders that follow the user. It takes the router's parts from the app and imports none.
import type { ComponentType, ReactNode } from 'react'
import type { User } from '../protocol/claims.ts'
import { notAuthenticated } from '../base/sessionErrors.ts'
import type { Auth } from '../session/auth.ts'
import { connect } from '../routers/connection.ts'
import { gateOfLoaded, type GateProps } from '../routers/gate.tsx'

/** Options of `signedInRoute`. */
export interface SignedInRouteOptions extends GateProps {
  /** The app's screen for errors of loaders; it reads `useRouteError()`. */
  ErrorBoundary: ComponentType
}

/** Members of a guarded route, to be spread into the app's own. */
export interface SignedInRoute {
  /** The user. */
  loader(): Promise<User>
  /** The screens below, for a signed-in user. */
  Component: () => ReactNode
  /** The app's screen for errors, for a signed-in user. */
  ErrorBoundary: () => ReactNode
  /** Shown before the first loaders have returned. */
  HydrateFallback: () => ReactNode
}

/** The part of React Router's router that is used. */
export interface ReactRouterLike {
  /** `errors` are those of loaders on the screen. */
  readonly state: { readonly errors: object | null }
  /** Runs loaders again. */
  revalidate(): Promise<unknown>
}

/**
 * Members of a route for signed-in users only. Loaders of routes below run in parallel: each begins with `requireUser`.
 *
 * @example
 * { ...signedInRoute(auth, { Outlet, ErrorBoundary: Failed }), children: [invoices] }
 */
export function signedInRoute(
  auth: Auth,
  { Outlet, ErrorBoundary, ...gated }: SignedInRouteOptions,
): SignedInRoute {
  return {
    loader: async () => requireUser(auth),
    Component: gateOfLoaded(gated, Outlet),
    // Signed out, the error is the missing sign-in: the gate shows its sign-in screen.
    ErrorBoundary: gateOfLoaded(gated, ErrorBoundary, true),
    HydrateFallback: () => gated.pending,
  }
}

/**
 * Resolves with the signed-in user, for the first line of a loader.
 *
 * @throws AuthError `not-authenticated`, for which a route of `signedInRoute` shows its sign-in screen
 */
export async function requireUser(auth: Auth): Promise<User> {
  await auth.start()
  const state = auth.getState()
  if (state.status !== 'authenticated') throw notAuthenticated()
  return state.user
}

/**
 * Makes a router follow the user: its loaders run again when a user signs in or out, and meanwhile no guarded route shows what
 * they returned before. A loader that failed while the server was out of reach runs again when it is back. Call it once, beside
 * `createBrowserRouter`. The returned function ends it.
 */
export const connectRouter = (router: ReactRouterLike, auth: Auth): (() => void) =>
  connect(auth, {
    reload: async () => router.revalidate(),
    retryFailed: async () => (router.state.errors ? router.revalidate() : undefined),
    isWaiting: false,
  })
