'use client'
// Provides an auth object to the components below: starts it on mount, releases it on unmount.
import { type QueryClient, QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import { noAuthNorConfig, noQueryClient } from '../base/errors.ts'
import { type ReactNode, useContext, useState } from 'react'
import type { WholeConfig } from '../protocol/config.ts'
import type { Messages } from '../protocol/messages.ts'
import { CLOSE_WINDOW } from '../protocol/popups.ts'
import { followQueryClient, refetchWhenPossible } from '../queries/interactions.ts'
import type { Auth } from '../session/auth.ts'
import { createAuth } from '../session/createAuth.ts'
import { internalsOf } from '../session/internals.ts'
import { withLater } from '../session/laterFile.ts'
import { isBrowser } from '../session/platform/browserPlatform.ts'
import { AuthContext, MessagesContext, useBeforePaint, useStoreBeforePaint } from './context.ts'
import { createTree, Renewed, TreeContext } from './tree.tsx'

/** Props of `AuthProvider`: your auth object, or the config for one. */
export type AuthProviderProps = {
  /** The app. Its hooks use this session. */
  children?: ReactNode
  /** Shown while the session is `initializing`; never in latchkey's own frames and popups. Default: nothing. */
  fallback?: ReactNode
  /**
   * Render the children at once, on a server too: they see `initializing`, and only `<Authenticated>` and
   * `useAuthState({ suspense: true })` wait. For pages whose public content is to be in the HTML. `fallback` is not shown then.
   * Default false.
   */
  eager?: boolean | undefined
  /**
   * Texts of latchkey's own screens, dialog and toasts below, instead of the config's `messages`. They may change while the app
   * runs: give those of the user's language. Missing ones are English. Default: the config's.
   */
  messages?: Messages | undefined
  /**
   * Shows the place where the user was before the sign-in, by the router that you use: for routers that keep the screen in the
   * history state, as Next does. `to` is path, query and hash of this origin. Called once after a return from the sign-in page,
   * or from the logout page. Default: the URL is replaced, and routers are notified by `popstate`.
   *
   * @example
   * <AuthProvider auth={auth} navigate={(to) => router.replace(to)}>
   */
  navigate?: ((to: string) => void) | undefined
  /** The QueryClient of the hooks below, instead of a `QueryClientProvider`. Default: that of the nearest provider. */
  queryClient?: QueryClient | undefined
} & (
  | {
      /** The auth object of `createAuth`. Create it once, outside of components. */
      auth: Auth
      config?: undefined
    }
  | {
      auth?: undefined
      /** Short for `auth={createAuth(config)}`. Read once. */
      config: WholeConfig
    }
)

/**
 * Starts the session and provides it to the hooks below. A `config` is read once; change the `key` to use another one.
 * StrictMode, remounts and several providers of one auth object share one start-up.
 *
 * @throws AuthError `missing-config` without `auth` and `config`, `no-provider` without a QueryClient; those of `createAuth`,
 * when a config is given
 * @example
 * <QueryClientProvider client={queryClient}>
 *   <AuthProvider config={{ authHost: 'https://auth.example.com', clientId: 'admin', scopes: ['openid'] }}>
 *     <App />
 *   </AuthProvider>
 * </QueryClientProvider>
 */
export function AuthProvider(props: AuthProviderProps): ReactNode {
  const { children, fallback = null, eager = false, messages, navigate } = props
  const [ownAuth] = useState(() => props.auth ?? createOwn(props.config))
  const auth = props.auth ?? ownAuth
  const nearestClient = useContext(QueryClientContext)
  const client = props.queryClient ?? nearestClient
  if (!client) throw noQueryClient()
  const [tree] = useState(createTree)
  if (isBrowser) {
    // In render: the first paint, also after an Activity was hidden, must not show the former user's data.
    followQueryClient(auth, client)
    if (internalsOf(auth).settings.clearQueries === 'all')
      internalsOf(auth).caches.attach({ clear: tree.clear }, tree)
  }
  useBeforePaint(() => internalsOf(auth).caches.attach({ isKept: tree.isKept }), [auth, tree])
  useBeforePaint(() => refetchWhenPossible(auth, client), [auth, client])
  useBeforePaint(() => internalsOf(auth).routeBy(navigate), [auth, navigate])
  useBeforePaint(() => internalsOf(auth).hold(), [auth])
  useBeforePaint(() => watchOthers(auth), [auth])
  /** The generation of the app, where the app is shown; read with the state, so that nothing of one user is drawn for the next. */
  const shown = useStoreBeforePaint(
    auth.subscribe,
    () =>
      // A hidden frame or a popup may end at the app's own page; it is removed soon.
      internalsOf(auth).ownWindow() ??
      (eager || auth.getState().status !== 'initializing' ? tree.generation() : 'fallback'),
    () => (eager ? tree.generation() : 'fallback'),
  )
  return (
    <QueryClientProvider client={client}>
      <AuthContext.Provider value={auth}>
        <TreeContext.Provider value={tree}>
          <MessagesContext.Provider value={messages}>
            {typeof shown === 'number' ? (
              <Renewed of={shown}>{children}</Renewed>
            ) : (
              shown === 'fallback' && fallback
            )}
            {shown === 'popup' && closeWindowText(messages ?? internalsOf(auth).settings.messages)}
          </MessagesContext.Provider>
        </TreeContext.Provider>
      </AuthContext.Provider>
    </QueryClientProvider>
  )
}

/** Visible only if the browser does not let the window close itself. */
function closeWindowText({ closeWindow = CLOSE_WINDOW }: Messages): string {
  return typeof closeWindow === 'function' ? closeWindow({}) : closeWindow
}

function createOwn(config: WholeConfig | undefined): Auth {
  if (config === undefined) throw noAuthNorConfig()
  return createAuth(config)
}

/** Another auth object on the page is mostly a mistake, such as a second copy of latchkey. */
function watchOthers(auth: Auth) {
  const { platform } = internalsOf(auth)
  const { mounted } = platform.shared()
  mounted.add(auth.subscribe)
  if (mounted.size > 1) void withLater(platform, (file) => file.warnOfOthers(auth, mounted, internalsOf))
  return () => void mounted.delete(auth.subscribe)
}
