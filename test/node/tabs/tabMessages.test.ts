// What the tabs of a browser say to each other is read strictly: whatever is not a word of ours counts as nothing (F47).
import { describe, expect, it } from 'vitest'
import { LARGEST_RETRY_AFTER_MS } from '../../../src/base/constants.ts'
import { AuthError } from '../../../src/base/errors.ts'
import { parseCredentials, writeCredentials } from '../../../src/protocol/credentials.ts'
import { handOverAddress } from '../../../src/protocol/passthrough.ts'
import { parseAgreed, parseBlock, parseMessage, parseSessions } from '../../../src/protocol/tabMessages.ts'
import { parseTokens } from '../../../src/protocol/tokens.ts'
import { CONNECTED, heldOf, MEMORY } from '../session/sessionScene.ts'
import { createAccessToken, createTokenResponse } from '../../../src/testing/tokens.ts'

describe('an offer', () => {
  const tokens = parseTokens(createTokenResponse())
  const held = heldOf({ ...tokens, memory: MEMORY, askedAtMs: 0 })
  const write = (lifeMs: number | undefined) =>
    writeCredentials({
      ...held,
      expiresInSeconds: lifeMs === undefined ? undefined : lifeMs / 1000,
      askedAtMs: 5,
      generation: 7,
    })
  const read = (text: string) => parseCredentials(text, CONNECTED.restore)

  it('is read back as it was written, with its life and from when it counts', () => {
    const granted = read(write(90_500))
    expect(granted.generation).toBe(7)
    expect(granted.askedAtMs).toBe(5)
    expect(granted.memory).toMatchObject(MEMORY)
    expect(granted).toMatchObject({
      accessToken: tokens.accessToken,
      refreshToken: 'refresh-1',
      expiresInSeconds: 90.5,
    })
  })

  it.each([undefined, 'today', null])('that says %j for when its life began is of long ago', (askedAtMs) => {
    const undated = JSON.stringify({ ...(JSON.parse(write(1000)) as object), askedAtMs })
    expect(read(undated).askedAtMs).toBe(0)
  })

  it.each([
    ['that is unknown', undefined, undefined],
    ['that is over', 0, 0.001],
    ['that was over long ago', -5000, 0.001],
    ['of a millisecond', 1, 0.001],
    ['of two', 2, 0.002],
  ])('with a life %s stays what it is', (_what, lifeMs, seconds) => {
    expect(read(write(lifeMs)).expiresInSeconds).toBe(seconds)
  })

  const readWith = (members: object) =>
    read(JSON.stringify({ ...(JSON.parse(write(1000)) as object), ...members }))
  const LONGEST_NAME = 'n'.repeat(64)

  it.each<[unknown, unknown]>([
    [12, 12],
    [0, undefined],
    [-1, undefined],
    ['12', undefined],
    [null, undefined],
  ])('takes a life of %j for %j seconds', (expiresInSeconds, expected) => {
    expect(readWith({ expiresInSeconds }).expiresInSeconds).toBe(expected)
  })

  it.each<[unknown, unknown]>([
    [1234, 1234],
    [0, 0],
    ['1234', undefined],
    [null, undefined],
  ])('takes the beginning %j for %j', (sinceMs, expected) => {
    expect(readWith({ sinceMs }).sinceMs).toBe(expected)
  })

  it.each<[unknown, unknown]>([
    ['one', 'one'],
    [LONGEST_NAME, LONGEST_NAME],
    [`${LONGEST_NAME}n`, undefined],
    ['', undefined],
    [7, undefined],
  ])('takes the session %j for %j', (session, expected) => {
    expect(readWith({ session }).session).toBe(expected)
  })

  const FROM = ['["ada","f1",false]']
  it.each<[unknown, unknown]>([
    [
      { parameters: { organization: 'f2', resource: ['urn:a', 'urn:b'] }, from: FROM },
      { parameters: { organization: 'f2', resource: ['urn:a', 'urn:b'] }, from: FROM },
    ],
    [
      { parameters: { a: 'x', b: 7, c: ['y', 7], d: { e: 'z' }, f: null }, from: [...FROM, 7] },
      { parameters: { a: 'x' }, from: FROM },
    ],
    [{ parameters: {} }, { parameters: {}, from: [] }],
    [{ parameters: ['a'], from: FROM }, undefined],
    [{ from: FROM }, undefined],
    ['f2', undefined],
  ])('takes the switch %j for %j', (switched, expected) => {
    expect(readWith({ switched }).switched).toEqual(expected)
  })

  it('without a life says nothing of one', () => {
    expect(JSON.parse(write(undefined))).not.toHaveProperty('expiresInSeconds')
  })

  it.each(['', 'null', '[]', '{}', '7', '{"accessToken":"x"}', '{'])('%j is none', (text) => {
    expect(() => read(text)).toThrow(/./)
  })
})

describe('what the tabs agree on', () => {
  it.each<[string, unknown, number]>([
    ['a count', 3, 3],
    ['nothing', undefined, 0],
    ['a negative one', -1, 0],
    ['zero', 0, 0],
    ['a fraction', 1.5, 0],
    ['a text', '3', 0],
    ['NaN', Number.NaN, 0],
    ['the largest that can grow', 2 ** 50 - 1, 2 ** 50 - 1],
    ['one that cannot grow any more', 2 ** 50, 0],
  ])('with %s as its generation', (_what, generation, expected) => {
    expect(parseAgreed({ generation }).generation).toBe(expected)
  })

  it.each([
    [true, true],
    [false, false],
    ['true', false],
    [1, false],
    [undefined, false],
  ])('with %j as pending is pending: %s', (isPending, expected) => {
    expect(parseAgreed({ isPending }).isPending).toBe(expected)
  })

  it.each<[unknown, object]>([
    [
      { isPending: true, pendingSinceMs: 5 },
      { isPending: true, pendingSinceMs: 5 },
    ],
    [
      { isPending: true, pendingSinceMs: 'long ago' },
      { isPending: true, pendingSinceMs: 0 },
    ],
    [{ isPending: true }, { isPending: true, pendingSinceMs: 0 }],
    [{ isPending: false, pendingSinceMs: 5 }, { isPending: false }],
  ])('%j is pending since: %j', (written, expected) => {
    expect(parseAgreed(written)).toStrictEqual({ generation: 0, ...expected })
  })

  it.each([null, undefined, 7, 'x', true, [1]])('is nothing when %j was written there', (value) => {
    expect(parseAgreed(value)).toEqual({ generation: 0, isPending: false })
  })
})

describe('the sessions that a tab names', () => {
  const names = Array.from({ length: 70 }, (_, index) => `session ${index}`)

  it.each<[unknown, unknown]>([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', '', 7, null, 'n'.repeat(65), 'b'],
      ['a', 'b'],
    ],
    [['n'.repeat(64)], ['n'.repeat(64)]],
    [names, names.slice(0, 64)],
    ['a', []],
    [undefined, []],
  ])('%j', (written, expected) => {
    expect(parseSessions(written)).toEqual(expected)
  })
})

describe('a pause', () => {
  it.each<[unknown, unknown, unknown]>([
    ['/a', 1, ['/a', 1, 503]],
    ['/a', LARGEST_RETRY_AFTER_MS, ['/a', LARGEST_RETRY_AFTER_MS, 503]],
    ['/a', LARGEST_RETRY_AFTER_MS + 1, undefined],
    ['/a', 0, undefined],
    ['/a', -1, undefined],
    ['/a', '1', undefined],
    ['/a', Number.NaN, undefined],
    [7, 1, undefined],
    ['', 1, ['', 1, 503]],
    [undefined, 1, undefined],
  ])('of %j for %j is read as %j', (endpoint, forMs, expected) => {
    expect(parseBlock([endpoint, forMs, 503])).toEqual(expected)
  })

  it.each([undefined, null, '503'])('without the status that the server answered (%j) is none', (status) => {
    expect(parseBlock(['/a', 1, status])).toBeUndefined()
  })
})

describe('a message', () => {
  const TEXTS = ['type', 'question', 'publicKey', 'to', 'sealed', 'by', 'ending'] as const

  it.each(TEXTS)('has a text as its %s; anything else counts as missing', (name) => {
    expect(parseMessage({ [name]: 'x' })[name]).toBe('x')
    for (const wrong of [7, ['x'], null, undefined, true])
      expect(parseMessage({ [name]: wrong })[name]).toBe('')
  })

  it('carries what its tab asks for and the key of its tokens as they are', () => {
    const key = { kty: 'EC' }
    expect(parseMessage({ asked: 'admin openid', key })).toMatchObject({ asked: 'admin openid', key })
  })

  it.each<[unknown, unknown]>([
    ['s1', 's1'],
    [undefined, undefined],
    // Not `undefined`, which names every session.
    [7, ''],
    ['', ''],
    [null, ''],
    ['s'.repeat(65), ''],
  ])('about the session %j is about %j', (session, expected) => {
    expect(parseMessage({ session }).session).toBe(expected)
  })
})

describe('why a session ended', () => {
  it.each(['signed-out', 'idle', 'session-clash', 'expired'])('%s is said by another tab', (reason) => {
    expect(parseMessage({ reason }).reason).toBe(reason)
  })
  it.each([undefined, null, '', 'cancelled', 'IDLE', 7, ['idle']])('%j is a sign-out', (reason) => {
    expect(parseMessage({ reason }).reason).toBe('signed-out')
  })
})

describe('where a session is handed to', () => {
  const OPTIONS = { address: 'https://app.test/here', origins: ['https://payroll.firm.test'] }
  const codeOf = (redirect: unknown, options = OPTIONS) => {
    try {
      return handOverAddress(redirect, options)
    } catch (error) {
      return error instanceof AuthError ? [error.code, error.message, error.remedy] : error
    }
  }
  const refused = ['redirect-refused', expect.any(String), expect.any(String)]

  it.each<[unknown, unknown]>([
    ['/a?b=c#d', 'https://app.test/a?b=c#d'],
    ['https://payroll.firm.test/a?b=c#d', 'https://payroll.firm.test/a?b=c#d'],
    ['https://payroll.firm.test', 'https://payroll.firm.test/'],
    [`/a?token=${createAccessToken()}&b=c`, 'https://app.test/a?b=c'],
    [`https://payroll.firm.test/?jwt=${createAccessToken()}`, 'https://payroll.firm.test/'],
    [`/a?other=${createAccessToken()}`, `https://app.test/a?other=${createAccessToken()}`],
    ['/a?token=none', 'https://app.test/a?token=none'],
    ['https://payroll.firm.test.evil.test/', refused],
    [['https://payroll.firm.test/x'], refused],
    [['/x'], refused],
    ['https://me@payroll.firm.test/', refused],
    ['https:payroll.firm.test/', 'https://app.test/payroll.firm.test/'],
    ['HTTPS://payroll.firm.test/', refused],
    ['https://payroll.firm.test/\n', refused],
    ['https://payroll.firm.test\\a', refused],
    ['https://other.test/', refused],
    [7, refused],
    [undefined, refused],
  ])('%j: %j', (redirect, expected) => {
    expect(codeOf(redirect)).toEqual(expected)
  })

  it('origins that are none are named with what to do', () => {
    expect(codeOf('/a', { ...OPTIONS, origins: ['https://payroll.firm.test', 'https://x.test/'] })).toEqual([
      'invalid-argument',
      'origins are not origins',
      'Pass https origins without a path.',
    ])
  })
})
