// The three hooks of real time, in a real app on a service in memory (who else is here").
import { act, cleanup, render } from '@testing-library/react'
import { StrictMode, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useFirmMessages, useUserMessages } from '../../../src/hooks/useRealtime.ts'
import { useSessionPresence } from '../../../src/hooks/useRealtime.ts'
import type { Occupant } from '../../../src/session/realtimePort.ts'
import { AuthProvider } from '../../../src/provider/AuthProvider.tsx'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { createMemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
// Warm, so that loading it does not take longer than a fake page rests.
import '../../../src/realtime/channels.ts'
import { createWorld, MORNING } from '../../node/uniqueSession/uniqueSessionScene.ts'
import { createScene, nextPage } from '../../node/session/sessionScene.ts'
import { type AppScene, startApp } from '../appScene.tsx'

const note = (data: unknown) => ({ topic: 'note', messageType: 'new', data })
const PHONE = '1:00000000-0000-0000-0000-000000000000:c0ffee00-1111-4222-8333-444455556666'

let app: AppScene | undefined
afterEach(() => {
  cleanup()
  app?.auth.dispose()
  app = undefined
})

describe('useUserMessages and useFirmMessages', () => {
  function Listener({ heard, prefix }: { heard: string[]; prefix: string }) {
    useUserMessages('note', 'new', (data) => heard.push(`${prefix} user ${String(data)}`))
    useFirmMessages('note', 'new', (data) => heard.push(`${prefix} firm ${String(data)}`))
    return null
  }

  it('hear each message once, each on its own channel, under StrictMode', async () => {
    const hub = createMemoryRealtime()
    const heard: string[] = []
    app = await startApp(<Listener heard={heard} prefix="a" />, { config: { realtime: hub.transport } })
    hub.publish('user_alice', note(1))
    hub.publish('firm_f1', note(2))
    hub.publish('user_alice', { topic: 'note', messageType: 'old', data: 3 })
    hub.publish('user_bob', note(4))
    await app.settle()
    expect(heard).toEqual(['a user 1', 'a firm 2'])
  })

  it('call the newest callback, and none after the component has gone', async () => {
    const hub = createMemoryRealtime()
    const heard: string[] = []
    const scene = createScene({ config: { realtime: hub.transport } })
    const queryClient = new QueryClient()
    const tree = (prefix?: string) => (
      <QueryClientProvider client={queryClient}>
        <AuthProvider auth={scene.auth}>{prefix && <Listener heard={heard} prefix={prefix} />}</AuthProvider>
      </QueryClientProvider>
    )
    const view = render(tree('a'))
    await act(() => scene.host.settle())
    view.rerender(tree('b'))
    hub.publish('user_alice', note(1))
    await act(() => scene.host.settle())
    view.rerender(tree())
    hub.publish('user_alice', note(2))
    await act(() => scene.host.settle())
    expect(heard).toEqual(['b user 1'])
    view.unmount()
    await act(() => scene.host.settle())
    expect(scene.host.counts()).toMatchObject({ timers: 0, channels: 0, locks: 0, listeners: 0 })
    expect(hub.openLinks).toBe(0)
  })

  it('refuse what is no function, naming topic and type', () => {
    const Wrong = () => {
      useUserMessages('note', 'new', undefined as never)
      return null
    }
    const { auth } = createScene()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const draw = () =>
      renderToString(
        <QueryClientProvider client={new QueryClient()}>
          <AuthProvider auth={auth} fallback={<Wrong />} />
        </QueryClientProvider>,
      )
    expect(draw).toThrow(/note.*new/)
  })
})

describe('useSessionPresence', () => {
  const lists: (readonly Occupant[])[] = []
  function Online() {
    const sessions = useSessionPresence()
    lists.push(sessions)
    return (
      <p>
        {sessions
          .map(({ name, isThisBrowser, sessionId }) => (isThisBrowser ? 'here' : `${name} ${sessionId}`))
          .join(', ')}
      </p>
    )
  }
  const shown = () => app?.view.container.textContent

  it('lists this browser and who comes, until they go', async () => {
    const hub = createMemoryRealtime()
    app = await startApp(<Online />, { config: { realtime: hub.transport, uniqueSession: false } })
    expect(shown()).toBe('here')
    hub.tellPresence('auth-session-alice', 'join', PHONE)
    await app.settle()
    expect(shown()).toBe('here, c0ff undefined')
    const claim = { authHost: 'https://auth.test', clientId: 'admin', sessionId: 's9', since: 5 }
    const agentId = PHONE.slice(-36)
    hub.publish('auth-session-alice', { ...claim, agentId, impersonatorId: null, logout: false }, PHONE)
    await app.settle()
    expect(shown()).toBe('here, c0ff s9')
    hub.tellPresence('auth-session-alice', 'leave', PHONE)
    await app.settle()
    expect(shown()).toBe('here')
  })

  it('is the same array until somebody comes or goes, and never suspends', async () => {
    const hub = createMemoryRealtime()
    const Waiting = () => {
      throw new Error('suspended')
    }
    app = await startApp(
      <Suspense fallback={<Waiting />}>
        <Online />
      </Suspense>,
      { config: { realtime: hub.transport } },
    )
    const [list] = lists.slice(-1)
    await act(() => app!.auth.renew({ force: true }))
    hub.publish('user_alice', note(1))
    await app.settle()
    app.view.rerender(
      <StrictMode>
        <QueryClientProvider client={app.queryClient}>
          <AuthProvider auth={app.auth}>
            <Online />
          </AuthProvider>
        </QueryClientProvider>
      </StrictMode>,
    )
    expect(lists.at(-1)).toBe(list)
  })

  it('knows this browser when real time is absent, and nobody when signed out', async () => {
    app = await startApp(<Online />)
    expect(shown()).toBe('here')
    expect(app.auth.getState().realtime).toBe('off')
    await act(() => app!.auth.logout())
    await app.settle()
    expect(shown()).toBe('')
  })
})

describe('the notice of a clash', () => {
  it('says when and in which browser, on the page that the user comes back to, and offers to sign in here', async () => {
    const { older, newer } = await createWorld().signInTwice()
    const state = new URL(older.host.navigations[0] ?? '').searchParams.get('state')
    const back = nextPage(older, `https://app.test/?state=${state}`)
    const view = render(
      <QueryClientProvider client={new QueryClient()}>
        <AuthProvider auth={back.auth}>
          <AuthToaster />
        </AuthProvider>
      </QueryClientProvider>,
    )
    await act(() => back.host.settle())
    const name = newer.host.localStorage.get('latchkey https://auth.test admin agent')?.slice(0, 4) ?? '?'
    const day = { dateStyle: 'medium', timeStyle: 'short' } as const
    const time = new Intl.DateTimeFormat(undefined, day).format((MORNING + 60) * 1000)
    expect(view.baseElement.textContent).toContain(`with another browser (${name}, ${time})`)
    act(() => view.getByRole('button', { name: 'Sign in here instead' }).click())
    await act(() => back.host.settle())
    expect(new URL(back.host.navigations[0] ?? '').pathname).toBe('/oauth/authorize')
  })
})
