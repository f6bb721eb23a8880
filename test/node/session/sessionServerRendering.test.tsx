// Rendering on a server: no global of a browser is touched, the fallback is what comes out, and nothing starts (PAINS M23).
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import {
  AuthProvider,
  createAuth,
  useAccessTokenExpiry,
  useAuth,
  useAuthHook,
  useAuthSelector,
  useLogin,
  useLogout,
  useRenew,
  useUserInfo,
} from '../../../src/index.ts'
import { CONFIG } from './sessionScene.ts'

const onServer = (children: ReactNode, fallback?: ReactNode) =>
  renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <AuthProvider config={CONFIG} fallback={fallback}>
        {children}
      </AuthProvider>
    </QueryClientProvider>,
  )

function Everything() {
  const { status } = useAuth()
  useAccessTokenExpiry()
  useAuthSelector((state) => state.isOnline)
  useAuthHook('afterLogin', () => {})
  useLogin()
  useLogout()
  useRenew()
  useUserInfo()
  return <p>{status}</p>
}

describe('on a server', () => {
  it('there is no page: this test would prove nothing in a browser', () => {
    expect(typeof document).toBe('undefined')
    expect(typeof window).toBe('undefined')
  })

  it('the auth object can be made with the real platform, and touches nothing', () => {
    const auth = createAuth(CONFIG)
    expect(auth.getState()).toEqual({
      status: 'initializing',
      isOnline: true,
      realtime: 'off',
      isTokenExpired: false,
    })
  })

  it('the provider renders its fallback, and nothing without one', () => {
    expect(onServer(<Everything />, <p>one moment</p>)).toBe('<p>one moment</p>')
    expect(onServer(<Everything />)).toBe('')
  })

  it('rendering starts nothing: the state stays as it was', () => {
    const auth = createAuth(CONFIG)
    renderToString(
      <AuthProvider auth={auth} queryClient={new QueryClient()}>
        <Everything />
      </AuthProvider>,
    )
    expect(auth.getState().status).toBe('initializing')
  })

  it('a wrong config is an error of the rendering, with its text', () => {
    const render = () =>
      renderToString(<AuthProvider config={{} as never} queryClient={new QueryClient()} fallback="x" />)
    expect(render).toThrow('Missing config parameter : authHost')
  })
})
