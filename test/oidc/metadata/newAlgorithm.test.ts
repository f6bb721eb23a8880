// A provider that signs in another way than the metadata say that this browser has kept.
import { expect, it } from 'vitest'
import type { OpenIdConnectOptions } from '../../../src/protocol/servers/oidcOptions.ts'
import { APP, ISSUER, jwt, METADATA } from '../scene.ts'
import { follow, signedIn, start } from '../session/sessionPages.ts'
import { createOidcScene, json, type OidcScene } from '../session/sessionScene.ts'

const DOCUMENT = '/.well-known/openid-configuration'
const PS256 = { ...METADATA, id_token_signing_alg_values_supported: ['PS256'] }

/** The provider signs with PS256 from now on: whether its metadata say so or not. */
function signAnew(scene: OidcScene, metadata: Record<string, unknown>) {
  scene.provider.metadata = metadata
  scene.provider.changeIdToken = (claims) => jwt(claims, { alg: 'PS256' })
}

/** The first page has fetched the metadata; the user comes back from the sign-in page after the change. */
async function comeBack(change: (scene: OidcScene) => void, options: Partial<OpenIdConnectOptions> = {}) {
  const scene = createOidcScene({ options })
  const first = await start(scene)
  const fetched = scene.provider.count(DOCUMENT)
  change(scene)
  scene.provider.user = 'ada'
  const address = scene.provider.authorize(first.host.navigations.at(-1)!)
  // No frame helps out with a second code.
  scene.provider.user = undefined
  const { changeIdToken } = scene.provider
  scene.provider.changeIdToken = (claims) => changeIdToken({ ...claims, sub: 'ada' })
  const page = await follow(scene, first, address)
  return { scene, page, fetched: () => scene.provider.count(DOCUMENT) - fetched }
}

it('a new algorithm that the metadata name by now signs in, and they are fetched once', async () => {
  const { scene, page, fetched } = await comeBack((on) => signAnew(on, PS256))
  expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  expect(fetched()).toBe(1)
  // Kept for the next page, which knows the algorithm from the beginning.
  scene.provider.user = 'ada'
  // A new visit asks beside its frame, and has the new algorithm by then.
  const next = await follow(scene, page, APP)
  expect(next.auth.getState().status).toBe('authenticated')
  expect(fetched()).toBe(2)
})

it('a page that stays open renews with a new algorithm, and fetches the metadata once', async () => {
  const scene = createOidcScene()
  const { auth, host } = await signedIn(scene)
  const fetched = scene.provider.count(DOCUMENT)
  scene.provider.metadata = PS256
  for (const renewal of [1, 2]) {
    const iat = Math.floor(scene.browser.clock.nowMs / 1000)
    scene.provider.answer = {
      access_token: `access-${renewal}`,
      id_token: jwt({ iss: ISSUER, sub: 'ada', aud: 'admin', iat, exp: iat + 300 }, { alg: 'PS256' }),
    }
    await auth.renew({ force: true })
    await host.settle()
    expect(await auth.getAccessToken()).toBe(`access-${renewal}`)
  }
  expect(scene.provider.count(DOCUMENT) - fetched).toBe(1)
})

it.each<[string, (scene: OidcScene) => void]>([
  ['the metadata do not name', (on) => signAnew(on, METADATA)],
  ['metadata of another issuer name', (on) => signAnew(on, { ...PS256, issuer: `${ISSUER}/other` })],
  [
    'nobody can look up',
    (on) => {
      signAnew(on, PS256)
      on.provider.instead.set(DOCUMENT, () => json({}, 503))
    },
  ],
])('an algorithm that %s is refused, and the metadata are fetched once for it', async (_what, change) => {
  const { page, fetched } = await comeBack((on) => {
    change(on)
    const { changeIdToken } = on.provider
    on.provider.changeIdToken = (claims) => changeIdToken({ ...claims, iss: ISSUER })
  })
  expect(page.auth.getState()).toMatchObject({
    status: 'failed',
    error: { code: 'invalid-id-token' },
  })
  expect(fetched()).toBe(1)
})

it('metadata given by hand are never fetched', async () => {
  const { page, fetched } = await comeBack((on) => signAnew(on, PS256), { metadata: METADATA })
  expect(page.auth.getState()).toMatchObject({ error: { code: 'invalid-id-token' } })
  expect(fetched()).toBe(0)
})
