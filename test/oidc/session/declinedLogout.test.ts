// A provider asks on its logout page whether to sign out there too, and the user says no, or leaves: this app is signed out all the same.
import { expect, it } from 'vitest'
import { APP } from '../scene.ts'
import { follow, signedIn, signedInByClick, signedInTwice, start, wayBackFromLogout } from './sessionPages.ts'
import { createOidcScene, type OidcScene, type OidcSceneOptions, type Page } from './sessionScene.ts'

interface Left extends Page {
  scene: OidcScene
}

/** On the logout page. The provider keeps the user: nobody says yes. */
const atTheQuestion = async (options?: OidcSceneOptions): Promise<Left> => {
  const scene = createOidcScene(options)
  const page = await signedIn(scene)
  await page.auth.logout()
  await page.host.settle()
  expect(new URL(page.host.navigations.at(-1)!).pathname).toBe('/realms/staff/logout')
  return { ...page, scene }
}
/** The provider sends the browser back, as it does after a yes. */
const declined = async (options?: OidcSceneOptions): Promise<Left> => {
  const page = await atTheQuestion(options)
  const back = await follow(page.scene, page, wayBackFromLogout(page))
  expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  return { ...back, scene: page.scene }
}
const leave = async (options?: OidcSceneOptions): Promise<Left> => {
  const page = await atTheQuestion(options)
  return { ...(await follow(page.scene, page, APP)), scene: page.scene }
}
const asksForCredentials = (page: Page) => {
  const url = new URL(page.host.navigations.at(-1) ?? '')
  expect(url.pathname).toBe('/realms/staff/auth')
  expect(url.searchParams.get('prompt')).toContain('login')
  expect(url.searchParams.get('max_age')).toBe('300')
}

it('the tokens are taken back before the question is asked', async () => {
  const { scene } = await atTheQuestion()
  expect(scene.provider.count('/revoke')).toBe(1)
})

it.each([
  ['a no', declined],
  ['leaving the question', leave],
])('after %s the app is signed out, and asks no frame', async (_how, go) => {
  const page = await go()
  expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  await expect(page.auth.getAccessToken()).rejects.toMatchObject({ code: 'not-authenticated' })
  expect([page.host.frames, page.host.navigations]).toEqual([[], []])
})

it('the back button leads to a page that is signed out', async () => {
  const page = await atTheQuestion()
  page.host.emit('restored')
  await page.host.settle()
  expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  void page.auth.login()
  await page.host.settle()
  asksForCredentials(page)
})

it.each(['a reload', 'a new tab'])(
  'after a no %s asks for a sign-in, though the provider knows the user',
  async (how) => {
    const page = await declined()
    const tokenCount = page.scene.provider.count('/token')
    const next = how === 'a reload' ? await follow(page.scene, page, APP) : await start(page.scene)
    expect(next.host.frames).toEqual([])
    expect(page.scene.provider.count('/token')).toBe(tokenCount)
    expect(next.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    asksForCredentials(next)
  },
)

it('after a no, without autoLogin, a reload waits for a click, and the click asks for a sign-in', async () => {
  const scene = createOidcScene({ config: { autoLogin: false } })
  const page = await signedInByClick(scene)
  await page.auth.logout()
  const next = await follow(scene, await follow(scene, page, wayBackFromLogout(page)), APP)
  expect([next.auth.getState().status, next.host.frames, next.host.navigations]).toEqual([
    'unauthenticated',
    [],
    [],
  ])
  void next.auth.login()
  await next.host.settle()
  asksForCredentials(next)
})

it('after the sign-in that follows everything is as ever: a reload finds the session in the frame', async () => {
  const page = await declined()
  const leaving = await follow(page.scene, page, APP)
  const back = await follow(page.scene, leaving)
  expect(back.auth.getState().status).toBe('authenticated')
  const next = await follow(page.scene, back, APP)
  expect(next.auth.getState().status).toBe('authenticated')
  expect(next.host.navigations).toEqual([])
})

it("the app's own consent is asked for too, which brings a refresh token at some providers", async () => {
  const page = await declined({ options: { parameters: { prompt: 'consent' } } })
  const next = await follow(page.scene, page, APP)
  expect(new URL(next.host.navigations.at(-1)!).searchParams.get('prompt')).toBe('login consent')
})

it('a second tab that is open asks for a sign-in too', async () => {
  const scene = createOidcScene()
  const [first, second] = await signedInTwice(scene)
  await first.auth.logout()
  await scene.browser.clock.advance(1_000)
  await follow(scene, first, wayBackFromLogout(first))
  expect(second.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  void second.auth.login()
  await second.host.settle()
  asksForCredentials(second)
})
