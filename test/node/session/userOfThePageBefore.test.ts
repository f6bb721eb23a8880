// A page that left for the server with a user, and what the next page of the tab does for whoever comes back.
import { describe, expect, it } from 'vitest'
import type { GoneUser } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP, CONFIG, nextPage, type Scene, type SceneOptions, startScene } from './sessionScene.ts'

const OFF = { config: { autoLogin: false } }
const alice = { userId: 'alice', firmId: 'f1', impersonatorId: undefined }

type Page = Scene & { told: GoneUser[]; seen: string[] }

/** Keeps what the app is told, and who was to be seen then. */
function listen(scene: Scene): Page {
  const told: GoneUser[] = []
  const seen: string[] = []
  scene.auth.onUserGone((user) => {
    told.push({ ...user })
    seen.push(scene.auth.getState().status)
  })
  return { ...scene, told, seen }
}
const open = async () => listen(await startScene(OFF))

/** The next page of the tab. */
async function openNext(before: Scene, address: string, options: SceneOptions = OFF): Promise<Page> {
  const page = listen(nextPage(before, address, options))
  void page.auth.start()
  await page.host.settle()
  return page
}
const leftFor = ({ host }: Scene) => host.navigations.at(-1) ?? ''
/** The server sends the browser back, with a code for whoever has signed in. */
const comeBack = async (before: Scene, userId: string, options = OFF) => {
  before.server.user = createFakeUser({ userId })
  return openNext(before, before.server.callbackOf(leftFor(before)), options)
}
/** They turn back on the sign-in page. */
const turnBack = async (before: Scene, userId?: string) => {
  before.server.user = userId === undefined ? undefined : createFakeUser({ userId })
  const state = new URL(leftFor(before)).searchParams.get('state')
  return openNext(before, `${APP}?error=access_denied&state=${state}`)
}
const logIn = async (page: Scene) => {
  void page.auth.login()
  await page.host.settle()
}
const stepUp = async (page: Scene) => {
  void page.auth.stepUp(stepUpRequired({ maxAgeInSeconds: 60 })).catch(() => {})
  await page.host.settle()
}
const userOf = ({ auth }: Scene) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? state.user.userId : state.status
}
const stored = ({ host }: Scene) => JSON.stringify(host.sessionStorage.entries())

describe('a page that left with a user', () => {
  it('for a sign-in that another one made tells stores of the app who has gone, before the next state shows', async () => {
    const page = await open()
    await logIn(page)
    const back = await comeBack(page, 'bob')
    expect(userOf(back)).toBe('bob')
    expect([back.told, back.seen]).toEqual([[alice], ['initializing']])
  })

  it('for a step-up that another one made says so at once, and once', async () => {
    const page = await open()
    await stepUp(page)
    const back = await comeBack(page, 'bob')
    expect(back.auth.getState()).toMatchObject({
      status: 'unauthenticated',
      cause: { code: 'identity-changed' },
    })
    expect([back.told, back.seen]).toEqual([[alice], ['initializing']])
    await logIn(back)
    const next = await comeBack(back, 'bob')
    expect([userOf(next), next.told]).toEqual(['bob', []])
  })

  it.each([
    ['sign-in', logIn],
    ['step-up', stepUp],
  ])('for a %s of the same user loses nothing', async (_what, leave) => {
    const page = await open()
    await leave(page)
    const back = await comeBack(page, 'alice')
    expect([userOf(back), back.told]).toEqual(['alice', []])
    expect(stored(back)).not.toContain('alice')
  })

  it('whose session had expired on a screen that waits for them is remembered', async () => {
    const page = await open()
    // A screen that keeps what was typed.
    internalsOf(page.auth).caches.attach({ clear() {}, isKept: () => true })
    const { token } = page.server
    page.server.user = undefined
    page.server.token = async () => ({ status: 400, body: { error: 'invalid_grant' } })
    await page.auth.renew({ force: true }).catch(() => {})
    expect(page.auth.getState()).toMatchObject({ reason: 'expired' })
    expect(page.told).toHaveLength(0)
    await logIn(page)
    page.server.token = token
    expect((await comeBack(page, 'bob')).told).toEqual([alice])
  })

  it('and is loaded anew in between still knows them', async () => {
    const page = await open()
    await logIn(page)
    page.server.user = undefined
    const reloaded = await openNext(page, APP)
    expect([userOf(reloaded), reloaded.told]).toEqual(['unauthenticated', []])
    const again = await openNext(reloaded, APP)
    await logIn(again)
    const back = await comeBack(again, 'bob')
    expect([userOf(back), back.told]).toEqual(['bob', [alice]])
  })

  it('and finds the session of another one when the user turned back', async () => {
    const page = await open()
    await stepUp(page)
    const back = await turnBack(page, 'bob')
    expect([userOf(back), back.told]).toEqual(['bob', [alice]])
  })

  it('and a sign-out in another tab meanwhile: whoever signs in next is compared all the same', async () => {
    const page = await open()
    await logIn(page)
    const other = createFakeHost(APP, { browser: page.host.browser, fetch: page.server.fetch })
    const elsewhere = createAuth({ ...CONFIG, ...OFF.config }, { platform: other.platform })
    void elsewhere.start()
    await other.clock.advance(5_000)
    void elsewhere.logout()
    await other.clock.advance(5_000)
    expect(elsewhere.getState().status).not.toBe('authenticated')
    other.close()
    const back = await comeBack(page, 'bob')
    expect([userOf(back), back.told]).toEqual(['bob', [alice]])
  })

  it('for the page that changes the password remembers them, too', async () => {
    const page = await open()
    await internalsOf(page.auth).leaveSignedIn('change-password', () => 'https://auth.test/password')
    page.server.user = createFakeUser({ userId: 'bob' })
    const back = await openNext(page, APP)
    expect([userOf(back), back.told]).toEqual(['bob', [alice]])
  })

  it('keeps their ids and nothing else of their token', async () => {
    const page = await open()
    await logIn(page)
    const [entry] = Object.values(page.host.sessionStorage.entries())
    expect(JSON.parse(String(entry))).toMatchObject({ user: { userId: 'alice', firmId: 'f1' } })
    const { user } = JSON.parse(String(entry)) as { user: object }
    expect(Object.keys(user).toSorted()).toEqual(['aud', 'firmId', 'userId'])
  })
})

describe('a page that left without a user', () => {
  it('tells nobody', async () => {
    const page = listen(await startScene({ ...OFF, server: { user: undefined } }))
    await logIn(page)
    expect(stored(page)).not.toContain('"user"')
    expect((await comeBack(page, 'bob')).told).toEqual([])
  })

  it.each([
    null,
    'alice',
    [],
    { userId: { toString: 'no' } },
    { userId: 'alice', firmId: [] },
    { firmId: 1 },
  ])('takes %j in its storage for nobody', async (user) => {
    const page = listen(await startScene({ ...OFF, server: { user: undefined } }))
    const key = Object.keys(page.host.sessionStorage.entries())[0] ?? 'latchkey https://auth.test admin tab'
    page.host.sessionStorage.set(key, JSON.stringify({ attempts: {}, user }))
    page.server.user = createFakeUser({ userId: 'bob' })
    const next = await openNext(page, APP)
    expect([userOf(next), next.told]).toEqual(['bob', []])
  })
})
