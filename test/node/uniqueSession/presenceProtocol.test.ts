// Nothing that anybody else writes into a channel name, an identifier or a message is taken for latchkey's.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  channelNames,
  deepFreeze,
  makeAnnouncementBody,
  makePresenceId,
  newer,
  NIL_DEVICE,
  parseAnnouncement,
  parsePresenceId,
  parseTopicMessage,
} from '../../../src/protocol/presence.ts'
import { checkGenerated } from '../../generated.ts'

const AUTH = 'https://auth.firm.test'
/** A record some of whose members come from its prototype, as after somebody has polluted one. */
const inheriting = (inherited: object, own: object): object =>
  Object.assign(Object.create(inherited) as object, own)

const AGENT = '3f2b8d0c-1111-4222-8333-444455556666'
const DEVICE = '0a1b2c3d-1111-4222-8333-444455556666'

const body = {
  authHost: 'https://auth.test',
  clientId: 'app',
  sessionId: 's1',
  agentId: AGENT,
  impersonatorId: null,
  logout: false,
  since: 5,
}

describe('presence identifiers', () => {
  it('are read back exactly as they were made', () => {
    for (const type of ['1', '2', '3'] as const)
      for (const device of [NIL_DEVICE, DEVICE]) {
        const made = makePresenceId({ type, device, agentId: AGENT })
        expect(made).toBe(`${type}:${device}:${AGENT}`)
        expect(made!.length).toBeLessThanOrEqual(92)
        expect(parsePresenceId(made)).toEqual({ type, device, agentId: AGENT })
      }
  })

  it.each([
    undefined,
    null,
    1,
    {},
    [`1:${NIL_DEVICE}:${AGENT}`],
    '',
    ':',
    '::',
    '1',
    '1:',
    `1:${NIL_DEVICE}`,
    `1:${NIL_DEVICE}:`,
    `0:${NIL_DEVICE}:${AGENT}`,
    `4:${NIL_DEVICE}:${AGENT}`,
    `11:${NIL_DEVICE}:${AGENT}`,
    `１:${NIL_DEVICE}:${AGENT}`,
    ` 1:${NIL_DEVICE}:${AGENT}`,
    `1:${NIL_DEVICE}:${AGENT} `,
    `1:${NIL_DEVICE}:${AGENT}\n`,
    `1:${NIL_DEVICE}:${AGENT}:x`,
    `1::${AGENT}`,
    `1:0:${AGENT}`,
    `1:${NIL_DEVICE.slice(1)}:${AGENT}`,
    `1:${NIL_DEVICE}0:${AGENT}`,
    `1:{${NIL_DEVICE}}:${AGENT}`,
    `1:${DEVICE.toUpperCase()}:${AGENT}`,
    `1:${NIL_DEVICE.replaceAll('-', '')}:${AGENT}`,
    `1:${NIL_DEVICE}:${'a'.repeat(54)}`,
    `1:${NIL_DEVICE}:a,b`,
    `1:${NIL_DEVICE}:a.b`,
    `1:${NIL_DEVICE}:a*`,
    `1:${NIL_DEVICE}:a/b`,
    `1:${NIL_DEVICE}:__proto__ `,
    `1:${NIL_DEVICE}:\u0000`,
    `${AGENT}:${NIL_DEVICE}:1`,
  ])('%j is nobody', (value) => {
    expect(parsePresenceId(value)).toBeUndefined()
  })

  it('have 92 characters at most', () => {
    const longest = `1:${NIL_DEVICE}:${'a'.repeat(53)}`
    expect([longest.length, parsePresenceId(longest)?.agentId.length]).toEqual([92, 53])
    expect(parsePresenceId(`${longest}a`)).toBeUndefined()
  })

  it('are not made from parts that the other side would refuse', () => {
    expect(makePresenceId({ type: '1', device: 'phone', agentId: AGENT })).toBeUndefined()
    expect(makePresenceId({ type: '1', device: NIL_DEVICE, agentId: 'a:b' })).toBeUndefined()
    expect(makePresenceId({ type: '3', device: DEVICE.toUpperCase(), agentId: AGENT })).toBe(
      `3:${DEVICE}:${AGENT}`,
    )
  })
})

describe('channel names', () => {
  it('carry the ids of user and firm', () => {
    expect(channelNames({ userId: '42', firmId: '7' })).toEqual({
      session: 'auth-session-42',
      user: 'user_42',
      firm: 'firm_7',
    })
    expect(channelNames({ userId: 'auth0|a@b', firmChannel: (id) => id })?.firm).toBeUndefined()
    expect(channelNames({ userId: 'u', firmId: 'f', firmChannel: (id) => `tenant.${id}` })?.firm).toBe(
      'tenant.f',
    )
  })

  it.each([
    '',
    '*',
    'a*',
    'a,b',
    'a.b',
    '.*',
    'a/b',
    '../x',
    'a\\b',
    'a:b',
    'a b',
    'a\n',
    'a\u0000',
    'ä',
    '%2a',
    'x-pnpres',
    'a'.repeat(80),
  ])('are never made from %j', (hostile) => {
    expect(channelNames({ userId: hostile })).toBeUndefined()
    expect(channelNames({ userId: 'u', firmId: hostile })?.firm).toBeUndefined()
    expect(channelNames({ userId: 'u', firmId: 'f', firmChannel: () => `${hostile},` })?.firm).toBeUndefined()
  })

  it('are of presence channels only with the ending -pnpres', () => {
    const named = (name: string) => channelNames({ userId: 'u', firmId: 'f', firmChannel: () => name })?.firm
    expect([named('x-pnpres'), named('-pnpres-f')]).toEqual([undefined, '-pnpres-f'])
    expect(channelNames({ userId: '-pnpres-u' })?.user).toBe('user_-pnpres-u')
  })
})

describe('session messages', () => {
  it('are read into frozen objects without a prototype', () => {
    const claim = parseAnnouncement({ ...body, extra: 1 })!
    expect({ ...claim }).toEqual({ ...body, impersonatorId: undefined })
    expect(Object.isFrozen(claim)).toBe(true)
    expect(Object.getPrototypeOf(claim)).toBeNull()
    expect(parseAnnouncement(JSON.parse(JSON.stringify(makeAnnouncementBody(claim))))).toEqual(claim)
  })

  it('take ids as text or whole numbers, and what is missing at its harmless meaning', () => {
    const { impersonatorId: _a, logout: _b, since: _c, ...six } = body
    expect(parseAnnouncement({ ...six, sessionId: 12 })).toMatchObject({
      sessionId: '12',
      logout: false,
      since: 0,
    })
    const impersonated = parseAnnouncement({ ...body, impersonatorId: 7 })!
    expect(impersonated.impersonatorId).toBe('7')
    expect(makeAnnouncementBody(impersonated)['impersonatorId']).toBe('7')
    expect(parseAnnouncement({ ...body, impersonatorId: '' })?.impersonatorId).toBeUndefined()
    expect(makeAnnouncementBody(parseAnnouncement(body)!)['impersonatorId']).toBeNull()
  })

  it.each([
    [undefined],
    [null],
    ['text'],
    [[body]],
    [{}],
    [{ ...body, authHost: undefined }],
    [{ ...body, authHost: 1 }],
    [{ ...body, clientId: '' }],
    [{ ...body, sessionId: {} }],
    [{ ...body, sessionId: 1.5 }],
    [{ ...body, sessionId: Number.NaN }],
    [{ ...body, sessionId: 'x'.repeat(513) }],
    [{ ...body, agentId: ['a'] }],
    [{ ...body, impersonatorId: {} }],
    [{ ...body, impersonatorId: true }],
    [{ ...body, logout: 'true' }],
    [{ ...body, logout: 1 }],
    [{ ...body, since: '5' }],
    [{ ...body, since: -1 }],
    [{ ...body, since: Number.POSITIVE_INFINITY }],
    [{ ...body, since: 1e300 }],
    [{ ...body, since: 1.5 }],
    [{ ...body, since: [5] }],
    [{ ...body, since: 8_640_000_000_000_001 }],
    [Object.create(body)],
    [JSON.parse('{"__proto__":{"authHost":"a","clientId":"b","sessionId":"c","agentId":"d"}}')],
  ])('of any other shape are nothing (%#)', (value) => {
    expect(parseAnnouncement(value)).toBeUndefined()
  })

  it('may begin in the last instant that a date can hold', () => {
    expect(parseAnnouncement({ ...body, since: 8_640_000_000_000_000 })).toBeDefined()
  })

  it('order every two sessions alike on all sides', () => {
    const at = (since: number, sessionId: string) => ({ since, sessionId })
    expect(newer(at(2, 'a'), at(1, 'b'))).toBe(true)
    expect(newer(at(1, 'b'), at(2, 'a'))).toBe(false)
    expect(newer(at(1, 'b'), at(1, 'a'))).toBe(true)
    expect(newer(at(1, 'a'), at(1, 'b'))).toBe(false)
    expect(newer(at(1, 'a'), at(1, 'a'))).toBe(false)
  })
})

describe('whatever comes over a channel', () => {
  const strange = fc.oneof(
    fc.anything(),
    fc.constantFrom('__proto__', 'constructor', '', ' ', null, -1, 1e308),
  )
  const claims = fc.record(
    {
      authHost: fc.oneof(fc.constant(body.authHost), strange),
      clientId: fc.oneof(fc.constant('app'), strange),
      sessionId: fc.oneof(fc.constantFrom('s1', 7), strange),
      agentId: fc.oneof(fc.constant(AGENT), strange),
      impersonatorId: fc.oneof(fc.constantFrom(null, '9', 9), strange),
      logout: fc.oneof(fc.boolean(), strange),
      since: fc.oneof(fc.nat(), strange),
      topic: fc.oneof(fc.constant('topic'), strange),
      messageType: fc.oneof(fc.constant('type'), strange),
      data: strange,
    },
    { requiredKeys: [] },
  )

  it(
    'is nothing, or a frozen object of the right types without a prototype: 10,000 messages',
    { tags: ['generated'] },
    async () => {
      let readCount = 0
      await checkGenerated(
        'real-time messages',
        fc.property(fc.oneof({ weight: 5, arbitrary: claims }, fc.anything()), (message) => {
          const claim = parseAnnouncement(message)
          const topic = parseTopicMessage(message)
          if (claim) {
            readCount += 1
            expect(Object.getPrototypeOf(claim)).toBeNull()
            expect(Object.isFrozen(claim)).toBe(true)
            for (const name of ['authHost', 'clientId', 'sessionId', 'agentId'] as const)
              expect(claim[name]).toMatch(/^.{1,512}$/su)
            expect(claim.impersonatorId ?? 'nobody').toMatch(/./su)
            expect(typeof claim.logout).toBe('boolean')
            expect(claim.since).toBeGreaterThanOrEqual(0)
          }
          if (topic) {
            expect(Object.getPrototypeOf(topic)).toBeNull()
            expect(Object.isFrozen(topic)).toBe(true)
            expect(topic.topic).toMatch(/^.{1,512}$/su)
            expect(topic.messageType).toMatch(/^.{1,512}$/su)
          }
        }),
      )
      expect(readCount).toBeGreaterThan(0)
    },
  )
})

describe('user messages', () => {
  it('come frozen all the way down, however deep', () => {
    const deep = JSON.parse(`${'['.repeat(9000)}${']'.repeat(9000)}`)
    const message = parseTopicMessage({
      topic: '__proto__',
      messageType: 'x',
      data: { deep, list: [{ a: 1 }] },
    })!
    expect(message.topic).toBe('__proto__')
    expect(Object.isFrozen((message.data as { list: object[] }).list[0])).toBe(true)
    expect(Object.isFrozen(deep[0][0][0])).toBe(true)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it.each([
    [null],
    ['x'],
    [[]],
    [{}],
    [{ topic: 'a' }],
    [{ topic: 1, messageType: 'b' }],
    [{ topic: '', messageType: 'b' }],
  ])('of any other shape are nothing (%#)', (value) => {
    expect(parseTopicMessage(value)).toBeUndefined()
  })

  it('may point at themselves', () => {
    const data: { self?: unknown } = {}
    data.self = data
    expect(Object.isFrozen(deepFreeze(data))).toBe(true)
  })
})

describe('the channel', () => {
  const claim = { authHost: AUTH, clientId: 'admin', sessionId: 's1', agentId: 'a1' }

  it('takes an announcement whose optional members are there and undefined', () => {
    expect(parseAnnouncement({ ...claim, since: undefined, logout: undefined })).toMatchObject({ since: 0 })
  })

  it('takes a text of 512 characters and no longer one', () => {
    expect(parseAnnouncement({ ...claim, agentId: 'a'.repeat(512) })).toBeDefined()
    expect(parseAnnouncement({ ...claim, agentId: 'a'.repeat(513) })).toBeUndefined()
  })

  it('takes nothing from a prototype', () => {
    const { sessionId, ...rest } = claim
    expect(parseAnnouncement(inheriting({ sessionId: 7 }, rest))).toBeUndefined()
    expect(sessionId).toBe('s1')
    const message = inheriting({ data: 'inherited' }, { topic: 't', messageType: 'm' })
    expect(parseTopicMessage(message)?.data).toBeUndefined()
  })

  it('has a name of 92 characters at most', () => {
    const named = (length: number) =>
      channelNames({ userId: 'u', firmId: 'f', firmChannel: () => 'x'.repeat(length) })?.firm
    expect(named(92)).toHaveLength(92)
    expect(named(93)).toBeUndefined()
  })
})
