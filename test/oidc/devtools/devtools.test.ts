// The devtools say which server the session is with, and where it is asked; never what it has given.
import { describe, expect, it } from 'vitest'
import { createSupportBundle } from '../../../src/devtools/index.ts'
import { watchOf } from '../../../src/devtools/watch.ts'
import { metadataKey } from '../../../src/protocol/storageKeys.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createScene } from '../../node/session/sessionScene.ts'
import { ISSUER, jwt, METADATA } from '../scene.ts'
import { signedIn, start } from '../session/sessionPages.ts'
import { createOidcScene } from '../session/sessionScene.ts'

const serverOf = (settings: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => /^server\.|^authHost$/.test(name)))

it('the checks of an ID token stand among the events, once for each ID token', async () => {
  const { auth, host } = await signedIn(createOidcScene())
  const checks = () =>
    watchOf(auth)
      .now()
      .events.filter(({ step }) => step === 'ID token')
  expect(checks()).toMatchObject([{ outcome: 'done', detail: expect.stringContaining('nonce') }])
  await auth.renew({ force: true })
  await host.settle()
  expect(checks()).toHaveLength(1)
})

it.each([
  { id_token: 'no.token' },
  { id_token: null },
  { header: { alg: 'none' } },
  { iss: 'https://evil.example.com' },
  { aud: 'another-client' },
  { nonce: 'CANARY-nonce-of-somebody-else' },
  { iat: 1, exp: 2 },
])('a refused ID token, changed by %j, leaves nothing of it in the support bundle', async (change) => {
  const scene = createOidcScene()
  scene.provider.user = 'ada'
  const { header, ...members } = { header: undefined, ...change }
  if ('id_token' in change) scene.provider.answer = { ...change }
  else scene.provider.changeIdToken = (token) => jwt({ ...token, ...members }, header)
  const { auth } = await start(scene)
  const bundle = JSON.stringify(createSupportBundle(auth))
  expect(bundle).toContain('ID token refused')
  expect(bundle).not.toMatch(/CANARY|eyJ|evil|another-client/)
})

describe('the settings in the devtools', () => {
  it('name an OpenID Connect provider and its endpoints', async () => {
    const scene = createOidcScene()
    scene.provider.user = 'u-1'
    const { host, auth } = scene.open()
    void auth.start()
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
    expect(serverOf(watchOf(auth).now().settings)).toEqual({
      'server.protocol': 'OpenID Connect',
      'server.id': ISSUER,
      'server.authorization_endpoint': `${ISSUER}/auth`,
      'server.token_endpoint': `${ISSUER}/token`,
      'server.end_session_endpoint': `${ISSUER}/logout`,
      'server.userinfo_endpoint': `${ISSUER}/userinfo`,
      'server.revocation_endpoint': `${ISSUER}/revoke`,
      authHost: 'not set',
    })
    const bundle = JSON.stringify(createSupportBundle(auth))
    expect(internalsOf(auth).tokens.secrets().length).toBeGreaterThan(0)
    for (const secret of internalsOf(auth).tokens.secrets()) expect(bundle).not.toContain(secret)
  })

  it.each([
    ['DPoP', 'on'],
    ['Bearer', 'off'],
  ])('say whether the access token is bound to a key: %s', async (token_type, bound) => {
    const scene = createOidcScene({ options: { dpop: 'auto' } })
    scene.provider.metadata = { ...METADATA, dpop_signing_alg_values_supported: ['ES256'] }
    scene.provider.answer = { token_type }
    scene.provider.dpop = true
    scene.provider.user = 'u-1'
    const { host, auth } = scene.open()
    void auth.start()
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
    expect(watchOf(auth).now().settings['server.bound']).toBe(bound)
  })

  it('show no address of a metadata that another script has put into storage in a wrong shape', () => {
    const { host, auth } = createOidcScene().open()
    for (const kept of ['', '[]', '{"document":7}', '{"document":{"token_endpoint":7,"other":"x"}}']) {
      host.platform.localStorage.set(metadataKey(internalsOf(auth).settings), kept)
      expect(serverOf(watchOf(auth).now().settings)).toEqual({
        'server.protocol': 'OpenID Connect',
        'server.id': ISSUER,
        authHost: 'not set',
      })
    }
  })

  it('name the firm’s own server by its authHost', () => {
    const { auth } = createScene()
    expect(serverOf(watchOf(auth).now().settings)).toEqual({
      'server.protocol': 'latchkey server contract',
      'server.id': 'https://auth.test',
      authHost: 'https://auth.test',
    })
  })
})

it('the end of the session that the provider has set stands among the deadlines', async () => {
  const scene = createOidcScene()
  scene.provider.changeIdToken = (claims) => jwt({ ...claims, session_expiry: Number(claims['iat']) + 3600 })
  const { auth } = await signedIn(scene)
  const state = auth.getState()
  const endsAtMs = state.status === 'authenticated' ? state.sessionEndsAtMs : undefined
  expect(endsAtMs).toBeGreaterThan(scene.browser.clock.nowMs)
  expect(
    watchOf(auth)
      .now()
      .deadlines.find(({ name }) => name === 'Session ends'),
  ).toMatchObject({
    atMs: endsAtMs,
    note: undefined,
  })
})
