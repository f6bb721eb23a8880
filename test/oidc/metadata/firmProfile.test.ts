// The server of the latchkey contract as a profile: the same bytes, the same reading, the same errors as the functions it is made of.
import { describe, expect, it } from 'vitest'
import { unexpectedStatus } from '../../../src/base/errors.ts'
import { firmServer } from '../../../src/protocol/servers/firm.ts'
import type { Credentials } from '../../../src/protocol/credentials.ts'
import type { ServerPorts } from '../../../src/protocol/servers/profile.ts'
import { authorizeUrl, readAnswer, readFrameAnswer } from '../../../src/protocol/signIn.ts'
import { codeGrant, refreshGrant } from '../../../src/protocol/tokens.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP, codeOf, CRYPTO, jwt, NOW, VERIFIER } from '../scene.ts'

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

type Sent = Parameters<ServerPorts['call']>[0]

/** The server in a page whose calls all end in one way. */
function page(respond: () => unknown) {
  const sent: Sent[] = []
  const call = async (request: Sent) => {
    sent.push(request)
    return respond()
  }
  const opened = profile.open(CLIENT, {
    ...createFakeHost(APP).platform,
    send: async () => ({}),
    call,
    record: () => {},
    current: () => undefined,
    revoke() {},
    redirectUri: () => APP,
  })
  return { sent, opened, server: opened.known()! }
}
const { server, opened } = page(() => ({}))
const read = (answer: unknown) =>
  page(() => answer).server.exchange('c-1', { attempt: ATTEMPT, isSilent: false })
const holding: (answer: unknown) => Promise<Credentials> = read

describe('the profile', () => {
  it('needs nothing fetched, has every call, and is named by its origin', () => {
    expect(profile).toMatchObject({ id: HOST, authHost: HOST })
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
    [{}, {}, []],
    [{ parameters: { prompt: 'login' } }, {}, ['prompt,login']],
    [{ isSilent: true }, { isSilent: true }, []],
  ])('authorize %j', (request, options, further) => {
    // In whatever order.
    const partsOf = (url: string) => [url.split('?')[0]!, ...[...new URL(url).searchParams].map(String)]
    const expected = authorizeUrl({ authHost: HOST, ...CLIENT }, { ...KEY, redirectUri: APP, ...options })
    expect(partsOf(server.authorizeUrl({ key: KEY, redirectUri: APP, ...request })).toSorted()).toEqual(
      [...partsOf(expected), ...further].toSorted(),
    )
  })

  it('the silent check responds by message, and the address is not read', () => {
    expect(server.silentCheck).toEqual({})
    const message = { type: 'authorization_response', response: { state: 'aB3dE6', code: 'c-1' } }
    expect(server.readSilentAnswer(message, 'aB3dE6')).toEqual(readFrameAnswer(message, 'aB3dE6'))
    expect(server.readSilentAnswer(`${APP}?state=aB3dE6&code=c-1`, 'aB3dE6')).toBeUndefined()
  })

  it('a code', async () => {
    const { sent, server: on } = page(() => ({ access_token: TOKEN }))
    await on.exchange('c-1', { attempt: ATTEMPT, isSilent: true })
    expect(sent).toEqual([{ method: 'POST', path: '/oauth/token', body: codeGrant('c-1', ATTEMPT) }])
  })

  it('a refresh, with the verifier of the sign-in', async () => {
    const held = await holding({ access_token: TOKEN, refresh_token: 'r-1', expires_in: 60 })
    const { sent, server: on } = page(() => ({ access_token: TOKEN }))
    await on.refresh(held, 'r-1')
    expect(sent).toEqual([
      { method: 'POST', path: '/oauth/token', body: refreshGrant('r-1', VERIFIER, 'admin') },
    ])
  })

  it('logout, with and without a state', () => {
    const leave = { isForced: true, returnUri: APP }
    expect(server.logout({ ...leave, state: 'aB3dE6' })).toEqual({
      url: `${HOST}/oauth/logout?client_id=admin&force=true&post_logout_redirect_uri=${encodeURIComponent(APP)}&state=aB3dE6`,
    })
    expect(server.logout({ ...leave, state: undefined })).toHaveProperty(
      'url',
      expect.not.stringContaining('state'),
    )
  })

  it('user info with the access token, and no revocation', async () => {
    const { sent, server: on } = page(() => ({ userId: 7 }))
    const { signal } = new AbortController()
    expect(await on.readUserInfo({}, async (work) => work('at-1'), signal)).toEqual({
      userId: 7,
    })
    expect(sent).toEqual([{ method: 'GET', path: '/api/userinfo', token: 'at-1', signal }])
    expect(on.revoke).toBeUndefined()
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
      claims: expect.objectContaining({
        userId: 7,
        firmId: 'f',
        sessionId: 's',
        exp: NOW + 60,
      }) as object,
      sinceMs: NOW * 1000,
      memory: { verifier: VERIFIER },
    })
  })

  it('a refresh without a new refresh token: the old one stays', async () => {
    const held = await holding({ access_token: TOKEN, refresh_token: 'r-1' })
    const { refreshToken, memory } = await page(() => ({ access_token: TOKEN })).server.refresh(held, 'r-1')
    expect(refreshToken).toBe('r-1')
    expect(memory).toBe(held.memory)
  })

  it.each([
    ['unexpected-answer', '<html>'],
    ['unexpected-answer', {}],
    ['invalid-access-token', { access_token: 'opaque' }],
  ])('%s for %j', async (code, answer) => {
    expect(await codeOf(() => read(answer))).toBe(code)
  })

  it('what another tab hands over', async () => {
    const { accessToken, refreshToken, memory, claims } = await holding({
      access_token: TOKEN,
      refresh_token: 'r-1',
    })
    expect(opened.restore({ accessToken, refreshToken, memory })).toEqual({
      accessToken,
      refreshToken,
      memory,
      claims,
    })
    for (const wrong of [undefined, {}, { accessToken, memory: {} }, { accessToken: 'opaque', memory }])
      expect(await codeOf(() => opened.restore(wrong))).toMatch(/^(unexpected-answer|invalid-access-token)$/)
  })

  it('user info that is none', async () => {
    const work = () => page(() => '<html>').server.readUserInfo({}, async (work) => work('at-1'), undefined)
    expect(await codeOf(work)).toBe('unexpected-answer')
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
  ])('%s for %j, silent %s', async (code, answer, isSilent) => {
    expect((await server.answerError({ state: 'aB3dE6', ...answer }, { isSilent }))?.code).toBe(code)
  })

  const refused = async (error: unknown) => {
    const held = await holding({ access_token: TOKEN, refresh_token: 'r-1' })
    const { server: on } = page(() => {
      throw error
    })
    return on.refresh(held, 'r-1').catch((found: unknown) => found)
  }

  it('a refresh token that is worth nothing any more', async () => {
    const cause = unexpectedStatus('POST /oauth/token', { status: 400, body: { error: 'invalid_grant' } })
    expect(await refused(cause)).toMatchObject({ code: 'invalid-grant', cause })
  })

  it.each([
    unexpectedStatus('x', { status: 400, body: { error: 'invalid_request' } }),
    unexpectedStatus('x', { status: 400, body: 'invalid_grant' }),
    unexpectedStatus('x', { status: 503, body: null }),
    new Error('invalid_grant'),
  ])('ends no session: %s', async (error) => {
    expect(await refused(error)).toBe(error)
  })
})
