// A server that says "too many requests" is left alone by every tab of the browser, for as long as it asked (F10).
import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { SIBLING_WAIT_MS } from '../../../src/base/sessionConstants.ts'
import { browserWorks } from '../../../src/testing/fakeTabs.ts'
import type { FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { urlOf } from '../../holdRequests.ts'
import { isOpenIdConnect, type Scene } from '../session/sessionScene.ts'
import { createTabWorld, startTab } from './tabsScene.ts'

const MINUTE = 60_000
const AGREED = 'latchkey https://auth.test admin tabs admin%20%20openid%20profile'

/** A browser with a server that can refuse; every tab counts as one more of the same browser. */
function createBusyWorld(options: FakeHostOptions = {}, config: Partial<AuthConfig> = {}) {
  const world = createTabWorld({ expiresInSeconds: 3_600 })
  const { server } = world
  let refused: { path: string; retryAfter: string; status: number } | undefined
  const sent: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const path = new URL(urlOf(input)).pathname
    sent.push(path)
    if (path !== refused?.path) return server.fetch(input, init)
    return Response.json({}, { status: refused.status, headers: { 'retry-after': refused.retryAfter } })
  }
  async function openTab() {
    const tab = await startTab(world, {
      config: { autoLogout: false, ...config },
      host: { fetch, ...options },
    })
    expect(tab.auth.getState().status).toBe('authenticated')
    return tab
  }
  return {
    ...world,
    openTab,
    refuse(path: string, retryAfter = '60', status = 429) {
      refused = { path, retryAfter, status }
      sent.length = 0
    },
    relent() {
      refused = undefined
    },
    sent: () => sent,
    works: browserWorks(world.browser),
  }
}

const renew = async ({ auth }: Pick<Scene, 'auth'>) =>
  auth.renew({ force: true }).then(
    () => 'renewed',
    (error: unknown) => error,
  )
const askUserInfo = async ({ auth }: Pick<Scene, 'auth'>) =>
  internalsOf(auth)
    .call({ method: 'GET', path: '/api/userinfo' })
    .catch((error: unknown) => error)

describe.each<[string, NonNullable<FakeHostOptions['without']>]>([
  ['with everything', []],
  ['without locks', ['locks']],
  ['without the shared store', ['store']],
  ['without sealing', ['seal']],
])('%s', (_name, without) => {
  it('a renewal that one tab is refused is tried by no other tab before the time, and by one after it', async () => {
    const world = createBusyWorld({ without })
    const [first, second, third] = [await world.openTab(), await world.openTab(), await world.openTab()]
    world.refuse('/oauth/token')
    const refused = renew(first)
    // Where nothing is kept for all, the others are asked first.
    await world.browser.clock.advance(SIBLING_WAIT_MS)
    expect(await refused).toMatchObject({ code: 'rate-limited', retryAfterMs: MINUTE })
    await world.browser.clock.advance(20_000)
    for (const tab of [first, second, third]) {
      const asking = renew(tab)
      await world.browser.clock.advance(1_000)
      expect(await asking).toMatchObject({ code: 'rate-limited', retryable: true })
    }
    expect(world.sent()).toEqual(['/oauth/token'])

    world.relent()
    await world.browser.clock.advance(MINUTE)
    const asking = renew(second)
    await world.browser.clock.advance(1_000)
    expect(await asking).toBe('renewed')
    expect(world.server.tokenRequests.every(({ isGranted }) => isGranted)).toBe(true)
  })
})

describe('a pause that the server asks for', () => {
  it('tells each tab how much of it is left', async () => {
    const world = createBusyWorld()
    const [first, second] = [await world.openTab(), await world.openTab()]
    world.refuse('/oauth/token')
    await renew(first)
    await world.browser.clock.advance(20_000)
    const outcome = renew(second)
    await world.browser.clock.advance(0)
    expect(await outcome).toMatchObject({ retryAfterMs: 40_000 })
  })

  it('says in every tab, and in one that opens later, what the server answered', async () => {
    const world = createBusyWorld()
    const [first, second] = [await world.openTab(), await world.openTab()]
    world.refuse('/oauth/token', '60', 503)
    await renew(first)
    await second.host.settle()
    const late = await world.openTab()
    for (const tab of [first, second, late])
      expect(await renew(tab)).toMatchObject({
        code: 'rate-limited',
        message: expect.stringContaining('answered 503'),
        status: 503,
      })
    expect(world.sent()).toEqual(['/oauth/token'])
  })

  it('is kept by tabs that renew by themselves: one request for eight tabs when it is over', async () => {
    const world = createBusyWorld({}, { autoRefreshToken: true })
    for (let index = 0; index < 8; index += 1) await world.openTab()
    world.refuse('/oauth/token', '25')
    await world.browser.clock.advance(3_600_000 - 30_000 - 20_000)
    world.sent().length = 0
    await world.browser.clock.advance(35_000)
    expect(world.sent()).toEqual(['/oauth/token'])
    world.relent()
    await world.browser.clock.advance(10_000)
    expect(world.sent()).toEqual(['/oauth/token', '/oauth/token'])
    expect(world.server.tokenRequests.filter(({ isGranted }) => !isGranted)).toEqual([])
  })

  it('of half a minute at most is waited for by every call that needs a new token: one renewal for all tabs', async () => {
    const world = createBusyWorld()
    const tabs = [await world.openTab(), await world.openTab()]
    await world.browser.clock.advance(3_600_000)
    world.refuse('/oauth/token', '25')
    const calls = tabs.flatMap(({ auth }) => [auth.getAccessToken(), auth.getAccessToken()])
    await world.browser.clock.advance(20_000)
    world.relent()
    await world.browser.clock.advance(10_000)
    const tokens = await Promise.all(calls)
    expect(new Set(tokens).size).toBe(1)
    expect(world.sent()).toEqual(['/oauth/token', '/oauth/token'])
  })

  it('is waited for by nobody whose session ends, and not for longer than half a minute in all', async () => {
    const world = createBusyWorld()
    const [first, second] = [await world.openTab(), await world.openTab()]
    await world.browser.clock.advance(3_600_000)
    world.refuse('/oauth/token', '20')
    const [mine, other] = [first, second].map(async ({ auth }) =>
      auth.getAccessToken().catch((error: unknown) => error),
    )
    await world.browser.clock.advance(5_000)
    first.auth.dispose()
    expect(await mine).toMatchObject({ code: 'not-authenticated' })
    await world.browser.clock.advance(20_000)
    expect(await other).toMatchObject({ code: 'rate-limited' })
    expect(world.sent()).toEqual(['/oauth/token', '/oauth/token'])
  })

  it('holds for a tab that opens in the middle of it, though the one that was told has gone', async () => {
    const world = createBusyWorld()
    const [first, second] = [await world.openTab(), await world.openTab()]
    world.refuse('/oauth/token')
    await renew(first)
    first.host.close()
    const late = await world.openTab()
    for (const tab of [second, late]) expect(await renew(tab)).toMatchObject({ code: 'rate-limited' })
    expect(world.sent()).toEqual(['/oauth/token'])
  })

  it('after a 500 that another tab met spends no refresh token here: nothing was sent', async () => {
    const world = createBusyWorld()
    const tab = await world.openTab()
    world.works
      .openChannel({}, 'latchkey https://auth.test admin tabs', () => {})
      .post({ type: 'blocked', block: ['/oauth/token', 20_000, 500] })
    await tab.host.settle()
    expect(await renew(tab)).toMatchObject({ code: 'rate-limited', status: 500 })
    await world.browser.clock.advance(20_000)
    expect(await renew(tab)).toBe('renewed')
    expect(world.server.tokenRequests.at(-1)?.grantType).toBe('refresh_token')
  })

  it.skipIf(isOpenIdConnect)('is about one endpoint: the others are asked as before', async () => {
    const world = createBusyWorld()
    const [first, second] = [await world.openTab(), await world.openTab()]
    world.refuse('/api/userinfo')
    expect(await askUserInfo(first)).toMatchObject({ code: 'rate-limited' })
    await first.host.settle()
    expect(await askUserInfo(second)).toMatchObject({ code: 'rate-limited' })
    expect(world.sent()).toEqual(['/api/userinfo'])
    expect(await renew(second)).toBe('renewed')
  })

  it('is not shortened by a clock that goes on by a day, nor lengthened beyond five minutes by one that goes back', async () => {
    const world = createBusyWorld()
    const [first, second] = [await world.openTab(), await world.openTab()]
    world.refuse('/oauth/token')
    await renew(first)
    await second.host.settle()
    world.browser.clock.jump(86_400_000)
    expect(await renew(second)).toMatchObject({ code: 'rate-limited' })
    world.browser.clock.jump(-2 * 86_400_000)
    world.relent()
    await world.browser.clock.advance(5 * MINUTE)
    expect(await renew(second)).toBe('renewed')
    expect(world.sent()).toHaveLength(2)
  })

  it('leaves a spent refresh token spent: after a tab that died while asking, no other tab uses its token', async () => {
    const world = createBusyWorld()
    const [first, second] = [await world.openTab(), await world.openTab()]
    await world.works.update(AGREED, (value) => ({ ...(value as object), isPending: true }))
    first.host.crash()
    world.refuse('/oauth/token')
    const refusedAtFirst = renew(second)
    await world.browser.clock.advance(10_000)
    expect(await refusedAtFirst).toMatchObject({ code: 'rate-limited' })
    world.relent()
    await world.browser.clock.advance(2 * MINUTE)
    const asking = renew(second)
    await world.browser.clock.advance(10_000)
    expect(await asking).toBe('renewed')
    expect(world.server.tokenRequests.map(({ grantType }) => grantType)).not.toContain('refresh_token')
  })
})

it.each<[string, unknown]>([
  ['without a time', ['/oauth/token', undefined, 429]],
  ['for a year', ['/oauth/token', 31_536_000_000, 429]],
  ['for no number', ['/oauth/token', '60000', 429]],
  ['for nothing', [null, 60_000, 429]],
  ['without a status', ['/oauth/token', 60_000]],
])('a message of a pause %s stops nobody', async (_what, block) => {
  const world = createBusyWorld()
  const tab = await world.openTab()
  world.works
    .openChannel({}, 'latchkey https://auth.test admin tabs', () => {})
    .post({ type: 'blocked', block })
  await tab.host.settle()
  expect(await renew(tab)).toBe('renewed')
})
