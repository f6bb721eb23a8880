// What latchkey/testing promises to an app's own tests: any state at once, real hooks on it, and a record of what was done.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import { useAccessTokenExpiry, useAuth } from '../../../src/hooks/useAuth.ts'
import { useIdle } from '../../../src/hooks/useIdle.ts'
import { useLinkCloudAccount, useUserInfo } from '../../../src/hooks/serverCalls.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { decodeAccessToken } from '../../../src/protocol/claims.ts'
import {
  AUTH_ERROR_CODES,
  createAuthError,
  createTestAuth,
  TestAuthProvider,
  type TestState,
} from '../../../src/testing/index.ts'

function Screen() {
  const state = useAuth()
  const { status, isOnline, login, logout } = state
  const members = [
    state.status === 'authenticated' && state.user.userId,
    state.status === 'unauthenticated' && state.reason,
    state.status === 'redirecting' && state.to,
    state.status === 'failed' && state.error.code,
  ]
  return (
    <main>
      <p>{[status, ...members, isOnline ? 'online' : 'offline'].filter(Boolean).join(' ')}</p>
      <button type="button" onClick={() => void login()}>
        Sign in
      </button>
      <button type="button" onClick={() => void logout({ force: false })}>
        Sign out
      </button>
    </main>
  )
}

const shown = () => screen.getByRole('paragraph').textContent

describe('TestAuthProvider', () => {
  it.each<[string, TestState]>([
    ['authenticated alice online', { status: 'authenticated' }],
    ['authenticated bob online', { status: 'authenticated', user: { userId: 'bob' } }],
    ['unauthenticated none online', { status: 'unauthenticated' }],
    ['unauthenticated idle offline', { status: 'unauthenticated', reason: 'idle', isOnline: false }],
    ['redirecting logout online', { status: 'redirecting', to: 'logout' }],
    ['failed network online', { status: 'failed' }],
    ['failed redirect-loop online', { status: 'failed', error: createAuthError('redirect-loop') }],
  ])('shows "%s" with the first render, without a server or a QueryClient', (text, state) => {
    render(
      <TestAuthProvider state={state}>
        <Screen />
      </TestAuthProvider>,
    )
    expect(shown()).toBe(text)
  })

  it('shows the fallback while the state is initializing', () => {
    render(
      <TestAuthProvider state={{ status: 'initializing' }} fallback="checking">
        <Screen />
      </TestAuthProvider>,
    )
    expect(document.body.textContent).toBe('checking')
  })

  it('follows another user or state, and leaves what the user did alone when the same is given again', () => {
    const scene = (userId: string) => (
      <TestAuthProvider user={{ userId }}>
        <Screen />
      </TestAuthProvider>
    )
    const view = render(scene('alice'))
    view.rerender(scene('bob'))
    expect(shown()).toContain('authenticated bob')
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    view.rerender(scene('bob'))
    expect(shown()).toContain('redirecting')
    view.rerender(scene('carol'))
    expect(shown()).toContain('authenticated carol')
  })

  it('uses the QueryClient around it', async () => {
    const queryClient = new QueryClient()
    function Name() {
      return <p>{String(useUserInfo().data?.['name'])}</p>
    }
    render(
      <QueryClientProvider client={queryClient}>
        <TestAuthProvider user={{ userId: 'bob' }}>
          <Name />
        </TestAuthProvider>
      </QueryClientProvider>,
    )
    await screen.findByText('Name of bob')
    expect(queryClient.getQueryCache().getAll()).toHaveLength(1)
  })
})

describe('createTestAuth', () => {
  it('writes down what components do, and goes where the real one would', async () => {
    const beforeLogout = vi.fn()
    const auth = createTestAuth({ config: { hooks: { beforeLogout } } })
    render(
      <TestAuthProvider auth={auth}>
        <Screen />
      </TestAuthProvider>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Sign out' }))
    await waitFor(() => expect(shown()).toContain('redirecting logout'))
    expect(beforeLogout).toHaveBeenCalledWith({
      user: expect.objectContaining({ userId: 'alice' }) as unknown,
      reason: 'signed-out',
    })
    act(() => auth.setState({ status: 'unauthenticated', reason: 'signed-out' }))
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(shown()).toContain('redirecting login'))
    expect(auth.calls).toEqual([{ action: 'logout', options: { force: false } }, { action: 'login' }])
  })

  it('moves the expiry with a renewal', async () => {
    const auth = createTestAuth({ state: { status: 'authenticated', expiresAtMs: 1000 } })
    function Expiry() {
      return <p>{useAccessTokenExpiry()}</p>
    }
    render(
      <TestAuthProvider auth={auth}>
        <Expiry />
      </TestAuthProvider>,
    )
    expect(shown()).toBe('1000')
    const before = Date.now()
    await act(() => auth.renew({ force: true }))
    expect(Number(shown())).toBeGreaterThanOrEqual(before + 600_000)
  })

  it('refuses like the real one: early, and when nobody is signed in', async () => {
    const early = createTestAuth({ state: { status: 'initializing' } })
    await expect(early.login()).rejects.toThrow('Not init yet')
    expect(early.explain().map(({ step }) => step)).not.toContain('login')
    await expect(createTestAuth({ state: { status: 'unauthenticated' } }).getAccessToken()).rejects.toThrow(
      'Not authenticated yet',
    )
  })

  it('hands out a token with the claims of the user', async () => {
    const token = await createTestAuth({ user: { userId: 'bob', impersonatorId: 'admin' } }).getAccessToken()
    expect(decodeAccessToken(token).claims).toMatchObject({ userId: 'bob', impersonatorId: 'admin' })
  })

  it('lets the test answer requests, a 5xx without sitting through the waits between its repeats', async () => {
    const respond = vi.fn(({ url }: Request) => {
      return url.endsWith('/api/userinfo') ? Response.json({ error: 'down' }, { status: 503 }) : undefined
    })
    const auth = createTestAuth({ respond })
    function Failure() {
      const { error } = useUserInfo()
      return <p>{error ? `${error.code} ${error.status}` : 'asking'}</p>
    }
    render(
      <TestAuthProvider auth={auth}>
        <Failure />
      </TestAuthProvider>,
      // StrictMode mounts twice, and so asks once more.
      { reactStrictMode: false },
    )
    await screen.findByText('unexpected-status 503')
    expect(respond).toHaveBeenCalledTimes(3)
    expect(auth.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array.from({ length: 3 }, () => 'GET https://auth.test/api/userinfo'),
    )
  })

  it("answers the app's own calls with the test's function, and with nothing else of ours", async () => {
    const auth = createTestAuth({
      respond: (request) =>
        new URL(request.url).pathname === '/api/firms'
          ? Response.json({ bearer: request.headers.get('authorization')?.slice(0, 7) })
          : undefined,
    })
    expect(await auth.fetch('/api/firms')).toEqual({ bearer: 'Bearer ' })
  })

  it('runs popups: agreed to, left open, blocked', async () => {
    function Link() {
      const { mutate, data, error, isPending } = useLinkCloudAccount()
      const outcome = error?.code ?? (data ? 'linked' : isPending ? 'open' : 'idle')
      return (
        <button type="button" onClick={() => mutate()}>
          {outcome}
        </button>
      )
    }
    const click = (auth: ReturnType<typeof createTestAuth>) => {
      const { unmount } = render(
        <TestAuthProvider auth={auth}>
          <Link />
        </TestAuthProvider>,
      )
      fireEvent.click(screen.getByRole('button'))
      return unmount
    }
    let unmount = click(createTestAuth())
    await screen.findByText('linked')
    unmount()
    const left = createTestAuth({ onPopup: () => {} })
    unmount = click(left)
    await screen.findByText('open')
    expect(left.popups.map(({ urls }) => new URL(urls[0]!).pathname)).toEqual(['/cloudprovider/link'])
    act(() => left.popups[0]!.close())
    unmount()
    unmount = click(createTestAuth({ isPopupBlocked: true }))
    await screen.findByText('popup-blocked')
    unmount()
  })

  it.each(['its provider goes', 'it is disposed of'])(
    'watches no popup any more when %s: the page of a test is taken away right after it',
    async (end) => {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const auth = createTestAuth({ onPopup: () => {} })
      const queryClient = new QueryClient()
      function Link() {
        const { mutate } = useLinkCloudAccount()
        return (
          <button type="button" onClick={() => mutate()}>
            Link
          </button>
        )
      }
      const { unmount } = render(
        <TestAuthProvider auth={auth} queryClient={queryClient}>
          <Link />
        </TestAuthProvider>,
      )
      fireEvent.click(screen.getByRole('button'))
      // The watch begins with the file that loads after the click: however long that takes.
      await act(() => vi.dynamicImportSettled())
      await act(() => vi.advanceTimersByTimeAsync(1000))
      const [popup] = auth.popups
      expect(popup?.isClosed).toBe(false)
      act(() => popup!.close())
      await act(() => vi.advanceTimersByTimeAsync(1000))
      // Who looks, by the stack: the page is shared with other tests.
      const looks: (string | undefined)[] = []
      vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => {
        looks.push(new Error('looked').stack)
        return 'visible'
      })
      if (end === 'its provider goes') unmount()
      else act(() => auth.dispose())
      await act(() => vi.advanceTimersByTimeAsync(0))
      queryClient.clear()
      // Every look at the window, and at the status after it, asks this first. Timers are not counted: other tests share the page.
      await act(() => vi.advanceTimersByTimeAsync(10_000))
      expect(looks).toEqual([])
    },
  )

  it('tells the time left before the idle logout as it was set', async () => {
    const auth = createTestAuth({ idleRemainingMs: 42_000 })
    function Countdown() {
      const { remainingMs, stayActive } = useIdle()
      return (
        <button type="button" onClick={stayActive}>
          {remainingMs}
        </button>
      )
    }
    render(
      <TestAuthProvider auth={auth}>
        <Countdown />
      </TestAuthProvider>,
    )
    fireEvent.click(screen.getByText('42000'))
    expect(screen.getByRole('button').textContent).toBe('1800000')
    expect(auth.calls).toEqual([{ action: 'stayActive' }])
  })

  it('delivers messages to those who listen for them, frozen, as the real session does', () => {
    const auth = createTestAuth()
    const data = { invoice: { id: 7 } }
    const heard: unknown[] = []
    const stop = auth.addEventListener('invoices', 'paid', (message) => heard.push(message))
    auth.deliver({ topic: 'invoices', type: 'paid', data })
    data.invoice.id = 8
    auth.deliver({ topic: 'invoices', type: 'sent' })
    auth.deliver({ topic: 'invoices', type: 'paid', channel: 'firm' })
    stop()
    auth.deliver({ topic: 'invoices', type: 'paid' })
    expect(heard).toEqual([{ invoice: { id: 7 } }])
    expect(Object.isFrozen((heard[0] as typeof data).invoice)).toBe(true)
  })

  it("drops one user's data when another one signs in", async () => {
    const auth = createTestAuth()
    function Name() {
      return <p>{useUserInfo({ select: ({ name }) => String(name) }).data ?? 'asking'}</p>
    }
    render(
      <TestAuthProvider auth={auth}>
        <Authenticated>
          <Name />
        </Authenticated>
      </TestAuthProvider>,
    )
    await screen.findByText('Name of alice')
    act(() => auth.setState({ status: 'authenticated', user: { userId: 'bob' } }))
    expect(shown()).toBe('asking')
    await screen.findByText('Name of bob')
  })
})

describe('createAuthError', () => {
  it.each(AUTH_ERROR_CODES)('makes %s as the library does, with a text and a remedy', (code) => {
    const error = createAuthError(code)
    expect(error).toBeInstanceOf(AuthError)
    expect(error.code).toBe(code)
    expect(error.message).not.toBe('')
    expect(error.remedy).not.toBe('')
  })

  it('replaces what an answer would bring', () => {
    expect(createAuthError('unexpected-status', { status: 500, retryable: true })).toMatchObject({
      status: 500,
      retryable: true,
      body: { error: 'not_found' },
    })
  })
})

describe('several test auths on one page', () => {
  it('do not warn of a race for the sign-in page: none of them leaves', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (const userId of ['alice', 'bob'])
      render(
        <TestAuthProvider user={{ userId }}>
          <Screen />
        </TestAuthProvider>,
      )
    expect(warn).not.toHaveBeenCalled()
  })
})
