// Start-up, in its order: a code in the address, an existing session, automatic sign-in (F1-F3, F19-F26).

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import {
  APP,
  CONFIG,
  createScene,
  isOpenIdConnect,
  nextPage,
  NOBODY,
  type Scene,
  type SceneOptions,
  serverAt,
  startScene,
  tokenBodies,
  stepsOfPage,
} from '../session/sessionScene.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeHost, neverAnswers } from '../../../src/testing/fakeHost.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { checkGenerated } from '../../generated.ts'

const STORAGE_KEY = 'latchkey https://auth.test admin tab'

/** Left for the sign-in page from the address given; nobody had a session. */
async function leaveFrom(address: string, config = {}): Promise<Scene> {
  const scene = await startScene({ address, config, server: { user: undefined } })
  expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
  return scene
}

async function comeBack(scene: Scene, address: string, options = {}): Promise<Scene> {
  const back = nextPage(scene, address, options)
  void back.auth.start()
  await back.host.settle()
  return back
}

/** Left for the sign-in page; the network was lost before the way back. */
async function comeBackOffline() {
  const left = await leaveFrom(APP)
  const back = nextPage(left, left.server.callbackOf(authorizeAddress(left)))
  back.host.setOnline(false)
  void back.auth.start()
  return { left, back }
}

const authorizeAddress = ({ host }: Scene) => host.navigations.at(-1) ?? ''

describe('a user without a session', () => {
  it('is sent to the sign-in page, once, after the frame said no', async () => {
    const { host } = await leaveFrom(APP)
    expect(host.navigations).toHaveLength(1)
    expect(host.navigations[0]).toMatch(/^https:\/\/auth\.test\/oauth\/authorize\?/)
    expect(host.requests).toEqual([])
  })

  it('comes back signed in, at the address where they were, byte for byte', async () => {
    const deep = 'https://app.test/firms/7?tab=a%20b&x=%C3%BC+1&code=of-the-app#/route?state=x\\y'
    const left = await leaveFrom(deep)
    const back = await comeBack(left, left.server.callbackOf(authorizeAddress(left)))
    expect(back.auth.getState()).toMatchObject({
      status: 'authenticated',
      user: { userId: 'alice', firmId: 'f1', sessionId: 's1' },
    })
    expect(back.host.address).toBe(deep)
    expect(back.host.frames).toEqual([])
  })

  it('stays where they are when automatic sign-in is off, with the reason', async () => {
    const { host, auth } = await startScene({ config: { autoLogin: false }, server: { user: undefined } })
    expect(auth.getState()).toEqual(NOBODY)
    expect(host.navigations).toEqual([])
  })

  it('is told that the session expired when this browser had one', async () => {
    const { host, server } = await startScene()
    server.user = undefined
    const next = nextPage({ host, server, auth: undefined as never }, APP, { config: { autoLogin: false } })
    void next.auth.start()
    await next.host.settle()
    expect(next.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
  })
})

describe('a user with a session at the server', () => {
  it('is signed in with two requests on the way: the frame, then the token', async () => {
    const { host, auth } = await startScene()
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    expect(host.navigations).toEqual([])
    expect(host.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://auth.test/oauth/token',
    ])
  })

  it('keeps what is in the address: nothing of it is ours', async () => {
    const address = 'https://app.test/?code=xyz&state=1234567&error=no#code=1'
    const { host } = await startScene({ address })
    expect(host.address).toBe(address)
    expect(host.replacedAddresses).toEqual([])
  })

  it('is not asked twice: a second start joins the first', async () => {
    const { host, auth } = createScene()
    const first = auth.start()
    expect(auth.start()).toBe(first)
    await host.settle()
    await first
    await auth.start()
    expect(tokenBodies(host)).toHaveLength(1)
  })
})

describe('a code in the address', () => {
  it('is exchanged once, with the verifier that was kept, and without a frame', async () => {
    const left = await leaveFrom(APP)
    const stored = JSON.parse(left.host.sessionStorage.entries()[STORAGE_KEY] ?? '{}') as {
      attempts: Record<string, { verifier: string }>
    }
    const [attempt] = Object.values(stored.attempts)
    const back = await comeBack(left, left.server.callbackOf(authorizeAddress(left)))
    expect(tokenBodies(back.host)).toEqual([
      {
        grant_type: 'authorization_code',
        code: 'code-1',
        code_verifier: attempt?.verifier,
        client_id: 'admin',
        redirect_uri: 'https://app.test/',
      },
    ])
  })

  it('leaves the address and the storage before the request goes out', async () => {
    const left = await leaveFrom(APP)
    const seen: unknown[] = []
    const back = nextPage(left, left.server.callbackOf(authorizeAddress(left)))
    const { fetch } = back.host
    back.host.fetch = (...request) => {
      seen.push(
        back.host.address,
        back.host.sessionStorage.entries()[STORAGE_KEY]?.includes('verifier') ?? false,
      )
      return fetch(...request)
    }
    void back.auth.start()
    expect(back.host.address).toBe(APP)
    await back.host.settle()
    expect(seen).toEqual([APP, false])
  })

  const CALLBACK = 'https://app.test/?code=c1&state=abc123'
  const record = {
    verifier: 'v'.repeat(64),
    authHost: 'https://auth.test',
    clientId: 'admin',
    redirectUri: APP,
    returnTo: '/home',
    createdAtMs: 1_893_456_000_000,
  }
  it.each<[string, object | undefined, string]>([
    ['of an attempt this tab knows nothing of', undefined, CALLBACK],
    ['of another server', { ...record, authHost: 'https://other.test' }, CALLBACK],
    ['of another client', { ...record, clientId: 'other' }, CALLBACK],
    ['of another redirect URI', { ...record, redirectUri: 'https://app.test/other' }, CALLBACK],
    ['that comes twice', record, `${CALLBACK}&code=c2`],
    ['with two states', record, `${CALLBACK}&state=abc124`],
    ['with a state of another case', record, 'https://app.test/?code=c1&state=ABC123'],
    ['in the hash', record, 'https://app.test/#code=c1&state=abc123'],
  ])('%s is not exchanged; the address stays; the frame decides', async (_what, stored, address) => {
    const scene = createScene({ address })
    if (stored) scene.host.sessionStorage.set(STORAGE_KEY, JSON.stringify({ attempts: { abc123: stored } }))
    void scene.auth.start()
    await scene.host.settle()
    expect(scene.host.address).toBe(address)
    expect(tokenBodies(scene.host).map(({ code }) => code)).toEqual(['code-1'])
    expect(scene.auth.getState().status).toBe('authenticated')
  })

  it('with two states leaves the record of the attempt to the response that is still to come', async () => {
    const scene = createScene({ address: `${CALLBACK}&state=abc124` })
    scene.host.sessionStorage.set(STORAGE_KEY, JSON.stringify({ attempts: { abc123: record } }))
    void scene.auth.start()
    await scene.host.settle()
    expect(scene.host.sessionStorage.entries()[STORAGE_KEY] ?? '').toContain(record.verifier)
  })

  it('that is older than ten minutes goes out of the address, and the user is where they were; it is not exchanged', async () => {
    const left = await leaveFrom('https://app.test/firms/7?tab=2#row')
    left.host.clock.jump(600_001)
    left.server.user = createFakeUser()
    const back = await comeBack(left, left.server.callbackOf(authorizeAddress(left)))
    expect(back.host.address).toBe('https://app.test/firms/7?tab=2#row')
    // The user has signed in there after all: the frame finds it, with a code of its own.
    expect(tokenBodies(back.host).map(({ code }) => code)).toEqual(['code-2'])
    expect(back.auth.getState().status).toBe('authenticated')
  })

  it('that is older than ten minutes, and nobody is signed in: the next sign-in leads to where the user was', async () => {
    const left = await leaveFrom('https://app.test/firms/7')
    left.host.clock.jump(600_001)
    const address = left.server.callbackOf(authorizeAddress(left))
    left.server.user = undefined
    const back = await comeBack(left, address)
    expect(back.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    expect([back.host.address, tokenBodies(back.host)]).toEqual(['https://app.test/firms/7', []])
    expect(back.host.sessionStorage.entries()[STORAGE_KEY]).not.toContain('code')
    const again = await comeBack(back, back.server.callbackOf(authorizeAddress(back)))
    expect(again.host.address).toBe('https://app.test/firms/7')
  })

  it('is still known when a page of the app was opened meanwhile, without its verifier', async () => {
    const left = await leaveFrom('https://app.test/firms/7')
    const address = left.server.callbackOf(authorizeAddress(left))
    left.host.clock.jump(600_001)
    const other = await comeBack(left, `${APP}other`, { config: { autoLogin: false } })
    void other.auth.login({ returnTo: '/other' })
    await other.host.settle()
    const back = await comeBack(other, address, { config: { autoLogin: false } })
    expect(back.host.address).toBe('https://app.test/firms/7')
    expect(tokenBodies(back.host).map(({ code }) => code)).not.toContain('code-1')
  })

  it('that comes too late with a refusal says so, and nobody is sent away again', async () => {
    const left = await leaveFrom('https://app.test/firms/7')
    left.host.clock.jump(600_001)
    const back = await comeBack(left, left.server.callbackOf(authorizeAddress(left), 'access_denied'))
    expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'cancelled' })
    expect([back.host.address, back.host.navigations]).toEqual(['https://app.test/firms/7', []])
  })

  it('of the hidden frame, whose sign-in page answers in place of the real one: cleaned, the place restored, one silent check', async () => {
    const first = await startScene({
      address: 'https://app.test/firms/7?tab=2',
      server: { user: undefined },
      isFrameMute: true,
    })
    const frameUrl = first.host.frames[0]!.url
    await first.host.clock.advance(61_000)
    expect(first.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    first.server.user = createFakeUser()
    const address = first.server.callbackOf(frameUrl)
    const code = new URL(address).searchParams.get('code')
    const back = await comeBack(first, address)
    expect(back.host.address).toBe('https://app.test/firms/7?tab=2')
    expect(tokenBodies(back.host).map((body) => body['code'])).toEqual([expect.not.stringContaining(code!)])
    expect([back.auth.getState().status, back.host.navigations]).toEqual(['authenticated', []])
  })

  it('of a frame that was cut off by a reload is known, too', async () => {
    const first = createScene({ address: `${APP}firms`, server: { user: undefined }, isFrameMute: true })
    void first.auth.start()
    await first.host.settle()
    const frameUrl = first.host.frames[0]!.url
    const second = await comeBack(first, `${APP}firms`)
    expect(second.auth.getState().status).toBe('redirecting')
    second.server.user = createFakeUser()
    const back = await comeBack(second, second.server.callbackOf(frameUrl))
    expect([back.host.address, back.auth.getState().status]).toEqual([`${APP}firms`, 'authenticated'])
  })

  it('that a frame has brought leaves no trace', async () => {
    const { host } = await startScene()
    expect(host.sessionStorage.entries()).toEqual({})
  })

  it.each(['', '&code=c2'])(
    'that nobody here has asked for stays in the address, and never becomes a place to return to%s',
    async (more) => {
      const state = isOpenIdConnect ? 'abc123'.padEnd(32, 'x') : 'abc123'
      const address = `https://app.test/firms?a=1&code=c1&state=${state}&b=2${more}#row`
      const left = await leaveFrom(address)
      expect(left.host.address).toBe(address)
      const back = await comeBack(left, left.server.callbackOf(authorizeAddress(left)))
      expect(back.host.address).toBe('https://app.test/firms?a=1&b=2#row')
    },
  )

  it('that never comes leaves its verifier in the storage for ten minutes, not for the life of the tab', async () => {
    const left = await leaveFrom(APP)
    const verifiers = ({ host }: Scene) =>
      host.sessionStorage.entries()[STORAGE_KEY]?.match(/"verifier"/g)?.length ?? 0
    left.host.clock.jump(600_001)
    const again = await comeBack(left, APP)
    expect(again.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    expect(verifiers(again)).toBe(1)
    again.host.clock.jump(600_001)
    again.server.user = { claims: { userId: 'alice' }, userInfo: {} }
    const found = await comeBack(again, APP)
    expect(found.auth.getState().status).toBe('authenticated')
    expect(verifiers(found)).toBe(0)
  })

  it.each<[string, Partial<AuthConfig>, string]>([
    ['another server', serverAt('https://other.test') as Partial<AuthConfig>, 'unauthenticated'],
    // Of the same client: when its own frame has found nobody it is handed the session, without a request.
    ['another redirect URI', { redirectUri: 'https://app.test/other' }, 'authenticated'],
  ])(
    'is left to whom it is for by an auth object of the same clientId and %s',
    async (_what, config, status) => {
      const left = await leaveFrom(APP)
      const back = nextPage(left, left.server.callbackOf(authorizeAddress(left)), { isFrameMute: true })
      const other = createAuth(
        { ...CONFIG, ...config, autoLogin: false, iframeTimeoutInSeconds: 1 } as AuthConfig,
        { platform: back.host.platform },
      )
      void other.start()
      void back.auth.start()
      await back.host.settle()
      await back.host.clock.advance(999)
      expect(back.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
      expect(other.getState().status).toBe('initializing')
      await back.host.clock.advance(1)
      expect(other.getState().status).toBe(status)
      expect(tokenBodies(back.host)).toHaveLength(1)
      expect(back.host.address).toBe(APP)
    },
  )

  it('of another issuer is refused, and the error is shown when there is no session either', async () => {
    const left = await leaveFrom(APP)
    const callback = new URL(left.server.callbackOf(authorizeAddress(left)))
    callback.searchParams.set('iss', 'https://evil.test')
    const back = await comeBack(left, callback.href)
    expect(tokenBodies(back.host)).toEqual([])
    expect(back.auth.getState()).toMatchObject({ status: 'failed', error: { code: 'issuer-mismatch' } })
    expect(back.host.address).toBe(APP)
    expect(back.host.navigations).toEqual([])
  })

  it('used up by the back button harms nobody who has a session', async () => {
    const left = await leaveFrom(APP)
    const callback = left.server.callbackOf(authorizeAddress(left))
    const back = await comeBack(left, callback)
    back.server.user = { claims: { userId: 'alice' }, userInfo: {} }
    const again = await comeBack(back, callback)
    expect(again.auth.getState().status).toBe('authenticated')
    expect(tokenBodies(again.host).filter(({ code }) => code === 'code-1')).toEqual([])
  })

  it('in two tabs is exchanged by the tab that left; the other ends signed in too', async () => {
    const left = await leaveFrom(APP)
    const callback = left.server.callbackOf(authorizeAddress(left))
    left.server.user = { claims: { userId: 'alice' }, userInfo: {} }
    const copied = createScene({ address: callback, host: { browser: left.host.browser } })
    copied.host.fetch = left.server.fetch
    const other = { ...copied, server: left.server }
    const own = await comeBack(left, callback)
    void other.auth.start()
    await other.host.settle()
    await other.host.clock.advance(2000)
    expect(own.auth.getState().status).toBe('authenticated')
    expect(other.auth.getState().status).toBe('authenticated')
    expect(left.server.tokenRequests.filter(({ isGranted }) => !isGranted)).toEqual([])
  })

  it('that the server refuses is not sent again: the frame decides, and finds the session', async () => {
    const left = await leaveFrom(APP)
    const callback = new URL(left.server.callbackOf(authorizeAddress(left)))
    callback.searchParams.set('code', 'wrong')
    left.server.user = { claims: { userId: 'alice' }, userInfo: {} }
    const back = await comeBack(left, callback.href)
    expect(back.auth.getState().status).toBe('authenticated')
    expect(tokenBodies(back.host).map(({ code }) => code)).toEqual(['wrong', 'code-2'])
  })

  it('that the server refuses, without a session, ends in a visible error and not in a loop', async () => {
    const left = await leaveFrom(APP)
    const callback = new URL(left.server.callbackOf(authorizeAddress(left)))
    callback.searchParams.set('code', 'wrong')
    const back = await comeBack(left, callback.href)
    expect(back.auth.getState()).toMatchObject({ status: 'failed', error: { status: 400 } })
    expect(back.host.navigations).toEqual([])
  })

  it.each<[string, () => Response | Promise<Response>]>([
    [
      'answered by a proxy page',
      () => new Response('<html>Hotel</html>', { headers: { 'content-type': 'text/html' } }),
    ],
    ['answered by nothing', () => new Response('')],
    ['answered by null', () => Response.json(null)],
    ['answered by a list', () => Response.json([])],
    ['answered by half of an answer', () => new Response('{"access_token":"eyJ')],
    ['answered by a broken server', () => Response.json({ error: 'server_error' }, { status: 500 })],
    ['cut off', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('%s is sent once only, whatever follows', async (_what, answer) => {
    const left = await leaveFrom(APP)
    const back = nextPage(left, left.server.callbackOf(authorizeAddress(left)))
    back.host.fetch = async () => answer()
    void back.auth.start()
    await back.host.settle()
    expect(tokenBodies(back.host)).toHaveLength(1)
    expect(back.auth.getState()).toMatchObject({ status: 'failed', error: { retryable: true } })
    expect(stepsOfPage(back.auth)).toContainEqual(
      expect.objectContaining({ step: 'state', outcome: 'failed', detail: 'failed' }),
    )
    expect(back.host.address).toBe(APP)
    expect(back.host.navigations).toEqual([])
  })

  it('that a server takes without a word is given up after 20 seconds: no frame is opened to it before the repeat', async () => {
    const left = await leaveFrom(APP)
    const back = nextPage(left, left.server.callbackOf(authorizeAddress(left)), { isFrameMute: true })
    back.host.fetch = neverAnswers
    void back.auth.start()
    await back.host.clock.advance(20_000)
    expect(back.auth.getState()).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
    expect(back.host.frames).toEqual([])
    // The server is back: what it made of the code is found out by the frame.
    back.host.fetch = left.server.fetch
    left.server.user = createFakeUser({})
    await back.host.clock.advance(2_000)
    expect(back.host.frames).toHaveLength(1)
  })

  it('waits for the network when it was lost on the way back, and is then exchanged', async () => {
    const { back } = await comeBackOffline()
    await back.host.clock.advance(20_000)
    expect(back.auth.getState().status).toBe('initializing')
    expect(back.host.address).toBe(APP)
    back.host.setOnline(true)
    await back.host.settle()
    expect(back.auth.getState().status).toBe('authenticated')
    expect(tokenBodies(back.host)).toHaveLength(1)
  })

  it('is given up when the network stays away for a minute, with an offline state that recovers', async () => {
    const { left, back } = await comeBackOffline()
    await back.host.clock.advance(60_000)
    expect(back.auth.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'offline' },
      isOnline: false,
    })
    left.server.user = { claims: { userId: 'alice' }, userInfo: {} }
    back.host.setOnline(true)
    await back.host.settle()
    expect(back.auth.getState()).toMatchObject({ status: 'authenticated', isOnline: true })
  })

  it(
    'leaves every address that is not ours untouched: 300 generated addresses through start-up',
    { timeout: 60_000, tags: ['generated'] },
    async () => {
      const name = fc.constantFrom('code', 'state', 'iss', 'error', 'q', 'token', 'c%6Fde', 'state[]')
      const value = fc.stringMatching(/^[A-Za-z0-9%+._~-]{0,8}$/)
      const query = fc.array(
        fc.tuple(name, value).map(([key, text]) => `${key}=${text}`),
        { maxLength: 6 },
      )
      const hash = fc.stringMatching(/^(#[A-Za-z0-9=&/?]{0,12})?$/)
      await checkGenerated(
        'addresses without network',
        fc.asyncProperty(query, hash, async (pieces, end) => {
          const address = new URL(
            `https://app.test/p${pieces.length > 0 ? `?${pieces.join('&')}` : ''}${end}`,
          ).href
          const { host, auth } = createScene({
            address,
            config: { autoLogin: false },
            host: { isOnline: false },
          })
          await auth.start()
          expect(host.address).toBe(address)
          expect(host.replacedAddresses).toEqual([])
          expect(tokenBodies(host)).toEqual([])
        }),
      )
    },
  )

  it(
    'brings every deep link back byte for byte: 40 generated links through a whole sign-in',
    { timeout: 60_000, tags: ['generated'] },
    async () => {
      const piece = fc.stringMatching(/^[A-Za-z0-9%+=&._~!$'()*,;:@/?\\-]{0,16}$/)
      await checkGenerated(
        'deep links, one at a time',
        fc.asyncProperty(piece, piece, piece, async (path, query, hash) => {
          const address = new URL(`https://app.test/${path.replaceAll(/[?\\]/g, '')}?${query}#${hash}`).href
          const left = await leaveFrom(address)
          const back = nextPage(left, left.server.callbackOf(authorizeAddress(left)))
          await back.auth.start()
          expect(back.auth.getState().status).toBe('authenticated')
          expect(back.host.address).toBe(address)
        }),
      )
    },
  )
})

describe('an error in the address', () => {
  it('access_denied is a cancelled sign-in, and nobody is sent to sign in again by themselves', async () => {
    const left = await leaveFrom('https://app.test/firms')
    const back = await comeBack(left, left.server.callbackOf(authorizeAddress(left), 'access_denied'))
    expect(back.auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'cancelled',
      cause: { code: 'access-denied' },
    })
    expect(back.host.address).toBe('https://app.test/firms')
    expect(back.host.navigations).toEqual([])
    await back.auth.login()
    expect(back.host.navigations).toHaveLength(1)
  })

  it('access_denied keeps what the server said, in explain() too, fit for a screen', async () => {
    const left = await leaveFrom(APP)
    const callback = new URL(left.server.callbackOf(authorizeAddress(left), 'access_denied'))
    const said = `Anna has no right to\u202e this app. ${'x'.repeat(400)}`
    callback.searchParams.set('error_description', said)
    const { auth } = await comeBack(left, callback.href)
    const shown = `${said.replace('\u202e', '').slice(0, 299)}…`
    expect(auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'cancelled',
      cause: { code: 'access-denied', body: { error: 'access_denied', error_description: shown } },
    })
    expect(auth.explain()).toContainEqual(
      expect.objectContaining({
        step: 'code in the address',
        outcome: 'failed',
        detail: `The server refused: access_denied: ${shown}`,
      }),
    )
  })

  it('an automatic sign-in that begins is in explain()', async () => {
    const { auth } = await leaveFrom(APP)
    expect(auth.explain()).toContainEqual(expect.objectContaining({ step: 'auto-login', outcome: 'started' }))
  })

  it('an automatic sign-in that the app does not want is in explain()', async () => {
    const { auth } = await startScene({ config: { autoLogin: false }, server: { user: undefined } })
    expect(auth.explain()).toContainEqual(expect.objectContaining({ step: 'auto-login', outcome: 'skipped' }))
  })

  it.each(['server_error', 'invalid_scope', 'unauthorized_client', 'login_required', 'consent_required'])(
    '%s leaves the address and is shown, without another automatic sign-in',
    async (error) => {
      const left = await leaveFrom(APP)
      const back = await comeBack(left, left.server.callbackOf(authorizeAddress(left), error))
      expect(back.auth.getState()).toMatchObject({
        status: 'failed',
        error: { code: 'authorization-refused' },
      })
      expect(back.host.address).toBe(APP)
      await back.host.clock.advance(600_000)
      expect(back.auth.getState().status).toBe('failed')
      expect(back.host.navigations).toEqual([])
    },
  )

  it('of somebody else is left in the address and changes nothing', async () => {
    const address = 'https://app.test/?error=access_denied&state=abc123'
    const { host, auth } = await startScene({ address })
    expect(host.address).toBe(address)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('can be tried again with the retry of the failed state', async () => {
    const left = await leaveFrom(APP)
    const back = await comeBack(left, left.server.callbackOf(authorizeAddress(left), 'invalid_scope'))
    const state = back.auth.getState()
    expect(state.status).toBe('failed')
    if (state.status === 'failed') state.retry()
    await back.host.settle()
    expect(back.host.navigations).toHaveLength(1)
    expect(back.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
  })

  it('is tried again in vain while another tab signs in: the user stays signed in', async () => {
    const left = await leaveFrom(APP)
    const back = await comeBack(left, left.server.callbackOf(authorizeAddress(left), 'invalid_scope'))
    const { promise: away, reject: fail } = Promise.withResolvers<never>()
    back.host.fetch = async () => away
    const state = back.auth.getState()
    if (state.status === 'failed') state.retry()
    await back.host.settle()
    back.server.user = createFakeUser()
    const other = createFakeHost(APP, { browser: back.host.browser, server: back.server })
    const auth = createAuth({ ...CONFIG, autoLogin: false }, { platform: other.platform })
    void auth.start()
    await other.settle()
    expect(auth.getState().status).toBe('authenticated')
    await back.host.settle()
    expect(back.auth.getState().status).toBe('authenticated')
    fail(new TypeError('Failed to fetch'))
    await back.host.clock.advance(1000)
    expect(back.auth.getState().status).toBe('authenticated')
    expect(back.host.navigations).toEqual([])
  })
})

it('a server whose sessions die at once sends the user away three times in a minute, and then says why', async () => {
  let scene = await leaveFrom(APP)
  for (const goes of [true, true, false]) {
    scene.server.user = createFakeUser()
    scene.server.expiresInSeconds = 2
    scene = await comeBack(scene, scene.server.callbackOf(authorizeAddress(scene)), {
      host: { onFrame: (frame: FakeFrame) => queueMicrotask(frame.csp) },
    })
    expect(scene.auth.getState().status).toBe('authenticated')
    scene.server.revokeAll()
    await scene.host.clock.advance(2_000)
    await scene.auth.renew({ force: true }).catch(() => {})
    expect(scene.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
    const leaving = internalsOf(scene.auth).loginByItself()
    if (goes) await leaving
    else await expect(leaving).rejects.toMatchObject({ code: 'redirect-loop' })
    expect(scene.host.navigations).toHaveLength(goes ? 1 : 0)
  }
})

describe('a retry of a start-up that failed', () => {
  const failing = { config: { autoLogin: false }, host: { isOnline: false } }
  /** A start-up has failed, and nothing uses the session any more. */
  const failAndRelease = async () => {
    const scene = createScene(failing)
    const release = internalsOf(scene.auth).hold()
    await scene.host.settle()
    release()
    await scene.host.settle()
    return scene
  }
  const retry = ({ auth }: Scene) => {
    const state = auth.getState()
    if (state.status === 'failed') state.retry()
  }

  it('goes on though what used the session was gone meanwhile, and came back', async () => {
    const scene = await failAndRelease()
    const { host, auth } = scene
    internalsOf(auth).hold()
    host.setOnline(true)
    retry(scene)
    await host.clock.advance(3000)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('is for the next one who uses the session when nobody does', async () => {
    const scene = await failAndRelease()
    const { host, auth } = scene
    retry(scene)
    host.setOnline(true)
    await host.clock.advance(3000)
    expect([auth.getState().status, host.frames.length]).toEqual(['initializing', 0])
    internalsOf(auth).hold()
    await host.clock.advance(3000)
    expect(auth.getState().status).toBe('authenticated')
  })
})

describe('a start-up that failed for a cause that can pass', () => {
  const html = () => new Response('<html>Welcome to our hotel</html>')
  const retryAfter = (status: number) => () =>
    Response.json({ error: 'busy' }, { status, headers: { 'retry-after': '40' } })
  const planned = ({ auth }: Scene) => {
    const state = auth.getState()
    return state.status === 'failed' ? state.retryAtMs : 'not failed'
  }
  const retry = ({ auth }: Scene) => {
    const state = auth.getState()
    if (state.status === 'failed') state.retry()
  }
  /** The server, or what stands in its place, answers so until `heal()`. */
  async function startBroken(answer: () => Response | Promise<Response>, options: SceneOptions = {}) {
    const scene = createScene({ ...options, config: { autoLogin: false, ...options.config } })
    const { host, server } = scene
    const atMs: number[] = []
    const begunMs = host.clock.nowMs
    host.fetch = async () => {
      atMs.push(host.clock.nowMs - begunMs)
      return answer()
    }
    void scene.auth.start()
    await host.settle()
    const heal = () => {
      host.fetch = server.fetch
    }
    return { ...scene, atMs, begunMs, heal }
  }

  it('is repeated by itself after 2, 5, 15, 30 and 60 seconds, then every 60, and says when', async () => {
    const scene = await startBroken(html)
    const { host, auth, atMs, begunMs } = scene
    expect(auth.getState()).toMatchObject({ status: 'failed', error: { code: 'unexpected-answer' } })
    expect(planned(scene)).toBe(begunMs + 2000)
    await host.clock.advance(1999)
    expect(atMs).toEqual([0])
    await host.clock.advance(1)
    expect([atMs, planned(scene)]).toEqual([[0, 2000], begunMs + 7000])
    await host.clock.advance(240_000)
    expect(atMs).toEqual([0, 2000, 7000, 22_000, 52_000, 112_000, 172_000, 232_000])
  })

  it('ends in the session as soon as the server answers again, without a click', async () => {
    const { host, auth, heal } = await startBroken(html)
    heal()
    await host.clock.advance(2000)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    await host.clock.advance(300_000)
    expect(auth.getState().status).toBe('authenticated')
  })

  it.each<[string, () => Response | Promise<Response>, number]>([
    ['no network behind the browser', () => Promise.reject(new TypeError('Failed to fetch')), 2000],
    ['a server error', () => Response.json({}, { status: 502 }), 2000],
    ['half an answer', () => new Response('{"access_to'), 2000],
    ['a firewall that refuses', () => new Response('<html>Blocked</html>', { status: 403 }), 2000],
    ['a server that is busy for 40 seconds', retryAfter(429), 40_000],
    ['a server that is down for 40 seconds', retryAfter(503), 40_000],
  ])('%s is such a cause', async (_, answer, waitMs) => {
    const scene = await startBroken(answer)
    expect(planned(scene)).toBe(scene.begunMs + waitMs)
    scene.heal()
    await scene.host.clock.advance(waitMs - 1)
    expect(scene.auth.getState().status).toBe('failed')
    await scene.host.clock.advance(1)
    expect(scene.auth.getState().status).toBe('authenticated')
  })

  it.each<[string, () => Response]>([
    ['a wrong client', () => Response.json({ error: 'invalid_client' }, { status: 401 })],
    ['an access token that is none', () => Response.json({ access_token: 'none', token_type: 'Bearer' })],
  ])('%s is none: nothing is repeated, and no time is told', async (_, answer) => {
    const scene = await startBroken(answer)
    await scene.host.clock.advance(600_000)
    expect([planned(scene), scene.atMs]).toEqual([undefined, [0]])
  })

  it('waits while the page is hidden, and goes on at once when it is seen after the time', async () => {
    const scene = await startBroken(html)
    const { host, atMs, begunMs } = scene
    host.setVisible(false)
    await host.clock.advance(1500)
    host.setVisible(true)
    expect([planned(scene), atMs]).toEqual([begunMs + 2000, [0]])
    host.setVisible(false)
    await host.clock.advance(60_000)
    expect([planned(scene), atMs]).toEqual([undefined, [0]])
    host.setVisible(true)
    await host.settle()
    expect(atMs).toEqual([0, 61_500])
  })

  it('of a page that was opened hidden waits until it is seen', async () => {
    const { host, auth, atMs, heal } = await startBroken(html, { host: { isVisible: false } })
    heal()
    await host.clock.advance(60_000)
    expect([auth.getState().status, atMs]).toEqual(['failed', [0]])
    host.setVisible(true)
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
  })

  it('goes on at once after a sleep that was longer than the wait', async () => {
    const { host, auth, heal } = await startBroken(html)
    heal()
    host.clock.sleep(3_600_000)
    host.emit('resume')
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
  })

  it('a click counts as an attempt, and takes the place of the planned one', async () => {
    const scene = await startBroken(html)
    const { host, atMs, begunMs } = scene
    await host.clock.advance(500)
    retry(scene)
    await host.settle()
    expect([atMs, planned(scene)]).toEqual([[0, 500], begunMs + 5500])
    await host.clock.advance(4999)
    expect(atMs).toEqual([0, 500])
    await host.clock.advance(1)
    expect([atMs, planned(scene)]).toEqual([[0, 500, 5500], begunMs + 20_500])
  })

  describe('while it is repeated by itself', () => {
    /** The repeat is under way: the server takes its time. */
    async function startRepeat() {
      const scene = await startBroken(html)
      const before = scene.auth.getState()
      const statuses: string[] = []
      scene.auth.subscribe(() => statuses.push(scene.auth.getState().status))
      const { promise, resolve: answer } = Promise.withResolvers<Response>()
      const { fetch } = scene.host
      scene.host.fetch = async (...request) => {
        const early = await fetch(...request)
        return scene.atMs.length === 2 ? promise : early
      }
      await scene.host.clock.advance(2000)
      expect(scene.atMs).toEqual([0, 2000])
      return { ...scene, before, statuses, answer }
    }

    it('stays on the screen with its error', async () => {
      const scene = await startRepeat()
      const { auth, before, statuses, answer, host } = scene
      const error = before.status === 'failed' && before.error
      expect(auth.getState()).toMatchObject({ status: 'failed', error })
      expect(planned(scene)).toBeUndefined()
      answer(html())
      await host.settle()
      expect([...new Set(statuses)]).toEqual(['failed'])
      expect(planned(scene)).toBe(scene.begunMs + 7000)
    })

    it('gives way to the session alone', async () => {
      const { auth, statuses, answer, host, server } = await startRepeat()
      host.fetch = server.fetch
      answer(html())
      await host.clock.advance(5000)
      expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
      expect([...new Set(statuses)]).toEqual(['failed', 'authenticated'])
    })

    it('takes a click for the same attempt, and shows that it is under way', async () => {
      const scene = await startRepeat()
      retry(scene)
      await scene.host.settle()
      expect([scene.auth.getState().status, scene.atMs]).toEqual(['initializing', [0, 2000]])
      scene.answer(html())
      await scene.host.settle()
      expect(scene.auth.getState().status).toBe('failed')
      await scene.host.clock.advance(5000)
      retry(scene)
      expect(scene.auth.getState().status).toBe('initializing')
    })

    it('knows nobody yet', async () => {
      const { auth } = await startRepeat()
      expect([auth.idle(), auth.presence()]).toEqual([undefined, []])
    })

    /** The server answers the repeat after all, with tokens. */
    async function succeed({ host, server, answer }: Awaited<ReturnType<typeof startRepeat>>) {
      const { url, method, headers, body } = host.requests.findLast(({ url }) =>
        url.endsWith('/oauth/token'),
      )!
      host.fetch = server.fetch
      answer(await server.fetch(url, { method, headers, body: body ?? null }))
      await host.clock.advance(120_000)
    }

    describe.each(['failed', 'initializing'])('a click (status %s)', (status) => {
      async function startClick() {
        const scene = await startRepeat()
        if (status === 'initializing') retry(scene)
        expect(scene.auth.getState().status).toBe(status)
        return scene
      }

      /** With automatic sign-in; the frame of the repeat takes its time, and finds nobody. */
      async function startSlowFrame() {
        const frames: FakeFrame[] = []
        const scene = await startBroken(html, {
          config: { autoLogin: true },
          host: { onFrame: (frame) => frames.push(frame) },
        })
        const { host, server } = scene
        server.answerFrame(frames[0]!)
        await host.clock.advance(2000)
        if (status === 'initializing') retry(scene)
        expect([scene.auth.getState().status, frames.length]).toEqual([status, 2])
        const findNobody = async () => {
          server.user = undefined
          server.answerFrame(frames[1]!)
          await host.clock.advance(120_000)
        }
        return { ...scene, findNobody }
      }

      it('on sign out leaves for the logout page, and the session that is found brings nobody back', async () => {
        const scene = await startClick()
        const { auth, host } = scene
        await auth.logout()
        await succeed(scene)
        expect(auth.getState().status).not.toBe('authenticated')
        expect(host.navigations.map((url) => new URL(url).pathname)).toEqual(['/oauth/logout'])
        await expect(auth.getAccessToken()).rejects.toMatchObject({ code: 'not-authenticated' })
      })

      it('on sign out is not followed by an automatic sign-in where no session is found', async () => {
        const { auth, host, server, findNobody } = await startSlowFrame()
        host.fetch = server.fetch
        await auth.logout()
        await findNobody()
        expect(host.navigations.map((url) => new URL(url).pathname)).toEqual(['/oauth/logout'])
      })

      it('on sign out of a server that is away says so, and the repeat changes nothing then', async () => {
        const scene = await startClick()
        scene.host.setOnline(false)
        await scene.auth.logout()
        await succeed(scene)
        expect(scene.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
      })

      it('on sign in leaves for the sign-in page once, with what was wished for', async () => {
        const { auth, host, server, findNobody } = await startSlowFrame()
        host.fetch = server.fetch
        await auth.login({ loginHint: 'bob' })
        await findNobody()
        expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
        expect(host.navigations).toHaveLength(1)
        expect(host.navigations[0]).toContain('bob')
      })

      it('on sign in stays: the session that is found meanwhile does not take its place', async () => {
        const scene = await startClick()
        scene.host.fetch = scene.server.fetch
        await scene.auth.login()
        await succeed(scene)
        expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
        expect(scene.host.navigations).toHaveLength(1)
      })
    })

    it('lets a click go to the sign-in page, and its end changes nothing then', async () => {
      const { auth, answer, host, server } = await startRepeat()
      host.fetch = server.fetch
      await auth.login()
      expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
      answer(html())
      await host.settle()
      expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
      expect(host.navigations).toHaveLength(1)
    })

    it('begins again with the next one who uses the session where it was cut off', async () => {
      const scene = createScene({ config: { autoLogin: false } })
      const { host, auth, server } = scene
      host.fetch = async () => html()
      const release = internalsOf(auth).hold()
      await host.settle()
      host.fetch = neverAnswers
      await host.clock.advance(2000)
      release()
      await host.settle()
      host.fetch = server.fetch
      internalsOf(auth).hold()
      await host.settle()
      expect(auth.getState().status).toBe('authenticated')
    })

    it('is over with dispose()', async () => {
      const { auth, host, server, answer } = await startRepeat()
      auth.dispose()
      host.fetch = server.fetch
      answer(html())
      await host.settle()
      expect(auth.getState().status).toBe('initializing')
      void auth.start()
      await host.settle()
      expect(auth.getState().status).toBe('authenticated')
      await auth.renew({ force: true })
    })
  })

  it('never sends a code a second time', async () => {
    const left = await leaveFrom(APP)
    const back = nextPage(left, left.server.callbackOf(authorizeAddress(left)))
    left.server.user = createFakeUser()
    back.host.fetch = async () => html()
    void back.auth.start()
    await back.host.settle()
    expect(back.auth.getState()).toMatchObject({ status: 'failed', error: { code: 'unexpected-answer' } })
    await back.host.clock.advance(60_000)
    const codes = tokenBodies(back.host).map(({ code }) => code)
    expect(codes.length).toBeGreaterThan(4)
    expect(new Set(codes).size).toBe(codes.length)
  })

  it.each([true, false])(
    'keeps the reason of a sign-in that failed on the screen where the server has no session (automatic sign-in: %s)',
    async (autoLogin) => {
      const left = await leaveFrom(APP)
      const back = nextPage(left, left.server.callbackOf(authorizeAddress(left)), { config: { autoLogin } })
      back.host.fetch = async () => html()
      void back.auth.start()
      await back.host.settle()
      await back.host.clock.advance(600_000)
      expect(back.auth.getState()).toMatchObject({ status: 'failed', error: { code: 'unexpected-answer' } })
      expect([planned(back), tokenBodies(back.host).length, back.host.navigations]).toEqual([
        undefined,
        1,
        [],
      ])
    },
  )

  it('goes back to the sign-in page for a torn answer where no frame can find the session', async () => {
    const left = await leaveFrom(APP)
    const back = nextPage(left, left.server.callbackOf(authorizeAddress(left)), {
      host: { onFrame: (frame) => queueMicrotask(frame.csp) },
    })
    back.host.fetch = async () => html()
    void back.auth.start()
    await back.host.settle()
    expect(back.auth.getState().status).toBe('failed')
    await back.host.clock.advance(2000)
    // The page of a network in its place is no server to leave for. With metadata by hand nothing is asked whose response can be read.
    if (!isOpenIdConnect) expect([back.auth.getState().status, back.host.navigations]).toEqual(['failed', []])
    back.host.fetch = left.server.fetch
    await back.host.clock.advance(5000)
    expect(back.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    expect(back.host.navigations).toHaveLength(1)
  })

  it('stops for good with dispose()', async () => {
    const { host, auth, atMs } = await startBroken(html)
    auth.dispose()
    await host.clock.advance(600_000)
    expect([auth.getState().status, atMs]).toEqual(['initializing', [0]])
  })

  it('begins with 2 seconds again after dispose()', async () => {
    const scene = await startBroken(html)
    const { host, auth, begunMs } = scene
    await host.clock.advance(10_000)
    auth.dispose()
    void auth.start()
    await host.settle()
    expect(planned(scene)).toBe(begunMs + 12_000)
  })

  it('rests while nobody uses the session, and goes on with the next one who does', async () => {
    const scene = createScene({ config: { autoLogin: false } })
    const { host, auth, server } = scene
    host.fetch = async () => html()
    const release = internalsOf(auth).hold()
    await host.settle()
    release()
    await host.settle()
    expect([auth.getState().status, planned(scene)]).toEqual(['failed', undefined])
    await host.clock.advance(600_000)
    expect(host.requests).toHaveLength(1)
    host.fetch = server.fetch
    internalsOf(auth).hold()
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
  })

  it('is repeated once for two who use the session', async () => {
    const scene = createScene({ config: { autoLogin: false } })
    const { host, auth } = scene
    host.fetch = async () => html()
    internalsOf(auth).hold()
    internalsOf(auth).hold()
    await host.settle()
    await host.clock.advance(2000)
    expect(host.requests).toHaveLength(2)
  })
})

describe('the end of a logout', () => {
  /** A provider may ask whether to sign out: a frame looks whether the user has. It signs nobody in. */
  const FRAME_COUNT = isOpenIdConnect ? 1 : 0

  it('brings the user back to where they were, signed out, and does not sign in again by itself', async () => {
    const scene = await startScene({ address: 'https://app.test/firms?page=2#top' })
    await scene.auth.logout()
    const logout = new URL(scene.host.navigations[0] ?? '')
    scene.server.user = undefined
    const callback = `https://app.test/?state=${logout.searchParams.get('state')}`
    const back = await comeBack(scene, callback)
    expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(back.host.address).toBe('https://app.test/firms?page=2#top')
    expect(back.host.navigations).toEqual([])
    expect(back.host.frames).toHaveLength(FRAME_COUNT)
  })

  const HOURS_MS = 9 * 3_600_000
  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    ['while the page was left', async ({ host }) => host.clock.jump(HOURS_MS)],
    ['while the page was still there', async ({ host }) => host.clock.advance(HOURS_MS)],
  ])(
    'that comes hours later, %s, is one all the same: out of the address, the place restored, nothing failed',
    async (_when, pass) => {
      const config = { autoLogin: false }
      const scene = await startScene({ address: 'https://app.test/firms?page=2#top', config })
      await scene.auth.logout()
      const state = new URL(scene.host.navigations[0] ?? '').searchParams.get('state')
      scene.server.user = undefined
      await pass(scene)
      const back = await comeBack(scene, `${APP}?state=${state}`, { config })
      expect(back.host.address).toBe('https://app.test/firms?page=2#top')
      expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
      expect(back.auth.getState()).not.toHaveProperty('cause.code')
      expect([back.host.navigations, back.host.frames.length]).toEqual([[], FRAME_COUNT])
    },
  )

  it('that comes hours later is known by a tab that has opened another page of the app meanwhile', async () => {
    const config = { autoLogin: false }
    const scene = await startScene({ address: 'https://app.test/firms?page=2', config })
    await scene.auth.logout()
    const state = new URL(scene.host.navigations[0] ?? '').searchParams.get('state')
    scene.server.user = undefined
    scene.host.clock.jump(HOURS_MS)
    const other = await comeBack(scene, `${APP}other`, { config })
    const back = await comeBack(other, `${APP}?state=${state}`, { config })
    expect(back.host.address).toBe('https://app.test/firms?page=2')
    expect(back.auth.getState()).not.toHaveProperty('cause.code')
  })

  it('with two states is no end of a logout: the address stays, and the true one still counts', async () => {
    const config = { autoLogin: false }
    const scene = await startScene({ address: 'https://app.test/firms?page=2', config })
    await scene.auth.logout()
    const state = new URL(scene.host.navigations[0] ?? '').searchParams.get('state')
    scene.server.user = undefined
    const address = `${APP}?state=${state}&state=zzz999`
    const other = await comeBack(scene, address, { config })
    expect(other.host.address).toBe(address)
    const back = await comeBack(other, `${APP}?state=${state}`, { config })
    expect(back.host.address).toBe('https://app.test/firms?page=2')
  })

  it('with a state of somebody else is no end of a logout', async () => {
    const { host, auth } = await startScene({ address: 'https://app.test/?state=zzz999' })
    expect(auth.getState().status).toBe('authenticated')
    expect(host.address).toBe('https://app.test/?state=zzz999')
  })
})

describe('without network', () => {
  it('nothing is opened and nobody is sent anywhere; it resumes by itself', async () => {
    const { host, auth } = await startScene({ host: { isOnline: false } })
    expect(auth.getState()).toMatchObject({ status: 'failed', error: { code: 'offline' }, isOnline: false })
    expect(host.frames).toEqual([])
    expect(host.navigations).toEqual([])
    host.setOnline(true)
    await host.settle()
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isOnline: true })
  })

  it('a click on sign in says so, and works again afterwards', async () => {
    const { host, auth } = await startScene({ config: { autoLogin: false }, server: { user: undefined } })
    host.setOnline(false)
    await expect(auth.login()).rejects.toMatchObject({ code: 'offline' })
    expect(host.navigations).toEqual([])
    host.setOnline(true)
    await auth.login()
    expect(host.navigations).toHaveLength(1)
  })
})

describe('a loop of redirects', () => {
  it('stops after three automatic ones within a minute, with a reason and a way on', async () => {
    let scene = await leaveFrom(APP)
    for (let round = 0; round < 2; round += 1) {
      scene = await comeBack(scene, APP)
      expect(scene.auth.getState().status).toBe('redirecting')
    }
    scene = await comeBack(scene, APP)
    expect(scene.auth.getState()).toMatchObject({ status: 'failed', error: { code: 'redirect-loop' } })
    expect(scene.host.navigations).toEqual([])
    scene.host.emit('online')
    scene.host.emit('focus')
    await scene.host.settle()
    expect(scene.host.navigations).toEqual([])
    await scene.auth.login()
    expect(scene.host.navigations).toHaveLength(1)
  })

  it('is none when a minute lies between them', async () => {
    let scene = await leaveFrom(APP)
    for (let round = 0; round < 5; round += 1) {
      await scene.host.clock.advance(61_000)
      scene = await comeBack(scene, APP)
      expect(scene.auth.getState().status).toBe('redirecting')
    }
  })

  it('does not count the clicks of the user', async () => {
    const { host, auth } = await startScene({ config: { autoLogin: false }, server: { user: undefined } })
    for (let round = 0; round < 6; round += 1) await auth.login()
    expect(host.navigations).toHaveLength(6)
  })
})

describe('signing in', () => {
  const signedOut = () => startScene({ config: { autoLogin: false }, server: { user: undefined } })

  it('from many places in one tick leaves once, with one attempt', async () => {
    const { host, auth } = await signedOut()
    await Promise.all(Array.from({ length: 20 }, () => auth.login()))
    expect(host.navigations).toHaveLength(1)
    const { attempts } = JSON.parse(host.sessionStorage.entries()[STORAGE_KEY] ?? '{}')
    expect(Object.keys(attempts)).toHaveLength(1)
  })

  it.each(['denied', 'throws', 'full'] as const)(
    'with a %s storage says so and stays on the page',
    async (fault) => {
      const { host, auth } = await signedOut()
      host.sessionStorage.fault = fault
      await expect(auth.login()).rejects.toMatchObject({ code: 'storage-unavailable' })
      expect(host.navigations).toEqual([])
      expect(auth.getState().status).toBe('unauthenticated')
    },
  )

  it('with all storages denied still works through the frame', async () => {
    const scene = createScene()
    scene.host.sessionStorage.fault = 'denied'
    scene.host.localStorage.fault = 'denied'
    void scene.auth.start()
    await scene.host.settle()
    expect(scene.auth.getState().status).toBe('authenticated')
  })

  it('can return to another place of this app', async () => {
    const left = await signedOut()
    await left.auth.login({ returnTo: '/welcome?first=1#x' })
    const back = await comeBack(left, left.server.callbackOf(authorizeAddress(left)))
    expect(back.host.address).toBe('https://app.test/welcome?first=1#x')
  })

  it.each([
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    'javascript:alert(1)',
    'blob:https://app.test/1',
  ])('cannot return to %s', async (returnTo) => {
    const { host, auth } = await signedOut()
    await expect(auth.login({ returnTo })).rejects.toMatchObject({ code: 'redirect-refused' })
    expect(host.navigations).toEqual([])
  })

  it('asks the server for what the app wants: prompt, redirect URI, remember me', async () => {
    const { host, auth } = await startScene({
      config: { autoLogin: false, rememberMe: true, redirectUri: 'https://app.test/callback' },
      server: { user: undefined },
    })
    await auth.login({ prompt: 'login' })
    const { searchParams } = new URL(host.navigations[0] ?? '')
    expect(searchParams.get('prompt')).toBe('login')
    expect(searchParams.get('remember_me')).toBe(isOpenIdConnect ? null : 'true')
    expect(searchParams.get('redirect_uri')).toBe('https://app.test/callback')
  })

  it('is undone by the back button: the page says cancelled and works', async () => {
    const { host, auth } = await signedOut()
    await auth.login()
    host.emit('restored')
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'cancelled' })
    await auth.login()
    expect(host.navigations).toHaveLength(2)
  })
})

it('a page in our own hidden frame begins no session of its own', async () => {
  const { host, auth } = await startScene({ host: { windowName: 'agent-iframe' } })
  expect(host.frames).toEqual([])
  expect(host.requests).toEqual([])
  expect(auth.getState().status).toBe('initializing')
})

it('what waits for start-up in our own hidden frame, a guard or a redirect to the first page, goes no further', async () => {
  const { host, auth } = createScene({ host: { windowName: 'agent-iframe' } })
  let hasGoneOn = false
  void auth.start().then(() => (hasGoneOn = true))
  await host.settle()
  expect(hasGoneOn).toBe(false)
})

it('two clients on one page do not take each other’s attempts', async () => {
  const left = await leaveFrom(APP)
  const back = nextPage(left, left.server.callbackOf(authorizeAddress(left)))
  const other = createAuth(
    { ...CONFIG, clientId: 'other', autoLogin: false },
    { platform: back.host.platform },
  )
  await Promise.all([other.start(), back.auth.start(), back.host.settle()])
  expect(back.auth.getState().status).toBe('authenticated')
})

it('explains every step with its time, and shows no secret', async () => {
  const left = await leaveFrom(APP)
  const callback = left.server.callbackOf(authorizeAddress(left))
  const back = await comeBack(left, callback)
  const steps = stepsOfPage(back.auth)
  // What the page before did is there, too.
  expect(back.auth.explain().slice(0, -steps.length)).toContainEqual(
    expect.objectContaining({ step: 'auto-login', outcome: 'started' }),
  )
  expect(steps.map(({ step, outcome }) => `${step}: ${outcome}`)).toEqual([
    'code in the address: started',
    ...(isOpenIdConnect ? ['ID token: done'] : []),
    'state: done',
    'code in the address: done',
    'unique session: skipped',
  ])
  expect(steps.every(({ atMs }) => atMs === back.host.clock.nowMs)).toBe(true)
  const text = JSON.stringify(steps)
  for (const secret of ['code-1', 'refresh-', 'eyJ', 'jti']) expect(text).not.toContain(secret)
})
