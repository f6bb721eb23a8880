// How strong a sign-in is: what the app or an API asks for is held against what comes back; and what the page waits for while it asks.
import { describe, expect, it } from 'vitest'
import type { LoginOptions } from '../../../src/session/auth.ts'
import { createFakeStorage } from '../../../src/testing/fakeStorage.ts'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { APP, jwt, METADATA } from '../scene.ts'
import { follow, signedIn, start } from '../session/sessionPages.ts'
import { createOidcScene, type Page } from '../session/sessionScene.ts'
import { endOf, openWindowScene, type WindowScene } from './windowScene.ts'

const API = 'https://api.example.com/v1'
const GOLD = stepUpRequired({ acrValues: ['gold'], maxAgeInSeconds: 300 })
const FRESH = stepUpRequired({ maxAgeInSeconds: 60 })

type Change = (claims: Record<string, unknown>) => string
const gold: Change = (claims) => jwt({ ...claims, acr: 'gold', auth_time: claims['iat'] })
const bronze: Change = (claims) => jwt({ ...claims, acr: 'bronze', auth_time: claims['iat'] })
const old: Change = (claims) => jwt({ ...claims, auth_time: Number(claims['iat']) - 3_600 })

const WISHES: readonly (readonly [string, LoginOptions, Change, string])[] = [
  ['the strength that was asked for', { acrValues: ['gold'] }, gold, 'ok'],
  ['one of those in a text', { acrValues: 'silver gold' }, gold, 'ok'],
  ['another strength', { acrValues: ['gold', 'silver'] }, bronze, 'step-up-refused'],
  ['credentials of now', { maxAgeInSeconds: 60 }, gold, 'ok'],
  ['credentials of an hour ago', { maxAgeInSeconds: 60 }, old, 'step-up-refused'],
  ['what the server does not tell', { acrValues: ['gold'], maxAgeInSeconds: 60 }, jwt, 'ok'],
]

describe('login with a wish for strength', () => {
  it.each(WISHES)('on the page, and %s comes back: %#', async (_what, wishes, change, expected) => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    const page = await start(scene)
    await page.auth.login(wishes)
    scene.provider.user = 'ada'
    scene.provider.changeIdToken = change
    const next = await follow(scene, page)
    const state = next.auth.getState()
    expect(state.status === 'failed' ? state.error.code : 'ok').toBe(expected)
    expect(state.status).toBe(expected === 'ok' ? 'authenticated' : 'failed')
  })

  it.each(WISHES)('in a window, and %s comes back: %#', async (_what, wishes, change, expected) => {
    const { scene, page, answer } = await openWindowScene()
    const before = await page.auth.getAccessToken()
    const end = endOf(page.auth.login({ ...wishes, display: 'popup' }))
    await page.host.settle()
    scene.provider.changeIdToken = change
    await answer()
    expect(await end).toBe(expected)
    expect((await page.auth.getAccessToken()) === before).toBe(expected !== 'ok')
  })

  it('that is turned back from is a sign-in that was cancelled', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    const page = await start(scene)
    await page.auth.login({ acrValues: ['gold'] })
    const { searchParams } = new URL(page.host.navigations.at(-1)!)
    const next = await follow(scene, page, `${APP}?error=access_denied&state=${searchParams.get('state')}`)
    expect(next.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'cancelled' })
  })
})

describe('two step-ups at once', () => {
  it.each([
    ['at once', async () => {}],
    ['after the tokens were renewed', async ({ page }: WindowScene) => page.auth.renew({ force: true })],
  ])(
    'for the same, %s, share one window, and the second click brings it to the front',
    async (_when, wait) => {
      const scene = await openWindowScene()
      const { page } = scene
      const ends = [endOf(page.auth.stepUp(GOLD, { display: 'popup' }))]
      await page.host.settle()
      await wait(scene)
      const popup = page.host.popups[0]!
      const focusCount = popup.focusCount
      ends.push(endOf(page.auth.stepUp(GOLD, { display: 'popup' })))
      await page.host.settle()
      expect([page.host.popups.length, popup.focusCount - focusCount]).toEqual([1, 1])
      page.auth.dispose()
      expect(await Promise.all(ends)).toEqual(['not-initialised', 'not-initialised'])
    },
  )

  it('for another strength do not join: the second takes the window, with its own wish', async () => {
    const { page, answer, scene } = await openWindowScene()
    const first = endOf(page.auth.stepUp(GOLD, { display: 'popup' }))
    await page.host.settle()
    const second = endOf(page.auth.stepUp(FRESH, { display: 'popup' }))
    await page.host.settle()
    expect(await first).toBe('popup-closed')
    const asked = new URL(page.host.popups.at(-1)!.urls.at(-1)!).searchParams
    expect([asked.get('acr_values'), asked.get('max_age')]).toEqual([null, '60'])
    scene.provider.changeIdToken = gold
    await answer()
    expect(await second).toBe('ok')
  })

  it('on the page leave once, for the last', async () => {
    const { page } = await openWindowScene()
    const ends = [page.auth.stepUp(GOLD), page.auth.stepUp(FRESH)].map(endOf)
    expect(await Promise.all(ends)).toEqual(['ok', 'ok'])
    expect(page.host.navigations.map((url) => new URL(url).searchParams.get('max_age'))).toEqual(['60'])
  })
})

describe('a window that another page of the sign-in has opened', () => {
  /** It begins with a copy of what the sign-in's own window begins with. */
  async function openFromSignInPage(scene: WindowScene['scene'], page: WindowScene['page']) {
    let copy = createFakeStorage()
    Object.assign(page.host.platform, {
      openPopup: () => {
        copy = createFakeStorage(page.host.sessionStorage.entries())
        return undefined
      },
    })
    await endOf(page.auth.login({ display: 'popup' }))
    expect(JSON.stringify(copy.entries())).toContain('popup sign-in')
    const window = scene.open(APP, { sessionStorage: copy })
    void window.auth.start()
    await scene.browser.clock.advance(1_000)
    return window
  }

  it('has the mark of the sign-in’s window too, and is a page like any other', async () => {
    const { scene, page } = await openWindowScene()
    const window = await openFromSignInPage(scene, page)
    expect(window.auth.getState().status).toBe('authenticated')
  })

  it('signs in there whoever does so there', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    const page = await start(scene)
    const window = await openFromSignInPage(scene, page)
    await window.auth.login()
    scene.provider.user = 'ada'
    const back = await follow(scene, window)
    expect(back.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(back.host.counts().listeners).toBeGreaterThan(0)
  })
})

describe('a token for another API than the one that was asked for', () => {
  it.each<[string, unknown, string]>([
    ['for that API', API, 'ok'],
    ['for that API, with a slash at its end', `${API}/`, 'ok'],
    ['for several', ['https://a.example.com', API], 'ok'],
    ['for nobody', undefined, 'ok'],
    ['for the session’s own API', 'https://own.example.com', 'not-supported'],
    ['for none in a list', [], 'not-supported'],
  ])('is not handed out: %s', async (_what, aud, expected) => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    const own = await page.auth.getAccessToken()
    const came = jwt({ sub: 'ada', aud })
    scene.provider.answer = { access_token: came }
    const call = () => endOf(page.auth.getAccessToken({ resource: API }))
    expect([await call(), await call()]).toEqual([expected, expected])
    scene.provider.answer = {}
    // Some servers end the access token before at each refresh: then the one that came is the only one that lives.
    expect(await page.auth.getAccessToken()).toBe(expected === 'ok' ? own : came)
    expect(await endOf(page.auth.renew({ force: true }))).toBe('ok')
  })
})

describe('crypto of the browser that hangs', () => {
  const hang = () => new Promise<never>(() => {})
  const hangIn = ({ host }: Pick<Page, 'host'>, name: keyof SubtleCrypto) => {
    const { crypto } = host.platform
    const subtle = new Proxy(crypto.subtle!, {
      get: (real, method) => (method === name ? hang : (Reflect.get(real, method) as unknown)),
    })
    Object.assign(crypto, { subtle })
  }

  it('ends start-up with its reason', async () => {
    const scene = createOidcScene()
    const page = scene.open()
    hangIn(page, 'digest')
    void page.auth.start()
    await scene.browser.clock.advance(10_000)
    const state = page.auth.getState()
    expect(state.status === 'failed' && state.error).toMatchObject({ code: 'proof-key-unavailable' })
  })

  it('ends a sign-in with its reason, in the page and in a window', async () => {
    const { page } = await openWindowScene()
    hangIn(page, 'digest')
    const ends = [endOf(page.auth.login()), endOf(page.auth.login({ display: 'popup' }))]
    await page.host.clock.advance(10_000)
    expect(await Promise.all(ends)).toEqual(['proof-key-unavailable', 'proof-key-unavailable'])
  })

  it.each(['generateKey', 'exportKey', 'sign'] as const)(
    'ends start-up with its reason where tokens are bound: %s',
    async (name) => {
      const scene = createOidcScene({ options: { dpop: 'required' } })
      scene.provider.dpop = true
      scene.provider.metadata = { ...METADATA, dpop_signing_alg_values_supported: ['ES256'] }
      scene.provider.user = 'ada'
      const page = scene.open()
      hangIn(page, name)
      void page.auth.start()
      await scene.browser.clock.advance(40_000)
      const state = page.auth.getState()
      expect(state.status === 'failed' && state.error.code).toBe('timeout')
    },
  )
})
