// All session states that a user can see, set by TestAuthProvider, each with its words and buttons.
import { TestAuthProvider, createAuthError } from 'latchkey/testing'
import { expect, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { SessionScreen } from './SessionScreen.tsx'

const EXPIRES_AT_MS = Date.UTC(2030, 0, 1, 12, 0, 0)
const ALICE = { status: 'authenticated', expiresAtMs: EXPIRES_AT_MS } as const

const meta = preview.meta({
  title: 'Session/States',
  component: TestAuthProvider,
  parameters: {
    docs: {
      description: {
        component:
          'Every state of a session, set by a test. Reference: [useAuth](./?path=/docs/hooks-useauth--docs), [useAccessTokenExpiry](./?path=/docs/hooks-useaccesstokenexpiry--docs), [useLogin](./?path=/docs/hooks-uselogin--docs), [useLogout](./?path=/docs/hooks-uselogout--docs), [useRenew](./?path=/docs/hooks-userenew--docs)',
      },
    },
  },
  args: {
    children: <SessionScreen />,
    fallback: <p role="status">Checking your session</p>,
  },
})

export const Starting = meta.story({
  args: { state: { status: 'initializing' } },
  play: ({ canvas }) => expect(canvas.getByRole('status')).toHaveTextContent('Checking your session'),
})

export const SignedIn = meta.story({
  args: { state: ALICE },
  play: ({ canvas }) => expect(canvas.getByText('12:00:00')).toBeVisible(),
})

export const SignedInDark = meta.story({ ...SignedIn.input, globals: { theme: 'dark' } })

export const SignedInNarrow = meta.story({
  ...SignedIn.input,
  decorators: [
    (Story) => (
      <div style={{ width: 328 }}>
        <Story />
      </div>
    ),
  ],
})

export const LifetimeUnknown = meta.story({
  args: { state: { status: 'authenticated', expiresAtMs: undefined } },
  play: ({ canvas }) => expect(canvas.getByText('unknown')).toBeVisible(),
})

export const Impersonating = meta.story({
  args: { state: { ...ALICE, user: { impersonatorId: 'dora' } } },
  play: ({ canvas }) =>
    expect(canvas.getByRole('status')).toHaveTextContent('You are dora, working as alice.'),
})

export const Offline = meta.story({
  args: { state: { ...ALICE, isOnline: false } },
  play: ({ canvas }) => expect(canvas.getByRole('status')).toHaveTextContent('You are offline.'),
})

export const ServerOutOfReach = meta.story({
  args: { state: { ...ALICE, isTokenExpired: true } },
  play: ({ canvas }) => expect(canvas.getByRole('status')).toHaveTextContent('The server cannot be reached.'),
})

export const RealTimeConnected = meta.story({
  args: { state: { ...ALICE, realtime: 'connected' } },
  play: ({ canvas }) => expect(canvas.getByText('connected')).toBeVisible(),
})

export const RealTimeDegraded = meta.story({
  args: { state: { ...ALICE, realtime: 'degraded' } },
  play: ({ canvas }) => expect(canvas.getByText('degraded')).toBeVisible(),
})

export const NotSignedIn = meta.story({
  args: { state: { status: 'unauthenticated' } },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('on the way to login'))
  },
})

export const SignedOut = meta.story({
  args: { state: { status: 'unauthenticated', reason: 'signed-out' } },
  play: ({ canvas }) => expect(canvas.getByText('You signed out.')).toBeVisible(),
})

export const SignedOutAfterIdleTime = meta.story({
  args: { state: { status: 'unauthenticated', reason: 'idle' } },
  play: ({ canvas }) => expect(canvas.getByText(/nothing had happened/)).toBeVisible(),
})

export const SignedOutByAnotherBrowser = meta.story({
  args: {
    state: {
      status: 'unauthenticated',
      reason: 'session-clash',
      cause: createAuthError('session-clash'),
    },
  },
  play: ({ canvas }) => expect(canvas.getByRole('alert')).toHaveTextContent('Sign in here to go on here.'),
})

export const SignedOutByAnotherUser = meta.story({
  args: {
    state: {
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: createAuthError('identity-changed'),
    },
  },
  play: ({ canvas }) => expect(canvas.getByRole('alert')).toHaveTextContent('Another user signed in.'),
})

export const Expired = meta.story({
  args: {
    state: { status: 'unauthenticated', reason: 'expired', cause: createAuthError('invalid-grant') },
  },
  play: ({ canvas }) => expect(canvas.getByRole('alert')).toHaveTextContent('The server ended this session.'),
})

export const Cancelled = meta.story({
  args: {
    state: { status: 'unauthenticated', reason: 'cancelled', cause: createAuthError('access-denied') },
  },
  play: ({ canvas }) => expect(canvas.getByText('You cancelled the sign-in.')).toBeVisible(),
})

export const OnTheWayToTheSignInPage = meta.story({
  args: { state: { status: 'redirecting', to: 'login' } },
  play: ({ canvas }) => expect(canvas.getByRole('status')).toHaveTextContent('on the way to login'),
})

export const OnTheWayToAnotherEnvironment = meta.story({
  args: { state: { status: 'redirecting', to: 'environment' } },
  play: ({ canvas }) => expect(canvas.getByRole('status')).toHaveTextContent('on the way to environment'),
})

export const Failed = meta.story({
  args: { state: { status: 'failed' } },
  play: ({ canvas }) => expect(canvas.getByRole('button', { name: 'Try again' })).toBeVisible(),
})

export const FailedDark = meta.story({ ...Failed.input, globals: { theme: 'dark' } })
