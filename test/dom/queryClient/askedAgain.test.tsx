// What failed while there was no token to ask with is asked again once there is one, whoever made the query; as after a lost network.
import { QueryClient, QueryClientProvider, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { StrictMode, useState } from 'react'
import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import type { Auth } from '../../../src/session/auth.ts'
import { useUserInfo } from '../../../src/hooks/serverCalls.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { renderApp } from '../appScene.tsx'

const refuses: typeof fetch = async () => {
  throw new TypeError('Failed to fetch')
}

const profiles: [string, Partial<AuthConfig>][] = [
  ['the firm profile', {}],
  ['OpenID Connect', { server: openIdConnect({ issuer: 'https://auth.test' }), authHost: undefined }],
]

describe.each(profiles)('with %s, once a server that was away is back', (_profile, config) => {
  /** An app that reads with a token, by no hook of latchkey. */
  function open(query: Partial<UseQueryOptions<string>> = {}) {
    const own: { auth?: Auth } = {}
    const asked: string[] = []
    function Orders() {
      const { data, error } = useQuery({
        queryKey: ['orders'],
        queryFn: async () => {
          asked.push(own.auth!.getState().status)
          await own.auth!.getAccessToken()
          return 'three orders'
        },
        ...query,
      })
      return <p>{data ?? (error ? 'no orders' : 'asking')}</p>
    }
    const app = renderApp(<Orders />, {
      config: { ...config, autoRefreshToken: true, autoLogout: false } as Partial<AuthConfig>,
      queryClient: new QueryClient({ defaultOptions: { queries: { retry: false } } }),
    })
    own.auth = app.auth
    return { ...app, asked, text: () => app.view.container.textContent }
  }

  /** Signed in, and then without a server until the token's life is over. */
  async function openAndLose(query: Partial<UseQueryOptions<string>> = {}) {
    const app = open(query)
    await app.settle()
    expect(app.auth.getState().status).toBe('authenticated')
    app.host.fetch = refuses
    await app.advance(620_000)
    expect(app.auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: true })
    return app
  }

  it('a plain query that had failed with a token whose life was over shows its data', async () => {
    const app = await openAndLose()
    await act(() => app.queryClient.resetQueries())
    await app.settle()
    expect(app.text()).toBe('no orders')
    const before = app.asked.length

    app.host.fetch = app.server.fetch
    await app.advance(60_000)
    expect(app.asked).toHaveLength(before + 1)
    expect(app.auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: false })
    expect(app.text()).toBe('three orders')
  })

  it('a plain query that had failed before there was a session shows its data', async () => {
    const app = open()
    app.host.fetch = refuses
    await app.settle()
    await app.advance(61_000)
    expect(app.auth.getState().status).toBe('failed')
    await app.advance(1000)
    expect(app.text()).toBe('no orders')
    const before = app.asked.length

    app.host.fetch = app.server.fetch
    await app.advance(60_000)
    expect(app.asked).toHaveLength(before + 1)
    expect(app.auth.getState().status).toBe('authenticated')
    expect(app.text()).toBe('three orders')
  })

  it('a read of latchkey that had failed shows its data', async () => {
    const read: { show?: () => void } = {}
    function Name() {
      const [isShown, setShown] = useState(false)
      read.show = () => setShown(true)
      return isShown ? <UserName /> : <p>not asked</p>
    }
    function UserName() {
      const { data, error } = useUserInfo({ retry: false })
      return <p>{data ? 'a user' : (error?.code ?? 'asking')}</p>
    }
    const { auth, host, server, view, settle, advance } = renderApp(<Name />, {
      config: { ...config, autoRefreshToken: true, autoLogout: false } as Partial<AuthConfig>,
    })
    await settle()
    host.fetch = refuses
    act(() => read.show!())
    await advance(30_000)
    expect(view.container.textContent).toBe('network')
    await advance(590_000)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: true })

    host.fetch = server.fetch
    await advance(60_000)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: false })
    expect(view.container.textContent).toBe('a user')
  })

  it.each<[string, Partial<UseQueryOptions<string>>]>([
    ['says that a network that is back does not matter to it', { refetchOnReconnect: false }],
    ['is switched off', { enabled: false, initialData: 'two orders' }],
    ['has fresh data', { initialData: 'two orders', staleTime: Infinity }],
    ['has not failed', { initialData: 'two orders', refetchOnMount: false }],
  ])('a query that %s is not asked again', async (_what, query) => {
    const app = await openAndLose(query)
    const before = app.asked.length
    app.host.fetch = app.server.fetch
    await app.advance(60_000)
    expect(app.auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: false })
    expect(app.asked).toHaveLength(before)
  })

  it('no query is asked again for a renewal that went well', async () => {
    const app = open()
    await app.settle()
    await app.advance(1200_000)
    expect(app.auth.getState().status).toBe('authenticated')
    expect(app.asked).toHaveLength(1)
  })
})

it('what had failed for nobody is asked once when somebody has signed in, beside two providers', async () => {
  const auth = createTestAuth({ state: { status: 'unauthenticated' } })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const asked: string[] = []
  function Orders() {
    const { data } = useQuery({
      queryKey: ['orders'],
      queryFn: async () => {
        asked.push(auth.getState().status)
        await auth.getAccessToken()
        return 'three orders'
      },
    })
    return <p>{data ?? 'no orders'}</p>
  }
  render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <AuthProvider auth={auth}>
          <Orders />
        </AuthProvider>
        <AuthProvider auth={auth}>
          <Orders />
        </AuthProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
  await waitFor(() => expect(client.getQueryState(['orders'])?.status).toBe('error'))
  act(() => auth.setState({ status: 'authenticated', user: { userId: 'anna' } }))
  await waitFor(() => expect(screen.getAllByText('three orders')).toHaveLength(2))
  expect(asked).toEqual(['unauthenticated', 'authenticated'])
})
