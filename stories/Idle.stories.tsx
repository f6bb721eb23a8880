// The last minute before the idle logout: the library's own countdown, and one that an app builds with useIdle.
import { expect, screen, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { useIdle } from '../src/hooks/useIdle.ts'
import { AuthToaster } from '../src/toaster/AuthToaster.tsx'
import { toastQueue } from '../src/toaster/toastQueue.ts'
import { type AuthScene, createAuthScene, InScene } from './authScene.tsx'

const IDLE_MS = 29 * 60_000 + 18_000

/** A page without activity for 29 minutes and 18 seconds. */
async function createIdleScene(): Promise<AuthScene> {
  const scene = await createAuthScene()
  await scene.host.clock.advance(IDLE_MS)
  return scene
}

const meta = preview.meta({
  title: 'Idle',
  parameters: {
    docs: {
      description: {
        component:
          'The last minute before the logout. Reference: [useIdle](./?path=/docs/hooks-useidle--docs)',
      },
      story: { inline: false, iframeHeight: '240px' },
    },
  },
  beforeEach: () => () => toastQueue.clear(),
})

export const Countdown = meta.story({
  loaders: [createIdleScene],
  render: (_, { loaded }) => (
    <InScene scene={loaded as never}>
      <AuthToaster />
    </InScene>
  ),
  async play() {
    await waitFor(() => expect(screen.getByText(/in 4[12] s, /)).toBeVisible())
    await waitFor(() => expect(screen.getByText(/in 40 s, /)).toBeVisible(), { timeout: 10_000 })
    await expect(screen.getByRole('button', { name: 'Stay signed in' })).toBeVisible()
  },
})

export const CountdownDark = meta.story({ ...Countdown.input, globals: { theme: 'dark' } })

export const StaySignedIn = meta.story({
  loaders: [createIdleScene],
  render: (_, { loaded }) => (
    <InScene scene={loaded as never}>
      <AuthToaster />
    </InScene>
  ),
  async play({ userEvent }) {
    await userEvent.click(await screen.findByRole('button', { name: 'Stay signed in' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Stay signed in' })).toBeNull())
  },
})

function OwnCountdown() {
  const { remainingMs, stayActive } = useIdle()
  if (remainingMs === undefined || remainingMs > 60_000) return <p>Nothing to see yet.</p>
  return (
    <p>
      {Math.ceil(remainingMs / 1000)} seconds left.{' '}
      <button type="button" onClick={stayActive}>
        I am here
      </button>
    </p>
  )
}

export const AnAppsOwnCountdown = meta.story({
  loaders: [createIdleScene],
  render: (_, { loaded }) => (
    <InScene scene={loaded as never}>
      <OwnCountdown />
    </InScene>
  ),
  async play({ canvas, userEvent }) {
    await waitFor(() => expect(canvas.getByText(/4\d seconds left/)).toBeVisible())
    await userEvent.click(canvas.getByRole('button', { name: 'I am here' }))
    await waitFor(() => expect(canvas.getByText('Nothing to see yet.')).toBeVisible())
  },
})
