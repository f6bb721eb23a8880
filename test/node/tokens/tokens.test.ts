// Reads the answers of /oauth/token strictly: what counts, what is refused, what a lifetime may look like (F31).

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import { told } from '../thrownError.ts'
import { assertionGrant, codeGrant, parseTokens, refreshGrant } from '../../../src/protocol/tokens.ts'
import { createAccessToken, createClaims, createTokenResponse } from '../../../src/testing/tokens.ts'
import { checkGenerated, generatedRuns } from '../../generated.ts'

describe('a token answer', () => {
  it('is read with its token, refresh token, lifetime and claims', () => {
    expect(parseTokens(createTokenResponse())).toEqual({
      accessToken: createAccessToken(),
      refreshToken: 'refresh-1',
      expiresInSeconds: 600,
      claims: {
        userId: 'alice',
        firmId: 'f1',
        sessionId: 's1',
        jti: 'jti-1',
        aud: 'admin',
        exp: createClaims().exp,
      },
      sinceMs: createClaims().iat * 1000,
    })
  })

  it('may hold more than is known', () => {
    expect(
      parseTokens(createTokenResponse({}, { scope: 'openid', id_token: 'x', nested: {} })).accessToken,
    ).toBe(createAccessToken())
  })

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text, as a proxy page is', '<html>Sign in to the hotel</html>'],
    ['an empty text', ''],
    ['a number', 200],
    ['true', true],
    ['an array', [createTokenResponse()]],
    ['an empty object', {}],
    ['an error with status 200', { error: 'invalid_grant' }],
    ['no access token', { refresh_token: 'r', expires_in: 60 }],
    ['an empty access token', createTokenResponse({}, { access_token: '' })],
    ['an access token that is an object', { ...createTokenResponse(), access_token: {} }],
    ['an access token that is a number', { ...createTokenResponse(), access_token: 5 }],
    ['a refresh token that is a number', { ...createTokenResponse(), refresh_token: 5 }],
    ['a refresh token that is an object', { ...createTokenResponse(), refresh_token: {} }],
    ['a token type we cannot use', createTokenResponse({}, { token_type: 'DPoP' })],
    ['a token type that is no text', { ...createTokenResponse(), token_type: 1 }],
  ])('%s is an unexpected answer', (_what, answer) => {
    expect(() => parseTokens(answer)).toThrow(
      expect.objectContaining({ code: 'unexpected-answer', retryable: true }),
    )
  })

  it('with an opaque access token fails with its exact text', () => {
    expect(() => parseTokens(createTokenResponse({}, { access_token: 'opaque' }))).toThrow(
      'Fail to decode access token.',
    )
  })

  it.each(['Bearer', 'bearer', 'BEARER', undefined, null, '', false])(
    'of the token type %s is taken',
    (token_type) => {
      expect(parseTokens({ ...createTokenResponse(), token_type }).accessToken).toBe(createAccessToken())
    },
  )

  it.each<[string, unknown, number | undefined]>([
    ['a number', 600, 600],
    ['a fraction', 0.5, 0.5],
    ['a numeric text', '600', 600],
    ['a numeric text with spaces', ' 600 ', 600],
    ['thirty days', 2_592_000, 2_592_000],
    ['nothing', undefined, 600],
    ['null', null, 600],
    ['zero', 0, undefined],
    ['a negative number', -5, undefined],
    ['a negative text', '-5', undefined],
    ['an empty text', '', 600],
    ['false', false, 600],
    ['a text of spaces', '  ', undefined],
    ['a text that is no number', '10m', undefined],
    ['NaN as text', 'NaN', undefined],
    ['Infinity as text', 'Infinity', undefined],
    ['true', true, undefined],
    ['an object', {}, undefined],
    ['an array', [600], undefined],
  ])('with %s as its lifetime lives for %s: %s seconds', (_what, expires_in, seconds) => {
    expect(parseTokens({ ...createTokenResponse(), expires_in }).expiresInSeconds).toBe(seconds)
  })

  it('without lifetime and without exp has no known life', () => {
    const answer = createTokenResponse({ exp: undefined as never }, { expires_in: undefined })
    expect(parseTokens(answer).expiresInSeconds).toBeUndefined()
  })

  it.each([undefined, null, '', false])('with %j for a refresh token is complete', (refresh_token) => {
    expect(parseTokens({ ...createTokenResponse(), refresh_token }).refreshToken).toBeUndefined()
  })
})

it(
  'whatever comes as an answer: tokens of the right types or one of the two errors, nothing else',
  { tags: ['generated'] },
  async () => {
    const lifetimes = fc.oneof(fc.double(), fc.integer(), fc.string(), fc.constantFrom('600', '1e400', null))
    const members = {
      access_token: fc.oneof({ weight: 3, arbitrary: fc.constant(createAccessToken()) }, fc.anything()),
      refresh_token: fc.oneof(fc.string(), fc.constantFrom(null, undefined), fc.anything()),
      expires_in: fc.oneof(lifetimes, fc.anything()),
      token_type: fc.oneof(fc.constantFrom('Bearer', 'bEARER', undefined), fc.anything()),
    }
    const answers = fc.oneof(
      { weight: 4, arbitrary: fc.record(members, { requiredKeys: [] }) },
      fc.anything({ withObjectString: true, withNullPrototype: true }),
    )
    let readCount = 0
    const read = (answer: unknown) => {
      try {
        return parseTokens(answer)
      } catch (error) {
        return error
      }
    }
    await checkGenerated(
      'token answers',
      fc.property(answers, (answer) => {
        const outcome = read(answer)
        if (outcome instanceof AuthError) {
          expect(['unexpected-answer', 'invalid-access-token']).toContain(outcome.code)
          return
        }
        readCount += 1
        const { accessToken, refreshToken, expiresInSeconds } = outcome as ReturnType<typeof parseTokens>
        expect(accessToken).toBe((answer as Record<string, unknown>)['access_token'])
        expect(refreshToken ?? 'none').toMatch(/./su)
        expect(expiresInSeconds ?? 1).toBeGreaterThan(0)
        expect(Number.isFinite(expiresInSeconds ?? 1)).toBe(true)
      }),
    )
    // Both ends were met in numbers, so that the rest means something.
    expect(readCount).toBeGreaterThan(generatedRuns('token answers') * 0.05)
    expect(readCount).toBeLessThan(generatedRuns('token answers') * 0.95)
  },
)

describe('the bodies sent to /oauth/token', () => {
  it('are the promised ones, member by member', () => {
    const attempt = {
      verifier: 'the-verifier',
      authHost: 'https://auth.test',
      clientId: 'admin',
      redirectUri: 'https://app.test/',
      returnTo: '/',
      createdAtMs: 0,
    }
    expect(codeGrant('the-code', attempt)).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      code_verifier: 'the-verifier',
      client_id: 'admin',
      redirect_uri: 'https://app.test/',
    })
    expect(refreshGrant('the-refresh-token', 'the-verifier', 'admin')).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'the-refresh-token',
      code_verifier: 'the-verifier',
      client_id: 'admin',
    })
    expect(assertionGrant('the-jti', 'admin')).toEqual({
      grant_type: 'jti',
      assertion: 'the-jti',
      client_id: 'admin',
    })
  })
})

describe('a token answer', () => {
  it('names its address when it is refused', () => {
    for (const answer of [null, {}]) {
      expect(told(() => parseTokens(answer))).toEqual([
        'unexpected-answer',
        'POST /oauth/token got an unexpected answer',
        'Try again. A proxy or portal may have responded.',
      ])
    }
  })

  it.each([
    ['  ', undefined],
    ['', 600],
    [' 7 ', 7],
    ['7', 7],
  ])('with the life %j lives for %s seconds', (expires_in, seconds) => {
    expect(parseTokens({ ...createTokenResponse(), expires_in }).expiresInSeconds).toBe(seconds)
  })
})
