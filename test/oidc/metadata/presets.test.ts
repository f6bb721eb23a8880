// The presets: data for openIdConnect, which refuses what is missing instead of asking at an address with "undefined" in it.
import { describe, expect, it } from 'vitest'
import { auth0, authentik, cognito, entra, keycloak, logto, okta, zitadel } from '../../../src/oidc/index.ts'
import { oidcProfile } from '../../../src/protocol/servers/openIdConnect.ts'
import type { Credentials } from '../../../src/protocol/credentials.ts'
import { parseConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/oidc/index.ts'
import {
  APP,
  ATTEMPT,
  codeOf,
  faultOf,
  idToken,
  METADATA,
  NONCE,
  server,
  signIn,
  STATE,
  tokens,
  VERIFIER,
} from '../scene.ts'

const TENANT = '11111111-2222-3333-4444-555555555555'
const KEY = {
  verifier: VERIFIER,
  state: STATE,
  nonce: NONCE,
  challenge: { value: 'ch', method: 'S256' as const },
}

describe('the issuer, as the provider publishes it', () => {
  it.each([
    [
      'keycloak',
      keycloak({ url: 'https://id.example.com', realm: 'staff' }),
      'https://id.example.com/realms/staff',
    ],
    [
      'keycloak/',
      keycloak({ url: 'https://id.example.com/', realm: 'my staff' }),
      'https://id.example.com/realms/my%20staff',
    ],
    [
      'keycloak 16',
      keycloak({ url: 'https://id.example.com/auth', realm: 'a' }),
      'https://id.example.com/auth/realms/a',
    ],
    ['entra', entra({ tenant: TENANT }), `https://login.microsoftonline.com/${TENANT}/v2.0`],
    [
      'entra common',
      entra({ tenant: 'common', tenants: 'any' }),
      'https://login.microsoftonline.com/{tenantid}/v2.0',
    ],
    [
      'entra of a national cloud',
      entra({ tenant: TENANT, host: 'login.microsoftonline.us' }),
      `https://login.microsoftonline.us/${TENANT}/v2.0`,
    ],
    [
      'entra for personal accounts',
      entra({ tenant: 'consumers' }),
      'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    ],
    ['auth0', auth0({ domain: 'acme.eu.auth0.com' }), 'https://acme.eu.auth0.com/'],
    ['okta of the organization', okta({ domain: 'acme.okta.com' }), 'https://acme.okta.com'],
    [
      'okta',
      okta({ domain: 'acme.okta.com', authorizationServer: 'default' }),
      'https://acme.okta.com/oauth2/default',
    ],
    [
      'cognito',
      cognito({ region: 'eu-west-1', userPoolId: 'eu-west-1_a', domain: 'x.example.com' }),
      'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_a',
    ],
    ['zitadel', zitadel({ url: 'https://acme.zitadel.cloud/' }), 'https://acme.zitadel.cloud'],
    [
      'authentik',
      authentik({ url: 'https://id.example.com', application: 'admin' }),
      'https://id.example.com/application/o/admin/',
    ],
    ['logto', logto({ url: 'https://acme.logto.app' }), 'https://acme.logto.app/oidc'],
  ])('%s', (_, options, issuer) => {
    expect(options.issuer).toBe(issuer)
    expect(oidcProfile(options).readMetadata({ ...METADATA, issuer }).issuer).toBe(issuer)
    // Data only: it survives a trip through JSON.
    expect(JSON.parse(JSON.stringify(options))).toEqual(options)
  })
})

it.each([
  [
    entra({ tenant: 'organizations', tenants: [TENANT] }),
    'https://login.microsoftonline.com/organizations/v2.0',
  ],
  [entra({ tenant: 'consumers', tenants: 'any' }), 'https://login.microsoftonline.com/consumers/v2.0'],
])('Microsoft: the metadata is read where it is published: %#', (options, base) => {
  expect(oidcProfile(options).discovery?.url).toBe(`${base}/.well-known/openid-configuration`)
})

it('Microsoft: who is signed in with several accounts is named to it, at the logout by the name that it takes there', async () => {
  const on = server(entra({ tenant: TENANT }))
  const held = (claims: object) =>
    signIn({ id_token: idToken({ preferred_username: 'ada@example.com', ...claims }) })
  const named = (user: Credentials, by = on) =>
    new URL(by.authorizeUrl({ key: KEY, redirectUri: APP, isSilent: true, current: user })).searchParams.get(
      'login_hint',
    )
  const leave = { isForced: true, returnUri: APP, state: STATE }
  const plain = await held({})
  expect(named(plain)).toBe('ada@example.com')
  // Sign-out does not take a user name.
  expect(on.logout({ ...leave, current: plain })).not.toMatchObject({
    url: expect.stringContaining('logout_hint'),
  })
  const withHint = await held({ login_hint: 'O.opaque' })
  const hinted = { url: expect.stringContaining('logout_hint=O.opaque') }
  expect(named(withHint)).toBe('O.opaque')
  expect(on.logout({ ...leave, current: withHint })).toMatchObject(hinted)
  // After a reload the tab still knows it; after the logout no more.
  on.remember?.(withHint)
  expect(on.logout(leave)).toMatchObject(hinted)
  expect(on.logout(leave)).not.toMatchObject(hinted)
  expect(named(withHint, server(keycloak({ url: 'https://id.example.com', realm: 'a' })))).toBeNull()
})

describe('a preset is a server profile as it is', () => {
  const options = keycloak({ url: 'https://id.example.com', realm: 'staff' })

  it('createAuth takes it without openIdConnect around it', () => {
    const settings = parseConfig({ server: options, clientId: 'admin', scopes: ['openid'] })
    expect(settings.authHost).toBe('https://id.example.com/realms/staff')
    expect(settings.server.supports('userInfo')).toBe(true)
    expect(settings.server.protocol).toBe('OpenID Connect')
  })

  it('says what its tokens are for, so that pages which ask for another API share none', () => {
    const asked = (audience: string) => {
      const options = auth0({ domain: 'acme.eu.auth0.com', audience })
      return parseConfig({ server: options, clientId: 'admin', scopes: ['openid'] }).asked
    }
    expect(asked('https://a.example.com')).toBe('admin https://a.example.com openid')
    expect(asked('https://b.example.com')).not.toBe(asked('https://a.example.com'))
  })

  it('a spread of it has the options only, and is refused as a server until openIdConnect is around it', async () => {
    const changed = { ...options, silent: 'off' as const }
    expect(Object.keys(changed)).toEqual(['issuer', 'originSetting', 'organization', 'silent'])
    expect(await codeOf(() => parseConfig({ server: changed, clientId: 'a', scopes: ['openid'] }))).toBe(
      'invalid-config',
    )
    expect(parseConfig({ server: openIdConnect(changed), clientId: 'a', scopes: ['openid'] }).server.id).toBe(
      'https://id.example.com/realms/staff',
    )
  })

  it('what openIdConnect would refuse is refused with the same error', async () => {
    const server = entra({ tenant: 'common' })
    expect(await codeOf(() => parseConfig({ server, clientId: 'a', scopes: ['openid'] }))).toBe(
      'invalid-config',
    )
  })
})

it.each(['common', 'organizations'])('entra: %s needs to be told which tenants', async (tenant) => {
  expect(await codeOf(() => oidcProfile(entra({ tenant })))).toBe('invalid-config')
})

it('entra: one tenant needs no list', async () => {
  expect(oidcProfile(entra({ tenant: TENANT })).id).toContain(TENANT)
  expect(await codeOf(() => oidcProfile({ ...entra({ tenant: TENANT }), tenants: [TENANT] }))).toBe(
    'invalid-config',
  )
})

it('auth0: the audience goes to the sign-in page, not to the token endpoint', () => {
  const options = auth0({ domain: 'acme.eu.auth0.com', audience: 'https://api.example.com' })
  expect(
    new URL(server(options).authorizeUrl({ key: KEY, redirectUri: APP })).searchParams.get('audience'),
  ).toBe('https://api.example.com')
  expect(tokens(options).codeRequest('c', ATTEMPT).body).not.toContain('audience')
})

it('auth0: an older tenant has a logout page of its own', () => {
  const leave = { isForced: true, returnUri: APP, state: STATE }
  expect(server(auth0({ domain: 'acme.eu.auth0.com', hasEndSession: false })).logout(leave)).toMatchObject({
    url: `https://acme.eu.auth0.com/v2/logout?client_id=admin&returnTo=${encodeURIComponent(APP)}`,
  })
  expect(server(auth0({ domain: 'acme.eu.auth0.com' })).logout(leave)).toMatchObject({
    url: expect.stringContaining(METADATA.end_session_endpoint),
  })
})

it('okta: repeats the scopes, and takes a refresh token twice within 30 seconds', async () => {
  const options = okta({ domain: 'acme.okta.com' })
  expect(tokens(options).refreshRequest(await signIn())?.body).toContain('scope=openid+profile')
  expect(server(options).refreshReuseMs).toBe(30_000)
})

it('cognito: leaves by the page of the pool', () => {
  const on = server(cognito({ region: 'eu-west-1', userPoolId: 'p', domain: 'acme.example.com' }))
  expect(on.logout({ isForced: true, returnUri: APP, state: STATE })).toEqual({
    url: `https://acme.example.com/logout?client_id=admin&logout_uri=${encodeURIComponent(APP)}`,
    isBare: true,
  })
})

it('logto: consents, so that offline_access counts, and names its resource everywhere', () => {
  const options = logto({ url: 'https://acme.logto.app', resource: 'https://api.example.com' })
  const on = server(options)
  const asked = new URL(on.authorizeUrl({ key: KEY, redirectUri: APP })).searchParams
  expect([asked.get('prompt'), asked.get('resource')]).toEqual(['consent', 'https://api.example.com'])
  expect(tokens(options).codeRequest('c', ATTEMPT).body).toContain('resource=https%3A%2F%2Fapi.example.com')
  const silent = new URL(on.authorizeUrl({ key: KEY, redirectUri: APP, isSilent: true })).searchParams
  expect(silent.getAll('prompt')).toEqual(['none'])
})

it.each([
  ['keycloak without url', () => keycloak({ realm: 'a' } as never)],
  ['keycloak without realm', () => keycloak({ url: 'https://id.example.com' } as never)],
  ['entra without tenant', () => entra({} as never)],
  ['entra with a domain name', () => entra({ tenant: 'example.onmicrosoft.com' })],
  ['entra for consumers with another tenant', () => entra({ tenant: 'consumers', tenants: [TENANT] })],
  ['auth0 without domain', () => auth0({} as never)],
  ['okta without domain', () => okta({ domain: '' })],
  ['cognito without region', () => cognito({ userPoolId: 'p', domain: 'd' } as never)],
  ['cognito without userPoolId', () => cognito({ region: 'r', domain: 'd' } as never)],
  ['cognito without domain', () => cognito({ region: 'r', userPoolId: 'p' } as never)],
  ['zitadel without url', () => zitadel({} as never)],
  ['authentik without application', () => authentik({ url: 'https://id.example.com' } as never)],
  ['logto without url', () => logto({} as never)],
  ['a domain with a path', () => oidcProfile(auth0({ domain: 'acme.eu.auth0.com/?a=b' }))],
  ['an address over http', () => oidcProfile(keycloak({ url: 'http://id.example.com', realm: 'a' }))],
  ['a domain that is an address', () => oidcProfile(okta({ domain: 'https://acme.okta.com' }))],
])('a slip is refused by its name: %s', async (_, work) => {
  expect(await codeOf(work)).toBe('invalid-config')
})

it.each([
  ['url', () => keycloak({ url: undefined as never, realm: 'a' })],
  ['url', () => keycloak({ url: 'undefined', realm: 'a' })],
  ['domain', () => auth0({ domain: undefined as never })],
  ['tenant', () => entra({ tenant: '' })],
])('a missing environment variable says so: %s', async (name, work) => {
  const error = await faultOf(work)
  expect(error.message).toBe(`Invalid config parameter : ${name}`)
  expect(error.remedy).toContain('environment variable')
})
