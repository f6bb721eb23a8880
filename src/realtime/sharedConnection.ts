// Lets the tabs of one browser share one real-time connection: one tab leads, the others listen through it.
import { createTimer } from '../base/timer.ts'
import { within } from '../base/within.ts'
import {
  RealtimeFault,
  type RealtimeEvent,
  type RealtimeLink,
  type RealtimeOpenOptions,
  type RealtimeTransport,
} from '../protocol/realtimeTransport.ts'
import type { ChannelPort, Platform, TabsPort } from '../session/platform/platform.ts'
import { parseRealtimeEvent, parseRelayed, type RelayedMessage } from './realtimeEvents.ts'

type LeaderPorts = Pick<Platform, 'crypto' | 'now' | 'on' | 'setTimer'>
type SharingPorts = LeaderPorts & { [Name in 'lock' | 'openChannel']: NonNullable<TabsPort[Name]> }

/** A leader that does not respond for this long counts as hung, and the tab opens a connection of its own. */
const SILENCE_MS = 5_000
/** After a logout the other tabs open no connection for this long: they are about to leave, too. */
const GOODBYE_MS = 5_000
/** More tabs than a browser has. Another script cannot fill the memory. */
const LARGEST_FOLLOWER_COUNT = 200
/** How long a tab waits for the leader's list of occupants. */
const LIST_MS = 20_000
/** Messages stored for frozen tabs. */
const KEPT_MESSAGES = 100

/** Of occupants; `undefined`: the service gave none. */
type List = readonly string[] | undefined

/** @param name of the channel and the lock of the tabs that share the connection; without locks each tab has its own */
export function createSharedConnection(
  transport: RealtimeTransport,
  name: string,
  ports: LeaderPorts & Pick<TabsPort, 'lock' | 'openChannel'>,
): RealtimeTransport {
  const { lock, openChannel } = ports
  return {
    isProtected: transport.isProtected,
    // Without a channel, a leader would keep the lock and the other tabs would receive nothing.
    open: (options) =>
      lock && openChannel
        ? new SharedConnection(transport, name, { ...ports, lock, openChannel }, options)
        : transport.open(options),
  }
}

class SharedConnection implements RealtimeLink {
  readonly #transport: RealtimeTransport
  readonly #name: string
  readonly #ports: SharingPorts
  readonly #options: RealtimeOpenOptions
  readonly #tab: string
  readonly #silence: ReturnType<typeof createTimer>
  readonly #goodbye: ReturnType<typeof createTimer>
  readonly #followers = new Set<string>()
  readonly #history: ReturnType<typeof createStreamHistory>
  readonly #removals: readonly (() => void)[]
  /** Of this tab, for the next list. */
  readonly #waiting = new Set<(list: List) => void>()
  /** The tabs that have asked the leader for it. */
  readonly #asking = new Set<string>()
  #isListing = false
  #isLeading = false
  #isClosed = false
  /** Gives the lock back, or leaves its queue; `undefined`: this tab is in neither. */
  #giveUpLock: (() => void) | undefined
  /** To the other tabs; `undefined` while the page is suspended. */
  #relay: ChannelPort | undefined
  /** To the service: in the leading tab, and if the leader is hung. */
  #link: RealtimeLink | undefined

  constructor(transport: RealtimeTransport, name: string, ports: SharingPorts, options: RealtimeOpenOptions) {
    const { crypto, on } = ports
    this.#transport = transport
    this.#name = name
    this.#ports = ports
    this.#options = options
    // Without random bytes there is no session.
    this.#tab = [...crypto.randomBytes!(9)].join('.')
    this.#silence = createTimer(ports)
    this.#goodbye = createTimer(ports)
    this.#history = createStreamHistory(options.cursor)
    this.#removals = [
      on('pagehide', () => this.#suspend(true)),
      on('freeze', () => this.#suspend(false)),
      on('restored', () => this.#start()),
      on('resume', () => this.#start()),
      on('visible', () => {
        if (this.#relay) this.#greet()
      }),
    ]
    this.#start()
  }

  get isSpeaker(): boolean {
    return this.#link !== undefined
  }

  async publish(channel: string, body: unknown): Promise<void> {
    if (this.#isClosed) throw closed()
    if (!this.#link) throw new RealtimeFault('offline', 'Only the tab that has the connection publishes')
    await this.#link.publish(channel, body)
  }

  /** @throws RealtimeFault `closed`, `timeout`, `failed` */
  async occupants(channel: string): Promise<readonly string[]> {
    if (this.#isClosed) throw closed()
    if (this.#link && !this.#isLeading) return this.#link.occupants(channel)
    const nextList = () =>
      new Promise<List>((resolve) => {
        this.#waiting.add(resolve)
        if (this.#isLeading) this.#fetchList()
        else this.#post({ kind: 'ask', from: this.#tab })
      })
    const list = await within(this.#ports, LIST_MS, nextList)
    if (list === 'late') {
      this.#greet()
      throw new RealtimeFault('timeout', 'The leading tab did not respond')
    }
    if (!list) throw new RealtimeFault('failed', 'The service gave no list')
    return list
  }

  stopListening(): void {
    this.#link?.stopListening?.()
  }

  close({ leave = false }: { readonly leave?: boolean | undefined } = {}): void {
    if (this.#isClosed) return
    if (leave) this.#post({ kind: 'resting' })
    this.#stepDown(leave || this.#followers.size === 0)
    this.#post({ kind: 'bye', from: this.#tab })
    this.#isClosed = true
    this.#relay?.close()
    this.#goodbye.clear()
    for (const remove of this.#removals) remove()
    this.#receiveList(undefined)
  }

  #start(): void {
    if (this.#isClosed) return
    this.#relay ??= this.#ports.openChannel(this.#name, (message) => this.#receiveFromTab(message))
    this.#compete()
    this.#greet()
  }

  /** Waits for the lock, whose holder leads. */
  #compete(): void {
    if (this.#giveUpLock) return
    const waiting = new AbortController()
    let release: (() => void) | undefined
    this.#giveUpLock = () => {
      waiting.abort()
      release?.()
    }
    const lead = () =>
      new Promise<void>((resolve) => {
        if (waiting.signal.aborted) return resolve()
        release = resolve
        this.#isLeading = true
        this.#silence.clear()
        this.#openLink()
        this.#post({ kind: 'event', event: this.#history.state, to: undefined })
      })
    this.#ports.lock(this.#name, { signal: waiting.signal }, lead).catch(() => {
      // In a page with an opaque origin, locks reject: this tab is alone.
      if (!waiting.signal.aborted) this.#openLink()
    })
  }

  /** The next leader continues from the same position. */
  #stepDown(leave: boolean): void {
    this.#silence.clear()
    this.#closeLink(leave)
    this.#isLeading = false
    this.#giveUpLock?.()
    this.#giveUpLock = undefined
  }

  /** A page in the bfcache or frozen would keep the lock and starve the other tabs. */
  #suspend(mayLeave: boolean): void {
    if (this.#isClosed) return
    // Another tab takes over with the same identity. Only the last one leaves the channels.
    this.#stepDown(mayLeave && this.#followers.size === 0)
    this.#goodbye.clear()
    this.#post({ kind: 'bye', from: this.#tab })
    this.#relay?.close()
    this.#relay = undefined
    this.#followers.clear()
  }

  #openLink(): void {
    if (this.#isClosed || this.#link) return
    const listen = (event: RealtimeEvent) => this.#receiveFromService(event)
    try {
      this.#link = this.#transport.open({ ...this.#options, cursor: this.#history.cursor, listen })
    } catch {
      // The app's own transport may throw.
      listen({ type: 'state', state: 'failed', reason: 'The transport could not be opened' })
    }
  }

  #closeLink(leave: boolean): void {
    this.#isListing = false
    this.#link?.close({ leave })
    this.#link = undefined
  }

  #receiveFromService(received: unknown): void {
    const event = parseRealtimeEvent(received)
    if (!event) return
    this.#take(event)
    if (this.#isLeading) this.#post({ kind: 'event', event, to: undefined })
  }

  #take(event: RealtimeEvent): void {
    if (this.#isClosed) return
    this.#history.add(event)
    this.#options.listen(event)
  }

  #post(message: RelayedMessage): void {
    if (!this.#isClosed) this.#relay?.post(message)
  }

  /** Asks the leader for its state. */
  #greet(): void {
    if (this.#isLeading || this.#isClosed) return
    this.#post({ kind: 'hello', from: this.#tab, cursor: this.#history.cursor })
    this.#silence.set(SILENCE_MS, () => this.#openLink())
  }

  #receiveFromTab(message: unknown): void {
    const relayed = parseRelayed(message)
    if (this.#isClosed || !relayed) return
    switch (relayed.kind) {
      case 'hello': {
        const { from, cursor } = relayed
        if (this.#followers.size < LARGEST_FOLLOWER_COUNT) this.#followers.add(from)
        if (this.#isLeading)
          for (const event of this.#history.since(cursor)) this.#post({ kind: 'event', event, to: from })
        break
      }
      case 'bye':
        this.#followers.delete(relayed.from)
        break
      case 'event':
        if (this.#isLeading || (relayed.to ?? this.#tab) !== this.#tab) break
        this.#silence.clear()
        // The leader responds after all: this tab needs no connection of its own.
        this.#closeLink(false)
        this.#take(relayed.event)
        break
      case 'resting':
        this.#stepDown(false)
        this.#goodbye.set(GOODBYE_MS, () => this.#start())
        break
      case 'ask':
        if (!this.#isLeading) break
        if (this.#asking.size < LARGEST_FOLLOWER_COUNT) this.#asking.add(relayed.from)
        this.#fetchList()
        break
      case 'list':
        if (relayed.to === this.#tab) this.#receiveList(relayed.presenceIds)
    }
  }

  /** Fetches the occupants of the channel with presence, once for all tabs that ask meanwhile. */
  #fetchList(): void {
    if (this.#isListing) return
    this.#isListing = true
    const channel = this.#options.channels.find(({ hasPresence }) => hasPresence)?.name
    const fetchIt = () => (channel === undefined ? undefined : this.#link?.occupants(channel))
    const give = (list: List | 'late') => {
      const presenceIds = list === 'late' ? undefined : list
      this.#isListing = false
      this.#receiveList(presenceIds)
      for (const to of this.#asking) this.#post({ kind: 'list', to, presenceIds })
      this.#asking.clear()
    }
    void within(this.#ports, LIST_MS, fetchIt).then(give, () => give(undefined))
  }

  #receiveList(list: List): void {
    for (const resolve of this.#waiting) resolve(list)
    this.#waiting.clear()
  }
}

const closed = () => new RealtimeFault('closed', 'The connection is closed')

/** The position in the stream, the state of the connection, and the latest messages for frozen tabs. */
function createStreamHistory(start: string | undefined) {
  const messages: Extract<RealtimeEvent, { type: 'message' }>[] = []
  let state: Extract<RealtimeEvent, { type: 'state' }> = { type: 'state', state: 'connecting' }
  let cursor = start
  return {
    get cursor() {
      return cursor
    },
    get state() {
      return state
    },
    add(event: RealtimeEvent) {
      if (event.type === 'presence') return
      cursor = event.cursor ?? cursor
      if (event.type === 'state') state = event
      else if (messages.push(event) > KEPT_MESSAGES) messages.shift()
    },
    /** The state of the connection, and the messages after `from`. */
    since(from: string | undefined): readonly RealtimeEvent[] {
      const known = messages.findIndex((message) => message.cursor === from)
      return [{ ...state, cursor }, ...(from === undefined ? [] : messages.slice(known + 1))]
    },
  }
}
