// The hidden frame: what it is asked, whose answer counts, how it is seen to fail, and that nothing of it stays (F15-F18, F50).
import { describe, expect, it } from 'vitest'
import { tabKey } from '../../../src/protocol/storageKeys.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import {
  APP,
  CLIENT,
  createScene,
  nextPage,
  NOBODY,
  type Scene,
  type SceneOptions,
  startScene,
  tokenBodies,
  CONFIG,
  CONNECTED,
} from '../session/sessionScene.ts'
import { LARGEST_TIMER_DELAY_MS } from '../../../src/base/constants.ts'
import { OFFLINE_FRAME_MS } from '../../../src/base/sessionConstants.ts'
import { parseConfig } from '../../../src/protocol/config.ts'
import { createTabRecords } from '../../../src/session/signIn/tabRecords.ts'
import { askInFrame, type FrameOptions } from '../../../src/session/signIn/hiddenFrame.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'
import { getEventListeners } from 'node:events'

const AUTH = 'https://auth.test'
/** How long a frame that has loaded may say nothing. */
const GRACE_MS = 10_000

const frameOptions = (host: FakeHost, others: Partial<FrameOptions> = {}): FrameOptions => ({
  settings: parseConfig(CONFIG),
  platform: host.platform,
  tabRecords: createTabRecords(host.sessionStorage, CLIENT),
  server: CONNECTED,
  reachability: THERE,
  tokens: { current: undefined },
  redirectUri: () => APP,
  ...others,
})

/** Start-up has opened the frame; nobody has answered. */
async function openFrame(options: SceneOptions = {}) {
  const scene = await startScene({
    isFrameMute: true,
    ...options,
    config: { autoLogin: false, ...options.config },
  })
  const frame = scene.host.frames[0] as FakeFrame
  expect(scene.host.frames).toHaveLength(1)
  return { ...scene, frame }
}

/** What is alive when start-up has ended without a session, and nothing of the frame is left: the channel on which another tab tells of a sign-in. */
const AT_REST = { listeners: 10, timers: 0, frames: 0, popups: 0, channels: 1, locks: 0 }

describe('the frame', () => {
  it('is named agent-iframe and asks for a session without showing anything', async () => {
    const { frame } = await openFrame()
    expect(frame.name).toBe('agent-iframe')
    expect(Object.fromEntries(frame.parameters)).toEqual({
      response_type: 'code',
      client_id: 'admin',
      redirect_uri: APP,
      scope: 'openid,profile',
      state: expect.stringMatching(/^[A-Za-z0-9]{6}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      prompt: 'none',
      response_mode: 'web_message',
    })
  })

  it('keeps its attempt in memory: while it is open only its state is stored, and that goes with its answer', async () => {
    const { host, server, frame } = await openFrame()
    const state = new URL(frame.url).searchParams.get('state')!
    const { authHost } = server
    expect(Object.values(host.sessionStorage.entries()).map((text) => JSON.parse(text).attempts)).toEqual([
      { [state]: { authHost, redirectUri: APP, createdAtMs: host.clock.nowMs, isOver: true } },
    ])
    expect(host.localStorage.entries()).toEqual({})
    server.answerFrame(frame)
    await host.settle()
    expect(host.sessionStorage.entries()).toEqual({})
  })

  it('stays for 2 seconds after its answer, and goes then', async () => {
    const { host, server, auth, frame } = await openFrame()
    server.answerFrame(frame)
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
    await host.clock.advance(1999)
    expect(frame.isOpen).toBe(true)
    await host.clock.advance(1)
    expect(frame.isOpen).toBe(false)
  })

  it('also after the answer that there is no session', async () => {
    const { host, server, auth, frame } = await openFrame()
    server.user = undefined
    server.answerFrame(frame)
    await host.settle()
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'none' })
    await host.clock.advance(1999)
    expect(host.frames).toHaveLength(1)
    await host.clock.advance(1)
    expect(host.frames).toEqual([])
    expect(host.counts()).toEqual(AT_REST)
  })

  it('answers when it loads first and speaks a little later', async () => {
    const { host, server, auth, frame } = await openFrame()
    frame.load()
    await host.clock.advance(GRACE_MS - 1)
    server.answerFrame(frame)
    await host.clock.advance(GRACE_MS)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('sends the code with the verifier of its own challenge', async () => {
    const { host, server, frame } = await openFrame()
    server.answerFrame(frame)
    await host.settle()
    const [body] = tokenBodies(host)
    expect(body).toMatchObject({ grant_type: 'authorization_code', code: 'code-1', redirect_uri: APP })
    expect(body?.['code_verifier']).toHaveLength(64)
    expect(server.tokenRequests).toEqual([{ grantType: 'authorization_code', isGranted: true }])
  })
})

describe('an answer', () => {
  it('counts once: a second one and a late one change nothing and report nothing', async () => {
    const { host, server, auth, frame } = await openFrame()
    server.answerFrame(frame)
    frame.answer({ error: 'login_required' })
    frame.answer({ code: 'another' })
    await host.settle()
    frame.answer({ error: 'access_denied' })
    await host.clock.advance(5000)
    frame.answer({ code: 'late' })
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
    expect(tokenBodies(host)).toHaveLength(1)
    expect(host.warnings).toEqual([])
  })

  it('leaves no timer, however often it comes and whenever its page has loaded', async () => {
    const { host, auth, frame } = await openFrame({ server: { user: undefined } })
    frame.answer({ error: 'login_required' })
    frame.answer({ error: 'login_required' })
    frame.load()
    await host.settle()
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'none' })
    expect(host.counts()).toMatchObject({ timers: 1, frames: 1 })
    await host.clock.advance(2000)
    expect(host.counts()).toEqual(AT_REST)
  })

  it.each<[string, unknown]>([
    ['of another shape', { type: 'authorization_response', code: 'c1' }],
    ['of another type', { type: 'other', response: { code: 'c1', state: 'abc123' } }],
    ['of another state', { type: 'authorization_response', response: { code: 'c1', state: 'abc123' } }],
    ['that is null', null],
    ['that is a text', 'authorization_response'],
    ['that is a number', 7],
    ['without a response', { type: 'authorization_response' }],
    ['whose response is a list', { type: 'authorization_response', response: [] }],
  ])('%s is not heard: the frame goes on waiting for its own', async (_what, data) => {
    const { host, server, auth, frame } = await openFrame()
    frame.post(data)
    await host.settle()
    expect(auth.getState().status).toBe('initializing')
    expect(frame.isOpen).toBe(true)
    server.answerFrame(frame)
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
    expect(host.warnings).toEqual([])
  })

  it('of another issuer is refused', async () => {
    const { host, auth, frame } = await openFrame()
    frame.answer({ code: 'c1', iss: 'https://evil.test' })
    await host.settle()
    expect(tokenBodies(host)).toEqual([])
    expect(auth.getState().status).toBe('failed')
  })

  it.each(['login_required', 'interaction_required', 'consent_required', 'account_selection_required'])(
    '%s means that there is no session: no error, and the next load asks again',
    async (error) => {
      const { host, auth, frame, server } = await openFrame()
      frame.answer({ error })
      await host.settle()
      expect(auth.getState()).toEqual(NOBODY)
      const next = nextPage({ host, server, auth }, APP)
      void next.auth.start()
      await next.host.settle()
      expect(next.auth.getState().status).toBe('authenticated')
    },
  )

  it('of a server in trouble is shown as such and can be tried again', async () => {
    const { host, auth, frame } = await openFrame({ config: { autoLogin: true } })
    frame.answer({ error: 'server_error' })
    await host.settle()
    expect(auth.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'authorization-refused', retryable: true },
    })
    expect(host.navigations).toEqual([])
  })
})

describe('a frame that does not answer', () => {
  it('is given up at the limit of 60 seconds with its exact text', async () => {
    const { host, auth, frame } = await openFrame()
    await host.clock.advance(59_999)
    expect(auth.getState().status).toBe('initializing')
    await host.clock.advance(1)
    expect(auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'none',
      cause: { code: 'iframe-timeout', message: 'agent-iframe timeout' },
    })
    expect(frame.isOpen).toBe(false)
    expect(auth.explain().some(({ error }) => error?.message === 'agent-iframe timeout')).toBe(true)
  })

  it('is given up at the limit that the app sets, in seconds', async () => {
    const { host, auth } = await openFrame({ config: { iframeTimeoutInSeconds: 5 } })
    await host.clock.advance(4999)
    expect(auth.getState().status).toBe('initializing')
    await host.clock.advance(1)
    expect(auth.getState().status).toBe('unauthenticated')
  })

  // An hour of looking at an OpenID Connect frame every 20 ms is too long for a test.
  it('waits without a timer when the limit is longer than a timer can be', async () => {
    const { host, server, auth, frame } = await openFrame({ config: { iframeTimeoutInSeconds: 3_000_000 } })
    expect(host.counts().timers).toBe(0)
    await host.clock.advance(3_600_000)
    server.answerFrame(frame)
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
  })

  it('leaves nothing behind: no frame, no timer, no listener, no stored attempt', async () => {
    const { host, server, frame } = await openFrame()
    await host.clock.advance(60_000)
    expect(host.counts()).toEqual(AT_REST)
    // By this a late answer is recognised, and goes out of the address: no code can be exchanged with it.
    const state = frame.parameters.get('state')!
    const { authHost } = server
    const attempts = Object.values(host.sessionStorage.entries()).map((text) => JSON.parse(text).attempts)
    expect(attempts).toEqual([
      { [state]: { authHost, redirectUri: APP, createdAtMs: expect.any(Number), isOver: true } },
    ])
    expect(host.localStorage.entries()).toEqual({})
  })

  it('lets the user in by a redirect', async () => {
    const { host, auth } = await openFrame({ config: { autoLogin: true } })
    await host.clock.advance(60_000)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    expect(host.navigations).toHaveLength(1)
  })

  it('that answers after the limit is not heard', async () => {
    const { host, server, auth, frame } = await openFrame()
    await host.clock.advance(60_000)
    server.answerFrame(frame)
    await host.settle()
    expect(auth.getState().status).toBe('unauthenticated')
    expect(tokenBodies(host)).toEqual([])
  })
})

describe('a frame that can be seen to fail', () => {
  it.each<[string, (frame: FakeFrame) => void, string]>([
    ['forbidden by the page', (frame) => frame.csp(), 'csp'],
    ['taken out of the page', (frame) => frame.remove(), 'removed'],
  ])('%s fails at once with a reason', async (_what, fail, reason) => {
    const { host, auth, frame } = await openFrame()
    fail(frame)
    await host.settle()
    expect(auth.getState()).toMatchObject({
      status: 'unauthenticated',
      cause: { code: 'iframe-blocked', message: `agent-iframe blocked: ${reason}` },
    })
    expect(host.counts()).toEqual(AT_REST)
  })

  it.each([
    [`${GRACE_MS / 1000} seconds`, {}, GRACE_MS],
    ['the configured time where that is shorter', { iframeTimeoutInSeconds: 2 }, 2000],
    [`${GRACE_MS / 1000} seconds also without a limit`, { iframeTimeoutInSeconds: 3_000_000 }, GRACE_MS],
  ])('once it has loaded has %s to answer', async (_what, config, waitMs) => {
    const { host, auth, frame } = await openFrame({ config })
    frame.load()
    await host.clock.advance(waitMs - 1)
    expect(auth.getState().status).toBe('initializing')
    await host.clock.advance(1)
    expect(auth.getState()).toMatchObject({
      status: 'unauthenticated',
      cause: { code: 'iframe-timeout', message: 'agent-iframe timeout' },
    })
    expect(host.counts()).toEqual(AT_REST)
    // An engineer is told where frames that load and say nothing come from.
    const [failure] = auth.explain().flatMap(({ error }) => error ?? [])
    expect(failure?.remedy).toContain('X-Frame-Options')
  })

  it('never has longer than the configured time, however late it loads', async () => {
    const { host, auth, frame } = await openFrame()
    await host.clock.advance(58_000)
    frame.load()
    await host.clock.advance(1999)
    expect(auth.getState().status).toBe('initializing')
    await host.clock.advance(1)
    expect(auth.getState()).toMatchObject({ cause: { code: 'iframe-timeout' } })
  })

  it('loaded several times, through redirects, has its time after the last one', async () => {
    const { host, server, auth, frame } = await openFrame()
    frame.load()
    await host.clock.advance(GRACE_MS - 1000)
    frame.load()
    await host.clock.advance(GRACE_MS - 500)
    server.answerFrame(frame)
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
  })

  it.each<[string, (frame: FakeFrame) => void]>([
    ['forbidden', (frame) => frame.csp()],
    ['removed', (frame) => frame.remove()],
  ])('%s after its answer is no failure any more', async (_what, fail) => {
    const { host, server, auth, frame } = await openFrame()
    server.answerFrame(frame)
    fail(frame)
    frame.load()
    await host.clock.advance(10_000)
    expect(auth.getState().status).toBe('authenticated')
    expect(host.frames).toEqual([])
  })

  it('without network fails after 3 seconds as offline, which is no reason to distrust frames', async () => {
    const { host, auth, frame } = await openFrame()
    host.setOnline(false)
    await host.clock.advance(OFFLINE_FRAME_MS - 1)
    expect(frame.isOpen).toBe(true)
    await host.clock.advance(1)
    expect(auth.getState()).toMatchObject({ status: 'failed', error: { code: 'offline' } })
    expect(frame.isOpen).toBe(false)
    host.setOnline(true)
    await host.settle()
    expect(host.frames).toHaveLength(1)
  })

  it('says to an engineer what to look at', async () => {
    const { host, auth, frame } = await openFrame()
    frame.csp()
    await host.settle()
    const [failure] = auth.explain().flatMap(({ error }) => error ?? [])
    expect(failure?.remedy).toContain('frame-src')
  })
})

describe('silent sign-in in a tab whose frames failed', () => {
  const LIMIT_MS = 5_000
  const config = { iframeTimeoutInSeconds: LIMIT_MS / 1000 }
  /** A page of the tab, after start-up; its frame, if one opens, is left alone. */
  async function loadNext(scene: Scene, options: SceneOptions = {}) {
    const next = nextPage(scene, APP, { ...options, config: { autoLogin: false, ...config } })
    void next.auth.start()
    await next.host.settle()
    return next
  }
  /** Its frame never answers. */
  async function loadInVain(scene: Scene) {
    const next = await loadNext(scene, { isFrameMute: true })
    await next.host.clock.advance(LIMIT_MS)
    expect(next.auth.getState()).toMatchObject({ cause: { code: 'iframe-timeout' } })
    return next
  }
  async function failTwice() {
    const first = await openFrame({ config })
    await first.host.clock.advance(LIMIT_MS)
    return loadInVain(first)
  }
  const ask = { code: 'iframe-blocked', message: 'agent-iframe blocked: earlier' }

  it('goes on after one frame without an answer: a reload beside a healthy server is signed in', async () => {
    const first = await openFrame({ config })
    await first.host.clock.advance(LIMIT_MS)
    expect((await loadNext(first)).auth.getState().status).toBe('authenticated')
  })

  it('is off after two in a row: the third load waits for nothing, and says why', async () => {
    const next = await loadNext(await failTwice())
    expect(next.host.frames).toEqual([])
    expect(next.auth.getState()).toMatchObject({ status: 'unauthenticated', cause: ask })
  })

  it('is off after two in a row that were taken out of the page', async () => {
    const first = await openFrame({ config })
    first.frame.remove()
    await first.host.settle()
    const second = await loadNext(first, { isFrameMute: true })
    ;(second.host.frames[0] as FakeFrame).remove()
    await second.host.settle()
    expect((await loadNext(second)).auth.getState()).toMatchObject({ cause: ask })
  })

  it('is off at once when the policy of the page forbids the frame', async () => {
    const first = await openFrame({ config })
    first.frame.csp()
    await first.host.settle()
    const next = await loadNext(first)
    expect(next.host.frames).toEqual([])
    expect(next.auth.getState()).toMatchObject({ cause: ask })
  })

  it('goes on after two that an answer came between', async () => {
    const first = await openFrame({ config })
    await first.host.clock.advance(LIMIT_MS)
    first.server.user = undefined
    const second = await loadNext(first)
    expect(second.auth.getState()).toMatchObject({ status: 'unauthenticated' })
    second.server.user = createFakeUser()
    const third = await loadInVain(second)
    expect((await loadNext(third)).auth.getState().status).toBe('authenticated')
  })

  it('goes on after two that ended because the browser was offline', async () => {
    let scene: Scene = await openFrame({ config })
    for (let round = 1; round <= 2; round += 1) {
      scene.host.setOnline(false)
      await scene.host.clock.advance(OFFLINE_FRAME_MS)
      expect(scene.auth.getState()).toMatchObject({ status: 'failed', error: { code: 'offline' } })
      scene.host.setOnline(true)
      scene.auth.dispose()
      scene = await loadNext(scene, { isFrameMute: round === 1 })
    }
    expect(scene.auth.getState().status).toBe('authenticated')
  })

  it('is off for 5 minutes, and no longer; then one more in vain is enough', async () => {
    const second = await failTwice()
    await second.host.clock.advance(299_999)
    const third = await loadNext(second)
    expect(third.auth.getState()).toMatchObject({ cause: ask })
    await third.host.clock.advance(1)
    const fourth = await loadInVain(third)
    const fifth = await loadNext(fourth)
    expect(fifth.auth.getState()).toMatchObject({ cause: ask })
    await fifth.host.clock.advance(300_000)
    expect((await loadNext(fifth)).auth.getState().status).toBe('authenticated')
  })

  it('is not off for longer when the clock is set back', async () => {
    const second = await failTwice()
    second.host.clock.jump(-86_400_000)
    expect((await loadNext(second)).auth.getState().status).toBe('authenticated')
  })

  it('is on in another tab', async () => {
    const { host } = await failTwice()
    const other = createScene({ host: { browser: host.browser } })
    void other.auth.start()
    await other.host.settle()
    expect(other.auth.getState().status).toBe('authenticated')
  })

  it('is on again after a sign-in by redirect', async () => {
    const second = await failTwice()
    await second.auth.login()
    const answer = second.server.callbackOf(second.host.navigations.at(-1)!)
    const back = nextPage(second, answer, { config: { autoLogin: false } })
    void back.auth.start()
    await back.host.settle()
    expect(back.auth.getState().status).toBe('authenticated')
    expect(back.host.frames).toEqual([])
    back.host.close()
    const reloaded = await loadNext(back)
    expect(reloaded.host.frames).toHaveLength(1)
    expect(reloaded.auth.getState().status).toBe('authenticated')
  })

  it.each(['csp', 'no answer'])(
    '%s: a refresh token that is refused still has its one silent verification',
    async (how) => {
      const signedIn = await openFrame({ config })
      signedIn.server.answerFrame(signedIn.frame)
      await signedIn.host.settle()
      const { auth, host, server } = signedIn
      const now = host.clock.nowMs
      const off = { failures: how === 'csp' ? 1 : 2, offUntilMs: now + 300_000 }
      host.sessionStorage.set(tabKey(CLIENT), JSON.stringify({ silentSignIn: off }))
      server.revokeAll()
      const renewing = auth.renew({ force: true })
      await host.settle()
      const frame = host.frames.at(-1) as FakeFrame
      server.answerFrame(frame)
      await renewing
      expect(auth.getState().status).toBe('authenticated')
    },
  )
})

describe('a page that goes while the frame is open', () => {
  it('takes frame, timers and listeners with it', async () => {
    const { host, auth } = await openFrame()
    auth.dispose()
    await host.clock.advance(120_000)
    expect(Object.values(host.counts())).toEqual([0, 0, 0, 0, 0, 0])
    expect(host.warnings).toEqual([])
  })

  it('begins again with the next start', async () => {
    const { host, server, auth } = await openFrame()
    auth.dispose()
    void auth.start()
    await host.settle()
    expect(host.frames).toHaveLength(1)
    server.answerFrame(host.frames[0] as FakeFrame)
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
  })
})

/** A server that is there. */
const THERE = { heard() {}, begin: () => ({ check: async () => {} }) }

describe('the silent check alone', () => {
  const open = (iframeTimeoutInSeconds = 60, isOnline = true) => {
    const host = createFakeHost(APP, { isOnline })
    const leaving = new AbortController()
    const settings = parseConfig({ ...CONFIG, iframeTimeoutInSeconds })
    const outcome = askInFrame(frameOptions(host, { settings }), leaving.signal).then(
      ({ answer, attempt: kept }) => ({ answer, attempt: kept }),
      (error: unknown) => ({ error }),
    )
    const expectNothingLeft = async () => {
      const why = new Error('gone')
      leaving.abort(why)
      expect(await outcome).toEqual({ error: why })
      expect(host.counts()).toMatchObject({ frames: 0, timers: 0, listeners: 0 })
    }
    return { host, leaving, outcome, expectNothingLeft }
  }

  it('of a page that goes before the frame is open opens none', async () => {
    const { expectNothingLeft } = open()
    await expectNothingLeft()
  })

  it('of a page that goes while the frame is open leaves nothing', async () => {
    const { host, expectNothingLeft } = open()
    await host.settle()
    expect(host.counts()).toMatchObject({ frames: 1, timers: 1, listeners: 1 })
    host.frames[0]?.load()
    expect(host.counts().timers).toBe(2)
    await expectNothingLeft()
  })

  it('that was answered waits for nothing but the end of its frame, also when the page goes then', async () => {
    const { host, leaving, outcome } = open()
    await host.settle()
    host.frames[0]?.load()
    host.frames[0]?.answer({ code: 'c1' })
    expect(await outcome).toMatchObject({
      answer: { code: 'c1' },
      attempt: {
        authHost: AUTH,
        clientId: 'admin',
        redirectUri: APP,
        returnTo: '',
        createdAtMs: host.clock.nowMs,
      },
    })
    expect(host.counts()).toMatchObject({ frames: 1, timers: 1, listeners: 0 })
    leaving.abort()
    expect(host.counts()).toMatchObject({ frames: 0, timers: 0, listeners: 0 })
  })

  it('has a timer for its limit up to the longest that there is, and none above', async () => {
    const longest = open(LARGEST_TIMER_DELAY_MS / 1000)
    await longest.host.settle()
    expect(longest.host.counts().timers).toBe(1)
    const longer = open((LARGEST_TIMER_DELAY_MS + 1) / 1000)
    await longer.host.settle()
    expect(longer.host.counts().timers).toBe(0)
  })

  it.each<[string, (host: ReturnType<typeof createFakeHost>) => void, string]>([
    ['the policy of the page', (host) => host.frames[0]?.csp(), 'iframe-blocked'],
    ['other code, which removes it', (host) => host.frames[0]?.remove(), 'iframe-blocked'],
  ])('ended by %s is over at once', async (_what, happen, code) => {
    const { host, outcome } = open()
    await host.settle()
    happen(host)
    expect(await outcome).toMatchObject({ error: { code } })
    expect(host.counts()).toMatchObject({ frames: 0, timers: 0, listeners: 0 })
  })

  it.each([
    ['from the beginning', false],
    ['in its middle', true],
  ])(
    'that the browser reports no network for, %s, is answered where there is one',
    async (_when, isOnline) => {
      const { host, outcome } = open(60, isOnline)
      await host.settle()
      host.emit('offline')
      await host.clock.advance(OFFLINE_FRAME_MS - 1)
      host.frames[0]?.answer({ code: 'c1' })
      expect(await outcome).toMatchObject({ answer: { code: 'c1' } })
    },
  )

  it('that merely loaded is given its time after the last load, and no less', async () => {
    const { host, outcome } = open()
    await host.settle()
    host.frames[0]?.load()
    await host.clock.advance(GRACE_MS - 1)
    host.frames[0]?.load()
    await host.clock.advance(GRACE_MS - 1)
    expect(host.counts().frames).toBe(1)
    await host.clock.advance(1)
    expect(await outcome).toMatchObject({ error: { code: 'iframe-timeout' } })
  })
})

describe('a silent check', () => {
  it('of a page that has gone leaves the early frame to the next one', async () => {
    const host = createFakeHost(APP)
    let takenCount = 0
    const frame = () => void (takenCount += 1)
    const options = frameOptions(host, { platform: { ...host.platform, early: { frame } } })
    await expect(askInFrame(options, AbortSignal.abort())).rejects.toThrow('aborted')
    expect(takenCount).toBe(0)
  })

  it('that is over leaves no listener on the signal of its page, which lives on', async () => {
    const host = createFakeHost(APP)
    const page = new AbortController()
    const asking = askInFrame(frameOptions(host), page.signal)
    await host.settle()
    expect(getEventListeners(page.signal, 'abort')).toHaveLength(1)
    host.frames[0]?.answer({ code: 'c1' })
    await asking
    await host.clock.advance(2000)
    expect(host.counts()).toMatchObject({ frames: 0, timers: 0 })
    expect(getEventListeners(page.signal, 'abort')).toEqual([])
  })
})
