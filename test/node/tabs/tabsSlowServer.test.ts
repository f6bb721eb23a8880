// A refresh token is sent once: not again by another tab while it is on its way, nor by anybody after its response was lost.
import { describe, expect, it } from 'vitest'
import { createFakeUser, type FakeAuthServerOptions } from '../../../src/testing/authServer.ts'
import type { FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { type Scene, tokenBodies } from '../session/sessionScene.ts'
import { createTabWorld, openTab } from './tabsScene.ts'

const MINUTE_MS = 60_000

interface SlowOptions {
  server?: FakeAuthServerOptions
  without?: FakeHostOptions['without']
}

function createTabs({ server: serverOptions, without = [] }: SlowOptions = {}) {
  const shared = createTabWorld(serverOptions)
  const { server } = shared
  const tabs: Scene[] = []
  const world = {
    ...shared,
    tabs,
    /** Between the server and its pages: what a request to the token endpoint comes to. */
    onToken: (async (answer) => answer()) as (answer: () => Promise<Response>) => Promise<Response>,
    frameMs: 0,
    async open() {
      const tab: Scene = openTab(shared, {
        config: { autoLogout: false },
        host: {
          without,
          fetch: (input, init) => {
            const answer = async () => server.fetch(input, init)
            return (input as string).endsWith('/oauth/token') ? world.onToken(answer) : answer()
          },
          onFrame: (frame) => void tab.host.platform.setTimer(() => server.answerFrame(frame), world.frameMs),
        },
      })
      void tab.auth.start()
      await shared.browser.clock.advance(1_000)
      tabs.push(tab)
      return tab
    },
    /** Answers after a while, by the clock of the browser. */
    slow: (ms: number) => async (answer: () => Promise<Response>) => {
      const response = await answer()
      await new Promise<void>((resolve) => tabs[0]!.host.platform.setTimer(resolve, ms))
      return response
    },
    statuses: () => tabs.map(({ auth }) => auth.getState().status),
  }
  return world
}

/** The server has done it, and nobody hears. */
const lost = async (answer: () => Promise<Response>): Promise<Response> => {
  await answer()
  throw new TypeError('Failed to fetch')
}

const grants = (tabs: Pick<Scene, 'host'>[]) =>
  tabs.map(({ host }) => tokenBodies(host).map((body) => body['grant_type']))

const sentRefreshTokens = (tabs: Pick<Scene, 'host'>[]) =>
  tabs.flatMap(({ host }) =>
    tokenBodies(host).flatMap((body) => (body['refresh_token'] ? [body['refresh_token']] : [])),
  )

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  )

/** The same, two seconds later. */
async function renew({ host, auth }: Pick<Scene, 'host' | 'auth'>) {
  const outcome = codeOf(auth.renew({ force: true }))
  await host.clock.advance(2_000)
  return outcome
}

describe('a token endpoint that takes', () => {
  it.each([8_000, 9_500, 12_000, 14_900])(
    '%i ms renews three tabs by one request, and all stay signed in',
    async (delayMs) => {
      const world = createTabs()
      for (let count = 0; count < 3; count += 1) await world.open()
      world.onToken = world.slow(delayMs)
      const renewing = world.tabs.map(({ auth }) => codeOf(auth.renew({ force: true })))
      await world.browser.clock.advance(delayMs + 2_000)
      expect(await Promise.all(renewing)).toEqual(['done', 'done', 'done'])
      expect(sentRefreshTokens(world.tabs)).toHaveLength(1)
      const tokens = await Promise.all(world.tabs.map(({ auth }) => auth.getAccessToken()))
      expect(new Set(tokens).size).toBe(1)
      expect(world.statuses()).toEqual(['authenticated', 'authenticated', 'authenticated'])
    },
  )

  it('12 s renews three tabs without a refresh token by one frame', async () => {
    const world = createTabs()
    world.onToken = async (answer) => {
      const { refresh_token: _, ...tokens } = (await (await answer()).json()) as Record<string, unknown>
      return Response.json(tokens)
    }
    for (let count = 0; count < 3; count += 1) await world.open()
    const before = grants(world.tabs).flat().length
    const { onToken } = world
    const slow = world.slow(12_000)
    world.onToken = (answer) => slow(() => onToken(answer))
    const renewing = world.tabs.map(({ auth }) => codeOf(auth.renew({ force: true })))
    await world.browser.clock.advance(15_000)
    expect(await Promise.all(renewing)).toEqual(['done', 'done', 'done'])
    expect(grants(world.tabs).flat().slice(before)).toHaveLength(1)
  })

  it('14 s, after a frame that took 50 s and a refresh token that was refused: one of each', async () => {
    const world = createTabs()
    for (let count = 0; count < 2; count += 1) await world.open()
    world.server.revokeAll()
    world.onToken = world.slow(14_000)
    world.frameMs = 50_000
    const renewing = world.tabs.map(({ auth }) => codeOf(auth.renew({ force: true })))
    await world.browser.clock.advance(80_000)
    expect(await Promise.all(renewing)).toEqual(['done', 'done'])
    expect(sentRefreshTokens(world.tabs)).toHaveLength(1)
    expect(world.statuses()).toEqual(['authenticated', 'authenticated'])
  })

  it('14 s keeps a page that opens meanwhile waiting for 10 s at most, and costs nobody a second refresh', async () => {
    const world = createTabs()
    await world.open()
    world.onToken = world.slow(14_000)
    const renewing = codeOf(world.tabs[0]!.auth.renew({ force: true }))
    await world.open()
    await world.browser.clock.advance(9_000)
    expect(world.statuses()[1]).not.toBe('initializing')
    await world.browser.clock.advance(10_000)
    expect(await renewing).toBe('done')
    const again = world.tabs.map(({ auth }) => codeOf(auth.renew({ force: true })))
    await world.browser.clock.advance(30_000)
    expect(await Promise.all(again)).toEqual(['done', 'done'])
    const sent = sentRefreshTokens(world.tabs)
    expect(new Set(sent).size).toBe(sent.length)
    expect(world.statuses()).toEqual(['authenticated', 'authenticated'])
  })
})

describe('a refresh whose response was lost', () => {
  const status = (code: number) => async (answer: () => Promise<Response>) => {
    await answer()
    return Response.json({ error: 'server_error' }, { status: code })
  }

  it.each<[string, (answer: () => Promise<Response>) => Promise<Response>]>([
    ['the network broke', lost],
    ['a gateway said 502', status(502)],
    ['a gateway said 504', status(504)],
    ['the server failed with 500', status(500)],
    ['a portal sent its own page', async (answer) => answer().then(() => new Response('<p>Hotel</p>'))],
  ])(
    '(%s) is not sent again, neither by this tab nor by another one: the frame is asked',
    async (_how, onToken) => {
      for (const next of [0, 1]) {
        const world = createTabs()
        await world.open()
        await world.open()
        world.onToken = onToken
        expect(await renew(world.tabs[0]!)).not.toBe('done')
        world.onToken = async (answer) => answer()
        expect(await renew(world.tabs[next]!)).toBe('done')
        await world.browser.clock.advance(1_000)
        expect(sentRefreshTokens(world.tabs)).toHaveLength(1)
        expect(world.statuses()).toEqual(['authenticated', 'authenticated'])
      }
    },
  )

  it.each([429, 503])('because the server would not work (%i) is sent again', async (code) => {
    const world = createTabs()
    await world.open()
    await world.open()
    const headers = { 'retry-after': '1' }
    world.onToken = async () => Response.json({ error: 'slow_down' }, { status: code, headers })
    expect(await renew(world.tabs[0]!)).not.toBe('done')
    world.onToken = async (answer) => answer()
    await world.browser.clock.advance(1_000)
    const frames = world.tabs.flatMap(({ host }) => host.frames).length
    expect(await renew(world.tabs[1]!)).toBe('done')
    expect(sentRefreshTokens(world.tabs)).toHaveLength(2)
    expect(world.tabs.flatMap(({ host }) => host.frames)).toHaveLength(frames)
  })

  it('is tried once more where the frame finds nobody', async () => {
    const world = createTabs()
    await world.open()
    world.onToken = () => Promise.reject(new TypeError('Failed to fetch'))
    expect(await renew(world.tabs[0]!)).toBe('network')
    world.onToken = async (answer) => answer()
    world.server.user = undefined
    expect(await renew(world.tabs[0]!)).toBe('done')
    expect(sentRefreshTokens(world.tabs)).toHaveLength(2)
    // Its response came: what came with it is new.
    const before = world.tabs[0]!.host.frames.length
    expect(await renew(world.tabs[0]!)).toBe('done')
    expect(world.tabs[0]!.host.frames).toHaveLength(before)
  })

  it('is not sent by another tab whose frame has found somebody else’s session', async () => {
    const world = createTabs()
    await world.open()
    await world.open()
    world.onToken = lost
    expect(await renew(world.tabs[0]!)).toBe('network')
    world.onToken = async (answer) => answer()
    world.server.user = createFakeUser({ userId: 'bob', sessionId: 's2' })
    for (let count = 0; count < 3; count += 1) expect(await renew(world.tabs[1]!)).toBe('identity-changed')
    expect(sentRefreshTokens(world.tabs)).toHaveLength(1)
  })

  it('is not sent by a tab that was handed the session afterwards, also where nothing is kept for all', async () => {
    const world = createTabs({ without: ['store'] })
    await world.open()
    world.onToken = lost
    expect(await renew(world.tabs[0]!)).toBe('network')
    world.onToken = async (answer) => answer()
    await world.open()
    world.tabs[0]!.host.close()
    expect(await renew(world.tabs[1]!)).toBe('done')
    expect(sentRefreshTokens(world.tabs)).toHaveLength(1)
  })

  it('does not make a second attempt, put off by the server, count as the first', async () => {
    const world = createTabs()
    await world.open()
    world.onToken = lost
    expect(await renew(world.tabs[0]!)).toBe('network')
    world.onToken = async () => Response.json({}, { status: 503, headers: { 'retry-after': '1' } })
    expect(await renew(world.tabs[0]!)).not.toBe('done')
    world.onToken = async (answer) => answer()
    await world.browser.clock.advance(1_000)
    expect(await renew(world.tabs[0]!)).toBe('done')
    expect(sentRefreshTokens(world.tabs)).toHaveLength(1)
  })

  it('and a clock set back make it no younger', async () => {
    const world = createTabs()
    await world.open()
    world.onToken = lost
    expect(await renew(world.tabs[0]!)).toBe('network')
    world.onToken = async (answer) => answer()
    world.browser.clock.jump(-10 * MINUTE_MS)
    expect(await renew(world.tabs[0]!)).toBe('done')
    expect(sentRefreshTokens(world.tabs)).toHaveLength(1)
  })
})
