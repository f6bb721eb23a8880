// The four hooks: which names count, what they are given, and that no hook can stop, break or spy on a session (F37).
import { describe, expect, it } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import type { HookName } from '../../../src/protocol/eventHooks.ts'
import { createScene, startScene, tokenBodies } from './sessionScene.ts'

const NAMES: readonly HookName[] = ['afterLogin', 'beforeLogout', 'uniqueSessionTrigger', 'afterRefreshToken']
const FIRED: readonly HookName[] = ['afterLogin', 'beforeLogout', 'afterRefreshToken']

/** A session that signs in, renews and logs out, with one hook set. */
async function live(name: HookName, hook: (event: unknown) => unknown) {
  const scene = createScene({ config: { hooks: { [name]: hook } } })
  void scene.auth.start()
  await scene.host.settle()
  const status = scene.auth.getState().status
  await scene.auth.renew({ force: true })
  await scene.host.settle()
  const leaving = scene.auth.logout()
  await scene.host.clock.advance(5000)
  await leaving
  return { ...scene, status }
}

describe('the name of a hook', () => {
  it.each(NAMES)('%s is known', (name) => {
    expect(() => createScene().auth.setHook(name, () => {})).not.toThrow()
  })

  it.each([
    '',
    'afterlogin',
    'AfterLogin',
    'onLogin',
    'toString',
    '__proto__',
    'constructor',
    ' afterLogin',
    'uniqueSession',
  ])('%j is unsupported', (name) => {
    const set = () => createScene().auth.setHook(name as HookName, () => {})
    expect(set).toThrow(AuthError)
    expect(set).toThrow(
      expect.objectContaining({ code: 'unsupported-hook', message: `Unsupported hook: ${name}` }),
    )
  })

  it.each<[unknown]>([[undefined], [null], [7], [{}]])('%o is unsupported too', (name) => {
    expect(() => createScene().auth.setHook(name as HookName, () => {})).toThrow('Unsupported hook: ')
  })
})

describe('a hook', () => {
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'run'],
    ['a number', 1],
    ['an object', {}],
    ['an object with call', { call() {} }],
    ['a list of functions', [() => {}]],
    ['a promise', Promise.resolve(() => {})],
  ])('that is %s is refused with its exact text', (_what, hook) => {
    const set = () => createScene().auth.setHook('afterLogin', hook as never)
    expect(set).toThrow(
      expect.objectContaining({ code: 'invalid-hook', message: 'hook must be a function: afterLogin' }),
    )
  })

  it('can be set before start-up and is called', async () => {
    const scene = createScene()
    const seen: unknown[] = []
    scene.auth.setHook('afterLogin', (event) => seen.push(event))
    void scene.auth.start()
    await scene.host.settle()
    expect(seen).toMatchObject([{ user: { userId: 'alice', firmId: 'f1', sessionId: 's1' }, via: 'silent' }])
  })

  it('replaces the one before, and puts it back when it is taken away', async () => {
    const { host, auth } = await startScene()
    const calls: string[] = []
    auth.setHook('afterRefreshToken', () => calls.push('first'))
    const remove = auth.setHook('afterRefreshToken', () => calls.push('second'))
    await auth.renew({ force: true })
    remove()
    await auth.renew({ force: true })
    await host.settle()
    expect(calls).toEqual(['second', 'first'])
  })

  it('taken away twice, or after another one was set, takes nothing else away', async () => {
    const { host, auth } = await startScene()
    const calls: string[] = []
    const remove = auth.setHook('afterRefreshToken', () => calls.push('first'))
    auth.setHook('afterRefreshToken', () => calls.push('second'))
    remove()
    remove()
    await auth.renew({ force: true })
    await host.settle()
    expect(calls).toEqual(['second'])
  })

  it('once taken away never comes back, in whatever order they go', async () => {
    const { host, auth } = await startScene({
      config: { hooks: { afterRefreshToken: () => calls.push('config') } },
    })
    const calls: string[] = []
    const removeFirst = auth.setHook('afterRefreshToken', () => calls.push('first'))
    const removeSecond = auth.setHook('afterRefreshToken', () => calls.push('second'))
    removeFirst()
    await auth.renew({ force: true })
    removeSecond()
    await auth.renew({ force: true })
    await host.settle()
    expect(calls).toEqual(['second', 'config'])
  })

  it('set twice as the same function is there until both are taken away', async () => {
    const { host, auth } = await startScene()
    const calls: string[] = []
    const hook = () => calls.push('called')
    const removeFirst = auth.setHook('afterRefreshToken', hook)
    const removeSecond = auth.setHook('afterRefreshToken', hook)
    removeFirst()
    removeFirst()
    await auth.renew({ force: true })
    removeSecond()
    await auth.renew({ force: true })
    await host.settle()
    expect(calls).toEqual(['called'])
  })
})

describe.each(FIRED)('%s', (name) => {
  it.each<[string, () => unknown]>([
    ['returns nothing', () => {}],
    [
      'throws',
      () => {
        throw new Error('of the app')
      },
    ],
    [
      'throws nothing',
      () => {
        // eslint-disable-next-line typescript/only-throw-error
        throw undefined
      },
    ],
    ['rejects', () => Promise.reject(new Error('of the app'))],
    ['never ends', () => new Promise(() => {})],
  ])('that %s stops nothing: the user signs in, renews and signs out', async (_what, hook) => {
    const { host, status } = await live(name, hook)
    expect(status).toBe('authenticated')
    expect(tokenBodies(host).map((body) => body['grant_type'])).toEqual([
      'authorization_code',
      'refresh_token',
    ])
    expect(host.navigations).toHaveLength(1)
    expect(host.navigations[0]).toContain('/oauth/logout?')
  })

  it('that fails is reported once, with the error of the app and nothing else', async () => {
    const cause = new Error('of the app')
    const { host } = await live(name, () => {
      throw cause
    })
    expect(host.warnings).toEqual([{ message: `The ${name} hook failed`, cause }])
  })

  it('is given no token, code or verifier', async () => {
    const seen: unknown[] = []
    const { host } = await live(name, (event) =>
      seen.push(structuredClone({ ...(event as object), user: undefined }), (event as { user: object }).user),
    )
    expect(seen.length).toBeGreaterThan(0)
    const text = JSON.stringify(seen)
    expect(text).not.toMatch(/eyJ|refresh-|code-/)
    for (const body of tokenBodies(host)) expect(text).not.toContain(body['code_verifier'])
  })

  it('cannot change who is signed in by changing what it was given', async () => {
    const attempts: unknown[] = []
    const scene = await startScene({
      config: {
        hooks: {
          [name]: (event: { user: { userId: string } }) => {
            attempts.push(
              Reflect.set(event, 'user', { userId: 'mallory' }),
              Reflect.set(event.user, 'userId', 'mallory'),
            )
          },
        },
      },
    })
    await scene.auth.renew({ force: true })
    await scene.host.settle()
    expect(scene.auth.getState()).toMatchObject({ user: { userId: 'alice' } })
    await scene.auth.logout()
    expect(attempts).toEqual(expect.arrayContaining([false, false]))
    expect(attempts).not.toContain(true)
  })
})

describe('a hook that calls back into the session', () => {
  it('afterLogin that logs out does so, once', async () => {
    const { host, auth } = createScene()
    auth.setHook('afterLogin', () => auth.logout())
    void auth.start()
    await host.settle()
    expect(host.navigations).toHaveLength(1)
    expect(auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  })

  it('afterLogin that renews does so, once', async () => {
    const { host, auth } = createScene()
    auth.setHook('afterLogin', () => auth.renew({ force: true }))
    void auth.start()
    await host.settle()
    expect(tokenBodies(host).map((body) => body['grant_type'])).toEqual([
      'authorization_code',
      'refresh_token',
    ])
  })

  it('afterRefreshToken that asks for a token gets the new one and starts no circle', async () => {
    const got: string[] = []
    const { host, auth } = await startScene({
      config: { hooks: { afterRefreshToken: async () => void got.push(await auth.getAccessToken()) } },
    })
    await auth.renew({ force: true })
    await host.settle()
    expect(got).toEqual([await auth.getAccessToken()])
    expect(tokenBodies(host)).toHaveLength(2)
  })

  it('beforeLogout can still call the server with the token', async () => {
    const { host, auth } = await startScene({
      config: { hooks: { beforeLogout: async () => void (await auth.getAccessToken()) } },
    })
    await auth.logout()
    expect(host.warnings).toEqual([])
  })
})

describe('afterLogin', () => {
  it('fires once per sign-in, not for renewals', async () => {
    let calls = 0
    const { host, auth } = await startScene({ config: { hooks: { afterLogin: () => (calls += 1) } } })
    await auth.renew({ force: true })
    await auth.renew({ force: true })
    await host.settle()
    expect(calls).toBe(1)
  })

  it('does not fire when nobody signed in', async () => {
    let calls = 0
    await startScene({ config: { hooks: { afterLogin: () => (calls += 1) } }, server: { user: undefined } })
    expect(calls).toBe(0)
  })
})
