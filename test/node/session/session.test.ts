// The auth object as an app sees it: nothing before start-up has ended, one state at a time, nothing left after dispose.
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type AuthError, loginRequired } from '../../../src/base/errors.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { type AuthState, initialState, type StateEvent, transition } from '../../../src/session/state.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createScene, nextPage, type Scene, startScene, tokenBodies } from './sessionScene.ts'
import { holdResponses } from '../../holdRequests.ts'
import { reachableTexts } from '../../reachableTexts.ts'

describe('before start-up has ended', () => {
  const OPERATIONS: readonly [string, (auth: Auth) => unknown][] = [
    ['login', (auth) => auth.login()],
    ['logout', (auth) => auth.logout()],
    ['renew', (auth) => auth.renew()],
    ['a forced renew', (auth) => auth.renew({ force: true })],
    ['stopRenewal', (auth) => auth.stopRenewal()],
    ['getAccessToken', (auth) => auth.getAccessToken()],
    ['fetch', (auth) => auth.fetch('/x')],
    ['fetch.raw', (auth) => auth.fetch.raw('/x')],
    ['fetch.native', (auth) => auth.fetch.native('/x')],
    ['fetch.create', (auth) => auth.fetch.create({})('/x')],
    ['stepUp', (auth) => auth.stepUp(loginRequired())],
    ['switchTo', (auth) => auth.switchTo({ firmId: 'f2' })],
    ['idle', (auth) => auth.idle()],
    ['presence', (auth) => auth.presence()],
    ['a call of a query', (auth) => internalsOf(auth).call({ method: 'GET', path: '/api/userinfo' })],
  ]

  it('explain says what has happened so far', async () => {
    const { host, auth } = createScene({ isFrameMute: true })
    expect(auth.explain()).toEqual([])
    void auth.start()
    await host.settle()
    expect(auth.getState().status).toBe('initializing')
    expect(auth.explain()).toMatchObject([{ step: 'code in the address', outcome: 'skipped' }])
  })

  it.each(OPERATIONS)('%s fails with its exact text, started or not', async (_name, operate) => {
    const { host, auth } = createScene({ isFrameMute: true })
    const attempt = async () => operate(auth)
    await expect(attempt()).rejects.toMatchObject({ code: 'not-initialised', message: 'Not init yet' })
    void auth.start()
    await host.settle()
    await expect(attempt()).rejects.toMatchObject({ code: 'not-initialised', message: 'Not init yet' })
    expect(host.requests).toEqual([])
    expect(host.navigations).toEqual([])
  })

  it('state, listeners, hooks and dispose work', () => {
    const { auth } = createScene()
    expect(auth.getState()).toEqual({
      status: 'initializing',
      isOnline: true,
      realtime: 'off',
      isTokenExpired: false,
    })
    auth.subscribe(() => {})()
    auth.setHook('afterLogin', () => {})()
    auth.onUserGone(() => {})()
    auth.addEventListener('invoice', 'approved', () => {})()
    expect(auth.supports('userInfo')).toBe(true)
    expect(() => auth.dispose()).not.toThrow()
  })

  it('nothing runs: the auth object alone is no session', () => {
    const { host } = createScene()
    expect(Object.values(host.counts())).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('a listener', () => {
  it('is called for every change, and not after it was removed', async () => {
    const { host, auth } = createScene()
    const seen: string[] = []
    const remove = auth.subscribe(() => seen.push(auth.getState().status))
    void auth.start()
    await host.settle()
    remove()
    remove()
    await auth.logout()
    expect(seen).toEqual(['authenticated'])
  })

  it('is told of a renewal, whose expiry it may show, without another state', async () => {
    const { auth } = await startScene()
    const before = auth.getState()
    let calls = 0
    auth.subscribe(() => (calls += 1))
    await auth.renew({ force: true })
    expect(calls).toBe(1)
    expect(auth.getState()).toBe(before)
  })

  it('that removes itself while it is called does not starve the others', async () => {
    const { auth } = await startScene()
    const seen: string[] = []
    const remove = auth.subscribe(() => {
      seen.push('first')
      remove()
    })
    auth.subscribe(() => seen.push('second'))
    await auth.renew({ force: true })
    await auth.renew({ force: true })
    expect(seen).toEqual(['first', 'second', 'second'])
  })

  it('sees the network come and go beside the state', async () => {
    const { host, auth } = await startScene()
    host.setOnline(false)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isOnline: false })
    host.setOnline(true)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', isOnline: true })
  })
})

describe('the state', () => {
  const flags = { isOnline: true, realtime: 'connected', isTokenExpired: false } as const
  const session = { claims: { userId: 'alice', jti: 'j1', exp: 5 }, expiresAtMs: 7 }
  const error = loginRequired()
  const retry = () => {}
  const EVENTS: readonly [StateEvent, object][] = [
    [{ type: 'restarted' }, { status: 'initializing', realtime: 'off' }],
    [
      { type: 'authenticated', session },
      { status: 'authenticated', user: { userId: 'alice' }, expiresAtMs: 7 },
    ],
    [
      { type: 'absent', reason: 'idle' },
      { status: 'unauthenticated', reason: 'idle', realtime: 'off' },
    ],
    [
      { type: 'absent', reason: 'none', cause: error },
      { status: 'unauthenticated', reason: 'none', cause: error },
    ],
    [
      { type: 'redirecting', to: 'logout' },
      { status: 'redirecting', to: 'logout' },
    ],
    [
      { type: 'failed', error, retry },
      { status: 'failed', error, retry },
    ],
  ]

  it.each(EVENTS)(
    'follows %o from every other state, frozen, with the network beside it',
    (event, expected) => {
      for (const [before] of EVENTS) {
        const from = transition(initialState(flags), before)
        const next = transition(from, event)
        expect(next).toMatchObject({ isOnline: true, ...expected })
        expect(Object.isFrozen(next)).toBe(true)
        expect(Object.keys(next)).not.toContain('undefined')
      }
    },
  )

  it('is the same object when nothing changed', () => {
    const state = initialState(flags)
    expect(transition(state, { type: 'flags', flags: {} })).toBe(state)
    expect(transition(state, { type: 'flags', flags: { isOnline: true } })).toBe(state)
    expect(transition(state, { type: 'flags', flags: { realtime: 'connected' } })).toBe(state)
    expect(transition(state, { type: 'planned', retryAtMs: 1 })).toBe(state)
    const failed = transition(state, { type: 'failed', error, retry })
    const planned = transition(failed, { type: 'planned', retryAtMs: 1 })
    expect(transition(failed, { type: 'planned', retryAtMs: undefined })).toBe(failed)
    expect(transition(planned, { type: 'planned', retryAtMs: 1 })).toBe(planned)
    expect(transition(planned, { type: 'planned', retryAtMs: undefined })).toEqual(failed)
  })

  it('says only of somebody who is signed in that the token’s life is over', () => {
    const expired = { type: 'flags', flags: { isTokenExpired: true } } as const
    for (const [before] of EVENTS) {
      const state = transition(transition(initialState(flags), before), expired)
      expect(state.isTokenExpired).toBe(state.status === 'authenticated')
      for (const [next] of EVENTS) expect(transition(state, next).isTokenExpired).toBe(false)
    }
  })

  it('keeps an expiry that follows renewals when a flag changes', () => {
    const live = { claims: session.claims, expiresAtMs: 1 }
    const signedIn = transition(initialState(flags), { type: 'authenticated', session: live })
    const offline = transition(signedIn, { type: 'flags', flags: { isOnline: false } })
    live.expiresAtMs = 2
    expect(offline).toMatchObject({ status: 'authenticated', expiresAtMs: 2, isOnline: false })
  })

  it('shows the user without a token: only what is read of it', async () => {
    const { auth } = await startScene()
    const state = auth.getState()
    const user = (state as Extract<AuthState, { status: 'authenticated' }>).user
    expect(Object.keys(user).toSorted()).toEqual(['aud', 'exp', 'firmId', 'jti', 'sessionId', 'userId'])
    expect(inspect(state, { depth: 9, showHidden: true, getters: true })).not.toMatch(/eyJ|refresh-|verifier/)
  })
})

it('shows no secret to whoever walks everything an app can reach from the auth object', async () => {
  const { host, auth } = await startScene({ config: { autoRefreshToken: true } })
  await auth.renew({ force: true })
  const secrets = [
    await auth.getAccessToken(),
    ...tokenBodies(host).flatMap((body) => [body['code'], body['code_verifier'], body['refresh_token']]),
  ].filter((secret) => secret !== undefined)
  expect(secrets.length).toBeGreaterThanOrEqual(4)

  const texts = reachableTexts(
    auth,
    auth.getState(),
    auth.explain(),
    host.localStorage.entries(),
    host.sessionStorage.entries(),
    host.browser.posted,
    host.warnings,
    [host.address, host.navigations, host.replacedAddresses],
  )
  for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([])
})

describe('dispose', () => {
  it('leaves nothing running, and the session of the server alone', async () => {
    const { host, auth } = await startScene({ config: { autoRefreshToken: true } })
    await host.clock.advance(10_000)
    auth.dispose()
    await host.settle()
    expect(Object.values(host.counts())).toEqual([0, 0, 0, 0, 0, 0])
    expect(host.navigations).toEqual([])
    expect(auth.getState().status).toBe('initializing')
    await expect(auth.getAccessToken()).rejects.toThrow('Not init yet')
  })

  it('can be followed by another start', async () => {
    const { host, auth } = await startScene()
    auth.dispose()
    await host.settle()
    void auth.start()
    await host.settle()
    await host.clock.advance(2000)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('twice, or before start, harms nobody', () => {
    const { auth } = createScene()
    auth.dispose()
    auth.dispose()
    expect(auth.getState().status).toBe('initializing')
  })

  /** Holds back every answer of the server until it is let go. */
  function holdAnswers({ host, auth }: Pick<Scene, 'host' | 'auth'>) {
    const release = holdResponses(host)
    const seen: string[] = []
    auth.subscribe(() => seen.push(auth.getState().status))
    const letGo = async () => {
      release()
      await host.settle()
      await host.clock.advance(20_000)
    }
    return { seen, letGo }
  }

  it('during the exchange of a code ends nobody signed in, and the next start asks the server anew', async () => {
    const first = await startScene({ config: { verifyFirstVisit: false } })
    const { host, auth } = nextPage(first, first.server.callbackOf(first.host.navigations[0] ?? ''))
    const { seen, letGo } = holdAnswers({ host, auth })
    void auth.start()
    await host.settle()
    expect(tokenBodies(host)).toMatchObject([{ grant_type: 'authorization_code' }])
    auth.dispose()
    await letGo()
    expect(seen).not.toContain('authenticated')
    expect(auth.getState().status).toBe('initializing')
    void auth.start()
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
    expect(tokenBodies(host)).toHaveLength(2)
  })

  it('during the exchange of a code, and begun again at once: the code is spent, the server is asked anew', async () => {
    const first = await startScene({ config: { verifyFirstVisit: false } })
    const { host, auth } = nextPage(first, first.server.callbackOf(first.host.navigations[0] ?? ''))
    const { letGo } = holdAnswers({ host, auth })
    void auth.start()
    await host.settle()
    auth.dispose()
    void auth.start()
    await letGo()
    expect(auth.getState().status).toBe('authenticated')
    expect(first.server.tokenRequests.filter(({ isGranted }) => !isGranted)).toEqual([])
  })

  it('is none: a page unmounted during the exchange of a code, and mounted again, is signed in and can sign out', async () => {
    const first = await startScene({ config: { verifyFirstVisit: false } })
    const { host, auth } = nextPage(first, first.server.callbackOf(first.host.navigations[0] ?? ''))
    const { letGo } = holdAnswers({ host, auth })
    const { hold } = internalsOf(auth)
    const release = hold()
    await host.settle()
    expect(tokenBodies(host)).toHaveLength(1)
    release()
    await host.settle()
    hold()
    await letGo()
    expect(auth.getState().status).toBe('authenticated')
    expect(tokenBodies(host)).toHaveLength(1)
    await auth.logout()
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  })

  it('during the silent check ends nobody signed in', async () => {
    const { auth, host } = createScene()
    const { seen, letGo } = holdAnswers({ auth, host })
    void auth.start()
    await host.settle()
    expect(tokenBodies(host)).toHaveLength(1)
    auth.dispose()
    await letGo()
    expect(seen).not.toContain('authenticated')
    expect(host.localStorage.get('latchkey https://auth.test admin session')).toBeUndefined()
    expect(Object.values(host.counts())).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('during a renewal ends nobody signed in', async () => {
    const { auth, host } = await startScene()
    const { seen, letGo } = holdAnswers({ auth, host })
    const renewing = auth.renew({ force: true }).catch((error: unknown) => (error as AuthError).code)
    await host.settle()
    auth.dispose()
    await letGo()
    expect(await renewing).toBe('not-authenticated')
    expect(seen).toEqual(['initializing'])
  })

  it.each([0, 1, 2, 3, 5, 8, 13, 21, 34, 55])(
    'while a new tab is handed the session of another one, %i steps in, ends nobody signed in',
    async (steps) => {
      const first = await startScene()
      await first.host.clock.advance(1_000)
      const { browser } = first.host
      const second = createScene({ host: { browser, fetch: first.server.fetch } })
      const seen: string[] = []
      second.auth.subscribe(() => seen.push(second.auth.getState().status))
      void second.auth.start()
      for (let step = 0; step < steps; step += 1) await new Promise((resolve) => setImmediate(resolve))
      second.auth.dispose()
      const before = seen.length
      await first.host.clock.advance(5_000)
      expect(seen.slice(before)).toEqual([])
      expect(second.auth.getState().status).toBe('initializing')
    },
  )

  it('while a tab takes over a sign-in of another one ends nobody signed in', async () => {
    for (let steps = 0; steps < 30; steps += 1) {
      const waiting = await startScene({ config: { autoLogin: false }, server: { user: undefined } })
      const { browser } = waiting.host
      const other = createScene({ config: { autoLogin: false }, host: { browser } })
      const seen: string[] = []
      void other.auth.start()
      for (let step = 0; step < steps; step += 1) await new Promise((resolve) => setImmediate(resolve))
      waiting.auth.subscribe(() => seen.push(waiting.auth.getState().status))
      waiting.auth.dispose()
      const before = seen.length
      await waiting.host.clock.advance(5_000)
      expect(seen.slice(before), `after ${steps} steps`).toEqual([])
      expect(waiting.auth.getState().status).toBe('initializing')
      other.auth.dispose()
    }
  })

  it('just after the click on "Sign in" leaves the page where it is', async () => {
    const { auth, host } = await startScene({ config: { autoLogin: false }, server: { user: undefined } })
    const leaving = auth.login().catch((error: unknown) => error)
    auth.dispose()
    await host.settle()
    await leaving
    expect(host.navigations).toEqual([])
    expect(auth.getState().status).toBe('initializing')
  })

  it('a hundred starts and disposes leave no listener, timer, frame or channel', async () => {
    const { host, auth } = createScene()
    for (let round = 0; round < 100; round += 1) {
      void auth.start()
      await host.settle()
      auth.dispose()
    }
    await host.clock.advance(5000)
    expect(Object.values(host.counts())).toEqual([0, 0, 0, 0, 0, 0])
  }, 60_000)
})

describe('a start-up that was cut off while the answer was on its way, and has begun again', () => {
  /** The second one finds out nothing by itself: its request fails, or its frame keeps silent. */
  async function beginAgain(second: 'request fails' | 'frame is mute') {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let frameCount = 0
    const scene: Scene = createScene({
      host: {
        onFrame(frame) {
          frameCount += 1
          if (frameCount === 1 || second === 'request fails')
            queueMicrotask(() => scene.server.answerFrame(frame))
        },
        async fetch(...request) {
          if (scene.server.tokenRequests.length > 0) {
            await new Promise<void>((resolve) => scene.host.platform.setTimer(resolve, 1000))
            return Response.json({}, { status: 503 })
          }
          const answer = await scene.server.fetch(...request)
          await released
          return answer
        },
      },
    })
    const seen: string[] = []
    scene.auth.subscribe(() => seen.push(scene.auth.getState().status))
    const letGo = internalsOf(scene.auth).hold()
    await scene.host.settle()
    letGo()
    await scene.host.settle()
    internalsOf(scene.auth).hold()
    await scene.host.settle()
    release()
    await scene.host.clock.advance(120_000)
    return { ...scene, seen }
  }

  it.each(['request fails', 'frame is mute'] as const)(
    'has the session that came late, even when its own %s',
    async (second) => {
      const { auth, host, seen } = await beginAgain(second)
      expect(seen.at(-1)).toBe('authenticated')
      expect(seen).not.toContain('failed')
      expect(await auth.getAccessToken()).toBeTypeOf('string')
      expect(host.navigations).toEqual([])
    },
  )
})

describe('a page that asks "Leave this page?"', () => {
  const leaving = async () => {
    const scene = await startScene()
    void internalsOf(scene.auth).leaveSignedIn(
      'change-password',
      () => 'https://auth.test/oauth/changepassword',
    )
    await scene.host.settle()
    expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'change-password' })
    return scene
  }

  it('on which the user stays is signed in again', async () => {
    const { auth, host } = await leaving()
    await host.clock.advance(4_999)
    expect(auth.getState().status).toBe('redirecting')
    await host.clock.advance(1)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
  })

  it('on which the user signs out meanwhile stays signed out', async () => {
    const { auth, host } = await leaving()
    void auth.logout()
    await host.clock.advance(4_000)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    await host.clock.advance(4_000)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })
})

describe('a page that the user does not leave after all: "Stay on page"', () => {
  it('is theirs again after 5 seconds', async () => {
    const { host, auth } = await startScene()
    await auth.login()
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    await host.clock.advance(4_999)
    expect(auth.getState().status).toBe('redirecting')
    await host.clock.advance(1)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    await expect(auth.getAccessToken()).resolves.toBeTypeOf('string')
  })

  it('is theirs at once where the browser tells', async () => {
    const { host, auth } = await startScene()
    await auth.login()
    host.emit('stayed')
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
  })

  it('is that of nobody, at once where the browser tells, when they had left to sign in', async () => {
    const { host, auth } = await startScene({ server: { user: undefined } })
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    host.emit('stayed')
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'cancelled' })
  })

  it('is that of nobody, after 5 seconds where the browser does not tell, when they had left to sign in', async () => {
    const { host, auth } = createScene({ server: { user: undefined } })
    Object.assign(host.platform, { isStayTold: false })
    void auth.start()
    await host.settle()
    await host.clock.advance(4_999)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    await host.clock.advance(1)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'cancelled' })
  })

  it('says after a logout, where the browser tells, that the server has not heard of it', async () => {
    const { host, auth } = await startScene()
    await auth.logout()
    host.emit('stayed')
    expect(auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: { code: 'logout-failed' },
    })
  })

  it('is nobody’s after a logout: after 5 seconds it says so, and the next sign-in asks who it is', async () => {
    const { host, auth } = await startScene()
    await auth.logout()
    await host.clock.advance(4_999)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    await host.clock.advance(1)
    expect(auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: { code: 'logout-failed' },
    })
    await auth.login()
    expect(new URL(host.navigations.at(-1)!).searchParams.get('prompt')).toBe('login')
  })

  it('says nothing while it is hidden after a logout: nobody looks, and it may be on its way', async () => {
    const { host, auth } = await startScene()
    await auth.logout()
    host.setVisible(false)
    await host.clock.advance(60_000)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    host.setVisible(true)
    await host.clock.advance(5_000)
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })
})
