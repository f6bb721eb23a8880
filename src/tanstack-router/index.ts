// The entry latchkey/tanstack-router: guarded routes, and loaders that follow the user. It takes the router's parts from the app and imports none.
import type { ReactNode } from 'react'
import { memberOf } from '../base/json.ts'
import { untilHeard } from '../base/within.ts'
import { isAllowed, type User } from '../protocol/claims.ts'
import type { Auth } from '../session/auth.ts'
import { connect } from '../routers/connection.ts'
import { gate, type GateProps, gateUnlessLoading } from '../routers/gate.tsx'

/** Options of `signedInRoute`. `children` are the router's. */
export type SignedInRouteOptions = GateProps

/** The argument of `beforeLoad` of a guarded route. */
export interface GuardContext {
  /** The router's `context`. */
  readonly context: { readonly auth: Auth }
  /** Ends with the navigation. */
  readonly abortController: AbortController
}

/** Options of a guarded route, to be spread into the app's own. */
export interface SignedInRoute {
  /** Waits for the user. */
  beforeLoad(route: GuardContext): Promise<{ user: User }>
  /** The screens below, for a signed-in user. */
  component: () => ReactNode
  /** The sign-in screen while signed out. */
  pendingComponent: () => ReactNode
  /** 0: the sign-in screen appears at once. */
  pendingMs: number
  /** 0: and disappears at once. */
  pendingMinMs: number
}

/** The used part of a match. */
interface Match {
  readonly status: string
  readonly context: unknown
  loaderData?: unknown
}

/** The part of TanStack Router's router that is used. */
export interface TanStackRouterLike {
  /** Runs loaders again. */
  invalidate(options?: { forcePending?: boolean; filter?: (match: Match) => boolean }): Promise<unknown>
  /** Drops what loaders returned for screens that were left. */
  clearCache(): void
}

/** Users that guards have let in: a match with one in its context is below a guarded route. */
const guarded = new WeakSet<User>()

/**
 * Options of a route for signed-in users only, to be spread into `createRoute` or `createFileRoute`. Loaders below it wait for
 * a user whom `allow` lets in; until then the route shows what `<Authenticated>` shows. Their `context` has `user`. The auth
 * object comes from the router's `context`.
 *
 * @example
 * const staff = createRoute({ getParentRoute: () => root, id: 'staff', ...signedInRoute({ Outlet }) })
 */
export function signedInRoute({ Outlet, pending, ...shown }: SignedInRouteOptions): SignedInRoute {
  return {
    beforeLoad: async ({ context: { auth }, abortController: { signal } }) => {
      await auth.start()
      const user = await waitForUser(auth, shown.allow, signal)
      guarded.add(user)
      return { user }
    },
    // Meanwhile the router shows `pendingComponent`, and keeps this one hidden in the page: no second sign-in screen there.
    component: gateUnlessLoading(shown, Outlet),
    pendingComponent: gate(shown, pending),
    pendingMs: 0,
    pendingMinMs: 0,
  }
}

/** Resolves with the user once one is signed in that `allow` accepts. */
async function waitForUser(auth: Auth, allow: GateProps['allow'], signal: AbortSignal): Promise<User> {
  for (;;) {
    signal.throwIfAborted()
    const state = auth.getState()
    if (state.status === 'authenticated' && isAllowed(allow, state.user)) return state.user
    await untilHeard((changed) => auth.subscribe(changed), signal)
  }
}

/**
 * Makes a router follow the user: its loaders run again when another user signs in and after a sign-out, and meanwhile no
 * guarded route shows what they returned before. A loader that failed while the server was out of reach runs again when it is
 * back. Call it once, beside `createRouter`. The returned function ends it.
 */
export const connectRouter = (router: TanStackRouterLike, auth: Auth): (() => void) =>
  connect(auth, {
    async reload() {
      router.clearCache()
      await router.invalidate({ forcePending: true, filter: forget })
    },
    retryFailed: async () => router.invalidate({ filter: ({ status }) => status === 'error' }),
    isWaiting: true,
  })

/** Empties a match below a guarded route, which the router keeps while its guard waits for the next user. */
function forget(match: Match): boolean {
  if (guarded.has(memberOf(match.context, 'user') as User)) delete match.loaderData
  return true
}
