// Whoever listens to a session may throw, come and go in the middle, or call back in: nobody else is stopped.
import { QueryClient, MutationCache } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { followQueryClient } from '../../../src/queries/interactions.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createMemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
// Warm, so that loading it does not take longer than a fake page rests.
import '../../../src/realtime/channels.ts'
import { createScene, startScene } from './sessionScene.ts'

const mistake = () => {
  throw new Error('a mistake of the app')
}
const REPORT = { message: 'A subscriber failed', cause: { message: 'a mistake of the app' } }

describe('a subscriber that throws', () => {
  it('keeps the server from nothing: a logout goes there, and the others hear of it', async () => {
    const { host, auth } = await startScene()
    const heard: string[] = []
    auth.subscribe(mistake)
    auth.subscribe(() => heard.push(auth.getState().status))
    await auth.logout()
    expect(host.navigations.map((url) => new URL(url).pathname)).toEqual(['/oauth/logout'])
    expect(heard).toEqual(['redirecting'])
    expect(host.warnings).toMatchObject([REPORT])
  })

  it('keeps nobody from signing in, and start-up from no step', async () => {
    const { host, auth } = createScene()
    auth.subscribe(mistake)
    await auth.start()
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
    expect(host.warnings).toMatchObject([REPORT])
  })

  it('keeps no tab from the end that another one tells', async () => {
    const first = await startScene()
    await first.host.clock.advance(1_000)
    const second = nextTab(first)
    void second.auth.start()
    await first.host.clock.advance(1_000)
    second.auth.subscribe(mistake)
    void first.auth.logout()
    await first.host.clock.advance(1_000)
    expect(second.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    await expect(second.auth.getAccessToken()).rejects.toThrow('Not authenticated yet')
  })

  it('stops no clock: idle time counts on and logs out', async () => {
    const { host, auth } = await startScene({ server: { expiresInSeconds: 86_400 } })
    await host.clock.advance(1_000)
    auth.subscribe(mistake)
    await host.clock.advance(30 * 60_000)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
    expect(host.navigations).toHaveLength(1)
  })
})

describe('once nobody uses the page any more', () => {
  it.each<[string, (auth: Auth) => unknown]>([
    ['a look at who is online', (auth) => auth.presence()],
    ['a listener', (auth) => auth.addEventListener('note', 'new', () => {})],
  ])('%s joins no channel; the next one who uses it does', async (_what, use) => {
    const hub = createMemoryRealtime()
    const { host, auth } = createScene({ config: { realtime: hub.transport } })
    const release = internalsOf(auth).hold()
    await host.settle()
    expect([auth.getState().status, hub.openLinks]).toEqual(['authenticated', 1])
    release()
    await host.clock.advance(1_000)
    expect(hub.openLinks).toBe(0)
    use(auth)
    await host.clock.advance(1_000)
    expect([hub.openLinks, host.counts().channels]).toEqual([0, 0])
    internalsOf(auth).hold()
    await host.clock.advance(1_000)
    expect(hub.openLinks).toBe(1)
  })
})

describe('a subscriber', () => {
  it('that is taken away by another one hears nothing more, and the one after it hears', async () => {
    const { auth } = await startScene()
    const heard: string[] = []
    auth.subscribe(() => removeSecond())
    const removeSecond = auth.subscribe(() => heard.push('second'))
    auth.subscribe(() => heard.push('third'))
    await auth.logout()
    expect(heard).toEqual(['third'])
  })

  it('that comes back whenever it is called is called once for one change', async () => {
    const { auth } = await startScene()
    let count = 0
    let remove = () => {}
    const again = () => {
      count += 1
      if (count > 5) return
      remove()
      remove = auth.subscribe(again)
    }
    remove = auth.subscribe(again)
    await auth.logout()
    expect(count).toBe(1)
  })

  it('that changes the state again leaves everybody with the last one', async () => {
    const { host, auth } = await startScene()
    const seen: string[] = []
    const leave = auth.subscribe(() => {
      leave()
      auth.dispose()
    })
    auth.subscribe(() => {
      seen.push(auth.getState().status)
    })
    host.setOnline(false)
    expect(seen).toEqual(['initializing', 'initializing'])
  })

  it('given twice is called twice, and one removal takes one of them', async () => {
    const { auth } = await startScene()
    let count = 0
    const listener = () => (count += 1)
    auth.subscribe(listener)
    auth.subscribe(listener)()
    await auth.logout()
    expect(count).toBe(1)
  })
})

describe('the app’s own caches', () => {
  it('that throw while they are emptied keep the other ones from nothing, and are reported', async () => {
    const { host, auth } = await startScene()
    let cleared = 0
    const attach = (clear: () => Promise<void>) =>
      internalsOf(auth).caches.attach({ run: (_name, work) => work(), clear })
    attach(mistake)
    attach(() => Promise.reject(new Error('disk')))
    attach(async () => void (cleared += 1))
    await auth.logout()
    expect(cleared).toBe(1)
    expect(host.navigations).toHaveLength(1)
    expect(host.warnings.map(({ cause }) => (cause as Error).message)).toEqual([
      'a mistake of the app',
      'disk',
    ])
  })

  it.each(['onMutate', 'onSuccess'] as const)(
    'whose %s throws keep nobody from signing in',
    async (callback) => {
      const scene = createScene()
      const mutationCache = new MutationCache({ [callback]: mistake })
      followQueryClient(scene.auth, new QueryClient({ mutationCache }))
      await scene.auth.start()
      await scene.host.settle()
      expect(scene.auth.getState().status).toBe('authenticated')
      expect(scene.server.tokenRequests).toHaveLength(1)
    },
  )

  it('whose subscriber throws keep nobody from signing in', async () => {
    const scene = createScene()
    const client = new QueryClient()
    client.getMutationCache().subscribe(mistake)
    followQueryClient(scene.auth, client)
    await scene.auth.start()
    await scene.host.settle()
    expect(scene.auth.getState().status).toBe('authenticated')
    expect(scene.server.tokenRequests).toHaveLength(1)
  })
})

/** Another tab of the same browser. */
function nextTab(scene: Awaited<ReturnType<typeof startScene>>) {
  const { browser } = scene.host
  return createScene({ host: { browser, fetch: scene.server.fetch } })
}
