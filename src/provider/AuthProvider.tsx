'use client'
// Owns a session for the components below it: starts it when mounted, lets go of it when unmounted (contract §2).
import { type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import type { AuthConfig } from '../protocol/config.ts'
import { attachQueryClient } from '../queries/interactions.ts'
import type { Auth } from '../session/auth.ts'
import { isBrowser } from '../session/browserPlatform.ts'
import { createAuth, sessionOf } from '../session/session.ts'
import { AuthContext } from './context.ts'

/** Props of `AuthProvider`: an auth object of your own, or the config for one. */
export type AuthProviderProps = {
  /** The app: its hooks find the session here. */
  children?: ReactNode
  /** Shown while the session is `initializing`. Default: nothing. */
  fallback?: ReactNode
  /** In place of a `QueryClientProvider`: the client of everything below. Default: that of the nearest one. */
  queryClient?: QueryClient | undefined
} & (
  | {
      /** What `createAuth` made: made once, outside of components. */
      auth: Auth
      config?: undefined
    }
  | {
      auth?: undefined
      /** Short for `auth={createAuth(config)}`; read once. */
      config: AuthConfig
    }
)

// In the tick of mounting: the hidden frame must not wait for a paint. Servers know no layout.
const useBeforePaint = isBrowser ? useLayoutEffect : useEffect

/**
 * Starts the session and gives it to the hooks below. A `config` is read once; to use another one, change the `key`.
 * StrictMode, remounts and two providers on one auth object join one start.
 *
 * @throws AuthError those of `createAuth`, when a config is given
 * @example
 * <QueryClientProvider client={queryClient}>
 *   <AuthProvider config={{ authHost: 'https://auth.example.com', clientId: 'admin', scopes: ['openid'] }}>
 *     <App />
 *   </AuthProvider>
 * </QueryClientProvider>
 */
export function AuthProvider(props: AuthProviderProps): ReactNode {
  const { children, fallback = null } = props
  const [ownAuth] = useState(() => props.auth ?? createAuth(props.config))
  const auth = props.auth ?? ownAuth
  const client = useQueryClient(props.queryClient)
  useBeforePaint(() => attachQueryClient(auth, client), [auth, client])
  useBeforePaint(() => sessionOf(auth).hold(), [auth])
  const isInitializing = useSyncExternalStore(
    auth.subscribe,
    () => auth.getState().status === 'initializing',
    () => true,
  )
  return (
    <QueryClientProvider client={client}>
      <AuthContext.Provider value={auth}>{isInitializing ? fallback : children}</AuthContext.Provider>
    </QueryClientProvider>
  )
}
