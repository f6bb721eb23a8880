// The tab that renews for all dies in the middle, again and again: the others recover, and no refresh token is used twice (F34, F35).

// @module-tag night

import { describe, expect, it } from 'vitest'
import type { AuthError } from '../../../src/base/errors.ts'
import type { FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import type { Scene } from '../session/sessionScene.ts'
import { createTabWorld, openTab } from './tabsScene.ts'

const TABS = 10
const ROUNDS = 20
/** The wait for a lock, or for a lease that nobody gives back, for the other tabs' word and one silent verification. */
const LONGEST_WAIT_MS = 10_000

type Moment = 'before the server has heard of it' | 'when the server has rotated the token'

/** How the hidden frame answers a tab that asks for the server's own session. */
type Frames = 'answered' | 'forbidden' | 'mute'

async function openTabs(without: FakeHostOptions['without'] = [], tabCount = TABS) {
  let frames: Frames = 'answered'
  let isOutOfReach = false
  const world = createTabWorld()
  const { browser, server } = world
  let deathCount = 0
  let onToken: { moment: Moment; die(): void } | undefined
  const host: FakeHostOptions = {
    without,
    onFrame: (frame) =>
      queueMicrotask(() => {
        if (frames === 'answered') server.answerFrame(frame)
        if (frames === 'forbidden') frame.csp()
      }),
    async fetch(input, init) {
      if (isOutOfReach) throw new TypeError('Failed to fetch')
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
  }
  async function openNext() {
    const tab = openTab(world, { host, config: { autoLogout: false } })
    const started = tab.auth.start()
    await browser.clock.advance(1_000)
    // A busy machine may take longer over its cryptography than the clock of the test waits.
    await started
    return tab
  }
  const tabs: Scene[] = []
  while (tabs.length < tabCount) tabs.push(await openNext())
  return {
    ...world,
    tabs,
    openNext,
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
    setFrames(how: Frames) {
      frames = how
    },
    setOutOfReach(value: boolean) {
      isOutOfReach = value
    },
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
      const world = await openTabs(without)
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
        world.tabs.splice(0, TABS, ...others, await world.openNext())
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

describe('a tab whose sibling died in a renewal', () => {
  /** Two tabs and a dead one; what the server is asked from now on is answered by `asked`. */
  async function afterDeath(moment: Moment) {
    const world = await openTabs([], 3)
    const [dying, heir, other] = world.tabs
    world.killNextAt(moment, () => dying!.host.crash())
    void dying!.auth.renew({ force: true }).catch(() => {})
    await dying!.host.settle()
    expect(world.deaths()).toBe(1)
    const before = world.server.tokenRequests.length
    return {
      ...world,
      heir: heir!,
      other: other!,
      asked: () => world.server.tokenRequests.slice(before),
      async renew(tab = heir!) {
        const renewing = tab.auth.renew({ force: true }).then(
          () => 'renewed',
          (error: unknown) => (error as AuthError).code,
        )
        await world.browser.clock.advance(80_000)
        return renewing
      },
      statuses: () => [heir!, other!].map(({ auth }) => auth.getState().status),
    }
  }
  const REFRESHED = { grantType: 'refresh_token', isGranted: true }
  const REFUSED = { grantType: 'refresh_token', isGranted: false }

  it.each<[string, (world: Awaited<ReturnType<typeof afterDeath>>) => void]>([
    ['are forbidden by the page', ({ setFrames }) => setFrames('forbidden')],
    ['are never answered', ({ setFrames }) => setFrames('mute')],
    ['go without cookies', ({ server }) => void (server.user = undefined)],
  ])('stays signed in where frames %s: the server had not seen the refresh token', async (_what, spoil) => {
    const world = await afterDeath('before the server has heard of it')
    spoil(world)
    expect(await world.renew()).toBe('renewed')
    expect(world.asked()).toEqual([REFRESHED])
    expect(world.statuses()).toEqual(['authenticated', 'authenticated'])
    // The mark of the dead tab is gone with it: the next renewal is an ordinary one.
    expect(await world.renew(world.other)).toBe('renewed')
    expect(world.asked()).toEqual([REFRESHED, REFRESHED])
  })

  it('ends with its token, in all tabs, after one try each, when the server had seen it', async () => {
    const world = await afterDeath('when the server has rotated the token')
    world.setFrames('forbidden')
    expect(await world.renew()).toBe('invalid-grant')
    expect(await world.renew(world.other)).toBe('invalid-grant')
    expect(world.asked()).toEqual([REFUSED, REFUSED])
    expect(world.statuses()).toEqual(['authenticated', 'authenticated'])
    await world.browser.clock.advance(600_000)
    expect(world.statuses()).toEqual(['unauthenticated', 'unauthenticated'])
    expect(world.heir.auth.getState()).toMatchObject({ reason: 'expired', cause: { code: 'invalid-grant' } })
    expect(world.asked()).toEqual([REFUSED, REFUSED])
  })

  it.each<[Moment]>([['before the server has heard of it'], ['when the server has rotated the token']])(
    'never shows a token that may have been used to a server whose own session can be asked: died %s',
    async (moment) => {
      const world = await afterDeath(moment)
      expect(await world.renew()).toBe('renewed')
      expect(world.asked()).toEqual([{ grantType: 'authorization_code', isGranted: true }])
    },
  )

  it('keeps the session, and asks again the surer way first, while the server is out of reach', async () => {
    const world = await afterDeath('before the server has heard of it')
    world.setOutOfReach(true)
    expect(await world.renew()).toBe('network')
    world.setFrames('forbidden')
    expect(await world.renew()).toBe('network')
    expect(world.asked()).toEqual([])
    expect(world.statuses()).toEqual(['authenticated', 'authenticated'])
    world.setOutOfReach(false)
    world.setFrames('answered')
    expect(await world.renew()).toBe('renewed')
    expect(world.asked()).toEqual([{ grantType: 'authorization_code', isGranted: true }])
  })
})
