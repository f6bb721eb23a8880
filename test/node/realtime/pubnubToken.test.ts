// The access token of the messaging service is asked for in time, and no app is asked again and again while it fails.
import { expect, it } from 'vitest'
import { createNamedTimers } from '../../../src/base/namedTimers.ts'
import { backOffMs } from '../../../src/realtime/pubnub/pubnubSdk.ts'
import { createPubnubTransport } from '../../../src/realtime/pubnub/pubnubConnection.ts'
import { createPubnubToken } from '../../../src/realtime/pubnub/pubnubToken.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'

it('while getToken fails it is asked with growing waits, and soon again after one that worked', async () => {
  const { platform, clock } = createFakeHost('https://app.test/')
  const askedAtMs: number[] = []
  let isBroken = false
  const token = createPubnubToken({
    async getToken() {
      askedAtMs.push(clock.monotonicMs)
      if (isBroken) throw new TypeError('Failed to fetch')
      return 'token'
    },
    timers: createNamedTimers<'token'>(platform.setTimer),
    ports: platform,
    backOffMs: (failureCount) => backOffMs(failureCount, 1),
  })
  // It lives for a minute and is renewed after 48 s.
  const parseToken = () => ({ ttl: 1, timestamp: clock.nowMs / 1000 })
  token.giveTo({ setToken() {}, parseToken } as never)
  await token.fetch()
  isBroken = true
  await clock.advance(48_000 + 80_000)
  const waits = () => askedAtMs.slice(1).map((atMs, index) => atMs - askedAtMs[index]!)
  expect(waits()).toEqual([48_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000])
  isBroken = false
  await clock.advance(60_000)
  isBroken = true
  askedAtMs.length = 0
  await clock.advance(50_000)
  expect(waits().slice(0, 2)).toEqual([1_000, 2_000])
})

it('offline, a getToken that fails is asked once in half a minute at most, and at once when the network is back', async () => {
  const host = createFakeHost('https://app.test/', { isOnline: false })
  let count = 0
  const getToken = async () => {
    count += 1
    throw new TypeError('Failed to fetch')
  }
  const session = () => ({ userId: '1', firmId: undefined, sessionId: undefined, impersonatorId: undefined })
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
