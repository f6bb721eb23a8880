// Every tab is asked to get ready for the end of a session, and nothing of the question stays.
import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { createPreparations } from '../../../src/session/tabs/preparations.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'

/** This tab, beside one that never answers. */
function openTab() {
  const host = createFakeHost('https://app.test/')
  const channel = new AbortController()
  const preparations = createPreparations(
    {
      platform: host.platform,
      tokens: { current: {} } as never,
      record: { id: () => 's1', now: () => ({ id: 's1' }) } as never,
      marker: { tabId: 'own', countOthers: () => 1 } as never,
    },
    { post: () => {}, close: () => {} },
    { send: async () => {}, stillCounts: () => true },
    channel.signal,
  )
  return { host, channel, ask: () => preparations.ask('signed-out') }
}

it('each ending leaves no timer and no listener behind, however many there are before the channel closes', async () => {
  const { host, channel, ask } = openTab()
  const before = host.counts()
  const listeners = getEventListeners(channel.signal, 'abort')
  for (let count = 0; count < 3; count += 1) {
    const asked = ask()
    await host.clock.advance(1_000)
    expect(await asked).toEqual([])
  }
  expect(getEventListeners(channel.signal, 'abort')).toEqual(listeners)
  expect(host.counts()).toEqual(before)
})

it('a channel that closes holds nobody up', async () => {
  const { host, channel, ask } = openTab()
  const asked = ask()
  await host.settle()
  channel.abort()
  expect(await asked).toEqual([])
})
