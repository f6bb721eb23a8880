// The requests to an OpenID Connect provider, byte for byte: authorize, token, user info, revocation, logout.
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import type { OpenIdConnectOptions } from '../../../src/protocol/servers/oidcOptions.ts'
import type { Credentials } from '../../../src/protocol/credentials.ts'
import type {
  AuthorizeRequest,
  LogoutPage,
  LogoutRequest,
  Server,
} from '../../../src/protocol/servers/profile.ts'
import {
  APP,
  ATTEMPT,
  codeOf,
  CRYPTO,
  explained,
  faultOf,
  idToken,
  ISSUER,
  METADATA,
  NONCE,
  server,
  page,
  signIn,
  STATE,
  tokens,
  VERIFIER,
} from '../scene.ts'
import { CODE_FLOW_PARAMETERS } from '../../node/signIn/codeFlowParameters.ts'

const KEY = {
  verifier: VERIFIER,
  state: STATE,
  nonce: NONCE,
  challenge: { value: 'ch', method: 'S256' as const },
}
const authorize = (
  request: Partial<AuthorizeRequest> = {},
  options: Partial<OpenIdConnectOptions> = {},
  metadata: Record<string, unknown> = {},
  scopes: readonly string[] = ['openid', 'profile', 'offline_access'],
) => new URL(server(options, metadata, { scopes }).authorizeUrl({ key: KEY, redirectUri: APP, ...request }))
const formOf = (body: string | undefined) => Object.fromEntries(new URLSearchParams(body))
const held = async (members: Record<string, unknown> = {}): Promise<Credentials> => signIn(members)

describe('authorize', () => {
  it('has exactly the parameters of the standard', () => {
    const url = authorize()
    expect(url.origin + url.pathname).toBe(METADATA.authorization_endpoint)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'admin',
      redirect_uri: APP,
      scope: 'openid profile offline_access',
      state: STATE,
      nonce: NONCE,
      code_challenge: 'ch',
      code_challenge_method: 'S256',
    })
  })

  it('request-has-s256-state-nonce-128-bit', async () => {
    const profile = openIdConnect({ issuer: ISSUER })
    const keys = await Promise.all(Array.from({ length: 50 }, async () => profile.createKey(CRYPTO)))
    for (const key of keys) {
      const { searchParams } = authorize({ key })
      // 32 letters of base64url are 192 bits.
      expect(searchParams.get('state')).toMatch(/^[\w-]{32}$/)
      expect(searchParams.get('nonce')).toMatch(/^[\w-]{32}$/)
      expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
      expect(searchParams.get('code_challenge_method')).toBe('S256')
      expect(key.verifier).toMatch(/^[\w-]{64}$/)
    }
    const texts = keys.flatMap(({ verifier, state, nonce }) => [verifier, state, nonce])
    expect(new Set(texts).size).toBe(150)
  })

  it('scopes-joined-by-space', () => {
    expect(authorize().href).toContain('scope=openid+profile+offline_access')
  })

  it.each(['openid,profile', 'openid profile', 'open"id'])('scope-with-comma-refused: %s', async (scope) => {
    const error = await faultOf(() =>
      parseConfig({
        server: openIdConnect({ issuer: ISSUER }),
        clientId: 'admin',
        scopes: ['openid', scope],
      }),
    )
    expect(error.code).toBe('invalid-scopes')
    expect(error.remedy).toContain('scope')
  })

  it('the scopes must hold openid', async () => {
    const profile = openIdConnect({ issuer: ISSUER })
    const client = { clientId: 'admin', rememberMe: false }
    expect(() => profile.checkClient({ ...client, scopes: ['openid'] })).not.toThrow()
    expect(await codeOf(() => profile.checkClient({ ...client, scopes: ['profile'] }))).toBe('invalid-config')
    expect(await codeOf(() => profile.checkClient({ ...client, scopes: [] }))).toBe('invalid-config')
  })

  it('keeps the query of the endpoint', () => {
    const url = authorize({}, {}, { authorization_endpoint: `${ISSUER}/auth?policy=b2c_1` })
    expect(url.searchParams.get('policy')).toBe('b2c_1')
    expect(url.searchParams.get('client_id')).toBe('admin')
  })

  it('adds what the app wants, a list item by item', () => {
    const url = authorize(
      { parameters: { kc_idp_hint: 'github' } },
      { parameters: { audience: 'https://api.example.com', resource: ['urn:a', 'urn:b'] } },
    )
    expect(url.searchParams.get('audience')).toBe('https://api.example.com')
    expect(url.searchParams.getAll('resource')).toEqual(['urn:a', 'urn:b'])
    expect(url.searchParams.get('kc_idp_hint')).toBe('github')
  })

  it.each(CODE_FLOW_PARAMETERS)('a parameter of one sign-in cannot replace %s', (name) => {
    expect(authorize({ parameters: { [name]: 'evil' } }).searchParams.getAll(name)).not.toContain('evil')
  })

  it.each([
    ['prompt', 'select_account'],
    ['login_hint', 'ada@example.com'],
    ['ui_locales', 'fr-CA fr en'],
  ])('%s of one sign-in', (name, value) => {
    expect(authorize({ parameters: { [name]: value } }).searchParams.getAll(name)).toEqual([value])
  })

  it.each(['login_hint', 'ui_locales'])('%s of the options is sent with every sign-in', (name) => {
    expect(authorize({}, { parameters: { [name]: 'fr' } }).searchParams.getAll(name)).toEqual(['fr'])
  })

  it('a prompt of one sign-in wins over that of the options', () => {
    const options = { parameters: { prompt: 'consent' } }
    expect(authorize({}, options).searchParams.get('prompt')).toBe('consent')
    expect(authorize({ parameters: { prompt: 'login' } }, options).searchParams.getAll('prompt')).toEqual([
      'login',
    ])
  })
})

describe('the silent check', () => {
  it('frame-never-asks-offline-access', () => {
    const { searchParams } = authorize({ isSilent: true })
    expect(searchParams.get('scope')).toBe('openid profile')
    expect(searchParams.getAll('prompt')).toEqual(['none'])
  })

  it('never asks the user, whatever the options say', () => {
    const url = authorize({ isSilent: true }, { parameters: { prompt: 'consent' } })
    expect(url.searchParams.getAll('prompt')).toEqual(['none'])
  })

  it('leaves response_mode out where the provider knows no web_message', () => {
    expect(authorize({ isSilent: true }).searchParams.has('response_mode')).toBe(false)
    expect(
      authorize({}, {}, { response_modes_supported: ['web_message'] }).searchParams.has('response_mode'),
    ).toBe(false)
  })

  it('asks for a message where the provider offers it', () => {
    const modes = { response_modes_supported: ['query', 'web_message'] }
    expect(authorize({ isSilent: true }, {}, modes).searchParams.get('response_mode')).toBe('web_message')
    expect(authorize({ isSilent: true }, { silent: 'frame' }, modes).searchParams.has('response_mode')).toBe(
      false,
    )
  })

  it('names the user where the preset knows the claim', async () => {
    const someone = await held({ id_token: idToken({ preferred_username: 'ada@example.com' }) })
    const options = { loginHintClaim: 'preferred_username' }
    expect(authorize({ isSilent: true, current: someone }, options).searchParams.get('login_hint')).toBe(
      'ada@example.com',
    )
    expect(authorize({ isSilent: true, current: someone }).searchParams.has('login_hint')).toBe(false)
    expect(authorize({ current: someone }, options).searchParams.has('login_hint')).toBe(false)
    const nobody = await held({ id_token: idToken({ preferred_username: 7 }) })
    expect(authorize({ isSilent: true, current: nobody }, options).searchParams.has('login_hint')).toBe(false)
  })

  it('canary-no-id-token-in-the-address', async () => {
    const url = authorize({ isSilent: true, current: await held() }, { loginHintClaim: 'sub' })
    expect(url.href).not.toContain('eyJ')
    expect(url.href).not.toContain(VERIFIER)
  })
})

describe('the token endpoint', () => {
  it('token-body-is-form-and-no-preflight: a code', () => {
    const request = tokens().codeRequest('c-1', ATTEMPT)
    expect(request).toMatchObject({
      what: 'POST /realms/staff/token',
      method: 'POST',
      url: METADATA.token_endpoint,
      // These two need no preflight (Fetch §4.10); a third header would.
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      cache: 'no-store',
      secrets: ['c-1', VERIFIER],
    })
    expect(formOf(request.body)).toEqual({
      grant_type: 'authorization_code',
      code: 'c-1',
      code_verifier: VERIFIER,
      redirect_uri: APP,
      client_id: 'admin',
    })
  })

  it('sends the redirect URI of the attempt, byte for byte', () => {
    const redirectUri = 'https://admin.example.com/a%20b?x=1&y=ü'
    expect(formOf(tokens().codeRequest('c-1', { ...ATTEMPT, redirectUri }).body)['redirect_uri']).toBe(
      redirectUri,
    )
  })

  it('a code with every letter arrives as it was', () => {
    const code = 'a+b/c=d&e%20f ü#'
    expect(formOf(tokens().codeRequest(code, ATTEMPT).body)['code']).toBe(code)
  })

  it('token-body-is-form-and-no-preflight: a refresh, without the verifier', async () => {
    const request = tokens().refreshRequest(await held())!
    expect(Object.keys(request.headers)).toEqual(['accept', 'content-type'])
    expect(request.secrets).toEqual(['refresh-1'])
    expect(formOf(request.body)).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      client_id: 'admin',
    })
  })

  it('without a refresh token there is no refresh', async () => {
    expect(tokens().refreshRequest(await held({ refresh_token: undefined }))).toBeUndefined()
  })

  it('refresh-repeats-openid-scope (Okta)', async () => {
    const request = tokens({ refreshScope: true }).refreshRequest(await held())!
    expect(formOf(request.body)['scope']).toBe('openid profile')
  })

  // Logto and oidc-provider take one resource per token request; the others have tokens of their own.
  it('repeats the resource at every token request, of several the first (RFC 8707)', async () => {
    const on = tokens({ parameters: { resource: ['urn:a', 'urn:b'], audience: 'x' } })
    for (const { body } of [on.codeRequest('c', ATTEMPT), on.refreshRequest(await held())!]) {
      expect(new URLSearchParams(body).getAll('resource')).toEqual(['urn:a'])
      expect(new URLSearchParams(body).has('audience')).toBe(false)
    }
  })

  it('says what to set when the provider does not allow the page', () => {
    const { networkRemedy } = tokens({ originSetting: "the client's 'Web origins'" }).codeRequest(
      'c',
      ATTEMPT,
    )
    expect(networkRemedy).toContain("'Web origins'")
    expect(tokens().codeRequest('c', ATTEMPT).networkRemedy).toContain('CORS')
  })

  it('refresh-answer-lost-within-grace / without-grace: how long a second use is allowed', () => {
    expect(server({ refreshReuseInSeconds: 30 }).refreshReuseMs).toBe(30_000)
    expect(server().refreshReuseMs).toBe(0)
  })
})

describe('a refusal of the token endpoint', () => {
  const refusal = (status: number, body: unknown, isRefresh = true) => {
    const on = tokens()
    const error = explained(on.tokenError({ status, body, isRefresh }))
    return { error, isEnd: error.code === 'invalid-grant' }
  }

  it('refresh-invalid-grant', () => {
    const { error, isEnd } = refusal(400, { error: 'invalid_grant' })
    expect(error.code).toBe('invalid-grant')
    expect(isEnd).toBe(true)
  })

  it.each([401, 403])('refresh-invalid-grant with the status %i', (status) => {
    expect(refusal(status, { error: 'invalid_grant' }).isEnd).toBe(true)
  })

  it.each(['', undefined])('refresh-400-without-a-word (glewlwyd) ends the refresh token: %j', (body) => {
    expect(refusal(400, body).isEnd).toBe(true)
  })

  it.each([
    ['refresh-400-other', 400, { error: 'slow_down' }, 'unexpected-status', false],
    ['a page of a firewall', 403, '<html>Blocked</html>', 'unexpected-answer', true],
    ['a page of a proxy', 400, '<html>Bad request</html>', 'unexpected-answer', true],
    ['refresh-401-invalid_client', 401, { error: 'invalid_client' }, 'client-refused', false],
    ['refresh-429', 429, { error: 'invalid_grant' }, 'rate-limited', true],
    ['refresh-5xx', 503, { error: 'invalid_grant' }, 'unexpected-status', true],
    ['refresh-500-without-a-word', 500, '', 'unexpected-status', true],
    ['refresh-404', 404, '', 'unexpected-answer', true],
    ['refresh-403-denied', 403, { error: 'access_denied' }, 'unexpected-status', false],
  ])('%s: the session stays', (_, status, body, code, retryable) => {
    const { error, isEnd } = refusal(status, body)
    expect(error).toMatchObject({ code, retryable, status })
    expect(isEnd).toBe(false)
  })

  it.each([
    'invalid_client',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
    'invalid_target',
    'invalid_request',
  ])('%s is a mistake of the setup, and says what to change', (error) => {
    const { error: refused } = refusal(400, { error }, false)
    expect(refused).toMatchObject({ code: 'client-refused', retryable: false, body: { error } })
    expect(refused.message).toContain(error)
    expect(refused.remedy).toBeTruthy()
  })

  it.each([
    [400, { error: 'invalid_grant' }, 'unexpected-status'],
    [403, { error: 'invalid_code' }, 'unexpected-status'],
    [400, { error: '__proto__' }, 'unexpected-status'],
    [400, { error: { toString: null } }, 'unexpected-status'],
    // Without an error of OAuth, nobody knows who has refused it.
    [400, '', 'unexpected-answer'],
    [400, null, 'unexpected-answer'],
  ])('a code that is refused ends nothing: %i %j', (status, body, code) => {
    const { error, isEnd } = refusal(status, body, false)
    expect(error).toMatchObject({ code, status })
    expect(isEnd).toBe(false)
  })

  it('keeps how long the server wants to be left alone', () => {
    const error = tokens().tokenError({ status: 429, body: '', retryAfterMs: 7000, isRefresh: true })
    expect(error.retryAfterMs).toBe(7000)
  })
})

describe('revocation (RFC 7009)', () => {
  /** What is sent to take these tokens back. */
  async function revoked(members: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) {
    const { server: on, sent } = page({}, metadata)
    await on.revoke?.(await held(members))
    return sent
  }

  it('takes the refresh token back', async () => {
    const [request] = await revoked()
    expect(request).toMatchObject({
      method: 'POST',
      url: METADATA.revocation_endpoint,
      secrets: ['refresh-1'],
      keepalive: true,
    })
    expect(formOf(request?.body)).toEqual({
      token: 'refresh-1',
      token_type_hint: 'refresh_token',
      client_id: 'admin',
    })
  })

  it('takes the access token back where there is no other', async () => {
    const [request] = await revoked({ refresh_token: undefined })
    expect(formOf(request?.body)).toMatchObject({ token: 'opaque-access', token_type_hint: 'access_token' })
  })

  it('does nothing without an endpoint', async () => {
    expect(await revoked({}, { revocation_endpoint: undefined })).toEqual([])
  })
})

describe('logout', () => {
  const leave = { isForced: true, returnUri: APP, state: STATE }
  function pageOf(on: Server, request: Partial<LogoutRequest> = {}): LogoutPage {
    const found = on.logout({ ...leave, ...request })
    if (found instanceof Error) throw found
    return found
  }

  it('logout-with-hint', async () => {
    const someone = await held()
    const page = pageOf(server(), { current: someone })
    const url = new URL(page.url)
    expect(url.origin + url.pathname).toBe(METADATA.end_session_endpoint)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'admin',
      post_logout_redirect_uri: APP,
      state: STATE,
      id_token_hint: someone.memory.idToken,
    })
    expect(page.form).toBeUndefined()
  })

  it('after a reload there is no hint', () => {
    const { searchParams } = new URL(pageOf(server()).url)
    expect([...searchParams.keys()]).toEqual(['client_id', 'post_logout_redirect_uri', 'state'])
  })

  it('without a state none is sent', () => {
    const { searchParams } = new URL(pageOf(server(), { state: undefined }).url)
    expect(searchParams.has('state')).toBe(false)
  })

  it('logout-without-endpoint', () => {
    expect(server({}, { end_session_endpoint: undefined }).logout(leave)).toMatchObject({
      code: 'not-supported',
    })
  })

  it('logout-id-token-too-long', async () => {
    const long = await held({ id_token: idToken({ groups: 'g'.repeat(6000) }) })
    const page = pageOf(server(), { current: long })
    expect(page.url).toBe(METADATA.end_session_endpoint)
    expect(page.form).toEqual({
      client_id: 'admin',
      post_logout_redirect_uri: APP,
      state: STATE,
      id_token_hint: long.memory.idToken,
    })
  })

  it.each([
    ['logout-cognito', 'https://acme.auth.eu-west-1.amazoncognito.com/logout', 'logout_uri'],
    ['logout-auth0-v2', 'https://acme.eu.auth0.com/v2/logout', 'returnTo'],
  ])('%s', async (_, url, returnParameter) => {
    const page = pageOf(server({ endSession: { url, returnParameter } }), { current: await held() })
    expect(page.url).toBe(`${url}?client_id=admin&${returnParameter}=${encodeURIComponent(APP)}`)
  })

  it('keeps the query of the endpoint', () => {
    const page = pageOf(server({}, { end_session_endpoint: `${ISSUER}/logout?policy=b2c_1` }))
    expect(new URL(page.url).searchParams.get('policy')).toBe('b2c_1')
  })
})

describe('user info', () => {
  /** What the app gets for a response of the provider, and what was sent for it. */
  async function read(response: unknown, metadata: Record<string, unknown> = {}) {
    const { server: on, sent } = page({}, metadata, { respond: () => response })
    return {
      userInfo: await on.readUserInfo(
        { current: await held() },
        async (work) => work('opaque-access'),
        undefined,
      ),
      sent,
    }
  }

  it('is read with an Accept of JSON, and with the token, which no error repeats', async () => {
    const { sent } = await read({ sub: 'u-1' })
    expect(sent).toMatchObject([
      {
        what: 'GET /realms/staff/userinfo',
        method: 'GET',
        url: METADATA.userinfo_endpoint,
        headers: { accept: 'application/json', authorization: 'Bearer opaque-access' },
        secrets: ['opaque-access'],
      },
    ])
  })

  it('does not exist without an endpoint', async () => {
    expect(await codeOf(() => read({}, { userinfo_endpoint: undefined }))).toBe('not-supported')
  })

  it('is taken when it is about the same user', async () => {
    expect((await read({ sub: 'u-1', name: 'Ada' })).userInfo).toEqual({ sub: 'u-1', name: 'Ada' })
  })

  it.each([
    ['userinfo-other-sub', { sub: 'u-2' }],
    ['userinfo-other-sub: another case', { sub: 'U-1' }],
    ['userinfo-without-sub', { name: 'Ada' }],
    ['userinfo-sub-of-another-type', { sub: 1 }],
    ['userinfo-jwt', 'eyJhbGciOiJSUzI1NiJ9.e30.x'],
    ['userinfo-html', '<!doctype html>'],
    ['userinfo-list', [{ sub: 'u-1' }]],
    ['userinfo-null', null],
  ])('%s is not used', async (_, answer) => {
    expect(await codeOf(() => read(answer))).toBe('unexpected-answer')
  })

  it('userinfo-jwt says what to change', async () => {
    const error = await faultOf(() => read('eyJhbGciOiJSUzI1NiJ9.e30.x'))
    expect(error.remedy).toContain('JSON')
  })
})

it.each([
  ['userInfo', true],
  ['linkMap', false],
  ['cloudAccount', false],
  ['adminConsent', false],
  ['firm', false],
  ['support', false],
  ['passthrough', false],
  ['assertion', false],
  ['environments', false],
  ['changePassword', false],
] as const)('supports %s: %s', (feature, isThere) => {
  const profile = openIdConnect({ issuer: ISSUER })
  expect(profile.supports(feature)).toBe(isThere)
  expect(profile.authHost).toBeUndefined()
})
