// A browser that never had a session here: the sign-in page is asked for one, not the hidden frame, unless the app wants it (`verifyFirstVisit`).
import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { earlyScript, openEarlyPage } from '../early/earlyScene.ts'
import {
  APP,
  createScene,
  isOpenIdConnect,
  nextPage,
  type SceneOptions,
  startScene,
} from '../session/sessionScene.ts'

await earlyScript()

/** The default. */
const config = { verifyFirstVisit: undefined }
const NOBODY = { user: undefined }
const start = (options: SceneOptions = {}) =>
  startScene({ ...options, config: { ...config, ...options.config } })
const explained = ({ auth }: Awaited<ReturnType<typeof start>>) =>
  auth.explain().map(({ step, outcome, detail }) => [step, outcome, detail])

describe('a first visit', () => {
  it('leaves for the sign-in page without a frame, and after one request that asks whether the server is there, and says why', async () => {
    const scene = await start({ server: NOBODY })
    expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    expect(scene.host.frames).toEqual([])
    expect(scene.host.requests).toMatchObject([{ method: 'GET' }])
    expect(scene.host.navigations).toHaveLength(1)
    expect(new URL(scene.host.navigations[0]!).searchParams.get('prompt')).toBeNull()
    expect(explained(scene)).toContainEqual(['verify existing session', 'skipped', 'first visit'])
  })

  it('gets a user in who has a session at the server, back at the address where they were', async () => {
    const deep = 'https://app.test/firms/7?tab=a%20b#/x'
    const left = await start({ address: deep })
    const back = nextPage(left, left.server.callbackOf(left.host.navigations[0]!), { config })
    void back.auth.start()
    await back.host.settle()
    expect(back.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    expect(back.host.address).toBe(deep)
    expect(back.host.frames).toEqual([])
  })

  it('is none any more once there was a session: a reload asks in the frame and stays', async () => {
    const left = await start()
    const back = nextPage(left, left.server.callbackOf(left.host.navigations[0]!), { config })
    void back.auth.start()
    await back.host.settle()
    const reloaded = nextPage(back, APP, { config })
    void reloaded.auth.start()
    await reloaded.host.settle()
    expect(reloaded.auth.getState().status).toBe('authenticated')
    expect(reloaded.host.frames).toHaveLength(1)
    expect(reloaded.host.navigations).toEqual([])
  })

  it.each([
    ['its storage was cleared at the sign-in page', () => `${APP}?code=c&state=abc123`, true],
    ['something took the response out of the URL', () => APP, false],
  ])(
    'is none where the user comes back and %s: a frame is asked, and nobody is sent round',
    async (_, address, isCleared) => {
      const left = await start()
      if (isCleared) left.host.sessionStorage.clear()
      const back = nextPage(left, address(), { config })
      void back.auth.start()
      await back.host.settle()
      expect(back.auth.getState().status).toBe('authenticated')
      expect(back.host.frames).toHaveLength(1)
      expect(back.host.navigations).toEqual([])
    },
  )

  it('waits for the network before it leaves', async () => {
    const scene = createScene({ config, server: NOBODY })
    scene.host.setOnline(false)
    void scene.auth.start()
    await scene.host.settle()
    expect(scene.auth.getState()).toMatchObject({ status: 'failed', error: { code: 'offline' } })
    expect(scene.host.navigations).toEqual([])
    scene.host.setOnline(true)
    await scene.host.settle()
    expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
  })

  it('takes over the session that was looked for while the files were on their way', async () => {
    const page = await openEarlyPage()
    const auth = page.createAuth(config)
    void auth.start()
    await page.host.settle()
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    expect(page.host.navigations).toEqual([])
  })
})

describe('is verified all the same', () => {
  const CASES: readonly [string, SceneOptions][] = [
    ['without auto-login, which would leave nobody to ask', { config: { autoLogin: false } }],
    [
      'with a token in the address, which a session wins over',
      { address: `${APP}?token=${createAccessToken()}` },
    ],
    ['with an initToken', { config: { initToken: 'a.b.c' } }],
    ['with `verifyFirstVisit`', { config: { verifyFirstVisit: true } }],
  ]
  // With an OpenID Connect provider a token in the address is the app's own.
  const cases = CASES.filter(([, { address }]) => !(isOpenIdConnect && address))
  it.each(cases)('%s', async (_name, options) => {
    const scene = await start(options)
    expect(scene.host.frames).toHaveLength(1)
    expect(scene.auth.getState().status).toBe('authenticated')
    expect(scene.host.navigations).toEqual([])
  })

  it('after a sign-in that failed: the server’s own session decides, and nobody is sent round again', async () => {
    const left = await start({ server: NOBODY })
    const answer = new URL(left.host.navigations[0]!)
    const back = nextPage(left, `${APP}?error=server_error&state=${answer.searchParams.get('state')}`, {
      config,
    })
    void back.auth.start()
    await back.host.settle()
    expect(back.host.frames).toHaveLength(1)
    expect(back.auth.getState().status).toBe('failed')
    expect(back.host.navigations).toEqual([])
  })
})
