// A screen for those who may not: whoever meets a refused call shows what the gate above has for it.
import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Component, type ReactNode, StrictMode, Suspense } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import type { AuthError } from '../../../src/base/errors.ts'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { useAuthed, useSuspenseAuthed } from '../../../src/hooks/useAuthed.ts'
import { useForbidden } from '../../../src/hooks/useErrors.ts'
import { useUserInfo } from '../../../src/hooks/serverCalls.ts'
import { Authenticated, type AuthenticatedProps } from '../../../src/provider/Authenticated.tsx'
import { createAuthError } from '../../../src/testing/errors.ts'
import { createTestAuth, type TestAuthOptions } from '../../../src/testing/testAuth.ts'
import { TestAuthProvider } from '../../../src/testing/TestAuthProvider.tsx'

afterEach(cleanup)

const FOR_ADMINS = () =>
  Response.json(
    { error: 'insufficient_scope' },
    {
      status: 403,
      headers: {
        'www-authenticate':
          'Bearer error="insufficient_scope", error_description="For administrators only", scope="invoices:read"',
      },
    },
  )

function Shown({ error }: { error: unknown }) {
  const forbidden = useForbidden(error)
  if (forbidden) return forbidden.screen
  return <p>{error === null || error === undefined ? 'no error' : 'another error'}</p>
}
function Invoices() {
  const { auth } = useAuth()
  const { error, data } = useAuthed({ queryKey: ['invoices'], queryFn: () => auth.fetch('/api/invoices') })
  return data === undefined ? <Shown error={error} /> : <p>the invoices</p>
}

function open(content: ReactNode, props: AuthenticatedProps = {}, options: TestAuthOptions = {}) {
  const auth = createTestAuth({ respond: FOR_ADMINS, ...options })
  render(
    <StrictMode>
      <TestAuthProvider auth={auth}>
        <Authenticated {...props}>{content}</Authenticated>
      </TestAuthProvider>
    </StrictMode>,
  )
  return auth
}

describe('a call that the user may not make', () => {
  it("shows a sentence and the server's words, where the app has no screen for it", async () => {
    open(<Invoices />)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('You are not allowed to see this page.For administrators only')
    expect(alert.parentElement!.className).toBe('latchkey-gate')
  })

  it.each<[string, AuthenticatedProps['forbidden'], string]>([
    ['a node', <p key="x">Ask Bob</p>, 'Ask Bob'],
    [
      'a function of the user and the error',
      (user, error) => `${user.userId}: ${error?.description}, ${error?.scopes?.join()}`,
      'alice: For administrators only, invoices:read',
    ],
  ])('shows the screen of the gate: %s', async (_name, forbidden, text) => {
    open(<Invoices />, { forbidden })
    expect(await screen.findByText(text)).toBeTruthy()
  })

  it('shows the screen of the nearest gate', async () => {
    open(
      <Authenticated forbidden="the inner one">
        <Invoices />
      </Authenticated>,
      { forbidden: 'the outer one' },
    )
    expect(await screen.findByText('the inner one')).toBeTruthy()
  })

  it('tells the gate that refuses by itself from a refused call: there is no error', () => {
    open(<p>secret</p>, { allow: () => false, forbidden: (user, error) => `${user.userId} ${String(error)}` })
    expect(screen.getByText('alice undefined')).toBeTruthy()
  })

  it('has its text replaced by that of the app, and hides none of the words', async () => {
    open(<Invoices />, {}, { config: { messages: { forbidden: 'Nur für Leitung.' } } })
    expect((await screen.findByRole('alert')).textContent).toBe('Nur für Leitung.For administrators only')
  })

  it("is told for latchkey's own hooks too", async () => {
    const Own = () => <Shown error={useUserInfo().error} />
    open(<Own />, { forbidden: (_user, error) => error?.message })
    expect(await screen.findByText('GET /api/userinfo answered 403')).toBeTruthy()
  })

  it('is shown outside of any gate, and to nobody in particular', () => {
    const forbidden = createAuthError('forbidden', { description: undefined, scopes: [] })
    render(
      <TestAuthProvider state={{ status: 'unauthenticated' }}>
        <Shown error={forbidden} />
      </TestAuthProvider>,
    )
    expect(screen.getByRole('alert').textContent).toMatch(/^You are not allowed to see this page\./)
  })

  it('stays with its user while the gate keeps the page of an expired session', async () => {
    const auth = open(<Invoices />, {
      expired: <p>sign in again</p>,
      forbidden: (user, error) => `${user.userId}: ${error?.description}`,
    })
    await screen.findByText('alice: For administrators only')
    act(() => auth.setState({ status: 'unauthenticated', reason: 'expired' }))
    expect(screen.getByText('sign in again')).toBeTruthy()
    expect(screen.getByText('alice: For administrators only')).toBeTruthy()
  })

  it('is gone with the user: the next one is asked for', async () => {
    const auth = open(<Invoices />, {}, { respond: () => (isAlice ? FOR_ADMINS() : Response.json([])) })
    let isAlice = true
    await screen.findByRole('alert')
    isAlice = false
    act(() => auth.setState({ status: 'authenticated', user: { userId: 'carol' } }))
    expect(await screen.findByText('the invoices')).toBeTruthy()
    expect(screen.queryByText(/administrators/)).toBeNull()
  })
})

describe('what is no such call', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'no error'],
    ['null', null, 'no error'],
    ['a text', 'forbidden', 'another error'],
    ['an error with that code of somebody else', { code: 'forbidden', status: 403 }, 'another error'],
    ['a sign-in that was refused', createAuthError('access-denied'), 'another error'],
    ['a client that was refused', createAuthError('client-refused', { status: 403 }), 'another error'],
    ['404', createAuthError('unexpected-status'), 'another error'],
  ])('is left to the app: %s', (_name, error, text) => {
    open(<Shown error={error} />)
    expect(screen.getByText(text)).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('in an error boundary', () => {
  class Boundary extends Component<
    { reset(): void; children: ReactNode },
    { error?: AuthError | undefined }
  > {
    override state: { error?: AuthError | undefined } = {}
    static getDerivedStateFromError = (error: AuthError) => ({ error })
    override render() {
      if (!this.state.error) return this.props.children
      const again = () => {
        this.props.reset()
        this.setState({ error: undefined })
      }
      return (
        <>
          <Shown error={this.state.error} />
          <button type="button" onClick={again}>
            Again
          </button>
        </>
      )
    }
  }
  function Suspending() {
    const { auth } = useAuth()
    const { data } = useSuspenseAuthed({
      queryKey: ['invoices'],
      queryFn: () => auth.fetch<string>('/api/invoices'),
    })
    return <p>{data}</p>
  }

  it('the screen of the gate is shown, and the call is made again when the user wants it', async () => {
    let isAllowed = false
    open(
      <QueryErrorResetBoundary>
        {({ reset }) => (
          <Boundary reset={reset}>
            <Suspense fallback="loading">
              <Suspending />
            </Suspense>
          </Boundary>
        )}
      </QueryErrorResetBoundary>,
      { forbidden: (_user, error) => error?.description },
      { respond: () => (isAllowed ? Response.json('the invoices') : FOR_ADMINS()) },
    )
    await screen.findByText('For administrators only')
    isAllowed = true
    fireEvent.click(screen.getByText('Again'))
    expect(await screen.findByText('the invoices')).toBeTruthy()
  })
})

it('renders no component below the gate again when the session is renewed', async () => {
  let renders = 0
  const Counted = () => {
    useForbidden(undefined)
    renders += 1
    return null
  }
  const auth = open(<Counted />, { forbidden: <p>no</p> })
  const before = renders
  await act(() => auth.renew())
  expect(renders).toBe(before)
})
