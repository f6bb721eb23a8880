// Reads the answers of /oauth/token strictly: what counts, what is refused, what a lifetime may look like (spec §3, §7; T16, F31).
import { describe, expect, it } from 'vitest'
import { assertionGrant, codeGrant, parseTokens, refreshGrant } from '../../src/protocol/tokens.ts'
import { createAccessToken, createClaims, createTokenResponse } from '../../src/testing/tokens.ts'

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
    ['an empty refresh token', createTokenResponse({}, { refresh_token: '' })],
    ['a refresh token that is a number', { ...createTokenResponse(), refresh_token: 5 }],
    ['a refresh token that is an object', { ...createTokenResponse(), refresh_token: {} }],
    ['a token type we cannot use', createTokenResponse({}, { token_type: 'DPoP' })],
    ['a token type that is no text', { ...createTokenResponse(), token_type: 1 }],
  ])('%s is an unexpected answer', (_what, answer) => {
    expect(() => parseTokens(answer)).toThrow(
      expect.objectContaining({ code: 'unexpected-answer', retryable: true }),
    )
  })

  it('with an opaque access token fails with the text of the specification', () => {
    expect(() => parseTokens(createTokenResponse({}, { access_token: 'opaque' }))).toThrow(
      'Fail to decode access token.',
    )
  })

  it.each(['Bearer', 'bearer', 'BEARER', undefined])('of the token type %s is taken', (token_type) => {
    expect(parseTokens(createTokenResponse({}, { token_type })).accessToken).toBe(createAccessToken())
  })

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
    ['an empty text', '', undefined],
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

  it('without a refresh token, or with null for it, is complete', () => {
    expect(parseTokens({ ...createTokenResponse(), refresh_token: null }).refreshToken).toBeUndefined()
    expect(parseTokens(createTokenResponse({}, { refresh_token: undefined })).refreshToken).toBeUndefined()
  })
})

describe('the bodies sent to /oauth/token', () => {
  it('are those of the specification, member by member', () => {
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
