// What is read from an access token, and that everything else is refused with one text (F32).

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import { told } from '../thrownError.ts'
import { type Claims, decodeAccessToken, readJwt } from '../../../src/protocol/claims.ts'
import { isSameIdentity, sameId } from '../../../src/protocol/identity.ts'
import { createAccessToken, createClaims, createJwt } from '../../../src/testing/tokens.ts'
import { checkGenerated, longer } from '../../generated.ts'
import { LARGEST_ADDRESS_TOKEN_LENGTH, LARGEST_TOKEN_LENGTH } from '../../../src/base/constants.ts'
import { isTokenShaped } from '../../../src/protocol/address.ts'
import { readFitting, usableJti } from '../../../src/protocol/passthrough.ts'

const token = (claims: object) => createJwt({ ...createClaims(), ...claims })

const TEXT = 'Fail to decode access token.'
const decode = (payload: unknown) => decodeAccessToken(createJwt(payload))
const valid = createAccessToken()
const [head = '', body = '', signature = ''] = valid.split('.')

function outcomeOf(token: string): unknown {
  try {
    return decodeAccessToken(token).claims
  } catch (error) {
    return error
  }
}

describe('a token that cannot be decoded', () => {
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a number', 12],
    ['an object', {}],
    ['an empty text', ''],
    ['one part', 'abc'],
    ['two parts', `${head}.${body}`],
    ['four parts', `${valid}.x`],
    ['five parts, as an encrypted token has', 'a.b.c.d.e'],
    ['an empty payload', `${head}..${signature}`],
    ['a payload that is no base64', `${head}.%%%.${signature}`],
    ['a payload that is no JSON', `${head}.${btoa('{nope')}.${signature}`],
    ['a payload cut short', `${head}.${body.slice(0, -5)}.${signature}`],
    ['payload null', createJwt(null)],
    ['payload a number', createJwt(12)],
    ['payload true', createJwt(true)],
    ['payload a text', createJwt('alice')],
    ['payload an array', createJwt([createClaims()])],
    ['payload an empty object', createJwt({})],
    ['no userId', createJwt({ ...createClaims(), userId: undefined })],
    ['userId null', createJwt({ ...createClaims(), userId: null })],
    ['userId empty', createJwt({ ...createClaims(), userId: '' })],
    ['userId an object', createJwt({ ...createClaims(), userId: { id: 1 } })],
    ['userId an array', createJwt({ ...createClaims(), userId: ['alice'] })],
    ['userId true', createJwt({ ...createClaims(), userId: true })],
    ['firmId an object', createJwt({ ...createClaims(), firmId: {} })],
    ['sessionId an array', createJwt({ ...createClaims(), sessionId: [] })],
    ['impersonatorId true', createJwt({ ...createClaims(), impersonatorId: true })],
    ['jti an object', createJwt({ ...createClaims(), jti: {} })],
    ['neither userId nor sub', createJwt({ firmId: 'f1' })],
    ['userId and sub empty', createJwt({ userId: '', sub: '' })],
    // JSON has rounded it: two users would be one.
    ['a userId above 2^53', `${head}.${btoa('{"userId":9007199254740993}')}.${signature}`],
    ['a firmId above 2^53', createJwt({ ...createClaims(), firmId: 2 ** 53 })],
    ['a sessionId with a fraction', createJwt({ ...createClaims(), sessionId: 1.5 })],
    ['aud a number', createJwt({ ...createClaims(), aud: 5 })],
    ['aud a list with a number', createJwt({ ...createClaims(), aud: ['admin', 5] })],
    ['exp an object', createJwt({ ...createClaims(), exp: {} })],
    ['a userId that comes by the prototype only', createJwt(JSON.parse('{"__proto__":{"userId":"alice"}}'))],
    ['200 KB', createJwt({ ...createClaims(), note: 'x'.repeat(200_000) })],
    ['5 MB', `${head}.${'A'.repeat(5_000_000)}.${signature}`],
    ['a megabyte of dots', '.'.repeat(1_000_000)],
  ])('%s is refused with its exact text', (_what, token) => {
    const read = () => decodeAccessToken(token as string)
    expect(read).toThrow(AuthError)
    expect(read).toThrow(expect.objectContaining({ code: 'invalid-access-token', message: TEXT }))
  })

  it('leaves no trace of the token in the error', () => {
    let caught: unknown
    try {
      decodeAccessToken(`${head}.canary-canary.${signature}`)
    } catch (error) {
      caught = error
    }
    const { stack, ...members } = caught as AuthError
    expect(
      `${String(stack)} ${JSON.stringify(members)} ${String((caught as AuthError).cause)}`,
    ).not.toContain('canary')
  })
})

it.each<[string, unknown]>([
  ['a list', [{ sub: 'ada' }]],
  ['a text', 'ada'],
  ['a number', 12],
  ['null', null],
])('%s in place of the claims, or of the header, is none', (_what, part) => {
  const encoded = Buffer.from(JSON.stringify(part)).toString('base64url')
  expect(readJwt(createJwt(part))).toBeUndefined()
  expect(readJwt(`${encoded}.${body}.${signature}`, true)).toBeUndefined()
})

describe('a token that can be decoded', () => {
  it('gives the seven fields and nothing else, frozen', () => {
    const { claims } = decode({
      ...createClaims({ impersonatorId: 'support' }),
      role: 'admin',
      password: 'x',
    })
    expect(claims).toEqual({
      userId: 'alice',
      firmId: 'f1',
      sessionId: 's1',
      impersonatorId: 'support',
      jti: 'jti-1',
      aud: 'admin',
      exp: createClaims().exp,
    })
    expect(Object.isFrozen(claims)).toBe(true)
  })

  it.each([0, 7, -1, 2 ** 53 - 1, '9007199254740993', '7', 'ü', '../x'])(
    'takes the id %s as it is',
    (userId) => {
      expect(decode({ ...createClaims(), userId }).claims.userId).toBe(userId)
    },
  )

  it('takes absent and null optional fields as undefined', () => {
    expect(decode({ userId: 'alice', firmId: null, jti: null, aud: null, exp: null }).claims).toEqual({
      userId: 'alice',
    })
  })

  it.each(['', false, null])('takes %j in an optional field as absent', (nothing) => {
    const members = ['firmId', 'sessionId', 'impersonatorId', 'jti', 'aud', 'exp']
    expect(
      decode({ userId: 'alice', ...Object.fromEntries(members.map((name) => [name, nothing])) }).claims,
    ).toEqual({ userId: 'alice' })
  })

  it('takes 0 as an impersonator for nobody, and as a firm for the firm 0', () => {
    const { claims } = decode({ userId: 'alice', impersonatorId: 0, firmId: 0 })
    expect(claims).toEqual({ userId: 'alice', firmId: 0 })
  })

  it('takes a jti that is a number as its text', () => {
    expect(decode({ userId: 'alice', jti: 5 }).claims.jti).toBe('5')
  })

  it.each([undefined, '', false, null])('names the user by sub when userId is %j', (userId) => {
    expect(decode({ sub: 'alice', userId }).claims.userId).toBe('alice')
  })

  it('reads texts beyond ASCII as they were written', () => {
    expect(decode({ userId: 'Zoë 🗝️' }).claims.userId).toBe('Zoë 🗝️')
  })

  it.each([
    ['numbers', { iat: 1000, exp: 1600 }, 600],
    ['numeric texts', { iat: '1000', exp: '1600' }, 600],
    ['a fraction', { iat: 1000.5, exp: 1600 }, 599.5],
    ['no iat', { exp: 1600 }, undefined],
    ['no exp', { iat: 1000 }, undefined],
    ['an expiry before the issue', { iat: 1600, exp: 1000 }, undefined],
    ['an expiry at the issue', { iat: 1000, exp: 1000 }, undefined],
    ['a text that is no number', { iat: 1000, exp: 'soon' }, undefined],
    ['an empty text', { iat: 1000, exp: '' }, undefined],
  ])('plans the life by the difference of %s', (_what, times, seconds) => {
    expect(decode({ userId: 'alice', ...times }).lifetimeInSeconds).toBe(seconds)
  })

  it('is decoded just below 64 KB', () => {
    const token = createAccessToken({ note: 'x'.repeat(48_000) })
    expect(token.length).toBeLessThanOrEqual(65_536)
    expect(decodeAccessToken(token).claims.userId).toBe('alice')
  })
})

it(
  'whatever comes as a token: frozen claims or the one error, nothing else',
  { timeout: 120_000 * longer, tags: ['generated'] },
  async () => {
    const payloads = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          userId: fc.jsonValue(),
          firmId: fc.jsonValue(),
          sessionId: fc.jsonValue(),
          impersonatorId: fc.jsonValue(),
          jti: fc.jsonValue(),
          aud: fc.jsonValue(),
          exp: fc.jsonValue(),
          iat: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    )
    const tokens = fc.oneof(
      payloads.map(createJwt),
      fc.string(),
      fc.tuple(fc.base64String(), fc.base64String()).map(([a, b]) => `${a}.${b}.x`),
    )
    await checkGenerated(
      'tokens',
      fc.property(tokens, (token) => {
        const outcome = outcomeOf(token)
        const isRefusal = outcome instanceof AuthError && outcome.message === TEXT
        const isClaims = !isRefusal && ['string', 'number'].includes(typeof (outcome as Claims).userId)
        expect(isRefusal || (isClaims && Object.isFrozen(outcome))).toBe(true)
      }),
    )
  },
)

describe('the same identity', () => {
  const claims = decodeAccessToken(valid).claims
  it.each([
    ['a number and its text', { ...claims, userId: 7 }, { ...claims, userId: '7' }, true],
    ['another session', { ...claims, sessionId: 'a' }, { ...claims, sessionId: 'b' }, true],
    ['another jti and expiry', { ...claims, jti: 'a', exp: 1 }, { ...claims, jti: 'b', exp: 2 }, true],
    ['another user', claims, { ...claims, userId: 'bob' }, false],
    ['another firm', claims, { ...claims, firmId: 'f2' }, false],
    ['a firm that is gone', claims, { ...claims, firmId: undefined }, false],
    ['an impersonator who comes', claims, { ...claims, impersonatorId: 'x' }, false],
    ['another audience', claims, { ...claims, aud: 'other' }, false],
    [
      'no firm and one called undefined',
      { ...claims, firmId: undefined },
      { ...claims, firmId: 'undefined' },
      false,
    ],
  ])('%s', (_what, a, b, isSame) => {
    expect(isSameIdentity(a, b)).toBe(isSame)
    expect(isSameIdentity(b, a)).toBe(isSame)
  })

  it('no id equals no id, and no id equals nothing else', () => {
    expect(sameId(undefined, undefined)).toBe(true)
    expect(sameId(undefined, 'undefined')).toBe(false)
    expect(sameId(0, undefined)).toBe(false)
  })
})

describe('an access token', () => {
  const ofLength = (length: number) => {
    const without = createAccessToken({ filler: '' }).length
    // Base64 writes three bytes as four characters.
    for (let size = Math.floor(((length - without) * 3) / 4) - 4; ; size += 1) {
      const token = createAccessToken({ filler: 'x'.repeat(size) })
      if (token.length >= length) return token
    }
  }

  it('is read at its largest and refused right above, though it could be read', () => {
    const token = ofLength(LARGEST_TOKEN_LENGTH - 3)
    const signature = 'x'.repeat(LARGEST_TOKEN_LENGTH - token.length)
    expect(decodeAccessToken(token + signature).claims.userId).toBe('alice')
    expect(told(() => decodeAccessToken(`${token}${signature}x`))[0]).toBe('invalid-access-token')
  })

  const lifeOf = (claims: object) =>
    decodeAccessToken(createJwt({ ...createClaims(), ...claims })).lifetimeInSeconds
  it.each<[string, object, number | undefined]>([
    ['exp after iat', { iat: 100, exp: 160 }, 60],
    ['exp at iat', { iat: 100, exp: 100 }, undefined],
    ['exp before iat', { iat: 100, exp: 40 }, undefined],
    ['no iat', { iat: undefined, exp: 160 }, undefined],
    ['no exp', { iat: 100, exp: undefined }, undefined],
    ['both as texts', { iat: '100', exp: '160' }, 60],
    ['an empty text', { iat: '', exp: 160 }, undefined],
    ['a text of spaces', { iat: '  ', exp: 160 }, undefined],
    ['a text that is no number', { iat: 'soon', exp: 160 }, undefined],
    ['both null', { iat: null, exp: null }, undefined],
  ])('with %s has the life that follows', (_what, claims, life) => {
    expect(lifeOf(claims)).toBe(life)
  })

  it.each<[string, object, number | undefined]>([
    ['auth_time', { auth_time: 50, iat: 100 }, 50_000],
    ['iat, where there is no auth_time', { iat: 100 }, 100_000],
    ['neither', { iat: undefined }, undefined],
  ])('says since when there is a session by %s, in milliseconds', (_what, claims, since) => {
    expect(decodeAccessToken(createJwt({ ...createClaims(), ...claims })).sinceMs).toBe(since)
  })

  it.each<[string, object]>([
    ['exp that is a list', { exp: [160] }],
    ['exp that is true', { exp: true }],
    ['iat that is an object', { iat: {} }],
    ['aud that is a number', { aud: 7 }],
    ['aud with a number in it', { aud: ['admin', 7] }],
    ['jti that is true', { jti: true }],
    ['firmId that is a list', { firmId: [] }],
  ])('with %s is refused', (_what, claims) => {
    expect(told(() => decodeAccessToken(createJwt({ ...createClaims(), ...claims })))[0]).toBe(
      'invalid-access-token',
    )
  })

  it('has no member by a prototype', () => {
    const claims = decodeAccessToken(createJwt({ userId: 'alice' })).claims
    expect(claims).toEqual({ userId: 'alice' })
    expect(claims.firmId).toBeUndefined()
    expect(
      decodeAccessToken(createJwt(JSON.parse('{"userId":"a","__proto__":{"firmId":"f"}}'))).claims.firmId,
    ).toBeUndefined()
  })

  it('in an address is one at its largest, and none right above or in another form', () => {
    const rest = 'a.b.'
    const longest = rest + 'c'.repeat(LARGEST_ADDRESS_TOKEN_LENGTH - rest.length)
    expect(isTokenShaped(longest)).toBe(true)
    expect(isTokenShaped(`${longest}c`)).toBe(false)
    expect(['a.b', 'a.b.c.d', 'a.b.c ', ' a.b.c', 'a..c', 'a.b.c\n'].filter(isTokenShaped)).toEqual([])
  })
})

describe('a token', () => {
  it('may name several audiences, texts all of them', () => {
    expect(decodeAccessToken(token({ aud: ['a', 'b'] })).claims.aud).toEqual(['a', 'b'])
    expect(() => decodeAccessToken(token({ aud: ['a', 1] }))).toThrow('Fail to decode access token.')
    expect(readFitting(token({ aud: ['other', 'admin'], firmId: 'f1' }), { audience: 'admin' })).toBeDefined()
  })

  it.each([{ firmId: undefined }, { aud: 'other' }, { aud: undefined }, { userId: undefined }])(
    'in the URL with %j is not for this app',
    (members) => {
      expect(readFitting(token(members), { audience: 'admin' })).toBeUndefined()
      expect(readFitting(token({}), { audience: 'admin' })).toBeDefined()
    },
  )

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
