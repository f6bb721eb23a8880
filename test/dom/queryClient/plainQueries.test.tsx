// Whoever made a query, a mutation or a state: nothing of one user is left for the next, who loses nothing of their own.

// oxlint-disable @tanstack/query/exhaustive-deps -- the keys are those of an app that forgot whose data they name
import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { type ReactNode, StrictMode, Suspense, useState } from 'react'
import { describe, expect, it } from 'vitest'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { useAuthed, useInfiniteAuthed, useSuspenseAuthed } from '../../../src/hooks/useAuthed.ts'
import { useLogin } from '../../../src/hooks/serverCalls.ts'
import { useUserInfo } from '../../../src/hooks/serverCalls.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { authKeys } from '../../../src/queries/keys.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createTestAuth, type TestAuth } from '../../../src/testing/testAuth.ts'
import type { TestState } from '../../../src/testing/testState.ts'
import { cacheText } from './cacheContents.ts'

const as = (userId: string, more = {}): TestState => ({
  status: 'authenticated',
  user: { userId, ...more },
})
const SIGNED_OUT: TestState = { status: 'unauthenticated', reason: 'signed-out' }
const EXPIRED: TestState = { status: 'unauthenticated', reason: 'expired' }

const userOf = (auth: TestAuth) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? String(state.user.userId) : 'nobody'
}

/** Ends what queries put off to a later task, and what React draws then: each turn may put off the next. */
const settle = () =>
  act(async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 4))
  })

interface Own {
  auth: TestAuth
  client: QueryClient
  /** What the app's own server was asked, and by whom. */
  asked: string[]
  become(state: TestState): Promise<void>
}

/** A stranger's app: plain queries with plain keys. */
function start(
  content: (own: Own) => ReactNode,
  options: Parameters<typeof createTestAuth>[0] = {},
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } }),
): Own {
  const auth = createTestAuth({ state: as('anna'), ...options })
  const own: Own = {
    auth,
    client,
    asked: [],
    async become(state) {
      act(() => auth.setState(state))
      await settle()
    },
  }
  render(
    <QueryClientProvider client={client}>
      <AuthProvider auth={auth}>{content(own)}</AuthProvider>
    </QueryClientProvider>,
  )
  return own
}

const ask = async ({ auth, asked }: Own, what: string) => {
  const of = userOf(auth)
  asked.push(`${what} of ${of}`)
  await Promise.resolve()
  return `${what} of ${of}`
}

function Invoices({ own }: { own: Own }) {
  const { data } = useQuery({ queryKey: ['invoices'], queryFn: () => ask(own, 'invoices') })
  return <p>{data ?? 'no invoices'}</p>
}

function Drafts({ own }: { own: Own }) {
  return useSuspenseAuthed({ queryKey: ['drafts'], queryFn: () => ask(own, 'drafts') }).data
}
/** All of latchkey's ways to read. */
function Read({ own }: { own: Own }) {
  const info = useUserInfo()
  const { data } = useAuthed({ queryKey: ['own invoices'], queryFn: () => ask(own, 'invoices') })
  const list = useInfiniteAuthed({
    queryKey: ['list'],
    queryFn: () => ask(own, 'page'),
    initialPageParam: 0,
    getNextPageParam: () => undefined,
  })
  const drafts = useSuspenseAuthed({ queryKey: ['drafts'], queryFn: () => ask(own, 'drafts') })
  if (!info.data || !data || !list.data) return <p>loading</p>
  return (
    <>
      <Note />
      <p>{`${info.data.name}, ${data}, ${list.data.pages.join()}, ${drafts.data}`}</p>
    </>
  )
}
function Opened({ own }: { own: Own }) {
  const [isOpen, setIsOpen] = useState(false)
  return isOpen ? (
    <Drafts own={own} />
  ) : (
    <button type="button" onClick={() => setIsOpen(true)}>
      open
    </button>
  )
}

function Note() {
  const [text, setText] = useState('')
  return <input aria-label="note" value={text} onChange={(event) => setText(event.target.value)} />
}
const note = () => screen.getByLabelText<HTMLInputElement>('note').value
const type = (text: string) => fireEvent.change(screen.getByLabelText('note'), { target: { value: text } })

const OTHERS: [string, TestState][] = [
  ['another user', as('bob')],
  ['the same id in another firm', as('anna', { firmId: 'f2' })],
  ['an impersonator', as('anna', { impersonatorId: 'root' })],
  ['nobody', SIGNED_OUT],
]

interface PageProps {
  own: Own
  page: number
}

/** A list outside of a gate whose user has gone on to its second page. */
async function startOnSecondPage(Page: (props: PageProps) => ReactNode): Promise<Own> {
  function Pages({ own }: { own: Own }) {
    const [page, setPage] = useState(1)
    return (
      <>
        <Page own={own} page={page} />
        <button type="button" onClick={() => setPage(page + 1)}>
          next
        </button>
      </>
    )
  }
  const own = start((it) => (
    <>
      <Pages own={it} />
      <Authenticated>in</Authenticated>
    </>
  ))
  await settle()
  fireEvent.click(screen.getByText('next'))
  await settle()
  return own
}

describe('a plain query', () => {
  it.each(OTHERS)(
    'of one user is not there for %s, in the cache, on the screen or in the render before',
    async (_, next) => {
      const shown: string[] = []
      function Shown({ own }: { own: Own }) {
        const { status } = useAuth()
        const { data } = useQuery({ queryKey: ['invoices'], queryFn: () => ask(own, 'secrets') })
        shown.push(`${status} ${userOf(own.auth)}: ${data ?? 'nothing'}`)
        return <p>{data}</p>
      }
      const own = start((it) => <Shown own={it} />)
      await settle()
      own.client.setQueryData(['prefetched'], 'secrets of anna')
      expect(await screen.findByText('secrets of anna')).toBeDefined()
      const before = shown.length
      act(() => own.auth.setState(next))
      expect(cacheText(own.client)).not.toContain('secrets of anna')
      expect(document.body.textContent).not.toContain('secrets of anna')
      expect(shown.slice(before).filter((line) => line.includes('secrets of anna'))).toEqual([])
      await settle()
      // Asked again, by who is there now.
      expect(own.asked).toHaveLength(2)
    },
  )

  it('outside of <Authenticated> shows nothing of the former user, and is asked again for the next', async () => {
    const own = start((it) => (
      <>
        <Invoices own={it} />
        <Authenticated>
          <Note />
        </Authenticated>
      </>
    ))
    await settle()
    await own.become(as('bob'))
    expect(screen.getByText('invoices of bob')).toBeDefined()
    expect(own.asked).toEqual(['invoices of anna', 'invoices of bob'])
  })

  it('that keeps the data before as a placeholder keeps none of another user', async () => {
    function Page({ own, page }: PageProps) {
      const { data } = useQuery({
        queryKey: ['page', page],
        queryFn: () =>
          userOf(own.auth) === 'anna' ? ask(own, `page ${page}`) : new Promise<string>(() => {}),
        placeholderData: keepPreviousData,
      })
      return <p>{data ?? 'no page'}</p>
    }
    const own = await startOnSecondPage(Page)
    expect(screen.getByText('page 2 of anna')).toBeDefined()
    await own.become(as('bob'))
    expect(screen.getByText('no page')).toBeDefined()
    fireEvent.click(screen.getByText('next'))
    await settle()
    expect(screen.getByText('no page')).toBeDefined()
  })

  it.each([
    ['in the cache', 300_000],
    ['out of the cache', 0],
  ])(
    'that is shown as a placeholder while the user changes is gone, the query it comes from %s',
    async (_where, gcTime) => {
      const selected: unknown[] = []
      function Page({ own, page }: PageProps) {
        const { data } = useQuery({
          queryKey: ['page', page],
          queryFn: () => (page === 1 ? ask(own, 'page 1') : new Promise<string>(() => {})),
          placeholderData: keepPreviousData,
          gcTime,
          select(text) {
            selected.push(text)
            return `${text}, selected`
          },
        })
        return <p>{data ?? 'no page'}</p>
      }
      const own = await startOnSecondPage(Page)
      expect(screen.getByText('page 1 of anna, selected')).toBeDefined()
      await own.become(as('bob'))
      expect(screen.getByText('no page')).toBeDefined()
      expect(selected.filter((text) => typeof text !== 'string')).toEqual([])
    },
  )

  it.each([
    { shared: [1, 2], stays: 'page 1 of anna', cached: 'page 1 of anna', why: 'both are of everybody' },
    { shared: [2], stays: 'no page', cached: undefined, why: 'it is the placeholder of what everybody has' },
    {
      shared: [1],
      stays: 'page 1 of anna',
      cached: 'page 1 of anna',
      why: 'it stands in for what was of her',
    },
  ])(
    'that is a placeholder while the user changes shows "$stays", where pages $shared are shared: $why',
    async ({ shared, stays, cached }) => {
      function Page({ own, page }: PageProps) {
        const { data } = useQuery({
          queryKey: ['page', page],
          queryFn: () => (page === 1 ? ask(own, 'page 1') : new Promise<string>(() => {})),
          placeholderData: keepPreviousData,
          ...(shared.includes(page) && { meta: { latchkey: 'shared' } }),
        })
        return <p>{data ?? 'no page'}</p>
      }
      const own = await startOnSecondPage(Page)
      expect(screen.getByText('page 1 of anna')).toBeDefined()
      await own.become(as('bob'))
      expect(screen.getByText(stays)).toBeDefined()
      expect(own.client.getQueryData(['page', 1])).toBe(cached)
    },
  )

  it('that is on its way is cancelled: what comes late is kept nowhere', async () => {
    let answer: (text: string) => void = () => {}
    let signal: AbortSignal | undefined
    const own = start(() => <Note />)
    const late = own.client
      .query({
        queryKey: ['late'],
        queryFn: (context) => {
          signal = context.signal
          return new Promise<string>((resolve) => {
            answer = resolve
          })
        },
      })
      .catch((error: unknown) => String(error))
    await own.become(as('bob'))
    expect(signal?.aborted).toBe(true)
    answer('late secrets of anna')
    expect(await late).not.toContain('anna')
    await settle()
    expect(cacheText(own.client)).not.toContain('anna')
  })

  it('that suspends a screen is asked again by the next user', async () => {
    let isHeld = true
    function Suspended({ own }: { own: Own }) {
      const queryFn = async () => {
        const of = userOf(own.auth)
        if (isHeld) await new Promise(() => {})
        return `suspended for ${of}`
      }
      return <p>{useSuspenseQuery({ queryKey: ['suspense'], queryFn }).data}</p>
    }
    const own = start((it) => (
      <Suspense fallback="suspended">
        <Suspended own={it} />
      </Suspense>
    ))
    await settle()
    isHeld = false
    await own.become(as('bob'))
    expect(screen.getByText('suspended for bob')).toBeDefined()
  })

  it('that is the same for every user stays, when it says so', async () => {
    const own = start(() => <Note />)
    await own.client.query({
      queryKey: ['countries'],
      queryFn: () => 'all countries',
      meta: { latchkey: 'shared' },
    })
    await own.become(as('bob'))
    await own.become(SIGNED_OUT)
    expect(own.client.getQueryData(['countries'])).toBe('all countries')
  })

  it('and a mutation that is the same for every user stays, when it says so, and goes on', async () => {
    const own = start(() => <Note />)
    const outcomes: string[] = []
    let answer: (text: string) => void = () => {}
    const build = (mutationKey: string[], meta: Record<string, unknown> = {}) =>
      own.client.getMutationCache().build(own.client, {
        mutationKey,
        meta,
        mutationFn: () =>
          new Promise<string>((resolve) => {
            answer = resolve
          }),
        onSuccess: (text: string) => void outcomes.push(text),
      })
    void build(['feedback of anna'])
      .execute(undefined)
      .catch(() => {})
    const running = build(['telemetry'], { latchkey: 'shared' }).execute(undefined)
    await settle()
    await own.become(as('bob'))
    expect(cacheText(own.client)).not.toContain('feedback of anna')
    expect(cacheText(own.client)).toContain('telemetry')
    answer('sent')
    expect(await running).toBe('sent')
    expect(outcomes).toEqual(['sent'])
  })

  it('is left alone with clearQueries: own, and only latchkey’s go', async () => {
    const own = start(() => <Note />, { config: { clearQueries: 'own' } })
    own.client.setQueryData(['invoices'], 'invoices of anna')
    own.client.setQueryData(authKeys.read(own.auth, 'user info'), 'Anna')
    type('kept')
    await own.become(as('bob'))
    expect(own.client.getQueryData(['invoices'])).toBe('invoices of anna')
    expect(cacheText(own.client)).not.toContain('Anna')
    expect(note()).toBe('kept')
  })

  it('of another auth object on the same QueryClient stays, when its key says whose it is', async () => {
    const client = new QueryClient()
    const other = createTestAuth({ state: as('otto'), config: { clientId: 'other' } })
    const own = start(() => <AuthProvider auth={other}>the other</AuthProvider>, {}, client)
    const otherKey = authKeys.authed(other, ['invoices'])
    client.setQueryData(otherKey, 'invoices of otto')
    client.setQueryData(['whose?'], 'plain')
    await own.become(as('bob'))
    expect(client.getQueryData(otherKey)).toBe('invoices of otto')
    expect(client.getQueryData(['whose?'])).toBeUndefined()
  })

  it('goes from the QueryClient of every provider', async () => {
    const inner = new QueryClient()
    const own = start((it) => (
      <AuthProvider auth={it.auth} queryClient={inner}>
        inner
      </AuthProvider>
    ))
    for (const client of [own.client, inner]) client.setQueryData(['invoices'], 'invoices of anna')
    await own.become(as('bob'))
    for (const client of [own.client, inner]) expect(client.getQueryData(['invoices'])).toBeUndefined()
  })

  it('goes at once when the user changes while no provider is mounted, and is in no render of the next one', async () => {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
    const auth = createTestAuth({ state: as('anna') })
    const read: unknown[] = []
    function Page() {
      const { data } = useQuery({ queryKey: ['invoices'], queryFn: () => new Promise<string>(() => {}) })
      read.push(data)
      return null
    }
    const app = (
      <StrictMode>
        <AuthProvider auth={auth} queryClient={client}>
          <Page />
        </AuthProvider>
      </StrictMode>
    )
    const first = render(app)
    act(() => void client.setQueryData(['invoices'], 'invoices of anna'))
    await settle()
    first.unmount()
    expect(read.at(-1)).toBe('invoices of anna')
    auth.setState(as('bob'))
    expect(client.getQueryData(['invoices'])).toBeUndefined()
    // A loader has read something before the screen is there.
    client.setQueryData(['invoices'], 'invoices of bob')
    auth.setState(as('carol'))
    read.length = 0
    render(app)
    expect(new Set(read)).toEqual(new Set([undefined]))
    client.setQueryData(['invoices'], 'invoices of carol')
    render(app)
    expect(client.getQueryData(['invoices'])).toBe('invoices of carol')
  })

  it('is listened for once, however often the provider mounts', () => {
    const client = new QueryClient()
    let count = 0
    const mutations = client.getMutationCache()
    const subscribe = mutations.subscribe.bind(mutations)
    mutations.subscribe = (listener) => {
      count += 1
      const remove = subscribe(listener)
      return () => {
        count -= 1
        remove()
      }
    }
    for (let time = 0; time < 3; time += 1)
      render(
        <StrictMode>
          <AuthProvider auth={createTestAuth()} queryClient={client}>
            the app
          </AuthProvider>
        </StrictMode>,
      ).unmount()
    expect(count).toBe(1)
  })

  it('that was asked for while nobody was signed in goes when another user signs in', async () => {
    const own = start((it) => <Invoices own={it} />)
    await own.become(SIGNED_OUT)
    // An API that goes by a cookie may have answered for the user who left.
    own.client.setQueryData(['cookie'], 'of anna still')
    await own.become(as('bob'))
    expect(cacheText(own.client)).not.toContain('anna')
  })
})

/** Anna has typed something when her session expires, behind a gate that keeps what it shows. */
async function startAndExpire() {
  const own = start((it) => (
    <Authenticated expired={<p>sign in again</p>}>
      <Note />
      <Invoices own={it} />
    </Authenticated>
  ))
  await settle()
  type('half a sentence')
  await own.become(EXPIRED)
  return own
}

describe('the same user', () => {
  it('keeps queries, mutations and state through renewals, new claims and ids that become texts', async () => {
    const own = start(
      (it) => (
        <>
          <Note />
          <Invoices own={it} />
        </>
      ),
      { state: as('17') },
    )
    await settle()
    type('half a sentence')
    await act(() => own.auth.renew({ force: true }))
    await own.become(as('17', { jti: 'next', exp: 99 }))
    await own.become({ status: 'authenticated', user: { userId: 17, sessionId: 'after a step-up' } })
    expect(note()).toBe('half a sentence')
    expect(own.asked).toEqual(['invoices of 17'])
  })

  it('finds everything as it was after the session had expired, with a screen that waited', async () => {
    const own = await startAndExpire()
    expect(screen.getByText('sign in again')).toBeDefined()
    await own.become(as('anna', { sessionId: 'next' }))
    expect(note()).toBe('half a sentence')
    expect(screen.getByText('invoices of anna')).toBeDefined()
    expect(own.asked).toEqual(['invoices of anna'])
  })

  it("goes on seeing what latchkey's hooks have read, while a screen waits, and nothing is asked", async () => {
    let count = 0
    const own = start(
      (it) => (
        <Suspense fallback="suspended">
          <Authenticated expired={<p>sign in again</p>}>
            <Read own={it} />
          </Authenticated>
        </Suspense>
      ),
      { respond: () => void (count += 1) },
      new QueryClient({ defaultOptions: { queries: { retry: false } } }),
    )
    const all = 'Name of anna, invoices of anna, page of anna, drafts of anna'
    await screen.findByText(all)
    type('half a sentence')
    const [askedBefore, countBefore] = [own.asked.length, count]
    const keys = () =>
      own.client
        .getQueryCache()
        .getAll()
        .map(({ queryHash }) => queryHash)
    const before = keys()
    await own.become(EXPIRED)
    expect(screen.getByText('sign in again')).toBeDefined()
    expect(screen.getByText(all)).toBeDefined()
    expect(note()).toBe('half a sentence')
    expect(keys()).toEqual(before)
    expect([own.asked.length, count]).toEqual([askedBefore, countBefore])
    await own.become(as('anna', { sessionId: 'next' }))
    expect(note()).toBe('half a sentence')
    expect(screen.getByText(all)).toBeDefined()

    await own.become(EXPIRED)
    act(() => own.auth.setState(as('bob')))
    expect(cacheText(own.client)).not.toContain('anna')
    expect(document.body.textContent).not.toContain('anna')
    expect(await screen.findByText(all.replaceAll('anna', 'bob'))).toBeDefined()
  })

  it('who has read nothing before the session expired waits, and nothing fails', async () => {
    const own = start((it) => (
      <Suspense fallback="suspended">
        <Authenticated expired={<p>sign in again</p>}>
          <Opened own={it} />
        </Authenticated>
      </Suspense>
    ))
    await settle()
    await own.become(EXPIRED)
    fireEvent.click(screen.getByText('open'))
    await settle()
    expect(screen.getByText('suspended')).toBeDefined()
    await own.become(as('anna', { sessionId: 'next' }))
    expect(screen.getByText('drafts of anna')).toBeDefined()
    expect(own.asked).toEqual(['drafts of anna'])
  })

  it('leaves nothing to another user who signs in over the expired session', async () => {
    const own = await startAndExpire()
    act(() => own.auth.setState(as('bob')))
    expect(note()).toBe('')
    expect(cacheText(own.client)).not.toContain('anna')
    await settle()
    expect(screen.getByText('invoices of bob')).toBeDefined()
  })

  it('leaves no data behind a screen that goes when the session expires', async () => {
    const own = start((it) => (
      <Authenticated>
        <Invoices own={it} />
      </Authenticated>
    ))
    await settle()
    await own.become(EXPIRED)
    expect(cacheText(own.client)).not.toContain('anna')
  })
})

describe('state of components', () => {
  it('goes with the user where there is no <Authenticated>', async () => {
    const own = start(() => <Note />)
    type('of anna')
    await own.become(as('bob'))
    expect(note()).toBe('')
    type('of bob')
    await own.become(SIGNED_OUT)
    expect(note()).toBe('')
  })

  it('of somebody who has not signed in yet stays', async () => {
    const own = start(() => <Note />, { state: { status: 'unauthenticated' } })
    type('a question')
    await own.become(as('anna'))
    expect(note()).toBe('a question')
  })

  it('outside of <Authenticated> stays, and that inside goes', async () => {
    const own = start(() => (
      <>
        <Note />
        <Authenticated>
          <Secret />
        </Authenticated>
      </>
    ))
    type('a theme')
    fireEvent.click(screen.getByText('open'))
    await own.become(as('bob'))
    expect(note()).toBe('a theme')
    expect(screen.queryByText('the secret')).toBeNull()
    function Secret() {
      const [isOpen, setIsOpen] = useState(false)
      return (
        <button type="button" onClick={() => setIsOpen(true)}>
          {isOpen ? 'the secret' : 'open'}
        </button>
      )
    }
  })
})

describe('a mutation', () => {
  interface SaveProps {
    own: Own
    save(text: string): Promise<string>
    scope?: { id: string }
  }
  function Save({ own, save, scope }: SaveProps) {
    const client = useQueryClient()
    const mutation = useMutation({
      ...(scope && { scope }),
      mutationKey: ['save'],
      mutationFn: save,
      retry: 2,
      retryDelay: 10,
      onMutate: (text) => {
        const before = client.getQueryData(['draft'])
        client.setQueryData(['draft'], text)
        return { before }
      },
      onError: (_error, _text, context) => client.setQueryData(['draft'], context?.before),
      onSuccess: (saved) => client.setQueryData(['saved'], saved),
    })
    return (
      <button type="button" onClick={() => mutation.mutate(`draft of ${userOf(own.auth)}`)}>
        {mutation.data ?? 'save'}
      </button>
    )
  }

  it('that has ended is gone from the cache and from the screen', async () => {
    const own = start((it) => <Save own={it} save={async (text) => `saved ${text}`} />)
    fireEvent.click(screen.getByText('save'))
    await settle()
    expect(screen.getByText('saved draft of anna')).toBeDefined()
    await own.become(as('bob'))
    expect(screen.getByText('save')).toBeDefined()
    expect(cacheText(own.client)).not.toContain('anna')
  })

  it.each(['answers', 'fails'] as const)(
    'that %s late writes nothing, puts nothing back and is not sent again',
    async (how) => {
      const sent: string[] = []
      let end = () => {}
      const own = start((it) => (
        <>
          <Shell />
          <Save
            own={it}
            save={(text) => {
              sent.push(text)
              return new Promise((resolve, reject) => {
                end = () => (how === 'answers' ? resolve(`saved ${text}`) : reject(new Error('500')))
              })
            }}
          />
          <Authenticated>in</Authenticated>
        </>
      ))
      own.client.setQueryData(['draft'], 'older draft of anna')
      fireEvent.click(screen.getByText('save'))
      await settle()
      expect(own.client.getQueryData(['draft'])).toBe('draft of anna')
      await own.become(as('bob'))
      end()
      await settle()
      await act(() => new Promise((resolve) => setTimeout(resolve, 60)))
      expect(cacheText(own.client)).not.toContain('anna')
      expect(sent).toEqual(['draft of anna'])
      function Shell() {
        return <p>{useAuth().status}</p>
      }
    },
  )

  it('outside of <Authenticated> shows no result of the former user, and calls none of its callbacks late', async () => {
    let end = () => {}
    const called: string[] = []
    function Shell({ own }: { own: Own }) {
      const done = useMutation({ mutationFn: async (text: string) => `saved ${text}` })
      const late = useMutation({
        mutationFn: (text: string) =>
          new Promise<string>((resolve) => {
            end = () => resolve(`saved ${text}`)
          }),
      })
      const save = () => {
        done.mutate(`draft of ${userOf(own.auth)}`)
        late.mutate(`letter of ${userOf(own.auth)}`, { onSettled: (text = '') => called.push(text) })
      }
      return (
        <button type="button" onClick={save}>
          save {done.data} {done.variables} {late.data} {late.variables}
        </button>
      )
    }
    const own = start((it) => (
      <>
        <Shell own={it} />
        <Authenticated>in</Authenticated>
      </>
    ))
    fireEvent.click(screen.getByText('save'))
    await settle()
    expect(document.body.textContent).toContain('saved draft of anna draft of anna  letter of anna')
    await own.become(as('bob'))
    expect(document.body.textContent).not.toContain('anna')
    end()
    await settle()
    expect(document.body.textContent).not.toContain('anna')
    expect(called).toEqual([])
    fireEvent.click(screen.getByText('save'))
    await settle()
    end()
    await settle()
    expect(document.body.textContent).toContain('saved draft of bob draft of bob saved letter of bob')
    expect(called).toEqual(['saved letter of bob'])
  })

  it('in a scope leaves it to the next user, though two of the former one are under way', async () => {
    const sent: string[] = []
    const own = start((it) => (
      <Save
        own={it}
        scope={{ id: 'drafts' }}
        save={(text) => {
          sent.push(text)
          return new Promise(() => {})
        }}
      />
    ))
    for (let count = 0; count < 2; count += 1) {
      fireEvent.click(screen.getByText('save'))
      await settle()
    }
    await own.become(as('bob'))
    fireEvent.click(screen.getByText('save'))
    await settle()
    expect(sent).toEqual(['draft of anna', 'draft of bob'])
  })

  it('of latchkey that the change comes from ends as it should, with its callbacks', async () => {
    const ended: string[] = []
    let end = () => {}
    function SignIn() {
      const login = useLogin()
      return (
        <button
          type="button"
          onClick={() => login.mutate({ display: 'popup' }, { onSuccess: () => ended.push('here') })}
        >
          in
        </button>
      )
    }
    const own = start(() => (
      <>
        <SignIn />
        <Authenticated expired="again">content</Authenticated>
      </>
    ))
    own.auth.login = () => new Promise((resolve) => (end = resolve))
    await own.become(EXPIRED)
    fireEvent.click(screen.getByText('in'))
    await settle()
    await own.become(as('bob'))
    end()
    await settle()
    expect(ended).toEqual(['here'])
  })
})

describe('auth.onUserGone', () => {
  it('tells stores of the app before the next state shows, with the ids of who went', async () => {
    const told: unknown[] = []
    const own = start(() => <Note />)
    const remove = own.auth.onUserGone((user) => told.push([user, userOf(own.auth)]))
    const anna = { userId: 'anna', firmId: 'f1', impersonatorId: undefined }
    await own.become(as('bob'))
    expect(told).toEqual([[anna, 'anna']])
    await own.become(as('bob', { sessionId: 'next' }))
    expect(told).toHaveLength(1)
    await own.become(SIGNED_OUT)
    expect(told).toEqual([
      [anna, 'anna'],
      [{ ...anna, userId: 'bob' }, 'bob'],
    ])
    remove()
    await own.become(as('anna'))
    expect(told).toHaveLength(2)
  })

  it('is not called while a screen waits for the user of an expired session', async () => {
    const told: unknown[] = []
    const own = start(() => <Authenticated expired="again">content</Authenticated>)
    own.auth.onUserGone((user) => told.push(user))
    await own.become(EXPIRED)
    await own.become(as('anna'))
    expect(told).toEqual([])
  })

  it('that throws is reported, and stops nothing', async () => {
    const own = start(() => <Note />)
    const warnings: unknown[] = []
    Object.assign(internalsOf(own.auth).platform, { warn: (...said: unknown[]) => warnings.push(said) })
    own.auth.onUserGone(() => {
      throw new Error('a mistake of the app')
    })
    own.client.setQueryData(['invoices'], 'of anna')
    await own.become(as('bob'))
    expect(own.client.getQueryData(['invoices'])).toBeUndefined()
    expect(userOf(own.auth)).toBe('bob')
  })
})
