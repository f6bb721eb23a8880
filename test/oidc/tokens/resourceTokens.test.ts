// One access token per API (RFC 8707): beside the session's own, renewed by itself, shared over tabs, and never a second use of a refresh token.
import { describe, expect, it } from 'vitest'
import type { AuthError } from '../../../src/base/errors.ts'
import { createSupportBundle } from '../../../src/devtools/index.ts'
import { isSecretShown } from './resourceScene.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { signedIn, start } from '../session/sessionPages.ts'
import { createOidcScene, json, type OidcScene, type Page } from '../session/sessionScene.ts'
import { endOf } from '../signIn/windowScene.ts'
import { ISSUER, jwt } from '../scene.ts'
import { bodyOf } from '../../holdRequests.ts'

const API = 'https://api.example.com/v1'
const OTHER = 'https://files.example.com'

const asked = ({ provider }: OidcScene) =>
  provider.requests
    .filter(({ path, body }) => path === '/token' && body.get('grant_type') === 'refresh_token')
    .map(({ body }) => body.get('resource'))
/** A refresh token that is used twice ends the session at a server that rotates. */
const spent = ({ provider }: OidcScene) =>
  provider.requests.map(({ body }) => body.get('refresh_token')).filter((token) => token !== null)

async function scene(options: Parameters<typeof createOidcScene>[0] = {}) {
  const world = createOidcScene(options)
  return { world, page: await signedIn(world) }
}

describe('getAccessToken({ resource })', () => {
  it('brings a token for that API, once; the session’s own token, its expiry and the state stay', async () => {
    const { world, page } = await scene()
    const { auth } = page
    const [own, before] = [await auth.getAccessToken(), auth.getState()]
    const expiresAtMs = before.status === 'authenticated' ? before.expiresAtMs : undefined
    await world.browser.clock.advance(10_000)
    const token = await auth.getAccessToken({ resource: API })
    expect(token).not.toBe(own)
    expect(await auth.getAccessToken({ resource: API })).toBe(token)
    expect(await auth.getAccessToken()).toBe(own)
    expect(asked(world)).toEqual([API])
    expect(auth.getState()).toBe(before)
    expect(before.status === 'authenticated' && before.expiresAtMs).toBe(expiresAtMs)
    expect(auth.explain().at(-1)).toMatchObject({ step: 'token for a resource', detail: new URL(API).origin })
    // What leaves the browser with the support bundle: an address of an API can name a customer.
    expect(new URL(API).pathname.length).toBeGreaterThan(1)
    expect(createSupportBundle(auth)).toContain(new URL(API).origin)
    expect(createSupportBundle(auth)).not.toContain(API)
  })

  it('is asked once for many calls at once, one API after the other, each with the newest refresh token', async () => {
    const { world, page } = await scene()
    const calls = [API, OTHER, API, OTHER, API].map((resource) => page.auth.getAccessToken({ resource }))
    const renewal = page.auth.renew({ force: true })
    const tokens = await Promise.all(calls)
    await renewal
    expect([tokens[0] === tokens[2], tokens[0] === tokens[4], tokens[1] === tokens[3]]).toEqual([
      true,
      true,
      true,
    ])
    expect(new Set(asked(world))).toEqual(new Set([API, OTHER, null]))
    expect(asked(world)).toHaveLength(3)
    expect(new Set(spent(world)).size).toBe(spent(world).length)
  })

  it('is renewed by itself: 30 s before its own expiry, whatever the session’s token does', async () => {
    const { world, page } = await scene()
    world.provider.answer = { expires_in: 100 }
    const first = await page.auth.getAccessToken({ resource: API })
    await world.browser.clock.advance(69_000)
    expect(await page.auth.getAccessToken({ resource: API })).toBe(first)
    await world.browser.clock.advance(2_000)
    expect(await page.auth.getAccessToken({ resource: API })).not.toBe(first)
    expect(asked(world)).toEqual([API, API])
  })

  it('with force asks again, and takes the same token when the server sends the same', async () => {
    const { world, page } = await scene()
    world.provider.answer = { access_token: 'the-same' }
    expect(await page.auth.getAccessToken({ resource: API })).toBe('the-same')
    expect(await page.auth.getAccessToken({ resource: API, force: true })).toBe('the-same')
    expect(asked(world)).toEqual([API, API])
  })

  it('one that hardly lives is used once, and asked for anew by the next call', async () => {
    const { world, page } = await scene()
    world.provider.answer = { expires_in: 0 }
    const first = await page.auth.getAccessToken({ resource: API })
    const second = await page.auth.getAccessToken({ resource: API })
    expect([first === second, asked(world)]).toEqual([false, [API, API]])
  })

  it('stays through a renewal of the session, with and without another ID token', async () => {
    const { world, page } = await scene()
    const token = await page.auth.getAccessToken({ resource: API })
    await page.auth.renew({ force: true })
    expect(await page.auth.getAccessToken({ resource: API })).toBe(token)
    expect(asked(world)).toEqual([API, null])
  })

  it('is shared over tabs: another tab asks the server for nothing', async () => {
    const { world, page } = await scene()
    const token = await page.auth.getAccessToken({ resource: API })
    const second = world.open()
    void second.auth.start()
    await world.browser.clock.advance(2_000)
    expect(second.auth.getState().status).toBe('authenticated')
    expect(await second.auth.getAccessToken({ resource: API })).toBe(token)
    // What one tab gets later, the other has too.
    const later = await second.auth.getAccessToken({ resource: OTHER })
    await world.browser.clock.advance(2_000)
    expect(await page.auth.getAccessToken({ resource: OTHER })).toBe(later)
    expect(asked(world)).toEqual([API, OTHER])
    expect(new Set(spent(world)).size).toBe(spent(world).length)
  })

  it('is asked for once when two tabs want it at once', async () => {
    const { world, page } = await scene()
    const second = world.open()
    void second.auth.start()
    await world.browser.clock.advance(2_000)
    const both = Promise.all([page, second].map(({ auth }) => auth.getAccessToken({ resource: API })))
    await world.browser.clock.advance(5_000)
    const [a, b] = await both
    expect([a === b, asked(world)]).toEqual([true, [API]])
  })

  it('is gone after a logout: the next user gets one of their own', async () => {
    const { world, page } = await scene()
    await page.auth.getAccessToken({ resource: API })
    await page.auth.logout()
    await expect(page.auth.getAccessToken({ resource: API })).rejects.toMatchObject({
      code: 'not-authenticated',
    })
    expect(asked(world)).toEqual([API])
  })

  it('that comes after a logout brings nobody back, and is given to nobody', async () => {
    const { world, page } = await scene()
    let respond = (_response: Response) => {}
    const response = new Promise<Response>((resolve) => {
      respond = resolve
    })
    world.provider.instead.set('/token', () => response)
    const call = page.auth.getAccessToken({ resource: API }).then(
      () => 'a token',
      (error: unknown) => (error as AuthError).code,
    )
    await page.host.settle()
    const leaving = page.auth.logout()
    await page.host.settle()
    respond(json({ access_token: 'late', token_type: 'Bearer', expires_in: 300, refresh_token: 'late-too' }))
    await Promise.all([leaving, page.host.settle()])
    expect(await call).not.toBe('a token')
    expect(page.auth.getState().status).not.toBe('authenticated')
    expect(isSecretShown(page, 'late-too')).toBe(false)
  })

  it('is no part of an error, a state, a storage or a step', async () => {
    const { world, page } = await scene()
    const token = await page.auth.getAccessToken({ resource: API })
    expect(isSecretShown(page, token)).toBe(false)
    world.provider.instead.set('/token', () => json({ error: 'server_error', error_description: token }, 500))
    const error: unknown = await page.auth
      .getAccessToken({ resource: OTHER })
      .catch((thrown: unknown) => thrown)
    expect(JSON.stringify([error, Object(error).message, Object(error).body])).not.toContain(token)
  })
})

describe('a token for a resource that cannot be had', () => {
  it.each(['api', '/v1', 'https://api.example.com/#a', '', 7, null])(
    '%j is refused before any request',
    async (resource) => {
      const { world, page } = await scene()
      await expect(page.auth.getAccessToken({ resource: resource as string })).rejects.toMatchObject({
        code: 'invalid-argument',
      })
      expect(asked(world)).toEqual([])
    },
  )

  it('that the provider does not know is said so, and the session stays', async () => {
    const { world, page } = await scene()
    world.provider.instead.set('/token', () => json({ error: 'invalid_target' }, 400))
    await expect(page.auth.getAccessToken({ resource: API })).rejects.toMatchObject({
      code: 'client-refused',
      remedy: 'Ask for a resource that the provider knows.',
    })
    world.provider.instead.clear()
    await page.auth.renew({ force: true })
    expect(page.auth.getState().status).toBe('authenticated')
    expect(await page.auth.getAccessToken({ resource: API })).toMatch(/^access-/)
  })

  it('because the answer was lost, is had at the next call: no refresh token is sent a second time', async () => {
    const { world, page } = await scene()
    world.provider.instead.set('/token', () => {
      throw new TypeError('Failed to fetch')
    })
    await expect(page.auth.getAccessToken({ resource: API })).rejects.toMatchObject({ code: 'network' })
    world.provider.instead.clear()
    const asking = page.auth.getAccessToken({ resource: API })
    await world.browser.clock.advance(5_000)
    expect(await asking).toMatch(/^access-/)
    expect(page.auth.getState().status).toBe('authenticated')
    expect(new Set(spent(world)).size).toBe(spent(world).length)
  })

  it('because the session is over, ends it with its token', async () => {
    const { world, page } = await scene()
    world.provider.user = undefined
    world.provider.instead.set('/token', () => json({ error: 'invalid_grant' }, 400))
    const asking = page.auth.getAccessToken({ resource: API }).catch((error: unknown) => error)
    await world.browser.clock.advance(10_000)
    expect(await asking).toMatchObject({ code: 'invalid-grant' })
    await world.browser.clock.advance(300_000)
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
  })

  it('without a refresh token says what to ask for', async () => {
    const { page } = await scene({ options: {}, config: { scopes: ['openid'] } })
    const world = createOidcScene()
    world.provider.answer = { refresh_token: undefined }
    const without = await signedIn(world)
    await expect(without.auth.getAccessToken({ resource: API })).rejects.toMatchObject({
      code: 'not-supported',
      remedy: 'It needs a refresh token: ask for offline_access.',
    })
    expect(page.auth.supports('resourceTokens')).toBe(true)
  })

  it('at the firm’s server: not-supported, before any request', async () => {
    const host = createFakeHost('https://app.test/')
    const auth = createAuth(
      { authHost: 'https://auth.test', clientId: 'admin', scopes: ['openid'], autoLogin: false },
      { platform: host.platform },
    )
    // A server that is there, and a frame that says nothing.
    host.fetch = async () => Response.json({})
    void auth.start()
    await host.clock.advance(70_000)
    expect(auth.supports('resourceTokens')).toBe(false)
    await expect(auth.getAccessToken({ resource: API })).rejects.toMatchObject({ code: 'not-supported' })
  })
})

it('a provider that binds tokens binds these, too: each request carries a proof of the same key', async () => {
  const world = createOidcScene({ options: { dpop: 'required' } })
  world.provider.dpop = true
  world.provider.metadata = { ...world.provider.metadata, dpop_signing_alg_values_supported: ['ES256'] }
  const { auth } = await signedIn(world)
  const token = await auth.getAccessToken({ resource: API })
  expect(world.provider.keyOf.get(token)).toBe(world.provider.keyOf.get(await auth.getAccessToken()))
})

it('of several resources in parameters, the first is that of the session’s own token', async () => {
  const world = createOidcScene({ options: { parameters: { resource: [API, OTHER] } } })
  const { auth, host } = await signedIn(world)
  await auth.renew({ force: true })
  await auth.getAccessToken({ resource: OTHER })
  const sent = world.provider.requests
    .filter(({ path }) => path === '/token')
    .map(({ body }) => body.getAll('resource'))
  expect(sent).toEqual([[API], [API], [OTHER]])
  expect(host.navigations).toEqual([])
})

it('eight tabs that ask for eight APIs at once get a token each', async () => {
  const world = createOidcScene({ config: { autoLogin: false } })
  world.provider.user = 'ada'
  const tabs: Page[] = []
  for (let count = 0; count < 8; count += 1) {
    tabs.push(await start(world))
    await world.browser.clock.advance(1_000)
  }
  const calls = tabs.map(({ auth }, index) =>
    endOf(auth.getAccessToken({ resource: `https://api${index}.example.com` })),
  )
  await world.browser.clock.advance(20_000)
  expect(await Promise.all(calls)).toEqual(calls.map(() => 'ok'))
})

it('a refusal that is about the resource alone is told after one renewal, in the provider’s words', async () => {
  const { world, page } = await scene()
  const real = page.host.fetch
  page.host.fetch = async (input, init) => {
    const response = await real(input, init)
    return bodyOf(init).includes('resource=') ? json({ error: 'invalid_grant' }, 400) : response
  }
  expect(await endOf(page.auth.getAccessToken({ resource: API }))).toBe('invalid-grant')
  expect(asked(world)).toEqual([API, null, API])
  expect(page.auth.getState().status).toBe('authenticated')
})

it('a clock that is set back makes no token younger', async () => {
  const { world, page } = await scene()
  const before = await page.auth.getAccessToken({ resource: API })
  page.host.platform.now = () => world.browser.clock.nowMs - 3_600_000
  await world.browser.clock.advance(400_000)
  expect(await page.auth.getAccessToken({ resource: API })).not.toBe(before)
})

it.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])(
  'on a device whose clock is an hour %s, one request serves all calls of the token’s life',
  async (_how, ms) => {
    const world = createOidcScene()
    const { provider, browser } = world
    provider.nowMs = () => browser.clock.nowMs - ms
    const date = () => ({ date: new Date(provider.nowMs()).toUTCString() })
    provider.instead.set('/', () => new Response('', { headers: date() }))
    const page = await signedIn(world)
    // Each refresh brings an ID token by the provider's clock.
    const iat = Math.floor(provider.nowMs() / 1000)
    const claims = { iss: ISSUER, sub: 'ada', sid: 'sid-1', aud: 'admin', iat, exp: iat + 300 }
    provider.answer = { expires_in: 300, id_token: jwt(claims) }
    const token = await page.auth.getAccessToken({ resource: API })
    for (let call = 0; call < 5; call += 1) {
      await browser.clock.advance(40_000)
      expect(await page.auth.getAccessToken({ resource: API })).toBe(token)
    }
    expect(asked(world).filter((resource) => resource === API)).toEqual([API])
    // And no longer than it lives.
    await browser.clock.advance(100_000)
    expect(await page.auth.getAccessToken({ resource: API })).not.toBe(token)
  },
)
