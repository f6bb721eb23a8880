// What ends a session ends that one: a refusal, idle time or a clash that takes its time says nothing about whoever is signed in by then.
import { describe, expect, it } from 'vitest'
import type { AuthError } from '../../../src/base/errors.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import type { Platform, TabsPort } from '../../../src/session/platform/platform.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createScene } from './sessionScene.ts'
import { holdRequests } from '../../holdRequests.ts'

const SLOW_MS = 400

/** Alice is signed in. From `slow()` on the database and the locks take their time. */
async function open(config: Partial<AuthConfig> = {}) {
  const scene = createScene({
    config: { autoLogin: false, autoLogout: false, ...config },
    server: { expiresInSeconds: 86_400 },
  })
  const { host, server, auth } = scene
  const { platform } = host
  let isSlow = false
  const wait = async () => isSlow && new Promise<void>((resolve) => void platform.setTimer(resolve, SLOW_MS))
  const { tabs, takeLock } = platform
  Object.assign(platform, {
    tabs(): TabsPort {
      const port = tabs()
      return {
        ...port,
        async update(name, change) {
          await wait()
          return port.update!(name, change)
        },
      }
    },
    async takeLock(name, forMs) {
      await wait()
      return takeLock(name, forMs)
    },
  } satisfies Partial<Platform>)
  void auth.start()
  await host.clock.advance(1_000)
  expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
  const seen: string[] = []
  auth.subscribe(() => {
    const state = auth.getState()
    seen.push(state.status === 'authenticated' ? String(state.user.userId) : state.status)
  })
  return {
    ...scene,
    seen,
    slow: () => (isSlow = true),
    /** A window is open; what is returned is its answer. */
    async openWindow() {
      auth.login({ display: 'popup', prompt: 'login' }).catch(() => {})
      await host.settle()
      const popup = host.popups.at(-1)!
      return async (userId = 'bob') => {
        server.user = createFakeUser({ userId, sessionId: userId === 'bob' ? 's2' : 's1' })
        popup.post({ type: 'signInAnswer', address: server.callbackOf(popup.urls.at(-1)!) })
        await host.settle()
      }
    },
  }
}

describe('a refusal of the tokens, which other tabs are asked about before it counts,', () => {
  it.each([
    ['the next user', 'bob'],
    ['the same user, who has signed in anew', 'alice'],
  ])('is none of %s', async (_who, userId) => {
    const { auth, host, server, seen, slow, openWindow } = await open()
    const answer = await openWindow()
    server.revokeAll()
    server.user = undefined
    slow()
    const renewal = auth.renew({ force: true }).then(
      () => 'ok',
      (error: unknown) => (error as AuthError).code,
    )
    // The server has refused both ways by now.
    await host.clock.advance(SLOW_MS * 1.5)
    expect(server.tokenRequests.at(-1)).toMatchObject({ isGranted: false })
    await answer(userId)
    await host.clock.advance(5_000)
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId } })
    expect(seen.at(-1)).toBe(userId)
    expect(await renewal).toMatch(/^(ok|not-authenticated|invalid-grant)$/)
    expect(await auth.getAccessToken()).toBeTruthy()
  })
})

it('idle time that is over for one user signs nobody else out, who signs in meanwhile', async () => {
  const { auth, host, slow, openWindow } = await open({ autoLogout: true })
  await host.clock.advance(30 * 60_000 - 2_000)
  const answer = await openWindow()
  slow()
  await host.clock.advance(1_000 + SLOW_MS / 2)
  expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
  await answer()
  await host.clock.advance(5_000)
  expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'bob' } })
  expect(host.navigations).toEqual([])
})

it('a page on its way to the sign-in page shows nobody for a renewal that ends meanwhile', async () => {
  const { auth, host, server, seen } = await open()
  const real = host.fetch
  const release = holdRequests(host)
  const renewal = auth.renew({ force: true })
  await host.settle()
  host.fetch = real
  await auth.login()
  release()
  await renewal
  await host.settle()
  expect(server.tokenRequests.at(-1)).toMatchObject({ isGranted: true })
  expect(seen).toEqual(['redirecting'])
  expect(host.navigations).toHaveLength(1)
  // Who stays after all has the new tokens.
  await host.clock.advance(5_000)
  expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
})
