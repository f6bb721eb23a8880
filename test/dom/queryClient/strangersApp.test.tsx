// Ordinary apps that know none of latchkey's helpers: whatever holds what one user saw, the next one never reads it in the page.

import {
  defaultScheduler,
  dehydrate,
  type DehydratedState,
  HydrationBoundary,
  keepPreviousData,
  notifyManager,
  QueryClient,
  QueryClientProvider,
  QueryObserver,
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
  StrictMode,
  Suspense,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} from 'react'
import { createPortal } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useAuth, useUser } from '../../../src/hooks/useAuth.ts'
import { useAuthed } from '../../../src/hooks/useAuthed.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { internalsOf } from '../../../src/session/internals.ts'
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
  ['sign-out and sign-in', 'bob of f1', [{ status: 'unauthenticated', reason: 'signed-out' }, as('bob')]],
  ['a switch to another firm', 'anna of f2', [as('anna', 'f2')]],
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
  'structural sharing that keeps what was': function Holds({ ask }) {
    const structuralSharing = (before: unknown, now: unknown) => [before, now].join(' then ')
    return useQuery({ queryKey: ['a'], queryFn: ask, structuralSharing }).data
  },
  'the cache, followed by the app': function Holds({ ask, client }) {
    const { data } = useQuery({ queryKey: ['a'], queryFn: ask })
    const stored = useSyncExternalStore(
      (tell) => client.getQueryCache().subscribe(notifyManager.batchCalls(tell)),
      () => client.getQueryData<string>(['a']),
    )
    return data && stored
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
  useMutation: function Holds({ ask }) {
    const { mutate, data } = useMutation({ mutationFn: ask })
    useEffect(() => mutate(), [mutate])
    return data
  },
  useMutationState: function Holds({ ask }) {
    const { mutate } = useMutation({ mutationKey: ['save'], mutationFn: ask })
    useEffect(() => mutate(), [mutate])
    return useMutationState<string | undefined>({ select: ({ state }) => state.data as string }).at(-1)
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
/** Below the name of the user, as a header has it. */
const besideGate = (content: ReactNode) => (
  <>
    <Name />
    <Authenticated>app</Authenticated>
    {content}
  </>
)
function Name() {
  const { user } = useAuth()
  return user && <b>{nameOf(user)}</b>
}
const nameOf = ({ userId, firmId }: { userId?: unknown; firmId?: unknown }) =>
  `<${String(userId)} ${String(firmId)}>`

const cases = (holders: Record<string, Holder>, changes: typeof CHANGES) =>
  Object.entries(holders).flatMap(([what, Holds]) =>
    changes.map(([how, next, states]) => ({ what, Holds, how, next, states })),
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
      <StrictMode>
        <QueryClientProvider client={own.client}>
          <AuthProvider auth={auth}>
            {wrap(
              <Suspense fallback={<p>loading</p>}>
                <Content />
              </Suspense>,
            )}
          </AuthProvider>
        </QueryClientProvider>
      </StrictMode>,
    )
  }
  await shown(places.length)
  return auth
}

/** Waits until the first user's data are on the screen, and the components have run their effects: they subscribe in them. */
async function shown(count = 1): Promise<void> {
  await expect.poll(() => textOf().split(ANNA).length - 1).toBe(count)
  await turn(20)
}

/** Lets the user change. Returns what could be read in the page: after each, and in between, too. */
async function change(
  auth: TestAuth,
  states: readonly TestState[],
): Promise<{ after: string[]; all: string[] }> {
  const after: string[] = []
  const all: string[] = []
  for (const state of states) {
    const watched = watch()
    auth.setState(state)
    await microtasks()
    const { length } = watched.texts()
    const now = textOf()
    await turn(20)
    // A screen of which the session has expired waits for its own user.
    if (!('reason' in state && state.reason === 'expired')) after.push(now, ...watched.texts().slice(length))
    all.push(...watched.texts())
    watched.end()
  }
  return { after, all }
}

for (const { changes, tags } of [
  { changes: CHANGES.slice(0, 1), tags: [] },
  { changes: CHANGES.slice(1, 2), tags: ['thorough'] },
  { changes: CHANGES.slice(2), tags: ['night'] },
]) {
  describe.each(cases({ ...READERS, ...KEEPERS }, changes))(
    '$what, by $how',
    { tags },
    ({ Holds, next, states }) => {
      it('shows the next user nothing of the one before, in gates, without one, in a portal', async () => {
        const auth = await open(Holds, PLACES)
        const { after } = await change(auth, states)
        expect(after.filter((text) => text.includes(ANNA))).toEqual([])
        await expect.poll(() => textOf().split(next).length - 1).toBe(PLACES.length)
      })
    },
  )

  describe.each(cases(READERS, changes))(
    '$what outside of a gate, by $how',
    { tags },
    ({ what, Holds, next, states }) => {
      it('shows the next user nothing of the one before, and never beside their name', async () => {
        const auth = await open(Holds, [besideGate])
        const { after, all } = await change(auth, states)
        expect(after.filter((text) => text.includes(ANNA))).toEqual([])
        const isMixed = (text: string) =>
          text.includes(ANNA) && text.includes('<') && !text.includes('<anna f1>')
        expect(all.filter(isMixed)).toEqual([])
        // Nobody saves again for the next one.
        if (!what.startsWith('useMutation')) await expect.poll(textOf).toContain(next)
      })
    },
  )
}

const Plain: Holder = function Holds({ ask }) {
  return useQuery({ queryKey: ['a'], queryFn: ask }).data
}
const bob = as('bob')
/** What can be read right after another user has come. */
const readAfterChange = async (auth: TestAuth) => {
  const { after } = await change(auth, [bob])
  return after.filter((text) => text.includes(ANNA))
}

describe('an app that has set when TanStack Query tells its components', () => {
  afterEach(() => notifyManager.setScheduler(defaultScheduler))

  it.each<[string, (call: () => void) => unknown]>([
    ['in the next frame', (call) => requestAnimationFrame(call)],
    ['much later', (call) => setTimeout(call, 50)],
    ['in a microtask', queueMicrotask],
    ['at once', (call) => call()],
  ])(
    '%s: the next user is shown nothing of the one before, and the app tells as before',
    async (_when, schedule) => {
      let count = 0
      notifyManager.setScheduler((call) => {
        count += 1
        schedule(call)
      })
      const auth = await open(Plain, [besideGate])
      const before = count
      expect(before).toBeGreaterThan(0)
      expect(await readAfterChange(auth)).toEqual([])
      await expect.poll(textOf).toContain('bob of f1')
      // Whatever comes for the next user.
      expect(count).toBeGreaterThan(before)
    },
  )
})

it('a subscriber of the app that throws keeps nobody from hearing that the user goes', async () => {
  const auth = createTestAuth({ state: as('anna') })
  const own = createOwn(auth)
  const warnings: unknown[][] = []
  Object.assign(internalsOf(auth).platform, { warn: (...said: unknown[]) => warnings.push(said) })
  const failure = new Error('of the app')
  let failures: Error[] = []
  const draws = (content: ReactNode) =>
    draw(
      <QueryClientProvider client={own.client}>
        <AuthProvider auth={auth}>{besideGate(content)}</AuthProvider>
      </QueryClientProvider>,
    )
  draws(null)
  await turn(5)
  const observer = new QueryObserver(own.client, { queryKey: ['a'], queryFn: own.ask })
  // Before the component, so it is told first.
  const stop = observer.subscribe(
    notifyManager.batchCalls(({ data }: { data?: unknown }) => {
      const [first] = data === undefined ? failures : []
      failures = []
      if (first) throw first
    }),
  )
  draws(<Plain {...own} />)
  await shown()
  failures = [failure]
  expect(await readAfterChange(auth)).toEqual([])
  expect(warnings).toEqual([['A callback failed while the user changed', failure]])
  await expect.poll(textOf).toContain('bob of f1')
  stop()
})

it('a QueryClient of some components is emptied with an AuthProvider of its own', async () => {
  const auth = createTestAuth({ state: as('anna') })
  const other = createOwn(auth)
  draw(
    <QueryClientProvider client={createOwn(auth).client}>
      <AuthProvider auth={auth}>
        {besideGate(
          <AuthProvider auth={auth} queryClient={other.client}>
            <Plain {...other} />
          </AuthProvider>,
        )}
      </AuthProvider>
    </QueryClientProvider>,
  )
  await shown()
  expect(await readAfterChange(auth)).toEqual([])
  await expect.poll(textOf).toContain('bob of f1')
})

/** As in docs/clearingData.md. */
function Hydrated({ of, state, children }: { of: string; state: DehydratedState; children: ReactNode }) {
  const isTheirs = String(useUser().userId) === of
  return <HydrationBoundary state={isTheirs ? state : undefined}>{children}</HydrationBoundary>
}

it('a state that a server has made for one user is not given to the next', async () => {
  const auth = createTestAuth({ state: as('anna') })
  const own = createOwn(auth)
  const server = new QueryClient()
  server.setQueryData(['a'], ANNA)
  const state = dehydrate(server)
  draw(
    <QueryClientProvider client={own.client}>
      <AuthProvider auth={auth}>
        <Authenticated>
          <Hydrated of="anna" state={state}>
            <Plain {...own} />
          </Hydrated>
        </Authenticated>
      </AuthProvider>
    </QueryClientProvider>,
  )
  await shown()
  expect(await readAfterChange(auth)).toEqual([])
  await expect.poll(textOf).toContain('bob of f1')
})
