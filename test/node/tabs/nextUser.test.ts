// Somebody else signs in in another tab: a tab that hears of it late, or by its own renewal alone, ends all the same.
import { expect, it, vi } from 'vitest'
import { createAuth } from '../../../src/session/createAuth.ts'
import type { TabsPort } from '../../../src/session/platform/platform.ts'
import { createFakeAuthServer, createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP, CONFIG } from '../session/sessionScene.ts'

function createWorld() {
  const browser = createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() })
  const server = createFakeAuthServer({ now: () => browser.clock.nowMs })
  return {
    browser,
    server,
    /** `lateMs`: that other tabs have tokens is heard so much later; `Infinity`: never. */
    async open(lateMs = 0) {
      const host = createFakeHost(APP, {
        browser,
        fetch: server.fetch,
        onFrame: (frame) => queueMicrotask(() => server.answerFrame(frame)),
      })
      const { tabs, setTimer } = host.platform
      const openChannel =
        (open: NonNullable<TabsPort['openChannel']>): typeof open =>
        (name, listen) =>
          open(name, (message) => {
            if (Object(message).type !== 'renewed' || lateMs === 0) listen(message)
            else if (lateMs < Infinity) setTimer(() => listen(message), lateMs)
          })
      Object.assign(host.platform, {
        tabs() {
          const port = tabs()
          return { ...port, openChannel: port.openChannel && openChannel(port.openChannel) }
        },
      })
      const auth = createAuth({ ...CONFIG, autoLogin: false, autoLogout: false }, { platform: host.platform })
      void auth.start()
      await browser.clock.advance(3_000)
      return { host, auth }
    },
  }
}

const userOf = ({ auth }: { auth: ReturnType<typeof createAuth> }) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? state.user.userId : state.status
}

it.each([
  ['never', Infinity],
  ['while its renewal asks for the tokens', 20],
])('a tab that hears of it %s ends with its renewal, and brings nobody back', async (_when, lateMs) => {
  const { browser, server, open } = createWorld()
  const first = await open(lateMs)
  const second = await open()
  expect([userOf(first), userOf(second)]).toEqual(['alice', 'alice'])
  second.auth.login({ display: 'popup' }).catch(() => {})
  await second.host.settle()
  const popup = second.host.popups[0]!
  server.user = createFakeUser({ userId: 'bob', sessionId: 's2' })
  popup.post({ type: 'signInAnswer', address: server.callbackOf(popup.urls.at(-1)!) })
  await second.host.settle()
  expect([userOf(first), userOf(second)]).toEqual(['alice', 'bob'])
  await expect(
    Promise.all([first.auth.renew({ force: true }), browser.clock.advance(5_000)]),
  ).rejects.toMatchObject({
    code: 'identity-changed',
  })
  expect(first.auth.getState()).toMatchObject({
    status: 'unauthenticated',
    reason: 'signed-out',
    cause: { code: 'identity-changed' },
  })
  const third = await open()
  await browser.clock.advance(600_000)
  expect([userOf(second), userOf(third)]).toEqual(['bob', 'bob'])
})
