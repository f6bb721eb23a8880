// A refresh token that the server may have used: which responses prove that it has not, and what is asked first where none does.
import { describe, expect, it } from 'vitest'
import type { FakeHost } from '../../../src/testing/fakeHost.ts'
import { createScene, startScene } from '../session/sessionScene.ts'
import { bodyOf } from '../../holdRequests.ts'
import { longestRenewalMs } from '../../../src/base/sessionConstants.ts'

/** From now on it says in which order the server is asked. */
function watch(host: FakeHost): string[] {
  const asked: string[] = []
  const { openFrame, fetch } = host.platform
  Object.assign(host.platform, {
    openFrame: (frame: never) => (asked.push('frame'), openFrame(frame)),
    fetch: (url: string, init?: RequestInit) => {
      if (bodyOf(init).includes('refresh_token')) asked.push('refresh token')
      return fetch(url, init)
    },
  })
  return asked
}
const json = (status: number, body: unknown) => () => Response.json(body, { status })
const cut = () => {
  throw new TypeError('Failed to fetch')
}
const page = (status: number) => () => new Response('<h1>Proxy</h1>', { status })

describe('after a response to a refresh', () => {
  it.each<[string, 'refresh token' | 'frame', () => Response]>([
    ['400 of OAuth', 'refresh token', json(400, { error: 'temporarily_unavailable' })],
    ['401 of OAuth', 'refresh token', json(401, { error: 'invalid_client' })],
    ['429 of OAuth', 'refresh token', json(429, { error: 'slow_down' })],
    ['400 of a proxy', 'frame', page(400)],
    ['401 of a gateway', 'frame', json(401, { message: 'Unauthorized' })],
    ['408 of a proxy', 'frame', page(408)],
    ['421 of a proxy', 'frame', page(421)],
    ['425 of a proxy', 'frame', page(425)],
    ['429 of a proxy', 'frame', page(429)],
    ['499 of a proxy', 'frame', page(499)],
    ['502 of a proxy', 'frame', page(502)],
    ['503 of a proxy', 'frame', page(503)],
    ['403 of a firewall', 'frame', page(403)],
    ['429 of a gateway', 'frame', json(429, { error: 'Too Many Requests' })],
    ['503 of OAuth', 'refresh token', json(503, { error: 'temporarily_unavailable' })],
    ['503 of a gateway', 'frame', json(503, { error: 'Service Unavailable' })],
    ['500 of the server', 'frame', json(500, { error: 'server_error' })],
    ['the page of a hotel', 'frame', page(200)],
    ['a cut connection', 'frame', cut],
  ])('%s, the next renewal begins with the %s', async (_what, first, respond) => {
    const { host, server, auth } = await startScene({ config: { autoLogout: false } })
    host.fetch = async () => respond()
    await auth.renew({ force: true }).catch(() => {})
    await host.settle()
    host.fetch = server.fetch
    const asked = watch(host)
    // A pause that the server asked for is over.
    await host.clock.advance(300_000)
    await Promise.all([auth.renew({ force: true }), host.settle()])
    expect(asked[0]).toBe(first)
    expect(auth.getState().status).toBe('authenticated')
  })
})

describe('a lock that the browser never grants', () => {
  it('counts as lost after as long as a tab may work: the frame comes first, and is not waited for again', async () => {
    const scene = createScene({ config: { autoLogout: false } })
    const { host, auth } = scene
    const { tabs } = host.platform
    Object.assign(host.platform, { tabs: () => ({ ...tabs(), lock: () => new Promise(() => {}) }) })
    void auth.start()
    await host.settle()
    const asked = watch(host)
    const first = auth.renew({ force: true })
    await host.clock.advance(longestRenewalMs(60_000))
    await first
    expect(asked).toEqual(['frame'])
    const second = auth.renew({ force: true })
    await host.clock.advance(1_000)
    await second
    expect(asked).toEqual(['frame', 'frame'])
  })
})
