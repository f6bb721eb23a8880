// What the SDK is told, and what happens when it cannot be built or loaded.
import { afterEach, expect, it, vi, describe } from 'vitest'
import {
  backOffMs,
  buildClient,
  faultOf,
  readMessage,
  readOccupants,
  readPresence,
  readPublished,
  readStatus,
  renewalDelayMs,
  type SdkConstructor,
  timetokenOf,
} from '../../../src/realtime/pubnub/pubnubSdk.ts'
import { assertPubnubOptions, leaveAddress, sdkFigures } from '../../../src/realtime/pubnub/pubnubOptions.ts'
import { pubnub } from '../../../src/pubnub/index.ts'
import { createPubnubTransport } from '../../../src/realtime/pubnub/pubnubConnection.ts'

const KEYS = { publishKey: 'pub-c-1', subscribeKey: 'sub-c-1' }

afterEach(() => {
  vi.doUnmock('pubnub')
})

it('gets our figures in its own units', () => {
  expect(sdkFigures(KEYS)).toEqual({
    presenceTimeout: 300,
    transactionalRequestTimeout: 15,
    subscribeRequestTimeout: 310,
    maximumCacheSize: 100,
    fileUploadPublishRetryLimit: 5,
  })
  const presence = (presenceTimeoutInSeconds: number) =>
    sdkFigures({ ...KEYS, presenceTimeoutInSeconds }).presenceTimeout
  expect([19, 20, 320, 321].map(presence)).toEqual([20, 20, 320, 320])
})

it('that cannot be loaded leaves the line failed, and is tried again', async () => {
  let attempts = 0
  vi.doMock('pubnub', () => {
    attempts += 1
    throw new Error('no such chunk')
  })
  const states: string[] = []
  const waits: (() => void)[] = []
  const link = createPubnubTransport(
    KEYS,
    {
      crypto: {} as never,
      fetch,
      isOnline: () => true,
      now: () => 0,
      on: () => () => undefined,
      setTimer: (callback, delayMs) => {
        if (delayMs < 8000) waits.push(callback)
        return () => undefined
      },
    },
    () => ({ userId: '42', firmId: undefined, sessionId: undefined, impersonatorId: undefined }),
  ).open({
    identity: 'me',
    channels: [{ name: 'room' }],
    listen: (event) => {
      if (event.type === 'state') states.push(`${event.state}: ${event.reason}`)
    },
  })
  await expect
    .poll(() => states)
    .toEqual(['connecting: undefined', 'failed: The messaging SDK cannot be loaded'])
  await expect(link.publish('room', 1)).rejects.toMatchObject({ code: 'offline' })
  waits.pop()?.()
  await expect.poll(() => attempts).toBe(2)
  link.close()
})

describe('the words of the SDK', () => {
  const build = (options = {}) => {
    const given: object[] = []
    class Sdk {
      constructor(settings: object) {
        given.push(settings)
        if (given.length === 1 && 'fails' in options) throw new Error('no frame')
      }
      static NoneRetryPolicy = () => ({ none: true })
    }
    buildClient(Sdk as unknown as SdkConstructor, { ...KEYS, ...options }, 'me')
    return given
  }

  it('is told everything, and does nothing behind our back', () => {
    expect(build()).toEqual([
      {
        ...sdkFigures(KEYS),
        ...KEYS,
        ssl: true,
        userId: 'me',
        enableEventEngine: true,
        restore: true,
        maintainPresenceState: false,
        listenToBrowserNetworkEvents: false,
        retryConfiguration: { none: true },
      },
    ])
    expect(build({ origin: 'ps.test:443', ssl: false })).toMatchObject([
      { origin: 'ps.test:443', ssl: false },
    ])
    expect(build({ fails: true })).toMatchObject([{ userId: 'me' }, { userId: 'me', transport: 'xhr' }])
  })

  it('gets every figure of the app in its own units', () => {
    expect(
      sdkFigures({
        ...KEYS,
        presenceTimeoutInSeconds: 60,
        transactionTimeoutMs: 7000,
        subscribeTimeoutMs: 90_000,
        cacheSize: 7,
        fileUploadPublishRetryLimit: 3,
      }),
    ).toEqual({
      presenceTimeout: 60,
      transactionalRequestTimeout: 7,
      subscribeRequestTimeout: 90,
      maximumCacheSize: 7,
      fileUploadPublishRetryLimit: 3,
    })
  })

  it.each([
    ['[::1]', true],
    ['[::1]:8080', true],
    ['[2001:db8::1]:8080', false],
    ['localhost:8080', true],
    ['127.0.0.1', true],
    ['[2001:db8::1]:80', false],
    ['app.localhost:1', true],
    ['127.0.0.1:80', true],
    ['127.0.0.1.example.com', false],
    ['localhost.example.com', false],
    ['ps.test:8080', false],
    [undefined, false],
  ])('of the service %s speaks to this very machine: %s', (origin, isLocal) => {
    expect(pubnub({ ...KEYS, origin }).isProtected).toBe(isLocal)
  })

  it('says goodbye to the right address', () => {
    const goodbye = { identity: '1:nil:me', channels: ['a b', 'a@b', 'c'], token: 't+1' }
    expect(leaveAddress({ ...KEYS, origin: 'ps.test', ssl: false }, goodbye)).toBe(
      `http://ps.test/v2/presence/sub-key/sub-c-1/channel/a%20b,a%40b,c/leave?uuid=1%3Anil%3Ame&auth=t%2B1`,
    )
    expect(leaveAddress(KEYS, { ...goodbye, token: undefined })).toMatch(
      /^https:\/\/ps\.pndsn\.com\/.*\?uuid=[^&]+$/,
    )
  })

  it.each([
    [{ action: 'join', uuid: 'a', leave: ['b'] }, [['join', ['a']]]],
    [{ action: 'timeout', uuid: 'a' }, [['timeout', ['a']]]],
    [{ action: 'join' }, []],
    [{ action: 'state-change', uuid: 'a', join: ['b'] }, []],
    [
      { action: 'interval', uuid: 'a', join: ['b'], leave: [], timeout: ['c', 'd'] },
      [
        ['join', ['b']],
        ['leave', []],
        ['timeout', ['c', 'd']],
      ],
    ],
  ])('means by %j: %j', (event, expected) => {
    const changes = readPresence({ channel: 'x', ...event })?.changes
    expect(changes?.map(({ action, presenceIds }) => [action, presenceIds])).toEqual(expected)
  })

  const NINETEEN_DIGITS = '17000000000000000'
  it.each<[unknown, string | undefined]>([
    [NINETEEN_DIGITS, NINETEEN_DIGITS],
    [1_700_000, '1700000'],
    ['0', '0'],
    ['1'.repeat(20), '1'.repeat(20)],
    ['1'.repeat(21), undefined],
    ['', undefined],
    ['12x', undefined],
    ['x12', undefined],
    [1.5, undefined],
    [-1, undefined],
    [['12'], undefined],
    [null, undefined],
  ])('takes the position %j for %j', (written, expected) => {
    expect(timetokenOf(written)).toBe(expected)
    expect(readPublished({ timetoken: written })).toBe(expected)
    expect(readMessage({ timetoken: written })).toMatchObject({ type: 'message', cursor: expected })
    expect(readStatus({ currentTimetoken: written })).toMatchObject({ cursor: expected })
    expect(readPresence({ channel: 'c', timetoken: written })).toMatchObject({ cursor: expected })
  })

  it.each<[object, object]>([
    [
      { category: 'PNConnectedCategory', operation: 'PNSubscribeOperation', error: true },
      { category: 'PNConnectedCategory', operation: 'PNSubscribeOperation', error: true },
    ],
    [{ error: 'Unauthorized' }, { category: '', error: 'Unauthorized' }],
    [
      { category: 7, error: false },
      { category: '', error: undefined },
    ],
    [{ error: { message: 'secret' } }, { category: '', error: undefined }],
    [{ error: 1 }, { category: '', error: undefined }],
  ])('means by the status %j: %j', (status, expected) => {
    expect(readStatus(status)).toEqual({ operation: undefined, cursor: undefined, ...expected })
  })

  it('passes a message and a join on with the channel, and a position only where there is a channel', () => {
    expect(readMessage({ channel: 'c', message: { a: 1 }, publisher: 'me', timetoken: '5' })).toEqual({
      type: 'message',
      channel: 'c',
      body: { a: 1 },
      publisher: 'me',
      cursor: '5',
    })
    expect(readPresence({ channel: 'c', action: 'join', uuid: 'me', timetoken: '5' })).toEqual({
      cursor: '5',
      changes: [{ type: 'presence', channel: 'c', action: 'join', presenceIds: ['me'] }],
    })
    expect(readPresence({ channel: 7, timetoken: '5' })).toEqual({ cursor: undefined, changes: [] })
  })

  it('reads who is on a channel, and nobody from what is no list', () => {
    const hereNow = (occupants: unknown) => ({ channels: { c: { occupants } } })
    expect(readOccupants(hereNow([{ uuid: 'a' }, {}, { uuid: 'b' }]), 'c')).toEqual(['a', undefined, 'b'])
    for (const wrong of [hereNow('ab'), hereNow({ length: 1 }), {}, null, undefined, { channels: null }])
      expect(readOccupants(wrong, 'c')).toEqual([])
    expect(readOccupants(hereNow([{ uuid: 'a' }]), 'd')).toEqual([])
  })

  it('has nothing to say of what throws when it is read', () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error('hostile')
        },
      },
    )
    expect([readStatus, readMessage, readPresence, readPublished].map((read) => read(hostile))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  const MINUTE = 60_000
  const delay = (token: object | undefined, nowMs: number) =>
    renewalDelayMs({ parseToken: () => token }, 'token', nowMs)
  it.each<[string, object | undefined, number, number | undefined]>([
    ['half of its life', { timestamp: 1000, ttl: 60 }, 1_000_000 + 30 * MINUTE, 24 * MINUTE],
    ['its whole life', { timestamp: 1000, ttl: 60 }, 1_000_000, 48 * MINUTE],
    ['nothing left', { timestamp: 1000, ttl: 60 }, 1_000_000 + 60 * MINUTE, 48 * MINUTE],
    ['a clock far behind', { timestamp: 1000, ttl: 60 }, 0, 48 * MINUTE],
    ['a second left', { timestamp: 1000, ttl: 60 }, 1_000_000 + 60 * MINUTE - 1000, 10_000],
    ['a millisecond left', { timestamp: 1000, ttl: 1 }, 1_059_999, 10_000],
    ['a clock far ahead', { timestamp: 1000, ttl: 60 }, 1_000_000_000, 48 * MINUTE],
    ['a year', { timestamp: 0, ttl: 525_600 }, 0, 86_400_000],
    ['no time when it began', { ttl: 60 }, 0, 48 * MINUTE],
    ['no life', { timestamp: 1000 }, 0, undefined],
    ['a life of nothing', { timestamp: 1000, ttl: 0 }, 0, undefined],
    ['nothing that can be read', undefined, 0, undefined],
  ])('renews a token with %s in time', (_what, token, nowMs, expected) => {
    expect(delay(token, nowMs)).toBe(expected)
  })

  it('renews no token that the SDK cannot read', () => {
    const parseToken = () => JSON.parse('<') as undefined
    expect(renewalDelayMs({ parseToken }, 'token', 0)).toBeUndefined()
  })

  it('waits twice as long each time, for a minute at most', () => {
    expect([0, 1, 5, 6, 10, 2000].map((failures) => backOffMs(failures, 1))).toEqual([
      1000, 2000, 32_000, 60_000, 60_000, 60_000,
    ])
    expect([backOffMs(0, 0), backOffMs(6, 0)]).toEqual([500, 30_000])
  })

  it.each([
    ['PNAccessDeniedCategory', 'denied'],
    ['PNTimeoutCategory', 'timeout'],
    ['PNNetworkIssuesCategory', 'offline'],
    ['PNBadRequestCategory', 'invalid'],
    ['PNValidationErrorCategory', 'invalid'],
    ['PNUnknownCategory', 'failed'],
    [undefined, 'failed'],
  ])('means by %s: %s', (category, fault) => {
    expect(faultOf({ status: { category } })).toBe(fault)
    const others = [undefined, null, 'x', {}, { status: null }, new Error('x')]
    expect(others.map(faultOf)).toEqual(others.map(() => 'failed'))
  })
})

describe('wrong options of the messaging service', () => {
  it.each<[string, object, string]>([
    ['no publishKey', { publishKey: undefined }, 'realtime.publishKey must be a key.'],
    ['a publishKey that is a number', { publishKey: 7 }, 'realtime.publishKey must be a key.'],
    ['a subscribeKey with a slash', { subscribeKey: 'a/b' }, 'realtime.subscribeKey must be a key.'],
    [
      'an origin with a scheme',
      { origin: 'https://ps.test' },
      "realtime.origin must be a host without a scheme: 'ps.example.com:443'.",
    ],
    [
      'an origin that is a list',
      { origin: ['ps.test'] },
      "realtime.origin must be a host without a scheme: 'ps.example.com:443'.",
    ],
    ...(
      [
        'presenceTimeoutInSeconds',
        'transactionTimeoutMs',
        'subscribeTimeoutMs',
        'cacheSize',
        'fileUploadPublishRetryLimit',
      ] as const
    ).flatMap((name) =>
      [0, -1, '5', Number.NaN].map((figure): [string, object, string] => [
        `${name} ${figure}`,
        { [name]: figure },
        `realtime.${name} must be a positive number.`,
      ]),
    ),
  ])('%s: refused, with what is expected', (_what, members, remedy) => {
    expect(() => assertPubnubOptions({ ...KEYS, ...members })).toThrow(expect.objectContaining({ remedy }))
  })

  it('right ones are taken, fractions too', () => {
    expect(() => assertPubnubOptions({ ...KEYS, origin: '[::1]:8080', cacheSize: 0.5 })).not.toThrow()
  })
})
