// The devtools in every state of a session: the facts they show.
import { LatchkeyDevtools, LatchkeyDevtoolsPanel } from 'latchkey/devtools'
import { createAuthError, createTestAuth, type TestState } from 'latchkey/testing'
import type { AuthConfig } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
import { expect, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { type AuthScene, createAuthScene, InScene } from './authScene.tsx'

const meta = preview.meta({
  title: 'Devtools',
  component: LatchkeyDevtoolsPanel,
  parameters: {
    docs: {
      description: {
        component:
          'What the panel shows. Reference: [LatchkeyDevtools](./?path=/docs/components-latchkeydevtools--docs), [LatchkeyDevtoolsPanel](./?path=/docs/components-latchkeydevtoolspanel--docs)',
      },
    },
  },
})

const MINUTE_MS = 60_000

const inState = (state: TestState, config: Partial<AuthConfig> = {}) => ({
  args: { auth: createTestAuth({ state, idleRemainingMs: 20 * MINUTE_MS, config }) },
})
/** The value of a fact or a row. */
const beside = (name: HTMLElement) => name.nextElementSibling

export const SignedIn = meta.story({
  ...inState({ status: 'authenticated', user: { impersonatorId: 'dora' } }, { autoRefreshToken: true }),
  async play({ canvas }) {
    const states = within(canvas.getByRole('list', { name: 'States' }))
    await expect(states.getByText('authenticated')).toHaveAttribute('aria-current', 'true')
    await expect(canvas.getByText('dora')).toBeVisible()
    await expect(beside(canvas.getByText('Renewal'))).toHaveTextContent(/^\d:\d\d/)
    await expect(beside(canvas.getByText('Idle logout'))).toHaveTextContent(/^20:0[01]/)
  },
})
export const SignedInDark = meta.story({
  ...inState({ status: 'authenticated' }),
  globals: { theme: 'dark' },
})
export const SignedInNarrow = meta.story({
  ...inState({ status: 'authenticated' }),
  decorators: [
    (Story) => (
      <div style={{ width: 328 }}>
        <Story />
      </div>
    ),
  ],
})

export const Starting = meta.story({
  ...inState({ status: 'initializing' }),
  play: ({ canvas }) =>
    expect(within(canvas.getByRole('list', { name: 'States' })).getByText('initializing')).toHaveAttribute(
      'aria-current',
      'true',
    ),
})

export const SignedOutByIdleTime = meta.story({
  ...inState({ status: 'unauthenticated', reason: 'idle' }),
  async play({ canvas }) {
    await expect(canvas.getByText('idle')).toBeVisible()
  },
})

export const Failed = meta.story({
  ...inState({ status: 'failed', error: createAuthError('network') }),
  play: ({ canvas }) => expect(canvas.getByText(createAuthError('network').message)).toBeVisible(),
})

export const ButtonThatOpensIt = meta.story({
  ...inState({ status: 'authenticated' }),
  render: ({ auth }) => <LatchkeyDevtools auth={auth} />,
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Latchkey' }))
    await expect(canvas.getByRole('region', { name: 'Latchkey devtools' })).toHaveFocus()
    await userEvent.tab()
    await userEvent.keyboard('{Escape}')
    await expect(canvas.getByRole('button', { name: 'Latchkey' })).toHaveFocus()
  },
})

export const CopiedByHand = meta.story({
  ...inState({ status: 'authenticated' }),
  beforeEach() {
    const { clipboard } = navigator
    const refusing = { writeText: () => Promise.reject(new Error('not allowed')) }
    Object.defineProperty(navigator, 'clipboard', { value: refusing, configurable: true })
    return () => Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
  },
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Copy support bundle' }))
    const text = await canvas.findByRole<HTMLTextAreaElement>('textbox')
    await expect(JSON.parse(text.value)).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
  },
})

/** A sign-in with an OpenID Connect provider, and where it is asked. */
export const Provider = meta.story({
  loaders: [
    () =>
      createAuthScene({
        config: { authHost: undefined, server: openIdConnect({ issuer: 'https://auth.test' }) },
      }),
  ],
  render: (_args: unknown, { loaded }: { loaded: unknown }) => {
    const scene = loaded as AuthScene
    return (
      <InScene scene={scene}>
        <LatchkeyDevtoolsPanel auth={scene.auth} />
      </InScene>
    )
  },
  async play({ canvas }) {
    const events = canvas.getByRole('list', { name: 'Events, newest first' })
    await expect(events).toHaveTextContent(/ID token ?done · [^;]*nonce/)
    await expect(beside(canvas.getByText('server.protocol'))).toHaveTextContent('OpenID Connect')
    await expect(canvas.getByText('server.token_endpoint')).toBeVisible()
  },
})
