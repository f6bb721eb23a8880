// The app's own queries in components: held back until somebody is signed in, of one user each, compiled by React Compiler too.
import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { Component, type ReactNode, StrictMode, Suspense } from 'react'
import { describe, expect, it } from 'vitest'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { useAuthed, useInfiniteAuthed, useSuspenseAuthed } from '../../../src/hooks/useAuthed.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createTestAuth, type TestAuth } from '../../../src/testing/testAuth.ts'
import { TestAuthProvider } from '../../../src/testing/TestAuthProvider.tsx'
import { ownersOf } from '../queryClient/cacheContents.ts'

/* oxlint-disable @tanstack/query/exhaustive-deps -- the key holds the user: these hooks scope it */

/** Who asked, in order. */
let asked: string[] = []

/** The app's own API: says who asked. */
async function askFirms(auth: Auth) {
  const state = auth.getState()
  const who = state.status === 'authenticated' ? String(state.user.userId) : 'nobody'
  asked.push(who)
  return `firms of ${who}`
}

// At the top of the file, where the React Compiler sees them; written as an app writes them.
function Firms() {
  const { auth } = useAuth()
  const { data, fetchStatus } = useAuthed({ queryKey: ['firms'], queryFn: () => askFirms(auth) })
  return <output>{data ?? fetchStatus}</output>
}

function FirmsOfPage({ page }: { page: number }) {
  const { auth } = useAuth()
  const firms = queryOptions({
    queryKey: ['firms', page],
    queryFn: () => askFirms(auth),
    placeholderData: keepPreviousData,
    select: (text) => `${text}, page ${page}`,
  })
  return <output>{useAuthed(firms).data}</output>
}

function SuspendedFirms() {
  const { auth } = useAuth()
  // By itself TanStack Query asks again where a busy machine takes a second to show what has come.
  const { data } = useSuspenseAuthed({
    queryKey: ['firms'],
    queryFn: () => askFirms(auth),
    staleTime: Infinity,
  })
  return <output>{data.toUpperCase()}</output>
}

function Pages() {
  const { auth } = useAuth()
  const list = useInfiniteAuthed({
    queryKey: ['pages'],
    queryFn: async ({ pageParam }) => `${await askFirms(auth)} ${pageParam}`,
    initialPageParam: 1,
    getNextPageParam: (_last, all) => all.length + 1,
  })
  return (
    <button type="button" onClick={() => void list.fetchNextPage()}>
      {list.data?.pages.join(', ')}
    </button>
  )
}

class Caught extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override render() {
    return this.state.error === undefined ? this.props.children : 'caught'
  }
}

function show(auth: TestAuth, children: ReactNode) {
  asked = []
  const client = new QueryClient()
  render(
    <StrictMode>
      <TestAuthProvider auth={auth} queryClient={client} eager>
        <Caught>
          <Suspense fallback="waiting">{children}</Suspense>
        </Caught>
      </TestAuthProvider>
    </StrictMode>,
  )
  return client
}

const become = (auth: TestAuth, userId: string) =>
  act(() => auth.setState({ status: 'authenticated', user: { userId } }))

describe('useAuthed', () => {
  it('asks for who is signed in, and anew for the next one', async () => {
    const auth = createTestAuth({ user: { userId: 'alice' } })
    const client = show(auth, <Firms />)
    expect(await screen.findByText('firms of alice')).toBeTruthy()
    become(auth, 'carol')
    expect(screen.queryByText('firms of alice')).toBeNull()
    expect(await screen.findByText('firms of carol')).toBeTruthy()
    expect(asked).toEqual(['alice', 'carol'])
    expect(ownersOf(client)).toEqual([{ user: 'carol', firm: 'f1', impersonator: null }])
  })

  it.each(['initializing', 'unauthenticated', 'redirecting', 'failed'] as const)(
    'sends nothing while the state is %s, and begins by itself with a sign-in',
    async (status) => {
      const auth = createTestAuth({
        state: status === 'redirecting' ? { status, to: 'login' } : { status },
      })
      show(auth, <Firms />)
      await act(async () => {})
      expect([screen.getByRole('status').textContent, asked]).toEqual(['idle', []])
      become(auth, 'alice')
      expect(await screen.findByText('firms of alice')).toBeTruthy()
    },
  )

  it('takes what useQuery takes: options made elsewhere, select, placeholders', async () => {
    const auth = createTestAuth({ user: { userId: 'alice' } })
    show(auth, <FirmsOfPage page={2} />)
    expect(await screen.findByText('firms of alice, page 2')).toBeTruthy()
  })
})

describe('useSuspenseAuthed', () => {
  it.each(['initializing', 'unauthenticated'] as const)(
    'waits while the state is %s, and throws nothing',
    async (status) => {
      const auth = createTestAuth({ state: { status } })
      show(auth, <SuspendedFirms />)
      await act(async () => {})
      expect([document.body.textContent, asked]).toEqual(['waiting', []])
      become(auth, 'alice')
      expect(await screen.findByText('FIRMS OF ALICE')).toBeTruthy()
      expect(asked).toEqual(['alice'])
    },
  )

  it('keeps what is typed beside it when the session expires', async () => {
    const auth = createTestAuth({ user: { userId: 'alice' } })
    show(
      auth,
      <>
        <input aria-label="note" />
        <SuspendedFirms />
      </>,
    )
    await screen.findByText('FIRMS OF ALICE')
    const field = screen.getByLabelText<HTMLInputElement>('note')
    fireEvent.change(field, { target: { value: 'draft' } })
    act(() => auth.setState({ status: 'unauthenticated', reason: 'expired' }))
    // Nobody else is there: what was read stays, too.
    expect(document.body.textContent).toContain('FIRMS OF ALICE')
    become(auth, 'alice')
    await screen.findByText('FIRMS OF ALICE')
    expect(screen.getByLabelText<HTMLInputElement>('note')).toBe(field)
    expect(field.value).toBe('draft')
  })

  it('follows a change of user', async () => {
    const auth = createTestAuth({ user: { userId: 'alice' } })
    show(auth, <SuspendedFirms />)
    await screen.findByText('FIRMS OF ALICE')
    become(auth, 'carol')
    expect(await screen.findByText('FIRMS OF CAROL')).toBeTruthy()
    expect(asked).toEqual(['alice', 'carol'])
  })
})

describe('useInfiniteAuthed', () => {
  it('asks page after page, and begins anew for the next user', async () => {
    const auth = createTestAuth({ user: { userId: 'alice' } })
    show(auth, <Pages />)
    fireEvent.click(await screen.findByText('firms of alice 1'))
    await screen.findByText('firms of alice 1, firms of alice 2')
    become(auth, 'carol')
    expect(await screen.findByText('firms of carol 1')).toBeTruthy()
    expect(asked).toEqual(['alice', 'alice', 'carol'])
  })
})
