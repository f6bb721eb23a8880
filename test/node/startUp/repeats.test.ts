// The repeats of a start-up that failed, alone: a repeat that begins again at once would keep a whole page busy for ever.
import { expect, it } from 'vitest'
import { AuthError, offline } from '../../../src/base/errors.ts'
import { createRepeats } from '../../../src/session/boot/repeats.ts'
import { createStore } from '../../../src/session/store.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP } from '../session/sessionScene.ts'

/** A page whose start-up has just failed with `error`. */
function failWith(error: AuthError) {
  const host = createFakeHost(APP, { isOnline: false })
  const store = createStore({ isOnline: false, realtime: 'off', isTokenExpired: false }, host.platform, {
    record: () => {},
  })
  store.change({ type: 'failed', error, retry: () => {} })
  const atMs: number[] = []
  const beganMs = host.platform.now()
  const page = () => new AbortController().signal
  const repeats = createRepeats({ platform: host.platform, store, page }, () =>
    atMs.push(host.platform.now() - beganMs),
  )
  repeats.plan(error)
  return { host, store, repeats, atMs }
}

it('a repeat comes in its time where the browser reports no network, and at once when it reports one', async () => {
  const { host, store, repeats, atMs } = failWith(offline())
  expect([atMs, store.state]).toMatchObject([[], { retryAtMs: host.clock.nowMs + 2000 }])
  await host.clock.advance(2000)
  expect(atMs).toEqual([2000])
  repeats.plan(offline())
  await host.clock.advance(1000)
  host.setOnline(true)
  repeats.resume()
  expect(atMs).toEqual([2000, 3000])
})

it('after a network that came back the waits begin anew: the first attempt may be too early', () => {
  const { host, store, repeats } = failWith(offline())
  for (let count = 0; count < 5; count += 1) repeats.plan(offline())
  host.setOnline(true)
  repeats.resume()
  repeats.plan(new AuthError('network', 'network', { retryable: true }))
  expect(store.state).toMatchObject({ retryAtMs: host.clock.nowMs + 2000 })
})
