// An app's own tests meet its provider: the preset of the app, and a fake server with that provider's ways.

// @module-tag thorough

import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAuth, type AuthConfig } from '../../../src/index.ts'
import { auth0, cognito, entra, keycloak, okta, openIdConnect } from '../../../src/oidc/index.ts'
import {
  createAuthHandlers,
  createFakeAuthServer,
  createFakeBrowser,
  createFakeHost,
  createFakeUser,
  type FakeAuthServerOptions,
  type FakeHost,
  type FakeProvider,
} from '../../../src/testing/index.ts'

const TENANT = '11111111-2222-3333-4444-555555555555'
/** The preset as the app has it, and the issuer that it says. */
const PROVIDERS = {
  keycloak: [
    keycloak({ url: 'https://login.example.com', realm: 'staff' }),
    'https://login.example.com/realms/staff',
  ],
  entra: [entra({ tenant: TENANT }), `https://login.microsoftonline.com/${TENANT}/v2.0`],
  auth0: [auth0({ domain: 'example.eu.auth0.com' }), 'https://example.eu.auth0.com'],
  okta: [
    okta({ domain: 'example.okta.com', authorizationServer: 'default' }),
    'https://example.okta.com/oauth2/default',
  ],
  cognito: [
    cognito({
      region: 'eu-west-1',
      userPoolId: 'eu-west-1_A',
      domain: 'a.auth.eu-west-1.amazoncognito.com',
    }),
    'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_A',
  ],
} as const satisfies Record<FakeProvider, unknown>

const opened: FakeHost[] = []
afterEach(() => {
  for (const host of opened.splice(0)) host.close()
})

/** An app at its provider. `signIn` goes by the sign-in page, `reload` opens the page anew. */
function openApp(
  provider: FakeProvider,
  more: Partial<FakeAuthServerOptions> & { address?: string; config?: Partial<AuthConfig> } = {},
) {
  const { address = 'https://app.test/', config, ...options } = more
  const [preset, authHost] = PROVIDERS[provider]
  const browser = createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() })
  const server = createFakeAuthServer({ authHost, provider, now: () => browser.clock.nowMs, ...options })
  const ports = {
    browser,
    server,
  }
  let host = createFakeHost(address, ports)
  const start = async () => {
    opened.push(host)
    const auth = createAuth(
      {
        server: preset,
        clientId: 'admin',
        scopes: ['openid', 'offline_access'],
        autoRefreshToken: true,
        ...config,
      } as AuthConfig,
      { platform: host.platform },
    )
    void auth.start()
    await host.settle()
    return auth
  }
  return {
    server,
    browser,
    start,
    pass: (ms: number) => browser.clock.advance(ms),
    async signIn() {
      const { user } = server
      server.user = undefined
      await start()
      for (let round = 0; host.navigations.length === 0 && round < 30; round += 1)
        await browser.clock.advance(1_000)
      server.user = user
      host = host.openNext(server.callbackOf(host.navigations.at(-1)!), ports)
      return start()
    },
    async reload() {
      host = host.openNext(host.address, ports)
      return start()
    },
    host: () => host,
  }
}

const HOUR_MS = 3_600_000

describe.each(Object.keys(PROVIDERS) as FakeProvider[])('%s', (provider) => {
  it('signs in with the preset of the app, at the address of the provider', async () => {
    const app = openApp(provider, { user: createFakeUser({ userId: 'bob' }) })
    const auth = await app.signIn()
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'bob' } })
    await auth.renew({ force: true })
    expect(app.server.tokenRequests.map(({ isGranted }) => isGranted)).toEqual([true, true])
  })
})

it('refresh-24-hours: the user stays signed in while the provider knows them, and is asked to sign in again after', async () => {
  const app = openApp('entra', { expiresInSeconds: 3_600, config: { autoLogout: false } })
  const auth = await app.signIn()
  await app.pass(23 * HOUR_MS)
  expect(app.server.tokenRequests.every(({ isGranted }) => isGranted)).toBe(true)
  await app.pass(2 * HOUR_MS)
  expect(app.server.tokenRequests.some(({ isGranted }) => !isGranted)).toBe(true)
  expect(auth.getState().status).toBe('authenticated')
  app.server.user = undefined
  await app.pass(25 * HOUR_MS)
  expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
})

it.each(['refresh-interaction-required', 'refresh-invalid-request'] as const)(
  '%s: the hidden frame renews, else the session expires',
  async (trait) => {
    const app = openApp('keycloak', { traits: [trait] })
    const auth = await app.signIn()
    await auth.renew({ force: true })
    expect(app.server.tokenRequests.map(({ isGranted }) => isGranted)).toEqual([true, false, true])
    expect(auth.getState().status).toBe('authenticated')
    app.server.user = undefined
    await auth.renew({ force: true }).catch(() => {})
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
  },
)

it('frame-no-answer: a reload waits for the frame, then goes to the sign-in page', async () => {
  const app = openApp('cognito')
  await app.signIn()
  const auth = await app.reload()
  expect(auth.getState().status).toBe('initializing')
  await app.pass(10_000)
  expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
})

it('frame-interaction-required and frame-consent-on-localhost: a reload goes to the sign-in page', async () => {
  for (const app of [
    openApp('okta', { traits: ['frame-interaction-required'] }),
    openApp('auth0', { address: 'http://localhost:5173/' }),
  ]) {
    await app.signIn()
    const auth = await app.reload()
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
  }
  const elsewhere = openApp('auth0')
  await elsewhere.signIn()
  expect((await elsewhere.reload()).getState().status).toBe('authenticated')
})

it('sign-in-denied: the app shows what the provider says, until an administrator has helped', async () => {
  const app = openApp('okta', { traits: ['sign-in-denied'] })
  const auth = await app.signIn()
  expect(auth.getState()).toMatchObject({
    status: 'unauthenticated',
    cause: { code: 'access-denied', message: expect.stringContaining('Policy evaluation failed') as string },
  })
  app.server.traits.delete('sign-in-denied')
  await auth.login()
  const callback = new URL(app.server.callbackOf(app.host().navigations.at(-1)!))
  expect(callback.searchParams.has('code')).toBe(true)
})

it('sign-in-expired: happens once, and the sign-in begins again by itself', async () => {
  const app = openApp('keycloak', { user: undefined, traits: ['sign-in-expired'] })
  const auth = await app.signIn()
  expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
  expect([...app.server.traits]).toEqual([])
})

it('no-session-id, and further claims of the ID token, are what the app reads', async () => {
  const app = openApp('entra', {
    user: { ...createFakeUser({ userId: 'bob' }), idToken: { roles: ['admin'] } },
    config: { claims: ({ roles }: Record<string, unknown>) => ({ roles }) } as Partial<AuthConfig>,
  })
  const auth = await app.signIn()
  const state = auth.getState()
  expect(state).toMatchObject({ status: 'authenticated', user: { userId: 'bob', roles: ['admin'] } })
  expect(state.status === 'authenticated' && state.user.sessionId).toBe(undefined)
})

it('roles of a user are in both tokens, whichever of them the app reads', async () => {
  const roles: AuthConfig['claims'] = (idToken, accessToken) => ({
    fromIdToken: idToken['roles'],
    fromAccessToken: accessToken?.['roles'],
  })
  const user = createFakeUser({ userId: 'bob', roles: ['admin'] })
  const auth = await openApp('keycloak', { user, config: { claims: roles } as Partial<AuthConfig> }).signIn()
  expect(auth.getState()).toMatchObject({
    user: { userId: 'bob', fromIdToken: ['admin'], fromAccessToken: ['admin'] },
  })
})

it('msw: the handlers give the metadata, and take the forms of OpenID Connect', async () => {
  const server = createFakeAuthServer({ provider: 'keycloak' })
  const network = setupServer(...createAuthHandlers(server))
  network.listen()
  const host = createFakeHost('https://app.test/', {
    browser: createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
    fetch: async (input, init) => {
      const { signal: _signal, ...rest } = init ?? {}
      return fetch(input, rest)
    },
    server,
  })
  opened.push(host)
  const auth = createAuth(
    {
      server: openIdConnect({ issuer: server.authHost }),
      clientId: 'admin',
      scopes: ['openid'],
      verifyFirstVisit: true,
    },
    { platform: host.platform },
  )
  void auth.start()
  await vi.waitFor(
    async () => {
      await host.settle()
      expect(auth.getState().status).toBe('authenticated')
    },
    { timeout: 20_000 },
  )
  network.close()
})
