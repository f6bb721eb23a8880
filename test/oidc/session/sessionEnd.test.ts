// A provider that says at the sign-in when the session ends (session_expiry): it ends then, in every tab, and not later.
import { describe, expect, it } from 'vitest'

import { ISSUER, jwt } from '../scene.ts'
import { signedIn, start } from './sessionPages.ts'
import { createOidcScene, type OidcScene } from './sessionScene.ts'

const HOUR_MS = 3_600_000

/** The ID token of the sign-in says this of the end, counted from now in seconds. */
function endingIn(value: unknown, member = 'session_expiry', config = {}): OidcScene {
  const scene = createOidcScene({ config: { autoLogout: false, ...config } })
  scene.provider.answer = { expires_in: 7200 }
  scene.provider.changeIdToken = (claims) =>
    jwt({ ...claims, [member]: typeof value === 'number' ? Number(claims['iat']) + value : value })
  return scene
}

const stateOf = ({ auth }: Awaited<ReturnType<typeof signedIn>>) => auth.getState()

it.each(['session_expiry', 'session_expires_at'])(
  '%s ends the session at its time, as expired, and says why',
  async (member) => {
    const scene = endingIn(3600, member)
    const page = await signedIn(scene)
    const endsAtMs = Math.floor(scene.browser.clock.nowMs / 1000) * 1000 + HOUR_MS
    expect(stateOf(page)).toMatchObject({ status: 'authenticated', sessionEndsAtMs: endsAtMs })
    await scene.browser.clock.advance(HOUR_MS - 2_000)
    expect(stateOf(page).status).toBe('authenticated')
    await scene.browser.clock.advance(3_000)
    expect(stateOf(page)).toMatchObject({
      status: 'unauthenticated',
      reason: 'expired',
      cause: { code: 'login-required', message: 'The session has ended at the provider' },
    })
  },
)

it('ends the session at a time further away than the longest timer of a browser, on a page that is only looked at', async () => {
  const days = 30 * 24 * HOUR_MS
  const scene = endingIn(days / 1000)
  scene.provider.answer = { expires_in: (2 * days) / 1000 }
  const page = await signedIn(scene)
  await scene.browser.clock.advance(days - 2_000)
  expect(stateOf(page).status).toBe('authenticated')
  await scene.browser.clock.advance(3_000)
  expect(stateOf(page)).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
})

it('tells every second of the last minute, and nothing before', async () => {
  const scene = endingIn(600)
  const page = await signedIn(scene)
  let count = 0
  page.auth.subscribe(() => (count += 1))
  await scene.browser.clock.advance(530_000)
  expect(count).toBe(0)
  await scene.browser.clock.advance(30_000)
  expect(count).toBeGreaterThanOrEqual(19)
})

it('ends the session after one that a listener has disposed of as its idle time began', async () => {
  const scene = endingIn(120, undefined, { autoLogout: true, idleTimeoutInMinutes: 1 })
  const { auth, host } = await signedIn(scene)
  auth.dispose()
  let count = 0
  const stop = auth.subscribe(() => {
    // The first tells who is signed in, the second that the last minute has begun.
    if (auth.getState().status !== 'authenticated' || ++count < 2) return
    stop()
    auth.dispose()
  })
  void auth.start()
  await scene.browser.clock.advance(1000)
  expect(auth.getState().status).toBe('initializing')
  void auth.start()
  await scene.browser.clock.advance(1000)
  expect(auth.getState().status).toBe('authenticated')
  for (let second = 0; second < 120; second += 30) {
    host.emit('activity')
    await scene.browser.clock.advance(30_000)
  }
  expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
})

it('a refresh that does not repeat it leaves the end where it was, and none moves it by itself', async () => {
  const scene = endingIn(3600)
  const page = await signedIn(scene)
  const before = stateOf(page)
  scene.provider.changeIdToken = jwt
  await page.auth.renew({ force: true })
  expect(stateOf(page)).toBe(before)
  await scene.browser.clock.advance(HOUR_MS + 1_000)
  expect(stateOf(page)).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
})

it.each([
  ['first named by a renewal', undefined, 600],
  ['brought forward by a renewal', 7200, 600],
])('an end that is %s is kept', async (_how, before, after) => {
  const scene = endingIn(before)
  const page = await signedIn(scene)
  const iat = Math.floor(scene.browser.clock.nowMs / 1000)
  scene.provider.answer = {
    ...scene.provider.answer,
    id_token: jwt({
      iss: ISSUER,
      sub: 'ada',
      sid: 'sid-1',
      aud: 'admin',
      iat,
      exp: iat + 300,
      session_expiry: iat + after,
    }),
  }
  await page.auth.renew({ force: true })
  await scene.browser.clock.advance((after - 30) * 1000)
  expect(stateOf(page).status).toBe('authenticated')
  await scene.browser.clock.advance(31_000)
  expect(stateOf(page)).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
})

it('another tab has the same end, and ends with the first', async () => {
  const scene = endingIn(3600)
  const page = await signedIn(scene)
  const second = await start(scene)
  await scene.browser.clock.advance(1_000)
  expect(stateOf(second)).toMatchObject({ status: 'authenticated' })
  await scene.browser.clock.advance(HOUR_MS + 1_000)
  expect([page, second].map((one) => stateOf(one).status)).toEqual(['unauthenticated', 'unauthenticated'])
})

it('a machine that slept over the end wakes signed out', async () => {
  const scene = endingIn(3600)
  const page = await signedIn(scene)
  scene.browser.clock.sleep(2 * HOUR_MS)
  page.host.emit('visible')
  await page.host.settle()
  expect(stateOf(page)).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
})

it.each([['soon'], [null], [[]], [{}], [true], [Number.NaN], [-7200], [0]])(
  '%j is no end: the session goes on',
  async (value) => {
    const scene = endingIn(value)
    const page = await signedIn(scene)
    expect(stateOf(page)).toMatchObject({ status: 'authenticated', sessionEndsAtMs: undefined })
    await scene.browser.clock.advance(HOUR_MS)
    expect(stateOf(page).status).toBe('authenticated')
  },
)

it('an end beyond all dates waits, without a timer that fires at once', async () => {
  const scene = endingIn(1e300)
  const page = await signedIn(scene)
  await scene.browser.clock.advance(HOUR_MS)
  expect(stateOf(page)).toMatchObject({ status: 'authenticated', sessionEndsAtMs: 8.64e15 })
})

it('a sign-in into a session that is over already is refused, and nobody is sent round', async () => {
  const scene = createOidcScene()
  scene.provider.changeIdToken = (claims) =>
    jwt({ ...claims, iat: Number(claims['iat']) - 300, session_expiry: Number(claims['iat']) - 60 })
  const page = await signedIn(scene)
  expect(stateOf(page)).toMatchObject({ status: 'failed', error: { code: 'invalid-id-token' } })
  expect(page.host.navigations).toEqual([])
})

describe.each([3 * HOUR_MS, -3 * HOUR_MS])(
  'a device whose clock is wrong by %i ms, where nobody knows the time',
  (wrongByMs) => {
    /** The provider's clock is right, and the app's server sends no `Date`. */
    const wrong = () => {
      const scene = endingIn(2 * 3600)
      const { nowMs } = scene.provider
      scene.provider.nowMs = () => nowMs() - wrongByMs
      return scene
    }
    const hasEnded = (page: Awaited<ReturnType<typeof signedIn>>) => stateOf(page).status !== 'authenticated'

    it('ends the session at its time', async () => {
      const scene = wrong()
      const page = await signedIn(scene)
      expect(stateOf(page)).toMatchObject({ status: 'authenticated' })
      await scene.browser.clock.advance(2 * HOUR_MS - 5_000)
      expect(hasEnded(page)).toBe(false)
      await scene.browser.clock.advance(10_000)
      expect(hasEnded(page)).toBe(true)
    })

    it('goes by the same clock after a refresh that moves the end, and whose ID token lives for a day', async () => {
      const scene = wrong()
      const page = await signedIn(scene)
      await scene.browser.clock.advance(HOUR_MS)
      const iat = Math.floor(scene.provider.nowMs() / 1000)
      const claims = { iss: ISSUER, sub: 'ada', sid: 'sid-1', aud: 'admin', iat, exp: iat + 86_400 }
      scene.provider.answer['id_token'] = jwt({ ...claims, session_expiry: iat + 2 * 3600 })
      await page.auth.renew({ force: true })
      await scene.browser.clock.advance(2 * HOUR_MS - 5_000)
      expect(hasEnded(page)).toBe(false)
      await scene.browser.clock.advance(10_000)
      expect(hasEnded(page)).toBe(true)
    })
  },
)
