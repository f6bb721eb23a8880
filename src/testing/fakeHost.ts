// A whole page in memory: give its platform to createAuth, turn its clock, answer its frames, switch off its network.
import { createBrowserPlatform } from '../session/platform/browserPlatform.ts'
import { createSeal } from '../session/platform/browserTabs.ts'
import { NAME_OF_KEYS } from '../protocol/storageKeys.ts'
import { takeFirstTabLock } from '../base/firstTabLock.ts'
import type { Platform, PlatformEvent, TabsPort } from '../session/platform/platform.ts'
import type { FakeAuthServer } from './authServer.ts'
import { createFakeBrowser, type FakeBrowser, type FakeClock } from './fakeBrowser.ts'
import { createFakeStorage, type FakeStorage } from './fakeStorage.ts'
import { browserWorks } from './fakeTabs.ts'
import { trackedBody, trackedMethods } from './trackedWork.ts'
import { createFakeWindows, type FakeFrame, type FakePopup } from './fakeWindows.ts'

/** A request of a fake page. */
export interface FakeRequest {
  /** HTTP method, in capitals: 'POST'. */
  readonly method: string
  /** The absolute URL. */
  readonly url: string
  /** The sent headers, with the bearer token. */
  readonly headers: Headers
  /** The body if it was a string; `undefined` otherwise. */
  readonly body: string | undefined
}

/** A tab of a fake browser. */
export interface FakeTab {
  /** `window.name`: it outlives the pages of the tab, and a page of another origin can read it. */
  name: string
}

/** Options of a fake page. */
export interface FakeHostOptions {
  /** The browser whose tab it is. Default: a new one. */
  browser?: FakeBrowser | undefined
  /** The session storage of the tab. Default: an empty one. */
  sessionStorage?: FakeStorage | undefined
  /** Whether the page is online at the start. Default true. */
  isOnline?: boolean | undefined
  /** Whether the page is visible at the start. Default true. */
  isVisible?: boolean | undefined
  /** Default true. */
  isSecureContext?: boolean | undefined
  /** Features that the browser lacks. */
  without?: readonly ('random' | 'sha256' | 'locks' | 'channels' | 'store' | 'seal')[] | undefined
  /** Source of randomness. Default: the real one. */
  randomBytes?: ((length: number) => Uint8Array) | undefined
  /** Name of the frame or popup that the page itself runs in. Default: none. */
  windowName?: string | undefined
  /** The popup of another page that this page runs in: it has its name, posts to its opener, and closes with it. Default: none. */
  popup?: FakePopup | undefined
  /** Responds to requests and to hidden frames. Default: none. */
  server?: Pick<FakeAuthServer, 'fetch' | 'answerFrame'> | undefined
  /** Responds to requests. Default: `server`, else the real `fetch` at the time of the call, so that msw can respond. */
  fetch?: typeof fetch | undefined
  /** Whether the user opened the page: by a reload, a typed URL, or the back button. Default: unknown. */
  isOpenedByUser?: boolean | 'back' | undefined
  /** Whether the page is in a frame of another page. Default false. */
  isInFrame?: boolean | undefined
  /** The tab, whose name the next page finds. Default: none, and a page leaves no session to the next one. */
  tab?: FakeTab | undefined
  /** Whether the browser was at another site since the page before, also by a redirect. Default false. */
  isFromElsewhere?: boolean | undefined
  /** Called with every hidden frame that opens. Default: `server` answers it. */
  onFrame?: ((frame: FakeFrame) => void) | undefined
  /** Called with every popup that opens. */
  onPopup?: ((popup: FakePopup) => void) | undefined
  /** Whether the server's /oauth/close page stays silent. Default false: it sends closeMe at once. */
  isClosePageMute?: boolean | undefined
}

/** A fake page, for a test to inspect and control. */
export interface FakeHost {
  /** For `createAuth(config, { platform })`. */
  readonly platform: Platform
  /** The browser whose tab this page is. */
  readonly browser: FakeBrowser
  /** The clock of the browser. Only the test moves it. */
  readonly clock: FakeClock
  /** The session storage of the tab. */
  readonly sessionStorage: FakeStorage
  /** The local storage of the browser, shared by its tabs. */
  readonly localStorage: FakeStorage
  /** The URL in the address bar. */
  readonly address: string
  /** URLs that the page navigated to, in order. */
  readonly navigations: readonly string[]
  /** URLs that replaced the one in the address bar, in order. */
  readonly replacedAddresses: readonly string[]
  /** The hidden frames in the page. */
  readonly frames: readonly FakeFrame[]
  /** The open popups. */
  readonly popups: readonly FakePopup[]
  /** Requests of the page, in order, also those that failed offline. */
  readonly requests: readonly FakeRequest[]
  /** Console warnings, in order. */
  readonly warnings: readonly { readonly message: string; readonly cause: unknown }[]
  /** The URL of a `<base>` in the page. */
  base: string | undefined
  /** Responds to requests. Tests may replace it at any time. */
  fetch: typeof fetch
  /** Whether the browser blocks popups. */
  isPopupBlocked: boolean
  /** Whether the user looks at the page, not at a popup. Default: unknown. */
  isPageInFront: boolean | undefined
  /** The error that the next navigation throws. */
  navigationError: unknown
  /** Goes online or offline, and sends the event. */
  setOnline(isOnline: boolean): void
  /** Shows or hides the page, and sends the event. */
  setVisible(isVisible: boolean): void
  /** Sends an event of the browser to the page. */
  emit(event: PlatformEvent): void
  /** Waits until all work in progress has ended; timers of 0 ms fire. */
  settle(): Promise<void>
  /** Closes the page: sends the event, then stops all its work and releases its channels and locks. */
  close(): void
  /** Removes the page without an event, as a crash does. */
  crash(): void
  /** Opens the next page of the same tab, and closes this one. */
  openNext(address: string, options?: FakeHostOptions): FakeHost
  /** Numbers of open resources. */
  counts(): Record<'listeners' | 'timers' | 'frames' | 'popups' | 'channels' | 'locks', number>
}

const soon = (work: () => void): void => void Promise.resolve().then(work)

/** A server that never responds, for `fetch` of a fake host. Rejects when the request is aborted. */
export const neverAnswers: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    const { signal } = init ?? {}
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })

/**
 * Creates a page in a fake browser.
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
  const subtle = real.crypto.subtle && trackedMethods(real.crypto.subtle, works.track)
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

  const shared = { returns: {}, mounted: new Set<object>() }
  const { server, onFrame = (frame) => soon(() => server?.answerFrame(frame)) } = options
  const windows = createFakeWindows({
    // Without a network the browser's error page loads in it.
    onFrame: (frame) => (isOnline ? onFrame(frame) : soon(() => frame.load())),
    onPopup: (popup) => options.onPopup?.(popup),
    isPopupBlocked: () => host.isPopupBlocked,
    isPageInFront: () => host.isPageInFront,
    isPageInFrame: options.isInFrame === true,
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
  const { isOpenedByUser = false, tab } = options
  const isOwnTab = !options.isInFrame && !options.popup && !options.windowName
  let taken: string | undefined
  const takeName = (): string => {
    const name = (isOwnTab && tab?.name) || ''
    if (!tab || !name.startsWith(NAME_OF_KEYS)) return ''
    tab.name = ''
    return options.isFromElsewhere ? '' : name
  }
  const platform: Platform = {
    isOpenedByUser: () => isOpenedByUser,
    now: () => clock.nowMs,
    monotonicNow: () => clock.monotonicMs,
    setTimer: (callback, delayMs) => (isClosed ? () => {} : works.setTimer(owner, callback, delayMs)),
    crypto: {
      randomBytes: lacks('random') ? undefined : (options.randomBytes ?? real.crypto.randomBytes),
      subtle: lacks('sha256') ? undefined : subtle,
      isSecureContext: options.isSecureContext ?? true,
    },
    // A closed page gets no response.
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
    isStayTold: true,
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
    shared: () => shared,
    takeLock: (name, forMs) => takeFirstTabLock({ lock, setTimer: platform.setTimer }, name, forMs),
    openFrame: windows.openFrame,
    openPopup: windows.openPopup,
    tellOpener: (message) => options.popup?.post(message),
    tabName: tab && {
      get: () => (isOwnTab ? tab.name : undefined),
      set: (name) => void (tab.name = name),
    },
    takeTabName: tab && (() => (taken ??= takeName())),
    windowName: () => (options.popup?.isCutOff ? '' : options.popup?.name) ?? options.windowName ?? '',
    closeWindow() {
      options.popup?.close()
      host.close()
    },
    tabs: () => ({
      openChannel:
        lacks('channels') || isClosed ? undefined : (name, listen) => works.openChannel(owner, name, listen),
      lock,
      update: lacks('store') ? undefined : works.update,
      seal: subtle && !lacks('seal') ? createSeal(subtle as SubtleCrypto) : undefined,
    }),
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
    fetch: options.fetch ?? server?.fetch ?? ((input, init) => real.fetch(input, init)),
    isPopupBlocked: false,
    isPageInFront: undefined,
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
      return createFakeHost(next, { server, fetch: host.fetch, browser, sessionStorage, tab, ...more })
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
