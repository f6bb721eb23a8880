// The devtools say which server the session is with, and where it is asked; never what it has given.
import { describe, expect, it } from 'vitest'
import { createSupportBundle } from '../../src/devtools/index.ts'
import { readSnapshot } from '../../src/devtools/snapshot.ts'
import { metadataKey } from '../../src/protocol/storageKeys.ts'
import { internalsOf } from '../../src/session/internals.ts'
import { createScene } from '../node/session/sessionScene.ts'
import { ISSUER, METADATA } from './scene.ts'
import { createOidcScene } from './sessionScene.ts'

const serverOf = (settings: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => /^server\.|^authHost$/.test(name)))

describe('the settings in the devtools', () => {
  it('name an OpenID Connect provider and its endpoints', async () => {
    const scene = createOidcScene()
    scene.provider.user = 'u-1'
    const { host, auth } = scene.open()
    void auth.start()
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
    expect(serverOf(readSnapshot(auth, []).settings)).toEqual({
      'server.protocol': 'OpenID Connect',
      'server.id': ISSUER,
      'server.authorization_endpoint': `${ISSUER}/auth`,
      'server.token_endpoint': `${ISSUER}/token`,
      'server.end_session_endpoint': `${ISSUER}/logout`,
      'server.userinfo_endpoint': `${ISSUER}/userinfo`,
      'server.revocation_endpoint': `${ISSUER}/revoke`,
      authHost: 'none',
    })
    const bundle = JSON.stringify(createSupportBundle(auth))
    expect(internalsOf(auth).heldSecrets().length).toBeGreaterThan(0)
    for (const secret of internalsOf(auth).heldSecrets()) expect(bundle).not.toContain(secret)
  })

  it.each([
    ['DPoP', 'yes'],
    ['Bearer', 'no'],
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
    expect(readSnapshot(auth, []).settings['server.bound']).toBe(bound)
  })

  it('show no address of a metadata that another script has put into storage in a wrong shape', () => {
    const { host, auth } = createOidcScene().open()
    for (const kept of ['', '[]', '{"document":7}', '{"document":{"token_endpoint":7,"other":"x"}}']) {
      host.platform.sessionStorage.set(metadataKey(internalsOf(auth).settings), kept)
      expect(serverOf(readSnapshot(auth, []).settings)).toEqual({
        'server.protocol': 'OpenID Connect',
        'server.id': ISSUER,
        authHost: 'none',
      })
    }
  })

  it('name the firm’s own server by its authHost', () => {
    const { auth } = createScene()
    expect(serverOf(readSnapshot(auth, []).settings)).toEqual({
      'server.protocol': 'latchkey server contract',
      'server.id': 'https://auth.test',
      authHost: 'https://auth.test',
    })
  })
})
