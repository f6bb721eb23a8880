// The last word of a session over the real SDK: said, and then the browser is really gone from the channels.
import { afterEach, expect, it } from 'vitest'
import { type RealtimeServer, startRealtimeServer } from '../../../demo/realtimeServer/startRealtimeServer.ts'
import { createPubnubTransport } from '../../../src/realtime/pubnub/pubnubConnection.ts'

const ME = '1:00000000-0000-0000-0000-000000000000:me'
const ROOM = 'auth-session-42'
const soon = { timeout: 12_000, interval: 10 }

let server: RealtimeServer | undefined
afterEach(() => server?.close())

it('after the last word no poll is asked for again, and the goodbye is the end', async () => {
  const service = await startRealtimeServer()
  server = service
  const transport = createPubnubTransport(
    { publishKey: 'pub', subscribeKey: 'sub', origin: service.origin, ssl: false },
    {
      crypto: { randomBytes: () => Uint8Array.of(0) },
      fetch: (input, init) => fetch(input, init),
      isOnline: () => true,
      now: () => Date.now(),
      on: () => () => {},
      setTimer(callback, delayMs) {
        const timer = setTimeout(callback, delayMs)
        return () => clearTimeout(timer)
      },
    },
    () => ({ userId: '42', firmId: undefined, sessionId: undefined, impersonatorId: undefined }),
  )
  const link = transport.open({
    identity: ME,
    channels: [{ name: ROOM, hasPresence: true }],
    listen: () => {},
  })
  await expect.poll(() => service.heldPolls(), soon).toBe(1)
  expect(service.occupants(ROOM)).toEqual([ME])

  link.stopListening?.()
  await link.publish(ROOM, { logout: true })
  link.close({ leave: true })
  await expect.poll(() => service.occupants(ROOM), soon).toEqual([])
  const operations = service.requests.map(({ operation }) => operation)
  expect(operations.slice(operations.indexOf('publish'))).toEqual(['publish', 'leave'])
  expect(service.heldPolls()).toBe(0)
})
