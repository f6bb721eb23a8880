// What a developer is told to do when a provider refuses: the advice leads to the cause.
import { describe, expect, it } from 'vitest'
import { internalsOf } from '../../../src/session/internals.ts'
import { APP } from '../scene.ts'
import { follow, signedIn, start } from '../session/sessionPages.ts'
import { createOidcScene, json } from '../session/sessionScene.ts'

const LEADS_TO = [
  ['invalid_client', 'Unknown client', /public client/],
  [
    'unauthorized_client',
    'Invalid client or Invalid client credentials',
    /without a secret.*authorization_code/,
  ],
  ['unsupported_grant_type', undefined, /grants authorization_code/],
  ['invalid_scope', 'Invalid scopes: openid files', /scopes/],
  ['invalid_target', undefined, /resource/],
  ['invalid_request', 'Missing parameter: code', /clientId and redirectUri/],
  [
    'invalid_request',
    "AADSTS9002326: Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type.",
    /clientId and redirectUri/,
  ],
  ['invalid_request', 'DPoP proof is missing', /dpop: 'required'/],
  ['invalid_dpop_proof', undefined, /dpop: 'required'/],
  ['invalid_request', 'Pushed Authorization Request is only allowed.', /pushedRequests: 'required'/],
] as const

describe('a refusal', () => {
  it.each(LEADS_TO)(
    'of the token endpoint, %s (%s), leads to %s',
    async (error, error_description, remedy) => {
      const scene = createOidcScene()
      scene.provider.instead.set('/token', () => json({ error, error_description }, 400))
      const { auth } = await signedIn(scene)
      expect(auth.getState()).toMatchObject({
        status: 'failed',
        error: {
          code: 'client-refused',
          message: expect.stringContaining([error, error_description].filter(Boolean).join(': ')),
          remedy: expect.stringMatching(remedy),
          stack: expect.stringMatching(remedy),
        },
      })
    },
  )

  it('of the token endpoint counts with status 200, too', async () => {
    const scene = createOidcScene()
    scene.provider.instead.set('/token', () => json({ error: 'unauthorized_client' }))
    const { auth } = await signedIn(scene)
    expect(auth.getState()).toMatchObject({
      status: 'failed',
      error: {
        code: 'client-refused',
        message: expect.stringContaining('unauthorized_client'),
        remedy: expect.stringContaining('without a secret'),
      },
    })
  })

  it.each(LEADS_TO)('of the sign-in page, %s (%s), leads to %s', async (error, description, remedy) => {
    const scene = createOidcScene()
    const first = await start(scene)
    const state = new URL(first.host.navigations[0]!).searchParams.get('state')!
    const query = new URLSearchParams({ error, error_description: description ?? '', state })
    const { auth } = await follow(scene, first, `${APP}?${query}`)
    expect(auth.getState()).toMatchObject({
      error: { code: 'authorization-refused', remedy: expect.stringMatching(remedy) },
    })
  })

  it.each(['server_error', 'something_else'])(
    'that nothing is known of, %s, is left to the administrator',
    async (error) => {
      const scene = createOidcScene()
      const first = await start(scene)
      const state = new URL(first.host.navigations[0]!).searchParams.get('state')!
      const { auth } = await follow(scene, first, `${APP}?error=${error}&state=${state}`)
      expect(auth.getState()).toMatchObject({ error: { remedy: 'Try again, or ask its administrator.' } })
    },
  )

  it('of a pushed request leads to the cause, too', async () => {
    const scene = createOidcScene({ options: { pushedRequests: 'required' }, config: { autoLogin: false } })
    scene.provider.metadata = {
      ...scene.provider.metadata,
      pushed_authorization_request_endpoint: `${String(scene.provider.metadata['issuer'])}/par`,
    }
    scene.provider.instead.set('/par', () => json({ error: 'unauthorized_client' }, 401))
    const { auth } = await start(scene)
    await expect(auth.login()).rejects.toMatchObject({
      code: 'client-refused',
      remedy: expect.stringContaining('without a secret'),
    })
  })
})

it.each([400, 200])(
  'invalid_request at a refresh, with status %d, ends the session like invalid_grant, and blames no registration',
  async (status) => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    scene.provider.user = undefined
    scene.provider.instead.set('/token', () => json({ error: 'invalid_request' }, status))
    await expect(auth.renew({ force: true })).rejects.toMatchObject({
      code: 'invalid-grant',
      cause: { status, body: { error: 'invalid_request' } },
    })
  },
)

it('metadata that cannot be read lead to their address: a wrong realm answers without CORS', async () => {
  const scene = createOidcScene()
  scene.provider.instead.set('/.well-known/openid-configuration', () => Promise.reject(new TypeError('CORS')))
  const { auth } = await start(scene)
  expect(auth.getState()).toMatchObject({
    status: 'failed',
    error: {
      code: 'network',
      remedy: expect.stringMatching(/^Open https:\S+\/\.well-known\/openid-configuration in a tab.*issuer/),
    },
  })
})

describe('user info that is refused', () => {
  it.each([401, 403])('with %d: what the ID token says of the user stands in for it', async (status) => {
    const scene = createOidcScene()
    const { changeIdToken } = scene.provider
    scene.provider.changeIdToken = (claims) => changeIdToken({ ...claims, name: 'Ada' })
    scene.provider.instead.set('/userinfo', () => json({}, status))
    const { auth } = await signedIn(scene)
    expect(await internalsOf(auth).readUserInfo()).toMatchObject({ sub: 'ada', name: 'Ada' })
  })

  it.each([401, 403])(
    'with %d, and an ID token without a name: says what the cause may be',
    async (status) => {
      const scene = createOidcScene()
      scene.provider.instead.set('/userinfo', () => json({}, status))
      const { auth } = await signedIn(scene)
      await expect(internalsOf(auth).readUserInfo()).rejects.toMatchObject({
        status,
        remedy: expect.stringMatching(/Is the token for it.*openid.*lightweight/),
      })
    },
  )
})

it('the path of an endpoint leads to no other cause', async () => {
  const scene = createOidcScene()
  const token_endpoint = `${String(scene.provider.metadata['issuer'])}/dpop/token`
  scene.provider.metadata = { ...scene.provider.metadata, token_endpoint }
  scene.provider.instead.set('/dpop/token', () => json({ access_token: 'a-token' }))
  const { auth } = await signedIn(scene)
  expect(auth.getState()).toMatchObject({
    error: { code: 'unexpected-answer', remedy: expect.stringContaining('RFC 6749 §5.1') },
  })
})

it('a sub that is a number is named', async () => {
  const scene = createOidcScene()
  const { changeIdToken } = scene.provider
  scene.provider.changeIdToken = (claims) => changeIdToken({ ...claims, sub: 7 })
  const { auth } = await signedIn(scene)
  expect(auth.getState()).toMatchObject({
    error: {
      code: 'invalid-id-token',
      message: 'ID token refused: sub is no text',
      remedy: expect.stringContaining('not as a number'),
    },
  })
})
