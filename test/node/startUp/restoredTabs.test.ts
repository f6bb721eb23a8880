// Tabs that a browser restores, and pages that the user comes back to: nobody is sent to a sign-in page that they do not look at.
import { describe, expect, it } from 'vitest'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { holdRequests } from '../../holdRequests.ts'
import { APP, CONFIG, createScene, nextPage, type Scene, startScene } from '../session/sessionScene.ts'

const NOBODY = { server: { user: undefined } }

/** A further tab of the same browser, which the user does not look at. */
async function openHidden({ host, server }: Scene) {
  const tab = createFakeHost(APP, { browser: host.browser, isVisible: false, server })
  const auth = createAuth(CONFIG, { platform: tab.platform })
  void auth.start()
  await tab.settle()
  return { host: tab, auth }
}

describe('tabs that a browser restores, with nobody signed in', () => {
  it('wait until they are seen; when one has signed in, the others have its session', async () => {
    const seen = await startScene(NOBODY)
    const hidden = [await openHidden(seen), await openHidden(seen)]
    expect(seen.host.navigations).toHaveLength(1)
    expect(hidden.map(({ host }) => host.navigations)).toEqual([[], []])
    seen.server.user = createFakeUser()
    const back = nextPage(seen, seen.server.callbackOf(seen.host.navigations[0]!))
    void back.auth.start()
    await back.host.settle()
    for (const { host, auth } of hidden) {
      host.setVisible(true)
      await host.clock.advance(2_000)
      expect(auth.getState().status).toBe('authenticated')
      expect(host.navigations).toEqual([])
    }
  })

  it('leave for the sign-in page when they are seen and nobody has signed in', async () => {
    const seen = await startScene(NOBODY)
    const { host } = await openHidden(seen)
    host.setVisible(true)
    await host.clock.advance(2_000)
    expect(host.navigations).toHaveLength(1)
  })

  it('ask then whether the server is still there, where the browser keeps frames out', async () => {
    const scene = createScene({
      ...NOBODY,
      host: { isVisible: false, onFrame: (frame) => queueMicrotask(frame.csp) },
    })
    const { host, auth } = scene
    void auth.start()
    await host.settle()
    await internalsOf(auth)
      .callOpenly({ method: 'GET', path: '/api/userinfo' })
      .catch(() => {})
    await host.clock.advance(3_600_000)
    host.fetch = async () => {
      throw new TypeError('Failed to fetch')
    }
    host.setVisible(true)
    await host.settle()
    expect([auth.getState().status, host.navigations]).toEqual(['failed', []])
  })

  it('do nothing any more once nobody uses the page', async () => {
    const seen = await startScene(NOBODY)
    const { host, auth } = await openHidden(seen)
    auth.dispose()
    host.setVisible(true)
    await host.clock.advance(2_000)
    expect([host.navigations, host.counts().listeners]).toEqual([[], 0])
  })

  it('wait at the gate too, which would leave for the sign-in page by itself', async () => {
    const { host, auth } = await startScene({
      ...NOBODY,
      config: { autoLogin: false },
      host: { isVisible: false },
    })
    const leaving = internalsOf(auth).loginByItself()
    await host.settle()
    expect(host.navigations).toEqual([])
    host.setVisible(true)
    await leaving
    expect(host.navigations).toHaveLength(1)
  })
})

describe('a gate that is about to leave for the sign-in page by itself', () => {
  it('stays where another tab has signed in while it asked whether the server is there', async () => {
    const { host, server, auth } = await startScene({ ...NOBODY, config: { autoLogin: false } })
    const release = holdRequests(host)
    const leaving = internalsOf(auth).loginByItself()
    await host.settle()
    server.user = createFakeUser()
    const other = createFakeHost(APP, { browser: host.browser, server })
    void createAuth(CONFIG, { platform: other.platform }).start()
    await host.clock.advance(2_000)
    expect(auth.getState().status).toBe('authenticated')
    release()
    await leaving
    expect([auth.getState().status, host.navigations]).toEqual(['authenticated', []])
  })
})

describe('a page that the user comes back to from a sign-in page that it opened by itself', () => {
  it('says that nobody is signed in, each time, and leaves no more by itself', async () => {
    let page = await startScene(NOBODY)
    for (let count = 0; count < 5; count += 1) {
      page = nextPage(page, APP, { host: { isOpenedByUser: 'back' } })
      void page.auth.start()
      await page.host.settle()
      expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'cancelled' })
      expect(page.host.navigations).toEqual([])
    }
    await page.auth.login()
    expect(page.host.navigations).toHaveLength(1)
  })

  it('finds a session that there is by now', async () => {
    const page = await startScene(NOBODY)
    page.server.user = createFakeUser()
    const back = nextPage(page, APP, { host: { isOpenedByUser: 'back' } })
    void back.auth.start()
    await back.host.settle()
    expect(back.auth.getState().status).toBe('authenticated')
  })

  it.each([true, undefined])(
    'signs in as ever after a reload, or where the browser does not tell (%s)',
    async (how) => {
      const page = await startScene(NOBODY)
      const next = nextPage(page, APP, { host: { isOpenedByUser: how } })
      void next.auth.start()
      await next.host.settle()
      expect(next.host.navigations).toHaveLength(1)
    },
  )

  it('signs in as ever where a click had opened the sign-in page', async () => {
    const page = createScene({ ...NOBODY, config: { autoLogin: false } })
    void page.auth.start()
    await page.host.settle()
    await page.auth.login()
    const back = nextPage(page, APP, { host: { isOpenedByUser: 'back' } })
    void back.auth.start()
    await back.host.settle()
    expect(back.host.navigations).toHaveLength(1)
  })
})

describe('a sign-in page that the user has left, and no response has come', () => {
  async function toldAfter(isOpenedByUser: boolean | undefined): Promise<string> {
    const page = await startScene(NOBODY)
    const told: string[] = []
    const next = nextPage(page, APP, { config: { autoLogin: false }, host: { isOpenedByUser } })
    const platform = { ...next.host.platform, tell: (text: string) => void told.push(text) }
    void createAuth({ ...CONFIG, autoLogin: false }, { platform }).start()
    await next.host.settle()
    return told.join()
  }

  it('is no fault of a router when the user typed an address or reloaded', async () => {
    expect(await toldAfter(true)).toBe('')
  })

  it('is told to developers when the server has sent the browser back', async () => {
    expect(await toldAfter(false)).toContain('Call auth.start() before your router.')
    expect(await toldAfter(undefined)).toContain('Call auth.start() before your router.')
  })
})
