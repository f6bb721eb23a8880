// Logout: in which order, and that the session ends here whatever happens to the server, the hook or the network (F5, F37).
import { describe, expect, it } from 'vitest'
import type { AuthError } from '../../../src/base/errors.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import {
  APP,
  CLIENT,
  comeBackFromLogout,
  CONFIG,
  nextPage,
  type Scene,
  startScene,
  tokenBodies,
} from '../session/sessionScene.ts'
import { parseConfig } from '../../../src/protocol/config.ts'
import { logoutUrl } from '../../../src/protocol/endpoints.ts'
import { stepsKey } from '../../../src/protocol/storageKeys.ts'

async function expectToLeaveAfterFiveSeconds({ host, auth }: Scene): Promise<void> {
  const leaving = auth.logout()
  await host.clock.advance(4999)
  expect(host.navigations).toEqual([])
  await host.clock.advance(1)
  await leaving
  expect(host.navigations).toHaveLength(1)
}

describe('logout', () => {
  it('goes in order: hook, token, caches, state, and then away', async () => {
    const order: string[] = []
    const scene = await startScene({
      config: {
        hooks: {
          beforeLogout: async ({ user, reason }) => {
            order.push(`hook ${user?.userId} ${reason} ${scene.auth.getState().status}`)
            await scene.auth.getAccessToken()
            order.push('token still there in the hook')
          },
        },
      },
    })
    const { host, auth } = scene
    internalsOf(auth).caches.attach({
      run: (_name, work) => work(),
      async clear() {
        order.push(
          `caches, token ${await auth.getAccessToken().then(
            () => 'there',
            () => 'gone',
          )}`,
        )
      },
    })
    auth.subscribe(() => order.push(`state ${auth.getState().status}, left: ${host.navigations.length}`))
    await auth.logout()
    order.push(`left: ${host.navigations.length}`)
    expect(order).toEqual([
      'hook alice signed-out authenticated',
      'token still there in the hook',
      'state redirecting, left: 0',
      'caches, token gone',
      'left: 1',
    ])
  })

  it('sends the browser to the logout page of the contract, with force by default', async () => {
    const { host, auth } = await startScene()
    await auth.logout()
    const address = new URL(host.navigations[0] ?? '')
    expect(address.origin + address.pathname).toBe('https://auth.test/oauth/logout')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'admin',
      force: 'true',
      post_logout_redirect_uri: APP,
      state: expect.stringMatching(/^[A-Za-z0-9]{6}$/),
    })
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  })

  it('asks the server for no state when the storage of the tab is full: the way back could not know it', async () => {
    const { host, auth } = await startScene()
    host.sessionStorage.fault = 'full'
    await auth.logout()
    expect(new URL(host.navigations[0] ?? '').searchParams.get('state')).toBeNull()
  })

  it('gives up its own steps and metadata in a full storage before the place of the user', async () => {
    const deep = `${APP}firms/7`
    const { host, server, auth } = await startScene({ address: deep })
    const { sessionStorage } = host
    sessionStorage.set(stepsKey(CLIENT), 'x'.repeat(500))
    const { set } = sessionStorage
    const size = () => JSON.stringify(sessionStorage.entries()).length
    const quota = size()
    sessionStorage.set = (key, value) => {
      const before = sessionStorage.get(key)
      if (set(key, value) && size() <= quota) return true
      if (before === undefined) sessionStorage.remove(key)
      else set(key, before)
      return false
    }
    await auth.logout()
    sessionStorage.set = set
    const back = await comeBackFromLogout({ host, server })
    expect(back.address).toBe(deep)
  })

  it.each([true, false])('says force=%s when the app does', async (force) => {
    const { host, auth } = await startScene()
    await auth.logout({ force })
    expect(new URL(host.navigations[0] ?? '').searchParams.get('force')).toBe(String(force))
  })

  it('leaves no token, no hint, no timer by which a session could go on', async () => {
    const { host, auth } = await startScene({ config: { autoRefreshToken: true } })
    await auth.logout()
    await expect(auth.getAccessToken()).rejects.toThrow('Not authenticated yet')
    await expect(auth.renew({ force: true })).rejects.toThrow('Not authenticated yet')
    await host.clock.advance(86_400_000)
    expect(tokenBodies(host)).toHaveLength(1)
    expect(host.counts()).toMatchObject({ timers: 0, frames: 0 })
    expect(host.localStorage.get('latchkey https://auth.test admin session')).toBeUndefined()
  })

  it('twice at once leaves once, and the hook is called once', async () => {
    let calls = 0
    const { host, auth } = await startScene({ config: { hooks: { beforeLogout: () => (calls += 1) } } })
    await Promise.all([auth.logout(), auth.logout(), auth.logout({ force: false })])
    expect(host.navigations).toHaveLength(1)
    expect(calls).toBe(1)
  })

  it('called again by its own hook joins itself instead of waiting for ever', async () => {
    const { host, auth } = await startScene({
      config: { hooks: { beforeLogout: () => void auth.logout().catch(() => {}) } },
    })
    await auth.logout()
    expect(host.navigations).toHaveLength(1)
  })

  it('waits for a hook that awaits the logout at most 5 seconds', async () => {
    const { host, auth } = await startScene({ config: { hooks: { beforeLogout: () => auth.logout() } } })
    const leaving = auth.logout()
    await host.clock.advance(5000)
    await leaving
    expect(host.navigations).toHaveLength(1)
  })
})

describe('a hook before the logout', () => {
  it('is awaited', async () => {
    const { promise: saved, resolve: finish } = Promise.withResolvers<void>()
    const { host, auth } = await startScene({ config: { hooks: { beforeLogout: () => saved } } })
    const leaving = auth.logout()
    await host.clock.advance(4999)
    expect(host.navigations).toEqual([])
    finish()
    await leaving
    expect(host.navigations).toHaveLength(1)
  })

  it('that never ends is awaited for 5 seconds and not longer', async () => {
    await expectToLeaveAfterFiveSeconds(
      await startScene({ config: { hooks: { beforeLogout: () => new Promise(() => {}) } } }),
    )
  })

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('draft not saved')
      },
    ],
    ['rejects', () => Promise.reject(new Error('draft not saved'))],
    [
      'throws something that is no error',
      () => {
        // eslint-disable-next-line typescript/only-throw-error
        throw 'draft not saved'
      },
    ],
  ])('that %s is reported, and the logout goes on', async (_what, beforeLogout) => {
    const { host, auth } = await startScene({ config: { hooks: { beforeLogout } } })
    await auth.logout()
    expect(host.navigations).toHaveLength(1)
    expect(host.warnings.map(({ message }) => message)).toEqual(['The beforeLogout hook failed'])
  })
})

describe('a logout that cannot leave the page', () => {
  it('is logged and rethrown; the session here has ended', async () => {
    const { host, auth } = await startScene()
    host.navigationError = new Error('navigation blocked')
    const error = (await auth.logout().catch((thrown: unknown) => thrown)) as AuthError
    expect(error).toMatchObject({
      name: 'AuthError',
      code: 'logout-failed',
      cause: { message: 'navigation blocked' },
    })
    expect(host.warnings).toHaveLength(1)
    expect(auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: { code: 'logout-failed' },
    })
    await expect(auth.getAccessToken()).rejects.toThrow('Not authenticated yet')
  })

  it('is thrown to every caller, and can be tried again', async () => {
    const { host, auth } = await startScene()
    host.navigationError = new Error('navigation blocked')
    const outcomes = await Promise.allSettled([auth.logout(), auth.logout()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await auth.logout()
    expect(host.navigations).toHaveLength(1)
  })
})

describe('caches of the app', () => {
  const attach = (auth: Auth, clear: () => Promise<void>) =>
    internalsOf(auth).caches.attach({ run: (_name, work) => work(), clear })

  it('that fail to empty are reported, and the logout goes on', async () => {
    const { host, auth } = await startScene()
    attach(auth, () => Promise.reject(new Error('disk')))
    await auth.logout()
    expect(host.navigations).toHaveLength(1)
    expect(host.warnings).toMatchObject([{ cause: { message: 'disk' } }])
    await expect(auth.getAccessToken()).rejects.toThrow('Not authenticated yet')
  })

  it('that never come to an end are awaited for 5 seconds and not longer', async () => {
    const scene = await startScene()
    attach(scene.auth, () => new Promise(() => {}))
    await expectToLeaveAfterFiveSeconds(scene)
  })
})

describe('a logout without network', () => {
  it('ends the session here at once, and the one of the server when the network is back', async () => {
    const { host, auth } = await startScene()
    host.setOnline(false)
    await auth.logout()
    expect(auth.getState()).toMatchObject({
      status: 'unauthenticated',
      reason: 'signed-out',
      cause: { code: 'offline' },
      isOnline: false,
    })
    expect(host.navigations).toEqual([])
    await expect(auth.getAccessToken()).rejects.toThrow('Not authenticated yet')
    host.setOnline(true)
    await host.settle()
    expect(host.navigations).toHaveLength(1)
    expect(host.navigations[0]).toContain('/oauth/logout?')
  })

  it('leaves once, however often the network comes and goes', async () => {
    const { host, auth } = await startScene()
    host.setOnline(false)
    await auth.logout()
    await auth.logout()
    for (let round = 0; round < 3; round += 1) {
      host.setOnline(true)
      await host.settle()
      host.setOnline(false)
    }
    expect(host.navigations).toHaveLength(1)
  })

  it('is forgotten with the page: nothing listens after dispose', async () => {
    const { host, auth } = await startScene()
    host.setOnline(false)
    await auth.logout()
    auth.dispose()
    await host.settle()
    expect(Object.values(host.counts())).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('a logout without a session', () => {
  it('still ends the one of the server', async () => {
    const { host, auth } = await startScene({ config: { autoLogin: false }, server: { user: undefined } })
    await auth.logout()
    expect(host.navigations[0]).toContain('/oauth/logout?')
  })

  it('comes back after an hour on the logout page: the state goes out of the address, and nothing failed', async () => {
    const scene = await startScene({ address: `${APP}firms?tab=2` })
    await scene.auth.logout()
    const { searchParams } = new URL(scene.host.navigations[0] ?? '')
    scene.server.user = undefined
    scene.host.clock.jump(3_600_000)
    const back = nextPage(scene, `${APP}?state=${searchParams.get('state')}`, {
      config: { autoLogin: false },
    })
    void back.auth.start()
    await back.host.settle()
    expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(back.auth.getState()).not.toHaveProperty('cause')
    expect(back.host.address).toBe(`${APP}firms?tab=2`)
  })

  it('works with storages denied: the user comes back as somebody without a session', async () => {
    const scene = await startScene()
    scene.host.sessionStorage.fault = 'denied'
    await scene.auth.logout()
    const { searchParams } = new URL(scene.host.navigations[0] ?? '')
    scene.server.user = undefined
    const back = nextPage(scene, `${APP}?state=${searchParams.get('state')}`, {
      config: { autoLogin: false },
    })
    void back.auth.start()
    await back.host.settle()
    expect(back.auth.getState().status).toBe('unauthenticated')
  })
})

it('a page restored from the back-forward cache after a logout shows nobody signed in', async () => {
  const { host, auth } = await startScene()
  await auth.logout()
  host.emit('restored')
  expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  await expect(auth.getAccessToken()).rejects.toThrow('Not authenticated yet')
})

describe('the address of the logout page', () => {
  it('without a state after the logout has no such parameter', () => {
    const settings = parseConfig(CONFIG)
    const options = { isForced: false, returnUri: 'https://app.test/' }
    expect(logoutUrl(settings, { ...options, state: undefined })).not.toContain('state')
    expect(logoutUrl(settings, { ...options, state: 'Ab1Ab1' })).toContain('&state=Ab1Ab1')
  })
})
