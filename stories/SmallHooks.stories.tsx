// Hooks without a request: one value of the state, the four session hooks, text that is being typed.
import {
  type Auth,
  Authenticated,
  useAuth,
  useAuthed,
  useAuthHook,
  useAuthSelector,
  useDebouncedCallback,
  useDebouncedValue,
  useRenew,
  useStepUp,
  useUser,
  useUserText,
} from 'latchkey'
import { useAuthState, useInfiniteAuthed, useSwitchTo, useSuspenseAuthed } from 'latchkey/tanstack-query'
import { createAuthError, TestAuthProvider } from 'latchkey/testing'
import { Suspense, useState } from 'react'
import { expect, waitFor } from 'storybook/test'
import { GERMAN } from '../examples/texts/german.ts'
import preview from '../.storybook/preview.tsx'

/* oxlint-disable @tanstack/query/exhaustive-deps -- the key holds the user: these hooks scope it */

const meta = preview.meta({
  title: 'Small hooks',
  component: TestAuthProvider,
  parameters: {
    docs: {
      description: {
        component:
          'Hooks without a call of their own. Reference: [useAuthSelector](./?path=/docs/hooks-useauthselector--docs), [useAuthHook](./?path=/docs/hooks-useauthhook--docs), [useStepUp](./?path=/docs/hooks-usestepup--docs), [useSwitchTo](./?path=/docs/hooks-useswitchto--docs), [useDebouncedValue](./?path=/docs/hooks-usedebouncedvalue--docs), [useDebouncedCallback](./?path=/docs/hooks-usedebouncedcallback--docs)',
      },
    },
  },
})

function FirmName() {
  const firmId = useAuthSelector((state) =>
    state.status === 'authenticated' ? state.user.firmId : undefined,
  )
  return <h1>{firmId === undefined ? 'No firm' : `Firm ${firmId}`}</h1>
}

export const OneValueOfTheState = meta.story({
  args: { children: <FirmName /> },
  play: ({ canvas }) => expect(canvas.getByRole('heading')).toHaveTextContent('Firm f1'),
})
export const OneValueOfAnotherState = meta.story({
  args: { children: <FirmName />, state: { status: 'unauthenticated' } },
  play: ({ canvas }) => expect(canvas.getByRole('heading')).toHaveTextContent('No firm'),
})

function Failure() {
  const textOf = useUserText()
  return <p role="alert">{textOf(createAuthError('offline'))}</p>
}

export const AnErrorInTheUsersLanguage = meta.story({
  args: { children: <Failure />, messages: GERMAN },
  play: ({ canvas }) => expect(canvas.getByRole('alert')).toHaveTextContent('weil Sie offline sind'),
})

const Badge = () => <h1>Signed in as {useUser().userId}</h1>

export const TheUserInside = meta.story({
  args: {
    children: (
      <Authenticated>
        <Badge />
      </Authenticated>
    ),
  },
  play: ({ canvas }) => expect(canvas.getByRole('heading')).toHaveTextContent('Signed in as alice'),
})

const Start = () => <h1>{useAuthState({ suspense: true }).status}</h1>
const start = (
  <Suspense fallback={<p>Checking your session…</p>}>
    <Start />
  </Suspense>
)

export const SuspendedDuringStartUp = meta.story({
  args: { children: start, eager: true, state: { status: 'initializing' } },
  play: ({ canvas }) => expect(canvas.getByText('Checking your session…')).toBeVisible(),
})
export const StartedUp = meta.story({
  args: { children: start, eager: true },
  play: ({ canvas }) => expect(canvas.getByRole('heading')).toHaveTextContent('authenticated'),
})

/** An API of the app; here it responds at once. */
const askFirms = async (auth: Auth, page = 1) => [`Firm ${page} of ${await nameOf(auth)}`]
const nameOf = async (auth: Auth) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? String(state.user.userId) : 'nobody'
}
const FIRMS = ['stories', 'firms']

function Firms() {
  const { auth } = useAuth()
  const { data, fetchStatus } = useAuthed({ queryKey: FIRMS, queryFn: () => askFirms(auth) })
  return <h1>{data?.join(', ') ?? fetchStatus}</h1>
}

export const OwnQuery = meta.story({
  args: { children: <Firms /> },
  async play({ canvas }) {
    await canvas.findByRole('heading', { name: 'Firm 1 of alice' })
  },
})
export const OwnQueryHeldBack = meta.story({
  args: { children: <Firms />, state: { status: 'unauthenticated' } },
  play: ({ canvas }) => expect(canvas.getByRole('heading')).toHaveTextContent('idle'),
})

function SuspendedFirms() {
  const { auth } = useAuth()
  const { data } = useSuspenseAuthed({ queryKey: FIRMS, queryFn: () => askFirms(auth) })
  return <h1>{data.join(', ')}</h1>
}

export const OwnQuerySuspended = meta.story({
  args: {
    children: (
      <Suspense fallback={<p>Reading…</p>}>
        <SuspendedFirms />
      </Suspense>
    ),
  },
  async play({ canvas }) {
    await canvas.findByRole('heading', { name: 'Firm 1 of alice' })
  },
})

function PagedFirms() {
  const { auth } = useAuth()
  const { data, fetchNextPage } = useInfiniteAuthed({
    queryKey: [...FIRMS, 'paged'],
    queryFn: ({ pageParam }) => askFirms(auth, pageParam),
    initialPageParam: 1,
    getNextPageParam: (_last, all) => all.length + 1,
  })
  return (
    <main>
      <h1>Firms</h1>
      <p role="status">{data?.pages.flat().join(', ')}</p>
      <button type="button" onClick={() => void fetchNextPage()}>
        More
      </button>
    </main>
  )
}

export const OwnQueryPageByPage = meta.story({
  args: { children: <PagedFirms /> },
  async play({ canvas, userEvent }) {
    await canvas.findByText('Firm 1 of alice')
    await userEvent.click(canvas.getByRole('button'))
    await canvas.findByText('Firm 1 of alice, Firm 2 of alice')
  },
})

function RenewalBell() {
  const renew = useRenew()
  const [count, setCount] = useState(0)
  useAuthHook('afterRefreshToken', () => setCount((before) => before + 1))
  return (
    <main>
      <h1>Renewals</h1>
      <p role="status">{count} heard</p>
      <button type="button" onClick={() => renew.mutate({ force: true })}>
        Renew
      </button>
    </main>
  )
}

export const HookCalledAfterRenewal = meta.story({
  args: { children: <RenewalBell /> },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button'))
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('1 heard'))
  },
})

const NEEDED = createAuthError('step-up-required')

function PayOut() {
  const stepUp = useStepUp()
  return (
    <main>
      <h1>Pay out</h1>
      <p role="alert">{NEEDED.message}</p>
      <button type="button" onClick={() => stepUp.mutate({ error: NEEDED })}>
        Sign in again
      </button>
    </main>
  )
}

export const StrongerSignIn = meta.story({
  args: { children: <PayOut /> },
  async play({ canvas, userEvent }) {
    await expect(canvas.getByRole('alert')).toHaveTextContent('This needs a stronger sign-in')
    await userEvent.click(canvas.getByRole('button'))
  },
})

function OrganizationMenu() {
  const { firmId } = useUser()
  const switchTo = useSwitchTo()
  return (
    <main>
      <h1>Work for</h1>
      {['f1', 'f2'].map((organization) => (
        <button
          key={organization}
          type="button"
          aria-pressed={firmId === organization}
          onClick={() => switchTo.mutate({ organization })}
        >
          {organization}
        </button>
      ))}
    </main>
  )
}

export const AnotherOrganization = meta.story({
  args: { children: <OrganizationMenu /> },
  async play({ canvas, userEvent }) {
    await expect(canvas.getByRole('button', { name: 'f1' })).toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(canvas.getByRole('button', { name: 'f2' }))
    await waitFor(() =>
      expect(canvas.getByRole('button', { name: 'f2' })).toHaveAttribute('aria-pressed', 'true'),
    )
  },
})

function Search() {
  const [text, setText] = useState('')
  const [sent, setSent] = useState<readonly string[]>([])
  const settled = useDebouncedValue(text)
  const send = useDebouncedCallback((words: string) => setSent((before) => [...before, words]))
  return (
    <main>
      <h1>Search</h1>
      <label>
        Name{' '}
        <input
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            send(target.value)
          }}
        />
      </label>
      <p role="status">
        Shown: {settled}. Sent {sent.length}: {sent.join(', ')}
      </p>
    </main>
  )
}

export const TypedQuicklySentOnce = meta.story({
  args: { children: <Search /> },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByRole('textbox'), 'anna')
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Shown: anna. Sent 1: anna'))
  },
})
