// Sets the scene for `latchkey/early`: a page in which the inline script has run, and an app that comes later.
import { compileFunction } from 'node:vm'
import { vi } from 'vitest'
import { buildEarlyScript, type EarlyScript } from '../../../scripts/earlyScript.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import type { Auth } from '../../../src/session/auth.ts'
import type { Early, Platform } from '../../../src/session/platform/platform.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeAuthServer, type FakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeBrowser, type FakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { APP, CONFIG } from '../session/sessionScene.ts'

export const EARLY = Symbol.for('latchkey.early')

let built: Promise<EarlyScript> | undefined

/** The script as the package ships it; built once for a test file. */
export const earlyScript = async (): Promise<EarlyScript> => (built ??= buildEarlyScript())

export const ATTRIBUTES: Readonly<Record<string, string>> = {
  authHost: 'https://auth.test',
  clientId: 'admin',
  scopes: 'openid profile',
}

export interface EarlyOptions {
  /** Default: the one for the firm's own server. */
  script?: EarlyScript
  address?: string
  attributes?: Readonly<Record<string, string>> | null
  server?: FakeAuthServer
  /** Frames are left unanswered. */
  isFrameMute?: boolean
  /** The script stands in the head, and there is no body yet. */
  isInHead?: boolean
  isOnline?: boolean
  windowName?: string
  without?: 'crypto' | 'storage'
  localStorage?: Readonly<Record<string, string>>
  sessionStorage?: Readonly<Record<string, string>>
  /** The script reads an entry of a storage. */
  onRead?: (key: string) => void
  /** Answers what the script itself sends. */
  fetch?: typeof fetch
  /** The app starts in the breath in which the script has run, not when it has come to something. */
  isAppFirst?: boolean
  /** How many times the page has the script. Default 1. */
  copies?: number
  /** The browser it is a tab of. Default: one of its own. */
  browser?: FakeBrowser
  /** `navigator.locks.request`. Default: the fake browser's. */
  lockRequest?: () => Promise<unknown>
}

export interface EarlyPage {
  readonly host: FakeHost
  /** That it was opened with. */
  readonly address: string
  readonly server: FakeAuthServer
  /** What the script has left. */
  readonly left: Early | undefined
  /** Frames that the script has opened and that are in the page. */
  readonly frames: FakeFrame[]
  /** Bodies that the script has sent. */
  readonly sent: Record<string, string>[]
  readonly warnings: string[]
  /** Addresses that the app has put into the bar, of which routers are told. */
  readonly told: string[]
  /** Timers of the script that still run. */
  timerCount(): number
  /** Everything under the document is put there anew, as `document.open` and a hydration that fails do it. */
  replaceDocument(): void
  /** Another tab has written to the storage that all share. */
  writeElsewhere(key: string, value: string): void
  /** Any message to the page. */
  post(message: { origin: string; source: unknown; data: unknown }): void
  /** What the app's session runs on. */
  readonly platform: Platform
  /** The app's files have come. */
  createAuth(config?: Partial<AuthConfig>): Auth
}

type Listener = (event: never) => void

/** A page that has loaded its inline script, and nothing else yet. */
export async function openEarlyPage(options: EarlyOptions = {}): Promise<EarlyPage> {
  const { text } = options.script ?? (await earlyScript())
  const server = options.server ?? createFakeAuthServer()
  const host = createFakeHost(options.address ?? APP, {
    fetch: server.fetch,
    browser: options.browser ?? createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() }),
    isOnline: options.isOnline ?? true,
    onFrame: (frame) => queueMicrotask(() => options.isFrameMute || server.answerFrame(frame)),
  })
  // The script's own request to the server: known to the browser, which waits for it when it settles.
  const line = createFakeHost(APP, { browser: host.browser, fetch: options.fetch ?? server.fetch })
  for (const [key, value] of Object.entries(options.localStorage ?? {})) host.localStorage.set(key, value)
  for (const [key, value] of Object.entries(options.sessionStorage ?? {})) host.sessionStorage.set(key, value)

  const frames: FakeFrame[] = []
  const sent: Record<string, string>[] = []
  const warnings: string[] = []
  const told: string[] = []
  const timers = new Map<number, () => void>()
  const observers = new Set<() => void>()
  // A node taken out of the document whole says nothing itself: only the document does.
  const documentObservers = new Set<() => void>()
  const elements = new Set<{ isConnected: boolean }>()
  const targets = { window: new Map<string, Set<Listener>>(), document: new Map<string, Set<Listener>>() }
  const on = (target: keyof typeof targets) => (type: string, listener: Listener) => {
    const { [target]: types } = targets
    types.set(type, (types.get(type) ?? new Set()).add(listener))
  }
  const off = (target: keyof typeof targets) => (type: string, listener: Listener) =>
    targets[target].get(type)?.delete(listener)
  const tell = (target: keyof typeof targets, type: string, event: unknown) => {
    for (const listener of targets[target].get(type) ?? []) listener(event as never)
  }

  /** An iframe element as far as the script uses one. */
  const createElement = () => {
    const loads: (() => void)[] = []
    const element = {
      src: '',
      name: '',
      isConnected: false,
      // Before its first page, Chromium names a navigation without an address.
      contentWindow: { location: { href: '' }, performance: { getEntriesByType: () => [] } },
      addEventListener: (_type: string, listener: () => void) => loads.push(listener),
      remove() {
        element.isConnected = false
        frames.splice(0)
      },
      connect() {
        element.isConnected = true
        elements.add(element)
        const parameters = new URL(element.src).searchParams
        const { origin } = new URL(element.src)
        const frame: FakeFrame = {
          name: element.name,
          url: element.src,
          parameters,
          get isOpen() {
            return element.isConnected
          },
          answer: (response) =>
            frame.post({
              type: 'authorization_response',
              response: { state: parameters.get('state'), ...response },
            }),
          post: (data) =>
            tell('window', 'message', {
              origin,
              source: element.isConnected ? element.contentWindow : null,
              data,
            }),
          load(address) {
            element.contentWindow.location.href = address ?? 'another origin'
            for (const listener of loads) listener()
          },
          csp: () =>
            tell('document', 'securitypolicyviolation', {
              effectiveDirective: 'frame-src',
              disposition: 'enforce',
              blockedURI: origin,
            }),
          remove() {
            element.remove()
            for (const check of observers) check()
          },
        }
        frames.push(frame)
        if (!options.isFrameMute) queueMicrotask(() => server.answerFrame(frame))
      },
    }
    return element
  }
  class FakeMutationObserver {
    readonly #check: () => void
    constructor(check: () => void) {
      this.#check = check
    }
    observe(node: unknown) {
      observers.add(this.#check)
      if (node === page.document) documentObservers.add(this.#check)
    }
    disconnect() {
      observers.delete(this.#check)
      documentObservers.delete(this.#check)
    }
  }
  const parentOfFrames = { append: (element: ReturnType<typeof createElement>) => element.connect() }
  const page = {
    location: { href: host.address, origin: new URL(host.address).origin },
    window: {} as Record<string, unknown>,
    document: {
      readyState: 'loading',
      currentScript:
        options.attributes === null ? null : { dataset: { ...(options.attributes ?? ATTRIBUTES) } },
      documentElement: parentOfFrames,
      body: options.isInHead ? null : parentOfFrames,
      createElement,
      addEventListener: on('document'),
      removeEventListener: off('document'),
    },
    history: {
      state: null,
      replaceState(_state: unknown, _title: string, address: string) {
        const { href, origin } = new URL(address, page.location.href)
        if (origin !== page.location.origin) throw new DOMException('another origin', 'SecurityError')
        page.location.href = href
        host.platform.replaceAddress(href)
      },
    },
    sessionStorage: storageOf(host.sessionStorage, options),
    localStorage: storageOf(host.localStorage, options),
    navigator: { onLine: options.isOnline ?? true },
    addEventListener: on('window'),
    removeEventListener: off('window'),
    MutationObserver: FakeMutationObserver,
    setTimeout(callback: () => void, delayMs: number) {
      const id = timers.size + 1
      const fire = () => {
        timers.delete(id)
        callback()
      }
      timers.set(id, host.platform.setTimer(fire, delayMs))
      return id
    },
    clearTimeout(id: number) {
      timers.get(id)?.()
      timers.delete(id)
    },
    setInterval(callback: () => void, delayMs: number) {
      const again = () => {
        callback()
        if (timers.has(id)) timers.set(id, host.platform.setTimer(again, delayMs))
      }
      const id = 1000 + timers.size
      timers.set(id, host.platform.setTimer(again, delayMs))
      return id
    },
    clearInterval: (id: number) => page.clearTimeout(id),
    async fetch(input: string, init: RequestInit) {
      const body = init.body as string | undefined
      const isForm = new Headers(init.headers).get('content-type')?.endsWith('urlencoded') === true
      if (body !== undefined)
        sent.push(
          isForm
            ? Object.fromEntries(new URLSearchParams(body))
            : (JSON.parse(body) as Record<string, string>),
        )
      return line.platform.fetch(input, init)
    },
    console: { warn: (message: string) => warnings.push(message) },
    Date: { now: () => host.platform.now() },
  }
  Object.assign(page.window, { name: options.windowName ?? '', opener: null })
  const parent = options.windowName === undefined ? page.window : {}
  // Known to the fake page, which waits for it when it settles.
  const digest = async (name: string, data: BufferSource) => host.platform.crypto.subtle!.digest(name, data)
  const getRandomValues = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes)
  const { lock } = host.platform.tabs()
  type Request = (name: string, options: LockOptions, work: (lock: object | null) => Promise<void>) => unknown
  const request: Request = (name, { ifAvailable = false }, work) =>
    lock?.(name, { isOptional: ifAvailable }, (isHeld) => work(isHeld ? {} : null))
  const globals: { crypto?: unknown; navigator: unknown; location: unknown; [EARLY]?: Early } = {
    location: page.location,
    navigator: { locks: { request: options.lockRequest ?? request } },
    crypto: options.without === 'crypto' ? undefined : { subtle: { digest }, getRandomValues },
  }
  const scope = { ...page, crypto: globals.crypto, parent, globalThis: globals }
  for (let copy = 0; copy < (options.copies ?? 1); copy += 1)
    compileFunction(text, Object.keys(scope))(...Object.values(scope))
  if (!options.isAppFirst) await host.settle()

  const platform: Platform = {
    ...host.platform,
    get early() {
      return globals[EARLY]
    },
    replaceAddress(address) {
      told.push(address)
      host.platform.replaceAddress(address)
    },
    takeLock: (name, forMs) => globals[EARLY]?.claim?.(name) ?? host.platform.takeLock(name, forMs),
    fetch: (input, init) => globals[EARLY]?.fetch?.(input, init) ?? host.platform.fetch(input, init),
  }
  return {
    host,
    address: options.address ?? APP,
    server,
    frames,
    sent,
    warnings,
    told,
    get left() {
      return globals[EARLY]
    },
    timerCount: () => timers.size,
    replaceDocument() {
      for (const element of elements) element.isConnected = false
      frames.splice(0)
      for (const check of documentObservers) check()
    },
    writeElsewhere(key, value) {
      host.localStorage.set(key, value)
      tell('window', 'storage', { key, newValue: value })
    },
    platform,
    post: (message) => tell('window', 'message', message),
    createAuth: (config) => createAuth({ ...CONFIG, ...config } as AuthConfig, { platform }),
  }
}

function storageOf(storage: FakeHost['localStorage'], { without, onRead }: EarlyOptions) {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  if (without === 'storage') return new Proxy({}, { get: denied, ownKeys: denied })
  const methods = {
    getItem(key: string) {
      onRead?.(key)
      return storage.get(key) ?? null
    },
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.remove(key),
  }
  const page = Object.create(methods) as object
  for (const key of Object.keys(storage.entries()))
    Object.defineProperty(page, key, { enumerable: true, get: () => methods.getItem(key) })
  return page
}
