// Who is signed in, for components that need to know: never undefined inside <Authenticated>, never shown too early.
import { act, fireEvent, render, screen } from '@testing-library/react'
import { type ReactNode, StrictMode, Suspense, useState } from 'react'
import { renderToString } from 'react-dom/server.browser'
import { describe, expect, it, vi } from 'vitest'
import { useAuthState, useUser } from '../../../src/hooks/useAuth.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthError } from '../../../src/base/errors.ts'
import { createTestAuth, type TestAuth } from '../../../src/testing/testAuth.ts'
import { TestAuthProvider } from '../../../src/testing/TestAuthProvider.tsx'
import type { TestState } from '../../../src/testing/testState.ts'

let renders = 0
function Name() {
  renders += 1
  return <output>{useUser().userId}</output>
}

const show = (auth: TestAuth, children: ReactNode, eager = false) =>
  render(
    <StrictMode>
      <TestAuthProvider auth={auth} eager={eager}>
        {children}
      </TestAuthProvider>
    </StrictMode>,
  )

describe('useUser', () => {
  it('is the user inside <Authenticated>, follows a change of user, and does not render for a renewal', async () => {
    const auth = createTestAuth({ user: { userId: 'alice' } })
    show(
      auth,
      <Authenticated>
        <Name />
      </Authenticated>,
    )
    expect(screen.getByRole('status').textContent).toBe('alice')
    const before = renders
    await act(() => auth.renew({ force: true }))
    expect(renders).toBe(before)
    act(() => auth.setState({ status: 'authenticated', user: { userId: 'carol' } }))
    expect(screen.getByRole('status').textContent).toBe('carol')
  })

  it('is still there while the tree stays behind an expired session, and goes with it at a logout', async () => {
    const auth = createTestAuth({ user: { userId: 'alice' } })
    show(
      auth,
      <Authenticated expired="again?" unauthenticated="bye">
        <Name />
      </Authenticated>,
    )
    act(() => auth.setState({ status: 'unauthenticated', reason: 'expired' }))
    expect(document.body.textContent).toBe('aliceagain?')
    act(() => auth.setState({ status: 'authenticated', user: { userId: 'alice' } }))
    expect(document.body.textContent).toBe('alice')
    act(() => auth.setState({ status: 'unauthenticated', reason: 'signed-out' }))
    expect(document.body.textContent).toBe('bye')
  })

  it('is there for what comes into the tree behind an expired session, as another screen by the back button', () => {
    function Screens() {
      const [isOpen, setOpen] = useState(false)
      if (isOpen) return <Name />
      return (
        <button type="button" onClick={() => setOpen(true)}>
          open
        </button>
      )
    }
    const auth = createTestAuth({ user: { userId: 'alice' } })
    show(
      auth,
      <Authenticated expired="again?">
        <Screens />
      </Authenticated>,
    )
    act(() => auth.setState({ status: 'unauthenticated', reason: 'expired' }))
    fireEvent.click(screen.getByRole('button'))
    expect(document.body.textContent).toBe('aliceagain?')
    act(() => auth.setState({ status: 'authenticated', user: { userId: 'carol' } }))
    fireEvent.click(screen.getByRole('button'))
    expect(document.body.textContent).toBe('carol')
  })

  it.each<TestState>([
    { status: 'unauthenticated', reason: 'expired' },
    { status: 'unauthenticated', reason: 'signed-out' },
    { status: 'redirecting', to: 'login' },
    { status: 'failed' },
  ])('throws an error that says what to do outside, when the state is %o', (state) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const auth = createTestAuth({ state })
    let error: unknown
    try {
      show(auth, <Name />)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toMatchObject({
      code: 'not-authenticated',
      remedy: 'Put it inside <Authenticated>.',
    })
  })
})

function Status() {
  return <output>{useAuthState({ suspense: true }).status}</output>
}

describe('useAuthState', () => {
  const whole = (
    <Suspense fallback="starting">
      <Status />
    </Suspense>
  )

  it('suspends during start-up, and during the next one', async () => {
    const auth = createTestAuth({ state: { status: 'initializing' } })
    show(auth, whole, true)
    expect(document.body.textContent).toBe('starting')
    await act(async () => auth.setState({ status: 'unauthenticated' }))
    expect(screen.getByRole('status').textContent).toBe('unauthenticated')
    await act(async () => auth.setState({ status: 'initializing' }))
    expect(document.body.textContent).toContain('starting')
    await act(async () => auth.setState({ status: 'authenticated' }))
    expect(screen.getByRole('status').textContent).toBe('authenticated')
  })

  it('gives the state as it is without suspense', () => {
    function Plain() {
      const state = useAuthState()
      return <output>{state.status}</output>
    }
    show(createTestAuth({ state: { status: 'initializing' } }), <Plain />, true)
    expect(screen.getByRole('status').textContent).toBe('initializing')
  })

  it('leaves the fallback of the provider alone without the prop', () => {
    render(
      <TestAuthProvider state={{ status: 'initializing' }} fallback="splash">
        {whole}
      </TestAuthProvider>,
    )
    expect(document.body.textContent).toBe('splash')
  })

  it('is the fallback in the HTML of a server', () => {
    const auth = createTestAuth({ state: { status: 'initializing' } })
    const html = renderToString(
      <TestAuthProvider auth={auth} eager>
        {whole}
      </TestAuthProvider>,
    )
    expect(html).toContain('starting')
  })
})
