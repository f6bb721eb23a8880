// A screen that waits behind a Suspense fallback while the session expires: what was typed is there when the user is back.
import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { Suspense, useState } from 'react'
import { expect, it } from 'vitest'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { createTestAuth } from '../../../src/testing/testAuth.ts'

/** A component that suspends when it is asked to, as one whose file or query is still on its way. */
function createSuspending() {
  let wait: (until: Promise<void> | undefined) => void = () => {}
  function Suspends() {
    const [until, setUntil] = useState<Promise<void>>()
    wait = setUntil
    // oxlint-disable-next-line typescript/only-throw-error -- how a component suspends in React 18 and 19
    if (until) throw until
    return null
  }
  return {
    Suspends,
    suspend: () => act(() => wait(new Promise(() => {}))),
    resume: () => act(async () => wait(undefined)),
  }
}

it.each(['below the provider, beside another gate', 'around the provider'])(
  'keeps what was typed and read: a fallback %s',
  async (place) => {
    const auth = createTestAuth({ user: { userId: 'alice' } })
    const client = new QueryClient()
    const { Suspends, suspend, resume } = createSuspending()
    const screenOfUser = (
      <Authenticated unauthenticated="nobody" expired="sign in again">
        <input aria-label="draft" />
        <Suspends />
      </Authenticated>
    )
    const provide = (content: typeof screenOfUser) => (
      <AuthProvider auth={auth} queryClient={client}>
        {content}
      </AuthProvider>
    )
    render(
      place === 'around the provider' ? (
        <Suspense fallback="waits">{provide(screenOfUser)}</Suspense>
      ) : (
        provide(
          <>
            <Authenticated unauthenticated="head">head</Authenticated>
            <Suspense fallback="waits">{screenOfUser}</Suspense>
          </>,
        )
      ),
    )
    client.setQueryData(['invoices'], 'of alice')
    fireEvent.change(screen.getByLabelText('draft'), { target: { value: 'half a sentence' } })
    suspend()
    expect(document.body.textContent).toContain('waits')

    act(() => auth.setState({ status: 'unauthenticated', reason: 'expired' }))
    await resume()
    expect([
      screen.queryByLabelText<HTMLInputElement>('draft')?.value,
      document.body.textContent?.includes('sign in again'),
      client.getQueryData(['invoices']),
    ]).toEqual(['half a sentence', true, 'of alice'])
  },
)
