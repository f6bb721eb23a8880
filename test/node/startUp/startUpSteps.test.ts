// The steps of start-up alone, in their order: what each does with every answer of the step before.
import { describe, expect, it } from 'vitest'
import { AuthError, loginRequired, offline } from '../../../src/base/errors.ts'
import { answerError } from '../../../src/protocol/signIn.ts'
import type { OpenedPage } from '../../../src/session/boot/openedPage.ts'
import { startUp } from '../../../src/session/boot/startUp.ts'
import { createTimeline } from '../../../src/session/timeline.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP } from '../session/sessionScene.ts'

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
  async function run(options: Partial<OpenedPage> = {}) {
    const timeline = createTimeline(createFakeHost(APP).platform, 'steps')
    const retries: string[] = []
    const { autoLogin = true, ...others } = options
    const event = await startUp({
      autoLogin,
      timeline,
      callback: undefined,
      refusal: async (answer) => answerError(answer, AUTH),
      exchange: async () => {},
      honourPendingLogout: async () => undefined,
      settlePendingLogout: () => {},
      findSession: () => Promise.reject(loginRequired()),
      login: async () => {},
      features: [],
      flow: { check: async () => {} },
      isOvertaken: () => false,
      hadSession: false,
      hasTurnedBack: false,
      whenSeen: () => undefined,
      isFirstVisit: false,
      ...others,
    })
    if (event?.type === 'failed') retries.push(event.retry)
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

  it('says that nothing signs in by itself', async () => {
    const { steps } = await run({ autoLogin: false })
    expect(steps).toEqual([SKIPPED, NO_SESSION, ['auto-login', 'skipped', 'autoLogin is off']])
  })

  it('with a session says that it was found', async () => {
    const { event, steps } = await run({ findSession: async () => {} })
    expect(event).toBeUndefined()
    expect(steps).toEqual([SKIPPED, ['verify existing session', 'done', undefined]])
  })

  it('with a code says that it was exchanged, and looks no further', async () => {
    const { event, steps } = await run({
      callback: answering({}),
      findSession: () => Promise.reject(offline()),
    })
    expect(event).toBeUndefined()
    expect(steps).toEqual([STARTED, ['code in the address', 'done', undefined]])
  })

  it('at the end of a logout stops, with its reason', async () => {
    const callback = { type: 'logout' as const, reason: 'idle' as const, clash: undefined }
    const { event, steps } = await run({ callback })
    expect(event).toMatchObject({ type: 'absent', reason: 'idle' })
    expect(steps).toEqual([SKIPPED])
  })

  it('with a cancelled sign-in stops, and nothing was exchanged', async () => {
    const exchanged: unknown[] = []
    const { event, steps } = await run({
      callback: answering({ code: undefined, error: 'access_denied' }),
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
        callback: answering({}),
        exchange: () => Promise.reject(error),
      })
      expect(event).toMatchObject({ type: 'failed', error })
      expect(retries).toEqual([how])
      expect(steps).toEqual([STARTED, ['code in the address', 'failed', 'network'], NO_SESSION])
    },
  )

  it('with a code that failed and a session is in', async () => {
    const { event } = await run({
      callback: answering({}),
      exchange: () => Promise.reject(errorWith('network')),
      findSession: async () => {},
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
      findSession: () => Promise.reject(errorWith(code, isRetryable)),
      login: async () => void (left += 1),
    })
    expect(left).toBe(goesOn ? 1 : 0)
    expect(event?.type).toBe(goesOn ? undefined : 'failed')
    expect(retries).toEqual(goesOn ? [] : ['start-up'])
    expect(steps[1]).toEqual(['verify existing session', code === 'login-required' ? 'done' : 'failed', code])
  })

  /** A feature with a step; what it is asked for. */
  function step(take: () => Promise<boolean>) {
    const seen: string[] = []
    const run = (): Promise<boolean> => {
      seen.push('run')
      return take()
    }
    return { seen, feature: { startUpStep: { run, skip: (why: string) => void seen.push(why) } } }
  }

  it('takes the step of a feature where no session was found; one that leaves is the last', async () => {
    const [stays, leaves, next] = [step(async () => false), step(async () => true), step(async () => false)]
    const features = [stays.feature, {}, leaves.feature, next.feature]
    let left = 0
    const { event } = await run({ features, login: async () => void (left += 1) })
    expect(event).toBeUndefined()
    expect(left).toBe(0)
    expect([stays.seen, leaves.seen, next.seen]).toEqual([['run'], ['run'], []])
  })

  it('goes on to auto-login where no feature leaves, and not after a click meanwhile', async () => {
    let left = 0
    let isOvertaken = false
    const login = async () => void (left += 1)
    const stays = step(async () => false)
    await run({ features: [stays.feature], login })
    expect(left).toBe(1)
    const clicked = step(async () => {
      isOvertaken = true
      return false
    })
    await run({ features: [clicked.feature, stays.feature], login, isOvertaken: () => isOvertaken })
    expect(left).toBe(1)
    expect(stays.seen).toEqual(['run'])
  })

  it.each<[string, 'exchange' | 'findSession']>([
    ['a code was exchanged in vain', 'exchange'],
    ['a session was looked for', 'findSession'],
  ])('that a click overtakes while %s does nothing more, and shows no error', async (_what, step) => {
    let isOvertaken = false
    const began: string[] = []
    const fail = (name: string) => () => {
      began.push(name)
      isOvertaken ||= name === step
      return Promise.reject(errorWith('network', true))
    }
    const { event } = await run({
      callback: answering({}),
      exchange: fail('exchange'),
      findSession: fail('findSession'),
      login: fail('login'),
      isOvertaken: () => isOvertaken,
    })
    expect(event).toBeUndefined()
    expect(began.at(-1)).toBe(step)
  })

  it.each<[string, Partial<OpenedPage>, boolean]>([
    ['a first visit is no look for a session', { isFirstVisit: true }, false],
    [
      'one with something for a feature in its address is',
      { isFirstVisit: true, callback: { type: 'taken' } },
      true,
    ],
  ])('%s', async (_what, options, isLookedFor) => {
    const { steps } = await run(options)
    expect(steps[1]).toEqual(isLookedFor ? NO_SESSION : ['verify existing session', 'skipped', 'first visit'])
  })

  it('whose feature cannot take its step is failed, and retry signs in', async () => {
    const { event, retries } = await run({
      features: [step(() => Promise.reject(errorWith('redirect-loop'))).feature],
    })
    expect(event).toMatchObject({ type: 'failed', error: { code: 'redirect-loop' } })
    expect(retries).toEqual(['login'])
  })

  it.each([
    ['offline', 'start-up', true],
    ['network', 'start-up', true],
    ['timeout', 'start-up', true],
    ['redirect-loop', 'login', false],
  ] as const)('that cannot leave because of %s is failed: retry means %s', async (code, how, canPass) => {
    const { event, steps, retries } = await run({ login: () => Promise.reject(errorWith(code, true)) })
    expect(event).toMatchObject({ type: 'failed', error: { code }, canPass })
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
        findSession: () => Promise.reject(errorWith(code)),
        hadSession: had,
      })
      expect(event).toMatchObject({ type: 'absent', reason })
      expect((event as { cause?: unknown }).cause).toEqual(cause && expect.objectContaining(cause))
    },
  )

  describe('tells a feature why its step was not taken', () => {
    const refused = answering({ code: undefined, error: 'access_denied' })

    it.each<[string, Partial<OpenedPage>, string]>([
      [
        'a logout that has come back',
        { callback: { type: 'logout', reason: 'idle', clash: undefined } },
        'the session has just ended',
      ],
      ['a sign-in that was cancelled', { callback: refused }, 'the sign-in was cancelled'],
      ['a code', { callback: answering({}) }, 'there is a session already'],
      ['a session', { findSession: async () => {} }, 'there is a session already'],
      [
        'a logout that is owed',
        { honourPendingLogout: async () => ({ is: 'redirecting', reason: 'signed-out' }) },
        'a logout is owed to the server',
      ],
      [
        'a code that failed',
        { callback: answering({}), exchange: () => Promise.reject(errorWith('network')) },
        'start-up failed before it',
      ],
      [
        'a check that failed',
        { findSession: () => Promise.reject(errorWith('network')) },
        'start-up failed before it',
      ],
    ])('after %s', async (_what, options, why) => {
      const { seen, feature } = step(async () => false)
      await run({ features: [feature], ...options })
      expect(seen).toEqual([why])
    })
  })

  describe('with a logout that is owed to the server', () => {
    const owing = (is: 'redirecting' | 'away' | 'sent before', options: Partial<OpenedPage> = {}) =>
      run({
        honourPendingLogout: async () => ({ is, reason: 'idle', cause: errorWith('network') }),
        ...options,
      })
    const SKIPPED_CHECK = ['verify existing session', 'skipped', 'a logout is owed to the server']

    it('leaves for the logout page, and does nothing else', async () => {
      expect(await owing('redirecting')).toEqual({ event: undefined, steps: [SKIPPED], retries: [] })
    })

    it('is signed out while the server is away', async () => {
      const { event, steps } = await owing('away')
      expect(event).toMatchObject({ type: 'absent', reason: 'idle', cause: { code: 'network' } })
      expect(steps).toEqual([SKIPPED])
    })

    it('that was asked for before signs nobody in by itself, and does not ask for the session that is to end', async () => {
      let asked = 0
      const findSession = async () => void (asked += 1)
      const login = async () => void (asked += 1)
      const { event, steps } = await owing('sent before', { findSession, login })
      expect(event).toMatchObject({ type: 'absent', reason: 'idle', cause: { code: 'network' } })
      expect(asked).toBe(0)
      expect(steps).toEqual([SKIPPED, SKIPPED_CHECK])
    })

    it('says of a code that failed why, and retry signs in', async () => {
      const error = errorWith('network', true)
      const { event, retries } = await owing('sent before', {
        callback: answering({}),
        exchange: () => Promise.reject(error),
      })
      expect(event).toMatchObject({ type: 'failed', error, canPass: false })
      expect(retries).toEqual(['login'])
    })

    it('that cannot be settled is failed: retry starts again, and nothing repeats it', async () => {
      const { event, retries } = await run({ honourPendingLogout: () => Promise.reject(new Error('store')) })
      expect(event).toMatchObject({ type: 'failed', error: { code: 'logout-failed' }, canPass: false })
      expect(retries).toEqual(['start-up'])
    })
  })

  it.each([
    [
      undefined,
      { reason: 'cancelled', cause: expect.objectContaining({ code: 'access-denied' }) as unknown },
    ],
    [{ by: 'announcement' }, { reason: 'session-clash', clash: { by: 'announcement' } }],
  ])('with a cancelled sign-in that began with the clash %j', async (clash, expected) => {
    const callback = { ...answering({ code: undefined, error: 'access_denied' }), clash } as never
    expect((await run({ callback })).event).toEqual({ type: 'absent', ...expected })
  })

  it('with a code of another user is signed out, and says so', async () => {
    const { event } = await run({
      callback: answering({}),
      exchange: () => Promise.reject(errorWith('identity-changed')),
    })
    expect(event).toMatchObject({ type: 'absent', reason: 'signed-out', cause: { code: 'identity-changed' } })
  })

  it.each<[string, object, AuthError]>([
    ['a duplicated tab sent', {}, errorWith('login-required')],
    ['ended a stronger sign-in', { stepUp: { user: {} } }, errorWith('network')],
    ['a slow server took for a stronger sign-in', { stepUp: { user: {} } }, errorWith('timeout', true)],
  ])('with a code that %s goes on as if there were none', async (_what, members, error) => {
    const { event, steps } = await run({
      callback: { ...answering({}), ...members } as never,
      exchange: () => Promise.reject(error),
    })
    expect(event).toBeUndefined()
    expect(steps.at(-1)).toEqual(['auto-login', 'started', 'to the sign-in page'])
  })

  it.each([{}, { stepUp: { user: {} } }])(
    'with a code to a server that does not respond asks for no session, and repeats by itself (%j)',
    async (members) => {
      const error = errorWith('timeout', true)
      let asked = 0
      const { event } = await run({
        callback: { ...answering({}), ...members } as never,
        exchange: () => Promise.reject(error),
        flow: { check: () => Promise.reject(error) },
        findSession: async () => void (asked += 1),
      })
      expect(event).toMatchObject({ type: 'failed', error, canPass: true, retry: 'start-up' })
      expect(asked).toBe(0)
    },
  )

  it('with a response that no attempt of this tab waits for says so, and looks for a session', async () => {
    const { steps } = await run({
      callback: { ...answering({}), attempt: undefined },
      findSession: async () => {},
    })
    expect(steps).toEqual([
      STARTED,
      ['code in the address', 'skipped', 'no longer awaited'],
      ['verify existing session', 'done', undefined],
    ])
  })

  it.each<[string, object]>([
    ['a stronger sign-in', { user: {} }],
    ['a switch of the organization', { switchTo: { organization: 'o2' } }],
  ])('after a user who turned back from %s looks for the session there was', async (_what, stepUp) => {
    const { event, steps } = await run({
      callback: { ...answering({ code: undefined, error: 'access_denied' }), stepUp },
      findSession: async () => {},
    })
    expect(event).toBeUndefined()
    expect(steps.at(-1)).toEqual(['verify existing session', 'done', undefined])
  })

  it('with a code that brought a weaker sign-in than was asked for ends with the reason: no frame looks for a session, and retry signs in', async () => {
    const { event, steps, retries } = await run({
      callback: { ...answering({}), stepUp: { acrValues: ['gold'] } } as never,
      exchange: () => Promise.reject(errorWith('step-up-refused')),
    })
    expect(event).toMatchObject({ type: 'failed', error: { code: 'step-up-refused' } })
    expect(retries).toEqual(['login'])
    expect(steps.map(([step]) => step)).not.toContain('verify existing session')
  })

  it('settles the logout that has come back, and no other', async () => {
    let settled = 0
    const settlePendingLogout = () => void (settled += 1)
    await run({ settlePendingLogout })
    await run({ settlePendingLogout, callback: answering({}) })
    expect(settled).toBe(0)
    await run({ settlePendingLogout, callback: { type: 'logout', reason: 'idle', clash: undefined } })
    expect(settled).toBe(1)
  })

  it.each<[AuthError['code'], boolean, AuthError['code'], boolean, boolean]>([
    ['network', true, 'iframe-timeout', true, true],
    ['network', true, 'iframe-timeout', false, false],
    ['network', true, 'login-required', true, false],
    ['network', true, 'network', true, true],
    ['network', false, 'network', true, false],
    ['authorization-refused', true, 'network', true, false],
  ])(
    'after a code that failed with %s, retryable %s, and a check with %s, autoLogin %s: repeats by itself %s',
    async (code, isRetryable, check, autoLogin, canPass) => {
      const { event } = await run({
        autoLogin,
        callback: answering({}),
        exchange: () => Promise.reject(errorWith(code, isRetryable)),
        findSession: () => Promise.reject(errorWith(check)),
      })
      expect(event).toMatchObject({ type: 'failed', error: { code }, canPass })
    },
  )
})
