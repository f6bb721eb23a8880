// The gate: its content for the signed-in user, its screens for others, and a failure.
import { expect, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { useAuth } from '../src/hooks/useAuth.ts'
import { useAuthed } from '../src/hooks/useAuthed.ts'
import { useForbidden } from '../src/hooks/useErrors.ts'
import { Authenticated, type AuthenticatedProps } from '../src/provider/Authenticated.tsx'
import type { AuthState } from '../src/session/state.ts'
import { TestAuthProvider } from '../src/testing/TestAuthProvider.tsx'
import type { TestState } from '../src/testing/testState.ts'
import { type AuthScene, createAuthScene, InScene } from './authScene.tsx'

/** The session around the gate, for the controls. */
interface Shown {
  status?: AuthState['status']
  userId?: string
  /** Comma-separated ids. */
  allowed?: string
}

const gate = (scene: unknown, props: AuthenticatedProps = {}) => (
  <InScene scene={scene as AuthScene}>
    <Authenticated fallback={<p>Checking your session</p>} {...props}>
      <h2>The firm</h2>
      <p>For its staff alone.</p>
    </Authenticated>
  </InScene>
)

/** A control with the prop's own type. */
const text = (description: string, summary: string) => ({
  description,
  control: 'text' as const,
  table: { type: { summary } },
})

const meta = preview.type<{ args: AuthenticatedProps & Shown }>().meta({
  title: 'Authenticated',
  component: Authenticated,
  parameters: {
    docs: {
      description: {
        component:
          'The gate in front of what is for staff alone. Reference: [Authenticated](./?path=/docs/components-authenticated--docs)',
      },
    },
  },
})

/** Change them with the controls below the story. */
export const WithControls = meta.story({
  args: { status: 'authenticated', userId: 'alice', allowed: 'alice, bob' },
  argTypes: {
    status: {
      description: 'The state of the session',
      control: 'select',
      options: ['authenticated', 'unauthenticated', 'initializing', 'redirecting'],
      table: { type: { summary: "AuthState['status']" } },
    },
    userId: text('Who is signed in', 'string'),
    allowed: text('Who may see the content, for `allow`', 'string'),
  },
  render: ({ status = 'authenticated', userId, allowed = '', ...props }) => (
    <TestAuthProvider state={stateOf(status, userId)} key={`${status} ${userId}`}>
      <Authenticated {...props} allow={(user) => allowed.split(/[ ,]+/).includes(String(user.userId))}>
        <h2>The firm</h2>
        <p>For its staff alone.</p>
      </Authenticated>
    </TestAuthProvider>
  ),
  play: ({ canvas }) => waitFor(() => expect(canvas.getByText('For its staff alone.')).toBeVisible()),
})

export const ControlsRefuse = WithControls.extend({
  args: { userId: 'carol', forbidden: 'Ask your administrator.' },
  play: ({ canvas }) => waitFor(() => expect(canvas.getByText('Ask your administrator.')).toBeVisible()),
})

function stateOf(status: AuthState['status'], userId = 'alice'): TestState {
  if (status === 'authenticated') return { status, user: { userId } }
  if (status === 'unauthenticated') return { status, reason: 'idle' }
  return { status }
}

export const SignedIn = meta.story({
  loaders: [() => createAuthScene()],
  render: (args, { loaded }) => gate(loaded, args),
  play: ({ canvas }) => waitFor(() => expect(canvas.getByText('For its staff alone.')).toBeVisible()),
})

export const NotSignedIn = meta.story({
  loaders: [() => createAuthScene({ isSignedIn: false })],
  render: (args, { loaded }) => gate(loaded, args),
  async play({ canvas, userEvent, loaded }) {
    await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect((loaded as unknown as AuthScene).host.navigations).toHaveLength(1))
    await waitFor(() => expect(canvas.getByText('Checking your session')).toBeVisible())
  },
})

export const OnlyForSome = meta.story({
  loaders: [() => createAuthScene()],
  render: (args, { loaded }) => gate(loaded, { ...args, allow: ({ userId }) => userId === 'alice' }),
  play: ({ canvas }) => waitFor(() => expect(canvas.getByText('For its staff alone.')).toBeVisible()),
})

export const Forbidden = meta.story({
  loaders: [() => createAuthScene()],
  render: (args, { loaded }) => gate(loaded, { ...args, allow: ({ userId }) => userId === 'bob' }),
  async play({ canvas }) {
    await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('You are not allowed'))
    await expect(canvas.queryByText('For its staff alone.')).toBeNull()
  },
})

function Invoices() {
  const { auth } = useAuth()
  const { data, error } = useAuthed({
    queryKey: ['stories', 'invoices'],
    queryFn: () => auth.fetch<string>('/api/invoices'),
  })
  const refused = useForbidden(error)
  return refused ? refused.screen : <p>{data ?? 'Reading the invoices'}</p>
}
const refusedCall = (props: AuthenticatedProps = {}) => (
  <TestAuthProvider
    respond={({ url }) =>
      url.endsWith('/api/invoices')
        ? Response.json({ detail: 'Invoices are for the accounts department.' }, { status: 403 })
        : undefined
    }
  >
    <Authenticated {...props}>
      <Invoices />
    </Authenticated>
  </TestAuthProvider>
)

export const CallRefused = meta.story({
  render: () => refusedCall(),
  play: ({ canvas }) =>
    waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('for the accounts department')),
})
export const CallRefusedAsTheAppWantsIt = meta.story({
  render: () =>
    refusedCall({
      forbidden: (user, error) => (
        <p>
          {user.userId}: {error?.description}
        </p>
      ),
    }),
  play: ({ canvas }) =>
    waitFor(() => expect(canvas.getByText('alice: Invoices are for the accounts department.')).toBeVisible()),
})

export const NotSignedInAsTheAppWantsIt = meta.story({
  loaders: [() => createAuthScene({ isSignedIn: false })],
  render: (_, { loaded }) =>
    gate(loaded, {
      unauthenticated: (_state, signIn) => (
        <button type="button" onClick={signIn}>
          Enter
        </button>
      ),
    }),
  play: ({ canvas }) => waitFor(() => expect(canvas.getByRole('button', { name: 'Enter' })).toBeVisible()),
})

export const SignInFailed = meta.story({
  loaders: [() => createAuthScene({ isSignedIn: false })],
  render: (args, { loaded }) => gate(loaded, args),
  async play({ canvas, userEvent, loaded }) {
    ;(loaded as unknown as AuthScene).host.setOnline(false)
    await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('you are offline'))
  },
})

/** The gate's own screen in a state, without content of the app. */
const inState = (state: TestState, seen: RegExp, button?: string) => ({
  render: (args: AuthenticatedProps) => (
    <TestAuthProvider state={state}>
      <Authenticated {...args}>
        <p>For its staff alone.</p>
      </Authenticated>
    </TestAuthProvider>
  ),
  async play({ canvasElement }: { canvasElement: HTMLElement }) {
    const canvas = within(canvasElement)
    await waitFor(() => expect(canvas.getByText(seen)).toBeVisible())
    if (button !== undefined) await expect(canvas.getByRole('button', { name: button })).toBeVisible()
    await expect(canvas.queryByText('For its staff alone.')).toBeNull()
  },
})

export const SignedOut = meta.story(
  inState({ status: 'unauthenticated', reason: 'signed-out' }, /signed out/i, 'Sign in'),
)

/** With the name and the mark of the app. */
export const WithNameAndMark = meta.story({
  ...SignedOut.input,
  args: {
    appName: 'Deskwell',
    mark: (
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <circle cx="16" cy="16" r="16" fill="currentColor" />
      </svg>
    ),
  },
})

export const SignedOutDark = meta.story({ ...SignedOut.input, globals: { theme: 'dark' } })

export const StartUpFailed = meta.story(inState({ status: 'failed' }, /could not be reached/, 'Try again'))

export const StartUpFailedDark = meta.story({ ...StartUpFailed.input, globals: { theme: 'dark' } })

export const ForbiddenDark = meta.story({ ...Forbidden.input, globals: { theme: 'dark' } })
