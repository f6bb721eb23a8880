// The unchanged SDK judges the development server: what it can say, hear and refuse.

// @module-tag thorough

import PubNub from 'pubnub'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { startRealtimeServer } from '../../../demo/realtimeServer/startRealtimeServer.ts'
import type { RealtimeServer } from '../../../demo/realtimeServer/startRealtimeServer.ts'

let server: RealtimeServer
const clients: PubNub[] = []

beforeEach(async () => {
  server = await startRealtimeServer()
})

afterEach(async () => {
  for (const client of clients.splice(0)) {
    client.removeAllListeners()
    client.destroy(true)
  }
  await server.close()
})

function connect(userId: string, options: Record<string, unknown> = {}, at = server): PubNub {
  const client = new PubNub({
    publishKey: 'pub',
    subscribeKey: 'sub',
    userId,
    origin: at.origin,
    ssl: false,
    enableEventEngine: true,
    presenceTimeout: 300,
    retryConfiguration: PubNub.LinearRetryPolicy({
      delay: 2,
      maximumRetry: 5,
      excluded: [PubNub.Endpoint.MessageSend],
    }),
    ...options,
  })
  clients.push(client)
  return client
}

/** Subscribes and resolves with a recorder once the SDK says it is connected. */
async function listen(client: PubNub, channels: string[], withPresence = false) {
  const messages: { message: unknown; publisher: string | undefined; timetoken: string }[] = []
  const presence: { action: string; uuid: string | undefined }[] = []
  const signals: unknown[] = []
  const connected = new Promise<void>((resolve, reject) => {
    client.addListener({
      status: (status) => {
        const category: string = status.category
        if (category === 'PNConnectedCategory') resolve()
        if (category === 'PNConnectionErrorCategory') reject(new Error(String(status.error)))
      },
      message: ({ message, publisher, timetoken }) => void messages.push({ message, publisher, timetoken }),
      signal: ({ message }) => {
        signals.push(message)
      },
      presence: (event) =>
        void presence.push({ action: event.action, uuid: 'uuid' in event ? event.uuid : undefined }),
    })
  })
  client.subscribe({ channels, withPresence })
  await connected
  return { messages, presence, signals }
}

const soon = { timeout: 8000, interval: 10 }

for (const enableEventEngine of [true, false]) {
  const engine = enableEventEngine ? 'event engine' : 'older engine'

  it(`carries messages by GET, POST and signal to a subscriber (${engine})`, async () => {
    const alice = connect('alice', { enableEventEngine })
    const heard = await listen(alice, ['room', 'other'])
    const bob = connect('bob')
    const { timetoken } = await bob.publish({ channel: 'room', message: { text: 'hé / ?&=,', n: 1 } })
    await bob.publish({ channel: 'other', message: { long: 'x'.repeat(9000) }, sendByPost: true })
    await bob.signal({ channel: 'room', message: 'psst' })
    await expect.poll(() => heard.messages.length, soon).toBe(2)
    await expect.poll(() => heard.signals, soon).toEqual(['psst'])
    expect(heard.messages[0]).toEqual({
      message: { text: 'hé / ?&=,', n: 1 },
      publisher: 'bob',
      timetoken,
    })
    expect(heard.messages[1]?.message).toEqual({ long: 'x'.repeat(9000) })
    expect(timetoken).toMatch(/^\d{17}$/)
  })

  it(`catches up with what was sent while the server was away (${engine})`, async () => {
    const alice = connect('alice', { enableEventEngine })
    const heard = await listen(alice, ['room'])
    const away = server.restart({ downMs: 300 })
    server.publish('room', 'while away')
    await away
    await expect.poll(() => heard.messages.map(({ message }) => message), soon).toEqual(['while away'])
  })
}

it('announces joins, leaves and time-outs, and answers who is here and where', async () => {
  const alice = connect('alice')
  const heard = await listen(alice, ['room'], true)
  const bob = connect('bob')
  await listen(bob, ['room'])
  await expect.poll(() => heard.presence, soon).toContainEqual({ action: 'join', uuid: 'bob' })
  const here = await alice.hereNow({ channels: ['room'] })
  expect(here.channels['room']?.occupants.map(({ uuid }) => uuid)).toEqual(['alice', 'bob'])
  expect((await alice.whereNow({ uuid: 'bob' })).channels).toEqual(['room'])
  bob.unsubscribeAll()
  await expect.poll(() => heard.presence, soon).toContainEqual({ action: 'leave', uuid: 'bob' })
  const carol = connect('carol')
  await listen(carol, ['room'])
  server.expire('room', 'carol')
  await expect.poll(() => heard.presence, soon).toContainEqual({ action: 'timeout', uuid: 'carol' })
})

it('keeps a presence state and announces its change', async () => {
  const alice = connect('alice')
  const heard = await listen(alice, ['room'], true)
  await alice.setState({ channels: ['room'], state: { mood: 'calm' } })
  await expect.poll(() => heard.presence.map(({ action }) => action), soon).toContain('state-change')
  expect((await alice.getState({ channels: ['room'] })).channels).toEqual({ room: { mood: 'calm' } })
})

it('sends one interval event in place of many joins on a crowded channel', async () => {
  const crowded = await startRealtimeServer({ announceMax: 1, presenceIntervalMs: 50 })
  const alice = connect('alice', {}, crowded)
  const heard = await listen(alice, ['room'], true)
  await listen(connect('bob', {}, crowded), ['room'])
  await listen(connect('carol', {}, crowded), ['room'])
  await expect.poll(() => heard.presence.map(({ action }) => action), soon).toContain('interval')
  expect(heard.presence.filter(({ action, uuid }) => action === 'join' && uuid !== 'alice')).toEqual([])
  alice.removeAllListeners()
  await crowded.close()
})

it('tells the time', async () => {
  const { timetoken } = await connect('alice').time()
  expect(Math.abs(Number(timetoken) / 10_000 - Date.now())).toBeLessThan(60_000)
})

it('refuses messages over 32 KiB', async () => {
  const publish = connect('alice').publish({ channel: 'room', message: 'x'.repeat(33_000), sendByPost: true })
  await expect(publish).rejects.toMatchObject({ status: { statusCode: 413 } })
})

it('gives out tokens that the SDK can read, and enforces them', async () => {
  const guarded = await startRealtimeServer({ requireTokens: true })
  const grant = (authorizedUuid: string, ttlInMinutes = 60) =>
    guarded.grantToken({
      ttlInMinutes,
      authorizedUuid,
      channels: { mine: { read: true, write: true }, 'mine-pnpres': { read: true }, news: { read: true } },
    })
  const denied = { status: { statusCode: 403 } }
  const alice = connect('alice', {}, guarded)
  await expect(listen(connect('nobody', {}, guarded), ['mine'])).rejects.toThrow('PNAccessDeniedCategory')

  const token = grant('alice')
  const parsed = alice.parseToken(token)
  expect(parsed?.authorized_uuid).toBe('alice')
  expect(parsed?.ttl).toBe(60)
  expect(parsed?.resources?.channels?.['mine']).toMatchObject({ read: true, write: true, manage: false })
  alice.setToken(token)
  const heard = await listen(alice, ['mine', 'news'], false)
  await alice.publish({ channel: 'mine', message: 'hello' })
  await expect.poll(() => heard.messages.length, soon).toBe(1)
  await expect(alice.publish({ channel: 'news', message: 'no' })).rejects.toMatchObject(denied)
  await expect(alice.publish({ channel: 'theirs', message: 'no' })).rejects.toMatchObject(denied)

  const thief = connect('thief', {}, guarded)
  thief.setToken(token)
  await expect(thief.publish({ channel: 'mine', message: 'no' })).rejects.toMatchObject(denied)
  thief.setToken(grant('thief', 0))
  await expect(thief.publish({ channel: 'mine', message: 'no' })).rejects.toMatchObject(denied)
  thief.setToken(`${grant('thief').slice(0, -6)}AAAAAA`)
  await expect(thief.publish({ channel: 'mine', message: 'no' })).rejects.toMatchObject(denied)
  guarded.revokeToken(token)
  await expect(alice.publish({ channel: 'mine', message: 'late' })).rejects.toMatchObject(denied)
  expect(heard.messages).toHaveLength(1)
  expect(JSON.stringify(guarded.requests)).not.toContain(token)
  alice.removeAllListeners()
  await guarded.close()
})

it('misbehaves exactly as often as a test asks for', async () => {
  server.faults.add({ on: 'time', kind: 'status', status: 503, retryAfterSeconds: 7, times: 1 })
  const url = `http://${server.origin}/time/0?uuid=x`
  const busy = await fetch(url)
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '7'])
  server.faults.add({ on: 'time', kind: 'html', times: 1 })
  expect((await fetch(url)).headers.get('content-type')).toContain('text/html')
  for (const kind of ['drop', 'reset', 'lost-answer', 'truncated'] as const) {
    server.faults.add({ on: 'time', kind, times: 1 })
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow(/fetch failed|terminated/)
  }
  server.faults.add({ on: 'time', kind: 'hang', times: 1 })
  await expect(fetch(url, { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout')
  expect((await fetch(url)).status).toBe(200)
})

it('does the work of a call whose answer is lost, and none of a call that never came through', async () => {
  const heard = await listen(connect('alice'), ['room'])
  const send = (text: string) =>
    fetch(
      `http://${server.origin}/publish/pub/sub/0/room/0/${encodeURIComponent(JSON.stringify(text))}?uuid=bob`,
    )
  server.faults.add({ on: 'publish', kind: 'lost-answer', times: 1 })
  await expect(send('lost')).rejects.toThrow('fetch failed')
  server.faults.add({ on: 'publish', kind: 'drop', times: 1 })
  await expect(send('never')).rejects.toThrow('fetch failed')
  await send('last')
  await expect.poll(() => heard.messages.map(({ message }) => message), soon).toEqual(['lost', 'last'])
})

it('answers strangers’ pages (CORS) and 404 for what it does not know', async () => {
  const preflight = await fetch(`http://${server.origin}/time/0`, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  expect((await fetch(`http://${server.origin}/v3/history/sub-key/sub/channel/room?uuid=x`)).status).toBe(404)
  expect((await fetch(`http://${server.origin}/v2/subscribe/sub/a%20b/0?uuid=x`)).status).toBe(400)
})
