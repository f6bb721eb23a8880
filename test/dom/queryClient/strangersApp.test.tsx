// Ordinary apps that know none of latchkey's helpers: whatever holds what one user saw, the next one never reads it in the page.

import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useMutation,
  useMutationState,
  useQueries,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  startTransition,
  Suspense,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useTransition,
} from 'react'
import { createPortal } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useAuthed } from '../../../src/hooks/useAuthed.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { createTestAuth, type TestAuth } from '../../../src/testing/testAuth.ts'
import type { TestState } from '../../../src/testing/testState.ts'

const as = (userId: string, firmId = 'f1'): TestState => ({
  status: 'authenticated',
  user: { userId, firmId },
})
const ANNA = 'anna of f1'

/** How the next user comes. */
const CHANGES: readonly [how: string, next: string, states: readonly TestState[]][] = [
  ['another tab', 'bob of f1', [as('bob')]],
  ['a switch to another firm', 'anna of f2', [as('anna', 'f2')]],
  ['sign-out and sign-in', 'bob of f1', [{ status: 'unauthenticated', reason: 'signed-out' }, as('bob')]],
  ['expiry and sign-in', 'bob of f1', [{ status: 'unauthenticated', reason: 'expired' }, as('bob')]],
]

const turn = async (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms))
const microtasks = async () => {
  for (let count = 0; count < 50; count += 1) await Promise.resolve()
}

interface Own {
  client: QueryClient
  /** Whose data the app's server has handed out, by who was signed in when it was asked. */
  who(): string
  ask(): Promise<string>
}

let roots: Root[] = []
let place: HTMLElement
let portal: HTMLElement
const isActBefore: unknown = Reflect.get(globalThis, 'IS_REACT_ACT_ENVIRONMENT')
beforeEach(() => {
  // React draws when it draws in a browser.
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false)
  place = document.createElement('div')
  portal = document.createElement('aside')
  place.append(portal)
  document.body.append(place)
})
afterEach(async () => {
  for (const root of roots) root.unmount()
  roots = []
  await turn(5)
  place.remove()
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', isActBefore)
})

/** A further root of the page. */
function draw(content: ReactNode): void {
  const element = document.createElement('div')
  place.append(element)
  const root = createRoot(element)
  roots.push(root)
  root.render(content)
}
/** What can be read: without what React hides behind a Suspense fallback. */
function textOf(): string {
  const copy = place.cloneNode(true) as HTMLElement
  for (const hidden of copy.querySelectorAll<HTMLElement>('[style]'))
    if (hidden.style.display === 'none') hidden.remove()
  return copy.textContent.replaceAll(/\s+/g, ' ').trim()
}

/** Each text that could be read in the page, whether the browser paints in between or not. */
function watch(): { texts(): string[]; end(): void } {
  const read: string[] = []
  const observer = new MutationObserver(() => void read.push(textOf()))
  observer.observe(place, { attributes: true, characterData: true, childList: true, subtree: true })
  return { texts: () => read, end: () => observer.disconnect() }
}

function createOwn(auth: TestAuth): Own {
  const who = () => {
    const state = auth.getState()
    if (state.status !== 'authenticated') return 'nobody'
    return `${String(state.user.userId)} of ${String(state.user.firmId)}`
  }
  return {
    who,
    client: new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } }),
    async ask() {
      const of = who()
      await turn(2)
      return of
    },
  }
}

/** What came last, kept by the app as apps do it. */
const useLast = (value: string | undefined) => {
  const last = useRef(value)
  useEffect(() => {
    if (value !== undefined) last.current = value
  })
  return value ?? last.current
}
const upper = (text: string) => ({ text })
const Shared = createContext('')

type Holder = (own: Own) => ReactNode

/** Whatever reads from the QueryClient: also outside of every gate. */
const READERS: Record<string, Holder> = {
  useAuthed: function Holds({ ask }) {
    return useAuthed({ queryKey: ['a'], queryFn: ask }).data
  },
  useQuery: function Holds({ ask }) {
    return useQuery({ queryKey: ['a'], queryFn: ask }).data
  },
  'a selector': function Holds({ ask }) {
    return useQuery({ queryKey: ['a'], queryFn: ask, select: upper }).data?.text
  },
  'a memo of the data': function Holds({ ask }) {
    const { data } = useQuery({ queryKey: ['a'], queryFn: ask })
    return useMemo(() => data && `memo ${data}`, [data])
  },
  useInfiniteQuery: function Holds({ ask }) {
    return useInfiniteQuery({
      queryKey: ['list'],
      queryFn: ask,
      initialPageParam: 0,
      getNextPageParam: (_last, pages) => pages.length,
    }).data?.pages.join()
  },
  useSuspenseQuery: function Holds({ ask }) {
    return useSuspenseQuery({ queryKey: ['a'], queryFn: ask }).data
  },
  keepPreviousData: function Holds({ ask, who }) {
    return useQuery({ queryKey: ['a', who()], queryFn: ask, placeholderData: keepPreviousData }).data
  },
  'a placeholder from the cache': function Holds({ ask, client }) {
    useQuery({ queryKey: ['a'], queryFn: ask })
    return useQuery({
      queryKey: ['b'],
      queryFn: ask,
      placeholderData: () => client.getQueryData<string>(['a']),
    }).data
  },
  'useQueries, combined': function Holds({ ask }) {
    return useQueries({
      queries: [{ queryKey: ['a'], queryFn: ask }],
      combine: (all) => all.map(({ data }) => data).join(),
    })
  },
  'the cache, read in render': function Holds({ ask }) {
    useQuery({ queryKey: ['a'], queryFn: ask })
    return useQueryClient().getQueryData<string>(['a'])
  },
  useMutationState: function Holds({ ask }) {
    const { mutate } = useMutation({ mutationKey: ['save'], mutationFn: ask })
    useEffect(() => mutate(), [mutate])
    return useMutationState<string | undefined>({ select: ({ state }) => state.data as string }).join()
  },
  'a context value': function Holds({ ask }) {
    const { data = '' } = useQuery({ queryKey: ['a'], queryFn: ask })
    return (
      <Shared.Provider value={data}>
        <ReadsShared />
      </Shared.Provider>
    )
  },
}
function ReadsShared() {
  return useContext(Shared)
}

/** What components keep by themselves: gone with the gate around them, or with the tree where there is none. */
const KEEPERS: Record<string, Holder> = {
  useState: function Holds({ who }) {
    return useState(who)[0]
  },
  useReducer: function Holds({ who }) {
    return useReducer((of: string) => of, undefined, who)[0]
  },
  useRef: function Holds({ ask }) {
    return useLast(useQuery({ queryKey: ['a'], queryFn: ask }).data)
  },
  useDeferredValue: function Holds({ ask }) {
    return useDeferredValue(useQuery({ queryKey: ['a'], queryFn: ask }).data)
  },
  'a state set in a transition': function Holds({ ask }) {
    const { data } = useQuery({ queryKey: ['a'], queryFn: ask })
    const [shown, setShown] = useState<string>()
    useEffect(() => startTransition(() => setShown(data)), [data])
    return shown
  },
  'an action that is pending': function Holds({ ask }) {
    const [, start] = useTransition()
    const [shown, setShown] = useState<string>()
    useEffect(
      () =>
        start(async () => {
          const data = await ask()
          start(() => setShown(data))
        }),
      [ask],
    )
    return shown
  },
  'an effect that fetches, as apps without a library do': function Holds({ ask }) {
    const [shown, setShown] = useState<string>()
    useEffect(() => void ask().then(setShown), [ask])
    return shown
  },
}

/** Each in a root of its own, on a QueryClient of its own, all on one auth object. */
const PLACES: readonly ((content: ReactNode) => ReactNode)[] = [
  (content) => <Authenticated>{content}</Authenticated>,
  (content) => <Authenticated expired="sign in again">{content}</Authenticated>,
  (content) => content,
  (content) => <Authenticated>{createPortal(content, portal)}</Authenticated>,
]
const besideGate = (content: ReactNode) => (
  <>
    <Authenticated>app</Authenticated>
    {content}
  </>
)

const cases = (holders: Record<string, Holder>) =>
  Object.entries(holders).flatMap(([what, Holds]) =>
    CHANGES.map(([how, next, states]) => ({ what, Holds, how, next, states })),
  )

/** Draws what a stranger's app is made of, and waits until it shows the first user everywhere. */
async function open(Holds: Holder, places: typeof PLACES): Promise<TestAuth> {
  const auth = createTestAuth({ state: as('anna') })
  for (const wrap of places) {
    const own = createOwn(auth)
    const Content = () => (
      <p>
        it is <Holds {...own} />.{' '}
      </p>
    )
    draw(
      <QueryClientProvider client={own.client}>
        <AuthProvider auth={auth}>
          {wrap(
            <Suspense fallback={<p>loading</p>}>
              <Content />
            </Suspense>,
          )}
        </AuthProvider>
      </QueryClientProvider>,
    )
  }
  await expect.poll(() => textOf().split(ANNA).length - 1).toBe(places.length)
  await turn(20)
  return auth
}

/** Lets the user change and returns what could be read in the page afterwards. */
async function change(
  auth: TestAuth,
  states: readonly TestState[],
  beforePaint: () => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = []
  for (const state of states) {
    const watched = watch()
    auth.setState(state)
    await beforePaint()
    const { length } = watched.texts()
    const now = textOf()
    await turn(20)
    // Such a screen waits for its own user.
    if (!('reason' in state && state.reason === 'expired')) seen.push(now, ...watched.texts().slice(length))
    watched.end()
  }
  return seen
}

describe.each(cases({ ...READERS, ...KEEPERS }))('$what, by $how', ({ Holds, next, states }) => {
  it('shows the next user nothing of the one before, in gates, without one, in a portal', async () => {
    const auth = await open(Holds, PLACES)
    const seen = await change(auth, states, microtasks)
    expect(seen.filter((text) => text.includes(ANNA))).toEqual([])
    await expect.poll(() => textOf().split(next).length - 1).toBe(PLACES.length)
  })
})

describe.each(cases(READERS))('$what outside of a gate, by $how', ({ what, Holds, next, states }) => {
  it('shows the next user nothing of the one before', async () => {
    const auth = await open(Holds, [besideGate])
    // A QueryClient tells its readers in a task of their own; `useAuthed` reads the session, too.
    const seen = await change(auth, states, what === 'useAuthed' ? microtasks : async () => turn(5))
    expect(seen.filter((text) => text.includes(ANNA))).toEqual([])
    // Nobody saves again for the next one.
    if (what !== 'useMutationState') await expect.poll(textOf).toContain(next)
  })
})
