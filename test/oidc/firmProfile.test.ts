// The specification's own server as a profile: the same bytes, the same reading, the same errors as the functions it is made of.
import { describe, expect, it } from 'vitest'
import { AuthError, unexpectedStatus } from '../../src/errors.ts'
import { firmServer } from '../../src/protocol/servers/firm.ts'
import type { Held } from '../../src/protocol/servers/profile.ts'
import { authorizeUrl, readAnswer, readFrameAnswer } from '../../src/protocol/signIn.ts'
import { codeGrant, refreshGrant } from '../../src/protocol/tokens.ts'
import { APP, codeOf, CRYPTO, DEVICE, jwt, NOW, VERIFIER } from './scene.ts'

const HOST = 'https://auth.example.com'
const CLIENT = { clientId: 'admin', scopes: ['openid', 'firm'], rememberMe: true }
const KEY = { verifier: VERIFIER, state: 'aB3dE6', challenge: { value: 'ch', method: 'S256' as const } }
const ATTEMPT = {
  verifier: VERIFIER,
  authHost: HOST,
  clientId: 'admin',
  redirectUri: APP,
  returnTo: '/',
  createdAtMs: 0,
}
const TOKEN = jwt({ userId: 7, firmId: 'f', sessionId: 's', aud: 'admin', iat: NOW, exp: NOW + 60 })
const profile = firmServer({ authHost: HOST })
const server = profile.connect(CLIENT)
const read = (answer: unknown) =>
  server.readTokens(answer, { attempt: ATTEMPT, isSilent: false, time: DEVICE, sha256: CRYPTO.sha256 })

describe('the profile', () => {
  it('needs nothing fetched, has every call, and is named by its origin', () => {
    expect(profile).toMatchObject({ id: HOST, authHost: HOST, discovery: undefined })
    expect(profile.supports('linkMap')).toBe(true)
    expect(() => profile.checkClient(CLIENT)).not.toThrow()
  })

  it('draws a key without a nonce', async () => {
    const key = await profile.createKey(CRYPTO)
    expect(key.state).toMatch(/^[A-Za-z0-9]{6}$/)
    expect(key).not.toHaveProperty('nonce')
  })

  it('reads the address as before', () => {
    const address = `${APP}?state=aB3dE6&code=c-1`
    expect(profile.readAnswer(address)).toEqual(readAnswer(address))
  })
})

describe('on the wire', () => {
  it.each([
    [{}, {}],
    [{ prompt: 'login' }, { prompt: 'login' }],
    [{ isSilent: true }, { prompt: 'none', isInFrame: true }],
  ])('authorize %j', (request, options) => {
    expect(server.authorizeUrl({ key: KEY, redirectUri: APP, ...request })).toBe(
      authorizeUrl({ authHost: HOST, ...CLIENT }, { ...KEY, redirectUri: APP, ...options }),
    )
  })

  it('the silent check responds by message, and the address is not read', () => {
    expect(server.silentCheck).toEqual({ messageOrigin: HOST, readsAddress: false, redirectUri: undefined })
    const message = { type: 'authorization_response', response: { state: 'aB3dE6', code: 'c-1' } }
    expect(server.readSilentAnswer(message, 'aB3dE6')).toEqual(readFrameAnswer(message, 'aB3dE6'))
    expect(server.readSilentAnswer(`${APP}?state=aB3dE6&code=c-1`, 'aB3dE6')).toBeUndefined()
  })

  it('a code', () => {
    expect(server.codeRequest('c-1', ATTEMPT)).toEqual({
      what: 'POST /oauth/token',
      method: 'POST',
      url: `${HOST}/oauth/token`,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(codeGrant('c-1', ATTEMPT)),
      cache: 'default',
      secrets: ['c-1', VERIFIER],
    })
  })

  it('a refresh, with the verifier of the sign-in', async () => {
    const held = await read({ access_token: TOKEN, refresh_token: 'r-1', expires_in: 60 })
    const request = server.refreshRequest(held)
    expect(request?.body).toBe(JSON.stringify(refreshGrant('r-1', VERIFIER, 'admin')))
    expect(request?.secrets).toEqual(['r-1', VERIFIER])
    expect(server.refreshRequest({ ...held, refreshToken: undefined })).toBeUndefined()
  })

  it('logout, with and without a state', () => {
    const leave = { isForced: true, returnUri: APP }
    expect(server.logout({ ...leave, state: 'aB3dE6' })).toEqual({
      url: `${HOST}/oauth/logout?client_id=admin&force=true&post_logout_redirect_uri=${encodeURIComponent(APP)}&state=aB3dE6`,
      bringsStateBack: true,
    })
    expect(server.logout({ ...leave, state: undefined })?.url).not.toContain('state')
  })

  it('user info, and no revocation', () => {
    expect(server.userInfoRequest).toMatchObject({ method: 'GET', url: `${HOST}/api/userinfo` })
    expect(server.revocationRequest({} as Held)).toBeUndefined()
  })
})

describe('what it reads', () => {
  it('tokens, with who it is from the access token', async () => {
    expect(
      await read({ access_token: TOKEN, refresh_token: 'r-1', expires_in: '60', token_type: 'bearer' }),
    ).toEqual({
      accessToken: TOKEN,
      refreshToken: 'r-1',
      expiresInSeconds: 60,
      claims: expect.objectContaining({ userId: 7, firmId: 'f', sessionId: 's', exp: NOW + 60 }) as object,
      memory: { verifier: VERIFIER },
      sinceMs: NOW * 1000,
      refreshExpiresInSeconds: undefined,
      scopes: undefined,
      notes: [],
    })
  })

  it('a refresh without a new refresh token: the old one stays', async () => {
    const held = await read({ access_token: TOKEN, refresh_token: 'r-1' })
    const granted = await server.readTokens(
      { access_token: TOKEN },
      { held, time: DEVICE, sha256: CRYPTO.sha256 },
    )
    expect(granted).toMatchObject({ refreshToken: 'r-1', memory: held.memory })
  })

  it.each([
    ['unexpected-answer', '<html>'],
    ['unexpected-answer', {}],
    ['invalid-access-token', { access_token: 'opaque' }],
  ])('%s for %j', async (code, answer) => {
    expect(await codeOf(() => read(answer))).toBe(code)
  })

  it('what another tab hands over', async () => {
    const { accessToken, refreshToken, memory, claims } = await read({
      access_token: TOKEN,
      refresh_token: 'r-1',
    })
    expect(server.restore({ accessToken, refreshToken, memory })).toEqual({
      accessToken,
      refreshToken,
      memory,
      claims,
    })
    for (const wrong of [undefined, {}, { accessToken, memory: {} }, { accessToken: 'opaque', memory }])
      expect(await codeOf(() => server.restore(wrong))).toMatch(/^(unexpected-answer|invalid-access-token)$/)
  })

  it('user info', async () => {
    expect(server.readUserInfo({ userId: 7 }, {} as Held)).toEqual({ userId: 7 })
    expect(await codeOf(() => server.readUserInfo('<html>', {} as Held))).toBe('unexpected-answer')
  })
})

describe('what it refuses', () => {
  it.each([
    ['access-denied', { error: 'access_denied' }, false],
    ['login-required', { error: 'login_required' }, true],
    ['authorization-refused', { error: 'login_required' }, false],
    ['issuer-mismatch', { code: 'c', iss: 'https://evil.example.com' }, false],
    [undefined, { code: 'c', iss: HOST }, false],
    [undefined, { code: 'c' }, true],
  ])('%s for %j, silent %s', (code, answer, isSilent) => {
    expect(server.answerError({ state: 'aB3dE6', ...answer }, { isSilent })?.code).toBe(code)
  })

  it('a refusal of the token endpoint is the one of every call', () => {
    const refusal = { status: 400, body: { error: 'invalid_grant' }, retryAfterMs: undefined }
    const error = server.tokenError({ ...refusal, isRefresh: true })
    expect(error.message).toBe(unexpectedStatus('POST /oauth/token', refusal).message)
    expect(server.endsGrant(error)).toBe(true)
  })

  it.each([
    unexpectedStatus('x', { status: 400, body: { error: 'invalid_request' } }),
    unexpectedStatus('x', { status: 400, body: 'invalid_grant' }),
    unexpectedStatus('x', { status: 503, body: null }),
    new AuthError('invalid-grant', 'x'),
    new Error('invalid_grant'),
    undefined,
  ])('ends no grant: %s', (error) => {
    expect(server.endsGrant(error)).toBe(false)
  })
})
