// The hidden frame: what it is asked, whose answer counts, how it is seen to fail, and that nothing of it stays (spec §4; T8, F15-F18, F50).
import { describe, expect, it } from 'vitest'
import type { FakeFrame } from '../../src/testing/fakeWindows.ts'
import { APP, createScene, nextPage, type SceneOptions, startScene, tokenBodies } from './sessionScene.ts'

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
const AT_REST = { listeners: 8, timers: 0, frames: 0, popups: 0, channels: 1, locks: 0 }

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

  it('keeps its attempt in memory: nothing is stored while it is open', async () => {
    const { host } = await openFrame()
    expect(host.sessionStorage.entries()).toEqual({})
    expect(host.localStorage.entries()).toEqual({})
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
    await host.clock.advance(2999)
    server.answerFrame(frame)
    await host.clock.advance(10_000)
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
      expect(auth.getState()).toEqual({
        status: 'unauthenticated',
        reason: 'none',
        isOnline: true,
        realtime: 'off',
      })
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
  it('is given up at the limit of 60 seconds with the text of the specification', async () => {
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

  it('waits without a timer when the limit is longer than a timer can be', async () => {
    const { host, server, auth, frame } = await openFrame({ config: { iframeTimeoutInSeconds: 3_000_000 } })
    expect(host.counts().timers).toBe(0)
    await host.clock.advance(3_600_000)
    server.answerFrame(frame)
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
  })

  it('leaves nothing behind: no frame, no timer, no listener, no stored attempt', async () => {
    const { host } = await openFrame()
    await host.clock.advance(60_000)
    expect(host.counts()).toEqual(AT_REST)
    expect(JSON.stringify(host.sessionStorage.entries())).not.toMatch(/verifier|attempts":\{"/)
    expect(host.localStorage.entries()).toEqual({})
  })

  it('lets the user in by a redirect', async () => {
    const { host, auth } = await openFrame({ config: { autoLogin: true } })
    await host.clock.advance(60_000)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    expect(host.navigations).toHaveLength(1)
  })

  it('is not waited for again in this browser session, and is again in another one', async () => {
    const { host, server, auth } = await openFrame()
    await host.clock.advance(60_000)
    const next = nextPage({ host, server, auth }, APP)
    void next.auth.start()
    await next.host.settle()
    expect(next.host.frames).toEqual([])
    expect(next.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })

    const other = createScene({ host: { browser: host.browser } })
    void other.auth.start()
    await other.host.settle()
    expect(other.auth.getState().status).toBe('authenticated')
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

  it('loaded but silent for 3 seconds is taken as refused', async () => {
    const { host, auth, frame } = await openFrame()
    frame.load()
    await host.clock.advance(2999)
    expect(auth.getState().status).toBe('initializing')
    await host.clock.advance(1)
    expect(auth.getState()).toMatchObject({
      cause: { code: 'iframe-blocked', message: 'agent-iframe blocked: no-answer' },
    })
    expect(host.counts()).toEqual(AT_REST)
  })

  it('loaded several times, through redirects, has the grace after the last one', async () => {
    const { host, server, auth, frame } = await openFrame()
    frame.load()
    await host.clock.advance(2000)
    frame.load()
    await host.clock.advance(2500)
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

  it('without network fails at once as offline, which is no reason to distrust frames', async () => {
    const { host, auth, frame } = await openFrame()
    host.setOnline(false)
    await host.settle()
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
