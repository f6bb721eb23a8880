// An app's own screen in its own Storybook: withAuth gives every story a session, parameters change it.
import { Authenticated, type AuthError, useLogout, useUser, useUserInfo } from 'latchkey'
import { createAuthError, withAuth } from 'latchkey/testing'
import { expect } from 'storybook/test'
import preview from '../.storybook/preview.tsx'

/** As in an app: it knows nothing of stories. */
function Desk() {
  const { userId } = useUser()
  const { data } = useUserInfo()
  const logout = useLogout()
  return (
    <>
      <h1>Hello {data?.name ?? userId}</h1>
      <button type="button" onClick={() => logout.mutate()}>
        Sign out
      </button>
    </>
  )
}

const showFailure = ({ error }: { error: AuthError }) => <p role="alert">{error.code}</p>

const App = () => (
  <Authenticated fallback={<p>Checking your session</p>} failed={showFailure}>
    <Desk />
  </Authenticated>
)

const meta = preview.meta({
  title: 'Your screens with withAuth',
  component: App,
  decorators: [withAuth({ user: { userId: 'bob' } })],
  parameters: {
    docs: {
      description: {
        component:
          'Screens of an app with `decorators: [withAuth({ user })]` in its preview; a story in another state says so in `parameters.auth`.',
      },
    },
  },
})

export const SignedIn = meta.story({
  play: ({ canvas }) =>
    expect(canvas.findByRole('heading', { name: 'Hello Name of bob' })).resolves.toBeVisible(),
})
export const AnotherUser = meta.story({
  parameters: { auth: { user: { userId: 'carol' } } },
  play: ({ canvas }) =>
    expect(canvas.findByRole('heading', { name: 'Hello Name of carol' })).resolves.toBeVisible(),
})
export const SignedOut = meta.story({
  parameters: { auth: { state: { status: 'unauthenticated', reason: 'idle' } } },
  play: ({ canvas }) => expect(canvas.queryByRole('heading', { name: /Hello/ })).toBeNull(),
})
export const ServerAway = meta.story({
  parameters: { auth: { state: { status: 'failed', error: createAuthError('network') } } },
  play: ({ canvas }) => expect(canvas.getByRole('alert')).toHaveTextContent('network'),
})
