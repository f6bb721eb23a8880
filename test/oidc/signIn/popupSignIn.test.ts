// Signing in in a window with an OpenID Connect provider: cut-off windows, codes that others hear, frames, announced requests.
import { expect, it } from 'vitest'
import { POPUP_GRACE_MS, POPUP_POLL_MS } from '../../../src/base/popupConstants.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import type { FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { createFakeStorage, type FakeStorage } from '../../../src/testing/fakeStorage.ts'
import type { FakePopup } from '../../../src/testing/fakeWindows.ts'
import { APP, METADATA } from '../scene.ts'
import { createOidcScene, type Page } from '../session/sessionScene.ts'

/** Nobody is signed in, and a click has opened a window. */
async function openWindow(options: FakeHostOptions = {}, metadata: Record<string, unknown> = {}) {
  const scene = createOidcScene({ config: { autoLogin: false } })
  scene.provider.metadata = { ...METADATA, ...metadata }
  const copies: FakeStorage[] = []
  const page: Page = scene.open(`${APP}firms`, {
    onPopup: () => void copies.push(createFakeStorage(page.host.sessionStorage.entries())),
    ...options,
  })
  void page.auth.start()
  await page.host.settle()
  const signIn = page.auth.login({ display: 'popup' })
  const seen: { how?: string; remedy?: string | undefined } = {}
  signIn.then(
    () => (seen.how = 'done'),
    (error: unknown) => {
      const { code, remedy } = error as { code: string; remedy?: string }
      Object.assign(seen, { how: code, remedy })
    },
  )
  const [popup] = page.host.popups
  const opened = [...popup!.urls]
  const pushedBefore = scene.provider.count('/par')
  await page.host.settle()
  return { scene, ...page, popup: popup!, opened, pushedBefore, copy: copies[0]!, seen }
}

type Opened = Awaited<ReturnType<typeof openWindow>>

/** The user signs in in the window, which ends at the app's own page. */
async function signIn({ scene, host, copy }: Opened, popup: FakePopup) {
  scene.provider.user = 'ada'
  const page = scene.open(scene.provider.authorize(popup.urls.at(-1)!), { popup, sessionStorage: copy })
  void page.auth.start()
  await host.settle()
  return page
}

it('popup-coop-same-origin', async () => {
  const opened = await openWindow()
  const { host, auth, popup, seen } = opened
  popup.cutOff()
  host.isPageInFront = false
  await host.clock.advance(POPUP_GRACE_MS * 3)
  expect(seen.how).toBeUndefined()
  const window = await signIn(opened, popup)
  expect([seen.how, auth.getState()]).toMatchObject([
    'done',
    { status: 'authenticated', user: { userId: 'ada' } },
  ])
  expect([window.host.address, window.host.requests, host.address]).toEqual([APP, [], `${APP}firms`])
})

it('popup-code-on-channel-is-useless-alone', async () => {
  const opened = await openWindow()
  const { scene, host, popup, seen } = opened
  popup.cutOff()
  const heard: { address: string }[] = []
  const thief = scene.open()
  thief.host.platform.tabs().openChannel!(popup.name, (message) => heard.push(message as { address: string }))
  // The page that opened the window is gone: only the other one hears the code.
  host.crash()
  scene.provider.user = 'ada'
  const window = scene.open(scene.provider.authorize(popup.urls.at(-1)!), {
    popup,
    sessionStorage: opened.copy,
  })
  void window.auth.start()
  await window.host.settle()
  const code = new URL(heard[0]!.address).searchParams.get('code')
  expect([code, seen.how]).toEqual(['code-1', undefined])
  // At start-up, with the address as it was said: there is no attempt for its state, so nothing is sent.
  const tab = scene.open(heard[0]!.address)
  scene.provider.user = undefined
  void tab.auth.start()
  await tab.host.settle()
  expect([tab.auth.getState().status, scene.provider.count('/token')]).toEqual(['unauthenticated', 0])
})

it('popup-in-cross-site-frame', async () => {
  const { host, auth, popup, seen } = await openWindow({ isInFrame: true, without: ['channels'] })
  popup.cutOff()
  await host.clock.advance(POPUP_GRACE_MS + POPUP_POLL_MS)
  expect(seen).toEqual({
    how: 'popup-closed',
    remedy: 'Sign in on the page itself: in a frame of another site a window cannot always answer.',
  })
  await auth.login({ display: 'page' })
  expect(host.navigations).toHaveLength(1)
})

it('opens the window before the request is announced', async () => {
  const endpoint = `${METADATA['issuer']}/par`
  const opened = await openWindow(
    {},
    { pushed_authorization_request_endpoint: endpoint, require_pushed_authorization_requests: true },
  )
  const { scene, popup, seen } = opened
  // Once for the silent check of start-up.
  expect([opened.opened, opened.pushedBefore, scene.provider.count('/par')]).toEqual([['about:blank'], 1, 2])
  expect(new URL(popup.urls.at(-1)!).searchParams.has('request_uri')).toBe(true)
  await signIn(opened, popup)
  expect(seen.how).toBe('done')
})

it('two auth objects on the page of the window: the answer is handed over once, whichever starts first', async () => {
  const opened = await openWindow()
  const { scene, host, popup, seen } = opened
  scene.provider.user = 'ada'
  const window = scene.open(scene.provider.authorize(popup.urls.at(-1)!), {
    popup,
    sessionStorage: opened.copy,
  })
  const other = createAuth({ ...scene.config(), clientId: 'other' }, { platform: window.host.platform })
  void other.start()
  void window.auth.start()
  await host.settle()
  expect([seen.how, popup.isClosed, scene.provider.count('/token')]).toEqual(['done', true, 1])
})
