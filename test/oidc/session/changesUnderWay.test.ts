// What is under way when the session changes (another user, a stronger sign-in, a logout) counts for the session that it began in.
import { describe, expect, it } from 'vitest'
import type { AuthError } from '../../../src/base/errors.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { APP, ISSUER } from '../scene.ts'
import { follow, start, wayBackFromLogout } from './sessionPages.ts'
import { createOidcScene, json } from './sessionScene.ts'
import { endOf, openPayments, openWindowScene } from '../signIn/windowScene.ts'

/** The provider wants each sign-in announced. */
const ANNOUNCED = {
  require_pushed_authorization_requests: true,
  pushed_authorization_request_endpoint: `${ISSUER}/par`,
}
const FILES = 'https://files.example.com'
const isCode = (url: string, body: URLSearchParams) => url.endsWith('/token') && body.has('code')
const isRefresh = (url: string, body: URLSearchParams) => url.endsWith('/token') && body.has('refresh_token')

/** The user has signed in in the window, and the code is on its way until it is released. */
async function holdCode({ page, answer, hold }: Awaited<ReturnType<typeof openWindowScene>>) {
  const end = endOf(page.auth.login({ display: 'popup' }))
  await page.host.settle()
  const release = hold(isCode)
  await answer()
  await page.host.settle()
  return { end, release }
}

describe('a sign-in in a window', () => {
  it('whose code is on its way at a logout brings nobody back, in no tab', async () => {
    const window = await openWindowScene()
    const { scene, page } = window
    const other = await start(scene)
    await scene.browser.clock.advance(1_000)
    const { end, release } = await holdCode(window)
    void page.auth.logout()
    await page.host.settle()
    release()
    expect(await end).toBe('popup-closed')
    scene.provider.user = undefined
    const next = await follow(scene, page, wayBackFromLogout(page))
    await next.host.clock.advance(3_000)
    expect([next, other].map(({ auth }) => auth.getState().status)).toEqual([
      'unauthenticated',
      'unauthenticated',
    ])
  })

  it('whose session had expired, and whose code is on its way while they sign out in another tab, brings nobody back', async () => {
    const window = await openWindowScene()
    const { scene, page } = window
    const other = await start(scene)
    await scene.browser.clock.advance(1_000)
    scene.provider.user = undefined
    scene.provider.instead.set('/token', () => json({ error: 'invalid_grant' }, 400))
    await endOf(page.auth.renew({ force: true }))
    await scene.browser.clock.advance(1_000)
    scene.provider.instead.delete('/token')
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
    const { end, release } = await holdCode(window)
    void other.auth.logout()
    await scene.browser.clock.advance(2_000)
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    release()
    await scene.browser.clock.advance(2_000)
    expect(await end).toBe('popup-closed')
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it('gives way to a step-up, whose own rules then hold: another user is refused', async () => {
    const { page, answer, confirm } = await openPayments()
    const signIn = endOf(page.auth.login({ display: 'popup', prompt: 'select_account' }))
    const { end } = await confirm()
    await answer('bob')
    expect(await end).toBe('identity-changed')
    expect(await signIn).toBe('popup-closed')
    expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  })
})

describe('a stronger sign-in in a window', () => {
  it.each([true, false])(
    'stays, when the focus that comes back with it renews the session: %s',
    async (isFocused) => {
      const { page, answer, confirm, pay } = await openPayments({ checkSessionOnWake: true })
      await page.host.clock.advance(400_000)
      const { end } = await confirm()
      const popup = await answer()
      // The window closes itself when it has handed over, and the code is yet to be sent.
      await expect.poll(() => popup.isClosed, { interval: 1 }).toBe(true)
      if (isFocused) page.host.emit('focus')
      await page.host.settle()
      expect(await end).toBe('ok')
      expect(await pay()).toBe('ok')
    },
  )

  /** What is begun while the window is open waits for a refresh that ends after the sign-in. */
  async function confirmDuring(begin: (auth: Auth) => Promise<unknown>) {
    const { page, answer, hold, confirm, pay } = await openPayments()
    const { end } = await confirm()
    const release = hold(isRefresh)
    const begun = endOf(begin(page.auth))
    await page.host.settle()
    await answer()
    expect(await end).toBe('ok')
    release()
    expect(await begun).toBe('ok')
    return { page, pay }
  }

  it('stays, when a renewal that began before it ends after it', async () => {
    const { pay } = await confirmDuring(async (auth) => auth.renew({ force: true }))
    expect(await pay()).toBe('ok')
  })

  it('stays, when a token for an API comes late; that one is asked for again', async () => {
    const { page, pay } = await confirmDuring(async (auth) => auth.getAccessToken({ resource: FILES }))
    await page.auth.renew({ force: true })
    expect(await pay()).toBe('ok')
  })
})

describe('when another user has signed in in a window', () => {
  it('a call that was refused is not repeated as that user', async () => {
    const { scene, page, answer, hold } = await openWindowScene()
    let isFirst = true
    scene.provider.instead.set('/api/payouts', () => {
      const response = isFirst ? json({}, 401) : json({ paid: true })
      isFirst = false
      return response
    })
    const adas = await page.auth.getAccessToken()
    const release = hold((url) => url.endsWith('/api/payouts'))
    const call = endOf(page.auth.fetch('/api/payouts', { method: 'POST', body: { to: 'x' } }))
    await page.host.settle()
    void page.auth.login({ display: 'popup', prompt: 'select_account' })
    await page.host.settle()
    await answer('bob')
    await page.host.settle()
    expect(page.auth.getState()).toMatchObject({ user: { userId: 'bob' } })
    release()
    expect(await call).toBe('not-authenticated')
    const sent = scene.provider.requests.filter(({ path }) => path === '/api/payouts')
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([`Bearer ${adas}`])
  })

  it('their token for an API is asked for anew', async () => {
    const { page, answer, hold } = await openWindowScene()
    let isHeld = true
    const release = hold((url, body) => url.endsWith('/token') && body.has('resource') && isHeld)
    const adas = endOf(page.auth.getAccessToken({ resource: FILES }))
    await page.host.settle()
    isHeld = false
    void page.auth.login({ display: 'popup', prompt: 'select_account' })
    await page.host.settle()
    await answer('bob')
    await page.host.settle()
    const bobs = endOf(page.auth.getAccessToken({ resource: FILES }))
    await page.host.settle()
    release()
    expect(await bobs).toBe('ok')
    expect(await adas).toBe('not-authenticated')
  })
})

it('a token for an API that comes after another tab has signed the user out, whose message is lost, is handed to nobody', async () => {
  const { scene, page, hold } = await openWindowScene()
  const release = hold((url, body) => url.endsWith('/token') && body.has('resource'))
  const asked = endOf(page.auth.getAccessToken({ resource: FILES }))
  await page.host.settle()
  const { localStorage } = scene.browser
  const key = Object.keys(localStorage.entries()).find((name) => name.endsWith(' record'))
  localStorage.set(key ?? '', JSON.stringify({ id: 'another', reason: 'signed-out' }))
  release()
  expect(await asked).toBe('not-authenticated')
  expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
})

describe('a tab whose store of the browser was too slow at its sign-in', () => {
  it.each([
    ['and fast enough for the tab beside it', []],
    ['and for the tab beside it', ['store']],
  ] as const)('%s, is followed by another user in every tab all the same', async (_how, without) => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    scene.provider.user = 'ada'
    const first = scene.open(APP, { without: ['store'] })
    void first.auth.start()
    await first.host.settle()
    const other = scene.open(APP, { without })
    void other.auth.start()
    await other.host.settle()
    await scene.browser.clock.advance(3_000)
    expect(other.auth.getState().status).toBe('authenticated')
    void first.auth.logout()
    await first.host.settle()
    scene.provider.user = undefined
    const back = await follow(scene, first, wayBackFromLogout(first))
    expect(other.auth.getState().status).toBe('unauthenticated')
    void back.auth.login()
    await back.host.settle()
    scene.provider.user = 'bob'
    const next = await follow(scene, back)
    await scene.browser.clock.advance(3_000)
    for (const { auth } of [next, other])
      expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'bob' } })
  })
})

describe('a sign-in on its way out of the page', () => {
  it('is replaced by a stronger one: the page leaves once, with the wish of the API', async () => {
    const { page } = await openPayments()
    const error = await page.auth.fetch('/api/pay').catch((thrown: unknown) => thrown)
    const ends = [page.auth.login(), page.auth.stepUp(error as AuthError), page.auth.login()].map(endOf)
    expect(await Promise.all(ends)).toEqual(['ok', 'ok', 'ok'])
    const asked = page.host.navigations.map((url) => new URL(url).searchParams.get('acr_values'))
    expect(asked).toEqual(['gold'])
  })

  it.each([
    ['sign-in', 'ok'],
    ['step-up', 'not-authenticated'],
  ])('ends where a logout overtakes it: %s', async (kind, expected) => {
    const { scene, page } = await openPayments({}, ANNOUNCED)
    const error = await page.auth.fetch('/api/pay').catch((thrown: unknown) => thrown)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    scene.provider.instead.set('/par', async () => {
      await held
      return json({ request_uri: 'urn:late', expires_in: 60 }, 201)
    })
    const announcedCount = scene.provider.count('/par')
    const end = endOf(kind === 'sign-in' ? page.auth.login() : page.auth.stepUp(error as AuthError))
    await page.host.settle()
    expect(scene.provider.count('/par')).toBe(announcedCount + 1)
    void page.auth.logout()
    await page.host.settle()
    const before = page.host.navigations.length
    release()
    expect(await end).toBe(expected)
    expect(page.host.navigations.length).toBe(before)
    expect(page.host.navigations.at(-1)).toContain('/logout')
    expect(page.auth.getState()).toMatchObject({ status: 'redirecting', to: 'logout' })
  })
})

describe('whose it is', () => {
  it('an access token that was asked for by one user is never the next one’s', async () => {
    const { page, answer, hold } = await openWindowScene({ autoLogout: false })
    page.auth.stopRenewal()
    await page.host.clock.advance(3_590_000)
    const release = hold(isRefresh)
    const due = endOf(page.auth.getAccessToken())
    const forced = endOf(page.auth.getAccessToken({ force: true }))
    await page.host.settle()
    const signIn = endOf(page.auth.login({ display: 'popup' }))
    await page.host.settle()
    await answer('bob')
    await page.host.settle()
    expect(await signIn).toBe('ok')
    release()
    expect([await due, await forced]).toEqual(['not-authenticated', 'not-authenticated'])
    expect(page.auth.getState()).toMatchObject({ user: { userId: 'bob' } })
  })

  it('a stronger sign-in is not what somebody else’s sign-in in another tab brings', async () => {
    const { scene, confirm } = await openPayments()
    const other = await start(scene)
    await scene.browser.clock.advance(1_000)
    const { end } = await confirm()
    scene.provider.user = 'bob'
    void other.auth.login({ prompt: 'login' })
    await other.host.settle()
    await follow(scene, other)
    await scene.browser.clock.advance(3_000)
    expect(await end).toBe('not-authenticated')
  })

  it('a stronger sign-in still counts for a user whose session expired while they confirmed', async () => {
    const { scene, page, answer, confirm } = await openPayments()
    const { end } = await confirm()
    scene.provider.instead.set('/token', () => json({ error: 'invalid_grant' }, 400))
    scene.provider.user = undefined
    await endOf(page.auth.renew({ force: true }))
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
    scene.provider.instead.clear()
    await answer()
    expect(await end).toBe('ok')
    expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
  })

  it('a stronger sign-in in a window is every tab’s: no renewal of another one takes it away', async () => {
    const { scene, page, answer, confirm } = await openPayments()
    const other = await start(scene)
    await scene.browser.clock.advance(1_000)
    const { end } = await confirm()
    await answer()
    await page.host.settle()
    expect(await end).toBe('ok')
    await scene.browser.clock.advance(1_000)
    // The provider's tokens of one response have one number.
    const strong = await page.auth.getAccessToken()
    await other.auth.renew({ force: true })
    expect(scene.provider.requests.at(-1)!.body.get('refresh_token')).toBe(
      strong.replace('access', 'refresh'),
    )
  })

  it('a window that the browser refuses with an exception leaves no mark: this page is no window', async () => {
    const { page } = await openWindowScene()
    Object.assign(page.host.platform, {
      openPopup: () => {
        throw new Error('SecurityError')
      },
    })
    expect(await endOf(page.auth.login({ display: 'popup' }))).toBe('popup-blocked')
    expect(JSON.stringify(page.host.sessionStorage.entries())).not.toContain('popup')
  })
})
