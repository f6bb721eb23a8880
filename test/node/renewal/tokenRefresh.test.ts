// When a token is renewed, by a clock that a test turns: due, late, asleep, tried again, and stopped.
import { describe, expect, it } from 'vitest'
import { LARGEST_TIMER_DELAY_MS } from '../../../src/base/constants.ts'
import { AuthError } from '../../../src/base/errors.ts'
import { createTokenRefresh } from '../../../src/session/signedIn/tokenRefresh.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'
import { APP } from '../session/sessionScene.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'

/** What decides over a token with so much life left. */
const contextOf = (
  host: FakeHost,
  life: { remainingMs: number | undefined },
  autoRefreshToken = true,
  tell: (isTokenExpired: boolean) => void = () => {},
) =>
  ({
    settings: { autoRefreshToken },
    platform: host.platform,
    store: {
      change: ({ flags }: { flags: { isTokenExpired: boolean } }) => tell(flags.isTokenExpired),
    },
    tokens: {
      isDue: () => (life.remainingMs ?? Infinity) <= 30_000,
      remainingMs: () => life.remainingMs,
    },
    caches: {
      show(name: string, work: () => Promise<void>) {
        expect(name).toBe('renew token')
        return work()
      },
    },
  }) as unknown as Parameters<typeof createTokenRefresh>[0]

const errorWith = (code: AuthError['code'], retryable = false) => new AuthError(code, code, { retryable })

describe('renewal', () => {
  function open(life: { remainingMs: number | undefined }, isScheduled = true) {
    const host = createFakeHost(APP)
    const asked: number[] = []
    const told: [isTokenExpired: boolean, atMs: number][] = []
    let answer: () => Promise<void> = async () => {}
    const startMs = host.clock.nowMs
    const sinceStart = () => host.clock.nowMs - startMs
    const tell = (isTokenExpired: boolean) => void told.push([isTokenExpired, sinceStart()])
    const renewal = createTokenRefresh(contextOf(host, life, isScheduled, tell), () => {
      asked.push(sinceStart())
      return answer()
    })
    const plannedIn = () => {
      const atMs = renewal.plannedAtMs()
      return atMs === undefined ? undefined : atMs - host.clock.nowMs
    }
    return {
      host,
      renewal,
      asked,
      told,
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
    ['an error that does not say that it may pass', errorWith('identity-changed'), 1000],
    ['an error that is not ours', new Error('x'), 1000],
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

  it('brought forward by a look has no timer beside it, and none is added by a look while it runs', async () => {
    const life = { remainingMs: 600_000 }
    const { host, renewal, asked, answerWith } = open(life)
    let fail = () => {}
    answerWith(() => new Promise((_resolve, reject) => (fail = () => reject(errorWith('network', true)))))
    renewal.schedule()
    life.remainingMs = 20_000
    renewal.check()
    expect([renewal.plannedAtMs(), host.counts().timers]).toEqual([undefined, 0])
    renewal.check()
    fail()
    await host.settle()
    expect([asked.length, host.counts().timers]).toEqual([1, 1])
  })

  it('of the session before is joined by nobody who has signed in since, and its end is not the end of the next one', async () => {
    const { renewal, asked, answerWith } = open({ remainingMs: 600_000 })
    const ends: (() => void)[] = []
    answerWith(() => new Promise((resolve) => ends.push(resolve)))
    const before = renewal.ensureFresh(true)
    renewal.allow()
    expect(renewal.isRunning()).toBe(false)
    const next = renewal.ensureFresh(true)
    expect(asked).toHaveLength(2)
    ends[0]!()
    await before
    expect(renewal.isRunning()).toBe(true)
    ends[1]!()
    await next
    expect(renewal.isRunning()).toBe(false)
  })

  it('that failed is tried again by no call within 5 seconds, and by the next one at once where another token has come', async () => {
    const { host, renewal, asked, answerWith } = open({ remainingMs: 10_000 })
    const why = errorWith('network', true)
    answerWith(() => Promise.reject(why))
    const fails = () => expect(renewal.ensureFresh()).rejects.toBe(why)
    await fails()
    await host.clock.advance(4_999)
    await fails()
    expect(asked).toEqual([0])
    await host.clock.advance(1)
    await fails()
    expect(asked).toEqual([0, 5_000])
    renewal.renewed()
    await fails()
    expect(asked).toEqual([0, 5_000, 5_000])
  })

  it('is not planned once nothing can bring tokens, also where the page is mounted again', () => {
    const { renewal, plannedIn } = open({ remainingMs: 600_000 })
    renewal.failed(() => {})
    renewal.stop()
    renewal.schedule()
    expect(plannedIn()).toBeUndefined()
    renewal.renewed()
    renewal.schedule()
    expect(plannedIn()).toBe(570_000)
  })

  describe('that failed: the end of the token is told', () => {
    /** The token has 600 s, a renewal has failed, and the app renews no more by itself. */
    function openFailed(life: { remainingMs: number | undefined } = { remainingMs: 600_000 }) {
      const scene = open(life)
      scene.renewal.stopForApp()
      scene.renewal.failed()
      const pass = (ms: number) => {
        life.remainingMs! -= ms
        return scene.host.clock.advance(ms)
      }
      return { ...scene, life, pass }
    }

    it('in the millisecond of its end, once', async () => {
      const { host, told, pass } = openFailed()
      await pass(599_999)
      expect(told).toEqual([])
      await pass(1)
      expect(told).toEqual([[true, 600_000]])
      expect(host.counts().timers).toBe(0)
    })

    it('at once when the machine slept over it, and no timer is left', () => {
      const { host, renewal, told, life } = openFailed()
      life.remainingMs = 1
      renewal.check()
      expect(told).toEqual([])
      life.remainingMs = 0
      renewal.check()
      expect(told).toEqual([[true, 0]])
      expect(host.counts().timers).toBe(0)
    })

    it('never, where nobody knows it', () => {
      const { host, told } = openFailed({ remainingMs: undefined })
      expect([told, host.counts().timers]).toEqual([[], 0])
    })

    it('also on a page that is used again after a while in which it was not', async () => {
      const { host, renewal, told, pass } = openFailed()
      renewal.stop()
      expect(host.counts().timers).toBe(0)
      renewal.schedule()
      await pass(600_000)
      expect(told).toEqual([[true, 600_000]])
    })

    it('no more when another token has come: that one has not failed', async () => {
      const { host, renewal, told, pass } = openFailed()
      renewal.renewed()
      expect(told).toEqual([[false, 0]])
      expect(host.counts().timers).toBe(0)
      renewal.schedule()
      await pass(600_000)
      expect(told).toHaveLength(1)
    })
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

describe('a renewal', () => {
  function open(remainingMs: number) {
    const host = createFakeHost(APP)
    const askedAtMs: number[] = []
    const life = { remainingMs }
    const renewal = createTokenRefresh(contextOf(host, life), async () => {
      askedAtMs.push(host.clock.nowMs - FAKE_START_MS)
      throw new AuthError('network', 'x', { retryable: true })
    })
    return { host, renewal, askedAtMs, life }
  }

  it('that fails after a sleep takes the place of the one that was planned before', async () => {
    const { host, renewal, askedAtMs, life } = open(600_000)
    renewal.schedule()
    life.remainingMs = 20_000
    renewal.check()
    await host.settle()
    expect(host.counts().timers).toBe(1)
    await host.clock.advance(570_000)
    const fromTheFifthOn = askedAtMs.slice(5)
    expect(askedAtMs.slice(0, 6)).toEqual([0, 1000, 3000, 8000, 18_000, 48_000])
    fromTheFifthOn.slice(1).forEach((atMs, index) => expect(atMs - fromTheFifthOn[index]!).toBe(30_000))
  })

  it('that is not due is a promise all the same', async () => {
    await expect(open(600_000).renewal.ensureFresh()).resolves.toBeUndefined()
  })
})
