// TokenRefresh: when, how often, with what, and what happens when it fails (F4, F9, F10, F13, F27-F31).
import { describe, expect, it } from 'vitest'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { neverAnswers } from '../../../src/testing/fakeHost.ts'
import { createTokenResponse, type TokenClaims } from '../../../src/testing/tokens.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import {
  comeBackToKeptPage,
  createScene,
  isOpenIdConnect,
  type Scene,
  type SceneOptions,
  startScene,
  tokenBodies,
} from '../session/sessionScene.ts'
import { bodyOf, holdRequests } from '../../holdRequests.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

/** Signed in, with renewal by timer unless told otherwise; what the sign-in sent is not counted. */
async function signedIn(options: SceneOptions = {}) {
  const scene = await startScene({
    ...options,
    config: { autoRefreshToken: true, autoLogout: false, ...options.config },
  })
  expect(scene.auth.getState().status).toBe('authenticated')
  await scene.host.clock.advance(2000)
  const atRest = scene.host.counts()
  const before = tokenBodies(scene.host).length
  return { ...scene, atRest, renewals: () => tokenBodies(scene.host).slice(before) }
}

/** The session has ended as expired, with this cause, and the user is sent nowhere. */
async function expectExpired({ host, auth }: Pick<Scene, 'host' | 'auth'>, code: string) {
  expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired', cause: { code } })
  await expect(auth.getAccessToken()).rejects.toThrow('Not authenticated yet')
  await host.clock.advance(2000)
  expect(host.navigations).toEqual([])
  expect(host.frames).toEqual([])
}

const answer = (host: Scene['host'], make: () => Response | Promise<Response>) => {
  host.fetch = async () => make()
}
const tokens = (members: Partial<TokenClaims> = {}, more = {}) =>
  Response.json(createTokenResponse(members, more))
const status = (code: number, headers: Record<string, string> = {}) =>
  Response.json({ error: 'server_error' }, { status: code, headers })

describe('the access token', () => {
  it('is handed out without a request while it lives for longer than 30 seconds', async () => {
    const { host, auth, renewals } = await signedIn({ config: { autoRefreshToken: false } })
    await host.clock.advance(567_999)
    const token = await auth.getAccessToken()
    expect(token.split('.')).toHaveLength(3)
    expect(renewals()).toEqual([])
  })

  it('is renewed first when it expires within 30 seconds', async () => {
    const { host, auth, renewals } = await signedIn({ config: { autoRefreshToken: false } })
    const old = await auth.getAccessToken()
    await host.clock.advance(568_000)
    expect(await auth.getAccessToken()).not.toBe(old)
    expect(renewals()).toHaveLength(1)
  })

  it('is renewed when the app forces it, and not when it merely asks too early', async () => {
    const { auth, renewals } = await signedIn()
    await auth.renew()
    expect(renewals()).toEqual([])
    await auth.renew({ force: true })
    expect(renewals()).toHaveLength(1)
  })

  it('is handed out new when the app forces it, and a renewal that fails then hands out nothing', async () => {
    const { host, auth, renewals } = await signedIn({ config: { autoRefreshToken: false } })
    const old = await auth.getAccessToken({ force: false })
    const [fresh, joined] = await Promise.all([
      auth.getAccessToken({ force: true }),
      auth.getAccessToken({ force: true }),
    ])
    expect(fresh).not.toBe(old)
    expect(joined).toBe(fresh)
    expect(renewals()).toHaveLength(1)
    host.setOnline(false)
    await expect(auth.getAccessToken({ force: true })).rejects.toMatchObject({ code: 'offline' })
    expect(await auth.getAccessToken()).toBe(fresh)
  })

  it.skipIf(isOpenIdConnect)('is renewed with refresh token and verifier of the sign-in', async () => {
    const { host, auth, renewals } = await signedIn()
    const [first] = tokenBodies(host)
    await auth.renew({ force: true })
    expect(renewals()).toEqual([
      {
        grant_type: 'refresh_token',
        refresh_token: 'refresh-2',
        code_verifier: first?.['code_verifier'],
        client_id: 'admin',
      },
    ])
  })

  it('is renewed with the newest refresh token every time', async () => {
    const { auth, renewals } = await signedIn()
    for (let round = 0; round < 4; round += 1) await auth.renew({ force: true })
    const sent = renewals().map((body) => body['refresh_token'])
    expect(new Set(sent).size).toBe(4)
  })

  it('is renewed with the old refresh token when the server gave no new one', async () => {
    const { auth, renewals } = await signedIn({ server: { isRotating: false } })
    for (let round = 0; round < 3; round += 1) await auth.renew({ force: true })
    expect(new Set(renewals().map((body) => body['refresh_token'])).size).toBe(1)
  })

  it('is renewed by one request for 50 callers at once', async () => {
    const { host, auth, renewals } = await signedIn()
    await host.clock.advance(540_000)
    host.clock.sleep(60_000)
    const all = await Promise.all(Array.from({ length: 50 }, () => auth.getAccessToken()))
    expect(new Set(all).size).toBe(1)
    await Promise.all(Array.from({ length: 50 }, () => auth.renew({ force: true })))
    expect(renewals()).toHaveLength(2)
  })

  it('is renewed without a state that a reader of status and user would see', async () => {
    const { host, auth } = await signedIn()
    const before = auth.getState()
    const expiry = before.status === 'authenticated' ? before.expiresAtMs : undefined
    await host.clock.advance(10_000)
    await auth.renew({ force: true })
    const after = auth.getState()
    expect(after).toBe(before)
    expect(after.status === 'authenticated' && after.expiresAtMs).toBe((expiry ?? 0) + 12_000)
  })

  it('tells the hook, without a token', async () => {
    const events: unknown[] = []
    const { auth } = await signedIn({
      config: { hooks: { afterRefreshToken: (event) => events.push(event) } },
    })
    await auth.renew({ force: true })
    expect(events).toMatchObject([{ user: { userId: 'alice' }, expiresAtMs: expect.any(Number) }])
    expect(JSON.stringify(events)).not.toMatch(/eyJ|refresh-/)
  })
})

describe('renewal by timer', () => {
  it('comes 30 seconds before expiry, again and again', async () => {
    const { host, renewals } = await signedIn()
    await host.clock.advance(567_999)
    expect(renewals()).toHaveLength(0)
    await host.clock.advance(1)
    expect(renewals()).toHaveLength(1)
    await host.clock.advance(569_999)
    expect(renewals()).toHaveLength(1)
    await host.clock.advance(1)
    expect(renewals()).toHaveLength(2)
  })

  it('does not come unless the app wants it', async () => {
    const { host, renewals } = await signedIn({ config: { autoRefreshToken: false } })
    await host.clock.advance(DAY)
    expect(renewals()).toEqual([])
  })

  it('sets no timer for more than 2147483647 ms, and is honoured at the next look', async () => {
    const { host, auth, renewals } = await signedIn({ server: { expiresInSeconds: 2_147_483.647 + 31 } })
    expect(host.counts().timers).toBe(0)
    expect(renewals()).toEqual([])
    await host.clock.advance(2_147_483_647)
    expect(renewals()).toEqual([])
    host.emit('focus')
    await host.settle()
    expect(renewals()).toHaveLength(1)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('sets a timer for exactly 2147483647 ms', async () => {
    const { host, renewals } = await signedIn({ server: { expiresInSeconds: 2_147_483.647 + 30 } })
    expect(host.counts().timers).toBe(1)
    await host.clock.advance(2_147_483_647 - 2000)
    expect(renewals()).toHaveLength(1)
  })

  it.each([
    [65, 35],
    [60, 30],
    [45, 15],
    [35, 5],
    [34, 17],
    [20, 10],
    [10, 5],
    [3, 5],
  ])('of a token that lives for %i seconds comes after %i', async (expiresInSeconds, afterSeconds) => {
    const scene = createScene({
      config: { autoRefreshToken: true, autoLogout: false },
      server: { expiresInSeconds },
    })
    void scene.auth.start()
    await scene.host.settle()
    const before = tokenBodies(scene.host).length
    await scene.host.clock.advance(afterSeconds * 1000 - 1)
    expect(tokenBodies(scene.host)).toHaveLength(before)
    await scene.host.clock.advance(1)
    expect(tokenBodies(scene.host)).toHaveLength(before + 1)
  })

  it('that the app has stopped is not set again by a renewal in flight, nor by one on demand', async () => {
    const { host, auth, renewals } = await signedIn()
    const inFlight = auth.renew({ force: true })
    auth.stopRenewal()
    await inFlight
    expect([renewals().length, host.counts().timers]).toEqual([1, 0])
    await auth.renew({ force: true })
    host.emit('focus')
    expect([renewals().length, host.counts().timers]).toEqual([2, 0])
    await host.clock.advance(HOUR)
    expect(renewals()).toHaveLength(2)
  })

  it('that the app has stopped stays stopped when what used the session goes and comes back', async () => {
    const scene = createScene({ config: { autoRefreshToken: true, autoLogout: false } })
    const release = internalsOf(scene.auth).hold()
    await scene.host.clock.advance(2000)
    scene.auth.stopRenewal()
    release()
    await scene.host.settle()
    internalsOf(scene.auth).hold()
    await scene.host.settle()
    expect(scene.host.counts().timers).toBe(0)
  })

  // At a provider which may ask the user about the logout, the next sign-in is that of another page.
  it.skipIf(isOpenIdConnect)('that the app has stopped begins again with the next sign-in', async () => {
    const { host, auth, server } = await signedIn()
    auth.stopRenewal()
    await auth.logout()
    host.emit('restored')
    expect(auth.getState().status).toBe('unauthenticated')
    await comeBackToKeptPage({ host, server })
    auth.dispose()
    server.user = createFakeUser()
    void auth.start()
    await host.clock.advance(2000)
    expect(internalsOf(auth).refresh.plannedAtMs()).toBeDefined()
  })

  it('stops when the app stops it', async () => {
    const { host, auth, renewals } = await signedIn()
    auth.stopRenewal()
    expect(host.counts().timers).toBe(0)
    await host.clock.advance(HOUR)
    host.emit('focus')
    await host.settle()
    expect(renewals()).toEqual([])
  })

  it.each([1, 5, 30, 59])(
    'does not run hot for tokens that live for %i seconds',
    async (expiresInSeconds) => {
      const { host, renewals } = await signedIn({ server: { expiresInSeconds } })
      const before = renewals().length
      await host.clock.advance(30_000)
      expect(renewals().length - before).toBeLessThanOrEqual(Math.ceil(60 / expiresInSeconds) + 1)
    },
  )

  it('stops with the page: nothing runs after dispose, even for a renewal that was on its way', async () => {
    const { host, auth } = await signedIn()
    const release = holdRequests(host)
    const renewing = auth.renew({ force: true }).catch((error: unknown) => error)
    await Promise.resolve()
    auth.dispose()
    await host.settle()
    release()
    await renewing
    await host.settle()
    expect(Object.values(host.counts())).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('a lifetime', () => {
  it.each<[string, unknown]>([
    ['a numeric text', '600'],
    ['a number', 600],
  ])('that is %s plans the renewal', async (_what, expires_in) => {
    const { host, auth } = await signedIn()
    answer(host, () => tokens({}, { expires_in }))
    await auth.renew({ force: true })
    expect(host.counts().timers).toBe(1)
    const seen = tokenBodies(host).length
    await host.clock.advance(570_000)
    expect(tokenBodies(host)).toHaveLength(seen + 1)
  })

  it.each<[string, unknown]>([
    // The OpenID Connect profile refuses the one, and renews with the other.
    ...(isOpenIdConnect
      ? []
      : ([
          ['negative', -1],
          ['zero', 0],
        ] satisfies [string, unknown][])),
    ['NaN', 'NaN'],
    ['a word', 'soon'],
    ['an object', {}],
  ])('that is %s is none: renewed on demand only', async (_what, expires_in) => {
    const { host, auth } = await signedIn()
    answer(host, () => tokens({}, { expires_in }))
    await auth.renew({ force: true })
    expect(host.counts().timers).toBe(0)
    const seen = tokenBodies(host).length
    await host.clock.advance(DAY)
    await auth.getAccessToken()
    expect(tokenBodies(host)).toHaveLength(seen)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', expiresAtMs: undefined })
  })

  it.skipIf(isOpenIdConnect)('that is missing is taken from iat and exp', async () => {
    const { host, auth } = await signedIn()
    answer(host, () => tokens({ iat: 1000, exp: 1300 }, { expires_in: undefined }))
    await auth.renew({ force: true })
    const seen = tokenBodies(host).length
    await host.clock.advance(270_000)
    expect(tokenBodies(host)).toHaveLength(seen + 1)
  })

  it.skipIf(isOpenIdConnect)(
    'that is missing, and iat too, ends with exp by the clock of the device',
    async () => {
      const { host, auth } = await signedIn()
      const exp = host.clock.nowMs / 1000 + 300
      answer(host, () => tokens({ iat: undefined as never, exp }, { expires_in: undefined }))
      await auth.renew({ force: true })
      const seen = tokenBodies(host).length
      await host.clock.advance(269_999)
      expect(tokenBodies(host)).toHaveLength(seen)
      await host.clock.advance(1)
      expect(tokenBodies(host)).toHaveLength(seen + 1)
    },
  )

  it.skipIf(isOpenIdConnect)(
    'that is missing is none where iat is too, and exp has passed by that clock',
    async () => {
      const { host, auth } = await signedIn()
      answer(host, () => tokens({ iat: undefined as never, exp: 1000 }, { expires_in: undefined }))
      await auth.renew({ force: true })
      expect(host.counts().timers).toBe(0)
      expect(auth.getState()).toMatchObject({ status: 'authenticated', expiresAtMs: undefined })
    },
  )
})

describe('a wrong clock', () => {
  it.each([-DAY, -600_000, 600_000, DAY])('off by %i ms at the server moves no renewal', async (skewMs) => {
    const { host, renewals } = await signedIn({ server: { now: () => 1_893_456_000_000 + skewMs } })
    await host.clock.advance(567_999)
    expect(renewals()).toEqual([])
    await host.clock.advance(1)
    expect(renewals()).toHaveLength(1)
  })

  it.each([-DAY, -600_000, 600_000, DAY])(
    'set by %i ms in the middle causes one renewal at most and no storm',
    async (jumpMs) => {
      const { host, auth, renewals } = await signedIn()
      await host.clock.advance(100_000)
      host.clock.jump(jumpMs)
      host.emit('focus')
      host.emit('visible')
      await host.clock.advance(10_000)
      expect(renewals().length).toBeLessThanOrEqual(1)
      await host.clock.advance(560_000)
      expect(renewals().length).toBeGreaterThanOrEqual(1)
      expect(renewals().length).toBeLessThanOrEqual(2)
      expect(auth.getState().status).toBe('authenticated')
    },
  )

  it('and eight hours of sleep: one renewal at the wake, and no expired token in between', async () => {
    const { host, auth, renewals } = await signedIn()
    const old = await auth.getAccessToken()
    host.clock.sleep(8 * HOUR)
    host.emit('visible')
    host.emit('focus')
    host.emit('resume')
    const token = await auth.getAccessToken()
    await host.settle()
    expect(token).not.toBe(old)
    expect(renewals()).toHaveLength(1)
  })
})

describe('a renewal that fails for want of network or server', () => {
  it.each<[string, () => Response | Promise<Response>]>([
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['500', () => status(500)],
    ['502', () => status(502)],
    ['503', () => status(503)],
    ['504', () => status(504)],
    ['a page of a proxy', () => new Response('<html>Hotel</html>')],
    ['nothing', () => new Response('')],
    ['null', () => Response.json(null)],
    ['a list', () => Response.json([])],
    ['half an answer', () => new Response('{"access_token":"eyJ')],
    ['an answer without token', () => Response.json({ expires_in: 60 })],
  ])('%s keeps the session, and the token as long as it lives', async (_what, make) => {
    const { host, auth } = await signedIn()
    const token = await auth.getAccessToken()
    await host.clock.advance(560_000)
    answer(host, make)
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ retryable: true })
    expect(auth.getState().status).toBe('authenticated')
    expect(await auth.getAccessToken()).toBe(token)
  })

  it.each<[string, () => Response]>([
    ['a proxy that finds the request bad', () => new Response('<html>Bad request</html>', { status: 400 })],
    ['a gateway that wants a sign-in', () => Response.json({ message: 'Unauthorized' }, { status: 401 })],
    ['a firewall that refuses', () => new Response('<html>Blocked</html>', { status: 403 })],
    ['a firewall that speaks JSON', () => Response.json({ message: 'Forbidden' }, { status: 403 })],
    ['a proxy that has no server behind it', () => new Response('default backend - 404', { status: 404 })],
  ])('%s says nothing about the session, however often: the next renewal goes on', async (_what, make) => {
    for (const isWithoutRefreshToken of [false, true]) {
      const { host, auth } = await signedIn()
      const { fetch } = host
      host.fetch = async (...request) => {
        const response = await fetch(...request)
        if (!isWithoutRefreshToken || !response.ok) return response
        const { refresh_token: _, ...others } = (await response.json()) as Record<string, unknown>
        return Response.json(others)
      }
      auth.dispose()
      void auth.start()
      await host.settle()
      const { fetch: working } = host
      const token = await auth.getAccessToken()
      answer(host, make)
      for (let count = 0; count < 3; count += 1) {
        const error = { code: 'unexpected-answer', retryable: true, status: make().status }
        await expect(auth.renew({ force: true })).rejects.toMatchObject(error)
        expect(await auth.getAccessToken()).toBe(token)
      }
      await host.clock.advance(600_000)
      expect(auth.getState().status).toBe('authenticated')
      host.fetch = working
      await host.clock.advance(5_000)
      await expect(auth.getAccessToken()).resolves.not.toBe(token)
    }
  })

  it('is tried again after 1, 2, 5, 10, 30 and then every 30 seconds', async () => {
    const { host } = await signedIn()
    const atMs: number[] = []
    answer(host, () => {
      atMs.push(host.clock.monotonicMs)
      return status(503)
    })
    await host.clock.advance(568_000 + 110_000)
    const first = atMs[0] ?? 0
    expect(atMs.slice(0, 7).map((at) => at - first)).toEqual([0, 1000, 3000, 8000, 18_000, 48_000, 78_000])
  })

  it('is tried at once when the network comes back', async () => {
    const { host, server, auth, renewals } = await signedIn()
    await host.clock.advance(560_000)
    host.setOnline(false)
    await host.clock.advance(20_000)
    expect(renewals()).toEqual([])
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isOnline: false })
    host.setOnline(true)
    await host.settle()
    expect(renewals()).toHaveLength(1)
    expect(server.tokenRequests.at(-1)).toEqual({ grantType: 'refresh_token', isGranted: true })
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isOnline: true })
  })

  it('after success, begins its waits anew the next time', async () => {
    const { host } = await signedIn()
    const { fetch } = host
    let isDown = true
    const atMs: number[] = []
    host.fetch = async (...request) => {
      atMs.push(host.clock.monotonicMs)
      return isDown ? status(503) : fetch(...request)
    }
    await host.clock.advance(568_000 + 3_500)
    isDown = false
    await host.clock.advance(5_000)
    isDown = true
    atMs.length = 0
    await host.clock.advance(575_000)
    expect(atMs[1]).toBe((atMs[0] ?? 0) + 1000)
  })

  it('is asked for by calls every 5 seconds at most; the calls between get its error', async () => {
    const { host, auth } = await signedIn({ config: { autoRefreshToken: false } })
    await host.clock.advance(600_000)
    const atMs: number[] = []
    answer(host, () => {
      atMs.push(host.clock.monotonicMs)
      return status(503)
    })
    for (let count = 0; count < 25 * 4; count += 1) {
      await expect(auth.getAccessToken()).rejects.toMatchObject({ status: 503 })
      await host.clock.advance(250)
    }
    const [first = 0] = atMs
    expect(atMs.map((at) => at - first)).toEqual([0, 5000, 10_000, 15_000, 20_000])
  })

  it('is asked for no more often by calls that an API refuses', async () => {
    const { host, auth } = await signedIn({ config: { autoRefreshToken: false } })
    const asked: number[] = []
    host.fetch = async (input) => {
      if (new Request(input).url.endsWith('/invoices')) return new Response('', { status: 401 })
      asked.push(host.clock.monotonicMs)
      return status(503)
    }
    for (let count = 0; count < 24; count += 1) {
      await expect(auth.fetch('/invoices')).rejects.toMatchObject({ status: 401 })
      await host.clock.advance(250)
    }
    const [first = 0] = asked
    expect(asked.map((at) => at - first)).toEqual([0, 5000])
  })

  it.each<[string, (scene: Scene) => unknown]>([
    ['the user looks at the page again', ({ host }) => host.emit('focus')],
    ['the network is back', ({ host }) => (host.setOnline(false), host.setOnline(true))],
    ['the app forces it', ({ auth }) => auth.renew({ force: true })],
  ])('is asked for at once where %s', async (_what, act) => {
    const scene = await signedIn({ config: { autoRefreshToken: false } })
    const { host, auth } = scene
    const { fetch } = host
    await host.clock.advance(600_000)
    answer(host, () => status(503))
    await expect(auth.getAccessToken()).rejects.toMatchObject({ status: 503 })
    host.fetch = fetch
    await expect(auth.getAccessToken()).rejects.toMatchObject({ status: 503 })
    await act(scene)
    await expect(auth.getAccessToken()).resolves.toMatch(/./)
  })

  it('hands out no token once it has expired', async () => {
    const { host, auth } = await signedIn()
    answer(host, () => status(503))
    await host.clock.advance(600_000)
    await expect(auth.getAccessToken()).rejects.toMatchObject({ status: 503 })
  })

  it('is given up after 15 seconds without an answer', async () => {
    const { host, auth } = await signedIn()
    host.fetch = neverAnswers
    const outcome = auth.renew({ force: true }).catch((error: unknown) => error)
    await host.clock.advance(15_000)
    expect(await outcome).toMatchObject({ code: 'timeout', retryable: true })
    expect(auth.getState().status).toBe('authenticated')
  })
})

describe('429', () => {
  it.each([
    ['7', 7_000],
    ['0', 1_000],
    ['86400', 300_000],
    ['soon', 30_000],
    [new Date(1_893_456_000_000 + 570_000 + 60_000).toUTCString(), 60_000],
    [undefined, 30_000],
  ])('with Retry-After %s is obeyed for the right time', async (retryAfter, waitMs) => {
    const { host } = await signedIn()
    const atMs: number[] = []
    answer(host, () => {
      atMs.push(host.clock.monotonicMs)
      return status(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
    })
    await host.clock.advance(568_000)
    expect(atMs).toHaveLength(1)
    await host.clock.advance(waitMs - 1)
    expect(atMs).toHaveLength(1)
    await host.clock.advance(1)
    expect(atMs).toHaveLength(2)
  })

  it('holds back what the app asks for too', async () => {
    const { host, auth, renewals } = await signedIn()
    answer(host, () => status(429, { 'retry-after': '20' }))
    await expect(auth.renew({ force: true })).rejects.toMatchObject({
      code: 'rate-limited',
      retryAfterMs: 20_000,
    })
    const sent = renewals().length
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ code: 'rate-limited' })
    expect(renewals()).toHaveLength(sent)
    expect(auth.getState().status).toBe('authenticated')
  })
})

describe('a pause that the server asked for', () => {
  it('is named with its status, and in explain() while a call waits for it', async () => {
    const { host, auth } = await signedIn({ config: { autoRefreshToken: false } })
    const { fetch } = host
    answer(host, () => status(503, { 'retry-after': '20' }))
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ status: 503, retryAfterMs: 20_000 })
    await expect(auth.renew({ force: true })).rejects.toMatchObject({
      code: 'rate-limited',
      message: 'POST /oauth/token waits: the server answered 503',
      status: 503,
    })
    // The token's life is over: who asks for one, as an interceptor of axios does, waits.
    host.clock.jump(600_000)
    host.fetch = fetch
    const asking = auth.getAccessToken()
    await host.settle()
    expect(auth.explain().at(-1)).toMatchObject({
      step: 'pause',
      outcome: 'started',
      detail: 'POST /oauth/token waits: the server answered 503',
      error: { retryAfterMs: 20_000 },
    })
    await host.clock.advance(20_000)
    expect((await asking).split('.')).toHaveLength(3)
  })

  it.each([429, 503])('of 20 s by a %i is waited for by the first call, too', async (code) => {
    const { host, auth, renewals } = await signedIn({ config: { autoRefreshToken: false } })
    const { fetch } = host
    await host.clock.advance(600_000)
    answer(host, () => status(code, { 'retry-after': '20' }))
    const asking = auth.getAccessToken()
    await host.settle()
    expect(auth.explain().at(-1)).toMatchObject({
      step: 'pause',
      error: { status: code, retryAfterMs: 20_000 },
    })
    host.fetch = fetch
    await host.clock.advance(20_000)
    expect((await asking).split('.')).toHaveLength(3)
    expect(renewals().map((body) => body['grant_type'])).toEqual(['refresh_token', 'refresh_token'])
  })

  it('is waited for by nobody where it is longer than half a minute', async () => {
    const { host, auth } = await signedIn({ config: { autoRefreshToken: false } })
    await host.clock.advance(600_000)
    answer(host, () => status(503, { 'retry-after': '31' }))
    await expect(auth.getAccessToken()).rejects.toMatchObject({ status: 503, retryAfterMs: 31_000 })
  })
})

describe('a refresh token that the server refuses', () => {
  it('leads to one silent verification, and the user notices nothing when it succeeds', async () => {
    const { host, server, auth, renewals } = await signedIn()
    const before = auth.getState()
    server.revokeAll()
    await auth.renew({ force: true })
    expect(renewals().map((body) => body['grant_type'])).toEqual(['refresh_token', 'authorization_code'])
    expect(auth.getState()).toBe(before)
    expect(await auth.getAccessToken()).toBeTypeOf('string')
    await auth.renew({ force: true })
    expect(host.navigations).toEqual([])
  })

  it('ends the session as expired when the server has none either, without sending the user away', async () => {
    const { host, server, auth } = await signedIn()
    server.revokeAll()
    server.user = undefined
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ code: 'invalid-grant' })
    await expectExpired({ host, auth }, 'invalid-grant')
  })

  describe('where the server’s own session is another user’s', () => {
    const replaced = async (options?: SceneOptions) => {
      const scene = await signedIn(options)
      scene.server.revokeAll()
      scene.server.user = createFakeUser({ userId: 'bob', sessionId: 's2' })
      return scene
    }

    it('ends the session as expired at once, saying why', async () => {
      const { host, auth } = await replaced()
      await expect(auth.renew({ force: true })).rejects.toMatchObject({ code: 'identity-changed' })
      await expectExpired({ host, auth }, 'identity-changed')
    })

    it('a page that is looked at again after the expiry says so without being asked', async () => {
      const { host, auth } = await replaced()
      host.clock.sleep(HOUR)
      host.setVisible(false)
      host.setVisible(true)
      await host.settle()
      expect(auth.getState()).toMatchObject({
        status: 'unauthenticated',
        cause: { code: 'identity-changed' },
      })
    })
  })

  it('is sent once: 20 callers see one request and one frame', async () => {
    const { host, server, auth, renewals } = await signedIn()
    server.revokeAll()
    server.user = undefined
    const opened: string[] = []
    const outcomes = Promise.allSettled(Array.from({ length: 20 }, () => auth.renew({ force: true })))
    await host.settle()
    opened.push(...host.frames.map(({ name }) => name))
    await outcomes
    expect(renewals()).toHaveLength(1)
    expect(opened).toHaveLength(1)
  })

  it('without any refresh token asks the frame instead', async () => {
    const { host, auth, renewals } = await signedIn()
    const { fetch } = host
    host.fetch = async (...request) => {
      const response = await fetch(...request)
      const { refresh_token: _, ...others } = (await response.json()) as Record<string, unknown>
      return Response.json(others, { status: response.status })
    }
    auth.dispose()
    void auth.start()
    await host.settle()
    const before = renewals().length
    await auth.renew({ force: true })
    expect(
      renewals()
        .slice(before)
        .map((body) => body['grant_type']),
    ).toEqual(['authorization_code'])
  })

  it('keeps the session when the silent verification fails for want of the server', async () => {
    const { host, server, auth } = await signedIn()
    server.revokeAll()
    const { fetch } = host
    let count = 0
    host.fetch = async (...request) => ((count += 1) === 1 ? fetch(...request) : status(503))
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ retryable: true })
    expect(auth.getState().status).toBe('authenticated')
  })
})

describe('an answer for somebody else', () => {
  it.skipIf(isOpenIdConnect).each<[string, Partial<TokenClaims>]>([
    ['another user', { userId: 'mallory' }],
    ['another firm', { firmId: 'f2' }],
    ['another audience', { aud: 'other' }],
    ['an impersonator', { impersonatorId: 'support' }],
  ])('%s is refused, as by the server: the hidden frame is asked', async (_who, members) => {
    const { host, auth } = await signedIn()
    const { fetch } = host
    host.fetch = async (input, init) =>
      bodyOf(init).includes('refresh_token') ? tokens(members) : fetch(input, init)
    await auth.renew({ force: true })
    expect(auth.getState()).toMatchObject({
      status: 'authenticated',
      user: { userId: 'alice', firmId: 'f1' },
    })
  })

  it.skipIf(isOpenIdConnect)('with an opaque token is refused with its exact text', async () => {
    const { host, auth } = await signedIn()
    answer(host, () => tokens({}, { access_token: 'opaque' }))
    await expect(auth.renew({ force: true })).rejects.toThrow('Fail to decode access token.')
    expect(auth.getState().status).toBe('authenticated')
  })
})

it('a logout during a renewal drops what the renewal brings', async () => {
  const { host, auth } = await signedIn()
  const release = holdRequests(host)
  const renewing = auth.renew({ force: true }).catch((error: unknown) => error)
  await Promise.resolve()
  const leaving = auth.logout()
  await host.settle()
  release()
  await leaving
  await host.settle()
  expect(await renewing).toMatchObject({ code: 'not-authenticated' })
  expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  await expect(auth.getAccessToken()).rejects.toThrow('Not authenticated yet')
})

it('a hundred forced renewals leave no listener, timer or frame more than one', async () => {
  const { host, auth, renewals } = await signedIn()
  await auth.renew({ force: true })
  await host.settle()
  const before = host.counts()
  for (let round = 0; round < 100; round += 1) await auth.renew({ force: true })
  await host.settle()
  expect(renewals()).toHaveLength(101)
  expect(host.counts()).toEqual(before)
}, 60_000)

describe('a token whose life is over while the server is out of reach', () => {
  const down = () => Promise.reject(new TypeError('Failed to fetch'))
  const isTokenExpired = ({ auth }: Pick<Scene, 'auth'>) => auth.getState().isTokenExpired
  /** Every value of the flag, and how often the readers of one member alone would have rendered. */
  function watch({ auth }: Scene) {
    const flags = [auth.getState().isTokenExpired]
    let { status } = auth.getState()
    let user: unknown = Object(auth.getState()).user
    let changeCount = 0
    auth.subscribe(() => {
      const state = auth.getState()
      if (flags.at(-1) !== state.isTokenExpired) flags.push(state.isTokenExpired)
      if (status !== state.status || user !== Object(state).user) changeCount += 1
      ;({ status } = state)
      user = Object(state).user
    })
    return { flags, changeCount: () => changeCount }
  }

  it('is told from the moment of its expiry, and the user stays signed in', async () => {
    const scene = await signedIn()
    const { host, auth } = scene
    const seen = watch(scene)
    answer(host, down)
    await host.clock.advance(597_999)
    expect(isTokenExpired(scene)).toBe(false)
    await host.clock.advance(1)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isTokenExpired: true })
    expect(seen.changeCount()).toBe(0)
    await expect(auth.getAccessToken()).rejects.toMatchObject({ code: 'network' })
  })

  it('is over with the next token', async () => {
    const scene = await signedIn()
    const { host, server } = scene
    const seen = watch(scene)
    answer(host, down)
    await host.clock.advance(700_000)
    host.fetch = server.fetch
    await host.clock.advance(30_000)
    expect(isTokenExpired(scene)).toBe(false)
    expect([seen.flags, seen.changeCount()]).toEqual([[false, true, false], 0])
  })

  it('is over with the session', async () => {
    const scene = await signedIn()
    answer(scene.host, down)
    await scene.host.clock.advance(700_000)
    const leaving = scene.auth.logout().catch(() => {})
    await scene.host.clock.advance(10_000)
    await leaving
    expect(isTokenExpired(scene)).toBe(false)
    await scene.host.clock.advance(700_000)
    expect(isTokenExpired(scene)).toBe(false)
  })

  it('changes nothing during ordinary renewals, nor by a failure that heals in time', async () => {
    const scene = await signedIn()
    const { host, server, auth } = scene
    const seen = watch(scene)
    await host.clock.advance(3_600_000)
    await auth.renew({ force: true })
    answer(host, down)
    await host.clock.advance(580_000)
    host.fetch = server.fetch
    await host.clock.advance(3_600_000)
    expect(seen.flags).toEqual([false])
  })

  it('is no news while nobody has asked for another: the next call renews it', async () => {
    const scene = await signedIn({ config: { autoRefreshToken: false } })
    const { host, auth } = scene
    await host.clock.advance(DAY)
    expect(isTokenExpired(scene)).toBe(false)
    answer(host, down)
    await expect(auth.getAccessToken()).rejects.toMatchObject({ code: 'network' })
    expect(isTokenExpired(scene)).toBe(true)
  })

  it.each(['focus', 'visible', 'resume'] as const)('is seen at %s after a sleep', async (event) => {
    const scene = await signedIn()
    const { host } = scene
    answer(host, down)
    await host.clock.advance(570_000)
    host.clock.sleep(HOUR)
    expect(isTokenExpired(scene)).toBe(false)
    host.emit(event)
    expect(isTokenExpired(scene)).toBe(true)
  })

  it('is told of a browser that is offline too', async () => {
    const scene = await signedIn()
    scene.host.setOnline(false)
    await scene.host.clock.advance(598_000)
    expect(isTokenExpired(scene)).toBe(true)
    scene.host.setOnline(true)
    await scene.host.settle()
    expect(isTokenExpired(scene)).toBe(false)
  })

  it('leaves no timer behind when nobody uses the session any more', async () => {
    const scene = await signedIn()
    answer(scene.host, down)
    await scene.host.clock.advance(570_000)
    scene.auth.dispose()
    await scene.host.settle()
    expect(scene.host.counts().timers).toBe(0)
  })
})
