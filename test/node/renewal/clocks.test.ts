// Renewal under every clock: skewed, corrected, asleep, with every lifetime a server may tell (F27-F31).
import { describe, expect, it } from 'vitest'
import { createFakeAuthServer, createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { APP, CONFIG, isOpenIdConnect } from '../session/sessionScene.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Renewals come this near to their ideal moment. */
const TOLERANCE_MS = 2_000
/** And never closer to each other than this. */
const SMALLEST_DISTANCE_MS = 10_000

const SKEWS: [string, number][] = [
  ['a day behind', -DAY],
  ['10 minutes behind', -10 * MINUTE],
  ['right', 0],
  ['10 minutes ahead', 10 * MINUTE],
  ['a day ahead', DAY],
]

/** What the server says, the life that it means, and how long is waited for the renewal; no wait: no timer. */
type Lifetime = { expires_in?: unknown; exp?: undefined; lifeMs: number; waitMs?: number }
const LIFETIMES: [string, Lifetime][] = [
  ['600', { expires_in: 600, lifeMs: 600_000, waitMs: 570_000 }],
  ['the text "600"', { expires_in: '600', lifeMs: 600_000, waitMs: 570_000 }],
  ['3600', { expires_in: 3600, lifeMs: 3_600_000, waitMs: 3_570_000 }],
  ['31, hardly more than the margin', { expires_in: 31, lifeMs: 31_000, waitMs: 15_500 }],
  ['20, less than the margin', { expires_in: 20, lifeMs: 20_000, waitMs: 10_000 }],
  ['missing, without exp', { exp: undefined, lifeMs: Infinity }],
  ['more than a timer can wait', { expires_in: 2_200_000, lifeMs: 2_200_000_000 }],
]

/** An OpenID Connect provider's access token is not looked into, and a negative life refused. */
if (!isOpenIdConnect)
  LIFETIMES.push(
    ['missing, with exp and iat', { lifeMs: 600_000, waitMs: 570_000 }],
    ['negative', { expires_in: -600, lifeMs: Infinity }],
  )

/** Signed in; renewals are noted with the real time that has passed since. */
async function signedIn(skewMs: number, life: Lifetime) {
  const browser = createFakeBrowser()
  const { clock } = browser
  const server = createFakeAuthServer({
    now: () => clock.nowMs + skewMs,
    user: createFakeUser('exp' in life ? { exp: undefined as never } : {}),
  })
  const host = createFakeHost(APP, {
    browser,
    server,
    async fetch(...request) {
      const response = await server.fetch(...request)
      const { expires_in: _said, ...answer } = (await response.json()) as Record<string, unknown>
      return Response.json({ ...answer, expires_in: life.expires_in }, { status: response.status })
    },
  })
  const auth = createAuth(
    { ...CONFIG, autoRefreshToken: true, autoLogout: false },
    { platform: host.platform },
  )
  await auth.start()
  await host.settle()
  expect(auth.getState().status).toBe('authenticated')

  const startedAtMs = clock.monotonicMs
  let sleptMs = 0
  const realMs = () => clock.monotonicMs - startedAtMs + sleptMs
  const renewals: number[] = []
  const { fetch } = host
  host.fetch = (...request) => {
    // Not the question whether the server is there, which follows a wake.
    if (request[1]?.method === 'POST') renewals.push(realMs())
    return fetch(...request)
  }
  const wake = async () => {
    for (const event of ['visible', 'focus', 'resume', 'online'] as const) host.emit(event)
    await host.settle()
  }
  return {
    host,
    auth,
    renewals,
    realMs,
    advance: (ms: number) => clock.advance(ms),
    async sleep(ms: number) {
      clock.sleep(ms)
      sleptMs += ms
      await wake()
    },
    async setClock(ms: number) {
      clock.jump(ms)
      await wake()
    },
  }
}

type Scene = Awaited<ReturnType<typeof signedIn>>

/** What happens in the middle of a life; answers whether the token counts as over then. */
const DAYS: [string, (scene: Scene, life: Lifetime, skewMs: number) => Promise<boolean>][] = [
  ['on a steady day', async () => false],
  [
    'when the clock is set to what the server has',
    async (scene, { lifeMs, waitMs = HOUR }, skewMs) => {
      const byMs = skewMs || HOUR
      await scene.setClock(byMs)
      // Far ahead looks like a sleep: a renewal too many, once, rather than an expired token.
      return 0.4 * waitMs + byMs >= lifeMs - 30_000
    },
  ],
  [
    'over a sleep of eight hours',
    async (scene, { lifeMs, waitMs = HOUR }) => {
      await scene.sleep(8 * HOUR)
      return 0.4 * waitMs + 8 * HOUR >= lifeMs - 30_000
    },
  ],
]

describe.each(DAYS)('%s', (_day, happen) => {
  describe.each(SKEWS)('a clock that is %s', (_skew, skewMs) => {
    it.each(LIFETIMES)('and a lifetime of %s: every renewal in time, none too many', async (_life, life) => {
      const scene = await signedIn(skewMs, life)
      const { waitMs } = life
      const pace = waitMs ?? HOUR
      const timers = scene.host.counts().timers

      await scene.advance(0.4 * pace)
      const isOver = await happen(scene, life, skewMs)
      const expected: number[] = []
      if (isOver) expected.push(scene.realMs())
      const base = isOver ? scene.realMs() : 0
      await scene.advance(2.7 * pace)
      if (waitMs !== undefined) {
        for (let next = base + waitMs; next <= scene.realMs(); next += waitMs) expected.push(next)
      }

      expect(scene.renewals).toHaveLength(expected.length)
      for (const [index, atMs] of scene.renewals.entries()) {
        expect(Math.abs(atMs - (expected[index] ?? 0))).toBeLessThanOrEqual(TOLERANCE_MS)
        expect(atMs - (scene.renewals[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(SMALLEST_DISTANCE_MS)
      }
      expect(scene.auth.getState().status).toBe('authenticated')
      if (waitMs === undefined) expect(scene.host.counts().timers).toBeLessThanOrEqual(timers)
    })
  })
})

it('looking at the page again and again renews a token of a short life no more often', async () => {
  const { advance, renewals, setClock } = await signedIn(0, { expires_in: 20, lifeMs: 20_000 })
  for (let second = 0; second < 30; second += 1) {
    await setClock(0)
    await advance(1_000)
  }
  expect(renewals).toEqual([10_000, 20_000, 30_000])
})
