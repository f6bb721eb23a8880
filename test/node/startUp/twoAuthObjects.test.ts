// Two auth objects of one client on a page, as two copies of latchkey bring them: what the server sent the browser back with is for both.
import { describe, expect, it } from 'vitest'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import {
  APP,
  CONFIG,
  type Scene,
  nextPage,
  NOBODY,
  signInAfterLogout,
  startScene,
  tokenBodies,
} from '../session/sessionScene.ts'

const beside = ({ host }: Pick<Scene, 'host'>, config = {}) =>
  createAuth({ ...CONFIG, ...config }, { platform: host.platform })

/** The texts that a page prints for developers from now on. */
function watchTold({ host }: Pick<Scene, 'host'>) {
  const told: string[] = []
  Object.assign(host.platform, { tell: (text: string) => told.push(text) })
  return told
}

/** Alice has signed out and is back from the logout page; nothing has started. */
async function backFromLogout() {
  const scene = await startScene()
  void scene.auth.logout()
  await scene.host.settle()
  scene.server.user = undefined
  const { searchParams } = new URL(scene.host.navigations.at(-1) ?? '')
  return nextPage(scene, `${APP}?state=${searchParams.get('state')}`)
}

describe('two auth objects of one client on a page', () => {
  it.each([0, 3_600])('are both signed out after a logout, the second one %i s later', async (seconds) => {
    const page = await backFromLogout()
    void page.auth.start()
    if (seconds > 0) await page.host.clock.advance(seconds * 1000)
    const second = beside(page)
    void second.start()
    await page.host.settle()
    for (const auth of [page.auth, second])
      expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(page.host.navigations).toEqual([])
  })

  it('do not find a logout again after the next sign-in', async () => {
    const page = await backFromLogout()
    void page.auth.start()
    await page.host.settle()
    page.server.user = createFakeUser()
    const { browser } = page.host
    const tab = { ...page, host: createFakeHost(APP, { browser, server: page.server }) }
    const inTab = { ...tab, auth: beside(tab, { autoLogin: false }) }
    void inTab.auth.start()
    await page.host.settle()
    await signInAfterLogout(inTab, page.server)
    const second = beside(page)
    void second.start()
    await page.host.settle()
    expect(second.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
  })

  it('share the session of one code, which is sent once, and leave no second time', async () => {
    const config = { verifyFirstVisit: false }
    const left = await startScene({ config, server: { user: undefined } })
    const page = nextPage(left, left.server.callbackOf(left.host.navigations[0] ?? ''), { config })
    const second = beside(page, config)
    void page.auth.start()
    void second.start()
    await page.host.settle()
    await page.host.clock.advance(3_000)
    for (const auth of [page.auth, second])
      expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    expect([page.host.navigations, page.host.frames]).toEqual([[], []])
    expect(tokenBodies(page.host)).toHaveLength(1)
  })

  it('say nothing of a lost sign-in when both had left for it: the user has one session', async () => {
    const config = { verifyFirstVisit: false }
    const left = await startScene({ config, server: { user: undefined } })
    void beside(left, config).start()
    await left.host.settle()
    const page = nextPage(left, left.server.callbackOf(left.host.navigations.at(-1) ?? ''), { config })
    void page.auth.start()
    await page.host.settle()
    const told = watchTold(page)
    const second = beside(page, config)
    void second.start()
    await page.host.settle()
    expect(second.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    expect(told).toEqual([])
  })

  it('say that a sign-in is lost where other code took the response out of the URL', async () => {
    const config = { autoLogin: true, verifyFirstVisit: false }
    const left = await startScene({ config, server: { user: undefined } })
    const page = nextPage(left, APP, { config })
    const told = watchTold(page)
    void page.auth.start()
    await page.host.settle()
    expect(told).toEqual([expect.stringMatching(/took \?code=… out of the URL/)])
  })

  it('both stay when the user turned back on the sign-in page', async () => {
    const left = await startScene({ server: { user: undefined } })
    const address = new URL(left.server.callbackOf(left.host.navigations[0] ?? ''))
    address.searchParams.delete('code')
    address.searchParams.set('error', 'access_denied')
    const page = nextPage(left, address.href)
    const second = beside(page)
    void page.auth.start()
    void second.start()
    await page.host.settle()
    for (const auth of [page.auth, second])
      expect(auth.getState()).toMatchObject({ ...NOBODY, reason: 'cancelled' })
    expect(page.host.navigations).toEqual([])
  })
})
