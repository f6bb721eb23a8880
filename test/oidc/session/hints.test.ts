// What a tab remembers of its user for a provider that wants to be told whom a request is about: no secret, until the session ends.
import { describe, expect, it } from 'vitest'
import { APP, jwt } from '../scene.ts'
import { follow, signedIn, signedInTwice, start } from './sessionPages.ts'
import { createOidcScene, type OidcScene, type Page } from './sessionScene.ts'
import { holdResponses } from '../../holdRequests.ts'

const OPTIONS = { loginHintClaim: ['login_hint', 'preferred_username'], logoutHintClaim: 'login_hint' }

function createScene(options: object = OPTIONS): OidcScene {
  const scene = createOidcScene({ options })
  scene.provider.changeIdToken = (claims) =>
    jwt({ ...claims, preferred_username: 'ada@example.com', login_hint: 'O.ada' })
  return scene
}

/** What the provider is asked for, in a frame or on its page. */
function listen(scene: OidcScene): () => URLSearchParams {
  const { provider } = scene
  const authorize = provider.authorize.bind(provider)
  const asked: string[] = []
  provider.authorize = (url) => {
    asked.push(url)
    return authorize(url)
  }
  return () => new URL(asked.at(-1)!).searchParams
}

const storedBy = ({ host }: Page) => JSON.stringify(host.sessionStorage.entries())

async function reload(scene: OidcScene, page: Page, address = APP): Promise<Page> {
  page.auth.dispose()
  return follow(scene, page, address)
}

describe('after a reload', () => {
  it('the silent check names the user, as it does while tokens are held', async () => {
    const scene = createScene()
    const first = await signedIn(scene)
    const asked = listen(scene)
    const again = await reload(scene, first)
    expect([asked().get('prompt'), asked().get('login_hint')]).toEqual(['none', 'O.ada'])
    expect(again.auth.getState().status).toBe('authenticated')
  })

  it('a sign-in page is told, too, unless the app asks for something else', async () => {
    const scene = createScene()
    const first = await signedIn(scene)
    scene.provider.user = undefined
    const { host } = await reload(scene, first)
    expect(new URL(host.navigations.at(-1)!).searchParams.get('login_hint')).toBe('O.ada')
  })

  it.each([
    [{ prompt: 'select_account' as const }, null],
    [{ loginHint: 'bob@example.com' }, 'bob@example.com'],
  ])('what the app asks for comes first: %j', async (wish, expected) => {
    const scene = createOidcScene({ options: OPTIONS, config: { autoLogin: false } })
    scene.provider.changeIdToken = (claims) => jwt({ ...claims, preferred_username: 'ada@example.com' })
    scene.provider.user = 'ada'
    const first = await start(scene)
    expect(first.auth.getState().status).toBe('authenticated')
    scene.provider.user = undefined
    const again = await reload(scene, first)
    await again.auth.login(wish)
    await again.host.settle()
    expect(new URL(again.host.navigations.at(-1)!).searchParams.get('login_hint')).toBe(expected)
  })

  it('nothing secret is kept, and nothing at all where the provider need not be told', async () => {
    const page = await signedIn(createScene())
    expect(storedBy(page)).toContain('O.ada')
    expect(storedBy(page)).not.toMatch(/eyJ|access-|refresh-|code-/)
    const plain = await signedIn(createScene({}))
    expect(storedBy(plain)).not.toContain('ada@')
  })
})

describe('it goes with the session', () => {
  it('a logout names the user once more, and then forgets', async () => {
    const scene = createScene()
    const page = await signedIn(scene)
    await page.auth.logout()
    expect(new URL(page.host.navigations.at(-1)!).searchParams.get('logout_hint')).toBe('O.ada')
    expect(storedBy(page)).not.toContain('O.ada')
  })

  it('a logout that was cut off names the user when it is told after a reload', async () => {
    const scene = createScene()
    const page = await signedIn(scene)
    page.host.setOnline(false)
    await page.auth.logout()
    page.host.setOnline(true)
    await page.host.settle()
    const told = page.host.navigations.at(-1)!
    expect(new URL(told).searchParams.get('logout_hint')).toBe('O.ada')
    expect(storedBy(page)).not.toContain('O.ada')
  })

  it('a logout in another tab is forgotten here, too', async () => {
    const scene = createScene()
    const [first, second] = await signedInTwice(scene)
    expect(second.auth.getState().status).toBe('authenticated')
    expect(storedBy(second)).toContain('O.ada')
    await first.auth.logout()
    await second.host.settle()
    expect(second.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    expect(storedBy(second)).not.toContain('O.ada')
  })

  it('a renewal that comes after the logout is remembered by nobody', async () => {
    const scene = createScene()
    const page = await signedIn(scene)
    const release = holdResponses(page.host, (_url, body) => body.includes('refresh_token='))
    const renewal = page.auth.renew({ force: true }).catch(() => {})
    await page.host.settle()
    await page.auth.logout()
    expect(storedBy(page)).not.toContain('O.ada')
    release()
    await Promise.all([renewal, page.host.settle()])
    expect(storedBy(page)).not.toContain('O.ada')
  })

  it('what somebody has written there is not believed', async () => {
    const scene = createScene()
    const page = await signedIn(scene)
    for (const [key, value] of Object.entries(page.host.sessionStorage.entries()))
      if (value.includes('O.ada')) page.host.sessionStorage.set(key, '{"login":{"a":1}}')
    const asked = listen(scene)
    const again = await reload(scene, page)
    expect(again.auth.getState().status).toBe('authenticated')
    expect([asked().get('prompt'), asked().get('login_hint')]).toEqual(['none', null])
  })
})
