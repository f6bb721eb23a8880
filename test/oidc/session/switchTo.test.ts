// auth.switchTo: the same person works for another organization, without leaving the page where the provider allows it.
import { describe, expect, it, vi } from 'vitest'
import type { AuthError } from '../../../src/base/errors.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { keycloak, openIdConnect } from '../../../src/oidc/index.ts'
import type { OpenIdConnectOptions } from '../../../src/protocol/servers/oidcOptions.ts'
import type { SwitchOptions } from '../../../src/session/auth.ts'
import { startScene } from '../../node/session/sessionScene.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { APP, ISSUER, jwt } from '../scene.ts'
import { endOf, openWindowScene } from '../signIn/windowScene.ts'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { follow, signedIn } from './sessionPages.ts'
import { createOidcScene, type OidcScene, type Page } from './sessionScene.ts'
import { holdResponses } from '../../holdRequests.ts'

const OPTIONS: Partial<OpenIdConnectOptions> = {
  claims: ({ sub, sid, org_id }) => ({
    userId: sub as string,
    sessionId: sid as string | undefined,
    firmId: org_id as string | undefined,
  }),
}
const configOf = (options: Partial<OpenIdConnectOptions> = {}) => ({
  server: openIdConnect({ issuer: ISSUER, ...OPTIONS, ...options }),
})

/** A provider with organizations: `org_none` is not the user's, `org_asks` wants a page. The tokens name the one that was asked for. */
async function openOrganizations(config?: Partial<AuthConfig>, start = 'org_a') {
  const opened = await openWindowScene({ ...configOf(), ...config } as Partial<AuthConfig>)
  const { scene } = opened
  const asked: URLSearchParams[] = []
  const memory: { organization: string | undefined; isIgnoring: boolean } = {
    organization: start,
    isIgnoring: false,
  }
  const { authorize } = scene.provider
  scene.provider.authorize = (address) => {
    const { searchParams } = new URL(address)
    asked.push(searchParams)
    const scope = /organization:(\S+)/.exec(searchParams.get('scope') ?? '')?.[1]
    const wanted = searchParams.get('organization') ?? scope ?? start
    const refuse = (error: string) =>
      `${APP}?${new URLSearchParams({ error, state: searchParams.get('state')!, iss: ISSUER })}`
    if (wanted === 'org_none') return refuse('invalid_request')
    if (wanted === 'org_asks' && searchParams.get('prompt') === 'none') return refuse('interaction_required')
    if (!memory.isIgnoring) memory.organization = wanted
    return authorize(address)
  }
  scene.provider.changeIdToken = (claims) => jwt({ ...claims, org_id: memory.organization })
  return { ...opened, asked, memory }
}

/** Ada works for org_a. */
async function openInA(config?: Partial<AuthConfig>) {
  const opened = await openOrganizations(config)
  const { page } = opened
  void page.auth.switchTo({ organization: 'org_a' })
  await page.host.settle()
  expect(firmOf(page)).toBe('org_a')
  return opened
}

const firmOf = ({ auth }: Page) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? state.user.firmId : state.status
}

async function switched(page: Page, options: SwitchOptions): Promise<string> {
  const end = endOf(page.auth.switchTo(options))
  await page.host.settle()
  return end
}

it('works for the other organization at once, without a page or a window', async () => {
  const { page, asked } = await openInA()
  const before = page.auth.getState()
  expect(await switched(page, { organization: 'org_b' })).toBe('ok')
  expect(firmOf(page)).toBe('org_b')
  expect(asked.at(-1)!.get('organization')).toBe('org_b')
  expect(asked.at(-1)!.get('prompt')).toBe('none')
  expect(page.auth.getState()).not.toBe(before)
  expect(page.host.navigations).toEqual([])
  expect(page.host.popups).toEqual([])
})

it('what the page holds of the firm before goes before the next one shows, and the hook of a sign-in runs', async () => {
  const { page } = await openInA()
  const seen: unknown[] = []
  page.auth.onUserGone(({ firmId }) => void seen.push(['gone', firmId, firmOf(page)]))
  page.auth.setHook('afterLogin', ({ user, via }) => void seen.push(['in', user.firmId, via]))
  await switched(page, { organization: 'org_b' })
  expect(seen).toEqual([
    ['gone', 'org_a', 'org_a'],
    ['in', 'org_b', 'silent'],
  ])
})

it('a call that was under way for the firm before brings nothing to the next one', async () => {
  const { page, hold } = await openInA()
  const release = hold((url) => url.endsWith('/api/data'))
  const call = endOf(page.auth.fetch('/api/data'))
  await page.host.settle()
  await switched(page, { organization: 'org_b' })
  release()
  await page.host.settle()
  expect(await call).toBe('not-authenticated')
})

/** A second tab, which takes over the session of the first. */
async function openBeside(scene: OidcScene): Promise<Page> {
  const other = scene.open()
  void other.auth.start()
  await other.host.settle()
  await scene.browser.clock.advance(1_000)
  expect(firmOf(other)).toBe('org_a')
  return other
}

it('the other tabs follow, each to where the last one went', async () => {
  const { page, scene } = await openInA()
  const other = await openBeside(scene)
  await switched(page, { organization: 'org_b' })
  await scene.browser.clock.advance(3_000)
  expect(firmOf(other)).toBe('org_b')
  await switched(other, { organization: 'org_c' })
  await scene.browser.clock.advance(3_000)
  expect([firmOf(page), firmOf(other)]).toEqual(['org_c', 'org_c'])
})

it('a renewal by the frame, and a reload, ask for the same organization', async () => {
  const { page, scene, asked } = await openInA()
  await switched(page, { organization: 'org_b' })
  scene.provider.instead.set('/token', () => new Response('{"error":"invalid_grant"}', { status: 400 }))
  const renewal = endOf(page.auth.renew({ force: true }))
  await page.host.settle()
  await renewal
  scene.provider.instead.clear()
  expect(asked.at(-1)!.get('organization')).toBe('org_b')
  const next = await follow(scene, page, APP)
  expect(asked.at(-1)!.get('organization')).toBe('org_b')
  expect(firmOf(next)).toBe('org_b')
})

it('an organization that is no longer given is forgotten: the next reload does not ask for it', async () => {
  const { page, scene, asked, memory } = await openInA()
  await switched(page, { organization: 'org_b' })
  // The membership has ended: the silent check fails, and the sign-in page names no organization.
  memory.isIgnoring = true
  memory.organization = undefined
  const { user } = scene.provider
  scene.provider.user = undefined
  const asking = await follow(scene, page, APP)
  expect(asked.at(-1)!.get('organization')).toBe('org_b')
  scene.provider.user = user
  if (asking.auth.getState().status !== 'redirecting') void asking.auth.login()
  await asking.host.settle()
  const back = await follow(scene, asking)
  expect(firmOf(back)).toBeUndefined()
  const next = await follow(scene, back, APP)
  expect(next.auth.getState().status).toBe('authenticated')
  expect(asked.at(-1)!.get('organization')).toBeNull()
})

it.each(['page', 'popup'] as const)(
  'an organization that is refused when its user signs in again (%s) is forgotten at once',
  async (display) => {
    const { page, scene } = await openInA({ autoLogout: false })
    await switched(page, { organization: 'org_b' })
    scene.provider.instead.set('/token', () => new Response('{"error":"invalid_grant"}', { status: 400 }))
    const { user } = scene.provider
    scene.provider.user = undefined
    await scene.browser.clock.advance(3_600_000)
    await endOf(page.auth.getAccessToken())
    scene.provider.instead.clear()
    scene.provider.user = user
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
    const asks = async (who: Page) => {
      void who.auth.login({ display }).catch(() => {})
      await who.host.settle()
      const url = display === 'popup' ? who.host.popups.at(-1)?.urls.at(-1) : who.host.navigations.at(-1)
      return new URL(url!)
    }
    const first = await asks(page)
    expect(first.searchParams.get('organization')).toBe('org_b')
    const refusal = `${APP}?${new URLSearchParams({ error: 'access_denied', state: first.searchParams.get('state')!, iss: ISSUER })}`
    let next = page
    if (display === 'page') next = await follow(scene, page, refusal)
    else page.host.popups.at(-1)!.post({ type: 'signInAnswer', address: refusal })
    await page.host.settle()
    expect((await asks(next)).searchParams.get('organization')).toBeNull()
  },
)

it('after a logout the next user is asked for no organization', async () => {
  const { page, scene } = await openInA()
  await switched(page, { organization: 'org_b' })
  void page.auth.logout()
  await page.host.settle()
  expect(JSON.stringify(page.host.sessionStorage.entries())).not.toContain('org_b')
  const next = await follow(scene, page, APP)
  void next.auth.login()
  await next.host.settle()
  expect(new URL(next.host.navigations.at(-1)!).searchParams.has('organization')).toBe(false)
})

describe('where it fails, the session is as it was', () => {
  it.each<[string, SwitchOptions, string]>([
    ['an organization that is not the user’s', { organization: 'org_none' }, 'switch-refused'],
    [
      'a page that is needed, and not wanted',
      { organization: 'org_asks', display: 'silent' },
      'switch-refused',
    ],
    [
      'another firm than was asked for',
      { firmId: 'f9', parameters: { organization: 'org_b' } },
      'switch-refused',
    ],
    ['nothing', {}, 'invalid-argument'],
    ['an empty name', { organization: '' }, 'invalid-argument'],
    ['a name that would be two scopes', { organization: 'a b' }, 'invalid-argument'],
    ['a parameter of the code flow', { parameters: { client_id: 'x' } }, 'invalid-argument'],
    ['a scope', { parameters: { scope: 'admin' } }, 'invalid-argument'],
    ['a firm that is none', { firmId: Number.NaN }, 'invalid-argument'],
    ['no object', undefined as never, 'invalid-argument'],
    ['another display', { organization: 'org_b', display: 'frame' as never }, 'invalid-argument'],
  ])('%s', async (_what, options, code) => {
    const { page } = await openInA()
    const before = page.auth.getState()
    const token = await page.auth.getAccessToken()
    expect(await switched(page, options)).toBe(code)
    expect(page.auth.getState()).toBe(before)
    expect(await page.auth.getAccessToken()).toBe(token)
    expect(page.host.navigations).toEqual([])
  })

  it('a provider that ignores what it was asked', async () => {
    const { page, memory } = await openInA()
    memory.isIgnoring = true
    expect(await switched(page, { organization: 'org_b' })).toBe('switch-refused')
    expect(firmOf(page)).toBe('org_a')
  })

  it('an answer for another person', async () => {
    const { page, scene } = await openInA()
    scene.provider.user = 'bob'
    expect(await switched(page, { organization: 'org_b' })).toBe('identity-changed')
    expect(page.auth.getState()).toMatchObject({ user: { userId: 'ada', firmId: 'org_a' } })
  })

  it('nobody is online', async () => {
    const { page } = await openInA()
    page.host.setOnline(false)
    expect(await switched(page, { organization: 'org_b' })).toBe('offline')
    expect(firmOf(page)).toBe('org_a')
  })
})

it('another name of the same person is taken where the app says so', async () => {
  const { page, scene } = await openInA()
  scene.provider.user = 'ada@b'
  const isSameUser = vi.fn((before: { userId: unknown }, next: { userId: unknown }) =>
    String(next.userId).startsWith(String(before.userId)),
  )
  expect(await switched(page, { organization: 'org_b', isSameUser })).toBe('ok')
  expect(page.auth.getState()).toMatchObject({ user: { userId: 'ada@b', firmId: 'org_b' } })
})

it('who is there already is asked nothing', async () => {
  const { page, asked } = await openInA()
  const { length } = asked
  expect(await switched(page, { organization: 'org_a' })).toBe('ok')
  expect(await switched(page, { firmId: 'org_a' })).toBe('ok')
  expect(asked).toHaveLength(length)
})

describe('a provider that wants to ask the user', () => {
  it('gets a window, and the session is the other one when it has answered', async () => {
    const { page, answer } = await openInA()
    const end = endOf(page.auth.switchTo({ organization: 'org_asks' }))
    await page.host.settle()
    expect(page.host.popups).toHaveLength(1)
    expect(firmOf(page)).toBe('org_a')
    await answer()
    await page.host.settle()
    expect(await end).toBe('ok')
    expect(firmOf(page)).toBe('org_asks')
  })

  it('a third person in that window changes nothing', async () => {
    const { page, answer } = await openInA()
    const end = endOf(page.auth.switchTo({ organization: 'org_asks' }))
    await page.host.settle()
    await answer('carol')
    await page.host.settle()
    expect(await end).toBe('identity-changed')
    expect(page.auth.getState()).toMatchObject({ user: { userId: 'ada', firmId: 'org_a' } })
  })

  it('a window that is closed changes nothing', async () => {
    const { page } = await openInA()
    const end = endOf(page.auth.switchTo({ organization: 'org_asks' }))
    await page.host.settle()
    page.host.popups.at(-1)!.close()
    await page.host.settle()
    await page.host.clock.advance(5_000)
    expect(await end).toBe('popup-closed')
    expect(firmOf(page)).toBe('org_a')
  })

  it('gets the page where windows are blocked, and the user comes back to the place', async () => {
    const { page, scene } = await openInA()
    page.host.isPopupBlocked = true
    expect(await switched(page, { organization: 'org_asks', returnTo: '/desk' })).toBe('ok')
    expect(page.host.navigations).toHaveLength(1)
    const next = await follow(scene, page)
    expect(firmOf(next)).toBe('org_asks')
    expect(next.host.address).toBe(`${APP}desk`)
  })

  it('who turns back on that page has the session of before', async () => {
    const { page, scene } = await openInA()
    expect(await switched(page, { organization: 'org_asks', display: 'page' })).toBe('ok')
    const state = new URL(page.host.navigations.at(-1)!).searchParams.get('state')!
    const back = `${APP}?${new URLSearchParams({ error: 'access_denied', state, iss: ISSUER })}`
    const next = await follow(scene, page, back)
    expect(firmOf(next)).toBe('org_a')
  })

  it('ends a step-up that is open, which was of the firm before', async () => {
    const { page } = await openInA()
    const stepUp = stepUpRequired({ acrValues: ['gold'] })
    const end = endOf(page.auth.stepUp(stepUp, { display: 'popup' }))
    await page.host.settle()
    const switching = endOf(page.auth.switchTo({ organization: 'org_b' }))
    await page.host.settle()
    expect(await switching).toBe('ok')
    expect(await end).toBe('not-authenticated')
    expect(firmOf(page)).toBe('org_b')
  })
})

it('two switches to the same are one, and the later of two others counts', async () => {
  const { page, asked } = await openInA()
  const { length } = asked
  const same = [1, 2].map(async () => endOf(page.auth.switchTo({ organization: 'org_b' })))
  await page.host.settle()
  expect(await Promise.all(same)).toEqual(['ok', 'ok'])
  expect(asked).toHaveLength(length + 1)
  const first = endOf(page.auth.switchTo({ organization: 'org_c' }))
  const second = endOf(page.auth.switchTo({ organization: 'org_a' }))
  await page.host.settle()
  expect(await Promise.all([first, second])).toEqual(['switch-refused', 'ok'])
  expect(firmOf(page)).toBe('org_a')
})

it('two tabs that switch to different ones at once are where the later one went', async () => {
  const { page, scene } = await openInA()
  const other = await openBeside(scene)
  const both: [Page, string][] = [
    [page, 'org_b'],
    [other, 'org_c'],
  ]
  const releases: (() => void)[] = []
  const ends: Promise<string>[] = []
  for (const [tab, organization] of both) {
    releases.push(holdResponses(tab.host, (_url, body) => body.includes('code=')))
    ends.push(endOf(tab.auth.switchTo({ organization })))
    await tab.host.settle()
  }
  for (const release of releases) release()
  await page.host.settle()
  await scene.browser.clock.advance(3_000)
  expect(await Promise.all(ends)).toEqual(['ok', 'ok'])
  expect(['org_b', 'org_c']).toContain(firmOf(page))
  expect(firmOf(other)).toBe(firmOf(page))
})

it.each(['before', 'after'])('a logout %s the switch stays one', async (when) => {
  const { page, hold } = await openInA()
  const release = hold((url, body) => url.endsWith('/token') && body.has('code'))
  const switchNow = async () => endOf(page.auth.switchTo({ organization: 'org_b' }))
  const early = when === 'after' ? switchNow() : undefined
  if (early) await page.host.settle()
  void page.auth.logout()
  const end = early ?? switchNow()
  await page.host.settle()
  release()
  await page.host.settle()
  expect(await end).toBe('not-authenticated')
  expect(page.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
})

it('a hidden tab switches too', async () => {
  const { page } = await openInA()
  page.host.setVisible(false)
  expect(await switched(page, { organization: 'org_b' })).toBe('ok')
  expect(firmOf(page)).toBe('org_b')
})

it('before start-up it is refused, and for nobody too', async () => {
  const { page, scene } = await openInA()
  const fresh = scene.open()
  expect(await endOf(fresh.auth.switchTo({ organization: 'org_b' }))).toBe('not-initialised')
  page.auth.dispose()
  expect(await endOf(page.auth.switchTo({ organization: 'org_b' }))).toBe('not-initialised')
})

it('Keycloak is told by a scope, and no other scope is lost', async () => {
  const { organization } = { ...keycloak({ url: 'https://login.example.com', realm: 'staff' }) }
  const { page, asked } = await openOrganizations(configOf({ organization }))
  await switched(page, { organization: 'org_b' })
  expect(asked.at(-1)!.get('scope')).toBe('openid organization:org_b')
  expect(firmOf(page)).toBe('org_b')
})

describe('the server of the contract', () => {
  it('is told by parameters of its own, and the tokens are held against the firm', async () => {
    const { auth, host, server } = await startScene()
    const asked: string[] = []
    const answerFrame = server.answerFrame
    server.answerFrame = (frame) => {
      asked.push(frame.url)
      if (frame.url.includes('firm=f2')) server.user = createFakeUser({ firmId: 'f2' })
      answerFrame(frame)
    }
    const page = { auth, host } as unknown as Page
    expect(await switched(page, { firmId: 'f2', parameters: { firm: 'f2' } })).toBe('ok')
    expect(auth.getState()).toMatchObject({ user: { firmId: 'f2' } })
  })

  it('knows no organization by a name', async () => {
    const { auth, host } = await startScene()
    const before = auth.getState()
    const error = await auth.switchTo({ firmId: 'f2' }).catch((thrown: unknown) => thrown as AuthError)
    expect(error).toMatchObject({
      code: 'not-supported',
      remedy: 'Pass the parameters that your server knows.',
    })
    expect(auth.getState()).toBe(before)
    expect(host.navigations).toEqual([])
  })
})

describe('Keycloak, which takes one organization in the scope and names it in the tokens', () => {
  const { organization: names } = { ...keycloak({ url: 'https://login.example.com', realm: 'staff' }) }
  const server = openIdConnect({
    issuer: ISSUER,
    claims: ({ sub, sid, organization }) => ({
      userId: sub as string,
      sessionId: sid as string | undefined,
      firmId: ([organization].flat() as string[])[0],
    }),
    organization: names,
  })

  /** Two scopes for organizations are refused; without a name the user chooses on its page; of another's it asks for a sign-in. */
  async function openKeycloak(scopes: readonly string[], chosen: string | undefined) {
    const scene = createOidcScene({ config: { server, scopes } as Partial<AuthConfig> })
    const asked: string[] = []
    let given = chosen
    const { authorize } = scene.provider
    scene.provider.authorize = (address) => {
      const { searchParams } = new URL(address)
      asked.push(searchParams.get('scope')!)
      const found = searchParams
        .get('scope')!
        .split(' ')
        .filter((scope) => /^organization(:|$)/.test(scope))
      const refuse = (error: string) =>
        `${APP}?${new URLSearchParams({ error, state: searchParams.get('state')! })}`
      if (found.length > 1) return refuse('invalid_scope')
      const name = found[0]?.split(':')[1]
      const isSilent = searchParams.get('prompt') === 'none'
      const isTheirs = name === undefined || ['acme', 'globex'].includes(name)
      if (isSilent && (!isTheirs || (found.length > 0 && name === undefined))) return refuse('login_required')
      // Its login page names no organization: whoever signs in there for one that is not theirs has none in the tokens.
      if (name !== undefined) given = isTheirs ? name : undefined
      return authorize(address)
    }
    scene.provider.changeIdToken = (claims) => jwt({ ...claims, ...(given && { organization: [given] }) })
    return { scene, asked, page: await signedIn(scene) }
  }

  it('the scope of one organization takes the place of that of any, and of another', async () => {
    const { page, asked } = await openKeycloak(['openid', 'organization'], 'acme')
    expect(await switched(page, { organization: 'globex' })).toBe('ok')
    expect(asked.at(-1)).toBe('openid organization:globex')
    expect(firmOf(page)).toBe('globex')
    expect(await switched(page, { organization: 'acme' })).toBe('ok')
    expect(asked.at(-1)).toBe('openid organization:acme')
  })

  it('the organization that the user chose at the sign-in is asked for at a reload: nobody chooses twice', async () => {
    const { page, scene, asked } = await openKeycloak(['openid', 'organization'], 'acme')
    const next = await follow(scene, page, APP)
    expect(asked.at(-1)).toBe('openid organization:acme')
    expect(next.host.navigations).toEqual([])
    expect(firmOf(next)).toBe('acme')
  })

  it('tokens that name no organization are no switch to one: refused, and the session is as it was', async () => {
    const { page, scene } = await openKeycloak(['openid', 'organization:acme'], 'acme')
    expect(firmOf(page)).toBe('acme')
    const end = endOf(page.auth.switchTo({ organization: 'initech', display: 'page' }))
    await page.host.settle()
    await end
    const back = await follow(scene, page)
    await scene.browser.clock.advance(1_000)
    expect(JSON.stringify(back.auth.explain())).toContain('switch-refused')
    expect(firmOf(back)).toBe('acme')
  })
})
