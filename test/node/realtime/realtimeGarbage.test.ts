// Whatever comes over a real-time connection, between tabs or from the service, is read strictly: garbage stops nothing and forges nothing.
import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { connectionName, NIL_DEVICE } from '../../../src/protocol/presence.ts'
import { createMemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
import type { Listening } from '../../../src/session/realtimePort.ts'
import { createPresence } from '../../../src/realtime/presence.ts'
import type {
  RealtimeEvent,
  RealtimeLink,
  RealtimeTransport,
} from '../../../src/protocol/realtimeTransport.ts'
import { isDenied, parseRealtimeEvent, parseRelayed } from '../../../src/realtime/realtimeEvents.ts'
import { createPubnubTransport } from '../../../src/realtime/pubnub/pubnubConnection.ts'
import { createSharedConnection } from '../../../src/realtime/sharedConnection.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { checkGenerated } from '../../generated.ts'
import { createWorld as createSessionWorld } from '../uniqueSession/uniqueSessionScene.ts'
import { createBrowser, createClock } from './realtimeRig.ts'
import { identityOf } from './sessionIdentity.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { CLIENT, startScene } from '../session/sessionScene.ts'

const CHANNEL = 'auth-session-42'
const LONG = 'x'.repeat(256 * 1024)
const cycle: Record<string, unknown> = { kind: 'event', type: 'message' }
cycle['self'] = cycle
cycle['event'] = cycle
const polluted: unknown = JSON.parse('{"__proto__":{"kind":"event"},"constructor":1,"kind":"hello"}')

/** What structured clone lets through. */
const VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  Number.NaN,
  Infinity,
  2 ** 60,
  10n,
  '',
  LONG,
  '__proto__',
  'constructor',
  [],
  [[]],
  [null],
  Array.from({ length: 1200 }, (_, index) => `${index}`),
  {},
  polluted,
  cycle,
  new Map([['kind', 'event']]),
  new Set([1]),
  new Date(Number.NaN),
  new Error('no'),
  /x/,
  new ArrayBuffer(8),
  new Uint8Array(8),
]
const KINDS = ['hello', 'bye', 'event', 'ask', 'list', 'constructor', '__proto__']
const MEMBERS = ['from', 'cursor', 'event', 'to', 'isOver', 'presenceIds']
const EVENT_MEMBERS = ['state', 'reason', 'cursor', 'channel', 'body', 'publisher', 'action', 'presenceIds']

const event: RealtimeEvent = { type: 'message', channel: CHANNEL, body: {}, publisher: 'me', cursor: '1' }
const RELAYED: readonly Record<string, unknown>[] = [
  { kind: 'hello', from: 'a', cursor: '1' },
  { kind: 'bye', from: 'a', isOver: true },
  { kind: 'event', event },
  { kind: 'event', event: { type: 'state', state: 'connected', cursor: '1' }, to: 'a' },
  { kind: 'event', event: { type: 'presence', channel: CHANNEL, action: 'join', presenceIds: ['me'] } },
  { kind: 'ask' },
  { kind: 'list', presenceIds: ['me'] },
]

/** Each word with each member replaced by each value, and each event inside it likewise. */
function handWritten(): unknown[] {
  const spoiled = RELAYED.flatMap((word) =>
    MEMBERS.flatMap((name) => VALUES.map((value) => ({ ...word, [name]: value }))),
  )
  const events = RELAYED.flatMap((word) =>
    'event' in word ? [Object(word['event']) as object] : [],
  ).flatMap((one) =>
    ['type', ...EVENT_MEMBERS].flatMap((name) =>
      VALUES.map((value) => ({ kind: 'event', event: { ...one, [name]: value } })),
    ),
  )
  return [...VALUES, ...KINDS.map((kind) => ({ kind })), ...spoiled, ...events]
}

const anyMember = fc.oneof(
  fc.constantFrom(...VALUES),
  fc.constantFrom('a', 'publish', 'occupants', 'wake', CHANNEL, 'message', 'state', 'presence', 'join', '1'),
  fc.jsonValue({ maxDepth: 1 }),
)
const anyEvent = fc.record(Object.fromEntries(['type', ...EVENT_MEMBERS].map((name) => [name, anyMember])), {
  requiredKeys: [],
})
const anyRelayed = fc.oneof(
  anyMember,
  fc.record(
    {
      ...Object.fromEntries(MEMBERS.map((name) => [name, anyMember])),
      kind: fc.constantFrom(...KINDS),
      event: fc.oneof(anyEvent, anyMember),
    },
    { requiredKeys: ['kind'] },
  ),
)

const CURSOR = /^.{1,512}$/s
function expectWhole(read: RealtimeEvent): void {
  if (read.type === 'state') {
    expect(['connecting', 'connected', 'offline', 'denied', 'failed']).toContain(read.state)
    if (read.cursor !== undefined) expect(read.cursor).toMatch(CURSOR)
    expect((read.reason ?? '').length).toBeLessThanOrEqual(300)
    return
  }
  expect(typeof read.channel === 'string' && read.channel.length <= 92).toBe(true)
  if (read.type === 'message') {
    expect(read.cursor).toMatch(CURSOR)
    expect((read.publisher ?? '').length).toBeLessThanOrEqual(92)
    return
  }
  expect(['join', 'leave', 'timeout']).toContain(read.action)
  expect(read.presenceIds.length).toBeLessThanOrEqual(1000)
  expect(read.presenceIds.every((id) => typeof id === 'string' && id.length <= 92)).toBe(true)
}

it('knows a refusal by the code of any error that a transport rejects with', () => {
  const coded = (code: unknown) => isDenied(Object.assign(new Error('no'), { code }))
  expect(['denied', 'EPIPE', 7].map(coded)).toEqual([true, false, false])
  expect(isDenied(undefined)).toBe(false)
})

describe('a message between the tabs that share a connection', () => {
  it('is read back as it was sent', () => {
    for (const word of RELAYED) expect(parseRelayed(structuredClone(word))).toEqual(word)
    expect(parseRelayed({ kind: 'list' })).toEqual({ kind: 'list' })
  })

  it('that cannot be read, because a member throws, is none', () => {
    const throwing = (name: string, rest: object) =>
      Object.defineProperty({ ...rest }, name, {
        enumerable: true,
        get: () => {
          throw new Error('no')
        },
      })
    for (const word of RELAYED)
      for (const name of Object.keys(word)) expect(parseRelayed(throwing(name, word))).toBeUndefined()
    for (const name of Object.keys(event)) expect(parseRealtimeEvent(throwing(name, event))).toBeUndefined()
  })

  it('is a whole one or none: each member of each one spoiled, and 10,000 generated', async () => {
    const look = (word: unknown) => {
      const read = parseRelayed(word)
      if (read?.kind === 'event') expectWhole(read.event)
      if (read?.kind === 'list') expect((read.presenceIds ?? []).every((id) => id.length <= 92)).toBe(true)
    }
    for (const word of handWritten()) look(word)
    await checkGenerated('real-time messages between tabs', fc.property(anyRelayed, look))
  })

  it('stops no tab when it is garbage: the leader and the others hear on, and nothing is thrown', async () => {
    const clock = createClock()
    const browser = createBrowser(clock)
    const hub = createMemoryRealtime({ setTimer: clock.setTimer, latencyMs: 20 })
    const open = () => {
      const { ports } = browser.openTab()
      const heard: RealtimeEvent[] = []
      const link = createSharedConnection(hub.transport, 'app', ports).open({
        identity: 'me',
        channels: [{ name: CHANNEL, hasPresence: true }],
        listen: (one) => void heard.push(one),
      })
      return { link, heard }
    }
    const tabs = [open(), open()]
    await clock.advance(1000)
    const attacker = browser.openTab().ports.openChannel('app', () => {})
    const unhandled = vi.fn<(error: unknown) => void>()
    process.on('unhandledRejection', unhandled)
    process.on('uncaughtException', unhandled)
    try {
      const asking = tabs.map(({ link }) => link.occupants(CHANNEL))
      // After a tab that signs out the others are silent for five seconds, and a list of another script is taken: scripts of the origin are trusted.
      const isGarbage = (one: unknown) => Object(one).isOver !== true && Object(one).kind !== 'list'
      for (const word of handWritten().filter(isGarbage)) attacker.post(word)
      await clock.advance(60_000)
      expect(await Promise.all(asking)).toEqual([['me'], ['me']])
      hub.publish(CHANNEL, { last: true }, 'server')
      await clock.advance(1000)
    } finally {
      process.off('unhandledRejection', unhandled)
      process.off('uncaughtException', unhandled)
    }
    expect(unhandled.mock.calls).toEqual([])
    for (const { heard } of tabs) {
      for (const one of heard) expectWhole(one)
      expect(heard.filter((one) => one.type === 'message' && one.publisher === 'server')).toHaveLength(1)
    }
    expect(hub.openLinks).toBe(1)
  })

  it('makes the leader ask about its own channel only, and speak on none', async () => {
    const clock = createClock()
    const browser = createBrowser(clock)
    const hub = createMemoryRealtime({ setTimer: clock.setTimer, latencyMs: 20 })
    createSharedConnection(hub.transport, 'app', browser.openTab().ports).open({
      identity: 'me',
      channels: [{ name: CHANNEL, hasPresence: true }, { name: 'user_43' }],
      listen: () => {},
    })
    await clock.advance(1000)
    const answers: unknown[] = []
    const attacker = browser.openTab().ports.openChannel('app', (word) => answers.push(word))
    attacker.post({
      kind: 'ask',
      from: 'attacker',
      channel: 'auth-session-43',
      method: 'publish',
      body: { hello: 1 },
    })
    await clock.advance(1000)
    expect(hub.published).toEqual([])
    expect(answers).toEqual([{ kind: 'list', presenceIds: ['me'] }])
  })
})

describe('a transport that says nonsense', () => {
  const identity = identityOf({ firmId: '7', sessionId: 'session-a', agentId: 'agent-a', sinceMs: 1000 })
  function open(occupants: () => Promise<never> = async () => [] as never) {
    const listening = new Set<Listening>()
    const clock = createClock()
    const { ports } = createBrowser(clock).openTab()
    const told: unknown[] = []
    let say: (heard: never) => void = () => {}
    const link: RealtimeLink = {
      isSpeaker: true,
      publish: async () => {},
      occupants,
      close() {},
    }
    const presence = createPresence({
      identity,
      transport: {
        open(options) {
          say = options.listen
          return link
        },
      },
      listening,
      ports: { ...ports, warn: (...words: unknown[]) => void told.push(words) },
      onOccupants: () => {},
      onYield: (info) => void told.push(info),
      onRemoteLogout: () => void told.push('logout'),
      onStatus: () => {},
    })
    return { clock, presence, listening, told, say: (heard: unknown) => say(heard as never) }
  }

  it('ends nothing and stops nothing: the next real message is heard', async () => {
    const { clock, presence, listening, told, say } = open()
    const heard = vi.fn<(data: unknown) => void>()
    for (const kind of ['user', 'firm'] as const)
      listening.add({ kind, topic: 'note', type: 'new', callback: heard })
    say({ type: 'state', state: 'connected' })
    const note = { topic: 'note', messageType: 'new', data: 1 }
    for (const word of handWritten()) say((word as { event?: unknown } | undefined)?.event ?? word)
    // On a channel that nobody asked for.
    say({ type: 'message', channel: 'firm_8', body: note, publisher: 'server', cursor: '8' })
    const unreadable = {
      get topic(): string {
        throw new Error('no')
      },
    }
    say({ type: 'message', channel: 'user_42', body: unreadable, publisher: 'server', cursor: '9' })
    say({ type: 'message', channel: CHANNEL, body: unreadable, publisher: 'server', cursor: '9' })
    await clock.advance(60_000)
    expect(heard).not.toHaveBeenCalled()
    say({ type: 'message', channel: 'user_42', body: note, publisher: 'server', cursor: '10' })
    say({ type: 'message', channel: 'firm_7', body: note, publisher: 'server', cursor: '11' })
    expect(heard).toHaveBeenCalledTimes(2)
    expect(told).toEqual([])
    presence.dispose()
  })

  it('is heard once where it repeats itself: one of the last hundred messages is never shown again', () => {
    const { presence, listening, say } = open()
    const heard: unknown[] = []
    listening.add({ kind: 'user', topic: 'note', type: 'new', callback: (data) => heard.push(data) })
    const send = (data: number) => {
      const body = { topic: 'note', messageType: 'new', data }
      say({ type: 'message', channel: 'user_42', body, publisher: 'server', cursor: String(data) })
    }
    const numbers = Array.from({ length: 101 }, (_, index) => index)
    for (const n of [...numbers, 100, 1]) send(n)
    expect(heard).toEqual(numbers)
    send(0)
    expect(heard.at(-1)).toBe(0)
    presence.dispose()
  })

  it.each([
    ['nothing', undefined],
    ['a text', LONG],
    ['an object', {}],
  ])('about who is here, as %s: it is asked again, and nobody is listed', async (_what, answer) => {
    const occupants = vi.fn<() => Promise<never>>(async () => answer as never)
    const { clock, presence, say } = open(occupants)
    say({ type: 'state', state: 'connected' })
    await clock.advance(10_000)
    expect(occupants.mock.calls.length).toBeGreaterThan(1)
    expect(presence.occupants()).toEqual([])
    presence.dispose()
  })

  it('about who is here, among real ones: only those are listed', async () => {
    const me = `1:${NIL_DEVICE}:agent-a`
    const { clock, presence, say } = open(async () => [null, me, LONG, 7, {}] as never)
    say({ type: 'state', state: 'connected' })
    await clock.advance(100)
    expect(presence.occupants().map(({ presenceId }) => presenceId)).toEqual([me])
    presence.dispose()
  })
})

describe('garbage from the SDK of the messaging service', () => {
  afterEach(() => {
    vi.doUnmock('pubnub')
  })

  interface Listener {
    status(status: unknown): void
    message(message: unknown): void
    presence(event: unknown): void
  }
  const nobody: Listener = { status() {}, message() {}, presence() {} }

  /** The adapter over an SDK that hands over, and returns, what a test says. */
  async function open(returned: unknown = {}) {
    let listener = nobody
    class Sdk {
      static NoneRetryPolicy = () => ({})
      addListener(given: Listener) {
        listener = given
      }
      removeAllListeners() {}
      subscribe() {}
      reconnect() {}
      disconnect() {}
      destroy() {}
      setToken() {}
      parseToken = () => returned
      publish = async () => returned
      hereNow = async () => returned
    }
    vi.doMock('pubnub', () => ({ default: Sdk }))
    const clock = createClock()
    const { ports } = createBrowser(clock).openTab()
    const heard: RealtimeEvent[] = []
    const keys = { publishKey: 'pub', subscribeKey: 'sub', getToken: async () => 'a token' }
    const transport = createPubnubTransport(keys, { ...ports, fetch, isOnline: () => true }, () => ({
      userId: '42',
      firmId: undefined,
      sessionId: undefined,
      impersonatorId: undefined,
    }))
    const link = transport.open({
      identity: 'me',
      channels: [{ name: CHANNEL, hasPresence: true }],
      listen: (one) => void heard.push(one),
    })
    await expect.poll(() => listener).not.toBe(nobody)
    return { clock, link, heard, say: () => listener }
  }

  const throwing = {
    get channel(): string {
      throw new Error('no')
    },
    get category(): string {
      throw new Error('no')
    },
    toString() {
      throw new Error('no')
    },
  }
  const all = [...VALUES, throwing, Symbol('no'), Object.create(null) as object]
  const spoil = (whole: object) => [
    ...all,
    ...Object.keys(whole).flatMap((name) => all.map((value) => ({ ...whole, [name]: value }))),
  ]
  const message = { channel: CHANNEL, message: {}, publisher: 'other', timetoken: '17000000000000000' }
  const joined = { channel: CHANNEL, action: 'join', uuid: 'other', timetoken: '17000000000000000' }
  const interval = { channel: CHANNEL, action: 'interval', join: ['a'], leave: ['b'], timeout: ['c'] }
  const statuses = [
    { category: 'PNConnectedCategory', currentTimetoken: '17000000000000000' },
    { category: 'PNConnectionErrorCategory', error: 'PNNetworkIssuesCategory' },
    { category: 'PNDisconnectedUnexpectedlyCategory', error: 'PNTimeoutCategory' },
    { category: 'x', operation: 'PNHeartbeatOperation', error: true },
  ]

  it('throws nothing and brings whole events only; the next real ones are heard', async () => {
    const { heard, say, link } = await open()
    for (const status of statuses.flatMap(spoil)) expect(() => say().status(status)).not.toThrow()
    for (const one of spoil(message)) expect(() => say().message(one)).not.toThrow()
    for (const one of [joined, interval].flatMap(spoil)) expect(() => say().presence(one)).not.toThrow()
    for (const one of heard) expect(parseRealtimeEvent(one)).toEqual(one)
    heard.length = 0
    say().status(statuses[0])
    say().message({ ...message, timetoken: '17000000000000001' })
    say().presence(joined)
    expect(heard).toEqual([
      { type: 'state', state: 'connected', reason: undefined, cursor: expect.stringMatching(/^\d+$/) },
      { type: 'message', channel: CHANNEL, body: {}, publisher: 'other', cursor: '17000000000000001' },
      { type: 'presence', channel: CHANNEL, action: 'join', presenceIds: ['other'] },
    ])
    link.close()
  })

  it('moves no place in the stream: after a message that cannot be read the next one is not skipped', async () => {
    const { heard, say, link } = await open()
    say().status(statuses[0])
    say().message({ ...message, channel: undefined, timetoken: '99999999999999999' })
    say().presence({ ...joined, channel: undefined, timetoken: '99999999999999999' })
    say().status(statuses[0])
    expect(heard.at(-1)).toMatchObject({ state: 'connected', cursor: '17000000000000000' })
    link.close()
  })

  it.each(all.map((value) => [value]))(
    'as its response (%#): a call ends, and nobody is listed who is none',
    async (value) => {
      for (const returned of [
        value,
        { timetoken: value, channels: value },
        { channels: { [CHANNEL]: value } },
      ]) {
        const { link, say } = await open(returned)
        say().status(statuses[0])
        await expect(link.publish(CHANNEL, {})).resolves.toBeUndefined()
        await expect(link.occupants(CHANNEL)).resolves.toEqual([])
        link.close()
      }
    },
  )

  it('as one of those who are here: the others are listed', async () => {
    const occupants = [...all, ...all.map((uuid) => ({ uuid })), { uuid: 'me' }]
    const { link } = await open({ channels: { [CHANNEL]: { occupants } } })
    const listed = await link.occupants(CHANNEL)
    expect(listed.at(-1)).toBe('me')
    expect(listed.every((id) => typeof id === 'string' && id.length <= 92)).toBe(true)
    link.close()
  })
})

/** Sends nothing by itself. */
const WITHOUT_ACCESS_CONTROL: RealtimeTransport = {
  isProtected: false,
  open({ identity, listen }) {
    void Promise.resolve().then(() => listen({ type: 'state', state: 'connected' }))
    return { isSpeaker: true, publish: async () => {}, occupants: async () => [identity], close() {} }
  },
}

it('is awaited on no channel and with no lock where there is no service: a page that holds one may not come back from the cache', async () => {
  const { auth, host } = await startScene()
  const before = host.counts()
  auth.addEventListener('note', 'new', () => {})
  await host.settle()
  expect(auth.presence()).toHaveLength(1)
  expect(host.counts()).toMatchObject({ channels: before.channels, locks: before.locks })
})

describe('a forged sign-in on the channel between tabs', () => {
  const forged = {
    authHost: 'https://auth.test',
    clientId: 'admin',
    sessionId: 'forged',
    agentId: 'attacker',
    impersonatorId: null,
    logout: false,
    since: Number.MAX_SAFE_INTEGER,
  }

  it('reaches neither the hook nor the session where no service with access control is configured', async () => {
    const { auth, host } = await startScene({ config: { realtime: WITHOUT_ACCESS_CONTROL } })
    const hook = vi.fn<(event: unknown) => void>()
    const received: unknown[] = []
    auth.setHook('uniqueSessionTrigger', hook)
    auth.addEventListener('note', 'new', (data) => received.push(data))
    await host.settle()
    const { user } = auth.getState() as { user: { userId: string; firmId: string; sessionId: string } }
    const presenceId = internalsOf(auth).connection.presence()!.presenceId!
    const name = connectionName(CLIENT, { ...user, presenceId })
    const { lock, openChannel } = createFakeHost('https://app.test/', {
      browser: host.browser,
    }).platform.tabs()
    // The attacker leads the tabs: a leader takes nothing from the others.
    host.emit('freeze')
    void lock!(name, {}, () => new Promise<never>(() => {}))
    host.emit('resume')
    const attacker = openChannel!(name, () => {})
    const publisher = `1:${NIL_DEVICE}:attacker`
    const channel = `auth-session-${user.userId}`
    const bodies = [
      forged,
      { ...forged, since: 8_640_000_000_000_000 },
      { ...forged, sessionId: user.sessionId, logout: true, since: 0 },
    ]
    const messages = [
      ...bodies.map((body) => ({ channel, body })),
      { channel: `user_${user.userId}`, body: { topic: 'note', messageType: 'new', data: 'arrived' } },
    ]
    for (const [index, message] of messages.entries())
      attacker.post({
        kind: 'event',
        event: { type: 'message', ...message, publisher, cursor: `${index}` },
      })
    await host.clock.advance(60_000)
    expect(received).toEqual(['arrived'])
    expect(hook).not.toHaveBeenCalled()
    expect(auth.getState().status).toBe('authenticated')
    expect(host.warnings).toMatchObject([{ message: expect.stringContaining('access control') as string }])
  })

  it('from a time that no clock can show is none, wherever it comes from', async () => {
    const { signIn, hub, pass } = createSessionWorld()
    const { auth } = await signIn({ atSeconds: 0 })
    hub.publish(CHANNEL, forged, `1:${NIL_DEVICE}:attacker`)
    await pass(60_000)
    expect(auth.getState().status).toBe('authenticated')
  })
})
