// Tokens of one sign-in and of the next: an older family neither takes the place of a newer one nor ends it, in no tab.
import { describe, expect, it } from 'vitest'
import { APP } from '../scene.ts'
import { follow, signedIn, start } from './sessionPages.ts'
import { createOidcScene, json, type Page } from './sessionScene.ts'
import { endOf, openPayments } from '../signIn/windowScene.ts'
import { bodyOf, urlOf } from '../../holdRequests.ts'

/** What the token endpoint says to the refreshes of a page waits, or is another answer. */
function intercept({ host }: Page) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let isRefused = false
  const real = host.fetch
  host.fetch = async (input, init) => {
    const isRefresh = urlOf(input).endsWith('/token') && bodyOf(init).includes('refresh_token=')
    if (!isRefresh) return real(input, init)
    const response = isRefused ? json({ error: 'invalid_grant' }, 400) : await real(input, init)
    await released
    return response
  }
  return {
    release,
    refuse() {
      isRefused = true
    },
  }
}

async function openTwo() {
  const opened = await openPayments()
  const other = await start(opened.scene)
  await opened.scene.browser.clock.advance(1_000)
  return { ...opened, other }
}

describe('a step-up in a window while another tab renews', () => {
  it('stays in every tab: what the renewal brings is of the sign-in before', async () => {
    const { scene, page, answer, confirm, other, pay } = await openTwo()
    const { end } = await confirm()
    const renewing = intercept(other)
    const renewal = endOf(other.auth.renew({ force: true }))
    await scene.browser.clock.advance(100)
    await answer()
    await page.host.settle()
    expect(await end).toBe('ok')
    const strong = await page.auth.getAccessToken()
    renewing.release()
    await scene.browser.clock.advance(3_000)
    expect(await renewal).toBe('ok')
    expect([await page.auth.getAccessToken(), await other.auth.getAccessToken()]).toEqual([strong, strong])
    expect(await pay()).toBe('ok')
  })

  it.each([true, false])(
    'is ended by no refusal of the tokens before it; the server’s own session is still there: %s',
    async (isThere) => {
      const { scene, page, answer, confirm, other, pay } = await openTwo()
      const { end } = await confirm()
      const renewing = intercept(other)
      renewing.refuse()
      const renewal = endOf(other.auth.renew({ force: true }))
      await scene.browser.clock.advance(100)
      await answer()
      await page.host.settle()
      expect(await end).toBe('ok')
      if (!isThere) scene.provider.user = undefined
      renewing.release()
      await scene.browser.clock.advance(5_000)
      expect(await renewal).toBe('ok')
      const states = [page, other].map(({ auth }) => auth.getState().status)
      expect(states).toEqual(['authenticated', 'authenticated'])
      expect(await pay()).toBe('ok')
    },
  )

  it('is ended by no refusal of this tab’s own renewal of the tokens before it', async () => {
    const { scene, page, answer, confirm, pay } = await openPayments()
    const { end } = await confirm()
    const renewing = intercept(page)
    renewing.refuse()
    const renewal = endOf(page.auth.renew({ force: true }))
    await page.host.settle()
    await answer()
    expect(await end).toBe('ok')
    scene.provider.user = undefined
    renewing.release()
    await page.host.settle()
    expect(await renewal).toBe('ok')
    expect(page.auth.getState().status).toBe('authenticated')
    expect(await pay()).toBe('ok')
  })

  it('outlives the word of a tab whose older tokens have expired, also after a sleep', async () => {
    const { scene, page, answer, confirm, pay } = await openPayments()
    const { end } = await confirm()
    await answer()
    await page.host.settle()
    expect(await end).toBe('ok')
    const name = 'latchkey https://login.example.com/realms/staff admin tabs'
    const channels: string[] = []
    const channel = page.host.platform.tabs().openChannel!(name, (word) =>
      channels.push(JSON.stringify(word)),
    )
    void page.auth.renew({ force: true })
    await scene.browser.clock.advance(1_000)
    const { asked } = JSON.parse(channels[0] ?? '{}') as { asked?: string }
    expect(asked).toBeDefined()
    channel.post({ type: 'ended', reason: 'expired', sessions: ['sid-1 ada'], generation: 0, asked })
    await scene.browser.clock.advance(1_000)
    page.host.emit('resume')
    await page.host.settle()
    expect(page.auth.getState().status).toBe('authenticated')
    expect(await pay()).toBe('ok')
  })
})

describe('two pages of one client that ask for something else', () => {
  async function openFamilies() {
    const scene = createOidcScene({ config: { autoLogin: false } })
    scene.provider.user = 'ada'
    const first = await start(scene)
    const scopes = ['openid', 'offline_access', 'reports']
    const second = scene.open(APP, {}, { ...scene.config(), scopes })
    void second.auth.start()
    await scene.browser.clock.advance(3_000)
    return { scene, first, second }
  }

  it('share no session: each has tokens of its own', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    scene.provider.user = 'ada'
    const first = await start(scene)
    const token = await first.auth.getAccessToken()
    const before = scene.provider.count('/token')
    const more = createOidcScene({
      config: { autoLogin: false, scopes: ['openid', 'offline_access', 'reports'] },
    })
    const second = scene.open(APP, {}, more.config())
    void second.auth.start()
    await scene.browser.clock.advance(3_000)
    expect(second.auth.getState().status).toBe('authenticated')
    expect(await second.auth.getAccessToken()).not.toBe(token)
    expect(scene.provider.count('/token')).toBe(before + 1)
    await second.auth.renew({ force: true })
    await scene.browser.clock.advance(3_000)
    expect(await first.auth.getAccessToken()).toBe(token)
  })

  it('end together when the user signs out in one of them', async () => {
    const { scene, first, second } = await openFamilies()
    void first.auth.logout()
    await scene.browser.clock.advance(6_000)
    expect(second.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  })

  it('expire each by itself', async () => {
    const { scene, first, second } = await openFamilies()
    scene.provider.user = undefined
    const renewing = intercept(second)
    renewing.refuse()
    renewing.release()
    expect(await endOf(second.auth.renew({ force: true }))).toBe('invalid-grant')
    await scene.browser.clock.advance(1_000)
    first.host.emit('resume')
    await first.host.settle()
    expect([first, second].map(({ auth }) => auth.getState().status)).toEqual([
      'authenticated',
      'unauthenticated',
    ])
  })
})

describe('an API that refuses every token', () => {
  it('costs one renewal, however often it is called; half a minute later one more', async () => {
    const scene = createOidcScene()
    const page = await signedIn(scene)
    scene.provider.instead.set('/api/no', () => json({}, 401))
    const before = scene.provider.count('/token')
    for (let count = 0; count < 5; count += 1) await endOf(page.auth.fetch('/api/no'))
    expect(scene.provider.count('/token')).toBe(before + 1)
    await scene.browser.clock.advance(31_000)
    await endOf(page.auth.fetch('/api/no'))
    expect(scene.provider.count('/token')).toBe(before + 2)
  })
})

describe('a token that lives for less than a minute', () => {
  it.each([20, 30, 50])('of %i s serves the calls of half of its life', async (life) => {
    const scene = createOidcScene()
    scene.provider.answer = { expires_in: life }
    const page = await signedIn(scene)
    const before = scene.provider.count('/token')
    const first = await page.auth.getAccessToken()
    await scene.browser.clock.advance(life * 400)
    expect(await page.auth.getAccessToken()).toBe(first)
    const forApi = await page.auth.getAccessToken({ resource: 'https://files.example.com' })
    expect(await page.auth.getAccessToken({ resource: 'https://files.example.com' })).toBe(forApi)
    expect(scene.provider.count('/token')).toBe(before + 1)
    await scene.browser.clock.advance(life * 200)
    expect(await page.auth.getAccessToken()).not.toBe(first)
  })
})

describe('the verifier of a sign-in that never came back', () => {
  const verifierIn = ({ host }: Page) => /[^_]verifier/.test(JSON.stringify(host.sessionStorage.entries()))

  it('is gone after ten minutes, by a timer, though nobody signs in', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    const page = await start(scene)
    void page.auth.login()
    await page.host.settle()
    expect(verifierIn(page)).toBe(true)
    // The page is still there: the address was a download, or the user came back.
    await scene.browser.clock.advance(590_000)
    expect(verifierIn(page)).toBe(true)
    await scene.browser.clock.advance(11_000)
    expect(verifierIn(page)).toBe(false)
  })

  it.each([0, 300_000])('is gone with the next page, or when its time has come: after %i ms', async (age) => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    const page = await start(scene)
    void page.auth.login()
    await page.host.settle()
    scene.browser.clock.sleep(age)
    const next = await follow(scene, page, APP)
    await scene.browser.clock.advance(602_000)
    expect(verifierIn(next)).toBe(false)
    next.auth.dispose()
    expect(next.host.counts().timers).toBe(0)
  })

  it('is gone at once where the next page comes later', async () => {
    const scene = createOidcScene({ config: { autoLogin: false } })
    const page = await start(scene)
    void page.auth.login()
    await page.host.settle()
    scene.browser.clock.sleep(3_600_000)
    expect(verifierIn(await follow(scene, page, APP))).toBe(false)
  })
})
