// What an app reads from its tokens for itself: on `user` in every state and event, frozen, and never a reason to lose a session.
import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import type { AuthState } from '../../../src/session/state.ts'
import { addAppClaims } from '../../../src/protocol/appClaims.ts'
import { createClaims } from '../../../src/testing/tokens.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createScene, nextPage, startScene, type SceneOptions } from '../session/sessionScene.ts'
import { throwing } from '../thrownError.ts'

type Read = NonNullable<AuthConfig['claims']>

const ROLES = ['admin', 'agent']
/** The same in both tokens of the fake server. */
const readRoles: Read = (token, accessToken) => ({ roles: (accessToken ?? token)['roles'] })

const withRoles = (claims: Read, options: SceneOptions = {}): SceneOptions => ({
  server: { user: createFakeUser({ roles: ROLES }) },
  ...options,
  config: { claims, ...options.config },
})
const userOf = (state: AuthState) => {
  if (state.status !== 'authenticated') throw new Error(JSON.stringify(state))
  return state.user as unknown as Record<string, unknown>
}

describe('claims', () => {
  it('stand on the user beside the ids, as a frozen copy', async () => {
    const own = { roles: ROLES, team: { name: 'Berlin', floors: [1, 2] } }
    const { auth } = await startScene(withRoles(() => own))
    const user = userOf(auth.getState())
    expect(user).toMatchObject({ userId: 'alice', firmId: 'f1', ...own })
    expect([user, user['roles'], user['team'], Object(user['team'])['floors']].every(Object.isFrozen)).toBe(
      true,
    )
    expect([own, ROLES, own.team].some(Object.isFrozen)).toBe(false)
  })

  it('are read from the members of the token, and stand in every hook', async () => {
    const heard: unknown[] = []
    const { auth, host } = await startScene(
      withRoles(readRoles, {
        config: {
          hooks: {
            afterLogin: ({ user }) => heard.push(Object(user).roles),
            afterRefreshToken: ({ user }) => heard.push(Object(user).roles),
            beforeLogout: ({ user }) => heard.push(Object(user).roles),
          },
        },
      }),
    )
    await host.clock.advance(0)
    await auth.renew({ force: true })
    await auth.logout()
    expect(heard).toEqual([ROLES, ROLES, ROLES])
  })

  it('that are equal after a renewal leave the state as it is; that differ make a new one, of the same session', async () => {
    let roles = ROLES
    const { auth, host } = await startScene(withRoles(() => ({ roles: [...roles] })))
    const before = auth.getState()
    await auth.renew({ force: true })
    expect(auth.getState()).toBe(before)

    const states: AuthState[] = []
    auth.subscribe(() => states.push(auth.getState()))
    roles = ['agent']
    await auth.renew({ force: true })
    expect(new Set(states).size).toBe(1)
    expect(userOf(auth.getState())).toEqual({ ...userOf(before), roles: ['agent'] })
    expect(host.navigations).toEqual([])
  })

  it('are read in a tab that takes the session over, too', async () => {
    const first = await startScene(withRoles(readRoles))
    const second = createScene(withRoles(readRoles, { host: { browser: first.host.browser } }))
    void second.auth.start()
    await first.host.clock.advance(2000)
    expect(userOf(second.auth.getState())['roles']).toEqual(ROLES)
    expect(second.host.requests).toEqual([])
  })

  it('are read again on the next page', async () => {
    const first = await startScene(withRoles(readRoles))
    const next = nextPage(first, 'https://app.test/', withRoles(readRoles))
    void next.auth.start()
    await next.host.settle()
    expect(userOf(next.auth.getState())['roles']).toEqual(ROLES)
  })
})

it('claims are whatever JSON has', () => {
  const own = { manager: null, floors: [1, null, ['a']], isAdmin: false, team: { name: '' } }
  expect(addAppClaims(createClaims(), () => own)).toEqual({ ...createClaims(), ...own })
})

describe('a function claims that is wrong', () => {
  const refusals: [string, () => unknown, string][] = [
    ['throws', throwing(new Error('no role for this app')), 'no role for this app'],
    ['throws a text', throwing('no'), 'the function threw'],
    ['returns nothing', () => undefined, 'the function must return an object'],
    ['returns a list', () => ['admin'], 'the function must return an object'],
    ['is asynchronous', async () => ({ roles: [] }), 'it must be plain data, as JSON has it'],
    ['returns a set', () => ({ roles: new Set() }), 'it must be plain data, as JSON has it'],
    ['returns a function', () => ({ can: () => true }), 'it must be plain data, as JSON has it'],
    ['names another user', () => ({ userId: 'bob' }), "userId is latchkey's own"],
    ['says when the token expires', () => ({ exp: 1 }), "exp is latchkey's own"],
    ['names two of them', () => ({ aud: 'x', exp: 1 }), "aud is latchkey's own"],
  ]
  it.each(refusals)('%s: refuses the sign-in and says so', async (_, claims, message) => {
    const { auth } = await startScene(withRoles(claims as Read))
    expect(auth.getState()).toMatchObject({
      status: 'failed',
      error: {
        code: 'invalid-claims',
        message: `claims: ${message}`,
        remedy: 'Correct the function claims.',
      },
    })
  })

  it('refuses nobody in vain: the same page signs in once it is mended by the server', async () => {
    let isBroken = true
    const { auth, host } = await startScene(
      withRoles((token) => {
        if (isBroken) throw new Error('no role')
        return readRoles(token, undefined)
      }),
    )
    isBroken = false
    const state = auth.getState()
    if (state.status === 'failed') state.retry()
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
  })

  it('at a renewal costs nobody the session: the claims of before stay, and explain() says why', async () => {
    let isBroken = false
    const { auth, server } = await startScene(
      withRoles((token, accessToken) => {
        if (isBroken) throw new Error('no role any more')
        return readRoles(token, accessToken)
      }),
    )
    isBroken = true
    server.user = createFakeUser({ roles: ['agent'] })
    await auth.renew({ force: true })
    expect(userOf(auth.getState())['roles']).toEqual(ROLES)
    expect(auth.explain().some(({ detail }) => detail === 'claims: no role any more')).toBe(true)
  })

  it('must be a function', () => {
    expect(() => createScene({ config: { claims: 'roles' as unknown as Read } })).toThrow(
      expect.objectContaining({ code: 'invalid-config', message: expect.stringContaining('claims') }),
    )
  })
})
