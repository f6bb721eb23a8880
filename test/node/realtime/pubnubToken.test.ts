// The access token of the messaging service is asked for in time, and no app is asked again and again while it fails.
import { afterEach, expect, it, vi } from 'vitest'
import { createPubnubTransport } from '../../../src/realtime/pubnub/pubnubConnection.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'

afterEach(() => {
  vi.doUnmock('pubnub')
})

const session = () => ({ userId: '1', firmId: undefined, sessionId: undefined, impersonatorId: undefined })

it('while getToken fails it is asked with growing waits, and soon again after one that worked', async () => {
  const { platform, clock } = createFakeHost('https://app.test/')
  const subscribe = vi.fn<() => void>()
  class Sdk {
    static NoneRetryPolicy = () => ({})
    addListener() {}
    removeAllListeners() {}
    subscribe = subscribe
    destroy() {}
    setToken() {}
    // It lives for a minute and is renewed after 48 s.
    parseToken = () => ({ ttl: 1, timestamp: clock.nowMs / 1000 })
  }
  vi.doMock('pubnub', () => ({ default: Sdk }))
  const askedAtMs: number[] = []
  let isBroken = false
  const getToken = async () => {
    askedAtMs.push(clock.monotonicMs)
    if (isBroken) throw new TypeError('Failed to fetch')
    return 'token'
  }
  const crypto = { randomBytes: () => Uint8Array.of(255) }
  const service = createPubnubTransport(
    { publishKey: 'p', subscribeKey: 's', getToken },
    { ...platform, crypto },
    session,
  )
  const link = service.open({ identity: 'me', channels: [{ name: 'room' }], listen() {} })
  await expect.poll(() => subscribe.mock.calls.length).toBe(1)
  isBroken = true
  await clock.advance(48_000 + 80_000)
  // A random part of the wait, half a percent of it at most here, is rounded away.
  const waits = () =>
    askedAtMs.slice(1).map((atMs, index) => Math.round((atMs - askedAtMs[index]!) / 100) / 10)
  expect(waits()).toEqual([48, 1, 2, 4, 8, 16, 31.9])
  isBroken = false
  await clock.advance(60_000)
  isBroken = true
  askedAtMs.length = 0
  await clock.advance(50_000)
  expect(waits().slice(0, 2)).toEqual([1, 2])
  link.close()
})

it('offline, a getToken that fails is asked once in half a minute at most, and at once when the network is back', async () => {
  const host = createFakeHost('https://app.test/', { isOnline: false })
  let count = 0
  const getToken = async () => {
    count += 1
    throw new TypeError('Failed to fetch')
  }
  const service = createPubnubTransport(
    { publishKey: 'p', subscribeKey: 's', getToken },
    host.platform,
    session,
  )
  const link = service.open({ identity: 'me', channels: [{ name: 'room' }], listen() {} })
  await host.clock.advance(80_000)
  expect(count).toBeLessThanOrEqual(3)
  const before = count
  host.setOnline(true)
  await host.settle()
  expect(count).toBe(before + 1)
  link.close()
})
