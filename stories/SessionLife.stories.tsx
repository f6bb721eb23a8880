// Real sessions on a fake page that lead to the states: a refused frame, a failing network, a stopped loop.
import { neverAnswers } from 'latchkey/testing'
import { expect, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { OnPage, startPage, type StartedPage, type StartOptions } from './startedPage.tsx'

const meta = preview.meta({
  title: 'Session/Life',
  parameters: {
    docs: {
      description: {
        component:
          'How the states come about: the real session on a fake page. Reference: [AuthProvider](./?path=/docs/components-authprovider--docs), [useLogin](./?path=/docs/hooks-uselogin--docs), [useLogout](./?path=/docs/hooks-uselogout--docs), [useRenew](./?path=/docs/hooks-userenew--docs)',
      },
    },
  },
})

const on = (options: StartOptions = {}) => ({
  loaders: [() => startPage(options)],
  render: (_: unknown, { loaded }: { loaded: unknown }) => <OnPage page={loaded} />,
})
const failing: typeof fetch = async () => Response.json({ error: 'server_error' }, { status: 503 })
const nobody = { prepare: ({ server }: StartedPage) => void (server.user = undefined) }

export const FoundAtTheServer = meta.story({
  ...on(),
  play: ({ canvas }) => expect(canvas.getByText('alice')).toBeVisible(),
})

export const NobodySignedIn = meta.story({
  ...on(nobody),
  play: ({ canvas }) => expect(canvas.getByText('You are not signed in.')).toBeVisible(),
})

export const FrameForbiddenByThePage = meta.story({
  ...on({ onFrame: (frame) => frame.csp() }),
  play: ({ canvas }) =>
    expect(canvas.getByRole('alert')).toHaveTextContent(
      "Add the authHost to frame-src of the page's CSP; with OpenID Connect, the provider and 'self'.",
    ),
})

export const FrameRefusedByTheServer = meta.story({
  loaders: [
    async () => {
      const starting = startPage({
        onFrame: (frame) => frame.load(),
        prepare({ host }) {
          // It loads but never responds; latchkey waits ten seconds.
          void host.settle().then(() => host.clock.advance(11_000))
        },
      })
      return starting
    },
  ],
  render: (_, { loaded }) => <OnPage page={loaded} />,
  play: ({ canvas }) => expect(canvas.getByRole('alert')).toHaveTextContent('X-Frame-Options'),
})

export const FrameTakenAway = meta.story({
  ...on({ onFrame: (frame) => frame.remove() }),
  play: ({ canvas }) =>
    expect(canvas.getByRole('alert')).toHaveTextContent('Other code took the frame out of the page'),
})

export const FrameTimedOut = meta.story({
  ...on({
    onFrame: () => {},
    prepare: ({ host }) => void host.settle().then(() => host.clock.advance(61_000)),
  }),
  play: ({ canvas }) => expect(canvas.getByRole('alert')).toHaveTextContent('agent-iframe timeout'),
})

export const Renewing = meta.story({
  ...on({ after: ({ host }) => void (host.fetch = neverAnswers) }),
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Renew now' }))
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Renewing' })).toBeDisabled())
    await expect(canvas.getByText('alice')).toBeVisible()
  },
})

export const Renewed = meta.story({
  ...on({ after: ({ host }) => host.clock.advance(60_000) }),
  async play({ canvas, userEvent }) {
    await expect(canvas.getByText('00:10:00')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Renew now' }))
    await waitFor(() => expect(canvas.getByText('00:11:00')).toBeVisible())
  },
})

export const RenewalFailed = meta.story({
  ...on({ after: ({ host }) => void (host.fetch = failing) }),
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Renew now' }))
    await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('answered 503'))
    await expect(canvas.getByText('alice')).toBeVisible()
  },
})

export const EndedByTheServer = meta.story({
  ...on({
    after: ({ server }) => {
      server.revokeAll()
      server.user = undefined
    },
  }),
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Renew now' }))
    await waitFor(() => expect(canvas.getByText('Your session has ended.')).toBeVisible())
  },
})

export const WentOffline = meta.story({
  ...on({ after: ({ host }) => host.setOnline(false) }),
  play: ({ canvas }) => expect(canvas.getByRole('status')).toHaveTextContent('You are offline.'),
})

export const ServerDownThenTriedAgain = meta.story({
  ...on({ prepare: ({ host }) => void (host.fetch = failing) }),
  async play({ canvas, userEvent, loaded }) {
    await expect(canvas.getByRole('alert')).toHaveTextContent('answered 503')
    const { host, server } = loaded as unknown as StartedPage
    host.fetch = server.fetch
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(canvas.getByText('alice')).toBeVisible())
  },
})

export const SignInRefusedOffline = meta.story({
  ...on({ ...nobody, after: ({ host }) => host.setOnline(false) }),
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('The browser is offline.'))
  },
})

export const SignInWithoutStorage = meta.story({
  ...on({ ...nobody, after: ({ host }) => void (host.sessionStorage.fault = 'full') }),
  async play({ canvas, userEvent }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }))
    await waitFor(() =>
      expect(canvas.getByRole('alert')).toHaveTextContent('Browser storage is full or denied.'),
    )
  },
})

export const LoopStopped = meta.story({
  ...on({
    config: { autoLogin: true },
    prepare({ server, host }) {
      server.user = undefined
      const { sessionStorage, platform } = host
      const now = platform.now()
      sessionStorage.set(
        'latchkey https://auth.test admin tab',
        JSON.stringify({ navigations: [now, now, now] }),
      )
    },
  }),
  play: ({ canvas }) =>
    expect(canvas.getByRole('alert')).toHaveTextContent('Stopped after 3 automatic redirects in a minute.'),
})

export const SignedOutFromHere = meta.story({
  ...on(),
  async play({ canvas, userEvent, loaded }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }))
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('on the way to logout'))
    const { host } = loaded as unknown as StartedPage
    await waitFor(() => expect(new URL(host.navigations[0]!).pathname).toBe('/oauth/logout'))
  },
})
