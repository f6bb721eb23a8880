// What the gate promises: nothing protected to anybody else, nothing unmounted by a renewal, no navigation that nobody asked for.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createElement, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Authenticated, type AuthenticatedProps } from '../../../src/provider/Authenticated.tsx'
import { AuthContext } from '../../../src/provider/context.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import type { AuthState } from '../../../src/session/state.ts'
import { accessDenied } from '../../../src/base/errors.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { endElsewhere, showScene, type ToastsSceneOptions } from '../toaster/toastsScene.tsx'

let mountCount = 0
function Secrets() {
  return (
    <div
      ref={(element) => {
        if (element) mountCount += 1
      }}
    >
      <input aria-label="draft" defaultValue="" />
      the firm's secrets
    </div>
  )
}

const show = (props: Omit<AuthenticatedProps, 'children'> = {}, options?: ToastsSceneOptions) =>
  showScene(
    <Authenticated fallback="checking" {...props}>
      <Secrets />
    </Authenticated>,
    options,
  )
const isShown = () => screen.queryByText("the firm's secrets") !== null

describe('a signed-in user', () => {
  it('sees the content, and keeps it, drafts included, through renewals, offline times and wakes', async () => {
    const { host, auth, settle } = await show()
    expect(isShown()).toBe(true)
    mountCount = 0
    fireEvent.change(screen.getByLabelText('draft'), { target: { value: 'half a sentence' } })
    for (let round = 0; round < 5; round += 1) {
      await act(() => auth.renew({ force: true }))
      act(() => host.setOnline(false))
      act(() => host.setOnline(true))
      for (const event of ['focus', 'pageshow', 'resume', 'visible'] as const) act(() => host.emit(event))
      await settle()
    }
    expect(mountCount).toBe(0)
    expect(screen.getByLabelText<HTMLInputElement>('draft').value).toBe('half a sentence')
  })

  it('sees it again after coming back from the back/forward cache, without a remount', async () => {
    const { host, settle } = await show()
    mountCount = 0
    act(() => host.emit('pagehide'))
    act(() => host.emit('restored'))
    act(() => host.emit('pageshow'))
    await settle()
    expect(isShown()).toBe(true)
    expect(mountCount).toBe(0)
  })
})

describe('a session that has ended', () => {
  it('takes the content away before the page that comes back is painted', async () => {
    const scene = await show()
    const { host, settle } = scene
    await settle()
    act(() => host.emit('pagehide'))
    act(() => host.emit('freeze'))
    endElsewhere(scene)
    // One event, no timer, no promise: what follows in the same task is the first paint.
    act(() => host.emit('restored'))
    expect(isShown()).toBe(false)
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeDefined()
  })

  it('lets the hook of a page that was frozen save its draft before the content goes', async () => {
    const scene = await show()
    const { host, auth, settle } = scene
    const saved: unknown[] = []
    auth.setHook('beforeLogout', ({ reason }) => {
      saved.push([reason, isShown(), screen.getByLabelText<HTMLInputElement>('draft').value])
      return new Promise(() => {})
    })
    fireEvent.change(screen.getByLabelText('draft'), { target: { value: 'half a sentence' } })
    act(() => host.emit('freeze'))
    endElsewhere(scene)
    act(() => host.emit('restored'))
    expect(saved).toEqual([['signed-out', true, 'half a sentence']])
    expect(isShown()).toBe(false)
    await settle()
    expect(saved).toHaveLength(1)
  })

  it('takes it away when the idle deadline passed while the page was frozen', async () => {
    const scene = await show()
    const { host, auth, settle } = scene
    while (!internalsOf(auth).idle()) await settle()
    act(() => host.emit('pagehide'))
    host.clock.sleep(31 * 60_000)
    act(() => host.emit('restored'))
    await settle()
    expect(isShown()).toBe(false)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  })

  it('is not shown for one render by a tab that the browser had thrown away until the idle deadline had passed', async () => {
    const browser = createFakeBrowser()
    browser.localStorage.set(
      'latchkey https://auth.test admin activity',
      String(browser.clock.nowMs - 31 * 60_000),
    )
    mountCount = 0
    const { auth, settle } = await show({}, { host: { browser } })
    await settle()
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    expect(mountCount).toBe(0)
    expect(document.body.textContent).toBe('checking')
  })

  it('shows nothing of it on the way out', async () => {
    const { auth, settle } = await show()
    await act(() => auth.logout())
    await settle()
    expect(auth.getState().status).toBe('redirecting')
    expect(isShown()).toBe(false)
    expect(document.body.textContent).toBe('checking')
  })

  it('keeps the content from who comes back to a page that was on its way out', async () => {
    const { host, auth, settle } = await show()
    await act(() => auth.logout())
    act(() => host.emit('restored'))
    await settle()
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(isShown()).toBe(false)
  })

  it('gives another user other screens, though nothing came between the two', () => {
    const listeners = new Set<() => void>()
    const as = (userId: string): AuthState => ({
      status: 'authenticated',
      user: { userId },
      expiresAtMs: undefined,
      isOnline: true,
      realtime: 'off',
      isTokenExpired: false,
    })
    let state = as('alice')
    const auth = {
      ...createAuth({ authHost: 'https://auth.test', clientId: 'admin', scopes: ['openid'] }),
      getState: () => state,
      subscribe: (listener: () => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const change = (next: AuthState) =>
      act(() => {
        state = next
        for (const listener of listeners) listener()
      })
    render(
      <Authenticated>
        <Secrets />
      </Authenticated>,
      { wrapper: ({ children }) => createElement(AuthContext.Provider, { value: auth }, children) },
    )
    fireEvent.change(screen.getByLabelText('draft'), { target: { value: 'of Alice' } })
    change({ ...as('alice'), realtime: 'degraded' })
    expect(screen.getByLabelText<HTMLInputElement>('draft').value).toBe('of Alice')
    change(as('bob'))
    expect(screen.getByLabelText<HTMLInputElement>('draft').value).toBe('')
  })
})

describe('somebody who is not signed in', () => {
  it('sees a button, and nothing leaves the page without a click', async () => {
    const { host, advance, settle } = await show({}, { isSignedIn: false })
    for (const event of ['focus', 'visible', 'restored', 'pageshow'] as const) act(() => host.emit(event))
    await advance(600_000)
    expect(host.navigations).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await settle()
    expect(host.navigations).toHaveLength(1)
    expect(host.navigations[0]).toContain('/oauth/authorize')
    expect(document.body.textContent).toBe('checking')
  })

  it('sees what the app gives them, with the reason and a way in', async () => {
    const { host, settle } = await show(
      {
        unauthenticated: ({ reason }, signIn) => (
          <button type="button" onClick={signIn}>
            Reason: {reason}
          </button>
        ),
      },
      { isSignedIn: false },
    )
    fireEvent.click(screen.getByRole('button', { name: 'Reason: none' }))
    await settle()
    expect(host.navigations).toHaveLength(1)
  })

  it('sees why a sign-in cannot begin, and tries again', async () => {
    const { host, settle } = await show({}, { isSignedIn: false })
    act(() => host.setOnline(false))
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await settle()
    expect(screen.getByRole('alert').textContent).toContain('you are offline')
    act(() => host.setOnline(true))
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await settle()
    expect(host.navigations).toHaveLength(1)
  })
})

describe('login by itself', () => {
  it('leaves once, though there are many gates and StrictMode mounts them twice', async () => {
    const { host, settle } = await showScene(
      <>
        {['a', 'b', 'c'].map((name) => (
          <Authenticated key={name} login fallback="checking">
            <Secrets />
          </Authenticated>
        ))}
      </>,
      { isSignedIn: false },
    )
    await settle()
    expect(host.navigations).toHaveLength(1)
    expect(document.body.textContent).toBe('checking'.repeat(3))
  })

  it('stops after three navigations in a minute, says why, and leaves the rest to a click', async () => {
    let scene = await show({ login: true }, { isSignedIn: false })
    for (let page = 1; page <= 3; page += 1) {
      await scene.settle()
      expect(scene.host.navigations).toHaveLength(1)
      scene.unmount()
      const host = scene.host.openNext('https://app.test/')
      scene = await show(
        { login: true },
        { isSignedIn: false, from: { ...scene, host }, host: { sessionStorage: host.sessionStorage } },
      )
    }
    await scene.settle()
    expect(scene.host.navigations).toEqual([])
    expect(screen.getByRole('alert').textContent).toContain('several times in a row')
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await scene.settle()
    expect(scene.host.navigations).toHaveLength(1)
  })

  it('does not happen after a logout, in this tab or another', async () => {
    const { auth, host, settle } = await show({ login: true })
    await act(() => auth.logout())
    const left = host.navigations.length
    act(() => host.emit('restored'))
    await settle()
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(host.navigations).toHaveLength(left)
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeDefined()
  })

  it('happens once the server has ended the session', async () => {
    const scene = await show({ login: true }, { isSignedIn: true })
    const { host, server, auth, settle } = scene
    await settle()
    act(() => host.setOnline(false))
    server.revokeAll()
    server.user = undefined
    expect(host.navigations).toEqual([])
    act(() => host.setOnline(true))
    await act(() => auth.renew({ force: true }).catch(() => {}))
    await settle()
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    expect(host.navigations).toHaveLength(1)
  })
})

describe('a failure', () => {
  const broken: ToastsSceneOptions = { host: { isOnline: false } }

  it('is shown with a way on: offline at the start', async () => {
    const { host, settle } = await show({}, broken)
    expect(screen.getByRole('alert').textContent).toContain('you are offline')
    act(() => host.setOnline(true))
    for (let round = 0; round < 5; round += 1) await settle()
    expect(isShown()).toBe(true)
  })

  it('that can pass says when it is tried again, second by second, beside the button, and heals', async () => {
    const { host, server, advance } = await show({}, { host: { fetch: async () => new Response('<html>') } })
    expect(screen.getByRole('timer').textContent).toBe('Next attempt in 2 s.')
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
    await advance(1000)
    expect(screen.getByRole('timer').textContent).toBe('Next attempt in 1 s.')
    await advance(1000)
    expect(screen.getByRole('timer').textContent).toBe('Next attempt in 5 s.')
    host.fetch = server.fetch
    await advance(5000)
    expect(isShown()).toBe(true)
    expect(screen.queryByRole('timer')).toBeNull()
  })

  it('keeps the focus on its button, and its words unsaid again, while it is tried again by itself', async () => {
    const { host, advance } = await show({}, { host: { fetch: async () => new Response('<html>') } })
    const button = screen.getByRole('button', { name: 'Try again' })
    const alert = screen.getByRole('alert')
    const words = alert.firstChild?.textContent
    button.focus()
    host.fetch = () => new Promise(() => {})
    await advance(2000)
    expect(document.activeElement).toBe(button)
    expect(screen.getByRole('alert')).toBe(alert)
    expect(alert.firstChild?.textContent).toBe(words)
    fireEvent.click(button)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('that cannot pass tells no time', async () => {
    await show(
      {},
      { host: { fetch: async () => Response.json({ error: 'invalid_client' }, { status: 401 }) } },
    )
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
    expect(screen.queryByRole('timer')).toBeNull()
  })

  it('tells an app’s own screen when it is tried again', async () => {
    const { host } = await show(
      { failed: ({ retryAtMs }) => <p>again at {retryAtMs}</p> },
      { host: { fetch: async () => new Response('<html>') } },
    )
    expect(screen.getByText(`again at ${host.clock.nowMs + 2000}`)).toBeDefined()
  })

  it('is shown as the app wants it', async () => {
    await show({ failed: ({ error }) => <p>code {error.code}</p> }, broken)
    expect(screen.getByText('code offline')).toBeDefined()
  })
})

describe('edges', () => {
  it('renders the fallback on a server', () => {
    const auth = createAuth({ authHost: 'https://auth.test', clientId: 'admin', scopes: ['openid'] })
    const html = renderToString(
      <AuthContext.Provider value={auth}>
        <Authenticated fallback="checking">
          <Secrets />
        </Authenticated>
      </AuthContext.Provider>,
    )
    expect(html).toBe('checking')
  })

  it('says what is missing outside a provider', () => {
    expect(() => render(<Authenticated />)).toThrow('No <AuthProvider> above this component')
  })
})

const showGate = (auth: Auth) =>
  render(
    <AuthContext.Provider value={auth}>
      <Authenticated>
        <Secrets />
      </Authenticated>
    </AuthContext.Provider>,
  )

it('a user whom the server refused reads its words, beside the way to sign in', () => {
  const auth = createTestAuth({
    state: {
      status: 'unauthenticated',
      reason: 'cancelled',
      cause: accessDenied('Anna has no right to this app.'),
    },
  })
  showGate(auth)
  expect(isShown()).toBe(false)
  // It was refused (access_denied): there was no session that could have ended.
  expect(document.body.textContent).not.toContain('signed out')
  expect(screen.getByText('You are not signed in.')).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toBe('Anna has no right to this app.')
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
})

it('a user who cancelled on the sign-in page is not alarmed', () => {
  const auth = createTestAuth({ state: { status: 'unauthenticated', reason: 'cancelled' } })
  showGate(auth)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(document.body.textContent).not.toMatch(/refused|administrator/)
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
})

describe('allow', () => {
  const withRoles = (roles: readonly string[]) => ({ userId: 'alice', roles }) as object
  const isAdmin = (user: object) => Object(user).roles?.includes('admin') === true
  const gate = (auth: ReturnType<typeof createTestAuth>, props: Partial<AuthenticatedProps> = {}) =>
    render(
      <StrictMode>
        <AuthContext.Provider value={auth}>
          <Authenticated allow={isAdmin} {...props}>
            <Secrets />
          </Authenticated>
        </AuthContext.Provider>
      </StrictMode>,
    )

  it('shows the content to those whom it names, and a sentence to the others', () => {
    gate(createTestAuth({ user: withRoles(['admin']) }))
    expect([isShown(), screen.queryByRole('alert')]).toEqual([true, null])
    cleanup()
    gate(createTestAuth({ user: withRoles(['agent']) }))
    expect(isShown()).toBe(false)
    expect(screen.getByRole('alert').textContent).toBe('You are not allowed to see this page.')
  })

  it.each([
    ['a node', <p key="no">no access</p>],
    ['a function of the user', (user: { userId: unknown }) => <p>no access for {String(user.userId)}</p>],
  ])('what the others see is %s of the app', (_, forbidden) => {
    gate(createTestAuth({ user: withRoles([]) }), { forbidden })
    expect(screen.getByText(/^no access/)).toBeDefined()
  })

  it('shows nothing more once a renewal has taken the role away, and draws the content anew when it is back', () => {
    const auth = createTestAuth({ user: withRoles(['admin']) })
    gate(auth)
    fireEvent.change(screen.getByLabelText('draft'), { target: { value: 'half a sentence' } })
    act(() => auth.setState({ status: 'authenticated', user: withRoles(['agent']) }))
    expect(isShown()).toBe(false)
    act(() => auth.setState({ status: 'authenticated', user: withRoles(['admin']) }))
    expect(screen.getByLabelText<HTMLInputElement>('draft').value).toBe('')
  })

  it('counts nothing but true: a promise, or a text, lets nobody in', () => {
    for (const answer of [Promise.resolve(true), 'yes', 1, undefined]) {
      gate(createTestAuth(), { allow: () => answer as unknown as boolean })
      expect(isShown()).toBe(false)
      cleanup()
    }
  })

  it('that throws shows nothing: the error boundary of the app has it', () => {
    const fail = () => {
      throw new Error('no roles')
    }
    expect(() => gate(createTestAuth(), { allow: fail })).toThrow('no roles')
    expect(isShown()).toBe(false)
  })

  it('is not asked while nobody is signed in', () => {
    let askedCount = 0
    const allow = () => (askedCount += 1) > 0
    gate(createTestAuth({ state: { status: 'unauthenticated' } }), { allow })
    expect([askedCount, screen.getByRole('button').textContent]).toEqual([0, 'Sign in'])
  })

  it('says it in the words of the app', () => {
    gate(createTestAuth({ user: withRoles([]), config: { messages: { forbidden: 'Nur für Leitung' } } }))
    expect(screen.getByRole('alert').textContent).toBe('Nur für Leitung')
  })
})

describe('a session that has expired, with something to show over the page', () => {
  const draft = () => screen.queryByLabelText<HTMLInputElement>('draft')?.value
  const signedIn = (userId = 'alice') => ({ status: 'authenticated' as const, user: { userId } })
  const gateWith = (props: Partial<AuthenticatedProps> = {}) => {
    const auth = createTestAuth({ user: { userId: 'alice' } })
    render(
      <StrictMode>
        <Authenticated unauthenticated="nobody" expired={<p>sign in again</p>} {...props}>
          <Secrets />
        </Authenticated>
      </StrictMode>,
      { wrapper: ({ children }) => createElement(AuthContext.Provider, { value: auth }, children) },
    )
    if (draft() !== undefined)
      fireEvent.change(screen.getByLabelText('draft'), { target: { value: 'half a sentence' } })
    const become = (state: Parameters<typeof auth.setState>[0]) => act(() => auth.setState(state))
    return { become, expire: () => become({ status: 'unauthenticated', reason: 'expired' }) }
  }
  const isAsked = () => screen.queryByText('sign in again') !== null

  it('keeps the page and what was typed for the same user', () => {
    const { become, expire } = gateWith()
    expire()
    expect([draft(), isAsked()]).toEqual(['half a sentence', true])
    become(signedIn())
    expect([draft(), isAsked()]).toEqual(['half a sentence', false])
  })

  it('shows another user nothing of the one before', () => {
    const { become, expire } = gateWith()
    expire()
    become(signedIn('bob'))
    expect([draft(), isAsked()]).toEqual(['', false])
  })

  it.each(['signed-out', 'idle', 'session-clash', 'none', 'cancelled'] as const)(
    'keeps nothing when it ended otherwise: %s',
    (reason) => {
      const { become } = gateWith()
      become({ status: 'unauthenticated', reason })
      expect([draft(), isAsked()]).toEqual([undefined, false])
    },
  )

  it('keeps nothing when the user signs out instead', () => {
    const { become, expire } = gateWith()
    expire()
    become({ status: 'unauthenticated', reason: 'signed-out' })
    expect(draft()).toBeUndefined()
    become(signedIn())
    expect(draft()).toBe('')
  })

  it('keeps nothing of a page that the user was not allowed to see', () => {
    const { expire } = gateWith({ allow: () => false })
    expire()
    expect([isShown(), isAsked(), screen.queryByText('nobody') !== null]).toEqual([false, false, true])
  })

  it('asks by itself where nobody leaves without a click', () => {
    const { expire } = gateWith({ login: true })
    expire()
    expect([draft(), isAsked()]).toEqual(['half a sentence', true])
  })
})

describe('the screens that an app ships as they are', () => {
  const Logo = () => <svg role="img" aria-label="The sign of Deskwell" />
  const brand = { appName: 'Deskwell', mark: <Logo /> }

  it.each<[string, AuthenticatedProps, ToastsSceneOptions | undefined, string]>([
    ['signed out', {}, { isSignedIn: false }, 'You are not signed in.'],
    ['failed', {}, { host: { isOnline: false } }, 'We could not sign you in'],
    ['forbidden', { allow: () => false }, undefined, 'You are not allowed to see this page.'],
  ])('have the name and the mark of the app, and a heading: %s', async (_name, props, options, heading) => {
    await show({ ...brand, ...props }, options)
    expect(screen.getByText('Deskwell')).toBeDefined()
    expect(screen.getByRole('img', { name: 'The sign of Deskwell' })).toBeDefined()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading)
  })

  it('have those of the gate around theirs', async () => {
    await showScene(
      <Authenticated {...brand}>
        <Authenticated allow={() => false} />
      </Authenticated>,
    )
    expect(screen.getByRole('alert').textContent).toContain('Deskwell')
  })

  it('have the name alone where a condition leaves the mark out', async () => {
    await show({ appName: 'Deskwell', mark: false }, { isSignedIn: false })
    expect(screen.getByText('Deskwell')).toBeDefined()
  })

  it('have neither where the app gives none', async () => {
    await show({}, { isSignedIn: false })
    expect(document.querySelector('.latchkey-brand')).toBeNull()
  })

  it('say "try again" once, and the words for developers below "What happened"', async () => {
    await show({}, { host: { fetch: () => Promise.reject(new TypeError('Failed to fetch')) } })
    const details = document.querySelector('details')!
    expect(details.open).toBe(false)
    expect(details.querySelector('summary')!.textContent).toBe('What happened')
    expect(details.textContent).toContain('CORS')
    details.remove()
    const { textContent } = screen.getByRole('alert')
    expect(textContent?.match(/try again/gi)).toHaveLength(1)
    expect(textContent).not.toContain('CORS')
  })
})
