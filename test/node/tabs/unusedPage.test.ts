// A page that nobody uses (its provider is unmounted, or hidden by React) still hands out tokens: it renews in turn with the other tabs.
import { describe, expect, it } from 'vitest'
import { internalsOf } from '../../../src/session/internals.ts'
import { type Scene, tokenBodies } from '../session/sessionScene.ts'
import { createTabWorld, openTab } from './tabsScene.ts'

function createUsedTabs() {
  const world = createTabWorld()
  const tabs: Scene[] = []
  const open = async () => {
    const tab = openTab(world, { config: { autoLogout: false } })
    tabs.push(tab)
    const letGo = internalsOf(tab.auth).hold()
    await world.browser.clock.advance(1_000)
    return { ...tab, letGo }
  }
  return {
    ...world,
    open,
    /** Refresh tokens that were sent, in order. */
    spent: () => tabs.flatMap(({ host }) => tokenBodies(host)).flatMap((body) => body['refresh_token'] ?? []),
  }
}

/** The first of two tabs is used by nobody any more. */
async function openUnused() {
  const world = createUsedTabs()
  const first = await world.open()
  const second = await world.open()
  first.letGo()
  await world.browser.clock.advance(1_000)
  expect(first.host.counts()).toMatchObject({ channels: 0, listeners: 0 })
  return { ...world, first, second }
}

describe('a page that nobody uses, beside one that somebody does', () => {
  it('asks for what the other has renewed meanwhile, and sends no refresh token a second time', async () => {
    const { browser, first, second, spent } = await openUnused()
    const before = await first.auth.getAccessToken()
    await second.auth.renew({ force: true })
    const newest = await second.auth.getAccessToken()
    // The first tab's own token is due, the newest is not yet.
    await browser.clock.advance(568_500)
    const asking = first.auth.getAccessToken()
    await browser.clock.advance(1_000)
    expect(await asking).toBe(newest)
    expect(newest).not.toBe(before)
    expect(new Set(spent()).size).toBe(spent().length)
    expect([first, second].map(({ auth }) => auth.getState().status)).toEqual([
      'authenticated',
      'authenticated',
    ])
  })

  it('waits for its turn: one renewal for both', async () => {
    const { browser, first, second, spent } = await openUnused()
    await browser.clock.advance(565_000)
    const both = Promise.all([
      first.auth.getAccessToken({ force: true }),
      second.auth.getAccessToken({ force: true }),
    ])
    await browser.clock.advance(5_000)
    const [a, b] = await both
    expect([a === b, spent().length]).toEqual([true, 1])
  })

  it('hands the other what it has renewed for half a minute, and then leaves nothing open', async () => {
    const { browser, first, second, spent } = await openUnused()
    await first.auth.renew({ force: true })
    await browser.clock.advance(1_000)
    expect(first.host.counts().channels).toBe(1)
    expect(await second.auth.getAccessToken()).toBe(await first.auth.getAccessToken())
    expect(spent()).toHaveLength(1)
    await browser.clock.advance(28_999)
    expect(first.host.counts().channels).toBe(1)
    await browser.clock.advance(1)
    expect(first.host.counts()).toMatchObject({ channels: 0, listeners: 0, timers: 0 })
  })

  it('that is disposed of leaves at once', async () => {
    const { browser, first } = await openUnused()
    await first.auth.renew({ force: true })
    await browser.clock.advance(1_000)
    first.auth.dispose()
    expect(first.host.counts()).toMatchObject({ channels: 0, listeners: 0, timers: 0 })
  })
})

it('a page that is alone renews as often as it must, before and after somebody uses it again', async () => {
  const { browser, open, spent, server } = createUsedTabs()
  const { auth, letGo } = await open()
  letGo()
  await browser.clock.advance(1_000)
  await auth.renew({ force: true })
  await auth.renew({ force: true })
  internalsOf(auth).hold()
  await browser.clock.advance(1_000)
  await auth.renew({ force: true })
  expect([spent().length, new Set(spent()).size]).toEqual([3, 3])
  expect(server.tokenRequests.every(({ isGranted }) => isGranted)).toBe(true)
})
