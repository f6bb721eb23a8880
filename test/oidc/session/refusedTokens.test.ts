// Tokens that came and are refused: revoked at the provider where nobody in this browser has a session, and left alone where somebody has.
import { describe, expect, it } from 'vitest'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { APP, jwt } from '../scene.ts'
import { endOf, openWindowScene } from '../signIn/windowScene.ts'
import { follow, signedIn, start } from './sessionPages.ts'
import { createOidcScene, json, type OidcScene, type Page } from './sessionScene.ts'
import { holdResponses, urlOf } from '../../holdRequests.ts'

const LATE = 'refresh-late'
const CHALLENGE = `Bearer error="insufficient_claims", claims="${btoa('{"access_token":{"acrs":{"essential":true}}}')}"`

const revokedTokens = ({ provider }: OidcScene) =>
  provider.requests.filter(({ path }) => path === '/revoke').map(({ body }) => body.get('token'))
const isCode = (url: string, body: URLSearchParams) => url.endsWith('/token') && body.has('code')
const stateOf = ({ auth }: Page) => auth.getState()

/** Ada is signed in by the frame, and the API misses claims in her token. */
async function open() {
  const opened = await openWindowScene()
  const { page, scene } = opened
  const { fetch } = page.host
  page.host.fetch = async (input, init) =>
    urlOf(input).includes('/api/claims')
      ? json({}, 401, { 'www-authenticate': CHALLENGE })
      : fetch(input, init)
  scene.provider.answer = { refresh_token: LATE }
  return opened
}

const ASKS: Record<string, (page: Page) => Promise<unknown>> = {
  'the claims that an API misses': async ({ auth }) => auth.fetch('/api/claims'),
  'a switch': async ({ auth }) => auth.switchTo({ organization: 'org_b', display: 'silent' }),
}

describe.each(Object.entries(ASKS))('what a frame brings for %s', (_what, ask) => {
  /** The provider has issued the tokens, and the page does not have them yet. */
  const underWay = async () => {
    const opened = await open()
    const release = opened.hold(isCode)
    const end = endOf(ask(opened.page))
    await opened.page.host.settle()
    return { ...opened, release, end }
  }

  it('after a logout is revoked, too', async () => {
    const { page, scene, release, end } = await underWay()
    await page.auth.logout()
    release()
    expect(await end).toBe('not-authenticated')
    await page.host.settle()
    expect(revokedTokens(scene)).toEqual([LATE])
  })

  it('after dispose() stays: other tabs may hold the session', async () => {
    const { page, scene, release, end } = await underWay()
    page.auth.dispose()
    release()
    expect(await end).toMatch(/^not-/)
    await page.host.settle()
    expect(revokedTokens(scene)).toEqual([])
  })

  it('for another user stays: a session is held', async () => {
    const { page, scene } = await open()
    scene.provider.user = 'bob'
    const end = endOf(ask(page))
    await page.host.settle()
    expect(await end).not.toBe('ok')
    expect(stateOf(page)).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(revokedTokens(scene)).toEqual([])
  })
})

describe('what the frame of a page that starts up brings', () => {
  /** Ada is signed in in one tab, which can hand nothing on; another one has opened, and its tokens are on their way. */
  const openTwo = async () => {
    const scene = createOidcScene()
    scene.provider.user = 'ada'
    const first = scene.open(APP, { without: ['seal'] })
    void first.auth.start()
    await first.host.settle()
    expect(stateOf(first).status).toBe('authenticated')
    scene.provider.answer = { refresh_token: LATE }
    const second = scene.open(APP, { without: ['seal'] })
    const release = holdResponses(second.host, (url) => url.endsWith('/token'))
    void second.auth.start()
    await scene.browser.clock.advance(3_000)
    expect(stateOf(second).status).toBe('initializing')
    return { scene, first, second, release }
  }

  it('after a logout in another tab is revoked, too', async () => {
    const { scene, first, second, release } = await openTwo()
    await first.auth.logout()
    release()
    await scene.browser.clock.advance(1_000)
    expect(stateOf(second).status).not.toBe('authenticated')
    expect(revokedTokens(scene)).toEqual([LATE])
  })

  it('of no use stays while another tab holds a session', async () => {
    const { scene, release } = await openTwo()
    scene.provider.changeIdToken = (claims) => jwt({ ...claims, nonce: 'another' })
    release()
    await scene.browser.clock.advance(1_000)
    expect(revokedTokens(scene)).toEqual([])
  })

  it('once the user has signed in in a window stays: that session is held', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    scene.provider.user = 'ada'
    scene.provider.instead.set('/token', () => Promise.reject(new TypeError('Failed to fetch')))
    const page = await start(scene)
    expect(stateOf(page)).toMatchObject({ status: 'failed' })
    scene.provider.instead.clear()
    // Start-up is repeated, and its tokens are on their way.
    scene.provider.answer = { refresh_token: LATE }
    const release = holdResponses(page.host, (url) => url.endsWith('/token'))
    await scene.browser.clock.advance(2_500)
    scene.provider.answer = {}
    const end = endOf(page.auth.login({ display: 'popup' }))
    await page.host.settle()
    const { fetch } = page.host
    page.host.fetch = scene.fetch
    const popup = page.host.popups.at(-1)!
    popup.post({ type: 'signInAnswer', address: scene.provider.authorize(popup.urls.at(-1)!) })
    await page.host.settle()
    page.host.fetch = fetch
    expect(await end).toBe('ok')
    release()
    await page.host.settle()
    expect(stateOf(page).status).toBe('authenticated')
    expect(revokedTokens(scene)).toEqual([])
  })
})

/** Ada signs in on the sign-in page; a frame finds nobody. */
async function signInOnPage(scene: OidcScene, options?: Parameters<Page['auth']['login']>[0]): Promise<Page> {
  const { provider } = scene
  const first = await start(scene)
  void first.auth.login(options)
  await first.host.settle()
  const { authorize } = provider
  provider.authorize = (url) => {
    provider.user = new URL(url).searchParams.get('prompt') === 'none' ? undefined : 'ada'
    const back = authorize(url)
    provider.user = 'ada'
    return back
  }
  return follow(scene, first)
}

describe('what the sign-in page brings', () => {
  it.each([
    ['with an ID token for another request', (claims: object) => jwt({ ...claims, nonce: 'another' })],
    [
      'with an ID token of another provider',
      (claims: object) => jwt({ ...claims, iss: 'https://else.test' }),
    ],
  ])('%s is revoked', async (_what, changeIdToken) => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    scene.provider.changeIdToken = changeIdToken
    scene.provider.answer = { refresh_token: LATE }
    const page = await signInOnPage(scene)
    expect(stateOf(page)).toMatchObject({ status: 'failed', error: { code: 'invalid-id-token' } })
    expect(revokedTokens(scene)).toEqual([LATE])
  })

  it('is revoked when the app cannot read its claims', async () => {
    const scene = createOidcScene({
      config: {
        autoLogin: false,
        claims: () => {
          throw new Error('no role')
        },
      },
    })
    scene.provider.answer = { refresh_token: undefined, access_token: 'access-late' }
    const page = await signInOnPage(scene)
    expect(stateOf(page)).toMatchObject({ status: 'failed', error: { code: 'invalid-claims' } })
    expect(revokedTokens(scene)).toEqual(['access-late'])
  })

  it('too weak for what login() asked for is revoked: nobody has a session', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    scene.provider.answer = { refresh_token: LATE }
    scene.provider.changeIdToken = (claims) => jwt({ ...claims, acr: 'bronze' })
    const page = await signInOnPage(scene, { acrValues: ['gold'] })
    expect(stateOf(page)).toMatchObject({ status: 'failed', error: { code: 'step-up-refused' } })
    expect(revokedTokens(scene)).toEqual([LATE])
  })

  it('for another user than the one who left for a step-up stays: other tabs may hold the session of before', async () => {
    const scene = createOidcScene()
    const before = await signedIn(scene)
    void before.auth.stepUp(stepUpRequired({ acrValues: ['gold'] }), { display: 'page' })
    await before.host.settle()
    scene.provider.user = 'bob'
    scene.provider.answer = { refresh_token: LATE }
    const page = await follow(scene, before)
    expect(stateOf(page)).toMatchObject({ status: 'unauthenticated', cause: { code: 'identity-changed' } })
    expect(revokedTokens(scene)).toEqual([])
  })
})
