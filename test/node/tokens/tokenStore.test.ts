// Holds tokens in memory and knows their age by a monotonic clock.
import { describe, expect, it } from 'vitest'
import { parseTokens, type Tokens } from '../../../src/protocol/tokens.ts'
import { createTokenStore } from '../../../src/session/signedIn/tokenStore.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createTokenResponse, type TokenClaims, type TokenResponse } from '../../../src/testing/tokens.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

function create(members: Partial<TokenClaims> = {}, answer: Partial<TokenResponse> = {}) {
  const { clock } = createFakeBrowser()
  const store = createTokenStore({ now: () => clock.nowMs, monotonicNow: () => clock.monotonicMs })
  const put = (tokens: Tokens, verifier = 'verifier-1', askedAtMs = clock.nowMs) =>
    store.put({ ...tokens, memory: { verifier }, askedAtMs })
  put(parseTokens(createTokenResponse(members, answer)))
  return { clock, store, put }
}

it('is empty at first and after it was cleared', () => {
  const { store } = create()
  expect(store.current?.refreshToken).toBe('refresh-1')
  store.clear()
  expect(store.current).toBeUndefined()
  expect(store.remainingMs()).toBeUndefined()
  expect(store.isDue()).toBe(false)
})

describe('a token is due', () => {
  it.each([
    [600, 569_999, false],
    [600, 570_000, true],
    [600, 600_000, true],
    [60, 29_999, false],
    [60, 30_000, true],
    [31, 15_499, false],
    [31, 15_500, true],
    [1, 499, false],
    [1, 500, true],
  ])('living for %i s, after %i ms: %s', async (expires_in, afterMs, isDue) => {
    const { clock, store } = create({}, { expires_in })
    await clock.advance(afterMs)
    expect(store.isDue()).toBe(isDue)
  })

  it('never, when the server told no lifetime', async () => {
    const { clock, store } = create({ exp: undefined as never }, { expires_in: undefined })
    await clock.advance(30 * DAY)
    expect(store.isDue()).toBe(false)
    expect(store.remainingMs()).toBeUndefined()
    expect(store.current?.expiresAtMs).toBeUndefined()
  })

  it.each([-DAY, -10 * 60_000, 10 * 60_000, DAY])(
    'the same whatever iat and exp say, off by %i ms',
    (skewMs) => {
      const { clock, store } = create({
        iat: 1_893_456_000 + skewMs / 1000,
        exp: 1_893_456_600 + skewMs / 1000,
      })
      expect(store.remainingMs()).toBe(600_000)
      expect(store.current?.expiresAtMs).toBe(clock.nowMs + 600_000)
    },
  )

  it('not earlier when the clock is set back by a day', async () => {
    const { clock, store } = create()
    clock.jump(-DAY)
    expect(store.remainingMs()).toBe(600_000)
    await clock.advance(570_000)
    expect(store.isDue()).toBe(true)
  })

  it('not by a small correction of the clock', () => {
    const { clock, store } = create()
    clock.jump(29_000)
    expect(store.remainingMs()).toBe(600_000)
  })

  it('after a sleep through which the monotonic clock stood still', () => {
    const { clock, store } = create()
    clock.sleep(8 * HOUR)
    expect(store.isDue()).toBe(true)
  })
})

describe('handed on to another tab, a token', () => {
  /** The tab that takes it over, beside the one that has it. */
  const handOn = ({ clock, store }: ReturnType<typeof create>) => {
    const other = createTokenStore({ now: () => clock.nowMs, monotonicNow: () => clock.monotonicMs })
    other.put(store.copy()!)
    return other
  }

  it('ends when it ends, and is due as long before as it was', async () => {
    const scene = create()
    await scene.clock.advance(565_000)
    const other = handOn(scene)
    expect(other.ageMs()).toBe(565_000)
    expect(other.isDue()).toBe(false)
    await scene.clock.advance(5_000)
    expect(other.isDue()).toBe(true)
    expect(other.remainingMs()).toBe(30_000)
    expect(handOn({ ...scene, store: other }).isDue()).toBe(true)
  })

  it('that has ended does not live again', () => {
    const scene = create()
    scene.clock.sleep(25 * 60_000)
    expect(handOn(scene).isExpired()).toBe(true)
  })

  it('is no younger where the clock was set back before', async () => {
    const scene = create()
    await scene.clock.advance(500_000)
    scene.clock.jump(-DAY)
    expect(handOn(scene).remainingMs()).toBe(100_000)
  })

  it('whose life is unknown has none there either', async () => {
    const scene = create({ exp: undefined as never }, { expires_in: undefined })
    await scene.clock.advance(DAY)
    expect(handOn(scene).remainingMs()).toBeUndefined()
  })
})

describe('taking tokens in', () => {
  it('counts their life from when they were asked for', () => {
    const { clock, store, put } = create()
    put(parseTokens(createTokenResponse()), 'verifier-1', clock.nowMs - 12_000)
    expect(store.remainingMs()).toBe(588_000)
    expect(store.current?.expiresAtMs).toBe(clock.nowMs + 588_000)
  })

  it('sees that the machine slept between the question and the answer', () => {
    const { clock, store, put } = create()
    const askedAtMs = clock.nowMs
    clock.sleep(8 * HOUR)
    put(parseTokens(createTokenResponse()), 'verifier-1', askedAtMs)
    expect(store.isDue()).toBe(true)
  })

  it('takes nothing for younger than new when the clock was set back meanwhile', () => {
    const { clock, store, put } = create()
    const askedAtMs = clock.nowMs
    clock.jump(-DAY)
    put(parseTokens(createTokenResponse()), 'verifier-1', askedAtMs)
    expect(store.remainingMs()).toBe(600_000)
    expect(store.current?.expiresAtMs).toBe(clock.nowMs + 600_000)
  })

  it('continues the session of the same user in the same object, so that nothing has to render', () => {
    const { store, put } = create()
    const before = store.current
    put(parseTokens(createTokenResponse({ jti: 'jti-2' }, { refresh_token: 'refresh-2' })))
    expect(store.current).toBe(before)
    expect(store.current).toMatchObject({ refreshToken: 'refresh-2', claims: { jti: 'jti-2' } })
  })

  it('drops a refresh token of an older sign-in, whose verifier is gone', () => {
    const { store, put } = create()
    put(parseTokens(createTokenResponse({}, { refresh_token: undefined })), 'verifier-2')
    expect(store.current?.refreshToken).toBeUndefined()
  })

  it.each<[string, Partial<TokenClaims>]>([
    ['another user', { userId: 'bob' }],
    ['another firm', { firmId: 'f2' }],
    ['another session', { sessionId: 's2' }],
    ['an impersonator', { impersonatorId: 'support' }],
  ])('%s begins a new session that has nothing of the old one', (_who, members) => {
    const { store, put } = create()
    const before = store.current
    const next = parseTokens(createTokenResponse(members, { refresh_token: undefined }))
    put(next, 'verifier-2')
    expect(store.current).not.toBe(before)
    expect(store.current?.refreshToken).toBeUndefined()
    expect(store.current?.memory).toEqual({ verifier: 'verifier-2' })
  })
})
