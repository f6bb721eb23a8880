// Proves in a real browser that no data of the previous user is painted by screens that were hidden while the user changed.

import { QueryClient, useQuery } from '@tanstack/react-query'
import { Activity, type ReactNode, StrictMode, Suspense, use, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, describe, expect, it } from 'vitest'
import { useAuth, useAuthSelector, useAuthState, useLastUser } from '../../../src/hooks/useAuth.ts'
import { useAuthed } from '../../../src/hooks/useAuthed.ts'
import { useIdle } from '../../../src/hooks/useIdle.ts'
import { useSessionPresence } from '../../../src/hooks/useRealtime.ts'
import { useUserInfo } from '../../../src/hooks/serverCalls.ts'
import { Authenticated } from '../../../src/provider/Authenticated.tsx'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { SignInAgainDialog } from '../../../src/provider/SignInAgainDialog.tsx'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'
import { createTestAuth, type TestAuth } from '../../../src/testing/testAuth.ts'

const page = document.createElement('div')
document.body.append(page)
let root: Root
const show = (content: ReactNode) => {
  root = createRoot(page)
  root.render(content)
}
let changes: MutationObserver | undefined
afterEach(() => {
  changes?.disconnect()
  root.unmount()
})

/** The page's text after each of its changes, painted or not. */
function watch(): () => string[] {
  const read = new Set<string>()
  const look = () => void read.add(document.body.innerText.replaceAll(/\s+/g, ' ').trim())
  look()
  changes = new MutationObserver(look)
  changes.observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true })
  return () => [...read]
}
const frames = async (count = 4) => {
  for (let frame = 0; frame < count; frame += 1)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => setTimeout(resolve, 20))
}

const auth = () => createTestAuth({ state: { status: 'authenticated', user: { userId: 'anna' } } })
const bob = { status: 'authenticated', user: { userId: 'bob' } } as const

/** Keeps the state of its first user. */
function Draft({ of: own }: { of: TestAuth }) {
  const [text] = useState(() => {
    const state = own.getState()
    return state.status === 'authenticated' ? `draft of ${String(state.user.userId)}` : ''
  })
  return <p>{text}</p>
}

/** Content that can be hidden and shown again by React's Activity. */
function createHideable(content: ReactNode) {
  let turn: (mode: 'visible' | 'hidden') => void = () => {}
  function Hideable() {
    const [mode, setMode] = useState<'visible' | 'hidden'>('visible')
    turn = setMode
    return <Activity mode={mode}>{content}</Activity>
  }
  return { Hideable, hide: () => turn('hidden'), showAgain: () => turn('visible') }
}

/** Hides a screen, lets the user change meanwhile and shows it again. Returns the page's texts from then on. */
async function comeBack(
  { hide, showAgain }: ReturnType<typeof createHideable>,
  change: () => unknown,
  withoutIt = 'head',
) {
  hide()
  await expect.poll(() => document.body.innerText.trim()).toBe(withoutIt)
  await change()
  await frames(10)
  const painted = watch()
  setTimeout(showAgain)
  await frames(10)
  return painted
}
/** Below a provider, beside a gate that says "head". */
const showBesideGate = (own: TestAuth, content: ReactNode) =>
  show(
    <AuthProvider auth={own} queryClient={new QueryClient()}>
      <Authenticated unauthenticated="head">head</Authenticated>
      {content}
    </AuthProvider>,
  )

describe.each<[string, (children: ReactNode) => ReactNode]>([
  ['without a gate', (children) => children],
  ['in a gate', (children) => <Authenticated>{children}</Authenticated>],
])('%s, nothing of the previous user is painted', (_where, gate) => {
  it('by a provider that was not mounted', async () => {
    const own = auth()
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
    const read: unknown[] = []
    function Invoices() {
      const { data } = useQuery({ queryKey: ['invoices'], queryFn: () => new Promise<string>(() => {}) })
      read.push(data)
      return <p>{data ?? 'nothing'}</p>
    }
    const app = (
      <AuthProvider auth={own} queryClient={client}>
        {gate(<Invoices />)}
      </AuthProvider>
    )
    client.setQueryData(['invoices'], 'of anna')
    show(app)
    await expect.poll(() => document.body.innerText).toBe('of anna')
    root.render(null)
    await expect.poll(() => document.body.innerText).toBe('')
    own.setState(bob)
    const painted = watch()
    read.length = 0
    setTimeout(() => root.render(app))
    await frames(10)
    expect([painted(), read.includes('of anna')]).toEqual([['', 'nothing'], false])
  })

  it('by a hidden provider', async () => {
    const own = auth()
    const client = new QueryClient()
    let set: (wait: Promise<void>) => void = () => {}
    function Waits() {
      const [wait, setWait] = useState<Promise<void>>()
      set = setWait
      if (wait) use(wait)
      return null
    }
    show(
      <Suspense fallback="waits">
        <Waits />
        <AuthProvider auth={own} queryClient={client}>
          {gate(<Draft of={own} />)}
        </AuthProvider>
      </Suspense>,
    )
    await expect.poll(() => document.body.innerText).toBe('draft of anna')
    let go = () => {}
    set(
      new Promise((resolve) => {
        go = resolve
      }),
    )
    await expect.poll(() => document.body.innerText).toBe('waits')
    own.setState(bob)
    await frames(10)
    const painted = watch()
    go()
    await frames(10)
    expect(painted()).toEqual(['waits', 'draft of bob'])
  })

  it('by a provider hidden by an Activity', async () => {
    const own = auth()
    const client = new QueryClient()
    const screen = createHideable(
      <AuthProvider auth={own} queryClient={client}>
        {gate(<Draft of={own} />)}
      </AuthProvider>,
    )
    show(<screen.Hideable />)
    await expect.poll(() => document.body.innerText).toBe('draft of anna')
    const painted = await comeBack(screen, () => own.setState(bob), '')
    expect(painted()).toEqual(['', 'draft of bob'])
  })
})

describe('while the screen stays', () => {
  function Invoices({ of: own }: { of: TestAuth }) {
    const { data } = useQuery({
      queryKey: ['invoices'],
      queryFn: () => {
        const state = own.getState()
        return state.status === 'authenticated' ? `of ${String(state.user.userId)}` : 'of nobody'
      },
    })
    return <p>{data ?? 'nothing'}</p>
  }
  function Name() {
    const { user } = useAuth()
    return <b>{user ? String(user.userId) : 'signed out'}</b>
  }

  it('a plain query outside any gate is never painted beside the name of the next user', async () => {
    const own = auth()
    showBesideGate(
      own,
      <StrictMode>
        <Name />
        <Invoices of={own} />
      </StrictMode>,
    )
    await expect.poll(() => document.body.innerText).toContain('of anna')
    await frames()
    const read = watch()
    // At different times within a frame.
    for (let round = 0; round < 10; round += 1) {
      own.setState(bob)
      await frames(2)
      own.setState({ status: 'authenticated', user: { userId: 'anna' } })
      await new Promise((resolve) => setTimeout(resolve, 3 * round))
    }
    own.setState({ status: 'unauthenticated', reason: 'signed-out' })
    await frames()
    expect([...new Set(read().map((text) => text.replace('head', '').trim()))].toSorted()).toEqual([
      'anna nothing',
      'anna of anna',
      'bob nothing',
      'bob of bob',
      'signed out nothing',
      'signed out of nobody',
    ])
  })

  it('a view transition that is skipped in onUserGone shows no snapshot of their page', async () => {
    const own = auth()
    const pictures = () =>
      document
        .getAnimations()
        .filter(({ effect }) => (effect as KeyframeEffect).pseudoElement?.includes('view-transition-old'))
        .length
    const style = document.createElement('style')
    style.textContent = '::view-transition-old(root) { animation-duration: 60s }'
    document.head.append(style)
    showBesideGate(own, <Name />)
    await expect.poll(() => document.body.innerText).toContain('anna')
    await document.startViewTransition(() => {}).ready
    expect(pictures()).toBeGreaterThan(0)
    own.onUserGone(() => document.activeViewTransition?.skipTransition())
    own.setState(bob)
    await frames(1)
    expect(pictures()).toBe(0)
    expect(document.body.innerText).toContain('bob')
    style.remove()
  })
})

it('nothing of the previous user is painted by a gate hidden by an Activity beside another gate', async () => {
  const own = auth()
  const screen = createHideable(
    <Authenticated>
      <Draft of={own} />
    </Authenticated>,
  )
  showBesideGate(own, <screen.Hideable />)
  await expect.poll(() => document.body.innerText).toContain('draft of anna')
  const painted = await comeBack(screen, () => own.setState(bob))
  expect(painted()).toEqual(['head', 'head draft of bob'])
})

describe('shown again outside any gate, nothing of the previous user is painted by', () => {
  const userId = (user: { userId?: unknown } | undefined) => String(user?.userId)
  const of = (own: TestAuth) => {
    const state = own.getState()
    return state.status === 'authenticated' ? userId(state.user) : 'nobody'
  }
  it.each<[string, (own: TestAuth) => ReactNode]>([
    ['useAuth', () => userId(useAuth().user)],
    ['useAuthSelector', () => useAuthSelector((state) => ('user' in state ? userId(state.user) : 'nobody'))],
    [
      'useAuthState',
      () => {
        const state = useAuthState()
        return 'user' in state ? userId(state.user) : 'nobody'
      },
    ],
    ['useUser and useForbidden', () => userId(useLastUser())],
    ['useSessionPresence', () => useSessionPresence().map(({ agentId }) => agentId)],
    ['useIdle', () => String(useIdle().remainingMs)],
    ['useUserInfo', () => useUserInfo().data?.name],
    [
      'useAuthed',
      (own) => useAuthed({ queryKey: ['who'], queryFn: async () => of(own), staleTime: Infinity }).data,
    ],
  ])('%s', async (_name, useText) => {
    const own = auth()
    const mark = (who: string, remainingMs: number) => {
      own.setOccupants([{ agentId: who }])
      own.setIdleRemainingMs(remainingMs)
    }
    mark('anna', 41_000)
    const Reads = () => <p>reads {useText(own)}</p>
    const screen = createHideable(<Reads />)
    showBesideGate(own, <screen.Hideable />)
    await expect.poll(() => document.body.innerText).toMatch(/reads .*(anna|41000)/)
    const painted = await comeBack(screen, () => {
      own.setState(bob)
      mark('bob', 23_000)
    })
    expect(painted().join()).not.toMatch(/anna|41000/)
    expect(document.body.innerText).toMatch(/reads .*(bob|23000)/)
  })
})

const expired = { status: 'unauthenticated', reason: 'expired' } as const

it('a dialog that asks to sign in again is not painted if the user did so while it was hidden', async () => {
  const own = createTestAuth({ state: expired })
  const screen = createHideable(<SignInAgainDialog />)
  showBesideGate(own, <screen.Hideable />)
  await expect.poll(() => document.body.innerText).toContain('Sign in')
  const painted = await comeBack(screen, () => own.setState(bob))
  expect(painted()).toEqual(['head'])
})

describe('a hidden gate keeps nothing of the previous user', () => {
  it.each([
    ['when the next one has expired too', [bob, expired]],
    ['when the session has expired', [expired]],
  ] as const)('%s', async (_name, states) => {
    const own = auth()
    const screen = createHideable(
      <Authenticated unauthenticated={<p>signed out</p>} expired="sign in again">
        <Draft of={own} />
      </Authenticated>,
    )
    showBesideGate(own, <screen.Hideable />)
    await expect.poll(() => document.body.innerText).toContain('draft of anna')
    const painted = await comeBack(screen, async () => {
      for (const state of states) {
        own.setState(state)
        await frames(10)
      }
    })
    expect(painted()).toEqual(['head', 'head signed out'])
  })
})

describe('toasts of the previous user are not painted', () => {
  afterEach(() => notify.dismiss())

  it('by a toaster hidden by an Activity', async () => {
    const own = auth()
    const screen = createHideable(<AuthToaster />)
    showBesideGate(own, <screen.Hideable />)
    notify.error('the invoice of anna', { durationMs: Infinity })
    await expect.poll(() => document.body.innerText).toContain('the invoice of anna')
    const painted = await comeBack(screen, () => own.setState(bob))
    notify.info('hello bob')
    await expect.poll(() => document.body.innerText).toContain('hello bob')
    expect(painted().join()).not.toContain('anna')
  })

  it('by a toaster that was not mounted', async () => {
    const own = auth()
    const client = new QueryClient()
    const app = (toaster: ReactNode) => (
      <AuthProvider auth={own} queryClient={client}>
        head{toaster}
      </AuthProvider>
    )
    show(app(<AuthToaster />))
    notify.error('the invoice of anna', { durationMs: Infinity })
    await expect.poll(() => document.body.innerText).toContain('the invoice of anna')
    root.render(app(null))
    await expect.poll(() => document.body.innerText.trim()).toBe('head')
    own.setState(bob)
    await frames(10)
    const painted = watch()
    setTimeout(() => root.render(app(<AuthToaster />)))
    await frames(10)
    notify.info('hello bob')
    await expect.poll(() => document.body.innerText).toContain('hello bob')
    expect(painted().join()).not.toContain('anna')
  })
})
