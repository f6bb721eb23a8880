// The page of a TestAuth: the real clock and timers, so that fake timers of a test runner work; everything else is fake.
// Requests go to the test's own function, then to a fake server. None for authHost leaves the machine.
import type { User } from '../protocol/claims.ts'
import { createBrowserPlatform, isBrowser } from '../session/platform/browserPlatform.ts'
import { createLifecycle } from '../session/signedIn/lifecycle.ts'
import type { Platform } from '../session/platform/platform.ts'
import { requestOf, type Respond } from './answers.ts'
import { createFakeAuthServer, createFakeUser } from './authServer.ts'
import { createFakeCloudServer, type FakeCloudServerOptions } from './cloudServer.ts'
import { createFakeStorage } from './fakeStorage.ts'
import { createFakeWindows, type FakePopup } from './fakeWindows.ts'

export function createTestPage(options: {
  authHost: string
  respond?: Respond | undefined
  cloud?: FakeCloudServerOptions | undefined
  onPopup?: ((popup: FakePopup) => void) | undefined
  isPopupBlocked?: boolean | undefined
  isOnline(): boolean
  user(): User | undefined
}) {
  const { authHost, onPopup } = options
  const { early: _early, ...real } = createBrowserPlatform()
  const requests: Request[] = []
  const navigations: string[] = []
  let waitingCount = 0
  const address = () => (isBrowser ? real.address() : 'https://app.test/')

  const auth = createFakeAuthServer({ authHost })
  // Accepts every signed-in user: this server issues no tokens.
  auth.userInfo = () => {
    const user = options.user()
    if (!user) return { status: 401, body: { error: 'invalid_token' } }
    return { status: 200, body: createFakeUser({ userId: user.userId }).userInfo }
  }
  const cloud = createFakeCloudServer(auth, options.cloud)
  const answer = async (request: Request): Promise<Response | undefined> => {
    const found = await options.respond?.(request.clone())
    const isForServer = new URL(request.url).origin === authHost || request.url === cloud.redirections?.url
    return found ?? (isForServer ? cloud.fetch(request) : undefined)
  }
  const send: typeof fetch = async (input, init) => {
    const request = requestOf(input instanceof Request ? input : new URL(input, address()), init)
    requests.push(request.clone())
    waitingCount += 1
    try {
      const response = await unlessAborted(answer(request), init?.signal)
      return repeatedAtOnce(response ?? (await real.fetch(input, init)))
    } finally {
      waitingCount -= 1
    }
  }

  // Later, as a user does, after the status before the popup has been read.
  const soon = (work: () => void) => {
    real.setTimer(() => (waitingCount > 0 ? soon(work) : work()), 1)
  }
  const agree = (popup: FakePopup) => {
    if (!onPopup && !popup.isClosed && popup.urls.at(-1)?.startsWith('http')) cloud.agree(popup)
  }
  const windows = createFakeWindows({
    isPopupBlocked: () => options.isPopupBlocked ?? false,
    onPopup: (popup) => soon(() => (onPopup ?? agree)(popup)),
    onNavigate: (popup) => soon(() => agree(popup)),
  })
  const platform: Platform = {
    ...real,
    on: isBrowser ? real.on : () => () => {},
    isVisible: () => !isBrowser || real.isVisible(),
    fetch: send,
    address,
    baseAddress: address,
    replaceAddress: () => {},
    navigate: (url) => navigations.push(url),
    sessionStorage: createFakeStorage(),
    localStorage: createFakeStorage(),
    isOnline: options.isOnline,
    openFrame: windows.openFrame,
    openPopup: windows.openPopup,
    windowName: () => '',
    closeWindow: () => {},
  }
  // Runs from the beginning, as a test need not render a provider.
  const lifecycle = createLifecycle({ platform, onStart() {}, onStop() {} })
  lifecycle.start()
  return { platform, lifecycle, requests, navigations, popups: windows.popups, cloud }
}

const unlessAborted = <Result>(work: Promise<Result>, signal: AbortSignal | null | undefined) =>
  new Promise<Result>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
    work.then(resolve, reject)
  })

/** Reads are retried twice after a 5xx. A test should not wait between them. */
function repeatedAtOnce(response: Response): Response {
  const isRepeated = response.status >= 500 || response.status === 429
  if (!isRepeated || response.headers.has('retry-after')) return response
  const headers = new Headers(response.headers)
  headers.set('retry-after', '0')
  return new Response(response.body, { status: response.status, headers })
}
