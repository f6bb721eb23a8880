// The one door to the browser: everything the session needs of it, so that a test can hand in another.
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
  | 'activity'

/** A storage that never throws. */
export interface StoragePort {
  /** The value, or `undefined` when there is none or it cannot be read. */
  get(key: string): string | undefined
  set(key: string, value: string): boolean
  remove(key: string): void
}

/** A message from the hidden frame, or how it was seen to fail. */
export type FrameEvent =
  | { type: 'message'; data: unknown }
  | { type: 'loaded' }
  | { type: 'csp' }
  | { type: 'removed' }

export interface FramePort {
  /** Where it is; `undefined` at any other origin than the page's, which the browser does not tell. */
  address?(): string | undefined
  remove(): void
}

/** A frame that is open already; `openFrame` hands on what it has said so far, too. */
export interface EarlyFrame extends AttemptKey, Pick<Platform, 'openFrame'> {
  /** When it was opened, by the wall clock. */
  readonly createdAtMs: number
}

/** What `latchkey/early` leaves for start-up to take over: each goes with the first call that it fits. */
export interface Early {
  /** The whole address, with what was taken out of it back in its place. */
  address?: (() => string) | undefined
  /** The hidden frame that is open already, if its address is the one that this page would open with the same key. */
  frame?: ((urlOf: (key: AttemptKey) => string) => EarlyFrame | undefined) | undefined
  /** The answer to a request that was sent already. */
  fetch?: ((...request: Parameters<typeof fetch>) => Promise<Response> | undefined) | undefined
  /** The attempt whose code is being sent, under its state key; it is not in storage any more. */
  attempts?: Readonly<Record<string, unknown>> | undefined
  /** Whether this tab is the one that sends the code, where that has been asked already. */
  claim?: ((lockName: string) => Promise<boolean> | undefined) | undefined
  /** The keys that the page before has left in the name of the tab. */
  name?: string | undefined
  /** When the code in the address was sent, by the wall clock. */
  sentAtMs?: number | undefined
}

/** What the auth objects of a page share, those of a second copy of latchkey too. */
export interface SharedByPage {
  /** What the page's URL brought to one of a client, by the client's name and the record of its session at that time. */
  readonly returns: Record<string, object>
  /** The `subscribe` of those that are mounted: other scripts reach it. */
  readonly mounted: Set<object>
}

export interface PopupPort {
  /** Gone, or cut off from this page by an opener policy: the two look the same. */
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

/** Opens a popup; `undefined` when the browser blocked it. */
export type OpenPopup = (options: {
  name: string
  url: string
  origin: string
  listen(data: unknown): void
}) => PopupPort | undefined

/** What the tabs of one browser share, and what their one connection needs of the page. Each part is `undefined` where the browser has none. */
export interface TabsPort {
  readonly openChannel: ((name: string, listen: (message: unknown) => void) => ChannelPort) | undefined
  /** Runs work under a lock of all tabs; rejects with the signal's reason when the wait is cut off. */
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
  /** `undefined` in a frame, in a window that another page has opened, and where the browser may write it to a disk. */
  get(): string | undefined
  set(name: string): void
}

/** Everything the session needs of its host. */
export interface Platform {
  /** This code runs on a server, where nobody has a session. */
  readonly isServer?: boolean
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** Monotonic clock, milliseconds. */
  monotonicNow(): number
  setTimer(callback: () => void, delayMs: number): () => void
  /** Resolves when the user opens a page that the browser has prerendered; `undefined`: it is open. Absent: it always is. */
  readonly untilActive?: () => Promise<void> | undefined
  /** Calls once in an idle moment of the page; never for a user who saves data. Absent: never. */
  readonly whenIdle?: (callback: () => void) => void
  readonly crypto: CryptoPort
  readonly fetch: typeof fetch
  address(): string
  /** What the page's relative addresses stand below: its own address, or that of a `<base>`. */
  baseAddress(): string
  /** What `latchkey/early` has done before the app's files arrived. Absent: nothing. */
  readonly early?: Early | undefined
  /** What this auth object shares with others of the page. */
  shared(): SharedByPage
  /** Takes the lock of a name among all tabs for a while; false when another tab has it. Without locks every tab gets true. */
  takeLock(name: string, forMs: number): Promise<boolean>
  /** Changes the address without a navigation, and keeps the history state. Routers hear of it, unless it is done silently. */
  replaceAddress(address: string, isSilent?: boolean): void
  /** Whether the browser tells, by `stayed`, that the user does not leave the page after all. */
  readonly isStayTold: boolean
  navigate(url: string): void
  readonly sessionStorage: StoragePort
  readonly localStorage: StoragePort
  isOnline(): boolean
  isVisible(): boolean
  /** Whether the focus is in a frame of another origin. Absent: nobody can tell. */
  readonly isFocusElsewhere?: () => Promise<boolean>
  on(event: PlatformEvent, listener: () => void): () => void
  /** Whether the user has opened this page: reloaded, `back`, typed, by a link of elsewhere. `false` where nobody can tell. */
  isOpenedByUser(authHost: string): boolean | 'back'
  /** Watches whether the page's own policy forbids a request to an origin; what it returns ends the watch and tells. Absent: nobody can tell. */
  readonly watchPolicy?: (origin: string) => () => boolean
  /** Tells the page of an event that did not happen. Absent: the browser's own way. */
  readonly emit?: (event: 'online' | 'offline') => void
  /** Opens the hidden frame. Messages come only from this very frame and only from the given origin. */
  openFrame(options: {
    name: string
    url: string
    origin: string
    listen(event: FrameEvent): void
  }): FramePort
  /** Opens a popup inside the user's click; returns `undefined` when it was blocked. Absent: the browser's own. */
  readonly openPopup?: OpenPopup
  /** Leaves the page with a form (POST), unless the page's policy forbids it. Absent: the browser's own. */
  readonly submitForm?: (
    url: string,
    fields: Readonly<Record<string, string>>,
    onForbidden: () => void,
  ) => void
  /** Posts to the page of the same origin that opened the popup this page runs in. Absent: the browser's own. */
  readonly tellOpener?: (message: unknown) => void
  /** Empties a name with keys as the page opens and returns it, each time; '' if another site was asked since. Absent: pages leave no session. */
  readonly takeTabName?: (() => string) | undefined
  /** Absent: the browser's own. */
  readonly tabName?: TabName | undefined
  /** Name of the frame or popup this page itself runs in; '' in a tab of its own. */
  windowName(): string
  /** Closes the popup this page runs in; does nothing in a frame. */
  closeWindow(): void
  tabs(): TabsPort
  /** Reports something the developer of the app should see. */
  warn(message: string, cause?: unknown): void
  /** Tells the developer why something failed and what to do; no warning, because it may be the network. */
  readonly tell?: (message: string) => void
}
