// Lets the tabs of one browser share one real-time connection: one tab leads, the others listen through it.
import { createNamedTimers, type NamedTimers } from '../base/namedTimers.ts'
import {
  RealtimeFault,
  type RealtimeEvent,
  type RealtimeLink,
  type RealtimeOpenOptions,
  type RealtimeTransport,
} from '../protocol/realtimeTransport.ts'
import type { ChannelPort, Platform, TabsPort } from '../session/platform/platform.ts'
import { faultCodeOf, parseRealtimeEvent, parseRelayed, type RelayedMessage } from './realtimeEvents.ts'

export type LeaderPorts = Pick<Platform, 'crypto' | 'on' | 'setTimer'> &
  Pick<TabsPort, 'lock' | 'openChannel'>
type SharingPorts = LeaderPorts & { [Name in 'lock' | 'openChannel']: NonNullable<LeaderPorts[Name]> }

/** A leader that does not respond for this long counts as hung, and the tab opens a connection of its own. */
const SILENCE_MS = 5_000
/** After a logout the other tabs open no connection for this long: they are about to leave, too. */
const GOODBYE_MS = 5_000
/** More tabs than a browser has. Another script cannot fill the memory. */
const LARGEST_FOLLOWER_COUNT = 200
/** Time limit of a call through the leader. */
const CALL_MS = 20_000
/** The service itself caches the list for this long. */
const SAME_RESPONSE_MS = 3_000
/** Messages stored for frozen tabs. */
const KEPT_MESSAGES = 100

type Of<Kind extends RelayedMessage['kind']> = Extract<RelayedMessage, { kind: Kind }>
type Answer = Partial<Pick<Of<'answer'>, 'value' | 'fault'>>

/** @param name of the channel and the lock of the tabs that share the connection; without locks each tab has its own */
export function createSharedConnection(
  transport: RealtimeTransport,
  name: string,
  ports: LeaderPorts,
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
  readonly #timers: NamedTimers<'silence' | 'goodbye'>
  readonly #followers = new Set<string>()
  readonly #history: ReturnType<typeof createStreamHistory>
  readonly #occupantsRequests: ReturnType<typeof createOccupantsRequests>
  readonly #removals: readonly (() => void)[]
  /** Pending calls to the leading tab, by their number. */
  readonly #calls = new Map<number, (answer: Answer) => void>()
  #callCount = 0
  #isLeading = false
  #isClosed = false
  /** Gives the lock back, or leaves its queue; `undefined`: this tab is in neither. */
  #giveUpLock: (() => void) | undefined
  /** To the other tabs; `undefined` while the page is suspended. */
  #relay: ChannelPort | undefined
  /** To the service: in the leading tab, and if the leader is hung. */
  #link: RealtimeLink | undefined

  constructor(transport: RealtimeTransport, name: string, ports: SharingPorts, options: RealtimeOpenOptions) {
    const { crypto, on, setTimer } = ports
    this.#transport = transport
    this.#name = name
    this.#ports = ports
    this.#options = options
    this.#tab = crypto.randomBytes ? [...crypto.randomBytes(9)].join('.') : `${options.identity}?`
    this.#timers = createNamedTimers(setTimer)
    this.#history = createStreamHistory(options.cursor)
    this.#occupantsRequests = createOccupantsRequests(setTimer)
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

  async occupants(channel: string): Promise<readonly string[]> {
    if (this.#isClosed) throw closed()
    return this.#link ? this.#occupantsRequests.send(this.#link, channel) : this.#askLeader(channel)
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
    this.#timers.close()
    for (const remove of this.#removals) remove()
    for (const finish of this.#calls.values()) finish({ fault: 'closed' })
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
        this.#timers.stop('silence')
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
    this.#timers.stop('silence')
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
    this.#timers.stop('goodbye')
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
    this.#occupantsRequests.clear()
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
    this.#timers.start('silence', SILENCE_MS, () => this.#openLink())
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
        this.#timers.stop('silence')
        // The leader responds after all: this tab needs no connection of its own.
        this.#closeLink(false)
        this.#take(relayed.event)
        break
      case 'resting':
        this.#stepDown(false)
        this.#timers.start('goodbye', GOODBYE_MS, () => this.#start())
        break
      case 'call':
        if (this.#isLeading) void this.#respond(relayed)
        break
      case 'answer':
        if (relayed.to === this.#tab) this.#calls.get(relayed.id)?.(relayed)
    }
  }

  async #respond({ from, id, channel }: Of<'call'>): Promise<void> {
    const isOwn = this.#options.channels.some(({ name }) => name === channel)
    const answer: Answer = isOwn
      ? await this.occupants(channel).then(
          (value) => ({ value }),
          (error: unknown) => ({ fault: faultCodeOf(error) }),
        )
      : { fault: 'invalid' }
    this.#post({ kind: 'answer', to: from, id, value: undefined, fault: undefined, ...answer })
  }

  /** @throws RealtimeFault the leader's code, `timeout`, or `closed` */
  #askLeader(channel: string): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      this.#callCount += 1
      const id = this.#callCount
      const finish = ({ value = [], fault }: Answer) => {
        this.#calls.delete(id)
        cancel()
        if (fault) reject(new RealtimeFault(fault, 'The leading tab could not do it'))
        else resolve(value)
      }
      const cancel = this.#ports.setTimer(() => {
        finish({ fault: 'timeout' })
        this.#greet()
      }, CALL_MS)
      this.#calls.set(id, finish)
      this.#post({ kind: 'call', from: this.#tab, id, method: 'occupants', channel })
    })
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

/** Dedupes requests of several tabs within `SAME_RESPONSE_MS`. */
function createOccupantsRequests(setTimer: Platform['setTimer']) {
  const sent = new Map<string, { presenceIds: Promise<readonly string[]>; cancel: () => void }>()
  return {
    send(link: RealtimeLink, channel: string) {
      const known = sent.get(channel)
      if (known) return known.presenceIds
      const presenceIds = link.occupants(channel)
      const forget = () => void sent.delete(channel)
      sent.set(channel, { presenceIds, cancel: setTimer(forget, SAME_RESPONSE_MS) })
      presenceIds.catch(forget)
      return presenceIds
    },
    clear() {
      for (const { cancel } of sent.values()) cancel()
      sent.clear()
    },
  }
}
