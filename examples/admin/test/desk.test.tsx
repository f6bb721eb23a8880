// @vitest-environment jsdom
// Every state of the example's screens, without a server: each one is said in the props of TestAuthProvider.
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createAuthError, createTestAuth, type Respond, TestAuthProvider } from 'latchkey/testing'
import { afterEach, expect, it } from 'vitest'
import { Desk } from '../src/Desk.tsx'

afterEach(cleanup)

const invoices =
  (answer: () => Response): Respond =>
  ({ url }) =>
    url.endsWith('/api/invoices') ? answer() : undefined
const TWO = invoices(() =>
  Response.json([
    { id: '1', customer: 'Bakery' },
    { id: '2', customer: 'Mill' },
  ]),
)

it('greets the user and shows the invoices', async () => {
  render(
    <TestAuthProvider user={{ userId: 'bob' }} respond={TWO}>
      <Desk />
    </TestAuthProvider>,
  )
  expect(await screen.findByText('Hello Name of bob')).toBeTruthy()
  expect(await screen.findByText('Mill')).toBeTruthy()
})

it.each([
  ['No invoices yet.', () => Response.json([])],
  ['You may not see invoices.', () => Response.json({ error: 'access_denied' }, { status: 403 })],
  ['Try again later.', () => Response.json({ error: 'nope' }, { status: 404 })],
])('says: %s', async (text, answer) => {
  render(
    <TestAuthProvider respond={invoices(answer)}>
      <Desk />
    </TestAuthProvider>,
  )
  expect(await screen.findByText(text)).toBeTruthy()
})

it('says who acts for whom', async () => {
  render(
    <TestAuthProvider user={{ userId: 'bob', impersonatorId: 'alice' }} respond={TWO}>
      <Desk />
    </TestAuthProvider>,
  )
  expect((await screen.findByRole('status')).textContent).toBe('You are alice, working as bob.')
})

it('offers to sign in to those who are signed out, and does it', () => {
  const auth = createTestAuth({ state: { status: 'unauthenticated', reason: 'idle' } })
  render(
    <TestAuthProvider auth={auth}>
      <Desk />
    </TestAuthProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(auth.calls).toEqual([{ action: 'login' }])
})

it('offers to try again when start-up failed', () => {
  render(
    <TestAuthProvider state={{ status: 'failed', error: createAuthError('redirect-loop') }}>
      <Desk />
    </TestAuthProvider>,
  )
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
