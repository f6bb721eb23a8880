// What a logout revokes, and when: some providers end their whole session with one refresh token, and then have nothing left to log out.
import { describe, expect, it } from 'vitest'
import { APP } from '../scene.ts'
import { follow, signedIn, wayBackFromLogout } from './sessionPages.ts'
import { createOidcScene, type OidcScene, type OidcSceneOptions, type Page } from './sessionScene.ts'

const PLAIN = { scopes: ['openid', 'profile'] }

/** Revoking a refresh token ends the session, so the logout page ends nothing further: Keycloak. */
function keycloakScene(options: OidcSceneOptions = {}) {
  const scene = createOidcScene(options)
  let hasSession = true
  const loggedOut: boolean[] = []
  scene.provider.instead.set('/revoke', () => {
    hasSession = false
    return new Response('')
  })
  const openLogoutPage = ({ host }: Page) => {
    expect(new URL(host.navigations.at(-1)!).pathname).toBe('/realms/staff/logout')
    loggedOut.push(hasSession)
    hasSession = false
  }
  return { scene, openLogoutPage, loggedOut }
}

const requestsAfter = ({ provider }: OidcScene, count: number) =>
  provider.requests.slice(count).map(({ path }) => path)

async function logOut(scene: OidcScene, page: Page): Promise<string[]> {
  const before = scene.provider.requests.length
  await page.auth.logout()
  await page.host.settle()
  return requestsAfter(scene, before)
}

describe('a refresh token that ends with the session', () => {
  it('is not revoked: the logout page comes first and alone, and ends the session with all that hangs on it', async () => {
    const { scene, openLogoutPage, loggedOut } = keycloakScene({ config: PLAIN })
    const page = await signedIn(scene)
    expect(await logOut(scene, page)).not.toContain('/revoke')
    openLogoutPage(page)
    expect(loggedOut).toEqual([true])
    const back = await follow(scene, page, wayBackFromLogout(page))
    expect(back.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it.each([
    ['was asked for, and the response names scopes without it', { scope: 'openid profile' }],
    ['was not asked for, and the response names no scopes', {}],
  ])('is known by this: offline_access %s', async (_how, members) => {
    const scopes = 'scope' in members ? ['openid', 'offline_access'] : ['openid']
    const { scene } = keycloakScene({ config: { scopes } })
    scene.provider.answer = members
    expect(await logOut(scene, await signedIn(scene))).not.toContain('/revoke')
  })

  it('of the hidden frame is one, which never asks for offline_access', async () => {
    const { scene } = keycloakScene()
    const reloaded = await follow(scene, await signedIn(scene), APP)
    expect(reloaded.auth.getState().status).toBe('authenticated')
    expect(await logOut(scene, reloaded)).not.toContain('/revoke')
  })

  it('is one after a renewal and in another tab, too', async () => {
    const { scene } = keycloakScene({ config: PLAIN })
    const first = await signedIn(scene)
    await first.auth.renew({ force: true })
    const second = scene.open()
    void second.auth.start()
    await second.host.settle()
    await scene.browser.clock.advance(1000)
    expect(second.auth.getState().status).toBe('authenticated')
    expect(await logOut(scene, second)).not.toContain('/revoke')
  })

  it('is revoked where the provider has no logout page', async () => {
    const { scene } = keycloakScene({ config: PLAIN })
    scene.provider.metadata = { ...scene.provider.metadata, end_session_endpoint: undefined }
    expect(await logOut(scene, await signedIn(scene))).toContain('/revoke')
  })

  it('is not revoked either once the server is back that was away at the click: then the page comes', async () => {
    const { scene, openLogoutPage, loggedOut } = keycloakScene({ config: PLAIN })
    const page = await signedIn(scene)
    const away = () => Promise.reject(new TypeError('Failed to fetch'))
    const { instead } = scene.provider
    const revoke = instead.get('/revoke')!
    const paths = ['/revoke', '/.well-known/openid-configuration', '/token']
    for (const path of paths) instead.set(path, away)
    await page.auth.logout()
    await page.host.settle()
    expect(page.host.navigations).toEqual([])
    for (const path of paths) instead.delete(path)
    instead.set('/revoke', revoke)
    await scene.browser.clock.advance(60_000)
    openLogoutPage(page)
    expect(loggedOut).toEqual([true])
  })
})

it('a refresh token of offline_access outlives the session, so it is revoked before the logout page opens', async () => {
  const { scene } = keycloakScene()
  const page = await signedIn(scene)
  await page.auth.renew({ force: true })
  expect(await logOut(scene, page)).toContain('/revoke')
  expect(page.host.navigations).toHaveLength(1)
})

describe('refreshScope', () => {
  it('sends what was granted, not what the app asks for', async () => {
    const scene = createOidcScene({ options: { refreshScope: true } })
    scene.provider.answer = { scope: 'openid organization:acme' }
    const page = await signedIn(scene)
    await page.auth.renew({ force: true })
    expect(scene.provider.requests.at(-1)!.body.get('scope')).toBe('openid organization:acme')
  })
})

describe('a logout that is owed, at a server whose logout page leads nowhere without the ID token (Hydra, ZITADEL)', () => {
  const away = () => Promise.reject(new TypeError('Failed to fetch'))
  const PATHS = ['/.well-known/openid-configuration', '/token', '/revoke']

  /** The server was away at the click, and the tab is closed. */
  async function owed() {
    const scene = createOidcScene()
    const first = await signedIn(scene)
    const page = await follow(scene, first, APP)
    expect(page.auth.getState().status).toBe('authenticated')
    for (const path of PATHS) scene.provider.instead.set(path, away)
    await page.auth.logout()
    await page.host.settle()
    page.host.close()
    for (const path of PATHS) scene.provider.instead.delete(path)
    return scene
  }
  const open = async (scene: OidcScene): Promise<Page> => {
    const page = scene.open()
    void page.auth.start()
    await page.host.settle()
    return page
  }

  it('the hidden frame gets the ID token, and the logout page is asked with it; nobody is signed in by it', async () => {
    const page = await open(await owed())
    const url = new URL(page.host.navigations.at(-1)!)
    expect(url.pathname).toBe('/realms/staff/logout')
    expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
    expect(page.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  })

  it('where the server has no session any more, nothing is left to end: the sign-in page comes', async () => {
    const scene = await owed()
    scene.provider.user = undefined
    const page = await open(scene)
    expect(page.host.navigations.map((url) => new URL(url).pathname)).toEqual(['/realms/staff/auth'])
  })

  it('a frame that is not answered changes nothing: the logout page is asked without it', async () => {
    const scene = await owed()
    scene.provider.isFrameMute = true
    const page = scene.open()
    void page.auth.start()
    await scene.browser.clock.advance(70_000)
    const url = new URL(page.host.navigations[0]!)
    expect([url.pathname, url.searchParams.has('id_token_hint')]).toEqual(['/realms/staff/logout', false])
  })

  it('whoever has signed in at the server since is not signed out there', async () => {
    const scene = await owed()
    await scene.browser.clock.advance(3_600_000)
    const { changeIdToken } = scene.provider
    scene.provider.changeIdToken = (claims) =>
      changeIdToken({ ...claims, auth_time: Number(claims['iat']) - 60 })
    const page = await open(scene)
    expect(page.host.navigations).toEqual([])
    expect(page.auth.getState().status).toBe('authenticated')
  })
})
