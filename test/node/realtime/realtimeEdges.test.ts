// The edges of real time: who is here, who is a stranger, what the SDK is told and what its words mean (contract §7; found by npm run test:mutation).
import { describe, expect, it, vi } from 'vitest'
import {
  askAboutUnannounced,
  type ChannelOccupants,
  noteLeft,
  hasUnsettled,
  forgetPresent,
  noteJoined,
  noteOccupants,
  noteAnnouncement,
  noOccupants,
  remember,
  UNANNOUNCED_LIMIT_MS,
} from '../../../src/protocol/channelOccupants.ts'
import { assertMessagingOptions } from '../../../src/protocol/messagingOptions.ts'
import { createOccupants } from '../../../src/session/realtime/occupants.ts'
import {
  makePresenceId,
  NIL_DEVICE,
  parseAnnouncement,
  REALTIME_CACHE_SIZE,
} from '../../../src/protocol/presence.ts'
import {
  backOffMs,
  buildClient,
  faultOf,
  presenceChanges,
  renewalDelayMs,
  type SdkConstructor,
} from '../../../src/protocol/pubnubSdk.ts'
import { isLocalService, leaveAddress, sdkFigures } from '../../../src/protocol/realtimeOptions.ts'

const DEVICE = '0a1b2c3d-1111-4222-8333-444455556666'
const idOf = (agentId: string, type: '1' | '2' | '3' = '1', device = NIL_DEVICE) =>
  makePresenceId({ type, device, agentId })!
const KEYS = { publishKey: 'pub-c-1', subscribeKey: 'sub-c-1' }

describe('the company on a channel', () => {
  const known: ChannelOccupants = { ...noOccupants, earlier: [] }
  const join = (occupants: ChannelOccupants, ids: string[], mayJudge = true, nowMs = 1000) =>
    noteJoined(occupants, 'me', ids, { mayJudge, nowMs })
  const stranger = (agentId: string, dueAtMs = 1000 + UNANNOUNCED_LIMIT_MS, isAsked = false) => ({
    presenceId: idOf(agentId),
    agentId,
    dueAtMs,
    isAsked,
  })

  it('a browser that joins is a stranger for twelve seconds, once', () => {
    const met = join(known, [idOf('a'), idOf('a'), idOf('b')])
    expect(met).toEqual({ ...known, present: ['a', 'b'], unannounced: [stranger('a'), stranger('b')] })
    expect(join(met, [idOf('a')], true, 2000).unannounced).toEqual(met.unannounced)
  })

  it.each<[string, ChannelOccupants, string]>([
    ['an impersonator', known, idOf('a', '2')],
    ['another kind of session', known, idOf('a', '3')],
    ['another device', known, idOf('a', '1', DEVICE)],
    ['who was here before', { ...known, earlier: ['a'] }, idOf('a')],
    ['who has spoken', { ...known, announced: ['a'] }, idOf('a')],
    ['anybody, as long as it is not known who was here', noOccupants, idOf('a')],
  ])('%s is no stranger', (_what, occupants, presenceId) => {
    expect(join(occupants, [presenceId]).unannounced).toEqual([])
  })

  it('an impersonator and this browser itself are not counted, and change nothing', () => {
    expect(join(known, [idOf('a', '2'), idOf('me'), 'nonsense'])).toBe(known)
  })

  it('nobody is a stranger where presence may not judge, nor in a crowd', () => {
    const met = join(known, [idOf('a')])
    expect(join(met, [idOf('b')], false)).toMatchObject({ present: ['a', 'b'], unannounced: [] })
    const many = Array.from({ length: REALTIME_CACHE_SIZE - 1 }, (_, index) => idOf(`a${index}`))
    expect(join(known, many).unannounced).toHaveLength(REALTIME_CACHE_SIZE - 1)
    expect(join(known, [...many, idOf('last')]).unannounced).toEqual([])
  })

  it('who speaks is a stranger no longer, and a rival or not', () => {
    const met = join(known, [idOf('a'), idOf('b')])
    const spoken = noteAnnouncement(met, 'a', true)
    expect(spoken).toMatchObject({ announced: ['a'], nonConflicting: [], unannounced: [stranger('b')] })
    expect(noteAnnouncement(spoken, 'a', true)).toBe(spoken)
    const calm = noteAnnouncement(spoken, 'a', false)
    expect(calm).toMatchObject({ announced: ['a'], nonConflicting: ['a'] })
    expect(noteAnnouncement(calm, 'a', false)).toBe(calm)
    const two = noteAnnouncement(calm, 'c', false)
    expect(noteAnnouncement(two, 'a', true)).toMatchObject({ announced: ['a', 'c'], nonConflicting: ['c'] })
    // Known already, and a stranger again: it counts anew.
    const again = { ...calm, unannounced: [stranger('a')] }
    expect(noteAnnouncement(again, 'a', false).unannounced).toEqual([])
  })

  it('who was here when we came is no stranger, whatever was thought before', () => {
    const met = { ...join(known, [idOf('a'), idOf('b')]), earlier: ['z'] }
    expect(noteOccupants(met, 'me', [idOf('a'), idOf('c', '2'), idOf('me'), 'nonsense'])).toEqual({
      ...met,
      earlier: ['z', 'a', 'c'],
      present: ['a'],
      unannounced: [stranger('b')],
    })
    const many = Array.from({ length: REALTIME_CACHE_SIZE + 5 }, (_, index) => idOf(`a${index}`))
    const { present } = noteOccupants(noOccupants, 'me', many)
    expect([present.length, present.at(-1)]).toEqual([REALTIME_CACHE_SIZE, `a${REALTIME_CACHE_SIZE + 4}`])
  })

  it('is asked after when the time of one is up, and that one waits anew', () => {
    const met = { ...known, unannounced: [stranger('a', 5000), stranger('b', 5001)] }
    expect(askAboutUnannounced(met, 4999)).toEqual({ occupants: met, isAsking: false })
    expect(askAboutUnannounced(met, 5000)).toEqual({
      occupants: {
        ...met,
        unannounced: [stranger('a', 5000 + UNANNOUNCED_LIMIT_MS, true), stranger('b', 5001)],
      },
      isAsking: true,
    })
  })

  it('who leaves is gone, others stay; out of sight nobody is here', () => {
    const met = join(known, [idOf('a'), idOf('b')])
    expect(noteLeft(met, [idOf('a'), 'nonsense'])).toEqual({
      ...met,
      present: ['b'],
      unannounced: [stranger('b')],
    })
    expect(forgetPresent({ ...met, announced: ['a'] })).toMatchObject({
      present: [],
      unannounced: [],
      announced: ['a'],
    })
  })

  it('is unsettled as long as one is here who is not known to be nonConflicting', () => {
    expect(hasUnsettled({ ...known, present: ['a'], nonConflicting: ['a'] })).toBe(false)
    expect(hasUnsettled({ ...known, present: ['a', 'b'], nonConflicting: ['a'] })).toBe(true)
    expect(hasUnsettled(known)).toBe(false)
  })

  it('is remembered to a hundred, without repeats', () => {
    const full = Array.from({ length: REALTIME_CACHE_SIZE }, (_, index) => `a${index}`)
    expect(remember(full, 'a3')).toBe(full)
    expect(remember(full, 'new')).toEqual([...full.slice(1), 'new'])
  })
})

describe('who is online', () => {
  const claim = (agentId: string, since = 5, sessionId = `session-${agentId}`) =>
    parseAnnouncement({ authHost: 'https://auth.test', clientId: 'app', sessionId, agentId, since })!
  const open = (own = claim('me')) => {
    const occupants = createOccupants(idOf('me'), own, () => {})
    const told = vi.fn<() => void>()
    const stop = occupants.subscribe(told)
    return { occupants, told, stop, names: () => occupants.list().map(({ agentId }) => agentId) }
  }

  it('is described by what each has said, before or after it was seen', () => {
    const { occupants, told } = open()
    occupants.describe(idOf('late'), claim('late', 0))
    occupants.describe(undefined, claim('nobody'))
    expect(told).toHaveBeenCalledTimes(0)
    occupants.change('join', [idOf('me'), idOf('late'), idOf('silent'), 'nonsense'])
    expect(told).toHaveBeenCalledTimes(1)
    expect(occupants.list()).toMatchObject([
      { agentId: 'me', isThisBrowser: true, sessionId: 'session-me', sinceMs: 5 },
      { agentId: 'late', isThisBrowser: false, sessionId: 'session-late', sinceMs: undefined },
      { agentId: 'silent', isThisBrowser: false, sessionId: undefined, sinceMs: undefined },
    ])
    occupants.describe(idOf('silent'), claim('silent', 7))
    expect(occupants.list()[2]).toMatchObject({ sessionId: 'session-silent', sinceMs: 7 })
    expect(told).toHaveBeenCalledTimes(2)
    occupants.describe(idOf('silent'), claim('silent', 7))
    expect(told).toHaveBeenCalledTimes(2)
    occupants.describe(idOf('silent'), claim('silent', 9, 'another'))
    expect(occupants.list()[2]).toMatchObject({ sessionId: 'another', sinceMs: 9 })
  })

  it('is a new list when it changed, and the same one when it did not', () => {
    const { occupants, told, stop, names } = open()
    occupants.replace([idOf('a'), idOf('b')])
    const list = occupants.list()
    expect([names(), told.mock.calls.length]).toEqual([['a', 'b'], 1])
    occupants.replace([idOf('b'), idOf('a')])
    occupants.change('join', [idOf('a')])
    occupants.change('leave', [idOf('z')])
    expect(occupants.list()).toBe(list)
    expect(told).toHaveBeenCalledTimes(1)
    occupants.replace([idOf('a')])
    expect(names()).toEqual(['a'])
    occupants.change('timeout', [idOf('a')])
    expect([names(), told.mock.calls.length]).toEqual([[], 3])
    stop()
    occupants.change('join', [idOf('a')])
    expect(told).toHaveBeenCalledTimes(3)
  })

  it('is a hundred at most, and so is what was said by those who are not here', () => {
    const { occupants } = open()
    const ids = Array.from({ length: REALTIME_CACHE_SIZE + 1 }, (_, index) => `a${index}`)
    for (const agentId of ids) occupants.describe(idOf(agentId), claim(agentId))
    occupants.replace(ids.map((agentId) => idOf(agentId)))
    expect(occupants.list()).toHaveLength(REALTIME_CACHE_SIZE)
    // This browser and the first one spoke longest ago.
    expect(
      occupants
        .list()
        .map(({ sessionId }) => sessionId)
        .slice(0, 2),
    ).toEqual([undefined, 'session-a1'])
  })

  it('knows nothing of a browser without a session', () => {
    const occupants = createOccupants(idOf('me'), undefined, () => {})
    occupants.change('join', [idOf('me')])
    expect(occupants.list()).toMatchObject([{ isThisBrowser: true, sessionId: undefined }])
  })
})

describe('the SDK', () => {
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
    ['ps.test:8080', false],
    [undefined, false],
  ])('of the service %s speaks to this very machine: %s', (origin, isLocal) => {
    expect(isLocalService({ ...KEYS, ...(origin !== undefined && { origin }) })).toBe(isLocal)
  })

  it('says goodbye to the right address', () => {
    const goodbye = { identity: idOf('me'), channels: ['a b', 'c'], token: 't+1' }
    expect(leaveAddress({ ...KEYS, origin: 'ps.test', ssl: false }, goodbye)).toBe(
      `http://ps.test/v2/presence/sub-key/sub-c-1/channel/a%20b,c/leave?${new URLSearchParams({ uuid: idOf('me'), auth: 't+1' })}`,
    )
    expect(leaveAddress(KEYS, { ...goodbye, token: undefined })).toMatch(
      /^https:\/\/ps\.pndsn\.com\/.*\?uuid=[^&]+$/,
    )
  })

  it.each([
    [{ action: 'join', uuid: 'a', leave: ['b'] }, [['join', ['a']]]],
    [{ action: 'join' }, []],
    [{ action: 'state-change', uuid: 'a', join: ['b'] }, []],
    [
      { action: 'interval', uuid: 'a', join: ['b'], leave: [], timeout: ['c', 'd'] },
      [
        ['join', ['b']],
        ['timeout', ['c', 'd']],
      ],
    ],
  ])('means by %j: %j', (event, expected) => {
    const changes = presenceChanges({ channel: 'x', ...event })
    expect(changes.map(({ action, presenceIds }) => [action, presenceIds])).toEqual(expected)
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
    ['a year', { timestamp: 0, ttl: 525_600 }, 0, 86_400_000],
    ['no time when it began', { ttl: 60 }, 0, 48 * MINUTE],
    ['no life', { timestamp: 1000 }, 0, undefined],
    ['a life of nothing', { timestamp: 1000, ttl: 0 }, 0, undefined],
    ['nothing that can be read', undefined, 0, undefined],
  ])('renews a token with %s in time', (_what, token, nowMs, expected) => {
    expect(delay(token, nowMs)).toBe(expected)
  })

  it('waits twice as long each time, for a minute at most', () => {
    expect([0, 1, 5, 6, 10, 2000].map((failures) => backOffMs(failures, 1))).toEqual([
      1000, 2000, 32_000, 60_000, 60_000, 60_000,
    ])
    expect(backOffMs(0, 0)).toBe(500)
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
    expect([faultOf(undefined), faultOf(new Error('x'))]).toEqual(['failed', 'failed'])
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
    expect(() => assertMessagingOptions({ ...KEYS, ...members })).toThrow(expect.objectContaining({ remedy }))
  })

  it('right ones are taken, fractions too', () => {
    expect(() => assertMessagingOptions({ ...KEYS, origin: '[::1]:8080', cacheSize: 0.5 })).not.toThrow()
  })
})
