// The port to the browser: everything the session needs of it; tests pass their own.
import type { AttemptKey, CryptoPort } from '../../protocol/pkce.ts'

export type PlatformEvent =
  | 'online'
  | 'offline'
  | 'visible'
  | 'hidden'
  | 'focus'
  | 'pageshow'
  | 'restored'
  | 'stayed'
  | 'pagehide'
  | 'freeze'
  | 'resume'
  /** Input of the user; which input, `listenToActivity` in browserPlatform.ts says. */
  | 'activity'

/** A storage that never throws. */
export interface StoragePort {
  /** The value, or `undefined` when there is none or it cannot be read. */
  get(key: string): string | undefined
  set(key: string, value: string): boolean
  remove(key: string): void
}

/** A message or a failure of the hidden frame. */
export interface FrameEvent {
  type: 'message' | 'loaded' | 'csp' | 'removed'
  data?: unknown
}

export interface FramePort {
  /** Its URL; `undefined` at another origin, which browsers hide. */
  address?(): string | undefined
  remove(): void
}

/** A frame that is open already; `openFrame` repeats its past events. */
export interface EarlyFrame extends AttemptKey, Pick<Platform, 'openFrame'> {
  /** When it was opened, by the wall clock. */
  readonly createdAtMs: number
}

/** The results of `latchkey/early`, for start-up to take over; each is used once. */
export interface Early {
  /** The whole URL, with the removed parameters. */
  address?: (() => string) | undefined
  /** The open hidden frame, if its URL is the one that this page would open with the same key. */
  frame?: ((urlOf: (key: AttemptKey) => string) => EarlyFrame | undefined) | undefined
  /** The response to a request that was sent already. */
  fetch?: ((...request: Parameters<typeof fetch>) => Promise<Response> | undefined) | undefined
  /** The attempt whose code is being sent, under its state key; it is not in storage any more. */
  attempts?: Readonly<Record<string, unknown>> | undefined
  /** Whether this tab is the one that sends the code, if that is decided already. */
  claim?: ((lockName: string) => Promise<boolean> | undefined) | undefined
  /** The keys that the page before has left in the name of the tab. */
  name?: string | undefined
  /** When the code in the address was sent, by the wall clock. */
  sentAtMs?: number | undefined
}

/** Shared by the auth objects of a page, those of a second copy of latchkey too. */
export interface SharedByPage {
  /** The response in the page's URL, by client and the record of its session at that time. */
  readonly returns: Record<string, object>
  /** The `subscribe` of the mounted ones; readable by other scripts. */
  readonly mounted: Set<object>
}

export interface PopupPort {
  /** Closed, or cut off from this page by an opener policy, which looks the same. */
  readonly isClosed: boolean
  /** Whether the user looks at the page, not at the popup. `undefined`: unknown. */
  readonly isPageInFront?: boolean | undefined
  /** Whether the page itself is in a frame of another page. */
  readonly isPageInFrame?: boolean | undefined
  navigate(url: string): void
  close(): void
  focus(): void
}

export interface ChannelPort {
  post(message: unknown): void
  close(): void
}

/** Seals texts between two tabs: ECDH P-256 and AES-GCM. */
export interface SealPort {
  /** A one-time key pair; the public half goes to the sender. */
  createKey(): Promise<{ publicKey: string; open(sealed: string): Promise<string> }>
  /** Seals a text so that only the owner of the public key can read it. */
  seal(text: string, publicKey: string): Promise<string>
}

export type OpenPopup = (options: {
  name: string
  url: string
  origin: string
  listen(data: unknown): void
}) => PopupPort | undefined

/** Communication between the tabs of one browser. Each part is `undefined` if the browser has none. */
export interface TabsPort {
  readonly openChannel: ((name: string, listen: (message: unknown) => void) => ChannelPort) | undefined
  /** Runs work under a lock of all tabs; rejects with the signal's reason when the wait is aborted. */
  readonly lock:
    | (<Result>(
        name: string,
        options: { signal?: AbortSignal; isOptional?: boolean },
        work: (isHeld: boolean) => Promise<Result>,
      ) => Promise<Result>)
    | undefined
  /** Reads and writes the small value of a name in one step that no other tab can come between. */
  readonly update: (<Value>(name: string, change: (value: unknown) => Value) => Promise<Value>) | undefined
  readonly seal: SealPort | undefined
}

/** The name of this tab, which outlives its pages. */
export interface TabName {
  /** `undefined` in a frame, in a window that another page has opened, and if the browser may write it to disk. */
  get(): string | undefined
  set(name: string): void
}

/** Everything the session needs of its host. */
export interface Platform {
  readonly isServer?: boolean
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** Monotonic clock, milliseconds. */
  monotonicNow(): number
  setTimer(callback: () => void, delayMs: number): () => void
  /** Resolves when the user opens a page that the browser has prerendered; `undefined`: it is open. Absent: it always is. */
  readonly untilActive?: () => Promise<void> | undefined
  /** Calls back once in an idle moment; never for a user who saves data. Absent: never. */
  readonly whenIdle?: (callback: () => void) => void
  readonly crypto: CryptoPort
  readonly fetch: typeof fetch
  address(): string
  /** The base of relative URLs: the page's own URL, or that of a `<base>`. */
  baseAddress(): string
  /** Absent without `latchkey/early`. */
  readonly early?: Early | undefined
  shared(): SharedByPage
  /** Takes the lock of a name among all tabs for a while; false when another tab has it. Without locks every tab gets true. */
  takeLock(name: string, forMs: number): Promise<boolean>
  /** Changes the URL without a navigation, and keeps the history state. Notifies routers, unless `isSilent`. */
  replaceAddress(address: string, isSilent?: boolean): void
  /** Whether the browser reports by `stayed` that the user does not leave the page after all. */
  readonly isStayTold: boolean
  navigate(url: string): void
  readonly sessionStorage: StoragePort
  readonly localStorage: StoragePort
  isOnline(): boolean
  isVisible(): boolean
  /** Whether the focus is in a frame of another origin. Absent: unknown. */
  readonly isFocusElsewhere?: () => Promise<boolean>
  on(event: PlatformEvent, listener: () => void): () => void
  /** Whether the user has opened this page: by a reload, `back`, a typed URL, an external link. `false`: unknown, too. */
  isOpenedByUser(authHost: string): boolean | 'back'
  /** Opens the hidden frame. Messages come only from this very frame and only from the given origin. */
  openFrame(options: {
    name: string
    url: string
    origin: string
    listen(event: FrameEvent): void
  }): FramePort
  /** Opens a popup inside the user's click; returns `undefined` when it was blocked. Absent: the browser's own. */
  readonly openPopup?: OpenPopup
  /** Leaves the page with a form (POST), unless the page's CSP forbids it. Absent: the browser's own. */
  readonly submitForm?: (
    url: string,
    fields: Readonly<Record<string, string>>,
    onForbidden: () => void,
  ) => void
  /** Posts to the page of the same origin that opened the popup this page runs in. Absent: the browser's own. */
  readonly tellOpener?: (message: unknown) => void
  /** Takes the keys out of the tab's name as the page opens; '' after another site. Absent: pages leave no session. */
  readonly takeTabName?: (() => string) | undefined
  /** Absent: the browser's own. */
  readonly tabName?: TabName | undefined
  /** Name of the frame or popup this page itself runs in; '' in a tab of its own. */
  windowName(): string
  /** Closes the popup this page runs in; does nothing in a frame. */
  closeWindow(): void
  tabs(): TabsPort
  /** A warning for the app's developer. */
  warn(message: string, cause?: unknown): void
  /** Information for the app's developer: why something failed and what to do. No warning: it may be the network. */
  readonly tell?: (message: string) => void
}
