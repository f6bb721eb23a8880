// One session per user over a service in memory: who has to go, who hears it, and what never disturbs anybody.

import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'

import { makePresenceId, NIL_DEVICE } from '../../../src/protocol/presence.ts'
import { createMemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
import type { Listening } from '../../../src/session/realtimePort.ts'
import { createPresence } from '../../../src/realtime/presence.ts'
import type { Winner } from '../../../src/realtime/uniqueSession.ts'
import type { RealtimeTransport } from '../../../src/protocol/realtimeTransport.ts'
import { createBrowser, createClock } from '../realtime/realtimeRig.ts'
import { identityOf, type SessionIds } from '../realtime/sessionIdentity.ts'
import { checkGenerated } from '../../generated.ts'

const agent = (letter: string) => `${letter.repeat(8)}-1111-4222-8333-444455556666`
const idOf = (letter: string, type: '1' | '2' | '3' = '1') =>
  makePresenceId({ type, device: NIL_DEVICE, agentId: agent(letter) })!

function createWorld({ isInstant = false, ...options }: { isProtected?: boolean; isInstant?: boolean } = {}) {
  const clock = createClock()
  const browser = createBrowser(clock)
  const hub = createMemoryRealtime(
    isInstant ? options : { setTimer: clock.setTimer, latencyMs: 50, ...options },
  )

  function signIn(letter: string, sinceMs: number, more: Partial<SessionIds> = {}, extra = {}) {
    const yields: Winner[] = []
    const logouts: number[] = []
    const statuses: string[] = []
    const warnings: unknown[][] = []
    const listening = new Set<Listening>()
    const listen = (
      kind: Listening['kind'],
      topic: string,
      type: string,
      callback: Listening['callback'],
    ) => {
      const one = { kind, topic, type, callback }
      listening.add(one)
      return () => void listening.delete(one)
    }
    const tab = browser.openTab()
    const presence = createPresence({
      identity: identityOf({
        firmId: '7',
        sessionId: `session-${letter}`,
        agentId: agent(letter),
        sinceMs,
        ...more,
      }),
      transport: hub.transport,
      listening,
      ports: { ...tab.ports, warn: (...parts: unknown[]) => void warnings.push(parts) },
      onOccupants: () => {},
      onYield: (info) => void yields.push(info),
      onRemoteLogout: () => void logouts.push(clock.now()),
      onStatus: (status) => void statuses.push(status),
      ...extra,
    })
    return { presence, listen, yields, logouts, statuses, warnings }
  }
  return { clock, hub, signIn }
}

describe('one session per user', () => {
  it('of five devices that sign in at the same instant exactly one stays', async () => {
    const { clock, signIn } = createWorld()
    const devices = ['a', 'b', 'c', 'd', 'e'].map((letter) => {
      // Whoever yields goes, as it is without a hook.
      const onYield = (info: Winner) => {
        device.yields.push(info)
        device.presence.dispose({ leave: true })
      }
      const device = signIn(letter, 5000, {}, { onYield })
      return device
    })
    await clock.advance(60_000)
    expect(devices.map(({ yields }) => yields.length)).toEqual([1, 1, 1, 1, 0])
  })

  it('a silent second browser makes the first yield after 12 s when nobody may publish', async () => {
    const { clock, hub, signIn } = createWorld()
    hub.refusePublish(true)
    const first = signIn('a', 1000)
    await clock.advance(5000)
    const second = signIn('b', 6000)
    await clock.advance(11_000)
    expect(first.yields).toEqual([])
    await clock.advance(3000)
    expect(first.yields).toEqual([{ agentId: agent('b') }])
    await clock.advance(600_000)
    expect(second.yields).toEqual([])
  })

  it('two devices find each other although the first question and the first announcement got lost', async () => {
    const { clock, hub, signIn } = createWorld()
    // Nobody hears of the other's joining, as when both joined before either was listening.
    const deaf: RealtimeTransport = {
      open(options) {
        const line = hub.transport.open({
          ...options,
          listen: (event) => event.type !== 'presence' && options.listen(event),
        })
        let questions = 0
        let claims = 0
        const lost = () => Promise.reject(new Error('lost'))
        return {
          ...line,
          occupants: (channel) => (++questions > 1 ? line.occupants(channel) : lost()),
          publish: (channel, body) => (++claims > 1 ? line.publish(channel, body) : lost()),
        }
      },
    }
    const first = signIn('a', 1000, {}, { transport: deaf })
    const second = signIn('b', 2000, {}, { transport: deaf })
    await clock.advance(10_000)
    expect([first.yields.length, second.yields.length]).toEqual([1, 0])
  })

  it('a logout message for this session ends it, and only it', async () => {
    const { clock, signIn } = createWorld()
    const here = signIn('a', 1000)
    const elsewhere = signIn('b', 1000, { sessionId: 'session-a' })
    const impersonated = signIn('c', 1000, { impersonatorId: '9' })
    await clock.advance(1000)
    await here.presence.announceLogout()
    await clock.advance(1000)
    expect([elsewhere.logouts.length, impersonated.logouts.length]).toEqual([1, 0])
    expect(elsewhere.yields).toEqual([])
  })

  it('nothing that an outsider sends logs anybody out', async () => {
    const { clock, hub, signIn } = createWorld()
    const user = signIn('a', 1000)
    await clock.advance(1000)
    const claim = {
      authHost: 'https://auth.test',
      clientId: 'app',
      sessionId: 'forged',
      agentId: agent('f'),
      impersonatorId: null,
      logout: false,
      since: 9_000_000_000_000,
    }
    const publishers = [
      undefined,
      '',
      'server',
      agent('f'),
      idOf('e'),
      `${idOf('f')} `,
      idOf('f').toUpperCase(),
    ]
    for (const publisher of publishers) hub.publish('auth-session-42', claim, publisher)
    const bodies = [
      null,
      [],
      'x',
      1,
      { ...claim, logout: 'true' },
      { ...claim, since: '9' },
      { ...claim, authHost: 'x' },
    ]
    for (const body of bodies) hub.publish('auth-session-42', body, idOf('f'))
    hub.publish('user_42', claim, idOf('f'))
    hub.publish('firm_7', { ...claim, logout: true, sessionId: 'session-a' }, idOf('f'))
    hub.publish('auth-session-43', claim, idOf('f'))
    await clock.advance(600_000)
    expect([user.yields, user.logouts]).toEqual([[], []])
    hub.publish('auth-session-42', claim, idOf('f'))
    await clock.advance(1000)
    expect(user.yields).toHaveLength(1)
  })

  it(
    'nothing but a genuine announcement does, whatever else comes, and a genuine one still counts, once',
    { tags: ['generated'] },
    async () => {
      interface Message {
        channel: string
        body: unknown
        publisher: string | undefined
      }
      const genuine = fc.record({
        authHost: fc.constant('https://auth.test'),
        clientId: fc.constant('app'),
        sessionId: fc.constantFrom('forged', 'zzz', 5),
        agentId: fc.constant(agent('f')),
        impersonatorId: fc.constantFrom(null, '', undefined),
        logout: fc.constantFrom(false, null, undefined),
        since: fc.constantFrom(9_000_000_000_000, 1001),
      })
      type Body = Record<string, unknown>
      const spoilt = (name: string, ...values: unknown[]) =>
        fc.constantFrom(...values).map((value) => (body: Body) => ({ body: { ...body, [name]: value } }))
      const spoiler: fc.Arbitrary<(body: Body) => Partial<Message>> = fc.oneof(
        spoilt('authHost', 'https://auth.test/', 'https://evil.test', '', null, 5, ['https://auth.test']),
        spoilt('clientId', 'APP', 'app ', '', null, ['app'], {}),
        spoilt('sessionId', 'session-a', '', null, {}, 1.5, 'x'.repeat(513)),
        spoilt('agentId', agent('a'), agent('e'), agent('f').toUpperCase(), '', null, [agent('f')]),
        spoilt('impersonatorId', '9', 9, {}, [], false),
        spoilt('logout', true, 'true', 1, {}, []),
        spoilt('since', 999, 0, -1, '9000000000000', 1e308, 1.5, Number.NaN, {}),
        fc
          .constantFrom(
            undefined,
            '',
            'server',
            agent('f'),
            idOf('a'),
            idOf('e'),
            idOf('f', '2'),
            `${idOf('f')} `,
          )
          .map((publisher) => () => ({ publisher })),
        fc
          .constantFrom('user_42', 'firm_7', 'auth-session-4', 'auth-session-43')
          .map((channel) => () => ({ channel })),
        fc.jsonValue().map((body) => () => ({ body })),
      )
      const message: fc.Arbitrary<Message> = fc
        .tuple(genuine, spoiler)
        .map(([body, spoil]) => ({ channel: 'auth-session-42', body, publisher: idOf('f'), ...spoil(body) }))

      await checkGenerated(
        'real-time messages to a session',
        fc.asyncProperty(
          fc.array(message, { minLength: 100, maxLength: 100 }),
          genuine,
          async (all, last) => {
            const { clock, hub, signIn } = createWorld()
            const user = signIn('a', 1000)
            await clock.advance(1000)
            for (const { channel, body, publisher } of all) hub.publish(channel, body, publisher)
            await clock.advance(60_000)
            expect([user.yields, user.logouts]).toEqual([[], []])
            hub.publish('auth-session-42', { ...last, sessionId: 'the genuine one' }, idOf('f'))
            await clock.advance(1000)
            expect(user.yields).toHaveLength(1)
            user.presence.dispose({ leave: true })
          },
        ),
      )
    },
  )

  it('on an open channel announcements log nobody out, the session id is not told, and the developer is', async () => {
    const { clock, hub, signIn } = createWorld({ isProtected: false })
    const first = signIn('a', 1000)
    const second = signIn('b', 2000)
    await clock.advance(600_000)
    expect([first.yields.length, second.yields.length]).toEqual([0, 0])
    expect(hub.published).toEqual([])
    expect(first.warnings).toHaveLength(1)
    expect(String(first.warnings[0])).toContain('allowUnprotected')
  })

  it('stays awake through a flood of 2,000 messages a second without a false logout', async () => {
    const { clock, hub, signIn } = createWorld({ isInstant: true })
    const user = signIn('a', 1000)
    const heard = vi.fn<() => void>()
    user.listen('user', 'flood', 'last', heard)
    await clock.advance(1000)
    for (let count = 0; count < 2_000; count += 1) {
      const kind = count % 4
      if (kind === 0) hub.publish('auth-session-42', { noise: count }, idOf('f'))
      if (kind === 1)
        hub.publish('user_42', { topic: `t${count}`, messageType: 'x', data: { count } }, 'server')
      if (kind === 2) hub.tellPresence('auth-session-42', 'join', `1:${NIL_DEVICE}:flood-${count}`)
      if (kind === 3)
        hub.publish(
          'auth-session-42',
          {
            authHost: 'https://auth.test',
            clientId: 'app',
            sessionId: `s${count}`,
            agentId: `f${count}`,
            since: 1,
          },
          `1:${NIL_DEVICE}:f${count}`,
        )
    }
    hub.publish('user_42', { topic: 'flood', messageType: 'last', data: 1 })
    await clock.advance(30_000)
    expect(heard).toHaveBeenCalledTimes(1)
    expect([user.yields, user.logouts]).toEqual([[], []])
    expect(hub.published.filter(({ publisher }) => publisher === idOf('a')).length).toBeLessThan(20)
    expect(user.presence.occupants().length).toBeLessThanOrEqual(100)
  })

  it('a firm whose id cannot be a channel name has no channel, and the user has theirs', async () => {
    const { hub, signIn } = createWorld()
    const firm = signIn('b', 1000, { firmId: 'f,*' })
    expect(firm.statuses).toEqual([])
    expect(hub.openLinks).toBe(1)
  })
})

describe('messages', () => {
  it('reach the listeners of their topic and type, frozen, once each', async () => {
    const { clock, hub, signIn } = createWorld()
    const { listen } = signIn('a', 1000)
    const heard: unknown[] = []
    listen('user', 'invoice', 'paid', (data, { topic }) => heard.push([topic, data, Object.isFrozen(data)]))
    listen('firm', 'invoice', 'paid', () => heard.push('firm'))
    listen('user', '__proto__', 'constructor', (data) => heard.push(data))
    const remove = listen('user', 'invoice', 'sent', () => heard.push('never'))
    remove()
    await clock.advance(1000)
    hub.publish('user_42', { topic: 'invoice', messageType: 'paid', data: { id: 1 } })
    hub.publish('user_42', { topic: 'invoice', messageType: 'sent', data: 1 })
    hub.publish('user_42', { topic: '__proto__', messageType: 'constructor', data: 'odd' })
    hub.publish('user_42', { topic: 'invoice' })
    hub.publish('firm_7', { topic: 'invoice', messageType: 'paid' })
    await clock.advance(1000)
    expect(heard).toEqual([['invoice', { id: 1 }, true], 'odd', 'firm'])
  })

  it('are heard until the end, and none after it', async () => {
    const { clock, hub, signIn } = createWorld()
    const first = signIn('a', 1000)
    const heard: unknown[] = []
    first.listen('firm', 't', 'x', (data) => heard.push(data))
    await clock.advance(1000)
    hub.publish('firm_7', { topic: 't', messageType: 'x', data: 1 })
    await clock.advance(1000)
    first.presence.dispose()
    hub.publish('firm_7', { topic: 't', messageType: 'x', data: 2 })
    await clock.advance(1000)
    expect(heard).toEqual([1])
    expect(clock.pending()).toBe(0)
    expect(hub.openLinks).toBe(0)
  })
})

describe('who is online', () => {
  it('lists this session and the others, with what they told', async () => {
    const { clock, hub, signIn } = createWorld()
    const phone = `3:0a1b2c3d-1111-4222-8333-444455556666:${agent('d')}`
    hub.tellPresence('auth-session-42', 'join', phone)
    const changes = vi.fn<() => void>()
    const { presence } = signIn('a', 1000, {}, { onOccupants: changes })
    expect(presence.occupants()).toEqual([])
    await clock.advance(1000)
    hub.tellPresence('auth-session-42', 'join', 'not one of ours')
    signIn('b', 1000, { impersonatorId: '9' })
    await clock.advance(1000)
    expect(presence.occupants().map(({ presenceId, isThisBrowser }) => [presenceId, isThisBrowser])).toEqual([
      [idOf('a'), true],
      [phone, false],
      [idOf('b', '2'), false],
    ])
    const list = presence.occupants()
    expect(presence.occupants()).toBe(list)
    hub.tellPresence('auth-session-42', 'leave', phone)
    await clock.advance(1000)
    expect(presence.occupants()).toHaveLength(2)
    expect(changes.mock.calls.length).toBeGreaterThan(2)
  })
})
