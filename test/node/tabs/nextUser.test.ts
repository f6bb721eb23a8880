// Somebody else signs in in another tab: a tab that hears of it late, or never, ends all the same.
import { expect, it } from 'vitest'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { holdResponses } from '../../holdRequests.ts'
import type { Scene } from '../session/sessionScene.ts'
import { createTabWorld, startTab, type World } from './tabsScene.ts'

/** A tab that hears so much later that other tabs have tokens; `Infinity`: never. */
const startLateHearing = (world: World, lateMs: number) =>
  startTab(world, {
    config: { autoLogout: false },
    tabs: (port, { platform }) => ({
      ...port,
      openChannel: (name, listen) =>
        port.openChannel!(name, (message) => {
          if (Object(message).type !== 'renewed') listen(message)
          else if (lateMs < Infinity) platform.setTimer(() => listen(message), lateMs)
        }),
    }),
  })

const userOf = ({ auth }: Pick<Scene, 'auth'>) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? state.user.userId : state.status
}

it.each([
  ['never', Infinity],
  ['late', 20],
])('a tab that hears of it %s ends before it renews, and brings nobody back', async (_when, lateMs) => {
  const world = createTabWorld()
  const { browser, server } = world
  const first = await startLateHearing(world, lateMs)
  const second = await startTab(world, { config: { autoLogout: false } })
  expect([userOf(first), userOf(second)]).toEqual(['alice', 'alice'])
  second.auth.login({ display: 'popup' }).catch(() => {})
  await second.host.settle()
  const popup = second.host.popups[0]!
  server.user = createFakeUser({ userId: 'bob', sessionId: 's2' })
  popup.post({ type: 'signInAnswer', address: server.callbackOf(popup.urls.at(-1)!) })
  await second.host.settle()
  expect([userOf(first), userOf(second)]).toEqual(['alice', 'bob'])
  await expect(first.auth.renew({ force: true })).rejects.toMatchObject({ code: 'not-authenticated' })
  expect(first.auth.getState()).toMatchObject({
    status: 'unauthenticated',
    reason: 'signed-out',
    cause: { code: 'identity-changed' },
  })
  const third = await startTab(world, { config: { autoLogout: false } })
  await browser.clock.advance(600_000)
  expect([userOf(second), userOf(third)]).toEqual(['bob', 'bob'])
})

it('who signs in while a logout waits for a slow server is not signed out by it', async () => {
  const world = createTabWorld()
  const { browser, server } = world
  const first = await startTab(world, { config: { autoLogout: false } })
  const second = await startTab(world, { config: { autoLogout: false } })
  const release = holdResponses(first.host)
  void first.auth.logout()
  await browser.clock.advance(100)
  expect([first, second].map(userOf)).toEqual(['redirecting', 'unauthenticated'])
  second.auth.login({ display: 'popup' }).catch(() => {})
  await second.host.settle()
  const popup = second.host.popups[0]!
  server.user = createFakeUser({ userId: 'bob', sessionId: 's2' })
  popup.post({ type: 'signInAnswer', address: server.callbackOf(popup.urls.at(-1)!) })
  await browser.clock.advance(100)
  release()
  await browser.clock.advance(30_000)
  expect(first.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  expect(first.host.navigations).toEqual([])
  const third = await startTab(world, { config: { autoLogout: false } })
  expect([second, third].map(userOf)).toEqual(['bob', 'bob'])
})
