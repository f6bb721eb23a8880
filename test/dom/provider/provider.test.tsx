// The provider: one start whatever React does, a fallback meanwhile, nothing left when it goes, few renders (F19, F36).
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { Component, type ReactElement, type ReactNode, StrictMode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { useAuth, useAccessTokenExpiry, useAuthHook, useAuthSelector } from '../../../src/hooks/useAuth.ts'
import { useUserInfo } from '../../../src/hooks/serverCalls.ts'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { CONFIG, createScene, nextPage, startScene, tokenBodies } from '../../node/session/sessionScene.ts'
import { renderApp, startApp } from '../appScene.tsx'
import { holdRequests } from '../../holdRequests.ts'

function Status() {
  const { status, user } = useAuth() as { status: string; user?: { userId: string } }
  return <p>{`${status} ${user?.userId ?? ''}`}</p>
}

/** React tells the console of every error that a boundary catches. */
const silenceConsole = () => vi.spyOn(console, 'error').mockImplementation(() => {})

class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {}
  static getDerivedStateFromError(error: Error) {
    return { message: error.message }
  }
  override render() {
    return this.state.message === undefined ? this.props.children : <p>{this.state.message}</p>
  }
}

describe('the provider', () => {
  it.each([
    ['alone', ({ children }: { children: ReactNode }) => children],
    [
      'inside another one',
      ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
      ),
    ],
  ])('gives its queryClient to the hooks below, %s', async (_where, Around) => {
    function Name() {
      return <p>{useUserInfo({ select: ({ name }) => String(name) }).data ?? 'asking'}</p>
    }
    const scene = createScene()
    const client = new QueryClient()
    render(
      <Around>
        <AuthProvider auth={scene.auth} queryClient={client}>
          <Name />
        </AuthProvider>
      </Around>,
    )
    await act(() => scene.host.settle())
    await screen.findByText('Name of alice')
    expect(client.getQueryCache().getAll()).toHaveLength(1)
  })

  it.each(['agent-iframe', 'latchkey https://auth.test admin AbCdEf popup link'])(
    'draws nothing, not even the fallback, in the window %s, and asks for nothing',
    async (windowName) => {
      const { view, host, settle } = renderApp(<Status />, {
        host: { windowName },
        fallback: <p>One moment</p>,
      })
      expect(view.container.innerHTML).toBe('')
      await settle()
      expect(view.container.innerHTML).toBe('')
      expect(host.frames).toEqual([])
    },
  )

  it.each([
    ['You can close this window.', {}],
    ['Fermez cette fenêtre.', { messages: { closeWindow: () => 'Fermez cette fenêtre.' } }],
  ])('says no more than %s in the window of a sign-in, and starts no session', async (text, config) => {
    const { view, host, settle } = renderApp(<Status />, {
      host: { windowName: 'latchkey https://auth.test admin AbCdEf popup sign-in' },
      fallback: <p>One moment</p>,
      config,
    })
    expect(view.container.textContent).toBe(text)
    await settle()
    expect(view.container.textContent).toBe(text)
    expect([host.frames, host.requests]).toEqual([[], []])
  })

  it('shows the fallback until start-up has ended, then the app', async () => {
    const app = renderApp(<Status />, { fallback: <p>one moment</p> })
    expect(screen.getByText('one moment')).toBeInstanceOf(HTMLElement)
    await app.settle()
    expect(screen.queryByText('one moment')).toBeNull()
    expect(screen.getByText('authenticated alice')).toBeInstanceOf(HTMLElement)
  })

  it('shows nothing by default while it starts', () => {
    const { view } = renderApp(<Status />)
    expect(view.container.innerHTML).toBe('')
  })

  it('shows the app when nobody is signed in: the app decides what that looks like', async () => {
    await startApp(<Status />, { config: { autoLogin: false }, server: { user: undefined } })
    expect(screen.getByText('unauthenticated')).toBeInstanceOf(HTMLElement)
  })

  it('opens the frame in the tick of mounting, before any effect of the app', async () => {
    const order: string[] = []
    const scene = createScene({ isFrameMute: true, host: { without: ['sha256'], isSecureContext: false } })
    const { openFrame } = scene.host.platform
    Object.assign(scene.host.platform, {
      openFrame: (...request: Parameters<typeof openFrame>) => {
        order.push('frame')
        return openFrame(...request)
      },
    })
    render(
      <QueryClientProvider client={new QueryClient()}>
        <AuthProvider auth={scene.auth} />
      </QueryClientProvider>,
    )
    await Promise.resolve().then(() => order.push('later'))
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    expect(order).toContain('frame')
  })

  it('takes a config instead of an auth object, and reads it once', async () => {
    const config = { authHost: 'https://auth.test', clientId: 'admin', scopes: ['openid'], autoLogin: false }
    const client = new QueryClient()
    const tree = (clientId: string) => (
      <QueryClientProvider client={client}>
        <AuthProvider config={{ ...config, clientId }} fallback={<p>starting</p>}>
          <Status />
        </AuthProvider>
      </QueryClientProvider>
    )
    const view = render(tree('admin'))
    expect(screen.getByText('starting')).toBeInstanceOf(HTMLElement)
    expect(() => view.rerender(tree('other'))).not.toThrow()
    expect(document.querySelectorAll('iframe').length).toBeLessThanOrEqual(1)
    view.unmount()
  })

  it('throws the error of a wrong config where it is rendered', () => {
    silenceConsole()
    render(
      <Boundary>
        <QueryClientProvider client={new QueryClient()}>
          <AuthProvider config={{} as never} />
        </QueryClientProvider>
      </Boundary>,
    )
    expect(screen.getByText('Missing config parameter : authHost')).toBeInstanceOf(HTMLElement)
  })

  it('can be given a query client instead of one above it', async () => {
    const scene = createScene()
    render(
      <AuthProvider auth={scene.auth} queryClient={new QueryClient()}>
        <Status />
      </AuthProvider>,
    )
    await act(() => scene.host.settle())
    expect(screen.getByText('authenticated alice')).toBeInstanceOf(HTMLElement)
  })

  it('says what it lacks in its own name: a QueryClient, or auth and config', () => {
    silenceConsole()
    const scene = createScene()
    const said = (provider: ReactElement) => {
      const { container, unmount } = render(<Boundary>{provider}</Boundary>)
      const { textContent } = container
      unmount()
      return textContent
    }
    expect(said(<AuthProvider auth={scene.auth} />)).toBe(
      '<AuthProvider> has no QueryClient: put it inside <QueryClientProvider client={queryClient}>, or pass it queryClient',
    )
    const nothing = {} as { auth: typeof scene.auth }
    expect(said(<AuthProvider {...nothing} queryClient={new QueryClient()} />)).toBe(
      '<AuthProvider> needs one of two props: auth or config',
    )
  })

  it('warns when two auth objects of one page may both leave for the sign-in page, and once only', async () => {
    const first = createScene()
    const { platform, warnings } = first.host
    const beside = (config: object) => createAuth({ ...CONFIG, ...config }, { platform })
    const tree = (...others: Auth[]) => (
      <QueryClientProvider client={new QueryClient()}>
        {[first.auth, first.auth, ...others].map((auth, at) => (
          // eslint-disable-next-line react/no-array-index-key
          <AuthProvider key={at} auth={auth} />
        ))}
      </QueryClientProvider>
    )
    const quiet = beside({ clientId: 'third', autoLogin: false })
    const { rerender } = render(tree(quiet))
    await act(() => first.host.settle())
    expect(warnings).toEqual([])
    rerender(tree(quiet, beside({ clientId: 'other' })))
    await act(() => first.host.settle())
    expect(warnings.map(({ message }) => message)).toEqual([
      'Two auth objects with autoLogin are mounted. Share one.',
    ])
  })

  it('puts nothing on the page that gives a token', async () => {
    const { auth, host } = createScene()
    render(
      <QueryClientProvider client={new QueryClient()}>
        <AuthProvider auth={auth} />
      </QueryClientProvider>,
    )
    await act(() => host.settle())
    const { mounted } = host.platform.shared()
    expect(
      [...mounted].flatMap((one) => Object.keys(one)).filter((name) => /token|fetch/i.test(name)),
    ).toEqual([])
  })

  it('is missed by every hook below none with an error whose message says what to do', () => {
    silenceConsole()
    render(
      <Boundary>
        <Status />
      </Boundary>,
    )
    expect(document.body.textContent).toBe(
      'No <AuthProvider> above this component: render it inside <AuthProvider>, in tests inside <TestAuthProvider>',
    )
  })
})

describe('one code, one request', () => {
  async function onCallback() {
    const left = await startScene({
      address: 'https://app.test/firms?tab=2#top',
      server: { user: undefined },
    })
    return nextPage(left, left.server.callbackOf(left.host.navigations[0] ?? ''))
  }
  const tree = (
    scene: { auth: Parameters<typeof AuthProvider>[0]['auth'] },
    client: QueryClient,
    key = 'one',
  ) => (
    <StrictMode>
      <QueryClientProvider client={client}>
        <AuthProvider key={key} auth={scene.auth as never}>
          <Status />
        </AuthProvider>
      </QueryClientProvider>
    </StrictMode>
  )

  const expectOneRequest = async ({ host }: Awaited<ReturnType<typeof onCallback>>) => {
    await act(() => host.settle())
    expect(screen.getByText('authenticated alice')).toBeInstanceOf(HTMLElement)
    expect(tokenBodies(host)).toHaveLength(1)
  }

  it('under StrictMode', async () => {
    const scene = await onCallback()
    render(tree(scene, new QueryClient()))
    await expectOneRequest(scene)
  })

  it("shows the user's place by the app's router, once, and the address holds no code before that", async () => {
    const scene = await onCallback()
    const asked: string[] = []
    const navigate = (to: string) => asked.push(`${to} at ${scene.host.address}`)
    render(
      <StrictMode>
        <QueryClientProvider client={new QueryClient()}>
          <AuthProvider auth={scene.auth} navigate={navigate}>
            <Status />
          </AuthProvider>
        </QueryClientProvider>
      </StrictMode>,
    )
    await expectOneRequest(scene)
    expect(asked).toEqual(['/firms?tab=2#top at https://app.test/firms?tab=2#top'])
  })

  it('shows the place by the router also where a guard has started the session before', async () => {
    const scene = await onCallback()
    await scene.auth.start()
    const asked: string[] = []
    render(
      <QueryClientProvider client={new QueryClient()}>
        <AuthProvider auth={scene.auth} navigate={(to) => asked.push(to)}>
          <Status />
        </AuthProvider>
      </QueryClientProvider>,
    )
    await act(() => scene.host.settle())
    expect(asked).toEqual(['/firms?tab=2#top'])
  })

  it('through a remount with another key', async () => {
    const scene = await onCallback()
    const client = new QueryClient()
    const view = render(tree(scene, client))
    view.rerender(tree(scene, client, 'two'))
    await act(() => scene.host.settle())
    view.rerender(tree(scene, client, 'three'))
    await expectOneRequest(scene)
  })

  it('with two providers on one auth object', async () => {
    const scene = await onCallback()
    const client = new QueryClient()
    render(
      <>
        {tree(scene, client)}
        {tree(scene, client)}
      </>,
    )
    await act(() => scene.host.settle())
    expect(screen.getAllByText('authenticated alice')).toHaveLength(2)
    expect(tokenBodies(scene.host)).toHaveLength(1)
  })

  it('unmounted in the middle and mounted again later', async () => {
    const scene = await onCallback()
    const release = holdRequests(scene.host)
    const view = render(tree(scene, new QueryClient()))
    await act(() => Promise.resolve())
    view.unmount()
    await act(() => scene.host.settle())
    render(tree(scene, new QueryClient()))
    release()
    await screen.findByText('authenticated alice')
    expect(tokenBodies(scene.host)).toHaveLength(1)
    expect(scene.host.navigations).toEqual([])
  })
})

describe('a provider that goes', () => {
  it('takes every listener, timer, frame and channel with it', async () => {
    const app = await startApp(<Status />, { config: { autoRefreshToken: true } })
    await app.advance(5000)
    app.view.unmount()
    await app.settle()
    expect(Object.values(app.host.counts())).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('in the middle of start-up leaves no frame and no wish to sign in', async () => {
    const app = await startApp(<Status />, { isFrameMute: true })
    expect(app.host.frames).toHaveLength(1)
    app.view.unmount()
    await app.advance(120_000)
    expect(Object.values(app.host.counts())).toEqual([0, 0, 0, 0, 0, 0])
    expect(app.host.navigations).toEqual([])
  })

  it('in the middle of a renewal sets no timer when the answer comes', async () => {
    const app = await startApp(<Status />, { config: { autoRefreshToken: true } })
    await app.advance(5000)
    const release = holdRequests(app.host)
    const renewing = app.auth.renew({ force: true }).catch((error: unknown) => error)
    await Promise.resolve()
    app.view.unmount()
    await app.settle()
    release()
    await renewing
    await app.settle()
    expect(Object.values(app.host.counts())).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('and comes again finds the session as it was', async () => {
    const app = await startApp(<Status />)
    app.view.unmount()
    await app.settle()
    render(
      <QueryClientProvider client={app.queryClient}>
        <AuthProvider auth={app.auth}>
          <Status />
        </AuthProvider>
      </QueryClientProvider>,
    )
    expect(screen.getByText('authenticated alice')).toBeInstanceOf(HTMLElement)
    await app.settle()
    expect(tokenBodies(app.host)).toHaveLength(1)
  })

  it('thirty mounts and unmounts leave nothing more than one', async () => {
    const scene = createScene()
    const client = new QueryClient()
    for (let round = 0; round < 30; round += 1) {
      const view = render(
        <QueryClientProvider client={client}>
          <AuthProvider auth={scene.auth}>
            <Status />
          </AuthProvider>
        </QueryClientProvider>,
      )
      view.unmount()
    }
    await act(() => scene.host.clock.advance(5000))
    expect(Object.values(scene.host.counts())).toEqual([0, 0, 0, 0, 0, 0])
  }, 30_000)
})

describe('renders', () => {
  function counting() {
    const counts = new Map<number, number>()
    function Reader({ index }: { index: number }) {
      useAuth()
      counts.set(index, (counts.get(index) ?? 0) + 1)
      return null
    }
    const readers = Array.from({ length: 100 }, (_, index) => <Reader key={index} index={index} />)
    return { readers, rendersOf: () => [...new Set(counts.values())] }
  }

  it('100 readers render once for the end of start-up, and not for 20 renewals', async () => {
    const { readers, rendersOf } = counting()
    const app = await startApp(readers, { isStrict: false })
    expect(rendersOf()).toEqual([1])
    for (let round = 0; round < 20; round += 1) await act(() => app.auth.renew({ force: true }))
    await app.settle()
    expect(rendersOf()).toEqual([1])
  })

  it('a reader of one value renders when that value changes, and for nothing else', async () => {
    const renders: unknown[] = []
    function UserId() {
      const userId = useAuthSelector((state) =>
        state.status === 'authenticated' ? state.user.userId : undefined,
      )
      renders.push(userId)
      return <p>{userId}</p>
    }
    const app = await startApp(<UserId />, { isStrict: false })
    await act(async () => app.host.setOnline(false))
    await act(async () => app.host.setOnline(true))
    await act(() => app.auth.renew({ force: true }))
    expect(renders).toEqual(['alice'])
    await act(() => app.auth.logout())
    expect(renders).toEqual(['alice', undefined])
  })

  it('a countdown follows every renewal', async () => {
    const seen: (number | undefined)[] = []
    function Countdown() {
      const expiresAtMs = useAccessTokenExpiry()
      seen.push(expiresAtMs)
      return null
    }
    const app = await startApp(<Countdown />, { isStrict: false })
    await app.advance(10_000)
    await act(() => app.auth.renew({ force: true }))
    expect(seen).toHaveLength(2)
    expect((seen[1] ?? 0) - (seen[0] ?? 0)).toBe(10_000)
  })
})

describe('useAuth', () => {
  it('has the actions beside the state, and they work', async () => {
    const all: ReturnType<typeof useAuth>[] = []
    function Reader() {
      all.push(useAuth())
      return null
    }
    const app = await startApp(<Reader />)
    const seen = all.at(-1)
    expect(seen).toMatchObject({
      status: 'authenticated',
      user: { userId: 'alice' },
      auth: app.auth,
      isOnline: true,
    })
    expect(await seen?.getAccessToken()).toContain('.')
    await act(async () => seen?.renew({ force: true }))
    await act(async () => seen?.logout())
    expect(app.host.navigations).toHaveLength(1)
    expect(all.at(-1)?.status).toBe('redirecting')
  })

  it('logs out from a click whose event comes along', async () => {
    function Button() {
      const { logout } = useAuth()
      return (
        <button type="button" onClick={logout as never}>
          Sign out
        </button>
      )
    }
    const app = await startApp(<Button />)
    await act(async () => screen.getByText('Sign out').click())
    await app.settle()
    expect(new URL(app.host.navigations[0] ?? '').searchParams.get('force')).toBe('true')
  })
})

describe('useAuthHook', () => {
  it('is called while its component is mounted, in time for the sign-in that mounts it', async () => {
    const calls: string[] = []
    function Welcome() {
      useAuthHook('afterLogin', ({ user }) => void calls.push(`welcome ${user.userId}`))
      return null
    }
    const app = renderApp(<Welcome />)
    // As outside of tests: React is not held back until everything has come to rest.
    globalThis.IS_REACT_ACT_ENVIRONMENT = false
    await app.host.settle()
    globalThis.IS_REACT_ACT_ENVIRONMENT = true
    expect(calls).toEqual(['welcome alice'])
    app.view.unmount()
    await app.settle()
    expect(app.host.warnings).toEqual([])
  })

  it('calls the newest function of the newest render', async () => {
    const calls: number[] = []
    function Renewals({ round }: { round: number }) {
      useAuthHook('afterRefreshToken', () => void calls.push(round))
      return null
    }
    const scene = createScene()
    const client = new QueryClient()
    const tree = (round: number) => (
      <QueryClientProvider client={client}>
        <AuthProvider auth={scene.auth}>
          <Renewals round={round} />
        </AuthProvider>
      </QueryClientProvider>
    )
    const view = render(tree(1))
    await act(() => scene.host.settle())
    view.rerender(tree(2))
    await act(() => scene.auth.renew({ force: true }))
    expect(calls).toEqual([2])
  })

  it('calls nothing of a component that is gone, in whatever order components go', async () => {
    const calls: string[] = []
    function Draft({ name }: { name: string }) {
      useAuthHook('afterRefreshToken', () => void calls.push(name))
      return null
    }
    const scene = createScene()
    const client = new QueryClient()
    const tree = (...names: string[]) => (
      <QueryClientProvider client={client}>
        <AuthProvider auth={scene.auth}>
          {names.map((name) => (
            <Draft key={name} name={name} />
          ))}
        </AuthProvider>
      </QueryClientProvider>
    )
    const view = render(tree('first', 'second'))
    await act(() => scene.host.settle())
    for (const names of [['second'], []]) {
      view.rerender(tree(...names))
      await act(() => scene.auth.renew({ force: true }))
    }
    expect(calls).toEqual(['second'])
  })

  it.each([
    ['afterlogin', () => {}, 'Unsupported hook: afterlogin'],
    ['afterLogin', 'run', 'hook must be a function: afterLogin'],
  ])('refuses %s with %o by its exact text', async (name, hook, message) => {
    silenceConsole()
    function Wrong() {
      useAuthHook(name as 'afterLogin', hook as () => void)
      return null
    }
    await startApp(
      <Boundary>
        <Wrong />
      </Boundary>,
    )
    expect(screen.getByText(message)).toBeInstanceOf(HTMLElement)
  })
})
