// The access token of the messaging service is asked for in time, and no app is asked again and again while it fails.
import { expect, it } from 'vitest'
import { createNamedTimers } from '../../../src/namedTimers.ts'
import { backOffMs } from '../../../src/realtime/pubnub/pubnubSdk.ts'
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
