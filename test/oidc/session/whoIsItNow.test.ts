// "Who is it now?": every promise that an app was handed, while the user changes, signs out or is disposed of: never a value of, or for, the other one.
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { exchangeAssertionMutation, authorizeSupportMutation } from '../../../src/queries/secretCalls.ts'
import { authed } from '../../../src/queries/authed.ts'
import { saveLinkMapMutation, linkMapQuery } from '../../../src/queries/linkMap.ts'
import { passthroughMutation } from '../../../src/queries/passthrough.ts'
import { renewMutation } from '../../../src/queries/session.ts'
import { userInfoQuery } from '../../../src/queries/userInfo.ts'
import { updateFirmMutation } from '../../../src/queries/cloudProvider.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { type Scene, startScene } from '../../node/session/sessionScene.ts'
import { ISSUER } from '../scene.ts'
import { follow, start } from './sessionPages.ts'
import { json, type Page } from './sessionScene.ts'
import { createTokenResponse } from '../../../src/testing/tokens.ts'
import { endOf, openWindowScene, type WindowScene } from '../signIn/windowScene.ts'
import { bodyOf, urlOf } from '../../holdRequests.ts'

const FILES = 'https://files.example.com'
const isRefresh = (url: string, body: URLSearchParams) => url.endsWith('/token') && body.has('refresh_token')
const isCode = (url: string, body: URLSearchParams) =>
  url.endsWith('/token') && body.get('grant_type') === 'authorization_code'
const isCall = (url: string) => url.endsWith('/api/data')
const isUserInfo = (url: string) => url.endsWith('/userinfo')

const query = async (options: object) =>
  new QueryClient({ defaultOptions: { queries: { retry: false } } }).query(options as never)
const mutate = async (options: object, variables?: unknown) =>
  new MutationObserver(new QueryClient(), { ...options, retry: false }).mutate(variables as never)

type Asked = [isHeld: (url: string, body: URLSearchParams) => boolean, ask: (page: Page) => Promise<unknown>]

/** What an app asks for, and the response that it waits for meanwhile. */
const PROMISES: Record<string, Asked> = {
  'an access token that is due': [isRefresh, async ({ auth }) => auth.getAccessToken()],
  'an access token by force': [isRefresh, async ({ auth }) => auth.getAccessToken({ force: true })],
  'a token for a resource': [isRefresh, async ({ auth }) => auth.getAccessToken({ resource: FILES })],
  'a renewal': [isRefresh, async ({ auth }) => auth.renew({ force: true })],
  'the mutation of a renewal': [isRefresh, async ({ auth }) => mutate(renewMutation(auth), { force: true })],
  'a call': [isCall, async ({ auth }) => auth.fetch('/api/data')],
  'a call that waits for a renewal': [isRefresh, async ({ auth }) => auth.fetch('/api/data')],
  'a raw call': [isCall, async ({ auth }) => auth.fetch.raw('/api/data')],
  'a call that is sent as it stands': [isCall, async ({ auth }) => auth.fetch.native('/api/data')],
  'a call with own defaults': [isCall, async ({ auth }) => auth.fetch.create({ retry: 0 })('/api/data')],
  'a call whose token lacks claims': [isCode, async ({ auth }) => auth.fetch('/api/claims')],
  'a silent switch': [
    isCode,
    async ({ auth }) => auth.switchTo({ organization: 'org_b', display: 'silent' }),
  ],
  'a switch that the user is asked about': [isCode, async ({ auth }) => auth.switchTo({ firmId: 'f2' })],
  'the user info': [isUserInfo, async ({ auth }) => internalsOf(auth).readUserInfo()],
  'the query of the user info': [isUserInfo, async (page) => query(userInfoQuery(page.auth))],
  'a query of the app': [
    isCall,
    async (page) =>
      query(authed(page.auth, { queryKey: ['data'], queryFn: async () => page.auth.fetch('/api/data') })),
  ],
}

/** What happens to the user meanwhile. */
const CHANGES: Record<string, (opened: WindowScene, other: Page) => Promise<unknown>> = {
  'another one signs in in a window': async ({ page, answer }) => {
    page.auth.login({ display: 'popup', prompt: 'select_account' }).catch(() => {})
    await page.host.settle()
    await answer('bob')
    await page.host.settle()
    expect(page.auth.getState()).toMatchObject({ user: { userId: 'bob' } })
  },
  'another one signs in in another tab': async ({ page, scene }, other) => {
    scene.provider.user = 'bob'
    await other.auth.login({ prompt: 'login' })
    await follow(scene, other)
    await page.host.clock.advance(3_000)
  },
  'they sign out': async ({ page }) => {
    void page.auth.logout()
    await page.host.settle()
  },
  'they sign out in another tab': async ({ page }, other) => {
    void other.auth.logout()
    await page.host.clock.advance(1_000)
  },
  'the auth object is disposed of': async ({ page }) => page.auth.dispose(),
}

/** Ada is signed in in two tabs, and her token is due. */
async function open() {
  const opened = await openWindowScene({ autoLogout: false })
  const { page, scene } = opened
  scene.provider.instead.set('/api/data', () =>
    json({ of: scene.provider.requests.at(-1)!.headers.get('authorization') }),
  )
  const claims = Buffer.from('{"access_token":{"acrs":{"essential":true}}}').toString('base64')
  const lacking = { 'www-authenticate': `Bearer error="insufficient_claims", claims="${claims}"` }
  scene.provider.instead.set('/api/claims', () => json({}, 401, lacking))
  page.auth.stopRenewal()
  const other = await start(scene)
  await page.host.clock.advance(3_000)
  other.auth.stopRenewal()
  await page.host.clock.advance(3_577_000)
  return { opened, other, page, scene }
}

/** A change of the user; an end is left to `npm run test:all`, the others to `npm run test:night`. */
const TAGS: Readonly<Record<string, string[]>> = {
  'another one signs in in a window': [],
  'they sign out in another tab': ['thorough'],
}

for (const [what, change] of Object.entries(CHANGES))
  describe(`while ${what}`, { tags: TAGS[what] ?? ['night'] }, () => {
    it.each(Object.entries(PROMISES))(
      '%s is of the user who asked, or of nobody',
      async (_what, [isHeld, ask]) => {
        const { opened, other, page, scene } = await open()
        let isHolding = true
        const release = opened.hold((url, body) => isHolding && isHeld(url, body))
        const asked = endOf(ask(page))
        await page.host.settle()
        isHolding = false
        const before = scene.provider.requests.length
        await change(opened, other)
        release()
        await page.host.clock.advance(3_000)
        const end = await asked
        expect(end).toMatch(
          what.startsWith('the auth object')
            ? /^not-(authenticated|initialised)$/
            : /^(not-authenticated|identity-changed)$/,
        )
        // Nothing that she asked for was sent afterwards.
        const late = scene.provider.requests.slice(before).filter(({ path }) => path === '/api/data')
        expect(late).toEqual([])
      },
    )

    it.each(['a sign-in', 'a step-up'])('%s in a window is nobody’s answer but its own', async (kind) => {
      const { opened, other, page } = await open()
      const error = stepUpRequired({ acrValues: ['gold'] })
      const step = endOf(
        kind === 'a step-up'
          ? page.auth.stepUp(error, { display: 'popup' })
          : page.auth.login({ display: 'popup' }),
      )
      await page.host.settle()
      const release = opened.hold(isCode)
      await opened.answer('ada')
      await page.host.settle()
      if (what.includes('window')) {
        // The window is taken already: the one who signs in does so in another tab.
        await CHANGES['another one signs in in another tab']!(opened, other)
      } else await change(opened, other)
      release()
      await page.host.clock.advance(3_000)
      expect(await step).toMatch(/^(not-authenticated|not-initialised|popup-closed|identity-changed)$/)
      const state = page.auth.getState()
      expect(state.status === 'authenticated' && state.user.userId).not.toBe('ada')
    })
  })

it.each(Object.entries(CHANGES))(
  'a challenge to the one before is nothing to confirm for who is there once %s',
  async (what, change) => {
    const { opened, other, page, scene } = await open()
    const headers = { 'www-authenticate': 'Bearer error="insufficient_user_authentication"' }
    scene.provider.instead.set('/api/data', () => json({}, 401, headers))
    const release = opened.hold(isCall)
    const asked = endOf(page.auth.fetch('/api/data'))
    await page.host.settle()
    await change(opened, other)
    release()
    await page.host.clock.advance(3_000)
    expect(await asked).toMatch(what.startsWith('the auth object') ? /^not-/ : /^not-authenticated$/)
  },
)

it('what the next user has to confirm is not what the one before was asked for', async () => {
  const opened = await openWindowScene(
    { autoLogout: false },
    { require_pushed_authorization_requests: true, pushed_authorization_request_endpoint: `${ISSUER}/par` },
  )
  const { page } = opened
  const error = stepUpRequired({ acrValues: ['gold'] })
  let isHolding = true
  const release = opened.hold((url) => isHolding && url.endsWith('/par'))
  const adas = endOf(page.auth.stepUp(error))
  await page.host.settle()
  isHolding = false
  await CHANGES['another one signs in in a window']!(opened, page)
  const bobs = endOf(page.auth.stepUp(error))
  await page.host.settle()
  release()
  await page.host.clock.advance(3_000)
  expect([await adas, await bobs]).toEqual(['not-authenticated', 'ok'])
  expect(page.host.navigations).toHaveLength(1)
})

it('what the next user asks for does not fail with the renewal of the one before', async () => {
  const { opened, page } = await open()
  let isHolding = true
  const release = opened.hold((url, body) => isHolding && isRefresh(url, body))
  const adas = endOf(page.auth.renew({ force: true }))
  await page.host.settle()
  isHolding = false
  await CHANGES['another one signs in in a window']!(opened, page)
  const bobs = endOf(page.auth.getAccessToken({ force: true }))
  await page.host.settle()
  release()
  await page.host.clock.advance(3_000)
  expect([await adas, await bobs]).toEqual(['not-authenticated', 'ok'])
})

const isFirmCall = (path: string) => /^\/(cloudprovider|support|api\/firm|firm)/.test(path)
const isGrant = (type: string) => (path: string, body: string) =>
  path === '/oauth/token' && body.includes(`"grant_type":"${type}"`)

type FirmAsked = [isHeld: (path: string, body: string) => boolean, ask: (scene: Scene) => Promise<unknown>]

/** The calls of the firm's server, on its page, and the response that each waits for. */
const FIRM: Record<string, FirmAsked> = {
  'the link map': [isFirmCall, async ({ auth }) => query(linkMapQuery(auth))],
  'a saved link map': [isFirmCall, async ({ auth }) => mutate(saveLinkMapMutation(auth), [])],
  'a changed firm': [
    isFirmCall,
    async ({ auth }) => mutate(updateFirmMutation(auth), { id: 1, cloudProviderId: 2 }),
  ],
  'support access': [
    isFirmCall,
    async ({ auth }) => mutate(authorizeSupportMutation(auth), { requestCode: 'a', duration: 5 }),
  ],
  'an exchanged assertion': [
    isGrant('jti'),
    async ({ auth }) => mutate(exchangeAssertionMutation(auth), { assertion: 'jti-1' }),
  ],
  'a passthrough with a token that is due': [
    isGrant('refresh_token'),
    async ({ auth, host }) => {
      auth.stopRenewal()
      await host.clock.advance(3_590_000)
      return mutate(passthroughMutation(auth), { redirect: '/' })
    },
  ],
}

describe.each(['another one signs in', 'they sign out', 'the auth object is disposed of'])(
  'while %s',
  (what) => {
    it.each(Object.entries(FIRM))(
      '%s of the firm’s server is of the user who asked, or of nobody',
      async (_what, [isHeld, ask]) => {
        const scene = await startScene({
          config: { autoLogin: false, autoLogout: false },
          server: { expiresInSeconds: 3_600 },
        })
        const { promise: held, resolve: release } = Promise.withResolvers<void>()
        const real = scene.host.fetch
        scene.host.fetch = async (...given) => {
          const { pathname } = new URL(urlOf(given[0]))
          if (!isHeld(pathname, bodyOf(given[1]))) return real(...given)
          heldCount += 1
          await held
          return isFirmCall(pathname) ? Response.json({}) : Response.json(createTokenResponse())
        }
        let heldCount = 0
        const asked = endOf(ask(scene))
        await scene.host.settle()
        expect(heldCount).toBe(1)
        if (what.startsWith('they')) void scene.auth.logout()
        else if (what.startsWith('the auth')) scene.auth.dispose()
        else {
          scene.auth.login({ display: 'popup' }).catch(() => {})
          await scene.host.settle()
          const popup = scene.host.popups[0]!
          scene.server.user = createFakeUser({ userId: 'bob', sessionId: 's2' })
          popup.post({ type: 'signInAnswer', address: scene.server.callbackOf(popup.urls.at(-1)!) })
          await scene.host.settle()
          expect(scene.auth.getState()).toMatchObject({ user: { userId: 'bob' } })
        }
        await scene.host.settle()
        release()
        await scene.host.clock.advance(8_000)
        expect(await asked).not.toBe('ok')
        expect(scene.host.navigations.filter((url) => url.includes('passthrough'))).toEqual([])
      },
    )
  },
)
