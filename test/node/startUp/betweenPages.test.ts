// A page leaves its session to the next page of its tab: a reload asks nobody, and nobody else finds it.
import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { withKeyOf } from '../../../src/protocol/leftSession.ts'
import { activityKey, leftSessionKey, sessionRecordKey } from '../../../src/protocol/storageKeys.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeHost, type FakeHostOptions, type FakeTab } from '../../../src/testing/fakeHost.ts'
import {
  APP,
  CLIENT,
  CONFIG as DEFAULTS,
  nextPage as nextScene,
  type Scene,
  type SceneOptions,
  startScene,
  stepsOfPage,
} from '../session/sessionScene.ts'

const KEY = leftSessionKey(CLIENT)
const ON = { betweenPages: true }
const CONFIG = { ...DEFAULTS, ...ON } as AuthConfig
const start = async (options: SceneOptions = {}) =>
  startScene({
    ...options,
    config: { ...ON, ...options.config },
    host: { tab: { name: '' }, ...options.host },
  })
/** The next page of the tab; nothing has started. */
const nextPage = (scene: Scene, address: string, options: SceneOptions = {}) =>
  nextScene(scene, address, { ...options, config: { ...ON, ...options.config } })
/** The next page of the tab has started. */
async function next(scene: Scene, options: SceneOptions = {}, address = APP): Promise<Scene> {
  const page = nextPage(scene, address, options)
  void page.auth.start()
  await page.host.settle()
  return page
}
const asked = ({ host }: Scene) => host.requests.length + host.frames.length
const isTaken = (page: Scene) =>
  page.auth.getState().status === 'authenticated' && asked(page) === 0 && page.host.navigations.length === 0
const tabOf = (): FakeTab => ({ name: '' })
const left = ({ host }: Pick<Scene, 'host'>) => host.sessionStorage.get(KEY)
/** Signed in by a frame, because nothing was taken. */
const isAsked = (page: Scene) =>
  page.auth.getState().status === 'authenticated' && page.host.frames.length === 1

describe('a reload', () => {
  it('reads seven entries of the storages until its user is shown, with the idle logout', async () => {
    const page = await start()
    const opened = nextPage(page, APP)
    const read: string[] = []
    let shown: string[] | undefined
    for (const storage of [opened.host.localStorage, opened.host.sessionStorage]) {
      const { get } = storage
      storage.get = (key) => {
        read.push(key)
        return get(key)
      }
    }
    opened.auth.subscribe(() => {
      if (opened.auth.getState().status === 'authenticated') shown ??= [...read]
    })
    internalsOf(opened.auth).hold()
    await opened.host.settle()
    expect(shown).toHaveLength(7)
    expect(shown).toContain(activityKey(CLIENT))
  })

  it('asks nobody: the next page of the tab has the session, once and again', async () => {
    let page = await start()
    for (let count = 0; count < 3; count += 1) {
      page = await next(page)
      expect(isTaken(page)).toBe(true)
      expect(stepsOfPage(page.auth)).toContainEqual(
        expect.objectContaining({ step: 'session of the page before', outcome: 'done' }),
      )
    }
  })

  it('leaves nothing in the storage while a page runs, and no key in the name as it opens', async () => {
    const tab = tabOf()
    const page = await start({ host: { tab } })
    expect([left(page), tab.name]).toEqual([undefined, expect.stringMatching(/^latchkey-keys \w+:\S+$/)])
    const opened = nextPage(page, APP)
    expect(left(opened)).toEqual(expect.any(String))
    void opened.auth.start()
    expect([left(opened), tab.name]).toEqual([undefined, ''])
    await opened.host.settle()
    expect(isTaken(opened)).toBe(true)
  })

  it('seals each text with a key of its own, also after a renewal', async () => {
    const tab = tabOf()
    let page = await start({ host: { tab } })
    const keys = new Set([tab.name])
    await page.auth.renew({ force: true })
    await page.host.settle()
    keys.add(tab.name)
    page = await next(page)
    keys.add(tab.name)
    expect(keys.size).toBe(3)
    expect(isTaken(page)).toBe(true)
  })

  it('has the tokens of the last renewal, and renews with the living refresh token', async () => {
    const page = await start()
    await page.auth.renew({ force: true })
    await page.host.settle()
    const token = await page.auth.getAccessToken()
    const reloaded = await next(page)
    expect(await reloaded.auth.getAccessToken()).toBe(token)
    await reloaded.auth.renew({ force: true })
    expect(reloaded.host.frames).toEqual([])
    expect(reloaded.server.tokenRequests.at(-1)).toMatchObject({
      grantType: 'refresh_token',
      isGranted: true,
    })
  })

  it('holds no token in clear', async () => {
    const page = await start()
    const token = await page.auth.getAccessToken()
    const opened = nextPage(page, APP)
    expect(left(opened)).not.toContain(token)
    expect(left(opened)).not.toContain('alice')
  })

  it('counts as a wake for `checkSessionOnWake`, with a token that is 5 minutes old', async () => {
    const config = { checkSessionOnWake: true }
    const page = await start({ config })
    await page.host.clock.advance(300_000)
    const reloaded = await next(page, { config })
    expect(reloaded.host.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${CLIENT.authHost}/oauth/token`,
    ])
  })

  it('asks a frame with `betweenPages: false`, and nothing is written', async () => {
    const tab = tabOf()
    const config = { betweenPages: false }
    const page = await start({ config, host: { tab } })
    const opened = nextPage(page, APP, { config })
    expect([left(opened), tab.name]).toEqual([undefined, ''])
  })
})

describe('a frame asks, and what was left is gone, where', () => {
  const tooOld = 20_000
  const CASES: Record<string, (scene: Scene, tab: FakeTab) => Promise<SceneOptions> | SceneOptions> = {
    'another site was asked since, as a logout page of the provider': () => ({
      host: { isFromElsewhere: true },
    }),
    'the app has named its tab': (_scene, tab) => {
      tab.name = 'an app’s own'
      return {}
    },
    'the name has another key, as of another build': (_scene, tab) => {
      tab.name = withKeyOf(tab.name, tab.name.split(/[ :]/)[1]!, 'AAAA')!
      return {}
    },
    'the tokens are asked for in another way': () => ({ config: { scopes: ['openid', 'email'] } }),
  }
  it.each(Object.entries(CASES))('%s', async (_name, change) => {
    const tab = tabOf()
    const page = await start({ host: { tab } })
    const page2 = await next(page, await change(page, tab))
    expect(isAsked(page2)).toBe(true)
    expect(left(page2)).toBeUndefined()
  })

  it.each([
    ['5 s, without its name', 5_000, '', false],
    ['25 s, with its name', 25_000, undefined, false],
    ['19.9 s, as a slow reload', tooOld - 100, undefined, true],
    ['20 s', tooOld, undefined, false],
  ])('a tab is opened again after %s', async (_name, afterMs, name, isFound) => {
    const tab = tabOf()
    const page = await start({ host: { tab } })
    page.host.close()
    const { browser, sessionStorage } = page.host
    await browser.clock.advance(afterMs)
    if (name !== undefined) tab.name = name
    const host = createFakeHost(APP, { browser, sessionStorage, tab, server: page.server })
    const auth = createAuth(CONFIG, { platform: host.platform })
    void auth.start()
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
    expect(host.frames.length).toBe(isFound ? 0 : 1)
    expect(left({ host })).toBeUndefined()
  })

  it.each<[string, (scene: Scene) => void]>([
    ['the page before crashed', ({ host }) => host.crash()],
    ['the tab was discarded', ({ host }) => (host.emit('freeze'), host.crash())],
  ])('%s', async (_name, end) => {
    const tab = tabOf()
    const page = await start({ host: { tab } })
    end(page)
    const { browser, sessionStorage } = page.host
    const host = createFakeHost(APP, { browser, sessionStorage, tab, server: page.server })
    const auth = createAuth(CONFIG, { platform: host.platform })
    void auth.start()
    // The crashed page seems to be there still: it is asked first.
    await browser.clock.advance(1000)
    expect([auth.getState().status, host.frames.length]).toEqual(['authenticated', 1])
  })

  it('the page is reloaded a second time before the first was at rest', async () => {
    const page = await start()
    const first = nextPage(page, APP)
    void first.auth.start()
    expect(isAsked(await next(first))).toBe(true)
  })

  it.each([
    ['text of another build', JSON.stringify({ sealed: 'x.y', key: 'z' })],
    ['no text at all', 'null'],
    ['text that is none of ours', '{'],
  ])('there is %s', async (_name, text) => {
    const page = await start()
    const opened = nextPage(page, APP)
    opened.host.sessionStorage.set(KEY, text)
    void opened.auth.start()
    await opened.host.settle()
    expect(isAsked(opened)).toBe(true)
    expect(left(opened)).toBeUndefined()
  })

  it('a renewal was under way', async () => {
    const page = await start()
    const { fetch } = page.host
    page.host.fetch = () => new Promise(() => {})
    void page.auth.renew({ force: true }).catch(() => {})
    await Promise.resolve()
    await Promise.resolve()
    const opened = nextPage(page, APP, { host: { fetch } })
    expect(left(opened)).toBeUndefined()
  })

  it.each<[string, FakeHostOptions]>([
    ['a frame of another page', { isInFrame: true }],
    ['a window that another page has opened', { windowName: 'theirs' }],
  ])('the page is in %s: it writes no name', async (_name, host) => {
    const tab = tabOf()
    const page = await start({ host: { tab, ...host } })
    expect(tab.name).toBe('')
    const opened = nextPage(page, APP, { host })
    expect(left(opened)).toBeUndefined()
  })
})

describe('nobody is signed in', () => {
  it.each<[string, (scene: Scene) => Promise<void> | void]>([
    ['after a sign-out', async ({ auth }) => auth.logout()],
    ['after the storage was cleared', ({ host }) => host.localStorage.clear()],
    [
      'after the record became another',
      ({ host }) => void host.localStorage.set(sessionRecordKey(CLIENT), JSON.stringify({ id: 'other' })),
    ],
  ])('by what was left %s', async (_name, end) => {
    const page = await start()
    const opened = nextPage(page, APP, { config: { autoLogin: false } })
    expect(left(opened)).toEqual(expect.any(String))
    const other = createFakeHost(APP, { browser: page.host.browser, server: page.server })
    const auth = createAuth({ ...CONFIG, autoLogin: false }, { platform: other.platform })
    void auth.start()
    await other.settle()
    await end({ ...page, host: other, auth })
    await other.settle()
    page.server.user = undefined
    void opened.auth.start()
    await opened.host.settle()
    expect(opened.auth.getState().status).not.toBe('authenticated')
  })

  it.each([false, true])(
    'by what was left, where the user signs out while the app’s query cache keeps start-up waiting; another has signed in: %s',
    async (isReplaced) => {
      const page = await start({ config: { autoLogin: false } })
      const other = createFakeHost(APP, { browser: page.host.browser, server: page.server })
      const auth = createAuth({ ...CONFIG, autoLogin: false }, { platform: other.platform })
      void auth.start()
      await other.settle()
      const opened = nextPage(page, APP, { config: { autoLogin: false } })
      let goOn = () => {}
      internalsOf(opened.auth).caches.attach({
        async run(_name, work) {
          await new Promise<void>((resolve) => (goOn = resolve))
          return work()
        },
      })
      void opened.auth.start()
      await opened.host.settle()
      expect(opened.auth.getState().status).toBe('initializing')
      if (isReplaced) {
        auth.login({ display: 'popup' }).catch(() => {})
        await other.settle()
        page.server.user = createFakeUser({ userId: 'bob' })
        const popup = other.popups[0]!
        popup.post({ type: 'signInAnswer', address: page.server.callbackOf(popup.urls.at(-1)!) })
      } else void auth.logout()
      await other.settle()
      goOn()
      await opened.host.settle()
      expect(opened.auth.getState()).not.toMatchObject({ user: { userId: 'alice' } })
      const record = other.localStorage.get(sessionRecordKey(CLIENT))!
      expect('user' in (JSON.parse(record) as object)).toBe(isReplaced)
    },
  )

  it('by what was left before a response of the server in the address', async () => {
    const page = await start()
    void page.auth.login()
    await page.host.settle()
    page.host.emit('stayed')
    const state = new URL(page.host.navigations.at(-1)!).searchParams.get('state')
    page.server.user = undefined
    const back = await next(page, {}, `${APP}?state=${state}&error=server_error`)
    expect(back.auth.getState().status).toBe('failed')
    expect(left(back)).toBeUndefined()
  })
})

describe('a page of the back/forward cache', () => {
  it('has the tokens that a later page of the tab has renewed', async () => {
    const tab = tabOf()
    const page = await start({ host: { tab } })
    const { browser, sessionStorage } = page.host
    page.host.emit('pagehide')
    const later = createFakeHost(APP, { browser, sessionStorage, tab, server: page.server })
    const auth = createAuth(CONFIG, { platform: later.platform })
    void auth.start()
    await later.settle()
    await auth.renew({ force: true })
    await later.settle()
    const token = await auth.getAccessToken()
    later.close()
    page.host.emit('restored')
    await page.host.settle()
    expect(await page.auth.getAccessToken()).toBe(token)
    await page.auth.renew({ force: true })
    await page.host.settle()
    expect(page.server.tokenRequests.at(-1)).toMatchObject({ grantType: 'refresh_token', isGranted: true })
    expect(isTaken(await next(page))).toBe(true)
  })

  it('keeps its own, and the next page has them, where it left for another site', async () => {
    const page = await start()
    page.host.emit('pagehide')
    page.host.emit('restored')
    await page.host.settle()
    expect(left(page)).toBeUndefined()
    expect(isTaken(await next(page))).toBe(true)
  })
})

it('a copied tab has nothing to take, and the tab itself stays signed in', async () => {
  const tab = tabOf()
  const page = await start({ host: { tab } })
  const copy = createFakeHost(APP, {
    browser: page.host.browser,
    tab: { name: tab.name },
    server: page.server,
  })
  const auth = createAuth(CONFIG, { platform: copy.platform })
  void auth.start()
  await copy.settle()
  expect([auth.getState().status, copy.frames.length]).toEqual(['authenticated', 0])
  expect(isTaken(await next(page))).toBe(true)
})

it('two clients of one page have a key each in the name, and each takes its own session', async () => {
  const tab = tabOf()
  const page = await start({ host: { tab } })
  const ofOther = { ...CONFIG, clientId: 'other', audience: CLIENT.clientId }
  const beside = createAuth(ofOther, { platform: page.host.platform })
  void beside.start()
  await page.host.settle()
  expect(beside.getState().status).toBe('authenticated')
  expect(tab.name.split(' ')).toHaveLength(3)
  const opened = nextPage(page, APP)
  const again = createAuth(ofOther, { platform: opened.host.platform })
  void opened.auth.start()
  void again.start()
  await opened.host.settle()
  expect([opened.auth.getState().status, again.getState().status]).toEqual(['authenticated', 'authenticated'])
  expect([asked(opened), tab.name.split(' ').length]).toEqual([0, 3])
})

it('a refresh token that another tab has used between the two pages is not sent again', async () => {
  const page = await start()
  const other = createFakeHost(APP, { browser: page.host.browser, tab: tabOf(), server: page.server })
  const auth = createAuth(CONFIG, { platform: other.platform })
  void auth.start()
  await other.settle()
  const opened = nextPage(page, APP)
  await auth.renew({ force: true })
  await other.settle()
  void opened.auth.start()
  await opened.host.settle()
  await opened.auth.renew({ force: true })
  await opened.host.settle()
  const refreshed = page.server.tokenRequests.filter(({ grantType }) => grantType === 'refresh_token')
  expect(refreshed.map(({ isGranted }) => isGranted)).toEqual(refreshed.map(() => true))
  expect(await opened.auth.getAccessToken()).toBe(await auth.getAccessToken())
})

it('without IndexedDB, too', async () => {
  const host: FakeHostOptions = { tab: tabOf(), without: ['store'] }
  const page = await start({ host })
  expect(isTaken(await next(page))).toBe(true)
})
