// What the browser says of the network is a hint: a wrong one keeps nobody out, and one that comes too early costs nothing.
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { changePasswordMutation } from '../../../src/queries/changePassword.ts'
import { passthroughMutation } from '../../../src/queries/passthrough.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import {
  createScene,
  isOpenIdConnect,
  nextPage,
  type Scene,
  startScene,
  tokenBodies,
} from './sessionScene.ts'

const NOBODY = { server: { user: undefined }, config: { autoLogin: false } }
const refuses: typeof fetch = async () => {
  throw new TypeError('Failed to fetch')
}

/** `navigator.onLine` is false, as behind some VPNs and in some virtual machines; requests work. */
function mislead(scene: Scene): Scene {
  Object.assign(scene.host.platform, { isOnline: () => false })
  return scene
}
/** Start-up with that hint. */
async function start(scene: Scene): Promise<Scene> {
  void mislead(scene).auth.start()
  await scene.host.settle()
  return scene
}
/** The hint turns wrong after start-up. */
const misled = async (options = {}) => mislead(await startScene(options))
const act = async (scene: Scene, work: (scene: Scene) => Promise<unknown>) => {
  work(scene).catch(() => {})
  await scene.host.settle()
  return scene
}
const mutate = (scene: Scene, mutation: object, variables?: unknown) =>
  act(scene, () => new MutationObserver(new QueryClient(), mutation).mutate(variables as never))

const pathOf = (url: string) => (url === 'about:blank' ? url : new URL(url).pathname)
const left = ({ host }: Scene) => host.navigations.map(pathOf)
const windows = ({ host }: Scene) => host.popups.map(({ urls }) => urls.map(pathOf))
const userOf = ({ auth }: Scene) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? state.user.userId : state.status
}

type Entrance = [what: string, expected: unknown, enter: () => Promise<unknown>]
const ENTRANCES: Entrance[] = [
  ['start-up finds the session', 'alice', async () => userOf(await start(createScene()))],
  [
    'a first visit leaves for the sign-in page',
    ['/oauth/authorize'],
    async () =>
      left(await start(createScene({ server: { user: undefined }, config: { verifyFirstVisit: false } }))),
  ],
  [
    'the return from it signs in',
    'alice',
    async () => {
      const scene = await startScene({ server: { user: undefined } })
      return userOf(await start(nextPage(scene, scene.server.callbackOf(scene.host.navigations[0]!))))
    },
  ],
  [
    'a start-up that failed is repeated',
    ['failed', 'alice'],
    async () => {
      const scene = createScene()
      scene.host.fetch = refuses
      const before = userOf(await start(scene))
      scene.host.fetch = scene.server.fetch
      await scene.host.clock.advance(2000)
      return [before, userOf(scene)]
    },
  ],
  [
    'a click on sign in leaves',
    ['/oauth/authorize'],
    async () => left(await act(await misled(NOBODY), ({ auth }) => auth.login())),
  ],
  [
    'a click on sign in opens the window',
    [['about:blank', '/oauth/authorize']],
    async () => windows(await act(await misled(NOBODY), ({ auth }) => auth.login({ display: 'popup' }))),
  ],
  [
    'a gate that signs in by itself leaves',
    ['/oauth/authorize'],
    async () => left(await act(await misled(NOBODY), ({ auth }) => internalsOf(auth).loginByItself())),
  ],
  [
    'a click on sign out leaves',
    ['/oauth/logout'],
    async () => left(await act(await misled(), ({ auth }) => auth.logout())),
  ],
  [
    'an owed logout is told by the same page',
    [[], ['/oauth/logout']],
    async () => {
      const scene = await misled()
      scene.host.fetch = refuses
      await act(scene, ({ auth }) => auth.logout())
      const before = left(scene)
      scene.host.fetch = scene.server.fetch
      await scene.host.clock.advance(2000)
      return [before, left(scene)]
    },
  ],
  [
    'an owed logout is told by the next page',
    ['/oauth/logout'],
    async () => {
      const scene = await startScene()
      scene.host.setOnline(false)
      await act(scene, ({ auth }) => auth.logout())
      return left(await start(nextPage(scene, 'https://app.test/')))
    },
  ],
  [
    'a due renewal renews',
    [2, false],
    async () => {
      const scene = await misled({ config: { autoRefreshToken: true, autoLogout: false } })
      await scene.host.clock.advance(600_000)
      return [tokenBodies(scene.host).length, scene.auth.getState().isTokenExpired]
    },
  ],
  [
    'a call is made',
    'alice',
    async () => (await internalsOf((await misled()).auth).readUserInfo(undefined))['sub'],
  ],
  [
    'a wake asks whether the session still exists',
    'unauthenticated',
    async () => {
      const scene = await misled({ config: { checkSessionOnWake: true }, server: { expiresInSeconds: 3600 } })
      await scene.host.clock.advance(300_000)
      scene.server.revokeAll()
      scene.server.user = undefined
      scene.host.emit('focus')
      await scene.host.settle()
      return userOf(scene)
    },
  ],
]
/** Of the firm's server alone. */
if (!isOpenIdConnect)
  ENTRANCES.push(
    [
      'the password page opens',
      ['/oauth/changepassword'],
      async () => {
        const scene = await misled()
        return left(await mutate(scene, changePasswordMutation(scene.auth), { how: 'navigation' }))
      },
    ],
    [
      'the password window opens, once the server has been asked',
      [['about:blank', '/oauth/changepassword']],
      async () => {
        const scene = await misled()
        return windows(await mutate(scene, changePasswordMutation(scene.auth)))
      },
    ],
    [
      'a session is passed through',
      ['/oauth/passthrough'],
      async () => {
        const scene = await misled()
        return left(await mutate(scene, passthroughMutation(scene.auth), { redirect: '/a' }))
      },
    ],
  )

describe('where the browser reports no network though there is one', () => {
  it.each(ENTRANCES)('%s', async (_what, expected, enter) => {
    expect(await enter()).toEqual(expected)
  })
})

describe('where the browser reports a network before there is one', () => {
  /** Signed in; the network goes, and the token is due. */
  async function dueOffline() {
    const scene = await startScene({ config: { autoRefreshToken: true, autoLogout: false } })
    scene.host.setOnline(false)
    await scene.host.clock.advance(590_000)
    return { ...scene, sentBefore: tokenBodies(scene.host).length }
  }
  /** `online`, and half a second until requests get through. */
  async function comeBackSlowly({ host, server }: Scene) {
    host.fetch = refuses
    host.setOnline(true)
    await host.clock.advance(500)
    host.fetch = server.fetch
    await host.clock.advance(5000)
  }

  it('a renewal asks first: the refresh token is sent once, and no frame is asked', async () => {
    const scene = await dueOffline()
    let frameCount = 0
    const { openFrame } = scene.host.platform
    Object.assign(scene.host.platform, {
      openFrame: (opened: never) => ((frameCount += 1), openFrame(opened)),
    })
    await comeBackSlowly(scene)
    expect([tokenBodies(scene.host).length - scene.sentBefore, frameCount]).toEqual([1, 0])
    expect(scene.server.tokenRequests.at(-1)).toEqual({ grantType: 'refresh_token', isGranted: true })
  })

  it('so does one of a call that the app makes at once', async () => {
    const scene = await dueOffline()
    scene.host.fetch = refuses
    // The app's listener comes first.
    Object.assign(scene.host.platform, { isOnline: () => true })
    await expect(
      Promise.all([scene.auth.getAccessToken({ force: true }), scene.host.settle()]),
    ).rejects.toMatchObject({ code: 'network' })
    expect(tokenBodies(scene.host).length).toBe(scene.sentBefore)
  })

  it('a sign-out stays in the app until there is one, and is told then', async () => {
    const scene = await startScene()
    // The last response was a moment ago.
    await scene.auth.renew({ force: true })
    scene.host.setOnline(false)
    await act(scene, ({ auth }) => auth.logout())
    scene.host.fetch = refuses
    scene.host.setOnline(true)
    await scene.host.clock.advance(500)
    expect(left(scene)).toEqual([])
    scene.host.fetch = scene.server.fetch
    await scene.host.clock.advance(2000)
    expect(left(scene)).toEqual(['/oauth/logout'])
  })
})

describe('where the server dies a moment after its last response', () => {
  it.each<[string, object, (scene: Scene) => Promise<unknown>]>([
    ['sign in', NOBODY, ({ auth }) => auth.login()],
    ['sign out', {}, ({ auth }) => auth.logout()],
  ])('a click on %s stays in the app', async (_what, options, click) => {
    const scene = await startScene(options)
    await internalsOf(scene.auth)
      .callOpenly({ method: 'GET', path: '/api/userinfo' })
      .catch(() => {})
    scene.host.fetch = refuses
    await act(scene, click)
    expect([left(scene), userOf(scene)]).toEqual([[], 'unauthenticated'])
  })
})
