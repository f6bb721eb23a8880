// A real-time service in memory, within one page, for tests and stories.
import { RealtimeFault } from '../protocol/realtimeTransport.ts'
import type {
  RealtimeEvent,
  RealtimeConnectionState,
  RealtimeLink,
  RealtimeOpenOptions,
  RealtimeTransport,
} from '../protocol/realtimeTransport.ts'

/** A service in memory that a test controls. */
export interface MemoryRealtime {
  /** For `realtime` of a config. */
  readonly transport: RealtimeTransport
  /** Publishes as the server, or under any identity. */
  publish(channel: string, body: unknown, publisher?: string): void
  /** Lets another client join or leave. */
  tellPresence(channel: string, action: 'join' | 'leave' | 'timeout', presenceId: string): void
  /** Presence identifiers that are on a channel now. */
  occupants(channel: string): string[]
  /** Disconnects one identity, or all. */
  cut(state?: Exclude<RealtimeConnectionState, 'connected' | 'connecting'>, identity?: string): void
  /** Reconnects what was disconnected. Missed messages are delivered. */
  restore(identity?: string): void
  /** Refuses every publish from now on, or accepts it again. */
  refusePublish(isRefused: boolean): void
  /** How many connections are open. */
  readonly openLinks: number
  /** All published messages, in order. */
  readonly published: readonly { channel: string; body: unknown; publisher: string | undefined }[]
}

/** One client's connection. */
interface Connection {
  readonly options: RealtimeOpenOptions
  isUp: boolean
  /** How many of all messages were delivered. */
  cursor: number
}

type Ports = NonNullable<Parameters<typeof createMemoryRealtime>[0]>

interface Posted {
  channel: string
  body: unknown
  publisher: string | undefined
}

type PresenceAction = 'join' | 'leave' | 'timeout'

const KEPT = 1000

/**
 * Real time in memory: several sessions in one test receive the messages of each other, as over a service.
 *
 * @example
 * const realtime = createMemoryRealtime()
 * const auth = createAuth({ ...config, realtime: realtime.transport }, { platform: host.platform })
 */
export function createMemoryRealtime(
  ports: {
    /** Delivers after `latencyMs` by this timer. Default: right after the current task. */
    setTimer?: (callback: () => void, delayMs: number) => () => void
    latencyMs?: number
    isProtected?: boolean
  } = {},
): MemoryRealtime {
  const service = new MemoryService(ports)
  return {
    transport: { isProtected: ports.isProtected, open: (options) => service.open(options) },
    publish: (channel, body, publisher) => service.publish(channel, body, publisher),
    tellPresence: (channel, action, presenceId) => service.tellPresence(channel, action, presenceId),
    occupants: (channel) => service.occupants(channel),
    cut: (state = 'offline', identity) => service.cut(state, identity),
    restore: (identity) => service.restore(identity),
    refusePublish: (isRefused) => void (service.isRefusing = isRefused),
    get openLinks() {
      return service.connections.size
    },
    published: service.published,
  }
}

/** What the clients of one service share. */
class MemoryService {
  readonly connections = new Set<Connection>()
  readonly published: Posted[] = []
  /** Whether every publish of a client is refused. */
  isRefusing = false
  /** Clients on a channel without a connection: added by a test, or closed without leaving. */
  readonly #guests = new Map<string, Set<string>>()
  readonly #ports: Ports
  /** Messages published before those that are kept. */
  #dropped = 0

  constructor(ports: Ports) {
    this.#ports = ports
  }

  open(options: RealtimeOpenOptions): RealtimeLink {
    const { cursor } = options
    const connection = { options, isUp: false, cursor: cursor === undefined ? this.#end() : Number(cursor) }
    this.connections.add(connection)
    this.#tell(connection, { type: 'state', state: 'connecting' })
    this.#soon(() => {
      if (this.connections.has(connection)) this.#connect(connection)
    })
    const assertUp = () => {
      if (!this.connections.has(connection)) throw new RealtimeFault('closed', 'The connection is closed')
      if (!connection.isUp) throw new RealtimeFault('offline', 'The connection is down')
    }
    return {
      isSpeaker: true,
      publish: async (channel, body) => {
        assertUp()
        if (this.isRefusing) throw new RealtimeFault('denied', 'Publishing is refused')
        this.publish(channel, body, options.identity)
      },
      occupants: async (channel) => {
        assertUp()
        return this.occupants(channel)
      },
      wake: () => {
        if (this.connections.has(connection) && connection.isUp) this.#catchUp(connection)
      },
      close: ({ leave = false } = {}) => this.#close(connection, leave),
    }
  }

  publish(channel: string, body: unknown, publisher?: string): void {
    // Deliver a copy, as a network does.
    this.published.push({ channel, body: structuredClone(body), publisher })
    if (this.published.length > KEPT) {
      this.published.shift()
      this.#dropped += 1
    }
    for (const connection of this.connections) if (connection.isUp) this.#catchUp(connection)
  }

  tellPresence(channel: string, action: PresenceAction, presenceId: string): void {
    if (action === 'join') this.#addGuest(channel, presenceId)
    else this.#guests.get(channel)?.delete(presenceId)
    this.#announce(channel, action, presenceId)
  }

  occupants(channel: string): string[] {
    const joined = [...this.connections].filter(({ isUp, options }) => isUp && nameOf(options, channel))
    const guests = this.#guests.get(channel) ?? []
    return [...new Set([...joined.map(({ options }) => options.identity), ...guests])]
  }

  #addGuest(channel: string, identity: string): void {
    const guests = this.#guests.get(channel) ?? new Set()
    this.#guests.set(channel, guests.add(identity))
  }

  cut(state: RealtimeConnectionState, identity: string | undefined): void {
    for (const connection of this.#connectionsOf(identity)) {
      this.#disconnect(connection, 'timeout')
      this.#tell(connection, { type: 'state', state, reason: 'cut' })
    }
  }

  restore(identity: string | undefined): void {
    for (const connection of this.#connectionsOf(identity)) if (!connection.isUp) this.#connect(connection)
  }

  #close(connection: Connection, leave: boolean): void {
    if (!this.connections.delete(connection)) return
    const { identity, channels } = connection.options
    if (leave) this.#disconnect(connection, 'leave')
    else if (connection.isUp) for (const { name } of channels) this.#addGuest(name, identity)
    connection.isUp = false
  }

  #disconnect(connection: Connection, action: 'leave' | 'timeout'): void {
    if (!connection.isUp) return
    connection.isUp = false
    const { identity, channels } = connection.options
    for (const { name } of channels)
      if (!this.occupants(name).includes(identity)) this.#announce(name, action, identity)
  }

  /** Delivers what the connection has missed. */
  #catchUp(connection: Connection): void {
    const first = Math.max(0, connection.cursor - this.#dropped)
    for (const [index, { channel, body, publisher }] of this.published.slice(first).entries()) {
      if (!nameOf(connection.options, channel)) continue
      const cursor = cursorText(this.#dropped + first + index + 1)
      this.#tell(connection, { type: 'message', channel, body, publisher, cursor })
    }
    connection.cursor = this.#end()
  }

  #tell(connection: Connection, event: RealtimeEvent): void {
    this.#soon(() => {
      if (this.connections.has(connection)) connection.options.listen(event)
    })
  }

  #connect(connection: Connection): void {
    const { identity, channels } = connection.options
    const joins = channels.filter(({ name }) => !this.occupants(name).includes(identity))
    connection.isUp = true
    for (const { name } of channels) this.#guests.get(name)?.delete(identity)
    this.#tell(connection, { type: 'state', state: 'connected', cursor: cursorText(connection.cursor) })
    for (const { name } of joins) this.#announce(name, 'join', identity)
    this.#catchUp(connection)
  }

  #announce(channel: string, action: PresenceAction, presenceId: string): void {
    for (const connection of this.connections)
      if (connection.isUp && nameOf(connection.options, channel)?.hasPresence)
        this.#tell(connection, { type: 'presence', channel, action, presenceIds: [presenceId] })
  }

  #connectionsOf(identity: string | undefined): Connection[] {
    return [...this.connections].filter(
      ({ options }) => identity === undefined || options.identity === identity,
    )
  }

  #end(): number {
    return this.#dropped + this.published.length
  }

  #soon(work: () => void): void {
    const { setTimer, latencyMs = 0 } = this.#ports
    if (setTimer) setTimer(work, latencyMs)
    else void Promise.resolve().then(work)
  }
}

const cursorText = (cursor: number) => String(cursor).padStart(17, '0')

const nameOf = ({ channels }: RealtimeOpenOptions, name: string) =>
  channels.find((channel) => channel.name === name)
