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
/** How long a tab waits for the list of occupants. */
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
  readonly #history: ReturnType<typeof createStreamHistory>
  readonly #removals: readonly (() => void)[]
  /** The other tabs, as far as they have greeted this one. */
  readonly #followers = new Set<string>()
  /** The questions of this tab for the list of occupants. */
  readonly #waiting = new Set<(list: List) => void>()
  #isListing = false
  #isLeading = false
  #isClosed = false
  /** Events may be missing since this tab last listened. */
  #isBehind = true
  /** In the lock's queue, or holding it: aborting gives both up. */
  #turn: AbortController | undefined
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
    // A page in the bfcache or frozen would keep the lock and starve the other tabs.
    this.#removals = [
      on('pagehide', () => this.#stop(true)),
      on('freeze', () => this.#stop(false)),
      on('restored', () => this.#start()),
      on('resume', () => this.#start()),
      on('visible', () => this.#greet()),
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
  async occupants(): Promise<readonly string[]> {
    if (this.#isClosed) throw closed()
    const nextList = () =>
      new Promise<List>((resolve) => {
        this.#waiting.add(resolve)
        if (this.#link) this.#fetchList()
        else this.#post({ kind: 'ask' })
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
    this.#stop(true, leave)
    this.#isClosed = true
    for (const remove of this.#removals) remove()
    this.#receiveList(undefined)
  }

  #start(): void {
    this.#isBehind = true
    this.#relay ??= this.#ports.openChannel(this.#name, (message) => this.#receiveFromTab(message))
    this.#compete()
    this.#greet()
  }

  /** Another tab takes over with the same identity: only the last one leaves the channels, unless the session is over. */
  #stop(mayLeave: boolean, isOver = false): void {
    // Before the lock is free: the next tab must know that the session is over.
    this.#post({ kind: 'bye', from: this.#tab, isOver })
    this.#stepDown(isOver || (mayLeave && this.#followers.size === 0))
    this.#goodbye.clear()
    this.#relay?.close()
    this.#relay = undefined
    this.#followers.clear()
  }

  /** Waits for the lock, whose holder leads. */
  #compete(): void {
    if (this.#turn) return
    this.#turn = new AbortController()
    const { signal } = this.#turn
    const lead = () =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve()
        signal.addEventListener('abort', () => resolve())
        this.#isLeading = true
        this.#silence.clear()
        this.#openLink()
        this.#tell(this.#history.state)
      })
    this.#ports.lock(this.#name, { signal }, lead).catch(() => {
      // In a page with an opaque origin, locks reject: this tab is alone.
      if (!signal.aborted) this.#openLink()
    })
  }

  /** The next leader continues from the same position. */
  #stepDown(leave: boolean): void {
    this.#silence.clear()
    this.#closeLink(leave)
    this.#isLeading = false
    this.#turn?.abort()
    this.#turn = undefined
  }

  #openLink(): void {
    if (this.#link) return
    const listen = (received: unknown) => {
      const event = parseRealtimeEvent(received)
      if (this.#isClosed || !event) return
      this.#take(event)
      if (this.#isLeading) this.#tell(event)
    }
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

  #take(event: RealtimeEvent): void {
    this.#history.add(event)
    this.#options.listen(event)
  }

  /** A reply to this tab repeats the state, and with each state the occupants are listed: without need, it is dropped. */
  #takeFromLeader(event: RealtimeEvent, isReply: boolean): void {
    const isRepeated = isReply && event.type === 'state' && event.state === this.#history.state.state
    if (!isRepeated || this.#isBehind) this.#take(event)
    if (event.type === 'state') this.#isBehind = false
  }

  #post(message: RelayedMessage): void {
    this.#relay?.post(message)
  }

  #tell(event: RealtimeEvent, to?: string): void {
    this.#post({ kind: 'event', event, to })
  }

  /** Asks the leader for its state, and for missed messages. */
  #greet(): void {
    if (this.#isLeading || !this.#relay) return
    this.#post({ kind: 'hello', from: this.#tab, cursor: this.#history.cursor })
    this.#silence.set(SILENCE_MS, () => this.#openLink())
  }

  #receiveFromTab(message: unknown): void {
    const relayed = parseRelayed(message)
    if (!this.#relay || !relayed) return
    switch (relayed.kind) {
      case 'hello':
        if (this.#followers.size < LARGEST_FOLLOWER_COUNT) this.#followers.add(relayed.from)
        if (this.#isLeading)
          for (const event of this.#history.since(relayed.cursor)) this.#tell(event, relayed.from)
        break
      case 'bye':
        this.#followers.delete(relayed.from)
        if (!relayed.isOver) break
        this.#stepDown(false)
        this.#goodbye.set(GOODBYE_MS, () => this.#start())
        break
      case 'event':
        if (this.#isLeading || (relayed.to ?? this.#tab) !== this.#tab) break
        this.#silence.clear()
        // The leader responds after all: this tab needs no connection of its own.
        this.#closeLink(false)
        this.#takeFromLeader(relayed.event, relayed.to !== undefined)
        break
      case 'ask':
        if (this.#isLeading) this.#fetchList()
        break
      case 'list':
        this.#receiveList(relayed.presenceIds)
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
      if (this.#isLeading) this.#post({ kind: 'list', presenceIds })
    }
    void within<List>(this.#ports, LIST_MS, fetchIt).then(give, () => give(undefined))
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
