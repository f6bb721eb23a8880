// Two devices of one user over the real SDK and a bad network: exactly one stays.

// @module-tag thorough

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Fault } from '../../../demo/realtimeServer/faults.ts'
import { startRealtimeServer } from '../../../demo/realtimeServer/startRealtimeServer.ts'
import type { RealtimeServer } from '../../../demo/realtimeServer/startRealtimeServer.ts'
import { createPresence } from '../../../src/realtime/presence.ts'
import type { Winner } from '../../../src/realtime/uniqueSession.ts'
import { createPubnubTransport } from '../../../src/realtime/pubnub/pubnubConnection.ts'
import { identityOf } from './sessionIdentity.ts'

vi.setConfig({ testTimeout: 40_000 })

let server: RealtimeServer
const open: ReturnType<typeof createPresence>[] = []
const soon = { timeout: 20_000, interval: 5 }

beforeEach(async () => {
  server = await startRealtimeServer({ requireTokens: true })
})

afterEach(async () => {
  for (const presence of open.splice(0)) presence.dispose()
  await server.close()
})

function signIn(letter: string, sinceMs: number, more: { impersonatorId?: string } = {}) {
  const yields: Winner[] = []
  const statuses: string[] = []
  const ports = {
    crypto: { randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) } as never,
    fetch: (input: string | URL | Request, init?: RequestInit) => fetch(input, init),
    isOnline: () => true,
    now: () => Date.now(),
    monotonicNow: () => performance.now(),
    on: () => () => undefined,
    setTimer(callback: () => void, delayMs: number) {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
    warn: () => undefined,
  }
  const agentId = `${letter.repeat(8)}-1111-4222-8333-444455556666`
  const type = more.impersonatorId === undefined ? '1' : '2'
  const authorizedUuid = `${type}:00000000-0000-0000-0000-000000000000:${agentId}`
  const channels = {
    'auth-session-42': { read: true, write: type === '1' },
    'auth-session-42-pnpres': { read: true },
    user_42: { read: true },
  }
  const presence = createPresence({
    identity: identityOf({ sessionId: `session-${letter}`, agentId, sinceMs, ...more }),
    transport: createPubnubTransport(
      {
        publishKey: 'pub',
        subscribeKey: 'sub',
        origin: server.origin,
        ssl: false,
        getToken: () => Promise.resolve(server.grantToken({ ttlInMinutes: 60, authorizedUuid, channels })),
      },
      ports,
      () => ({ userId: '42', firmId: undefined, sessionId: undefined, impersonatorId: undefined }),
    ),
    listening: new Set(),
    ports,
    onOccupants: () => undefined,
    onYield: (info) => {
      yields.push(info)
      presence.dispose({ leave: true })
    },
    onRemoteLogout: () => undefined,
    onStatus: (status) => void statuses.push(status),
  })
  open.push(presence)
  const connected = async () => {
    await expect.poll(() => statuses.at(-1), soon).toBe('connected')
  }
  return { presence, yields, statuses, connected }
}

it('the second sign-in ends the first, on a slow network too', async () => {
  const first = signIn('a', 1000)
  await first.connected()
  server.faults.add({ on: 'any', kind: 'delay', delayMs: 50 })
  const second = signIn('b', 2000)
  await expect.poll(() => first.yields.length, soon).toBe(1)
  expect(first.yields[0]).toMatchObject({ sessionId: 'session-b', since: 2000 })
  expect(second.yields).toEqual([])
  server.faults.clear()
  await expect.poll(() => server.occupants('auth-session-42').length, soon).toBe(1)
})

const rounds: Record<string, Fault[]> = {
  'at the same instant': [],
  'with messages that come twice': [{ on: 'subscribe', kind: 'duplicate' }],
  'with messages out of order': [{ on: 'subscribe', kind: 'reorder' }],
  'with lost answers': [{ on: 'publish', kind: 'lost-answer', times: 2 }],
  'with a claim that never came through': [{ on: 'publish', kind: 'drop', times: 1 }],
  'with a service that stumbles': [
    { on: 'subscribe', kind: 'status', status: 500, times: 2 },
    { on: 'publish', kind: 'status', status: 503, times: 1 },
    { on: 'here-now', kind: 'status', status: 500, times: 2 },
  ],
  'with refusals at first': [{ on: 'subscribe', kind: 'status', status: 403, times: 2 }],
}

describe('exactly one of two devices stays', () => {
  it.each(Object.entries(rounds))('%s', async (_name, faults) => {
    for (const fault of faults) server.faults.add(fault)
    const devices = [signIn('a', 5000), signIn('b', 5000)]
    await expect.poll(() => devices.map(({ yields }) => yields.length), soon).toEqual([1, 0])
    await expect.poll(() => devices[1]?.statuses.at(-1), soon).toBe('connected')
  })

  it('when the server is killed between the two sign-ins', async () => {
    const first = signIn('a', 1000)
    await first.connected()
    const back = server.restart({ downMs: 1000 })
    const second = signIn('b', 2000)
    await back
    await expect.poll(() => [first.yields.length, second.yields.length], soon).toEqual([1, 0])
  })
})

it('an admin in the name of the user works beside the user', async () => {
  const user = signIn('a', 1000)
  const admin = signIn('b', 2000, { impersonatorId: '9' })
  await user.connected()
  await admin.connected()
  await expect.poll(() => user.presence.occupants().length, soon).toBe(2)
  await new Promise((resolve) => {
    setTimeout(resolve, 1000)
  })
  expect([user.yields, admin.yields]).toEqual([[], []])
  expect(
    server.requests.filter(({ operation, uuid }) => operation === 'publish' && uuid.startsWith('2')),
  ).toEqual([])
})
