'use client'
// Gives the hooks below it a session in any state, without a server: for tests and stories of an app's own screens.
import { QueryClient, QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react'
import { AuthProvider } from '../provider/AuthProvider.tsx'
import { createTestAuth, type TestAuth, type TestAuthOptions } from './testAuth.ts'

/** Props of `TestAuthProvider`: a test auth of your own, or what to make one of. */
export type TestAuthProviderProps = {
  /** The components that are tested. */
  children?: ReactNode
  /** Shown while the state is `initializing`. Default: nothing. */
  fallback?: ReactNode
  /** Default: that of the nearest `QueryClientProvider`, else one of its own. */
  queryClient?: QueryClient | undefined
} & (
  | ({
      /** What `createTestAuth` made, to be looked at and changed by the test. Default: one of its own. */
      auth: TestAuth
    } & { [Name in keyof TestAuthOptions]?: undefined })
  | ({ auth?: undefined } & TestAuthOptions)
)

/**
 * A session in any state. Another `state` or `user` than the one before becomes the state; all else is read once.
 *
 * @example
 * <TestAuthProvider state={{ status: 'unauthenticated', reason: 'session-clash' }}>
 *   <App />
 * </TestAuthProvider>
 */
export function TestAuthProvider(props: TestAuthProviderProps): ReactNode {
  const { children, fallback, queryClient, auth: givenAuth, ...options } = props
  const [ownAuth] = useState(() => givenAuth ?? createTestAuth(options))
  const auth = givenAuth ?? ownAuth
  const nearest = useContext(QueryClientContext)
  const [ownClient] = useState(() => new QueryClient())

  const { state = { status: 'authenticated', user: options.user } } = options
  // By content: a story writes a new object on every render.
  const wanted = JSON.stringify(state)
  const shown = useRef(wanted)
  useLayoutEffect(() => {
    if (givenAuth || shown.current === wanted) return
    shown.current = wanted
    auth.setState(state)
  }, [auth, givenAuth, state, wanted])

  return (
    <QueryClientProvider client={queryClient ?? nearest ?? ownClient}>
      <AuthProvider auth={auth} fallback={fallback}>
        {children}
      </AuthProvider>
    </QueryClientProvider>
  )
}
