// The repeats of a start-up that failed, alone: a repeat that begins again at once would keep a whole page busy for ever.
import { expect, it } from 'vitest'
import { AuthError, offline } from '../../../src/errors.ts'
import { createRepeats } from '../../../src/session/boot/repeats.ts'
import { createStore } from '../../../src/session/store.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP } from '../session/sessionScene.ts'

/** A page whose start-up has just failed with `error`. */
function failWith(error: AuthError) {
  const host = createFakeHost(APP, { isOnline: false })
  const store = createStore(
    { isOnline: false, realtime: 'off', isTokenExpired: false },
    { onStatus: () => {}, onFault: () => {} },
  )
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

it('without a network nothing is repeated and no time is told; with it, at once', () => {
  const { host, store, repeats, atMs } = failWith(offline())
  expect(atMs).toEqual([])
  expect(store.state).not.toHaveProperty('retryAtMs')
  host.setOnline(true)
  repeats.resume()
  expect(atMs).toEqual([0])
})

it('a page that is looked at again while there is no network repeats nothing, however long ago the failure was', async () => {
  const { host, store, repeats, atMs } = failWith(new AuthError('network', 'network', { retryable: true }))
  await host.clock.advance(60_000)
  repeats.resume()
  expect(atMs).toEqual([])
  expect(store.state).not.toHaveProperty('retryAtMs')
  host.setOnline(true)
  repeats.resume()
  expect(atMs).toEqual([60_000])
})
