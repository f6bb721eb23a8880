// The gate: what the signed-in user sees, what others see, and what a failure looks like.
import { expect, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { Authenticated, type AuthenticatedProps } from '../src/provider/Authenticated.tsx'
import { type AuthScene, createAuthScene, InScene } from './authScene.tsx'

const gate = (scene: unknown, props: AuthenticatedProps = {}) => (
  <InScene scene={scene as AuthScene}>
    <Authenticated fallback={<p>Checking your session</p>} {...props}>
      <h2>The firm</h2>
      <p>For its staff alone.</p>
    </Authenticated>
  </InScene>
)

const meta = preview.meta({
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

export const SignedIn = meta.story({
  loaders: [() => createAuthScene()],
  render: (_, { loaded }) => gate(loaded),
  play: ({ canvas }) => waitFor(() => expect(canvas.getByText('For its staff alone.')).toBeVisible()),
})

export const NotSignedIn = meta.story({
  loaders: [() => createAuthScene({ isSignedIn: false })],
  render: (_, { loaded }) => gate(loaded),
  async play({ canvas, userEvent, loaded }) {
    await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect((loaded as unknown as AuthScene).host.navigations).toHaveLength(1))
    await waitFor(() => expect(canvas.getByText('Checking your session')).toBeVisible())
  },
})

export const OnlyForSome = meta.story({
  loaders: [() => createAuthScene()],
  render: (_, { loaded }) => gate(loaded, { allow: ({ userId }) => userId === 'alice' }),
  play: ({ canvas }) => waitFor(() => expect(canvas.getByText('For its staff alone.')).toBeVisible()),
})

export const Forbidden = meta.story({
  loaders: [() => createAuthScene()],
  render: (_, { loaded }) => gate(loaded, { allow: ({ userId }) => userId === 'bob' }),
  async play({ canvas }) {
    await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('You are not allowed'))
    await expect(canvas.queryByText('For its staff alone.')).toBeNull()
  },
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
  render: (_, { loaded }) => gate(loaded),
  async play({ canvas, userEvent, loaded }) {
    ;(loaded as unknown as AuthScene).host.setOnline(false)
    await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('you are offline'))
  },
})
