// What the SDK is told, and what happens when it cannot be built or loaded.
import { afterEach, expect, it, vi } from 'vitest'

import {
  backOffMs,
  buildClient,
  faultOf,
  presenceChanges,
  renewalDelayMs,
} from '../../../src/protocol/pubnubSdk.ts'
import type { Sdk, SdkConstructor } from '../../../src/protocol/pubnubSdk.ts'
import { assertMessagingOptions } from '../../../src/protocol/messagingOptions.ts'
import { isLocalService, leaveAddress, sdkFigures } from '../../../src/protocol/realtimeOptions.ts'
import { createPubnubTransport } from '../../../src/session/realtime/pubnub.ts'

const keys = { publishKey: 'pub', subscribeKey: 'sub' }

afterEach(() => {
  vi.doUnmock('pubnub')
})

it('gets the specification’s figures in its own units', () => {
  expect(sdkFigures(keys)).toEqual({
    presenceTimeout: 300,
    transactionalRequestTimeout: 15,
    subscribeRequestTimeout: 310,
    maximumCacheSize: 100,
    fileUploadPublishRetryLimit: 5,
  })
  const presence = (presenceTimeoutInSeconds: number) =>
    sdkFigures({ ...keys, presenceTimeoutInSeconds }).presenceTimeout
  expect([19, 20, 320, 321].map(presence)).toEqual([20, 20, 320, 320])
})

it.each([
  [{ publishKey: '' }, 'realtime.publishKey'],
  [{ subscribeKey: 'a/b' }, 'realtime.subscribeKey'],
  [{ origin: 'https://ps.example.com' }, 'realtime.origin'],
  [{ origin: 'a,b' }, 'realtime.origin'],
  [{ presenceTimeoutInSeconds: 0 }, 'realtime.presenceTimeoutInSeconds'],
  [{ transactionTimeoutMs: Number.NaN }, 'realtime.transactionTimeoutMs'],
  [{ cacheSize: '5' as never }, 'realtime.cacheSize'],
])('refuses bad options with the name of the option (%#)', (bad, name) => {
  expect(() => assertMessagingOptions({ ...keys, ...bad })).toThrow(`Invalid config parameter : ${name}`)
  expect(() => assertMessagingOptions({ ...keys, origin: '127.0.0.1:9000' })).not.toThrow()
})

it('knows which service is this very machine', () => {
  const isLocal = (origin?: string) => isLocalService({ ...keys, origin })
  expect(['127.0.0.1:80', 'localhost', 'app.localhost:1', '[::1]:8080'].map(isLocal)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect([undefined, 'ps.pndsn.com', '127.0.0.1.example.com', 'localhost.example.com'].map(isLocal)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

it('says goodbye at the right address', () => {
  const goodbye = { identity: '1:nil:a', channels: ['a@b', 'c'], token: 't=' }
  expect(leaveAddress({ ...keys, origin: 'h:1', ssl: false }, goodbye)).toBe(
    'http://h:1/v2/presence/sub-key/sub/channel/a%40b,c/leave?uuid=1%3Anil%3Aa&auth=t%3D',
  )
  expect(leaveAddress(keys, { ...goodbye, token: undefined })).toMatch(
    /^https:\/\/ps\.pndsn\.com\/.*uuid=1%3Anil%3Aa$/,
  )
})

it('is built with another transport where its own cannot be', () => {
  const asked: object[] = []
  class Picky {
    static NoneRetryPolicy = () => ({})
    constructor(settings: object) {
      asked.push(settings)
      if (!('transport' in settings)) throw new TypeError('sandboxed')
    }
  }
  const client = buildClient(Picky as unknown as SdkConstructor, keys, 'me')
  expect(client).toBeInstanceOf(Picky)
  expect(asked).toHaveLength(2)
  expect(asked[1]).toMatchObject({ userId: 'me', transport: 'xhr', listenToBrowserNetworkEvents: false })
})

it('waits twice as long after every failure, up to a minute, and never in step with others', () => {
  expect([0, 1, 5, 6, 50].map((failures) => backOffMs(failures, 1))).toEqual([
    1000, 2000, 32_000, 60_000, 60_000,
  ])
  expect(backOffMs(6, 0)).toBe(30_000)
})

it('renews a token well before its end, whatever this machine’s clock says', () => {
  const parsing = (token: unknown) => ({ parseToken: () => token }) as unknown as Sdk
  const nowMs = 1_000_000_000
  const delay = (timestamp: number, ttl: number) => renewalDelayMs(parsing({ timestamp, ttl }), 't', nowMs)
  expect(delay(nowMs / 1000, 60)).toBe(48 * 60_000)
  expect(delay(nowMs / 1000 - 1800, 60)).toBe(24 * 60_000)
  expect(delay(nowMs / 1000 + 7200, 60)).toBe(48 * 60_000)
  expect(delay(nowMs / 1000 - 720_000, 60)).toBe(48 * 60_000)
  expect(delay(nowMs / 1000, 43_200)).toBe(86_400_000)
  expect(renewalDelayMs(parsing(undefined), 't', nowMs)).toBeUndefined()
  const broken = { parseToken: () => JSON.parse('<') as undefined }
  expect(renewalDelayMs(broken, 't', nowMs)).toBeUndefined()
})

it('tells joins and leaves one by one and in crowds', () => {
  const event = { channel: 'c', uuid: 'a' }
  expect(presenceChanges({ ...event, action: 'timeout' })).toEqual([
    { action: 'timeout', presenceIds: ['a'] },
  ])
  expect(presenceChanges({ ...event, action: 'state-change' })).toEqual([])
  expect(presenceChanges({ channel: 'c', action: 'interval', join: ['a', 'b'], leave: ['c'] })).toEqual([
    { action: 'join', presenceIds: ['a', 'b'] },
    { action: 'leave', presenceIds: ['c'] },
  ])
})

it('never lets its error, which holds the request, out', () => {
  expect(faultOf({ status: { category: 'PNTimeoutCategory' } })).toBe('timeout')
  expect([undefined, null, 'x', {}, { status: null }].map(faultOf)).toEqual(
    Array.from({ length: 5 }, () => 'failed'),
  )
})

it('that cannot be loaded leaves the line failed, and is tried again', async () => {
  let attempts = 0
  vi.doMock('pubnub', () => {
    attempts += 1
    throw new Error('no such chunk')
  })
  const states: string[] = []
  const waits: (() => void)[] = []
  const link = createPubnubTransport(keys, {
    crypto: {} as never,
    fetch,
    isOnline: () => true,
    now: () => 0,
    on: () => () => undefined,
    setTimer: (callback, delayMs) => {
      if (delayMs < 8000) waits.push(callback)
      return () => undefined
    },
  }).open({
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
