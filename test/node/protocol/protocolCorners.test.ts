// Corners of what the server means, where the next value up or down, or one more member, decides (found by npm run test:mutation).
import { describe, expect, it } from 'vitest'
import { readText } from '../../../src/protocol/answers.ts'
import { decodeAccessToken } from '../../../src/protocol/claims.ts'
import { parseClash } from '../../../src/protocol/clash.ts'
import { noteAnnouncement, noOccupants } from '../../../src/protocol/channelOccupants.ts'
import { parseConfig } from '../../../src/protocol/config.ts'
import { handOverAddress } from '../../../src/protocol/handOver.ts'
import { checkLinkMap } from '../../../src/protocol/linkMap.ts'
import { logoutUrl } from '../../../src/protocol/pages.ts'
import { readFitting, takeToken, usableJti } from '../../../src/protocol/passthrough.ts'
import { channelNames, parseAnnouncement, parseTopicMessage } from '../../../src/protocol/presence.ts'
import { buildClient, renewalDelayMs, type SdkConstructor } from '../../../src/protocol/pubnubSdk.ts'
import { isLocalService } from '../../../src/protocol/realtimeOptions.ts'
import { isTrustedHost, judgeRedirection, parseRedirectionConfig } from '../../../src/protocol/redirection.ts'
import { readAnswer } from '../../../src/protocol/signIn.ts'
import { createClaims, createJwt } from '../../../src/testing/tokens.ts'
import { CONFIG } from '../session/sessionScene.ts'

const AUTH = 'https://auth.firm.test'
/** A record some of whose members come from its prototype, as after somebody has polluted one. */
const inheriting = (inherited: object, own: object): object =>
  Object.assign(Object.create(inherited) as object, own)
const token = (claims: object) => createJwt({ ...createClaims(), ...claims })

describe('an address', () => {
  it.each(['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state'])(
    'with %s twice is no answer',
    (name) => {
      const address = 'https://app.test/?code=c&state=Ab1Ab1'
      expect(readAnswer(address)).toBeDefined()
      expect(readAnswer(`${address}&${name}=x&${name}=x`)).toBeUndefined()
    },
  )

  it.each(['access_token', 'auth', 'authToken', 'token', 'jwt'])('may carry its token as %s', (name) => {
    const own = token({ jti: 'j1', aud: 'admin', firmId: 'f1', exp: 2_000_000_000 })
    const taken = takeToken(`https://app.test/?${name}=${own}`, { audience: 'admin' }, 0)
    expect(taken).toMatchObject({ count: 1, jti: 'j1', address: 'https://app.test/' })
  })

  it('without a state after the logout has no such parameter', () => {
    const settings = parseConfig(CONFIG)
    const options = { isForced: false, returnUri: 'https://app.test/' }
    expect(logoutUrl(settings, { ...options, state: undefined })).not.toContain('state')
    expect(logoutUrl(settings, { ...options, state: 'Ab1Ab1' })).toContain('&state=Ab1Ab1')
  })

  it('of any of the origins that were named may be handed to', () => {
    const options = { address: 'https://app.test/', origins: ['https://one.test', 'https://two.test'] }
    expect(handOverAddress('https://two.test/x', options)).toBe('https://two.test/x')
  })
})

describe('a token', () => {
  it('may name several audiences, texts all of them', () => {
    expect(decodeAccessToken(token({ aud: ['a', 'b'] })).claims.aud).toEqual(['a', 'b'])
    expect(() => decodeAccessToken(token({ aud: ['a', 1] }))).toThrow('Fail to decode access token.')
    expect(readFitting(token({ aud: ['other', 'admin'], firmId: 'f1' }), { audience: 'admin' })).toBeDefined()
  })

  it('that expires at a time beyond all numbers has no known life', () => {
    expect(decodeAccessToken(token({ iat: 1000, exp: '1e999' })).lifetimeInSeconds).toBeUndefined()
  })

  it('has no claim that its prototype has', () => {
    const before = decodeAccessToken(token({ firmId: undefined })).claims.firmId
    Reflect.defineProperty(Object.prototype, 'firmId', { value: 'evil', configurable: true })
    try {
      expect([before, decodeAccessToken(token({ firmId: undefined })).claims.firmId]).toEqual([
        undefined,
        undefined,
      ])
    } finally {
      delete (Object.prototype as { firmId?: string }).firmId
    }
  })

  it('is of no use in the very millisecond in which it expires', () => {
    const claims = decodeAccessToken(token({ jti: 'j1', exp: 2_000_000_000 })).claims
    expect(usableJti(claims, 1_999_999_999_999)).toBe('j1')
    expect(usableJti(claims, 2_000_000_000_000)).toBeUndefined()
  })
})

describe('an answer', () => {
  it.each([
    ['is empty', { link: '' }],
    ['is inherited', inheriting({ link: 'https://evil.test' }, {})],
  ])('whose text %s is unexpected', (_what, answer) => {
    expect(() => readText('GET /link', answer, 'link')).toThrow(
      expect.objectContaining({ code: 'unexpected-answer' }),
    )
  })
})

describe('a config', () => {
  it('whose initial token is no text says what it has to be', () => {
    expect(() => parseConfig({ ...CONFIG, initToken: 7 as never })).toThrow(
      expect.objectContaining({ code: 'invalid-config', remedy: expect.stringContaining('a plain text') }),
    )
  })
})

describe('a link map', () => {
  class Made {
    internalUser: unknown = 'u1'
    externalUser: unknown = { id: 'x1' }
  }
  class User {
    id = 'x1'
  }
  it.each<[string, unknown]>([
    ['an entry of a class', new Made()],
    ['a user of a class', { internalUser: 'u1', externalUser: new User() }],
    [
      'an entry that writes itself',
      {
        internalUser: 'u1',
        externalUser: { id: 'x1' },
        toJSON: () => ({ internalUser: 'u2', externalUser: { id: 'x2' } }),
      },
    ],
  ])('with %s is refused', (_what, entry) => {
    expect(checkLinkMap([{ internalUser: 'u1', externalUser: { id: 'x1' } }])).toHaveLength(1)
    expect(() => checkLinkMap([entry])).toThrow('linkmap in wrong format')
  })
})

describe('a clash on its way', () => {
  it('began a millisecond after 1970 at the earliest', () => {
    expect(parseClash({ sinceMs: 1 })).toEqual({ sinceMs: 1 })
    expect(parseClash({ sinceMs: 0 })).toBeUndefined()
  })
})

describe('the channel', () => {
  const claim = { authHost: AUTH, clientId: 'admin', sessionId: 's1', agentId: 'a1' }

  it('takes a claim whose optional members are there and undefined', () => {
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

  it('has no stranger any more who speaks, whoever else is one', () => {
    const stranger = (agentId: string) => ({ presenceId: agentId, agentId, dueAtMs: 1, isAsked: false })
    const occupants = {
      ...noOccupants,
      announced: ['a'],
      nonConflicting: ['a'],
      unannounced: [stranger('b'), stranger('a')],
    }
    expect(noteAnnouncement(occupants, 'a', false).unannounced).toEqual([stranger('b')])
  })
})

describe('the messaging service', () => {
  it.each([
    ['[::1]:8090', true],
    ['[::1]', true],
    ['localhost:8090', true],
    ['ps.example.com:443', false],
    ['[2001:db8::1]:80', false],
  ])('at %s is on this machine: %s', (origin, isLocal) => {
    expect(isLocalService({ publishKey: 'p', subscribeKey: 's', origin })).toBe(isLocal)
  })

  it('is given no address where none is configured', () => {
    const given: object[] = []
    const Constructor = function Constructor(this: unknown, settings: object) {
      given.push(settings)
    } as unknown as SdkConstructor
    Object.assign(Constructor, { NoneRetryPolicy: () => ({}) })
    buildClient(Constructor, { publishKey: 'p', subscribeKey: 's' }, 'me')
    buildClient(Constructor, { publishKey: 'p', subscribeKey: 's', origin: 'ps.test' }, 'me')
    expect(given.map((settings) => 'origin' in settings)).toEqual([false, true])
  })

  it('is asked for the next token in ten seconds when this one lives a millisecond longer', () => {
    const client = { parseToken: () => ({ timestamp: 1000, ttl: 1 }) as never }
    expect(renewalDelayMs(client, 'token', 1_059_999)).toBe(10_000)
    expect(renewalDelayMs(client, 'token', 1_060_000)).toBe(48_000)
  })
})

describe('the redirections file', () => {
  const rule = {
    criteria: { firmId: ['f9'] },
    applications: ['admin'],
    authHost: 'https://us-auth.firm.test',
    topLevelDomain: 'test',
  }
  const file = (more: object = {}) => ({
    topLevelDomains: ['test'],
    environments: [rule],
    environmentVariables: { prefixMappings: { eu: 'eu', us: 'us' } },
    ...more,
  })
  const texts = (count: number) => Array.from({ length: count }, () => 'x')

  it.each<[string, unknown]>([
    ['is null', null],
    ['has no variables', file({ environmentVariables: undefined })],
    ['has variables that are null', file({ environmentVariables: null })],
    ['has prefixes that are no record', file({ environmentVariables: { prefixMappings: 'eu' } })],
    [
      'has one prefix that is no text',
      file({ environmentVariables: { prefixMappings: { eu: 'eu', us: 5 } } }),
    ],
    ['has a text of 1,001 characters', file({ topLevelDomains: ['x'.repeat(1001)] })],
    [
      'has one criterion that is no list',
      file({ environments: [{ ...rule, criteria: { firmId: ['f9'], aud: 5 } }] }),
    ],
    ['has criteria that are null', file({ environments: [{ ...rule, criteria: null }] })],
  ])('that %s is none', (_what, value) => {
    expect(parseRedirectionConfig(value)).toBeUndefined()
  })

  it.each<[string, unknown]>([
    ['1,001 rules', file({ environments: Array.from({ length: 1001 }, () => rule) })],
    ['a list of 1,001 texts', file({ topLevelDomains: texts(1001) })],
    ['a text of 1,000 characters', file({ topLevelDomains: ['x'.repeat(1000)] })],
  ])('may have %s', (_what, value) => {
    expect(parseRedirectionConfig(value)).toBeDefined()
  })

  it.each([
    ['userId', { userId: 'u9' }],
    ['firmId', { firmId: 'u9' }],
    ['sessionId', { sessionId: 'u9' }],
    ['impersonatorId', { impersonatorId: 'u9' }],
    ['aud', { aud: ['other', 'u9'] }],
  ])('has rules that go by %s', (name, claims) => {
    const config = parseRedirectionConfig(file({ environments: [{ ...rule, criteria: { [name]: ['u9'] } }] }))
    const about = {
      clientId: 'admin',
      authHost: AUTH,
      address: 'https://admin.firm.nl/',
      allowedEnvironmentHosts: [],
    }
    const judge = (of: object) =>
      judgeRedirection(config!, { ...about, claims: decodeAccessToken(token(of)).claims }).type
    expect([judge(claims), judge({})]).toEqual(['go', 'stay'])
  })

  it.each<[string, string, string, { domains?: string[]; prefixes?: Record<string, string> }]>([
    ['without TLS', 'http://eu-auth.localhost', 'https://auth.localhost', { domains: ['localhost'] }],
    ['beside an authHost that is none', 'https://eu-auth.firm.test', 'nonsense', {}],
    ['by a prefix of two labels', 'https://eu.shop.auth.firm.test', AUTH, { prefixes: { shop: 'eu.shop' } }],
  ])('leads to no host %s', (_what, target, authHost, { domains = ['test'], prefixes = { eu: 'eu' } }) => {
    const config = { topLevelDomains: domains, environmentVariables: { prefixMappings: prefixes } }
    expect(isTrustedHost(target, config, { authHost, allowedEnvironmentHosts: [] })).toBe(false)
  })
})
