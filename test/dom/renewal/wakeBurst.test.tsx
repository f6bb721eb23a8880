// Twelve stale queries wake at the same moment as the session: one renewal comes first, and none of them goes with the old token (F14, F29).
import { focusManager, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { useAuth } from '../../../src/hooks/useAuth.ts'
import { authed } from '../../../src/queries/authed.ts'
import { startApp } from '../appScene.tsx'

// Warm, so that loading them does not take longer than a fake page rests.
import '../../../src/session/http/appFetch.ts'

const API = 'https://app.test/api'
const COUNT = 12

afterEach(() => focusManager.setFocused(undefined))

function Wrapped({ number }: { number: number }) {
  'use no memo'
  const { auth } = useAuth()
  const queryFn = () => auth.fetch<number>(`${API}/wrapped/${number}`)
  useQuery(authed(auth, queryOptions({ queryKey: ['wrapped', number], queryFn })))
  return null
}

function Bare({ number }: { number: number }) {
  const { auth } = useAuth()
  useQuery({ queryKey: ['bare', number], queryFn: () => auth.fetch<number>(`${API}/bare/${number}`) })
  return null
}

async function startBurst(config = {}) {
  const numbers = Array.from({ length: COUNT / 2 }, (_, index) => index)
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const app = await startApp(
    numbers.flatMap((number) => [
      <Wrapped key={`wrapped ${number}`} number={number} />,
      <Bare key={`bare ${number}`} number={number} />,
    ]),
    { queryClient, isStrict: false, config: { autoLogout: false, ...config } },
  )
  const { fetch } = app.host
  app.host.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    return url.startsWith(API) ? Response.json(1) : fetch(input, init)
  }
  await app.settle()
  await act(() => queryClient.refetchQueries())
  await app.settle()
  return { ...app, oldToken: await app.auth.getAccessToken(), before: app.host.requests.length }
}

/** The events of a page that is looked at again, in either order: nobody promises which listener comes first. */
const WAKES: Record<string, (wakeSession: () => void) => void> = {
  'the session first'(wakeSession) {
    wakeSession()
    focusManager.setFocused(true)
  },
  'the queries first'(wakeSession) {
    focusManager.setFocused(true)
    wakeSession()
  },
  'the queries alone'() {
    focusManager.setFocused(true)
  },
}

describe.each([
  ['renewal by timer', { autoRefreshToken: true }],
  ['renewal on demand', { autoRefreshToken: false }],
])('with %s, after eight hours of sleep', (_name, config) => {
  it.each(Object.entries(WAKES))(
    'one renewal, then twelve calls with the new token: %s',
    async (_order, wake) => {
      const { host, settle, oldToken, before, auth } = await startBurst(config)
      focusManager.setFocused(false)
      host.clock.sleep(8 * 3_600_000)
      await act(async () =>
        wake(() => {
          host.emit('visible')
          host.emit('focus')
        }),
      )
      await settle()
      const sent = host.requests.slice(before)
      // Before the refresh token goes out, a page that woke asks whether the server is there.
      const first = sent.find(({ url }) => url !== 'https://auth.test/api/userinfo')
      expect(first?.url).toBe('https://auth.test/oauth/token')
      expect(sent.filter(({ url }) => url.endsWith('/oauth/token'))).toHaveLength(1)
      const calls = sent.filter(({ url }) => url.startsWith(API))
      expect(calls).toHaveLength(COUNT)
      const newToken = await auth.getAccessToken()
      expect(newToken).not.toBe(oldToken)
      expect(new Set(calls.map(({ headers }) => headers.get('authorization')))).toEqual(
        new Set([`Bearer ${newToken}`]),
      )
    },
  )
})

it('a server that is down when they wake is asked for one renewal, not for twelve, and no expired token goes out', async () => {
  const { host, settle, oldToken, before } = await startBurst()
  focusManager.setFocused(false)
  host.clock.sleep(8 * 3_600_000)
  host.fetch = async (input) => {
    const url = input instanceof Request ? input.url : String(input)
    return Response.json({}, { status: url.startsWith(API) ? 200 : 503 })
  }
  await act(async () => focusManager.setFocused(true))
  await settle()
  const sent = host.requests.slice(before)
  expect(sent.map(({ url }) => url)).toEqual(['https://auth.test/oauth/token'])
  expect(sent.some(({ headers }) => headers.get('authorization')?.includes(oldToken))).toBe(false)
})
