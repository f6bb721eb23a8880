// No tab waits for another one for ever, and nobody's code runs while the others wait (contract §5; F34, F37).
import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../src/protocol/config.ts'
import { createAuth } from '../../src/session/session.ts'
import { createFakeAuthServer } from '../../src/testing/authServer.ts'
import { browserWorks, createFakeBrowser } from '../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../src/testing/fakeHost.ts'
import { APP, CONFIG } from './sessionScene.ts'

const NAME = 'latchkey https://auth.test admin tabs'

async function openTabs(count: number, hooks: AuthConfig['hooks'] = {}) {
  const browser = createFakeBrowser()
  const server = createFakeAuthServer({ expiresInSeconds: 600, now: () => browser.clock.nowMs })
  const tabs = []
  while (tabs.length < count) {
    const host = createFakeHost(APP, {
      browser,
      fetch: server.fetch,
      onFrame: (frame) => queueMicrotask(() => server.answerFrame(frame)),
    })
    const auth = createAuth(
      { ...CONFIG, autoLogin: false, autoLogout: false, hooks },
      { platform: host.platform },
    )
    void auth.start()
    await browser.clock.advance(1_000)
    tabs.push({ host, auth })
  }
  return { browser, server, tabs, works: browserWorks(browser) }
}

it.each([
  ['since before the tab asked', 0],
  ['and lets go a second too late', 11_000],
])(
  'a tab that holds the lock and does nothing, %s, is waited for 10 seconds at most',
  async (_when, letsGoAfterMs) => {
    const { browser, tabs, works } = await openTabs(2)
    let letGo = () => {}
    const frozen = new Promise<void>((resolve) => {
      letGo = resolve
    })
    void works.lock({}, NAME, {}, async () => frozen)
    const startedAtMs = browser.clock.monotonicMs
    let endedAtMs: number | undefined
    const renewing = tabs[0]!.auth.renew({ force: true }).finally(() => {
      endedAtMs = browser.clock.monotonicMs
    })
    await browser.clock.advance(Math.max(letsGoAfterMs, 10_000))
    letGo()
    await browser.clock.advance(1_000)
    await renewing
    expect((endedAtMs ?? Infinity) - startedAtMs).toBeLessThanOrEqual(10_000)
    const tokens = await Promise.all(tabs.map(async ({ auth }) => auth.getAccessToken()))
    expect(new Set(tokens).size).toBe(1)
  },
)

describe('a hook of the app', () => {
  it('runs when the lock is free again: the other tabs do not wait for it', async () => {
    const locks: number[] = []
    let end = () => {}
    const { browser, server, tabs } = await openTabs(2, {
      async afterRefreshToken() {
        locks.push(tabs.reduce((count, { host }) => count + host.counts().locks, 0))
        await new Promise<void>((resolve) => {
          end = resolve
        })
      },
    })
    await tabs[0]!.auth.renew({ force: true })
    await browser.clock.advance(1_000)
    expect(locks.length).toBeGreaterThan(0)
    expect(new Set(locks)).toEqual(new Set([0]))
    const renewing = tabs[1]!.auth.renew({ force: true })
    await browser.clock.advance(1_000)
    await renewing
    expect(server.tokenRequests.filter(({ grantType }) => grantType === 'refresh_token')).toHaveLength(2)
    end()
  })

  it('that renews from within does not wait for itself', async () => {
    let count = 0
    const { browser, tabs } = await openTabs(2, {
      async afterRefreshToken() {
        count += 1
        if (count < 5) await tabs[0]!.auth.renew({ force: true })
      },
    })
    const renewing = tabs[0]!.auth.renew({ force: true })
    await browser.clock.advance(2_000)
    await renewing
    expect(count).toBeGreaterThanOrEqual(5)
    expect(tabs.map(({ auth }) => auth.getState().status)).toEqual(['authenticated', 'authenticated'])
  })
})
