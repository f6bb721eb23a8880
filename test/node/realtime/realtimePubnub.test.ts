// The PubNub connection with the real SDK against the local server: every fault of the network ends connected, and nothing is lost.

// @module-tag thorough

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { startRealtimeServer } from '../../../demo/realtimeServer/startRealtimeServer.ts'
import type {
  RealtimeServer,
  RealtimeServerOptions,
} from '../../../demo/realtimeServer/startRealtimeServer.ts'
import type { Fault } from '../../../demo/realtimeServer/faults.ts'
import type { PlatformEvent } from '../../../src/session/platform/platform.ts'
import { createPubnubTransport } from '../../../src/realtime/pubnub/pubnubConnection.ts'
import { pubnub } from '../../../src/pubnub/index.ts'
import type { PubnubOptions } from '../../../src/realtime/pubnub/pubnubOptions.ts'
import type { RealtimeEvent, RealtimeLink } from '../../../src/protocol/realtimeTransport.ts'

const NIL = '00000000-0000-0000-0000-000000000000'
const ME = `1:${NIL}:me`
const ROOM = 'auth-session-42'
vi.setConfig({ testTimeout: 120_000 })

const soon = { timeout: 30_000, interval: 10 }

let server: RealtimeServer
const links: RealtimeLink[] = []

async function start(options?: RealtimeServerOptions) {
  server = await startRealtimeServer(options)
}

beforeEach(() => start())

afterEach(async () => {
  for (const link of links.splice(0)) link.close()
  await server.close()
})

interface ConnectOptions extends Partial<PubnubOptions> {
  identity?: string
  cursor?: string
  /** Shortens the adapter's own waits, so that a test of a minute takes a second. */
  scale?: (delayMs: number) => number
}

/** The session that a messaging service is asked to admit. */
const session = () => ({ userId: '42', firmId: undefined, sessionId: undefined, impersonatorId: undefined })

function open({ identity = ME, cursor, scale = (delayMs) => delayMs, ...options }: ConnectOptions = {}) {
  const events: RealtimeEvent[] = []
  const timers = new Set<NodeJS.Timeout>()
  const handlers = new Map<PlatformEvent, Set<() => void>>()
  let clockOffsetMs = 0
  const transport = createPubnubTransport(
    { publishKey: 'pub', subscribeKey: 'sub', origin: server.origin, ssl: false, ...options },
    {
      crypto: { randomBytes: () => Uint8Array.of(0) },
      fetch: (input, init) => fetch(input, init),
      isOnline: () => true,
      now: () => Date.now() + clockOffsetMs,
      on(event, listener) {
        const set = handlers.get(event) ?? new Set()
        handlers.set(event, set)
        set.add(listener)
        return () => void set.delete(listener)
      },
      setTimer(callback, delayMs) {
        const timer = setTimeout(() => {
          timers.delete(timer)
          callback()
        }, scale(delayMs))
        timers.add(timer)
        return () => {
          clearTimeout(timer)
          timers.delete(timer)
        }
      },
    },
    session,
  )
  const link = transport.open({
    identity,
    ...(cursor === undefined ? {} : { cursor }),
    channels: [{ name: ROOM, hasPresence: true }, { name: 'user_42' }],
    listen: (event) => void events.push(event),
  })
  links.push(link)
  const states = () => events.flatMap((event) => (event.type === 'state' ? [event.state] : []))
  return {
    link,
    transport,
    events,
    states,
    bodies: () => events.flatMap((event) => (event.type === 'message' ? [event.body] : [])),
    presence: () =>
      events.flatMap((event) =>
        event.type === 'presence' ? [`${event.action} ${event.presenceIds.join()}`] : [],
      ),
    emit(event: PlatformEvent) {
      for (const listener of handlers.get(event) ?? []) listener()
    },
    passTime(ms: number) {
      clockOffsetMs += ms
    },
    leftovers: () => timers.size + [...handlers.values()].reduce((sum, { size }) => sum + size, 0),
    connected: () =>
      vi.waitFor(() => {
        if (states().at(-1) !== 'connected' || server.heldPolls() === 0) throw new Error('Not connected')
      }, soon),
  }
}

const asked = (operation: string) => server.requests.filter((request) => request.operation === operation)

describe('a connection', () => {
  it('says hello with its figures in the SDK’s units', async () => {
    for (const [asGiven, asSent] of [
      [undefined, '300'],
      [19, '20'],
      [321, '320'],
    ] as const) {
      const opened = open(asGiven === undefined ? {} : { presenceTimeoutInSeconds: asGiven })
      await opened.connected()
      await expect.poll(() => asked('heartbeat').at(-1)?.query['heartbeat'], soon).toBe(asSent)
      opened.link.close({ leave: true })
    }
  })

  it('carries messages with their sender and place, tells joins and leaves, and knows who is here', async () => {
    const first = open()
    await first.connected()
    const second = open({ identity: `1:${NIL}:other` })
    await second.connected()
    await second.link.publish(ROOM, { n: 1, text: 'ä,/ ?' })
    await expect.poll(first.bodies, soon).toEqual([{ n: 1, text: 'ä,/ ?' }])
    expect(first.events.find(({ type }) => type === 'message')).toMatchObject({
      channel: ROOM,
      publisher: `1:${NIL}:other`,
      cursor: expect.stringMatching(/^\d{17}$/),
    })
    expect(await first.link.occupants(ROOM)).toEqual([ME, `1:${NIL}:other`])
    second.link.close({ leave: true })
    await expect.poll(first.presence, soon).toEqual([`join 1:${NIL}:other`, `leave 1:${NIL}:other`])
    expect(asked('leave')).toHaveLength(1)
  })

  it('goes on from a given place, so that a new leader loses nothing', async () => {
    const first = open()
    await first.connected()
    server.publish(ROOM, 1)
    await expect.poll(first.bodies, soon).toEqual([1])
    const last = first.events.find(({ type }) => type === 'message')
    first.link.close()
    server.publish(ROOM, 2)
    const second = open(last?.type === 'message' ? { cursor: last.cursor } : {})
    await expect.poll(second.bodies, soon).toEqual([2])
    expect(server.occupants(ROOM)).toEqual([ME])
  })

  it('is closed without a goodbye unless asked, and leaves nothing of its own behind', async () => {
    const opened = open()
    await opened.connected()
    expect(opened.leftovers()).toBeGreaterThan(0)
    opened.link.close()
    opened.link.close()
    expect(opened.leftovers()).toBe(0)
    const count = opened.events.length
    server.publish(ROOM, 'late')
    await expect.poll(() => server.heldPolls(), soon).toBe(0)
    expect([asked('leave').length, opened.events.length]).toEqual([0, count])
    await expect(opened.link.publish(ROOM, 1)).rejects.toMatchObject({ code: 'closed' })
  })

  it('closed while it is still opening never opens', async () => {
    open().link.close()
    await new Promise((resolve) => {
      setTimeout(resolve, 300)
    })
    expect(server.requests).toEqual([])
  })
})

const cuts: Record<string, Omit<Fault, 'on'>> = {
  'the connection is dropped': { kind: 'drop' },
  'the connection is reset': { kind: 'reset' },
  'the service answers 500': { kind: 'status', status: 500 },
  'the service answers 503 and asks for patience': { kind: 'status', status: 503, retryAfterSeconds: 1 },
  'the service answers 429': { kind: 'status', status: 429, retryAfterSeconds: 1 },
  'the service answers 400': { kind: 'status', status: 400 },
  'the service answers 403': { kind: 'status', status: 403 },
  'the service answers 404': { kind: 'status', status: 404 },
  'a sign-in page of the network answers': { kind: 'html' },
  'the answer is cut in the middle': { kind: 'truncated' },
}

/** Shortens the waits before a new attempt. */
const quickly = (delayMs: number) => (delayMs <= 8000 ? Math.min(delayMs, 100) : delayMs)

describe('a running connection is connected again and has lost nothing after', () => {
  it.each(Object.entries(cuts))('%s', async (_name, fault) => {
    const opened = open({ scale: quickly })
    await opened.connected()
    server.faults.add({ ...fault, on: 'subscribe', times: 3, running: true })
    server.publish(ROOM, 'meanwhile')
    await expect.poll(opened.bodies, soon).toEqual(['meanwhile'])
    await opened.connected()
    const bad = opened.states().find((state) => state !== 'connecting' && state !== 'connected')
    expect(bad).toMatch(fault.status === 403 ? /^denied$/ : /^(offline|failed)$/)
    server.publish(ROOM, 'afterwards')
    await expect.poll(opened.bodies, soon).toEqual(['meanwhile', 'afterwards'])
    expect(asked('leave')).toEqual([])
  })
})

describe('a connection comes back', () => {
  it('when the first contact fails again and again', async () => {
    server.faults.add({ on: 'subscribe', kind: 'status', status: 500, times: 2 })
    server.faults.add({ on: 'subscribe', kind: 'html', times: 1 })
    server.faults.add({ on: 'subscribe', kind: 'drop', times: 2 })
    const opened = open({ scale: (delayMs) => Math.min(delayMs, 100) })
    await opened.connected()
    expect(new Set(opened.states())).toContain('failed')
  })

  it('when the server is killed and comes back, with nothing lost', async () => {
    const opened = open()
    await opened.connected()
    const back = server.restart({ downMs: 1500 })
    for (const n of [1, 2, 3]) server.publish(ROOM, n)
    await back
    await expect.poll(opened.bodies, soon).toEqual([1, 2, 3])
    await opened.connected()
  })

  it('a poll that is half open, when the page wakes', async () => {
    const opened = open()
    await opened.connected()
    server.faults.add({ on: 'subscribe', kind: 'hang', times: 1, running: true })
    server.publish(ROOM, 'unheard')
    for (const event of ['online', 'restored', 'resume'] as const) {
      opened.emit(event)
      await opened.connected()
    }
    await expect.poll(opened.bodies, soon).toEqual(['unheard'])
    expect(asked('leave')).toEqual([])
  })

  it('after a long time out of sight, but not after a short one', async () => {
    const opened = open()
    await opened.connected()
    const before = asked('subscribe').length
    opened.emit('hidden')
    opened.passTime(59_000)
    opened.emit('visible')
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
    expect(asked('subscribe')).toHaveLength(before)
    opened.emit('hidden')
    opened.passTime(61_000)
    opened.emit('visible')
    await expect.poll(() => asked('subscribe').length, soon).toBeGreaterThan(before)
  })

  it('after the machine slept', async () => {
    const opened = open({ scale: (delayMs) => (delayMs === 30_000 ? 100 : delayMs) })
    await opened.connected()
    const before = asked('subscribe').length
    opened.passTime(3_600_000)
    await expect.poll(() => asked('subscribe').length, soon).toBeGreaterThan(before)
  })

  it.each(['hang', 'malformed'] as const)('when an own message does not come back (%s)', async (kind) => {
    const opened = open({ scale: (delayMs) => (delayMs === 10_000 ? 300 : delayMs) })
    await opened.connected()
    server.faults.add({ on: 'subscribe', kind, times: 1, running: true })
    await opened.link.publish(ROOM, 'echo')
    await expect.poll(opened.bodies, soon).toEqual(['echo'])
  })

  it.each([500, 403])('when a heartbeat is answered with %i: the next one comes', async (status) => {
    server.faults.add({ on: 'heartbeat', kind: 'status', status, times: 2 })
    const opened = open()
    await expect.poll(() => asked('heartbeat').length, soon).toBeGreaterThan(2)
    await opened.connected()
  })
})

describe('messages', () => {
  it('that come twice are shown once, and reordered ones all arrive', async () => {
    const opened = open()
    await opened.connected()
    server.faults.add({ on: 'subscribe', kind: 'duplicate', running: true })
    for (const n of [1, 2]) server.publish(ROOM, n)
    await expect.poll(opened.bodies, soon).toEqual([1, 2])
    server.faults.clear()
    server.faults.add({ on: 'subscribe', kind: 'reorder' })
    for (const n of [3, 4, 5]) server.publish(ROOM, n)
    await expect.poll(() => new Set(opened.bodies()), soon).toEqual(new Set([1, 2, 3, 4, 5]))
    expect(opened.bodies()).toHaveLength(5)
  })

  it('are sent once and never again, and the fault says why', async () => {
    const opened = open()
    await opened.connected()
    const rows: [Fault, RegExp][] = [
      [{ on: 'publish', kind: 'status', status: 403 }, /^denied$/],
      [{ on: 'publish', kind: 'status', status: 500 }, /^failed$/],
      [{ on: 'publish', kind: 'status', status: 400 }, /^invalid$/],
      [{ on: 'publish', kind: 'drop' }, /^(offline|failed)$/],
      [{ on: 'publish', kind: 'lost-answer' }, /^(offline|failed)$/],
    ]
    for (const [fault, code] of rows) {
      server.faults.add({ ...fault, times: 1 })
      const sent = opened.link.publish(ROOM, fault.kind)
      await expect(sent).rejects.toMatchObject({ name: 'RealtimeFault', code: expect.stringMatching(code) })
    }
    expect(asked('publish')).toHaveLength(rows.length)
    await expect.poll(opened.bodies, soon).toEqual(['lost-answer'])
  })
})

describe('access tokens', () => {
  const grant = (ttlInMinutes = 60) =>
    server.grantToken({
      ttlInMinutes,
      authorizedUuid: ME,
      channels: {
        [ROOM]: { read: true, write: true },
        [`${ROOM}-pnpres`]: { read: true },
        user_42: { read: true },
      },
    })

  beforeEach(async () => {
    await server.close()
    await start({ requireTokens: true })
  })

  it('are asked for before anything is sent, and every request carries one', async () => {
    const getToken = vi.fn(() => Promise.resolve(grant()))
    const opened = open({ getToken })
    await opened.connected()
    await opened.link.publish(ROOM, 1)
    expect(await opened.link.occupants(ROOM)).toEqual([ME])
    await expect(opened.link.publish('user_42', 1)).rejects.toMatchObject({ code: 'denied' })
    expect(getToken).toHaveBeenCalledTimes(1)
    expect(server.requests.every(({ hasToken }) => hasToken)).toBe(true)
    // The SDK's reconnect names channels as groups, which access control would refuse.
    opened.emit('online')
    await opened.connected()
    expect(opened.states()).not.toContain('denied')
  })

  it('are renewed before they expire', async () => {
    const getToken = vi.fn(() => Promise.resolve(grant(1)))
    const opened = open({
      getToken,
      scale: (delayMs) => (delayMs > 40_000 && delayMs < 60_000 ? 200 : delayMs),
    })
    await opened.connected()
    await expect.poll(() => getToken.mock.calls.length, soon).toBeGreaterThan(2)
    expect(opened.states()).toEqual(['connecting', 'connected'])
  })

  it('that are refused are replaced, and nothing is lost', async () => {
    const tokens: string[] = []
    const getToken = vi.fn(() => {
      tokens.push(grant(60 + tokens.length))
      return Promise.resolve(tokens.at(-1)!)
    })
    const opened = open({ getToken })
    await opened.connected()
    server.revokeToken(tokens[0]!)
    server.publish(ROOM, 1)
    await expect.poll(opened.bodies, soon).toEqual([1])
    await expect.poll(opened.states, soon).toContain('denied')
    server.publish(ROOM, 2)
    await expect.poll(opened.bodies, soon).toEqual([1, 2])
    await opened.connected()
    expect(getToken).toHaveBeenCalledTimes(2)
  })

  it('that cannot be had leave the opened denied, quietly, until they can', async () => {
    let isBroken = true
    const getToken = () => {
      if (isBroken) throw new Error('no')
      return Promise.resolve(grant())
    }
    const opened = open({ getToken, scale: (delayMs) => Math.min(delayMs, 100) })
    await expect.poll(opened.states, soon).toContain('denied')
    expect(server.requests).toEqual([])
    isBroken = false
    await opened.connected()
  })
})

it('says whether strangers are kept off', () => {
  const asks = (options: Partial<PubnubOptions>) =>
    pubnub({ publishKey: 'p', subscribeKey: 's', ...options }).isProtected
  const getToken = () => Promise.resolve('t')
  expect(asks({ origin: server.origin })).toBe(true)
  expect(asks({ origin: 'ps.example.com' })).toBe(false)
  expect(asks({ origin: 'ps.example.com', getToken })).toBe(true)
  expect(asks({ origin: 'ps.example.com', allowUnprotected: true })).toBe(true)
})
