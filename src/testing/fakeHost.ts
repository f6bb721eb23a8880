// A whole page in memory: give its platform to createAuth, turn its clock, answer its frames, switch off its network.
import { createBrowserPlatform } from '../session/platform/browserPlatform.ts'
import { takeFirstTabLock } from '../firstTabLock.ts'
import type { Platform, PlatformEvent, TabsPort } from '../session/platform/platform.ts'
import { browserWorks, createFakeBrowser, type FakeBrowser } from './fakeBrowser.ts'
import type { FakeClock } from './fakeClock.ts'
import { createFakeStorage, type FakeStorage } from './fakeStorage.ts'
import { tracked, trackedBody } from './trackedWork.ts'
import { createFakeWindows, type FakeFrame, type FakePopup } from './fakeWindows.ts'

/** A request that left a fake page. */
export interface FakeRequest {
  /** HTTP method, in capitals: 'POST'. */
  readonly method: string
  /** The whole address. */
  readonly url: string
  /** Headers as they were sent, the bearer token included. */
  readonly headers: Headers
  /** Body, when it was a text; `undefined` otherwise. */
  readonly body: string | undefined
}

/** How a fake page differs from the usual one. */
export interface FakeHostOptions {
  /** The browser it is a tab of. Default: one of its own. */
  browser?: FakeBrowser | undefined
  /** The tab's own storage. Default: an empty one. */
  sessionStorage?: FakeStorage | undefined
  /** Whether there is a network at the start. Default true. */
  isOnline?: boolean | undefined
  /** Whether the page is seen at the start. Default true. */
  isVisible?: boolean | undefined
  /** Default true. */
  isSecureContext?: boolean | undefined
  /** What the browser lacks. */
  without?: readonly ('random' | 'sha256' | 'locks' | 'channels' | 'store' | 'seal')[] | undefined
  /** Source of randomness. Default: the real one. */
  randomBytes?: ((length: number) => Uint8Array) | undefined
  /** Name of the frame or popup that the page itself runs in. Default: none. */
  windowName?: string | undefined
  /** Answers requests. Default: the real `fetch` at the time of the call, so that msw can answer. */
  fetch?: typeof fetch | undefined
  /** Called with every hidden frame that opens. */
  onFrame?: ((frame: FakeFrame) => void) | undefined
  /** Called with every popup that opens. */
  onPopup?: ((popup: FakePopup) => void) | undefined
  /** Whether the server's /oauth/close page says nothing. Default false: it says closeMe at once. */
  isClosePageMute?: boolean | undefined
}

/** A fake page and what a test can see of it and do to it. */
export interface FakeHost {
  /** For `createAuth(config, { platform })`. */
  readonly platform: Platform
  /** The browser that this page is a tab of. */
  readonly browser: FakeBrowser
  /** The clock of the browser; it goes when it is told to. */
  readonly clock: FakeClock
  /** The tab's own storage. */
  readonly sessionStorage: FakeStorage
  /** The browser's storage, shared by its tabs. */
  readonly localStorage: FakeStorage
  /** Address in the address bar. */
  readonly address: string
  /** Addresses the page was sent to, in order. */
  readonly navigations: readonly string[]
  /** Addresses that replaced the one in the bar, in order. */
  readonly replacedAddresses: readonly string[]
  /** Hidden frames now in the page. */
  readonly frames: readonly FakeFrame[]
  /** Popups now open. */
  readonly popups: readonly FakePopup[]
  /** Requests that the page made, in order, those that failed for want of a network too. */
  readonly requests: readonly FakeRequest[]
  /** What was written on the console as a warning, in order. */
  readonly warnings: readonly { readonly message: string; readonly cause: unknown }[]
  /** Address of a `<base>` in the page. */
  base: string | undefined
  /** Answers requests; replace it at any time. */
  fetch: typeof fetch
  /** Whether the browser blocks popups. */
  isPopupBlocked: boolean
  /** Thrown by the next attempt to leave the page. */
  navigationError: unknown
  /** Switches the network and tells the page. */
  setOnline(isOnline: boolean): void
  /** Shows or hides the page and tells it. */
  setVisible(isVisible: boolean): void
  /** The browser tells the page something. */
  emit(event: PlatformEvent): void
  /** Waits until everything under way has come to rest; timers of 0 ms fire. */
  settle(): Promise<void>
  /** The page is closed: it is told so, then nothing of it runs any more, and its channels and locks are free. */
  close(): void
  /** The page is gone without a word. */
  crash(): void
  /** The next page of the same tab; this one is closed. */
  openNext(address: string, options?: FakeHostOptions): FakeHost
  /** What is alive now. */
  counts(): Record<'listeners' | 'timers' | 'frames' | 'popups' | 'channels' | 'locks', number>
}

/** A server that takes requests and says nothing: for `fetch` of a fake host. Ends when the request is given up. */
export const neverAnswers: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    const { signal } = init ?? {}
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })

/**
 * A page in a fake browser.
 *
 * @example
 * const host = createFakeHost('https://app.test/firms?page=2')
 * const auth = createAuth(config, { platform: host.platform })
 * void auth.start()
 * await host.settle()
 * host.frames[0]?.answer({ error: 'login_required' })
 */
export function createFakeHost(firstAddress: string, options: FakeHostOptions = {}): FakeHost {
  const real = createBrowserPlatform()
  const browser = options.browser ?? createFakeBrowser()
  const works = browserWorks(browser)
  const sessionStorage = options.sessionStorage ?? createFakeStorage()
  const { localStorage, clock } = browser
  const { sha256 } = real.crypto
  const lacks = (part: NonNullable<FakeHostOptions['without']>[number]) => options.without?.includes(part)
  const owner = {}
  const listeners = new Map<PlatformEvent, Set<() => void>>()
  const navigations: string[] = []
  const replacedAddresses: string[] = []
  const requests: FakeRequest[] = []
  const warnings: { message: string; cause: unknown }[] = []
  let address = firstAddress
  let isOnline = options.isOnline ?? true
  let isVisible = options.isVisible ?? true
  let isClosed = false

  const windows = createFakeWindows({
    onFrame: options.onFrame ?? (() => {}),
    onPopup: options.onPopup ?? (() => {}),
    isPopupBlocked: () => host.isPopupBlocked,
    isClosePageMute: options.isClosePageMute,
  })

  const send: typeof fetch = async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const url = new URL(request?.url ?? (input as string | URL), host.base ?? address)
    requests.push({
      method: init?.method ?? request?.method ?? 'GET',
      url: url.href,
      headers: new Headers(init?.headers ?? request?.headers),
      body: typeof init?.body === 'string' ? init.body : undefined,
    })
    if (!isOnline) throw new TypeError('Failed to fetch')
    return host.fetch(request ?? url.href, init)
  }

  const lock: TabsPort['lock'] = lacks('locks')
    ? undefined
    : (...request) => works.lock(owner, ...request) as never
  const platform: Platform = {
    now: () => clock.nowMs,
    monotonicNow: () => clock.monotonicMs,
    setTimer: (callback, delayMs) => (isClosed ? () => {} : works.setTimer(owner, callback, delayMs)),
    crypto: {
      randomBytes: lacks('random') ? undefined : (options.randomBytes ?? real.crypto.randomBytes),
      sha256: sha256 && !lacks('sha256') ? (data) => works.track(sha256(data)) : undefined,
      isSecureContext: options.isSecureContext ?? true,
    },
    // A page that is gone hears no answer.
    fetch: (input, init) =>
      new Promise((resolve, reject) => {
        const answer = send(input, init)
        const isAwaited = host.fetch !== neverAnswers
        void (isAwaited ? works.track(answer, 'request') : answer).then(
          (response) => !isClosed && resolve(trackedBody(response, works.track)),
          (error: unknown) => !isClosed && reject(error as Error),
        )
      }),
    address: () => address,
    baseAddress: () => host.base ?? address,
    replaceAddress(next) {
      replacedAddresses.push(next)
      address = new URL(next, address).href
    },
    navigate(url) {
      const error = host.navigationError
      host.navigationError = undefined
      if (error !== undefined) throw error as Error
      if (!isClosed) navigations.push(url)
    },
    sessionStorage,
    localStorage,
    isOnline: () => isOnline,
    isVisible: () => isVisible,
    on(event, listener) {
      const own = () => listener()
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(own))
      return () => all.delete(own)
    },
    emit: (event) => host.emit(event),
    claim: (name, forMs) => takeFirstTabLock({ lock, setTimer: platform.setTimer }, name, forMs),
    openFrame: windows.openFrame,
    openPopup: windows.openPopup,
    windowName: () => options.windowName ?? '',
    closeWindow: () => host.close(),
    tabs() {
      const { seal } = real.tabs()
      return {
        openChannel:
          lacks('channels') || isClosed
            ? undefined
            : (name, listen) => works.openChannel(owner, name, listen),
        lock,
        update: lacks('store') ? undefined : works.update,
        seal: seal && !lacks('seal') ? tracked(seal, works.track) : undefined,
      }
    },
    warn: (message, cause) => warnings.push({ message, cause }),
  }

  const host: FakeHost = {
    platform,
    browser,
    clock,
    sessionStorage,
    localStorage,
    get address() {
      return address
    },
    navigations,
    replacedAddresses,
    frames: windows.frames,
    popups: windows.popups,
    requests,
    warnings,
    fetch: options.fetch ?? ((input, init) => real.fetch(input, init)),
    isPopupBlocked: false,
    navigationError: undefined,
    base: undefined,
    setOnline(next) {
      isOnline = next
      host.emit(next ? 'online' : 'offline')
    },
    setVisible(next) {
      isVisible = next
      host.emit(next ? 'visible' : 'hidden')
    },
    emit(event) {
      const current = [...(listeners.get(event) ?? [])]
      for (const listener of current) listener()
    },
    settle: clock.settle,
    close() {
      host.emit('pagehide')
      host.crash()
    },
    crash() {
      isClosed = true
      listeners.clear()
      works.dropTimers(owner)
      works.release(owner)
      windows.frames.length = 0
      windows.popups.length = 0
    },
    openNext(next, more) {
      host.close()
      return createFakeHost(next, { fetch: host.fetch, browser, sessionStorage, ...more })
    },
    counts: () => ({
      listeners: [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
      timers: works.countTimers(owner),
      frames: windows.frames.length,
      popups: windows.popups.length,
      channels: works.countChannels(owner),
      locks: works.countLocks(owner),
    }),
  }
  return host
}
