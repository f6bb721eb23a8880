// A token in the address or in initToken, and a session handed on by hand: once, to the right place, never with the token itself.
import { AuthError } from '../../../src/base/errors.ts'
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { internalsOf } from '../../../src/session/internals.ts'
import { passthroughMutation, type PassthroughOptions } from '../../../src/queries/passthrough.ts'
import { createFakeStorage } from '../../../src/testing/fakeStorage.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'
import { createAccessToken, createClaims, createJwt } from '../../../src/testing/tokens.ts'
import { bypasses } from '../signIn/bypasses.ts'
import {
  createScene,
  APP,
  nextPage,
  type Scene,
  type SceneOptions,
  startScene,
  stepsOfPage,
} from '../session/sessionScene.ts'
import { createTabWorld, startTabs } from '../tabs/tabsScene.ts'
import { handOverAddress } from '../../../src/protocol/passthrough.ts'
import { takeToken } from '../../../src/protocol/passthrough.ts'

const token = (claims: object) => createJwt({ ...createClaims(), ...claims })

const TOKEN = createAccessToken({ userId: 'bob', jti: 'jti-of-bob' })
const past = FAKE_START_MS / 1000 - 10_000
const EXPIRED = createAccessToken({ jti: 'jti-old', iat: past, exp: past + 600 })
const nobody = { server: { user: undefined } }
const steps = ({ auth }: Scene) =>
  stepsOfPage(auth).map(({ step, outcome, detail }) => `${step}: ${outcome}${detail ? `, ${detail}` : ''}`)
const target = ({ host }: Scene) => {
  const { origin, pathname, searchParams } = new URL(host.navigations.at(-1) ?? 'none:')
  return { page: origin + pathname, ...Object.fromEntries(searchParams) }
}

describe('a token in the address', () => {
  it('leaves it at once and goes to the passthrough page as its jti, with the clean address to come back to', async () => {
    const scene = await startScene({ address: `${APP}firms?x=%20a+b&token=${TOKEN}&y#/r`, ...nobody })
    expect(scene.host.address).toBe(`${APP}firms?x=%20a+b&y#/r`)
    expect(target(scene)).toEqual({
      page: 'https://auth.test/oauth/passthrough',
      jti: 'jti-of-bob',
      redirect: `${APP}firms?x=%20a+b&y#/r`,
    })
    expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'passthrough' })
  })

  it('is not lost when start-up fails: it goes on with the retry, from the clean address', async () => {
    const scene = createScene({ address: `${APP}files?token=${TOKEN}&keep=1`, server: { user: undefined } })
    scene.host.setOnline(false)
    void scene.auth.start()
    await scene.host.settle()
    expect(scene.auth.getState().status).toBe('failed')
    expect(scene.host.address).toBe(`${APP}files?keep=1`)
    scene.host.setOnline(true)
    await scene.host.clock.advance(1000)
    expect(scene.host.navigations).toHaveLength(1)
    const address = new URL(scene.host.navigations[0] ?? '')
    expect([address.pathname, address.searchParams.get('jti')]).toEqual(['/oauth/passthrough', 'jti-of-bob'])
    expect(address.searchParams.get('redirect')).toBe(`${APP}files?keep=1`)
  })

  it('is forgotten when start-up fails and a response of the server is in the address by the next time', async () => {
    const scene = createScene({ address: `${APP}files?token=${TOKEN}`, ...nobody })
    scene.host.setOnline(false)
    void scene.auth.start()
    await scene.host.settle()
    expect(scene.auth.getState().status).toBe('failed')
    // The response to a sign-in that nobody waits for any more.
    const record = { authHost: 'https://auth.test', returnTo: '/files', createdAtMs: 1, isOver: true }
    scene.host.sessionStorage.set(
      'latchkey https://auth.test admin tab',
      JSON.stringify({ attempts: { ABC123: record }, marks: [], navigations: [] }),
    )
    scene.host.platform.replaceAddress('/?code=late&state=ABC123')
    scene.host.setOnline(true)
    await scene.host.clock.advance(1000)
    expect(scene.host.address).toBe(`${APP}files`)
    expect(target(scene).page).toBe('https://auth.test/oauth/authorize')
  })

  it('is forgotten once start-up has ended: a later start knows nothing of it', async () => {
    const scene = await startScene({ address: `${APP}?token=${TOKEN}`, config: { autoLogin: false } })
    expect(scene.auth.getState().status).toBe('authenticated')
    scene.auth.dispose()
    scene.server.user = undefined
    void scene.auth.start()
    await scene.host.clock.advance(3000)
    expect(scene.auth.getState().status).toBe('unauthenticated')
    expect(scene.host.navigations).toEqual([])
  })

  it('is passed through when automatic sign-in is off', async () => {
    const scene = await startScene({
      address: `${APP}?jwt=${TOKEN}`,
      config: { autoLogin: false },
      ...nobody,
    })
    expect(target(scene)).toMatchObject({ jti: 'jti-of-bob' })
  })

  it('names an address to come back to without a token of another product, and without a code that nobody here asked for', async () => {
    const foreign = createAccessToken({ aud: 'payroll' })
    const scene = await startScene({
      address: `${APP}firms?x=%20a&access_token=${foreign}&token=${TOKEN}&code=c-1&state=Ab12Cd#/r`,
      ...nobody,
    })
    expect(target(scene)).toMatchObject({ jti: 'jti-of-bob', redirect: `${APP}firms?x=%20a#/r` })
    expect(scene.host.address).toContain(foreign)
  })

  it('gives way to a session, and explain() says that it was for another user', async () => {
    const scene = await startScene({ address: `${APP}?token=${TOKEN}&keep=1` })
    expect(scene.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    expect(scene.host.address).toBe(`${APP}?keep=1`)
    expect(scene.host.navigations).toEqual([])
    expect(steps(scene)).toContain(
      'token in the address: skipped, there is a session already; the token was for another user',
    )
  })

  it('that was for another user is in explain() and told once, also to a toaster that takes it at once', async () => {
    const scene = createScene({ address: `${APP}?token=${TOKEN}` })
    const { takeOtherUsersLink } = internalsOf(scene.auth)
    let toldCount = 0
    scene.auth.subscribe(() => {
      if (takeOtherUsersLink()) toldCount += 1
    })
    void scene.auth.start()
    await scene.host.settle()
    expect(toldCount).toBe(1)
    expect(steps(scene)).toContain(
      'token in the address: skipped, there is a session already; the token was for another user',
    )
  })

  it('gives way to a session of the same user without a word about another', async () => {
    const scene = await startScene({ address: `${APP}?token=${createAccessToken()}` })
    expect(steps(scene)).toContain('token in the address: skipped, there is a session already')
  })

  it.each([
    ['two of them', `${APP}?token=${TOKEN}&auth=${createAccessToken()}`, 'there are several'],
    ['the same one twice', `${APP}?token=${TOKEN}&token=${TOKEN}`, 'there are several'],
    ['one that has expired', `${APP}?token=${EXPIRED}`, 'it has expired, or has no jti'],
    ['one without a jti', `${APP}?token=${createAccessToken({ jti: '' })}`, 'it has expired, or has no jti'],
  ])('goes out of the address unused: %s', async (_which, address, why) => {
    const scene = await startScene({ address, config: { autoLogin: false }, ...nobody })
    expect(scene.host.address).toBe(APP)
    expect(scene.host.navigations).toEqual([])
    expect(steps(scene)).toContain(`token in the address: skipped, ${why}`)
    expect(scene.auth.getState().status).toBe('unauthenticated')
  })

  it('for another product stays where it is, and the user signs in as usual', async () => {
    const address = `${APP}?token=${createAccessToken({ aud: 'payroll' })}`
    const scene = await startScene({ address, ...nobody })
    expect(scene.host.address).toBe(address)
    expect(target(scene).page).toBe('https://auth.test/oauth/authorize')
  })

  it('is for the audience that the config names', async () => {
    const address = `${APP}?token=${createAccessToken({ aud: 'suite', jti: 'j' })}`
    const scene = await startScene({ address, config: { audience: 'suite' }, ...nobody })
    expect(target(scene)).toMatchObject({ jti: 'j' })
  })

  it.each(['denied', 'throws', 'full'] as const)(
    'is not passed through when the mark cannot be kept: storage %s',
    async (fault) => {
      const sessionStorage = createFakeStorage()
      sessionStorage.fault = fault
      const scene = await startScene({
        address: `${APP}?token=${TOKEN}`,
        config: { autoLogin: false },
        host: { sessionStorage },
        ...nobody,
      })
      expect(scene.host.navigations).toEqual([])
      expect(scene.host.address).toBe(APP)
      expect(steps(scene)).toContain(
        'token in the address: skipped, this browser cannot remember that it was tried',
      )
    },
  )

  it('leaves the mark before it goes, one however often it happens', async () => {
    const first = await startScene({ address: `${APP}?token=${TOKEN}`, ...nobody })
    const second = nextPage(first, `${APP}?token=${TOKEN}`)
    void second.auth.start()
    await second.host.settle()
    const { marks } = JSON.parse(
      second.host.sessionStorage.entries()['latchkey https://auth.test admin tab'] ?? '{}',
    )
    expect(marks).toEqual(['passthrough'])
    expect(second.host.navigations).toHaveLength(1)
  })

  it('does not lose the state to the back button: the user did not want to leave', async () => {
    const { host, auth } = await startScene({ address: `${APP}?token=${TOKEN}`, ...nobody })
    host.emit('restored')
    await host.settle()
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'cancelled' })
  })
})

describe('initToken', () => {
  const withToken = (more: SceneOptions = {}): SceneOptions => ({
    config: { initToken: TOKEN, autoLogin: false },
    ...nobody,
    ...more,
  })

  it('is passed through once in a browser session', async () => {
    const first = await startScene(withToken())
    expect(target(first)).toMatchObject({ jti: 'jti-of-bob', redirect: APP })
    const second = nextPage(first, APP, withToken())
    void second.auth.start()
    await second.host.settle()
    expect(second.host.navigations).toEqual([])
    expect(second.auth.getState().status).toBe('unauthenticated')
    expect(steps(second)).toContain('initToken: skipped, it was tried before in this browser session')
  })

  it('is not tried while somebody is signed in, and is still there for later', async () => {
    const first = await startScene({ config: { initToken: TOKEN } })
    expect(first.host.navigations).toEqual([])
    first.server.user = undefined
    const second = nextPage(first, APP, withToken())
    void second.auth.start()
    await second.host.settle()
    expect(second.host.navigations).toHaveLength(1)
  })

  it('is not tried when the mark cannot be kept', async () => {
    const sessionStorage = createFakeStorage()
    sessionStorage.fault = 'denied'
    const scene = await startScene(withToken({ host: { sessionStorage } }))
    expect(scene.host.navigations).toEqual([])
    expect(steps(scene)).toContain('initToken: skipped, this browser cannot remember that it was tried')
  })

  it.each([
    ['another app of the firm', { aud: 'payroll' }],
    ['several apps', { aud: ['payroll', 'suite'] }],
    ['nobody by name', { aud: undefined }],
  ])('belongs to another app of the firm: its audience may be %s', async (_whose, more) => {
    const initToken = createAccessToken({ jti: 'jti-of-payroll', ...more } as never)
    const scene = await startScene(withToken({ config: { initToken, autoLogin: false } }))
    expect(target(scene)).toEqual({
      page: 'https://auth.test/oauth/passthrough',
      jti: 'jti-of-payroll',
      redirect: APP,
    })
    expect(steps(scene)).toContain('initToken: started, to the passthrough page')
  })

  it.each([
    ['has expired', EXPIRED, 'it has expired'],
    ['names no firm', createAccessToken({ firmId: undefined } as never), 'it names no firm'],
    ['has no jti', createAccessToken({ jti: undefined } as never), 'it has no jti'],
    ['is no token', 'hello', 'it is no token, or names no user'],
    ['is empty', '', 'it is no token, or names no user'],
    ['is a megabyte', `${'e'.repeat(1_000_000)}.e.e`, 'it is no token, or names no user'],
    ['names no user', 'eyJhbGciOiJub25lIn0.e30.x', 'it is no token, or names no user'],
  ])('is passed over when it %s, and explain() says so', async (_which, initToken, why) => {
    const scene = await startScene(withToken({ config: { initToken, autoLogin: false } }))
    expect(scene.host.navigations).toEqual([])
    expect(steps(scene).filter((step) => step.startsWith('initToken'))).toEqual([
      `initToken: skipped, ${why}`,
    ])
  })

  it('is not tried beside a session, in a cancelled sign-in, after a logout or a failure, and explain() says so', async () => {
    const config = { initToken: TOKEN, autoLogin: false }
    const whyNot = (scene: Scene) => steps(scene).filter((step) => step.startsWith('initToken'))
    const signedIn = await startScene({ config })
    expect(whyNot(signedIn)).toEqual(['initToken: skipped, there is a session already'])

    const unreachable = createScene({ config, server: { user: undefined } })
    unreachable.host.setOnline(false)
    void unreachable.auth.start()
    await unreachable.host.settle()
    expect(whyNot(unreachable)).toEqual(['initToken: skipped, start-up failed before it'])

    const both = await startScene(withToken({ address: `${APP}?jwt=${createAccessToken({ jti: 'first' })}` }))
    expect(whyNot(both)).toEqual(['initToken: skipped, a token in the address came first'])

    const returning = async (answer: (state: string) => string) => {
      const left = await startScene({ ...nobody })
      const state = new URL(left.host.navigations[0] ?? '').searchParams.get('state')!
      const back = nextPage(left, APP + answer(state), withToken())
      void back.auth.start()
      await back.host.settle()
      return whyNot(back)
    }
    expect(await returning((state) => `?error=access_denied&state=${state}`)).toEqual([
      'initToken: skipped, the sign-in was cancelled',
    ])
    expect(await returning((state) => `?error=server_error&state=${state}`)).toEqual([
      'initToken: skipped, start-up failed before it',
    ])

    await signedIn.auth.logout()
    const logout = new URL(signedIn.host.navigations[0] ?? '')
    const out = nextPage(signedIn, `${APP}?state=${logout.searchParams.get('state')}`, withToken())
    void out.auth.start()
    await out.host.settle()
    expect(whyNot(out)).toEqual(['initToken: skipped, the session has just ended'])
  })

  it('is not spent by the limit of automatic redirects: a later page of the session tries it', async () => {
    const first = await startScene(withToken({ config: { autoLogin: false } }))
    const { sessionStorage } = first.host
    const spend = [1, 2, 3].map((ago) => FAKE_START_MS - ago)
    sessionStorage.set(
      'latchkey https://auth.test admin tab',
      JSON.stringify({ attempts: {}, marks: [], navigations: spend }),
    )
    const limited = nextPage(first, APP, withToken())
    void limited.auth.start()
    await limited.host.settle()
    expect(limited.auth.getState()).toMatchObject({ status: 'failed', error: { code: 'redirect-loop' } })
    expect(steps(limited).find((step) => step.startsWith('initToken'))).toMatch(/^initToken: failed, /)
    await limited.host.clock.advance(61_000)
    const later = nextPage(limited, APP, withToken())
    void later.auth.start()
    await later.host.settle()
    expect(target(later)).toMatchObject({ jti: 'jti-of-bob' })
  })

  it('comes after a token in the address, and still counts when that one is of no use', async () => {
    const both = await startScene(withToken({ address: `${APP}?jwt=${createAccessToken({ jti: 'first' })}` }))
    expect(target(both)).toMatchObject({ jti: 'first' })
    const useless = await startScene(withToken({ address: `${APP}?jwt=${EXPIRED}` }))
    expect(target(useless)).toMatchObject({ jti: 'jti-of-bob', redirect: APP })
  })
})

describe('handing the session on by hand', () => {
  const origins = ['https://payroll.firm.test']
  const handOn = async (
    { auth, host }: Scene,
    redirect: unknown,
    options: PassthroughOptions = { origins },
  ) => {
    const observer = new MutationObserver(new QueryClient(), passthroughMutation(auth, options))
    const outcome = observer.mutate({ redirect } as never).then(
      () => 'left',
      (error: unknown) => (error instanceof AuthError ? error.code : 'another error'),
    )
    await host.settle()
    return outcome
  }

  it.each([
    ['https://payroll.firm.test/runs/7?x=%20a&y#/z', 'https://payroll.firm.test/runs/7?x=%20a&y#/z'],
    ['https://payroll.firm.test', 'https://payroll.firm.test/'],
    ['/firms/7?a=b', 'https://app.test/firms/7?a=b'],
    ['https://app.test/x', 'https://app.test/x'],
    [`/x?token=${TOKEN}&a=1`, 'https://app.test/x?a=1'],
  ])('leaves for %s', async (redirect, expected) => {
    const scene = await startScene()
    expect(await handOn(scene, redirect)).toBe('left')
    expect(target(scene)).toEqual({
      page: 'https://auth.test/oauth/passthrough',
      // Not that of the sign-in, which another tab may have handed on.
      jti: 'jti-5',
      redirect: expected,
    })
    expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'passthrough' })
    expect(scene.host.sessionStorage.entries()['latchkey https://auth.test admin tab']).toContain(
      '"marks":["passthrough"]',
    )
  })

  it('stays signed in when the user comes back, and hands on a fresh jti the next time', async () => {
    const scene = await startScene()
    await handOn(scene, '/a')
    scene.host.emit('restored')
    await scene.host.settle()
    expect(scene.auth.getState()).toMatchObject({ status: 'authenticated' })
    expect(await handOn(scene, '/b')).toBe('left')
    expect(target(scene)).toMatchObject({ jti: 'jti-7', redirect: 'https://app.test/b' })
  })

  it('goes once for two clicks: a jti works once', async () => {
    const scene = await startScene()
    expect(await Promise.all([handOn(scene, '/a'), handOn(scene, '/a')])).toEqual(['left', 'left'])
    expect(scene.host.navigations).toHaveLength(1)
    expect(target(scene)).toMatchObject({ redirect: 'https://app.test/a' })
  })

  it('leads to the second target when another one is clicked before the browser leaves', async () => {
    const scene = await startScene()
    expect(await Promise.all([handOn(scene, '/a'), handOn(scene, '/b')])).toEqual(['left', 'left'])
    expect(scene.host.navigations).toHaveLength(1)
    expect(target(scene)).toMatchObject({ redirect: 'https://app.test/b' })
  })

  it('refuses another address also while the browser is about to leave', async () => {
    const scene = await startScene()
    const first = handOn(scene, '/a')
    expect(await handOn(scene, 'https://elsewhere.test/')).toBe('redirect-refused')
    expect(await first).toBe('left')
  })

  it('never hands on a jti that another tab has handed on', async () => {
    const tabs = await startTabs(createTabWorld(), 2)
    for (const tab of tabs) expect(await handOn(tab, '/a')).toBe('left')
    expect(new Set(tabs.map((tab) => JSON.stringify(target(tab)))).size).toBe(2)
  })

  it('fails for who is not signed in, is offline, or has no storage', async () => {
    const signedOut = await startScene({ config: { autoLogin: false }, ...nobody })
    expect(await handOn(signedOut, '/a')).toBe('not-authenticated')
    const offline = await startScene()
    offline.host.setOnline(false)
    expect(await handOn(offline, '/a')).toBe('offline')
    const denied = await startScene()
    denied.host.sessionStorage.fault = 'denied'
    expect(await handOn(denied, '/a')).toBe('storage-unavailable')
    const noJti = await startScene({
      server: { user: { claims: { jti: undefined } as never, userInfo: {} } },
    })
    expect(await handOn(noJti, '/a')).toBe('invalid-access-token')
    for (const { host } of [signedOut, offline, denied, noJti]) expect(host.navigations).toEqual([])
  })

  it('refuses origins that are none', async () => {
    const scene = await startScene()
    expect(await handOn(scene, '/a', { origins: ['https://payroll.firm.test/path'] })).toBe(
      'invalid-argument',
    )
  })

  it(`goes nowhere else, whatever the address looks like: ${bypasses.length} of them`, async () => {
    expect(bypasses.length).toBeGreaterThanOrEqual(150)
    expect(new Set(bypasses).size).toBe(bypasses.length)
    const scene = await startScene()
    const own = ['https://app.test', ...origins]
    const led: unknown[] = []
    for (const redirect of bypasses) {
      const outcome = await handOn(scene, redirect)
      if (outcome === 'redirect-refused') continue
      const where = target(scene) as { page: string; redirect?: string }
      // What is not refused has to be an address of ours, in the words of a browser and of a plain reader.
      const isOurs =
        where.page === 'https://auth.test/oauth/passthrough' &&
        own.some((origin) => where.redirect?.startsWith(`${origin}/`))
      if (!isOurs) led.push([redirect, outcome, where])
      scene.host.emit('restored')
      await scene.host.settle()
    }
    expect(led).toEqual([])
  })
})

describe('the address of a passthrough', () => {
  it.each(['access_token', 'auth', 'authToken', 'token', 'jwt'])('may carry its token as %s', (name) => {
    const own = token({ jti: 'j1', aud: 'admin', firmId: 'f1', exp: 2_000_000_000 })
    const taken = takeToken(`https://app.test/?${name}=${own}`, { audience: 'admin' }, 0)
    expect(taken).toMatchObject({ count: 1, jti: 'j1', address: 'https://app.test/' })
  })

  it('of any of the origins that were named may be handed to', () => {
    const options = { address: 'https://app.test/', origins: ['https://one.test', 'https://two.test'] }
    expect(handOverAddress('https://two.test/x', options)).toBe('https://two.test/x')
  })

  it.each(['//two.test/x', 'HTTPS://two.test/x', 'https://TWO.test/x'])(
    'of another origin is spelled as the origin was: %s is refused',
    (redirect) => {
      const options = { address: 'https://app.test/', origins: ['https://two.test'] }
      expect(() => handOverAddress(redirect, options)).toThrow(
        expect.objectContaining({ code: 'redirect-refused' }),
      )
    },
  )
})
