// Sign-ins that the provider wants announced first (PAR, RFC 9126).
import { describe, expect, it } from 'vitest'
import { internalsOf } from '../../../src/session/internals.ts'
import { APP, ISSUER, METADATA } from '../scene.ts'
import { follow, signedIn, start } from '../session/sessionPages.ts'
import { createOidcScene, json, type OidcScene, type OidcSceneOptions } from '../session/sessionScene.ts'

function createPushScene(options: OidcSceneOptions = {}): OidcScene {
  const scene = createOidcScene(options)
  scene.provider.metadata = {
    ...METADATA,
    require_pushed_authorization_requests: true,
    pushed_authorization_request_endpoint: `${ISSUER}/par`,
  }
  return scene
}

const WITHOUT_FRAME: OidcSceneOptions = { options: { silent: 'off' } }

describe('a provider that requires it', () => {
  it('par-required: each request is announced once, and the address holds nothing but its name', async () => {
    const scene = createPushScene(WITHOUT_FRAME)
    const page = await signedIn(scene)
    expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    const [pushed, ...others] = scene.provider.requests.filter(({ path }) => path === '/par')
    expect(others).toEqual([])
    expect(Object.fromEntries(pushed!.body)).toMatchObject({
      response_type: 'code',
      client_id: 'admin',
      redirect_uri: APP,
      scope: 'openid offline_access',
      code_challenge_method: 'S256',
    })
    // A form without further headers needs no preflight.
    expect([...pushed!.headers.keys()].toSorted()).toEqual(['accept', 'content-type'])
  })

  it('par-required: the address of the sign-in page names the client and the request', async () => {
    const scene = createPushScene(WITHOUT_FRAME)
    const { host } = await start(scene)
    expect(host.navigations).toEqual([
      `${ISSUER}/auth?client_id=admin&request_uri=${encodeURIComponent('urn:ietf:params:oauth:request_uri:1')}`,
    ])
  })

  it('par-required: a developer sees that a request was announced, and not its name', async () => {
    const scene = createPushScene(WITHOUT_FRAME)
    const { auth } = await start(scene)
    const steps = internalsOf(auth).timeline.steps()
    const told = steps.filter(({ step }) => step === 'pushed request')
    expect(told.map(({ outcome }) => outcome)).toEqual(['done'])
    expect(JSON.stringify(steps)).not.toContain('request_uri:')
  })

  it('par-required: the silent check is announced, too', async () => {
    const scene = createPushScene()
    const page = await signedIn(scene)
    const before = scene.provider.count('/par')
    const next = await follow(scene, page, APP)
    expect(next.auth.getState()).toMatchObject({ status: 'authenticated' })
    const pushed = scene.provider.requests.filter(({ path }) => path === '/par')
    expect(pushed).toHaveLength(before + 1)
    expect(pushed.at(-1)!.body.get('prompt')).toBe('none')
  })

  it('par-expired-request-uri: who comes back to the app signs in with a new one', async () => {
    const scene = createPushScene(WITHOUT_FRAME)
    const first = await start(scene)
    await scene.browser.clock.advance(120_000)
    scene.provider.pushed.clear()
    const second = await follow(scene, first, APP)
    scene.provider.user = 'ada'
    const { auth } = await follow(scene, second)
    expect(auth.getState()).toMatchObject({ status: 'authenticated' })
    expect(first.host.navigations[0]).not.toBe(second.host.navigations[0])
    expect(scene.provider.count('/par')).toBe(2)
  })

  it('par-cors: says what to change, leaves the page where it is, and keeps no attempt', async () => {
    const scene = createPushScene({ ...WITHOUT_FRAME, config: { autoLogin: false } })
    scene.provider.instead.set('/par', () => Promise.reject(new TypeError('Failed to fetch')))
    const { auth, host } = await start(scene)
    await expect(auth.login()).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining('/par') as string,
      remedy: expect.stringContaining('CORS') as string,
    })
    expect(auth.getState().status).toBe('unauthenticated')
    expect(host.navigations).toEqual([])
    expect(JSON.stringify(host.sessionStorage.entries())).not.toContain('verifier')
    scene.provider.instead.clear()
    await auth.login()
    expect(host.navigations).toHaveLength(1)
  })

  it.each([
    ['of a client that may not', 400, { error: 'invalid_client' }, 'client-refused'],
    ['of a server that is down', 503, {}, 'unexpected-status'],
    ['without a request_uri', 201, {}, 'unexpected-answer'],
    ['with another status', 200, { request_uri: 'urn:x' }, 'unexpected-status'],
  ])('a response %s is an error, and nobody leaves', async (_, status, body, code) => {
    const scene = createPushScene({ ...WITHOUT_FRAME, config: { autoLogin: false } })
    scene.provider.instead.set('/par', () => json(body, status))
    const { auth, host } = await start(scene)
    await expect(auth.login()).rejects.toMatchObject({ code })
    expect(host.navigations).toEqual([])
  })
})

it('a provider that offers it, and does not require it, is asked for nothing', async () => {
  const scene = createOidcScene()
  scene.provider.metadata = { ...METADATA, pushed_authorization_request_endpoint: `${ISSUER}/par` }
  await signedIn(scene)
  expect(scene.provider.count('/par')).toBe(0)
})
