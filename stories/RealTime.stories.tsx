// Real time on an in-memory service: who is online, messages to the user and the firm, a newer sign-in elsewhere.
import {
  AuthToaster,
  type AuthConfig,
  useAuth,
  useFirmMessages,
  useSessionPresence,
  useUserMessages,
} from 'latchkey'
import { createMemoryRealtime, type MemoryRealtime } from 'latchkey/testing'
import { useState } from 'react'
import { expect, screen, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { toastQueue } from '../src/toaster/toastQueue.ts'
import { type AuthScene, createAuthScene, InScene } from './authScene.tsx'

const CHANNEL = 'auth-session-alice'
const phone = (type: '1' | '2' = '1') =>
  `${type}:00000000-0000-0000-0000-000000000000:c0ffee00-1111-4222-8333-444455556666`

interface Loaded {
  scene: AuthScene
  hub: MemoryRealtime
}

/** A connected, signed-in page; `then` causes an event. */
const load =
  (then: (hub: MemoryRealtime, scene: AuthScene) => unknown = () => {}, config: Partial<AuthConfig> = {}) =>
  async (): Promise<Loaded> => {
    const hub = createMemoryRealtime()
    const scene = await createAuthScene({ config: { realtime: hub.transport, ...config } })
    while (scene.auth.getState().realtime !== 'connected') await scene.host.settle()
    await then(hub, scene)
    await scene.host.settle()
    return { scene, hub }
  }
const sceneOf = (loaded: unknown) => (loaded as Loaded).scene
const hubOf = (loaded: unknown) => (loaded as Loaded).hub

const meta = preview.meta({
  title: 'Real time',
  parameters: {
    docs: {
      description: {
        component:
          'Messages and who is online. Reference: [useSessionPresence](./?path=/docs/hooks-usesessionpresence--docs), [useUserMessages](./?path=/docs/hooks-useusermessages--docs), [useFirmMessages](./?path=/docs/hooks-usefirmmessages--docs)',
      },
    },
  },
  beforeEach: () => () => toastQueue.clear(),
})

function WhoIsOnline() {
  const sessions = useSessionPresence()
  const { realtime } = useAuth()
  return (
    <>
      <h1>Where you are signed in</h1>
      <p>Real time: {realtime}</p>
      <ul>
        {sessions.map(({ presenceId, name, isThisBrowser, type }) => (
          <li key={presenceId}>
            {isThisBrowser ? 'This browser' : `Browser ${name}`}
            {type === '2' && ', support on your behalf'}
          </li>
        ))}
      </ul>
    </>
  )
}

export const OnlyThisBrowser = meta.story({
  loaders: [load()],
  render: (_, { loaded }) => (
    <InScene scene={sceneOf(loaded)}>
      <WhoIsOnline />
    </InScene>
  ),
  play: ({ canvas }) => waitFor(() => expect(canvas.getAllByRole('listitem')).toHaveLength(1)),
})

export const SupportIsHere = meta.story({
  loaders: [load()],
  render: OnlyThisBrowser.input.render,
  async play({ canvas, loaded }) {
    await canvas.findByText('This browser')
    hubOf(loaded).tellPresence(CHANNEL, 'join', phone('2'))
    await canvas.findByText('Browser c0ff, support on your behalf')
    hubOf(loaded).tellPresence(CHANNEL, 'leave', phone('2'))
    await waitFor(() => expect(canvas.getAllByRole('listitem')).toHaveLength(1))
  },
})

export const LineIsDown = meta.story({
  loaders: [load((hub) => hub.cut())],
  render: OnlyThisBrowser.input.render,
  play: async ({ canvas }) => expect(await canvas.findByText('Real time: degraded')).toBeVisible(),
})

export const WithoutAMessagingService = meta.story({
  loaders: [async () => ({ scene: await createAuthScene() })],
  render: OnlyThisBrowser.input.render,
  async play({ canvas }) {
    await expect(await canvas.findByText('This browser')).toBeVisible()
    await expect(canvas.getByText('Real time: off')).toBeVisible()
  },
})

function Inbox() {
  const [heard, setHeard] = useState<readonly string[]>([])
  const add = (from: string) => (data: unknown) =>
    setHeard((before) => [...before, `${from}: ${String(data)}`])
  useUserMessages('note', 'new', add('To you'))
  useFirmMessages('note', 'new', add('To the firm'))
  return (
    <>
      <h1>Messages</h1>
      {heard.length === 0 && <p>No message yet.</p>}
      <ul>
        {heard.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}

export const Messages = meta.story({
  loaders: [load()],
  render: (_, { loaded }) => (
    <InScene scene={sceneOf(loaded)}>
      <Inbox />
    </InScene>
  ),
  async play({ canvas, loaded }) {
    await canvas.findByText('No message yet.')
    const note = (data: string) => ({ topic: 'note', messageType: 'new', data })
    hubOf(loaded).publish('user_alice', note('your report is ready'))
    hubOf(loaded).publish('firm_f1', note('the office closes at five'))
    await canvas.findByText('To you: your report is ready')
    await canvas.findByText('To the firm: the office closes at five')
  },
})

function signInElsewhere(hub: MemoryRealtime, { host }: AuthScene) {
  const claim = { authHost: 'https://auth.test', clientId: 'admin', impersonatorId: null, logout: false }
  const since = host.platform.now() + 60_000
  const agentId = phone().slice(-36)
  hub.publish(CHANNEL, { ...claim, sessionId: 's9', agentId, since }, phone())
}

export const SignedInElsewhere = meta.story({
  loaders: [
    load(async (hub, scene) => {
      // Offline then, so that the page does not leave for the logout page.
      scene.host.setOnline(false)
      signInElsewhere(hub, scene)
      while (scene.auth.getState().status !== 'unauthenticated') await scene.host.clock.advance(100)
    }),
  ],
  render: (_, { loaded }) => (
    <InScene scene={sceneOf(loaded)}>
      <AuthToaster />
    </InScene>
  ),
  play: () =>
    waitFor(() => expect(screen.getByRole('button', { name: 'Sign in here instead' })).toBeVisible()),
})
