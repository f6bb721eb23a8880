// Lets the tabs of one browser share one real-time connection: one tab leads, the others listen through it.
import { createNamedTimers, type NamedTimers } from '../base/namedTimers.ts'
import type { ChannelPort, Platform, TabsPort } from '../session/platform/platform.ts'
import {
  RealtimeFault,
  type RealtimeEvent,
  type RelayedCall,
  type RelayedMessage,
  type RealtimeLink,
  type RealtimeOpenOptions,
  type RealtimeTransport,
} from '../protocol/realtimeTransport.ts'
import { faultCodeOf, parseRealtimeEvent, parseRelayed } from './realtimeEvents.ts'
import { createStreamHistory, type StreamHistory } from './streamHistory.ts'

export type LeaderPorts = Pick<Platform, 'crypto' | 'on' | 'setTimer'> &
  Pick<TabsPort, 'lock' | 'openChannel'>

/** A leader that says nothing for this long is taken for hung, and the tab opens a connection of its own. */
const SILENCE_MS = 5_000
/** After a goodbye the other tabs open no connection for this long: they are about to say goodbye too. */
const GOODBYE_MS = 5_000
/** More tabs than a browser has; whoever shouts names does not fill the memory. */
const LARGEST_FOLLOWER_COUNT = 200
/** A call through the leader is given up after this long. */
const CALL_MS = 20_000

/** What a tab asks of the connection. */
type Call = Pick<RelayedCall, 'method' | 'channel' | 'body'>
type Answer = Pick<Extract<RelayedMessage, { kind: 'answer' }>, 'value' | 'fault'>

type SharedPorts = { [Name in keyof LeaderPorts]: NonNullable<LeaderPorts[Name]> }

/**
 * `name` is the same in all tabs that share the connection, and in no others; their channel and their lock have it.
 * Without locks each tab has its own connection.
 */
export function createSharedConnection(
  transport: RealtimeTransport,
  name: string,
  ports: LeaderPorts,
): RealtimeTransport {
  return {
    isProtected: transport.isProtected,
    open(options) {
      const { lock, openChannel } = ports
      // A leader that nobody can hear would leave the other tabs deaf.
      return lock && openChannel
        ? new SharedConnection({ transport, name, ports: { ...ports, lock, openChannel } }, options)
        : transport.open(options)
    },
  }
}

interface Sharing {
  readonly transport: RealtimeTransport
  readonly name: string
  readonly ports: SharedPorts
}

/** The end of a shared connection in one tab. */
class SharedConnection implements RealtimeLink {
  readonly #sharing: Sharing
  readonly #options: RealtimeOpenOptions
  /** The name of this tab. */
  readonly #tab: string
  readonly #followers = new Set<string>()
  readonly #history: StreamHistory
  readonly #occupants: OccupantsRequests
  readonly #timers: NamedTimers<'silence' | 'goodbye'>
  readonly #removals: readonly (() => void)[]
  /** Calls that wait for the leading tab, by their number. */
  readonly #calls = new Map<number, (answer: Answer) => void>()
  #callCount = 0
  #isLeading = false
  /** Gives the lock back, or leaves its queue; `undefined`: this tab is in neither. */
  #giveUpLock: (() => void) | undefined
  /** To the other tabs; `undefined` while the page is suspended. */
  #relay: ChannelPort | undefined
  /** To the service: in the leading tab, and where the leader is hung. */
  #link: RealtimeLink | undefined
  #isClosed = false

  constructor(sharing: Sharing, options: RealtimeOpenOptions) {
    const { crypto, on, setTimer } = sharing.ports
    this.#sharing = sharing
    this.#options = options
    this.#tab = crypto.randomBytes ? [...crypto.randomBytes(9)].join('.') : `${options.identity}?`
    this.#history = createStreamHistory(options.cursor)
    this.#timers = createNamedTimers(setTimer)
    this.#occupants = createOccupantsRequests(setTimer)
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
    await this.#perform({ method: 'publish', channel, body })
  }

  async occupants(channel: string): Promise<readonly string[]> {
    return (await this.#perform({ method: 'occupants', channel })) ?? []
  }

  wake(): void {
    this.#perform({ method: 'wake', channel: '' }).catch(() => undefined)
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
    const { name, ports } = this.#sharing
    this.#relay ??= ports.openChannel(name, (message) => this.#hearTab(message))
    this.#compete()
    this.#greet()
  }

  /** Waits for the lock, whose holder leads. */
  #compete(): void {
    if (this.#giveUpLock) return
    const { name, ports } = this.#sharing
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
        this.#post({ kind: 'event', event: this.#history.state })
      })
    ports.lock(name, { signal: waiting.signal }, lead).catch(() => {
      // A page without an origin of its own has locks that refuse: this tab is alone.
      if (!waiting.signal.aborted) this.#openLink()
    })
  }

  /** Gives the lead away; the next tab continues from the same place. */
  #stepDown(leave: boolean): void {
    this.#timers.stop('silence')
    this.#closeLink(leave)
    this.#isLeading = false
    this.#giveUpLock?.()
    this.#giveUpLock = undefined
  }

  /** A page in the back-forward cache or frozen would keep the lock and starve the other tabs. */
  #suspend(mayLeave: boolean): void {
    if (this.#isClosed) return
    // Another tab takes over under the same identity; only the last one says goodbye.
    this.#stepDown(mayLeave && this.#followers.size === 0)
    this.#timers.stop('goodbye')
    this.#post({ kind: 'bye', from: this.#tab })
    this.#relay?.close()
    this.#relay = undefined
    this.#followers.clear()
  }

  #openLink(): void {
    if (this.#isClosed || this.#link) return
    const listen = (event: RealtimeEvent) => this.#hearService(event)
    try {
      this.#link = this.#sharing.transport.open({ ...this.#options, cursor: this.#history.cursor, listen })
    } catch {
      // A transport of the app's own may throw.
      listen({ type: 'state', state: 'failed', reason: 'The transport could not be opened' })
    }
  }

  #closeLink(leave: boolean): void {
    this.#occupants.clear()
    this.#link?.close({ leave })
    this.#link = undefined
  }

  #hearService(heard: unknown): void {
    const event = parseRealtimeEvent(heard)
    if (!event) return
    this.#take(event)
    if (this.#isLeading) this.#post({ kind: 'event', event })
  }

  #take(event: RealtimeEvent): void {
    if (this.#isClosed) return
    this.#history.add(event)
    this.#options.listen(event)
  }

  #post(message: RelayedMessage): void {
    if (!this.#isClosed) this.#relay?.post(message)
  }

  /** Asks the leader for its state; a leader that does not respond is hung. */
  #greet(): void {
    if (this.#isLeading || this.#isClosed) return
    this.#post({ kind: 'hello', from: this.#tab, cursor: this.#history.cursor })
    this.#timers.start('silence', SILENCE_MS, () => this.#openLink())
  }

  #hearTab(message: unknown): void {
    const relayed = parseRelayed(message)
    if (this.#isClosed || !relayed) return
    const isLeading = this.#isLeading
    switch (relayed.kind) {
      case 'hello':
        if (this.#followers.size < LARGEST_FOLLOWER_COUNT) this.#followers.add(relayed.from)
        if (isLeading) this.#welcome(relayed.from, relayed.cursor)
        break
      case 'bye':
        this.#followers.delete(relayed.from)
        break
      case 'event':
        if (isLeading || (relayed.to !== undefined && relayed.to !== this.#tab)) break
        this.#timers.stop('silence')
        // The leader lives after all, so this tab needs no connection of its own.
        this.#closeLink(false)
        this.#take(relayed.event)
        break
      case 'resting':
        this.#stepDown(false)
        this.#timers.start('goodbye', GOODBYE_MS, () => this.#start())
        break
      case 'call':
        if (isLeading) void this.#respond(relayed)
        break
      case 'answer':
        if (relayed.to === this.#tab) this.#calls.get(relayed.id)?.(relayed)
    }
  }

  #welcome(to: string, cursor: string | undefined): void {
    for (const event of this.#history.since(cursor)) this.#post({ kind: 'event', event, to })
  }

  async #respond({ from, id, method, channel, body }: RelayedCall): Promise<void> {
    try {
      const isOwn = method === 'wake' || this.#options.channels.some(({ name }) => name === channel)
      if (!isOwn) throw new RealtimeFault('invalid', 'No channel of this session')
      const value = await this.#perform({ method, channel, body })
      this.#post({ kind: 'answer', to: from, id, ...(value ? { value } : {}) })
    } catch (error) {
      this.#post({ kind: 'answer', to: from, id, fault: faultCodeOf(error) })
    }
  }

  /** @throws RealtimeFault what the leader reports, `timeout`, or `closed` */
  #askLeader(call: Call): Promise<readonly string[] | undefined> {
    return new Promise((resolve, reject) => {
      this.#callCount += 1
      const id = this.#callCount
      const finish = ({ value, fault }: Answer) => {
        this.#calls.delete(id)
        cancel()
        if (fault) reject(new RealtimeFault(fault, 'The leading tab could not do it'))
        else resolve(value)
      }
      const cancel = this.#sharing.ports.setTimer(() => {
        finish({ fault: 'timeout' })
        this.#greet()
      }, CALL_MS)
      this.#calls.set(id, finish)
      this.#post({ kind: 'call', from: this.#tab, id, ...call })
    })
  }

  async #perform(call: Call): Promise<readonly string[] | undefined> {
    if (this.#isClosed) throw new RealtimeFault('closed', 'The connection is closed')
    const { method, channel, body } = call
    if (!this.#link) return this.#askLeader(call)
    if (method === 'occupants') return this.#occupants.send(this.#link, channel)
    if (method === 'publish') await this.#link.publish(channel, body)
    if (method === 'wake') this.#link.wake()
    return undefined
  }
}

export type OccupantsRequests = ReturnType<typeof createOccupantsRequests>

/** The service itself gives the same response for this long. */
const SAME_RESPONSE_MS = 3_000

export function createOccupantsRequests(setTimer: Platform['setTimer']) {
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
