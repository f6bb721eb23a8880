// The hidden frame of an OpenID Connect provider, whose URL is the response: when it is read, what ends the wait, what is learnt from a failure.
import { describe, expect, it } from 'vitest'
import { type AuthError, iframeBlocked, network, timedOut } from '../../../src/base/errors.ts'
import { parseConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import type { Server } from '../../../src/protocol/servers/profile.ts'
import type { Platform } from '../../../src/session/platform/platform.ts'
import { askInFrame } from '../../../src/session/signIn/hiddenFrame.ts'
import { createTabRecords } from '../../../src/session/signIn/tabRecords.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP, CLIENT, CRYPTO, ISSUER, METADATA, server } from '../scene.ts'

/** Between two looks at the frame's URL, at first. */
const LOOK_MS = 20
/** How long a frame that has loaded has to respond. */
const GRACE_MS = 3_000
const LIMIT_MS = 60_000
const SILENT_PAGE = `${APP}silent.html`

interface SceneOptions {
  /** Whether the server can be reached; called where the frame says nothing. */
  check?: () => Promise<void>
  /** The app has `latchkey/early`: it has opened the frame, or not. */
  early?: 'opened' | 'not opened'
  /** The frame is back at the app as soon as it is open. */
  isBack?: boolean
  silentRedirectUri?: string
  isLastChance?: boolean
  /** What this browser has learnt of frames in vain. */
  expected?: AuthError
  /** The provider wants its requests pushed. */
  push?: Server['push']
}

/** A frame has been asked for; the test says where it is. */
async function openFrame(options: SceneOptions = {}) {
  const { check = async () => {}, early, silentRedirectUri, expected, push } = options
  const host = createFakeHost(APP)
  const openedAtMs = host.clock.nowMs
  const looksAtMs: number[] = []
  let isBack = options.isBack ?? false
  const openFrame: Platform['openFrame'] = (opened) => ({
    ...host.platform.openFrame(opened),
    address() {
      looksAtMs.push(host.clock.nowMs - openedAtMs)
      return isBack ? `${APP}?code=c1&state=${new URL(opened.url).searchParams.get('state')}` : undefined
    },
  })
  const settings = parseConfig({ server: openIdConnect({ issuer: ISSUER, metadata: METADATA }), ...CLIENT })
  const key = await settings.server.createKey(CRYPTO)
  const earlyFrame = early === 'opened' ? { ...key, createdAtMs: openedAtMs, openFrame } : undefined
  const learnt: string[] = []
  const on = server({ silentRedirectUri }, { response_modes_supported: ['query', 'web_message'] })
  const tabRecords = createTabRecords(host.sessionStorage, { authHost: ISSUER, clientId: CLIENT.clientId })
  const leaving = new AbortController()
  let outcome: unknown
  let verifier: string | undefined
  askInFrame(
    {
      settings,
      platform: { ...host.platform, openFrame, early: early && { frame: () => earlyFrame } },
      tabRecords,
      server: {
        get: async () => ({
          ...on,
          push,
          silentCheck: {
            ...on.silentCheck,
            silence: {
              expected: () => expected,
              note: () => void learnt.push('in vain'),
              isKnown: () => false,
            },
          },
        }),
      },
      reachability: { heard: () => void learnt.push('the server is there'), begin: () => ({ check }) },
      tokens: { current: undefined },
      redirectUri: () => APP,
    },
    leaving.signal,
    options.isLastChance,
  ).then(
    ({ answer, attempt }) => {
      outcome = [answer.code, attempt.redirectUri]
      verifier = attempt.verifier
    },
    (error: unknown) => (outcome = error),
  )
  await host.settle()
  return {
    host,
    frame: host.frames[0],
    looksAtMs,
    learnt,
    leaving,
    outcome: () => outcome,
    key,
    verifier: () => verifier,
    failures: () => tabRecords.read().silentSignIn?.failures ?? 0,
    /** The frame is back at the app, with the response. */
    comeBack: () => void (isBack = true),
  }
}

const RESPONSE = ['c1', APP]

describe('the URL of a frame', () => {
  // A frame that has just been opened is nowhere: to look at it, the engine would make a window for an empty page.
  it('is not read at once, and before the page in it has loaded; the frame goes with it, and the wait leaves nothing', async () => {
    const { host, outcome, comeBack, frame, looksAtMs } = await openFrame()
    comeBack()
    await host.clock.advance(LOOK_MS - 1)
    expect(outcome()).toBeUndefined()
    await host.clock.advance(1)
    expect([outcome(), looksAtMs]).toEqual([RESPONSE, [LOOK_MS]])
    expect(frame?.isOpen).toBe(false)
    expect(host.counts()).toMatchObject({ frames: 0, timers: 0, listeners: 0 })
  })

  it('is read as soon as the page in it has loaded: the server is not asked whether it is there', async () => {
    let checkCount = 0
    const { host, frame, outcome, comeBack } = await openFrame({ check: async () => void (checkCount += 1) })
    comeBack()
    frame?.load()
    await host.settle()
    expect([outcome(), checkCount]).toEqual([RESPONSE, 0])
    expect(host.counts()).toMatchObject({ frames: 0, timers: 0, listeners: 0 })
  })

  it('is read less and less often, and a response is noticed at most 2 % late', async () => {
    const { host, looksAtMs } = await openFrame()
    await host.clock.advance(LIMIT_MS - 1)
    expect(looksAtMs.length).toBeLessThan(210)
    const waitsMs = looksAtMs.map((atMs, index) => atMs - (looksAtMs[index - 1] ?? 0))
    const tooLong = waitsMs.filter(
      (waitMs, index) => waitMs > LOOK_MS + (looksAtMs[index - 1] ?? 0) * 0.02 + 1,
    )
    expect(tooLong).toEqual([])
  })

  it('is read at once where `latchkey/early` has opened the frame: it may be back already', async () => {
    const { outcome, looksAtMs, key, verifier } = await openFrame({ early: 'opened', isBack: true })
    expect([outcome(), looksAtMs]).toEqual([RESPONSE, [0]])
    expect(verifier()).toBe(key.verifier)
  })

  it('is read by one timer, however often the frame loads, and by none after a message or the end of the page', async () => {
    const { host, frame, outcome } = await openFrame()
    frame?.load()
    frame?.load()
    // Of the limit, of the time since the last load, of the next look.
    expect(host.counts().timers).toBe(3)
    frame?.answer({ code: 'c1' })
    await host.settle()
    expect(outcome()).toEqual(RESPONSE)
    // Of the removal.
    expect(host.counts().timers).toBe(1)
    const gone = await openFrame()
    gone.leaving.abort(new Error('gone'))
    expect(gone.host.counts()).toMatchObject({ frames: 0, timers: 0, listeners: 0 })
  })
})

describe('a server that is away, of which the frame shows the error page,', () => {
  it('ends the wait at once with its own error, which is no failure of frames', async () => {
    const error = network('GET /userinfo', undefined)
    const { host, frame, outcome, failures, learnt } = await openFrame({ check: () => Promise.reject(error) })
    frame?.load()
    await host.settle()
    expect(outcome()).toBe(error)
    expect([failures(), learnt]).toEqual([0, []])
    expect(host.counts()).toMatchObject({ frames: 0, timers: 0, listeners: 0 })
  })

  it('that is merely slow still has the time that a loaded frame has', async () => {
    const error = timedOut('GET /userinfo')
    const { host, frame, outcome, failures, learnt } = await openFrame({ check: () => Promise.reject(error) })
    frame?.load()
    await host.clock.advance(GRACE_MS - 1)
    expect(outcome()).toBeUndefined()
    await host.clock.advance(1)
    expect(outcome()).toBe(error)
    expect([failures(), learnt]).toEqual([0, []])
  })

  it.each([
    ['says nothing', undefined],
    ['is away', network('GET /userinfo', undefined)],
  ])(
    'counts for nothing when the frame responds before the question is answered: %s',
    async (_what, error) => {
      let settle = () => {}
      const check = () =>
        new Promise<void>((resolve, reject) => (settle = () => (error ? reject(error) : resolve())))
      const { host, frame, outcome, failures, learnt } = await openFrame({ check })
      frame?.load()
      await host.clock.advance(GRACE_MS)
      expect(outcome()).toBeUndefined()
      frame?.answer({ code: 'c1' })
      settle()
      await host.settle()
      expect(outcome()).toEqual(RESPONSE)
      expect([failures(), learnt]).toEqual([0, ['the server is there']])
      // It stays for the messages of its page.
      expect(frame?.isOpen).toBe(true)
    },
  )
})

describe('a frame in vain', () => {
  it.each([
    ['loaded', true, GRACE_MS, ['in vain']],
    ['did not load', false, LIMIT_MS, []],
  ])('that %s teaches the browser accordingly', async (_what, isLoaded, waitMs, expected) => {
    const { host, frame, outcome, failures, learnt } = await openFrame()
    if (isLoaded) frame?.load()
    await host.clock.advance(waitMs - 1)
    expect(outcome()).toBeUndefined()
    await host.clock.advance(1)
    expect(outcome()).toMatchObject({ code: 'iframe-timeout' })
    expect([failures(), learnt]).toEqual([1, expected])
  })

  it.each([
    ['is not opened', undefined, 0],
    ['is opened where only it can renew the session', true, 1],
  ])('that this browser expects %s', async (_what, isLastChance, count) => {
    const expected = iframeBlocked('earlier')
    const { host, outcome } = await openFrame({ expected, ...(isLastChance && { isLastChance }) })
    expect(host.frames).toHaveLength(count)
    expect(outcome()).toBe(count === 0 ? expected : undefined)
  })
})

it('a frame of a provider that wants pushed requests is opened with the pushed one', async () => {
  const url = `${ISSUER}/auth?request_uri=urn:1`
  const pushed: string[] = []
  const push = async (authorizeUrl: string) => {
    pushed.push(new URL(authorizeUrl).searchParams.get('prompt')!)
    return url
  }
  const { frame } = await openFrame({ push })
  expect([frame?.url, pushed]).toEqual([url, ['none']])
})

describe('the page that the frame comes back to', () => {
  it.each([
    ['the app, as by a redirect', {}, APP],
    ['a page of its own', { silentRedirectUri: SILENT_PAGE }, SILENT_PAGE],
  ])('is %s', async (_what, options, redirectUri) => {
    const { frame, host, outcome } = await openFrame(options)
    expect(frame?.parameters.get('redirect_uri')).toBe(redirectUri)
    frame?.answer({ code: 'c1' })
    await host.settle()
    expect(outcome()).toEqual(['c1', redirectUri])
  })
})
