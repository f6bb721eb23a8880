// The platform of a TestAuth: the real clock and timers, so that fake timers of a test runner work; everything else is fake.
import type { User } from '../protocol/claims.ts'
import { createBrowserPlatform, isBrowser } from '../session/platform/browserPlatform.ts'
import { createLifecycle, type Lifecycle } from '../session/signedIn/lifecycle.ts'
import type { Platform } from '../session/platform/platform.ts'
import type { FakeCloudServer, FakeCloudServerOptions } from './cloudServer.ts'
import { createFakeStorage } from './fakeStorage.ts'
import { createFakeWindows, type FakePopup } from './fakeWindows.ts'
import { createTestServer, type Respond } from './testServer.ts'

export interface TestPage {
  readonly platform: Platform
  /** Runs from the beginning, as a test need not render a provider. */
  readonly lifecycle: Lifecycle
  readonly requests: readonly Request[]
  readonly navigations: readonly string[]
  readonly popups: readonly FakePopup[]
  readonly cloud: FakeCloudServer
}

export function createTestPage(options: {
  authHost: string
  respond?: Respond | undefined
  cloud?: FakeCloudServerOptions | undefined
  onPopup?: ((popup: FakePopup) => void) | undefined
  isPopupBlocked?: boolean | undefined
  isOnline(): boolean
  user(): User | undefined
}): TestPage {
  const { early: _early, ...real } = createBrowserPlatform()
  const requests: Request[] = []
  const navigations: string[] = []
  const address = () => (isBrowser ? real.address() : 'https://app.test/')

  const server = createTestServer({
    ...options,
    respond: options.respond,
    cloud: options.cloud,
    address,
    onRequest: (request) => requests.push(request),
    passOn: real.fetch,
  })
  const windows = createFakeWindows({
    onFrame: () => {},
    onPopup: () => {},
    isPopupBlocked: () => options.isPopupBlocked ?? false,
    isPageInFront: () => undefined,
    isPageInFrame: () => false,
  })
  // Later, as a user does, after the status before the popup has been read.
  const soon = (work: () => void) => {
    real.setTimer(() => (server.isBusy ? soon(work) : work()), 1)
  }
  const openPopup: NonNullable<Platform['openPopup']> = (request) => {
    const port = windows.openPopup(request)
    const popup = windows.popups.at(-1)
    if (!port || !popup) return undefined
    const { onPopup } = options
    const agree = () => {
      if (!onPopup && !popup.isClosed && popup.urls.at(-1)?.startsWith('http')) server.cloud.agree(popup)
    }
    soon(onPopup ? () => onPopup(popup) : agree)
    return {
      get isClosed() {
        return popup.isClosed
      },
      navigate(url) {
        port.navigate(url)
        soon(agree)
      },
      close: port.close,
      focus: port.focus,
    }
  }
  const platform: Platform = {
    ...real,
    on: isBrowser ? real.on : () => () => {},
    isVisible: () => !isBrowser || real.isVisible(),
    fetch: server.fetch,
    address,
    baseAddress: address,
    replaceAddress: () => {},
    navigate: (url) => navigations.push(url),
    sessionStorage: createFakeStorage(),
    localStorage: createFakeStorage(),
    isOnline: options.isOnline,
    openFrame: windows.openFrame,
    openPopup,
    windowName: () => '',
    closeWindow: () => {},
  }
  const lifecycle = createLifecycle({ platform, onStart() {}, onStop() {} })
  lifecycle.start()
  return { platform, lifecycle, requests, navigations, popups: windows.popups, cloud: server.cloud }
}
