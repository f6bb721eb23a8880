// Signing in in a window, page and window both played: the page stays, whatever becomes of the window.
import { describe, expect, it } from 'vitest'
import { POPUP_GRACE_MS, POPUP_LIMIT_MS, POPUP_POLL_MS } from '../../../src/base/popupConstants.ts'
import type { AuthError } from '../../../src/base/errors.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import type { PopupPort } from '../../../src/session/platform/platform.ts'
import { createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'
import { createFakeStorage, type FakeStorage } from '../../../src/testing/fakeStorage.ts'
import { pendingLogoutKey } from '../../../src/protocol/storageKeys.ts'
import type { FakeFrame, FakePopup } from '../../../src/testing/fakeWindows.ts'
import {
  APP,
  CLIENT,
  CONFIG,
  createScene,
  type Scene,
  type SceneOptions,
  tokenBodies,
} from '../session/sessionScene.ts'

/** A page where nobody is signed in, and the copy of its session storage that each new window begins with. */
async function signedOut(options: SceneOptions = {}, isFirstFrameMute = false) {
  const copies: FakeStorage[] = []
  const frames: FakeFrame[] = []
  let isMute = isFirstFrameMute
  const scene: Scene = createScene({
    ...options,
    config: { autoLogin: false, ...options.config },
    server: { user: undefined, ...options.server },
    host: {
      onPopup: () => void copies.push(createFakeStorage(scene.host.sessionStorage.entries())),
      onFrame(frame) {
        frames.push(frame)
        queueMicrotask(() => isMute || scene.server.answerFrame(frame))
      },
      ...options.host,
    },
  })
  void scene.auth.start()
  await scene.host.settle()
  return { ...scene, copies, frames, setMute: (next: boolean) => (isMute = next) }
}

type Page = Awaited<ReturnType<typeof signedOut>>

/** How a promise ended. */
function ending(promise: Promise<void>) {
  const seen: { how?: string; error?: AuthError } = {}
  promise.then(
    () => (seen.how = 'done'),
    (error: unknown) => Object.assign(seen, { how: (error as AuthError).code, error }),
  )
  return seen
}

/** Clicks, and waits until the window is at the sign-in page. */
async function openWindow(page: Page, options: Parameters<Auth['login']>[0] = {}) {
  const end = ending(page.auth.login({ ...options, display: 'popup' }))
  const popup = page.host.popups.at(-1)!
  await page.host.settle()
  return { end, popup, url: popup.urls.at(-1)! }
}

/** The page of the app that the server sends the window to. */
async function comeBack(page: Page, popup: FakePopup, address: string): Promise<FakeHost> {
  const host = createFakeHost(address, {
    browser: page.host.browser,
    sessionStorage: page.copies.at(-1),
    popup,
    fetch: page.server.fetch,
  })
  void createAuth(CONFIG, { platform: host.platform }).start()
  await host.settle()
  return host
}

/** The user signs in on the server's page in the window. */
async function signIn(page: Page, popup: FakePopup, user = createFakeUser()): Promise<FakeHost> {
  page.server.user = user
  return comeBack(page, popup, page.server.callbackOf(popup.urls.at(-1)!))
}

const steps = (auth: Auth) =>
  auth
    .explain()
    .filter(({ step }) => step === 'sign in in a window')
    .map(({ outcome, detail }) => (detail === undefined ? outcome : `${outcome}: ${detail}`))

describe('a sign-in in a window', () => {
  it('opens the window in the click, and sends it on when all is ready', async () => {
    const page = await signedOut()
    void page.auth.login({ display: 'popup', prompt: 'login' })
    const [popup] = page.host.popups
    expect(popup?.urls).toEqual(['about:blank'])
    await page.host.settle()
    const { origin, searchParams } = new URL(popup!.urls.at(-1)!)
    expect(origin).toBe('https://auth.test')
    expect([searchParams.get('prompt'), searchParams.get('redirect_uri')]).toEqual(['login', APP])
  })

  it.each([false, true])('signs in, and the page stays where it is; window cut off: %s', async (isCutOff) => {
    const page = await signedOut({ address: `${APP}firms?page=2#row` })
    const seen: unknown[] = []
    page.auth.setHook('afterLogin', ({ user, via }) => seen.push([user.userId, via]))
    const { end, popup } = await openWindow(page)
    if (isCutOff) popup.cutOff()
    const back = await signIn(page, popup)
    await page.host.settle()
    expect(end.how).toBe('done')
    expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    expect([page.host.address, page.host.navigations]).toEqual([`${APP}firms?page=2#row`, []])
    expect(seen).toEqual([['alice', 'popup']])
    expect(steps(page.auth)).toEqual(['started', 'done'])
    expect([popup.isClosed, back.address, back.requests]).toEqual([true, APP, []])
  })

  it('leaves nothing behind: no timer, no channel, no mark, no record of the attempt', async () => {
    const page = await signedOut({ config: { autoLogout: false, uniqueSession: false } })
    const { popup, url } = await openWindow(page)
    // What the answer is recognised by, should nobody wait for it any more; the verifier stays in memory.
    const state = new URL(url).searchParams.get('state')!
    expect(JSON.stringify(page.host.sessionStorage.entries())).toMatch(new RegExp(`${state}.*isOver`))
    expect(JSON.stringify(page.host.sessionStorage.entries())).not.toContain('verifier')
    await signIn(page, popup)
    expect(page.host.sessionStorage.entries()).toEqual({})
    page.auth.dispose()
    await page.host.settle()
    expect(page.host.counts()).toMatchObject({ listeners: 0, timers: 0, channels: 0, popups: 0 })
    expect(JSON.stringify(page.host.sessionStorage.entries())).not.toContain('popup')
  })

  it('is told to the other tabs', async () => {
    const page = await signedOut()
    const other = createFakeHost(APP, { browser: page.host.browser, fetch: page.server.fetch })
    const { popup } = await openWindow(page)
    await signIn(page, popup)
    const tab = createAuth(CONFIG, { platform: other.platform })
    void tab.start()
    await other.clock.advance(1000)
    expect(tab.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
  })

  it('keeps its verifier in the memory of the page: what others hear is of no use to them', async () => {
    const page = await signedOut()
    const heard: unknown[] = []
    const { popup, url } = await openWindow(page)
    popup.cutOff()
    const spy = createFakeHost(APP, { browser: page.host.browser, fetch: page.server.fetch })
    spy.platform.tabs().openChannel!(popup.name, (message) => heard.push(message))
    await signIn(page, popup)
    await page.host.settle()
    const text = JSON.stringify(heard)
    const body = tokenBodies(page.host).find(({ code }) => code !== undefined)!
    expect(text).toContain(body['code'])
    // Neither on the channel nor in any storage nor in the address: in the page's memory alone.
    const verifier = body['code_verifier']!
    const everything = [
      text,
      url,
      JSON.stringify(page.host.browser.posted),
      JSON.stringify(page.host.localStorage.entries()),
      JSON.stringify(page.copies.map((copy) => copy.entries())),
      JSON.stringify(page.host.sessionStorage.entries()),
    ].join('\n')
    expect(verifier.length).toBeGreaterThan(40)
    expect(everything).not.toContain(verifier)
  })

  it('whose window is cut off goes on while the user is there', async () => {
    const page = await signedOut()
    const { end, popup } = await openWindow(page)
    popup.cutOff()
    // The user is in the window: it looks closed, and is not called so.
    page.host.isPageInFront = false
    await page.host.clock.advance(POPUP_GRACE_MS * 10)
    expect(end.how).toBeUndefined()
    await signIn(page, popup)
    await page.host.settle()
    expect([end.how, page.auth.getState().status]).toEqual(['done', 'authenticated'])
  })

  it('whose window is cut off is known as such, though the page had left for the sign-in page before', async () => {
    const page = await signedOut()
    await page.auth.login()
    page.host.emit('restored')
    await page.host.settle()
    const { end, popup } = await openWindow(page)
    popup.cutOff()
    await signIn(page, popup)
    await page.host.settle()
    expect([end.how, page.auth.getState().status]).toEqual(['done', 'authenticated'])
  })

  it('whose window only seemed to be closed still signs in', async () => {
    const page = await signedOut()
    const { end, popup } = await openWindow(page)
    popup.cutOff()
    page.host.isPageInFront = true
    await page.host.clock.advance(POPUP_GRACE_MS + POPUP_POLL_MS)
    expect(end.how).toBe('popup-closed')
    await signIn(page, popup)
    await page.host.settle()
    expect(page.auth.getState().status).toBe('authenticated')
    expect(steps(page.auth).at(-1)).toBe('done')
  })

  it('whose window seemed to be closed sends no code once another one is open: that one finds the session', async () => {
    const page = await signedOut()
    const first = await openWindow(page)
    first.popup.cutOff()
    await page.host.clock.advance(POPUP_GRACE_MS + POPUP_POLL_MS)
    const { end } = await openWindow(page)
    const framesBefore = page.frames.length
    const back = await signIn(page, first.popup)
    await page.host.settle()
    expect([first.end.how, end.how, page.auth.getState().status]).toEqual([
      'popup-closed',
      'done',
      'authenticated',
    ])
    expect(page.frames.length - framesBefore).toBe(1)
    expect(tokenBodies(page.host)).toHaveLength(1)
    expect(back.address).toBe(APP)
  })

  describe('that the server answers with the state of', () => {
    const frames = async () => {
      const page = await signedOut({ config: { iframeTimeoutInSeconds: 5 } }, true)
      await page.host.clock.advance(60_000)
      return { page, url: page.frames[0]!.url }
    }
    const window = async () => {
      const page = await signedOut()
      const { popup, url } = await openWindow(page)
      await page.host.clock.advance(POPUP_GRACE_MS)
      popup.close()
      await page.host.clock.advance(POPUP_POLL_MS)
      return { page, url }
    }
    const late = async () => {
      const page = await signedOut()
      const { url } = await openWindow(page)
      await page.host.clock.advance(POPUP_LIMIT_MS)
      return { page, url }
    }
    const left = async () => {
      const page = await signedOut()
      await page.auth.login()
      const url = page.host.navigations[0]!
      page.host.emit('restored')
      return { page, url }
    }
    const ATTEMPTS = { 'a hidden frame': frames, 'a window that was closed': window }

    it.each(Object.entries({ ...ATTEMPTS, 'one that timed out': late, 'a sign-in that was left': left }))(
      '%s ends signed in: one silent check, and that code is not sent',
      async (_what, prepare) => {
        const { page, url } = await prepare()
        const { end, popup } = await openWindow(page)
        page.setMute(false)
        const framesBefore = page.frames.length
        page.server.user = createFakeUser()
        const address = page.server.callbackOf(url)
        const back = await comeBack(page, popup, address)
        await page.host.settle()
        expect([end.how, page.auth.getState().status]).toEqual(['done', 'authenticated'])
        expect([popup.isClosed, back.address, back.requests]).toEqual([true, APP, []])
        expect(page.frames.length - framesBefore).toBe(1)
        const codes = tokenBodies(page.host).map(({ code }) => code)
        expect(codes).toHaveLength(1)
        expect(codes).not.toContain(new URL(address).searchParams.get('code'))
      },
    )

    it.each(Object.entries(ATTEMPTS))('%s, and nobody is signed in: says so', async (_what, prepare) => {
      const { page, url } = await prepare()
      const { end, popup } = await openWindow(page)
      page.setMute(false)
      page.server.user = createFakeUser()
      const address = page.server.callbackOf(url)
      page.server.user = undefined
      await comeBack(page, popup, address)
      await page.host.settle()
      expect([end.how, page.auth.getState().status]).toEqual(['login-required', 'unauthenticated'])
    })

    it('a hidden frame, and the user turned back: says so', async () => {
      const { page, url } = await frames()
      const { end, popup } = await openWindow(page)
      await comeBack(page, popup, page.server.callbackOf(url, 'access_denied'))
      await page.host.settle()
      expect([end.how, page.frames.length]).toEqual(['access-denied', 1])
    })

    it('a hidden frame after a logout that nobody has confirmed: nobody is let back in', async () => {
      const { page, url } = await frames()
      page.host.localStorage.set(
        pendingLogoutKey(CLIENT),
        JSON.stringify({ reason: 'signed-out', isSent: true, atMs: page.host.clock.nowMs }),
      )
      const { end, popup } = await openWindow(page)
      page.setMute(false)
      page.server.user = createFakeUser()
      await comeBack(page, popup, page.server.callbackOf(url))
      await page.host.settle()
      expect([end.how, page.frames.length, tokenBodies(page.host)]).toEqual(['logout-failed', 1, []])
      expect(page.auth.getState().status).toBe('unauthenticated')
    })

    it('a hidden frame, when the window is reloaded or says it twice: it counts once', async () => {
      const { page, url } = await frames()
      const { end, popup } = await openWindow(page)
      page.setMute(false)
      page.server.user = createFakeUser()
      const message = { type: 'signInAnswer', address: page.server.callbackOf(url) }
      popup.post(message)
      popup.post(message)
      await page.host.settle()
      expect([end.how, tokenBodies(page.host).length]).toEqual(['done', 1])
    })
  })

  it('whose window the browser blocks says so; the page can be left instead, when the user wants that', async () => {
    const page = await signedOut()
    page.host.isPopupBlocked = true
    const end = ending(page.auth.login({ display: 'popup' }))
    await page.host.settle()
    expect(end.how).toBe('popup-blocked')
    expect([page.auth.getState().status, page.host.navigations]).toEqual(['unauthenticated', []])
    await page.auth.login({ display: 'page' })
    expect(new URL(page.host.navigations[0]!).pathname).toBe('/oauth/authorize')
  })

  it('whose window a blocker returns closed says so too, and listens to it no longer', async () => {
    const page = await signedOut()
    let closeCount = 0
    const port: PopupPort = { isClosed: true, navigate() {}, focus() {}, close: () => void (closeCount += 1) }
    Object.assign(page.host.platform, { openPopup: () => port })
    const end = ending(page.auth.login({ display: 'popup' }))
    await page.host.settle()
    expect([end.how, closeCount]).toEqual(['popup-blocked', 1])
  })

  it('whose window is closed by hand says so within a moment, and changes nothing', async () => {
    const page = await signedOut()
    const before = page.auth.getState()
    const { end, popup } = await openWindow(page)
    await page.host.clock.advance(60_000)
    popup.close()
    await page.host.clock.advance(POPUP_POLL_MS)
    expect(end.how).toBe('popup-closed')
    expect(page.auth.getState()).toBe(before)
    expect(steps(page.auth)).toEqual(['started', 'failed: The window was closed before anything changed'])
  })

  it('whose window is closed before it went anywhere goes nowhere', async () => {
    const page = await signedOut()
    const before = page.host.counts()
    const end = ending(page.auth.login({ display: 'popup' }))
    const [popup] = page.host.popups
    popup!.close()
    await page.host.settle()
    await page.host.clock.advance(POPUP_POLL_MS)
    expect([end.how, popup!.urls, page.host.counts()]).toEqual(['popup-closed', ['about:blank'], before])
  })

  it('is given up at its limit, and its window goes', async () => {
    const page = await signedOut()
    const { end, popup } = await openWindow(page)
    await page.host.clock.advance(POPUP_LIMIT_MS)
    expect([end.how, popup.isClosed]).toEqual(['popup-timeout', true])
  })

  it('is over when the user signs in in another tab', async () => {
    const page = await signedOut()
    const { end, popup } = await openWindow(page)
    page.server.user = createFakeUser()
    const other = createFakeHost(APP, {
      browser: page.host.browser,
      server: page.server,
    })
    await Promise.all([createAuth(CONFIG, { platform: other.platform }).start(), other.settle()])
    await page.host.settle()
    expect([end.how, popup.isClosed, page.auth.getState().status]).toEqual(['done', true, 'authenticated'])
    expect(steps(page.auth)).toEqual(['started', 'done: in another tab'])
  })

  it('is one, however often it is asked for: the same window comes to the front', async () => {
    const page = await signedOut()
    const { end, popup } = await openWindow(page)
    const again = ending(page.auth.login({ display: 'popup' }))
    expect([page.host.popups.length, popup.focusCount]).toEqual([1, 1])
    await signIn(page, popup)
    await page.host.settle()
    expect([end.how, again.how]).toEqual(['done', 'done'])
    expect(tokenBodies(page.host)).toHaveLength(1)
  })

  it('that the user refuses says so, and changes nothing', async () => {
    const page = await signedOut()
    const { end, popup } = await openWindow(page)
    await comeBack(page, popup, page.server.callbackOf(popup.urls.at(-1)!, 'access_denied'))
    await page.host.settle()
    expect([end.how, page.auth.getState()]).toMatchObject([
      'access-denied',
      { status: 'unauthenticated', reason: 'none' },
    ])
    expect(popup.isClosed).toBe(true)
  })

  it('hears no answer but its own', async () => {
    const page = await signedOut()
    const { end, popup, url } = await openWindow(page)
    const answer = new URL(page.server.callbackOf(url))
    const other = new URL(answer)
    other.searchParams.set('state', 'Zz99zZ')
    const twice = new URL(answer)
    twice.searchParams.append('state', 'Zz99zZ')
    for (const message of [
      'closeMe',
      undefined,
      answer.href,
      { type: 'signInAnswer' },
      { type: 'signInAnswer', address: 42 },
      { type: 'signInAnswer', address: other.href },
      { type: 'signInAnswer', address: twice.href },
    ])
      popup.post(message)
    await page.host.settle()
    expect([end.how, page.host.requests.filter(({ method }) => method === 'POST')]).toEqual([undefined, []])
  })

  it('refuses the answer of another issuer', async () => {
    const page = await signedOut()
    const { end, popup, url } = await openWindow(page)
    const address = new URL(page.server.callbackOf(url))
    address.searchParams.set('iss', 'https://evil.test')
    await comeBack(page, popup, address.href)
    await page.host.settle()
    expect([end.how, tokenBodies(page.host)]).toEqual(['issuer-mismatch', []])
  })

  it('in a frame of another site says so when the window cannot answer, and the page can be left instead', async () => {
    const page = await signedOut({ host: { isInFrame: true } })
    const { end, popup } = await openWindow(page)
    popup.cutOff()
    await page.host.clock.advance(POPUP_GRACE_MS + POPUP_POLL_MS)
    expect(end.error).toMatchObject({
      code: 'popup-closed',
      remedy: 'Sign in on the page itself: in a frame of another site a window cannot always answer.',
    })
    await page.auth.login({ display: 'page' })
    expect(page.host.navigations).toHaveLength(1)
  })

  it('in a frame of another site the window answers its opener, without any channel or storage', async () => {
    const page = await signedOut({ host: { isInFrame: true, without: ['channels'] } })
    const { end, popup, url } = await openWindow(page)
    page.copies.push(createFakeStorage())
    await comeBack(page, popup, page.server.callbackOf(url))
    await page.host.settle()
    expect([end.how, page.auth.getState().status]).toEqual(['done', 'authenticated'])
  })

  it('ends nothing and signs nobody in after dispose()', async () => {
    const page = await signedOut()
    const { end, popup } = await openWindow(page)
    page.auth.dispose()
    await page.host.settle()
    expect([end.how, popup.isClosed, page.host.counts().channels]).toEqual(['not-initialised', true, 0])
    await signIn(page, popup)
    expect([page.auth.getState().status, tokenBodies(page.host)]).toEqual(['initializing', []])
  })

  it('opens no sign-in page when dispose() comes while its window is still empty', async () => {
    const page = await signedOut()
    const end = ending(page.auth.login({ display: 'popup' }))
    const [popup] = page.host.popups
    page.auth.dispose()
    await page.host.settle()
    expect([end.how, popup!.isClosed, popup!.urls]).toEqual(['not-initialised', true, ['about:blank']])
  })

  it('opens no sign-in page when the page leaves while its window is still empty', async () => {
    const page = await signedOut()
    const end = ending(page.auth.login({ display: 'popup' }))
    const [popup] = page.host.popups
    void internalsOf(page.auth).leaveSignedIn('login', () => 'https://auth.test/elsewhere')
    await page.host.settle()
    expect([end.how, popup!.isClosed, popup!.urls]).toEqual(['popup-closed', true, ['about:blank']])
  })

  it('takes its window with it when the page goes while that is still empty, and only then', async () => {
    const page = await signedOut()
    void page.auth.login({ display: 'popup' }).catch(() => {})
    const [popup] = page.host.popups
    page.host.emit('pagehide')
    expect(popup!.isClosed).toBe(true)
    const other = await signedOut()
    const opened = await openWindow(other)
    other.host.emit('pagehide')
    expect(opened.popup.isClosed).toBe(false)
  })

  it('without a network closes its window, with the reason', async () => {
    const page = await signedOut()
    page.host.setOnline(false)
    const end = ending(page.auth.login({ display: 'popup' }))
    const [popup] = page.host.popups
    await page.host.settle()
    expect([end.how, popup!.isClosed, popup!.urls]).toEqual(['offline', true, ['about:blank']])
  })

  it('ends when the page itself leaves', async () => {
    const page = await signedOut()
    const { end, popup } = await openWindow(page)
    await page.auth.login()
    await page.host.settle()
    expect([end.how, popup.isClosed, page.host.navigations.length]).toEqual(['popup-closed', true, 1])
  })

  it('waits for nobody in its window: the page there begins no session and closes', async () => {
    const page = await signedOut()
    const { popup } = await openWindow(page)
    const back = await comeBack(page, popup, `${APP}help`)
    expect([back.frames, back.requests, popup.isClosed]).toEqual([[], [], true])
  })

  it('has a name that a page which opened this one cannot know: no window of it lies ready', async () => {
    const [one, other] = [await signedOut(), await signedOut()]
    const { popup } = await openWindow(one)
    expect(popup.name).toMatch(/^latchkey https:\/\/auth\.test admin \w{6} popup sign-in$/)
    expect(popup.name).not.toBe((await openWindow(other)).popup.name)
  })

  it('keeps its name: a later click takes the same window', async () => {
    const page = await signedOut()
    const { popup } = await openWindow(page)
    popup.close()
    await page.host.clock.advance(POPUP_GRACE_MS)
    expect((await openWindow(page)).popup.name).toBe(popup.name)
  })

  it('harms nobody when somebody else has opened it under such a name: that page says nothing to anybody else', async () => {
    const page = await signedOut()
    const { end, popup } = await openWindow(page)
    const heard: unknown[] = []
    const name = `latchkey ${CLIENT.authHost} admin zzzzzz popup sign-in`
    // Even where it knows the state that is waited for.
    const state = new URL(popup.urls.at(-1)!).searchParams.get('state')!
    const host = createFakeHost(`${APP}?code=of-the-attacker&state=${state}`, {
      browser: page.host.browser,
      fetch: page.server.fetch,
      popup: { ...popup, name, post: (message) => void heard.push(message) },
    })
    void createAuth(CONFIG, { platform: host.platform }).start()
    await host.settle()
    await page.host.settle()
    // The browser delivers it to a page of this origin alone.
    expect(heard).toMatchObject([{ type: 'signInAnswer' }])
    expect([host.requests, end.how, page.auth.getState().status]).toEqual([[], undefined, 'unauthenticated'])
  })

  it('puts another user in the place of the one before, of whom nothing stays', async () => {
    const page = await signedOut({ server: { user: createFakeUser() } })
    expect(page.auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'alice' } })
    const { popup } = await openWindow(page, { prompt: 'login' })
    const states: string[] = []
    page.auth.subscribe(() => {
      const state = page.auth.getState()
      states.push(state.status === 'authenticated' ? String(state.user.userId) : state.status)
    })
    await signIn(page, popup, createFakeUser({ userId: 'bob', sessionId: 's2' }))
    await page.host.settle()
    expect(states.slice(0, 2)).toEqual(['unauthenticated', 'bob'])
  })

  it('keeps the session of the same user, with the new tokens', async () => {
    const page = await signedOut({ server: { user: createFakeUser() } })
    const token = await page.auth.getAccessToken()
    const state = page.auth.getState()
    const { end, popup } = await openWindow(page, { prompt: 'login' })
    await signIn(page, popup)
    await page.host.settle()
    expect([end.how, page.auth.getState()]).toEqual(['done', state])
    expect(await page.auth.getAccessToken()).not.toBe(token)
  })
})
