// The msw handlers that apps test with: a whole session against them, and every refusal of the server behind them.
import { QueryClient } from '@tanstack/react-query'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { redirectionConfigQuery } from '../../src/queries/redirectionConfig.ts'
import { createAuth } from '../../src/session/createAuth.ts'
import { internalsOf } from '../../src/session/internals.ts'
import { createFakeAuthServer, createFakeUser } from '../../src/testing/authServer.ts'
import { createAuthHandlers, createCloudHandlers } from '../../src/testing/handlers.ts'
import { createFakeCloudServer } from '../../src/testing/cloudServer.ts'
import { createFakeBrowser } from '../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../src/testing/fakeHost.ts'
import { createTestAuth } from '../../src/testing/testAuth.ts'

const AUTH_HOST = 'https://auth.test'
const network = setupServer()

beforeAll(() => network.listen({ onUnhandledFrame: 'error' }))
afterEach(() => network.resetHandlers())
afterAll(() => network.close())

function create() {
  const server = createFakeAuthServer({ authHost: AUTH_HOST })
  network.use(...createAuthHandlers(server))
  const browser = createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() })
  const host = createFakeHost('https://app.test/', {
    browser,
    onFrame: (frame) => queueMicrotask(() => server.answerFrame(frame)),
  })
  const config = { authHost: AUTH_HOST, clientId: 'admin', scopes: ['openid'], verifyFirstVisit: true }
  return { server, host, auth: createAuth(config, { platform: host.platform }) }
}

const post = (body: unknown) =>
  fetch(`${AUTH_HOST}/oauth/token`, { method: 'POST', body: JSON.stringify(body) })

describe('a session against the handlers', () => {
  it('signs in, renews three times with rotation, and reads the user', async () => {
    const { server, host, auth } = create()
    await Promise.all([auth.start(), host.settle()])
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    for (let round = 0; round < 3; round += 1) await auth.renew({ force: true })
    expect(await internalsOf(auth).call({ method: 'GET', path: '/api/userinfo' })).toEqual({
      sub: 'alice',
      name: 'Name of alice',
      email: 'alice@firm.test',
    })
    expect(server.tokenRequests).toEqual([
      { grantType: 'authorization_code', isGranted: true },
      { grantType: 'refresh_token', isGranted: true },
      { grantType: 'refresh_token', isGranted: true },
      { grantType: 'refresh_token', isGranted: true },
    ])
  })

  it('ends when the server revokes everything and forgets the user', async () => {
    const { server, host, auth } = create()
    await Promise.all([auth.start(), host.settle()])
    server.revokeAll()
    server.user = undefined
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ code: 'invalid-grant' })
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
  })
})

it('no handler takes a call that neither server knows: msw reports it', async () => {
  const server = createFakeAuthServer({ authHost: AUTH_HOST })
  const handlers = [
    ...createCloudHandlers(server, createFakeCloudServer(server)),
    ...createAuthHandlers(server),
  ]
  const taken = async (method: string, path: string) => {
    const request = new Request(AUTH_HOST + path, { method })
    return (await Promise.all(handlers.map((handler) => handler.test({ request })))).includes(true)
  }
  expect(await taken('GET', '/api/userinfo')).toBe(true)
  expect(await taken('GET', '/api/invoices')).toBe(false)
  expect(await taken('DELETE', '/api/userinfo')).toBe(false)
})

describe('the server behind the handlers', () => {
  it.each<[string, unknown]>([
    ['nothing', ''],
    ['an unknown grant', { grant_type: 'password' }],
    ['a code that was never given', { grant_type: 'authorization_code', code: 'x', code_verifier: 'v' }],
    ['a refresh token that was never given', { grant_type: 'refresh_token', refresh_token: 'x' }],
  ])('refuses %s', async (_what, body) => {
    create()
    expect((await post(body)).status).toBe(400)
  })

  it('gives nothing for the right code with the wrong verifier, and nothing for it afterwards', async () => {
    const { server, host, auth } = create()
    server.user = undefined
    await Promise.all([auth.start(), host.settle()])
    const callback = new URL(server.callbackOf(host.navigations[0] ?? ''))
    const body = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code'),
      code_verifier: 'wrong',
      redirect_uri: 'https://app.test/',
    }
    expect((await post(body)).status).toBe(400)
    expect((await post(body)).status).toBe(400)
  })

  it('gives nothing for a refresh token that was rotated away', async () => {
    const { host, auth } = create()
    await Promise.all([auth.start(), host.settle()])
    await auth.renew({ force: true })
    const sent = JSON.parse(host.requests.at(-1)?.body ?? '{}') as unknown
    expect((await post(sent)).status).toBe(400)
  })

  it('tells nothing of a user without a bearer', async () => {
    create()
    expect((await fetch(`${AUTH_HOST}/api/userinfo`)).status).toBe(401)
    const headers = { authorization: 'Bearer eyJ.x.y' }
    expect((await fetch(`${AUTH_HOST}/api/userinfo`, { headers })).status).toBe(401)
  })
})

describe('redirections to another environment', () => {
  const authHost = 'https://eu-auth.firm.test'
  const redirections = {
    url: 'https://cdn.test/redirections.json',
    file: {
      topLevelDomains: ['test'],
      environments: [
        { criteria: { firmId: ['f1'] }, applications: ['admin'], authHost, topLevelDomain: 'test' },
        {
          criteria: { firmId: ['f9'] },
          applications: ['admin'],
          authHost: 'https://us-auth.firm.test',
          topLevelDomain: 'test',
        },
      ],
      environmentVariables: { prefixMappings: { eu: 'eu', us: 'us' } },
    },
  }

  /** A user of that firm signs in; the servers answer over `fetch`, caught by msw or given to the page. */
  async function signIn(over: 'msw' | 'fetch') {
    const server = createFakeAuthServer({ authHost, user: createFakeUser({ userId: 'frank', firmId: 'f9' }) })
    const cloud = createFakeCloudServer(server, { redirections })
    if (over === 'msw') network.use(...createCloudHandlers(server, cloud), ...createAuthHandlers(server))
    const host = createFakeHost('https://app.test/firms', {
      browser: createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
      onFrame: (frame) => queueMicrotask(() => server.answerFrame(frame)),
      ...(over === 'fetch' && { fetch: cloud.fetch }),
    })
    const auth = createAuth(
      {
        authHost,
        clientId: 'admin',
        scopes: ['openid'],
        verifyFirstVisit: true,
        redirectionsUrl: redirections.url,
      },
      { platform: host.platform },
    )
    await Promise.all([auth.start(), host.settle()])
    await host.clock.advance(1000)
    return { host, auth }
  }

  it.each(['msw', 'fetch'] as const)('happen against the fake server, over %s', async (over) => {
    const { host, auth } = await signIn(over)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'environment' })
    const logout = new URL(host.navigations[0] ?? '')
    const next = new URL(logout.searchParams.get('post_logout_redirect_uri') ?? '')
    expect(next.origin + next.pathname).toBe('https://us-auth.firm.test/oauth/passthrough')
    expect(next.searchParams.get('jti')).toBe('jti-of-redirection-1')
  })

  it('come from an address of the page, too, whatever its query', async () => {
    const own = { ...redirections, url: '/redirections.json' }
    const cloud = createFakeCloudServer(createFakeAuthServer({ authHost }), { redirections: own })
    for (const address of ['https://app.test/redirections.json', 'https://app.test/redirections.json?v=2']) {
      const found = await cloud.answer(new Request(address))
      expect(await found?.json()).toEqual(redirections.file)
    }
    expect(await cloud.answer(new Request('https://app.test/other.json'))).toBeUndefined()
  })

  it('can be read in a test auth', async () => {
    const auth = createTestAuth({ config: { redirectionsUrl: redirections.url }, cloud: { redirections } })
    expect(await new QueryClient().query(redirectionConfigQuery(auth))).toEqual(redirections.file)
  })
})
