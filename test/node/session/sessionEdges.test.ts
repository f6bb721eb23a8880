// The edges of start-up, silent check, renewal and popup, each part alone: what a small mistake would move (found by npm run test:mutation).
import { describe, expect, it } from 'vitest'
import {
  LARGEST_TIMER_DELAY_MS,
  POPUP_GRACE_MS,
  POPUP_LIMIT_MS,
  POPUP_POLL_MS,
} from '../../../src/constants.ts'
import { AuthError, loginRequired, offline } from '../../../src/errors.ts'
import { parseConfig } from '../../../src/protocol/config.ts'
import { openPopup } from '../../../src/session/popup.ts'
import { createTabRecords } from '../../../src/session/signIn/tabRecords.ts'
import { createTokenRefresh } from '../../../src/session/signedIn/tokenRefresh.ts'
import { createSilentCheck } from '../../../src/session/signIn/silentSignIn.ts'
import { answerError } from '../../../src/protocol/signIn.ts'
import { startUp, type StartUpOptions } from '../../../src/session/boot/startUp.ts'
import { createTimeline } from '../../../src/session/timeline.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP, CONFIG, CONNECTED } from './sessionScene.ts'

const AUTH = 'https://auth.test'
const errorWith = (code: AuthError['code'], retryable = false) => new AuthError(code, code, { retryable })
const attempt = {
  verifier: 'v',
  authHost: AUTH,
  clientId: 'admin',
  redirectUri: APP,
  returnTo: '/',
  createdAtMs: 0,
}
const answering = (members: object) => ({
  type: 'answer' as const,
  answer: { state: 'abc123', code: 'c1', ...members },
  attempt,
})

describe('start-up', () => {
  async function run(options: Partial<StartUpOptions> & { autoLogin?: boolean } = {}) {
    const timeline = createTimeline(() => 0)
    const retries: string[] = []
    const { autoLogin = true, ...others } = options
    const event = await startUp({
      settings: { autoLogin, initToken: undefined },
      timeline,
      takeCallback: () => undefined,
      refusal: async (answer) => answerError(answer, AUTH),
      exchange: async () => {},
      honourOwedLogout: async () => undefined,
      settleOwedLogout: () => {},
      verify: () => Promise.reject(loginRequired()),
      login: async () => {},
      passThrough: () => false,
      retry: (how) => void retries.push(how),
      hadSession: false,
      isFirstVisit: false,
      ...others,
    })
    if (event?.type === 'failed') event.retry()
    const steps = timeline.steps().map(({ step, outcome, detail }) => [step, outcome, detail])
    return { event, steps, retries }
  }
  const SKIPPED = ['code in the address', 'skipped', 'none of ours']
  const STARTED = ['code in the address', 'started', undefined]
  const NO_SESSION = ['verify existing session', 'done', loginRequired().message]

  it('without anything leaves for the sign-in page, and says each step', async () => {
    const { event, steps } = await run()
    expect(event).toBeUndefined()
    expect(steps).toEqual([SKIPPED, NO_SESSION, ['auto-login', 'started', 'to the sign-in page']])
  })

  it('with a session says that it was found', async () => {
    const { event, steps } = await run({ verify: async () => {} })
    expect(event).toBeUndefined()
    expect(steps).toEqual([SKIPPED, ['verify existing session', 'done', undefined]])
  })

  it('with a code says that it was exchanged, and looks no further', async () => {
    const { event, steps } = await run({
      takeCallback: () => answering({}),
      verify: () => Promise.reject(offline()),
    })
    expect(event).toBeUndefined()
    expect(steps).toEqual([STARTED, ['code in the address', 'done', undefined]])
  })

  it('at the end of a logout stops, with its reason', async () => {
    const takeCallback = () => ({ type: 'logout' as const, reason: 'idle' as const, clash: undefined })
    const { event, steps } = await run({ takeCallback })
    expect(event).toMatchObject({ type: 'absent', reason: 'idle' })
    expect(steps).toEqual([SKIPPED])
  })

  it('with a cancelled sign-in stops, and nothing was exchanged', async () => {
    const exchanged: unknown[] = []
    const { event, steps } = await run({
      takeCallback: () => answering({ code: undefined, error: 'access_denied' }),
      exchange: async (answer) => void exchanged.push(answer),
    })
    expect(event).toMatchObject({ type: 'absent', reason: 'cancelled', cause: { code: 'access-denied' } })
    expect(exchanged).toEqual([])
    expect(steps).toEqual([STARTED, ['code in the address', 'failed', 'The sign-in was cancelled']])
  })

  it.each([
    [true, 'start-up'],
    [false, 'login'],
  ])(
    'with a code that failed, retryable %s, and no session is failed: retry means %s',
    async (isRetryable, how) => {
      const error = errorWith('network', isRetryable)
      const { event, steps, retries } = await run({
        takeCallback: () => answering({}),
        exchange: () => Promise.reject(error),
      })
      expect(event).toMatchObject({ type: 'failed', error })
      expect(retries).toEqual([how])
      expect(steps).toEqual([STARTED, ['code in the address', 'failed', 'network'], NO_SESSION])
    },
  )

  it('with a code that failed and a session is in', async () => {
    const { event } = await run({
      takeCallback: () => answering({}),
      exchange: () => Promise.reject(errorWith('network')),
      verify: async () => {},
    })
    expect(event).toBeUndefined()
  })

  it.each<[AuthError['code'], boolean, boolean]>([
    ['login-required', false, true],
    ['iframe-timeout', false, true],
    ['iframe-blocked', false, true],
    ['access-denied', false, true],
    ['authorization-refused', false, true],
    ['authorization-refused', true, false],
    ['network', true, false],
    ['offline', true, false],
    ['internal', false, false],
  ])('a check that ends with %s, retryable %s, goes on to sign in: %s', async (code, isRetryable, goesOn) => {
    let left = 0
    const { event, steps, retries } = await run({
      verify: () => Promise.reject(errorWith(code, isRetryable)),
      login: async () => void (left += 1),
    })
    expect(left).toBe(goesOn ? 1 : 0)
    expect(event?.type).toBe(goesOn ? undefined : 'failed')
    expect(retries).toEqual(goesOn ? [] : ['start-up'])
    expect(steps[1]).toEqual(['verify existing session', code === 'login-required' ? 'done' : 'failed', code])
  })

  it('hands a token of the address on, after a session was found and after none was', async () => {
    const token = { address: APP, jti: 'j1', userId: 'alice', count: 1 }
    const seen: unknown[] = []
    const takeCallback = () => ({ type: 'token' as const, token })
    const passThrough = (given: unknown) => {
      seen.push(given)
      return true
    }
    expect((await run({ takeCallback, passThrough, verify: async () => {} })).event).toBeUndefined()
    let left = 0
    expect(
      (await run({ takeCallback, passThrough, login: async () => void (left += 1) })).event,
    ).toBeUndefined()
    expect(seen).toEqual([token, token])
    expect(left).toBe(0)
    // A session without a token asks nobody for a passthrough.
    await run({ passThrough, verify: async () => {} })
    expect(seen).toHaveLength(2)
  })

  it('that cannot hand a token on is failed, and retry signs in', async () => {
    const { event, retries } = await run({
      passThrough: () => {
        throw errorWith('redirect-loop')
      },
    })
    expect(event).toMatchObject({ type: 'failed', error: { code: 'redirect-loop' } })
    expect(retries).toEqual(['login'])
  })

  it.each([
    ['offline', 'start-up'],
    ['redirect-loop', 'login'],
  ] as const)('that cannot leave because of %s is failed: retry means %s', async (code, how) => {
    const { event, steps, retries } = await run({ login: () => Promise.reject(errorWith(code)) })
    expect(event).toMatchObject({ type: 'failed', error: { code } })
    expect(retries).toEqual([how])
    expect(steps.at(-1)).toEqual(['auto-login', 'failed', code])
  })

  it.each([
    [true, 'login-required', 'expired', undefined],
    [false, 'login-required', 'none', undefined],
    [false, 'iframe-timeout', 'none', { code: 'iframe-timeout' }],
  ] as const)(
    'without automatic sign-in, had a session %s, after %s: absent, %s',
    async (had, code, reason, cause) => {
      const { event } = await run({
        autoLogin: false,
        verify: () => Promise.reject(errorWith(code)),
        hadSession: had,
      })
      expect(event).toMatchObject({ type: 'absent', reason })
      expect((event as { cause?: unknown }).cause).toEqual(cause && expect.objectContaining(cause))
    },
  )
})

describe('the silent check', () => {
  const open = (iframeTimeoutInSeconds = 60, isOnline = true) => {
    const host = createFakeHost(APP, { isOnline })
    const check = createSilentCheck(
      parseConfig({ ...CONFIG, iframeTimeoutInSeconds }),
      host.platform,
      createTabRecords(host.sessionStorage, CONFIG),
      CONNECTED,
    )
    const leaving = new AbortController()
    const outcome = check.ask(APP, leaving.signal).then(
      ({ answer, attempt: kept }) => ({ answer, attempt: kept }),
      (error: unknown) => ({ error }),
    )
    return { host, leaving, outcome }
  }

  it('of a page that goes before the frame is open opens none', async () => {
    const { host, leaving, outcome } = open()
    const why = new Error('gone')
    leaving.abort(why)
    expect(await outcome).toEqual({ error: why })
    expect(host.counts()).toMatchObject({ frames: 0, timers: 0, listeners: 0 })
  })

  it('of a page that goes while the frame is open leaves nothing', async () => {
    const { host, leaving, outcome } = open()
    await host.settle()
    expect(host.counts()).toMatchObject({ frames: 1, timers: 1, listeners: 1 })
    host.frames[0]?.load()
    expect(host.counts().timers).toBe(2)
    const why = new Error('gone')
    leaving.abort(why)
    expect(await outcome).toEqual({ error: why })
    expect(host.counts()).toMatchObject({ frames: 0, timers: 0, listeners: 0 })
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
    ['the network, which goes', (host) => host.setOnline(false), 'offline'],
  ])('ended by %s is over at once', async (_what, happen, code) => {
    const { host, outcome } = open()
    await host.settle()
    happen(host)
    expect(await outcome).toMatchObject({ error: { code } })
    expect(host.counts()).toMatchObject({ frames: 0, timers: 0, listeners: 0 })
  })

  it('without network opens nothing', async () => {
    const { host, outcome } = open(60, false)
    expect(await outcome).toMatchObject({ error: { code: 'offline' } })
    expect(host.frames).toEqual([])
  })

  it('that merely loaded is given ten seconds after the last load, and no less', async () => {
    const { host, outcome } = open()
    await host.settle()
    host.frames[0]?.load()
    await host.clock.advance(9999)
    host.frames[0]?.load()
    await host.clock.advance(9999)
    expect(host.counts().frames).toBe(1)
    await host.clock.advance(1)
    expect(await outcome).toMatchObject({ error: { code: 'iframe-timeout' } })
  })
})

describe('renewal', () => {
  function open(life: { remainingMs: number | undefined }, isScheduled = true) {
    const host = createFakeHost(APP)
    const asked: number[] = []
    let answer: () => Promise<void> = async () => {}
    const startMs = host.clock.nowMs
    const sinceStart = () => host.clock.nowMs - startMs
    const renewal = createTokenRefresh({
      platform: host.platform,
      isScheduled,
      isDue: () => (life.remainingMs ?? Infinity) <= 30_000,
      remainingMs: () => life.remainingMs,
      renew: () => {
        asked.push(sinceStart())
        return answer()
      },
    })
    const plannedIn = () => {
      const atMs = renewal.plannedAtMs()
      return atMs === undefined ? undefined : atMs - host.clock.nowMs
    }
    return {
      host,
      renewal,
      asked,
      plannedIn,
      answerWith: (next: () => Promise<void>) => void (answer = next),
    }
  }

  it.each([
    [600_000, 570_000],
    [60_000, 30_000],
    [50_000, 20_000],
    [35_000, 5_000],
    [34_999, 17_499.5],
    [20_000, 10_000],
    [9_999, 5_000],
    [0, 5_000],
    [-5000, 5_000],
  ])('of a token with %i ms left is planned in %i ms', async (remainingMs, inMs) => {
    const { host, renewal, asked, plannedIn } = open({ remainingMs })
    renewal.schedule()
    expect(plannedIn()).toBe(inMs)
    expect(host.counts().timers).toBe(1)
    await host.clock.advance(inMs)
    expect(asked).toEqual([inMs])
    expect(renewal.plannedAtMs()).toBeUndefined()
  })

  it.each([
    [undefined, true],
    [600_000, false],
    [LARGEST_TIMER_DELAY_MS + 30_001, true],
  ])('of a token with %s ms left, wanted: %s, has no timer', (remainingMs, isScheduled) => {
    const { host, renewal } = open({ remainingMs }, isScheduled)
    renewal.schedule()
    expect(renewal.plannedAtMs()).toBeUndefined()
    expect(host.counts().timers).toBe(0)
  })

  it('planned again has one timer, and none when it stops', () => {
    const { host, renewal } = open({ remainingMs: 600_000 })
    renewal.schedule()
    renewal.schedule()
    expect(host.counts().timers).toBe(1)
    renewal.stop()
    expect([host.counts().timers, renewal.plannedAtMs()]).toEqual([0, undefined])
  })

  it.each([
    [600_000, 30_001, 0],
    [600_000, 30_000, 1],
    [50_000, 30_001, 0],
    [50_000, 30_000, 1],
    [20_000, 10_001, 0],
    [20_000, 10_000, 1],
  ])('of %i ms, looked at with %i ms left, is asked for %i times', (remainingMs, leftMs, count) => {
    const life = { remainingMs }
    const { renewal, asked } = open(life)
    renewal.schedule()
    life.remainingMs = leftMs
    renewal.check()
    expect(asked).toHaveLength(count)
  })

  it('is not asked for by a look before it was planned, after it was stopped, or without a life', () => {
    const life: { remainingMs: number | undefined } = { remainingMs: 10 }
    const { renewal, asked } = open(life)
    renewal.check()
    renewal.schedule()
    renewal.stop()
    renewal.check()
    life.remainingMs = undefined
    renewal.schedule()
    renewal.check()
    expect(asked).toEqual([])
  })

  it('under way says so, is joined, and is waited for by who asks too early', async () => {
    const life = { remainingMs: 600_000 }
    const { renewal, asked, answerWith } = open(life)
    let end = () => {}
    answerWith(() => new Promise((resolve) => (end = resolve)))
    expect(renewal.isRunning()).toBe(false)
    const first = renewal.ensureFresh(true)
    const second = renewal.ensureFresh()
    const third = renewal.ensureFresh(true)
    expect(renewal.isRunning()).toBe(true)
    expect(second).toBe(first)
    expect(third).toBe(first)
    end()
    await first
    expect(renewal.isRunning()).toBe(false)
    expect(asked).toHaveLength(1)
    await renewal.ensureFresh()
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['an error that will not pass', errorWith('identity-changed'), undefined],
    ['an error that is not ours', new Error('x'), undefined],
    ['an error that may pass', errorWith('network', true), 1000],
    [
      'a pause of the server',
      new AuthError('rate-limited', 'x', { retryable: true, retryAfterMs: 7000 }),
      7000,
    ],
    [
      'a pause shorter than ours',
      new AuthError('rate-limited', 'x', { retryable: true, retryAfterMs: 7 }),
      1000,
    ],
  ])('by itself that meets %s is tried again in %s ms', async (_what, error, inMs) => {
    const { host, renewal, plannedIn, answerWith } = open({ remainingMs: 60_000 })
    answerWith(() => Promise.reject(error))
    renewal.schedule()
    await host.clock.advance(30_000)
    expect(plannedIn()).toBe(inMs)
  })

  it('by itself that fails after it was stopped is not tried again', async () => {
    const { host, renewal, answerWith } = open({ remainingMs: 60_000 })
    let fail = () => {}
    answerWith(() => new Promise((_resolve, reject) => (fail = () => reject(errorWith('network', true)))))
    renewal.schedule()
    await host.clock.advance(30_000)
    renewal.stop()
    fail()
    await host.settle()
    expect(host.counts().timers).toBe(0)
  })

  it('that succeeds forgets how often it failed', async () => {
    const { host, renewal, plannedIn, answerWith } = open({ remainingMs: 60_000 })
    const failing = () => Promise.reject(errorWith('network', true))
    answerWith(failing)
    renewal.schedule()
    await host.clock.advance(30_000)
    await host.clock.advance(1000)
    expect(plannedIn()).toBe(2000)
    answerWith(async () => {})
    await host.clock.advance(2000)
    answerWith(failing)
    renewal.schedule()
    await host.clock.advance(30_000)
    expect(plannedIn()).toBe(1000)
  })
})

describe('a popup', () => {
  function open(options: { isBlank?: boolean; hasChanged?: () => Promise<boolean> } = {}) {
    const host = createFakeHost(APP)
    const { openPopup: port } = host.platform
    if (!port) throw new Error('this page opens no popups')
    const popup = openPopup({
      platform: host.platform,
      open: port,
      name: 'link',
      url: options.isBlank ? 'about:blank' : `${AUTH}/link`,
      isBlank: options.isBlank ?? false,
      origin: AUTH,
      closeUrl: `${AUTH}/oauth/close?client_id=admin`,
      hasChanged: options.hasChanged ?? (async () => false),
    })
    const ends: string[] = []
    void popup.ended.then((how) => ends.push(how))
    const [window] = host.popups
    if (!window) throw new Error('no window is open')
    return { host, popup, ends, window }
  }

  it('closed by its user is called so when the grace is over, not a moment earlier, and not before the next look', async () => {
    const { host, ends, window } = open()
    window.close()
    await host.clock.advance(POPUP_GRACE_MS - 1)
    expect(ends).toEqual([])
    await host.clock.advance(POPUP_POLL_MS)
    expect(ends).toEqual(['closed'])
    expect(host.counts()).toMatchObject({ timers: 0, listeners: 0, popups: 0 })
  })

  it('is given up at its limit', async () => {
    const { host, ends } = open()
    await host.clock.advance(POPUP_LIMIT_MS - 1)
    expect(ends).toEqual([])
    await host.clock.advance(POPUP_POLL_MS)
    expect(ends).toEqual(['late'])
  })

  it('ends once, however many ends come', async () => {
    const { host, popup, ends, window } = open()
    popup.end('cancelled')
    popup.end('done')
    popup.fail(new Error('late'))
    window.post('closeMe')
    await host.settle()
    expect(ends).toEqual(['cancelled'])
    expect(window.isClosed).toBe(true)
  })

  it('that is over goes nowhere', () => {
    const { popup, window } = open({ isBlank: true })
    popup.end('cancelled')
    popup.navigate(`${AUTH}/late`)
    expect(window.urls).toEqual(['about:blank'])
  })

  it('that waits on a blank page hears nothing, asks nothing, and is gone as soon as it is closed', async () => {
    let asked = 0
    const { host, ends, window } = open({ isBlank: true, hasChanged: async () => (asked += 1) > 0 })
    window.post('closeMe')
    host.emit('focus')
    await host.settle()
    expect([ends, asked]).toEqual([[], 0])
    window.close()
    await host.clock.advance(POPUP_POLL_MS)
    expect(ends).toEqual(['closed'])
  })

  it('that has gone on from its blank page hears its server', async () => {
    const { host, popup, ends, window } = open({ isBlank: true })
    popup.navigate(`${AUTH}/link`)
    window.post('closeMe')
    await host.settle()
    expect(ends).toEqual(['answered'])
  })

  it.each(['focus', 'visible'] as const)(
    'is looked after when the page gets %s: one question at a time',
    async (event) => {
      const answers: ((isChanged: boolean) => void)[] = []
      const { host, ends } = open({ hasChanged: () => new Promise((resolve) => answers.push(resolve)) })
      host.emit(event)
      host.emit(event)
      expect(answers).toHaveLength(1)
      answers[0]?.(false)
      await host.settle()
      expect(ends).toEqual([])
      host.emit(event)
      expect(answers).toHaveLength(2)
      answers[1]?.(true)
      await host.settle()
      expect(ends).toEqual(['changed'])
    },
  )

  it('closed, when the user is back on the page, is called so at once', async () => {
    const { host, ends, window } = open()
    window.close()
    host.emit('focus')
    await host.settle()
    expect(ends).toEqual(['closed'])
  })

  it('whose question fails goes on, and may be asked again', async () => {
    let asked = 0
    const { host, ends } = open({
      hasChanged: () => {
        asked += 1
        return Promise.reject(new Error('down'))
      },
    })
    host.emit('focus')
    await host.settle()
    host.emit('focus')
    await host.settle()
    expect([asked, ends]).toEqual([2, []])
  })
})
