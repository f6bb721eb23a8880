// The tab that renews for all dies in the middle, again and again: the others recover, and no refresh token is used twice (F34, F35).
import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/session/session.ts'
import { createFakeAuthServer } from '../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHostOptions } from '../../src/testing/fakeHost.ts'
import { APP, CONFIG } from './sessionScene.ts'

const TABS = 10
const ROUNDS = 20
/** The wait for a lock, or for a lease that nobody gives back, for the other tabs' word and one silent verification (G7). */
const LONGEST_WAIT_MS = 10_000

type Moment = 'before the server has heard of it' | 'when the server has rotated the token'

async function createWorld(without: FakeHostOptions['without']) {
  const browser = createFakeBrowser()
  const server = createFakeAuthServer({ expiresInSeconds: 600, now: () => browser.clock.nowMs })
  let deathCount = 0
  let onToken: { moment: Moment; die(): void } | undefined
  async function openTab() {
    const host = createFakeHost(APP, {
      browser,
      onFrame: (frame) => queueMicrotask(() => server.answerFrame(frame)),
      async fetch(input, init) {
        const killing = onToken
        onToken = undefined
        if (killing?.moment === 'before the server has heard of it') {
          killing.die()
          return Response.error()
        }
        const answer = await server.fetch(input, init)
        killing?.die()
        return answer
      },
      ...(without && { without }),
    })
    const auth = createAuth({ ...CONFIG, autoLogin: false, autoLogout: false }, { platform: host.platform })
    void auth.start()
    await browser.clock.advance(1_000)
    return { host, auth }
  }
  const tabs: Awaited<ReturnType<typeof openTab>>[] = []
  while (tabs.length < TABS) tabs.push(await openTab())
  return {
    browser,
    server,
    tabs,
    openTab,
    killNextAt(moment: Moment, die: () => void) {
      onToken = {
        moment,
        die() {
          deathCount += 1
          die()
        },
      }
    },
    deaths: () => deathCount,
  }
}

describe.each<[string, NonNullable<FakeHostOptions['without']>]>([
  ['a browser with everything', []],
  ['a browser without Web Locks', ['locks']],
  ['a browser without BroadcastChannel', ['channels']],
  ['a browser without both', ['locks', 'channels']],
])('%s', (_name, without) => {
  it.each<[Moment]>([['before the server has heard of it'], ['when the server has rotated the token']])(
    'the renewing one of ten tabs dies %s, twenty times over: nobody waits too long, nobody uses a spent token',
    async (moment) => {
      const world = await createWorld(without)
      const { browser, server } = world
      for (let round = 0; round < ROUNDS; round += 1) {
        const [winner, ...others] = world.tabs
        world.killNextAt(moment, () => winner!.host.crash())
        void winner!.auth.renew({ force: true }).catch(() => {})
        await winner!.host.settle()

        const asking = Promise.all(others.map(async ({ auth }) => auth.renew({ force: true })))
        await browser.clock.advance(LONGEST_WAIT_MS)
        await asking
        expect(others.map(({ auth }) => auth.getState().status)).toEqual(
          Array(TABS - 1).fill('authenticated'),
        )
        world.tabs.splice(0, TABS, ...others, await world.openTab())
      }
      expect(world.deaths()).toBe(ROUNDS)
      expect(server.tokenRequests.filter(({ isGranted }) => !isGranted)).toEqual([])
      // Tabs share nothing without channels, and nothing without locks.
      if (without.length === 0) {
        const tokens = await Promise.all(world.tabs.map(async ({ auth }) => auth.getAccessToken()))
        expect(new Set(tokens).size).toBe(1)
      }
    },
  )
})
