// A text of the toaster is on the page once: a test of an app that looks for it finds one element.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Authenticated, AuthProvider, AuthToaster, notify } from '../../../src/index.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'

it('a toast, and why a session has ended, are each on the page once', async () => {
  const auth = createTestAuth()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AuthProvider auth={auth}>
        <Authenticated>Hello</Authenticated>
        <AuthToaster />
      </AuthProvider>
    </QueryClientProvider>,
  )
  act(() => void notify.success('Saved'))
  // `findByText` refuses two.
  expect(await screen.findByText('Saved')).toBeDefined()
  act(() => auth.setState({ status: 'unauthenticated', reason: 'expired' }))
  expect(await screen.findByText('Your session has ended.')).toBeDefined()
})
