// A server that is away is a state: in no moment of a session does the page leave for the browser's own error page.
import { describe, expect, it } from 'vitest'
import type { AuthError } from '../../../src/base/errors.ts'
import { PROBE_LIMIT_MS } from '../../../src/base/sessionConstants.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import { createReachability } from '../../../src/session/http/reachability.ts'
import { createSend } from '../../../src/session/http/send.ts'
import { createFakeHost, neverAnswers } from '../../../src/testing/fakeHost.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { APP, createScene, nextPage, type Scene, type SceneOptions, startScene } from './sessionScene.ts'

type Away = [what: string, code: string, fetch: typeof fetch]

const refuses: typeof fetch = async () => {
  throw new TypeError('Failed to fetch')
}
const answers =
  (status: number): typeof fetch =>
  async () =>
    Response.json({ error: 'down' }, { status })
const aways: readonly Away[] = [
  ['refuses connections', 'network', refuses],
  ['answers nothing', 'timeout', neverAnswers],
  ['answers 503', 'unexpected-status', answers(503)],
  ['answers 429', 'rate-limited', answers(429)],
  [
    'has the page of a wireless network in its place',
    'unexpected-answer',
    async () => new Response('<h1>Accept our terms</h1>', { headers: { 'content-type': 'text/html' } }),
  ],
]
const profiles: [string, Partial<AuthConfig>][] = [
  ['the firm profile', { server: undefined, authHost: 'https://auth.test' }],
  ['OpenID Connect', { server: openIdConnect({ issuer: 'https://auth.test' }), authHost: undefined }],
]

const silent = async (scene: Scene) => {
  void scene.auth.start()
  await scene.host.settle()
  // A frame with the browser's error page loads too, and says nothing.
  for (const frame of Array.from(scene.host.frames)) frame.load()
  await scene.host.settle()
  await scene.host.clock.advance(90_000)
  return scene
}
const stays = ({ host }: Scene) => expect([host.navigations, host.popups]).toEqual([[], []])

describe.each(profiles)('with %s, a server that', (_profile, config) => {
  describe.each(aways)('%s', (_what, code, fetch) => {
    // A page begins with the metadata: what is there in their place is none.
    const codeOfVisit = config.server && code === 'unexpected-answer' ? 'invalid-metadata' : code
    const open = (options: SceneOptions = {}) => {
      const scene = createScene({
        isFrameMute: true,
        ...options,
        config: { ...config, ...options.config } as Partial<AuthConfig>,
      })
      scene.host.fetch = fetch
      return scene
    }
    const signedIn = async (more: SceneOptions = {}) => {
      const scene = await startScene({
        ...more,
        config: { ...config, ...more.config } as Partial<AuthConfig>,
      })
      expect(scene.auth.getState().status).toBe('authenticated')
      await scene.host.clock.advance(20_000)
      scene.host.fetch = fetch
      return scene
    }

    it.each<[string, Partial<AuthConfig>]>([
      ['a fresh visit', {}],
      ['a visit that asks no frame', { verifyFirstVisit: false }],
      ['a visit without automatic sign-in', { autoLogin: false }],
    ])('%s is failed and repeats, and ends at the server once it is back', async (_visit, more) => {
      const scene = await silent(open({ config: more }))
      stays(scene)
      expect(scene.auth.getState()).toMatchObject({ status: 'failed', error: { code: codeOfVisit } })
      scene.server.user = undefined
      scene.host.fetch = scene.server.fetch
      // Waits grow to a minute; a server that asked for a pause, to five.
      for (let count = 0; count < 12 && scene.auth.getState().status !== 'redirecting'; count += 1) {
        await scene.host.clock.advance(30_000)
        for (const frame of Array.from(scene.host.frames)) scene.server.answerFrame(frame)
        await scene.host.settle()
      }
      expect(scene.auth.getState().status).toBe(more.autoLogin === false ? 'unauthenticated' : 'redirecting')
    })

    it('a reload is failed and repeats', async () => {
      const scene = await silent(nextPage(await signedIn(), APP, { config, isFrameMute: true }))
      stays(scene)
      expect(scene.auth.getState()).toMatchObject({ status: 'failed', error: { code: codeOfVisit } })
    })

    it('a click on the sign-in button stays in the app, with the reason', async () => {
      const scene = await startScene({ config: { ...config, autoLogin: false }, server: { user: undefined } })
      await scene.host.clock.advance(20_000)
      scene.host.fetch = fetch
      const asking = scene.auth.login().catch((error: unknown) => error)
      await scene.host.clock.advance(16_000)
      expect(await asking).toMatchObject({ code })
      stays(scene)
      expect(scene.auth.getState().status).toBe('unauthenticated')
    })

    it('a sign-in in a window closes it, with the reason', async () => {
      const scene = await startScene({ config: { ...config, autoLogin: false }, server: { user: undefined } })
      await scene.host.clock.advance(20_000)
      scene.host.fetch = fetch
      const asking = scene.auth.login({ display: 'popup' }).catch((error: unknown) => error)
      await scene.host.clock.advance(16_000)
      expect(await asking).toMatchObject({ code })
      stays(scene)
    })

    it.each(['page', 'popup'] as const)(
      'a sign-in (%s) that waits for it ends with a logout',
      async (display) => {
        const scene = await startScene({
          config: { ...config, autoLogin: false },
          server: { user: undefined },
        })
        const { auth, host } = scene
        await host.clock.advance(20_000)
        host.fetch = neverAnswers
        const outcomes: unknown[] = []
        const end = (error?: AuthError) => void outcomes.push(error?.code)
        auth.login({ display }).then(() => end(), end)
        await host.clock.advance(1_000)
        expect(outcomes).toEqual([])
        void auth.logout().catch(() => {})
        await host.settle()
        host.fetch = fetch
        await host.clock.advance(16_000)
        expect(outcomes).toHaveLength(1)
        stays(scene)
      },
    )

    it('a logout ends here at once, and is told to the server once it is back', async () => {
      const scene = await signedIn()
      const { auth, host, server } = scene
      const leaving = auth.logout()
      await host.settle()
      expect(await auth.getAccessToken().catch((error: unknown) => error)).toMatchObject({
        code: 'not-authenticated',
      })
      await host.clock.advance(8_000)
      await leaving
      stays(scene)
      expect(auth.getState()).toMatchObject({
        status: 'unauthenticated',
        reason: 'signed-out',
        cause: { code },
      })
      host.fetch = server.fetch
      await host.clock.advance(400_000)
      expect(host.navigations.map((url) => new URL(url).pathname)).toEqual(['/oauth/logout'])
    })

    it('a logout that is owed waits in the app on the next page too', async () => {
      const scene = await signedIn()
      const leaving = scene.auth.logout()
      await scene.host.clock.advance(8_000)
      await leaving
      const next = nextPage(scene, APP, { config })
      void next.auth.start()
      await next.host.clock.advance(16_000)
      stays(next)
      expect([next.host.frames, next.auth.getState()]).toMatchObject([
        [],
        { status: 'unauthenticated', reason: 'signed-out', cause: { code: codeOfVisit } },
      ])
      next.host.fetch = next.server.fetch
      await next.host.clock.advance(400_000)
      expect(next.host.navigations.map((url) => new URL(url).pathname)).toEqual(['/oauth/logout'])
    })

    it.runIf(config.authHost)('a link with a token is failed and repeats', async () => {
      const token = createAccessToken({ aud: 'admin', jti: 'j1' })
      const scene = await silent(open({ address: `${APP}?token=${token}` }))
      stays(scene)
      expect(scene.auth.getState()).toMatchObject({ status: 'failed', error: { code } })
    })
  })
})

describe('what is known of a server', () => {
  const create = (fetch: typeof globalThis.fetch, { cors = 'likely' as const } = {}) => {
    const host = createFakeHost(APP, { fetch })
    const probe = { url: 'https://auth.test/api/userinfo', cors }
    const reachability = createReachability(host.platform, createSend(host.platform), async () => probe)
    const told = (asking: Promise<void>) =>
      asking.then(
        () => 'there',
        (error: unknown) => (error as AuthError).code,
      )
    const check = async (flow = reachability.begin()) => {
      const asking = told(flow.check())
      await host.settle()
      return asking
    }
    const call = () =>
      reachability.send({
        what: 'x',
        method: 'GET',
        url: 'https://auth.test/x',
        headers: {},
        cache: 'default',
        secrets: [],
      })
    return { host, check, call, told, reachability }
  }
  const refused: typeof fetch = async () => new Response('', { status: 401 })

  it('is learnt by one request within a flow, which carries nothing and is kept nowhere', async () => {
    const seen: RequestInit[] = []
    const { check, host, reachability } = create(async (_url, init) => {
      seen.push(init!)
      return new Response('', { status: 401 })
    })
    const flow = reachability.begin()
    await Promise.all([check(flow), check(flow), check(flow)])
    await check(flow)
    expect(host.requests).toHaveLength(1)
    expect(seen).toMatchObject([{ method: 'GET', credentials: 'omit', cache: 'no-store', redirect: 'error' }])
    expect([...host.requests[0]!.headers]).toEqual([])
  })

  it('counts within its flow alone, and not after a failure', async () => {
    const { check, call, host, reachability } = create(refused)
    const flow = reachability.begin()
    reachability.heard()
    expect([await check(flow), host.requests.length]).toEqual(['there', 0])
    // A click, a moment later.
    expect([await check(), host.requests.length]).toEqual(['there', 1])
    host.fetch = refuses
    await call().catch(() => {})
    expect(await check(flow)).toBe('network')
  })

  it('is not learnt from the response to a request that was sent before', async () => {
    let respond = () => {}
    const { check, call, host, reachability } = create(
      () => new Promise((resolve) => (respond = () => resolve(new Response('', { status: 401 })))),
    )
    const early = call().catch(() => {})
    await host.settle()
    const flow = reachability.begin()
    respond()
    await early
    host.fetch = refuses
    expect(await check(flow)).toBe('network')
  })

  it('is that it is there, where only its CORS headers are missing', async () => {
    const { check } = create(async (_url, init) => {
      if (init?.mode !== 'no-cors') throw new TypeError('Failed to fetch')
      return new Response('', { status: 200 })
    })
    expect(await check()).toBe('there')
  })

  it('without a network is called offline', async () => {
    const { check, call, host } = create(refuses)
    host.setOnline(false)
    expect([await check(), await call().catch((error: unknown) => (error as AuthError).code)]).toEqual([
      'offline',
      'offline',
    ])
  })

  it.each(['likely', 'none'] as const)('costs no open request after its limit (CORS: %s)', async (cors) => {
    const signals: AbortSignal[] = []
    const { told, host, reachability } = create(
      (url, init) => {
        signals.push(init!.signal!)
        return neverAnswers(url, init)
      },
      { cors: cors as 'likely' },
    )
    for (let count = 0; count < 3; count += 1) {
      const asking = told(reachability.begin().check())
      await host.clock.advance(PROBE_LIMIT_MS)
      expect(await asking).toBe('timeout')
    }
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
  })
})
