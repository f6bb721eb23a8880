// The time by the app's own server, for a device whose clock is wrong.
import { expect, it } from 'vitest'
import { askOwnOrigin } from '../../../src/protocol/servers/receiveTokens.ts'
import type { ServerPorts } from '../../../src/protocol/servers/profile.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'

const NOW_MS = 1_893_456_000_000

it.each([
  ['as it is', {}, NOW_MS],
  ['with the age of a page that a cache has kept', { age: '3600' }, NOW_MS + 3_600_000],
  ['as it is where the age is none', { age: 'old' }, NOW_MS],
])('takes Date %s, of the page itself, without its query', async (_how, headers, nowMs) => {
  const host = createFakeHost('https://app.test/admin/firms?code=secret#part', {
    fetch: async () => new Response('', { headers: { date: new Date(NOW_MS).toUTCString(), ...headers } }),
  })
  const time = await askOwnOrigin(host.platform as unknown as ServerPorts)
  expect(time).toEqual({ nowMs, source: 'origin' })
  expect(host.requests.map(({ url }) => url)).toEqual(['https://app.test/admin/firms'])
})
