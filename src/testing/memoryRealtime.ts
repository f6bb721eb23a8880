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
  /** Reconnects one identity, or all. Missed messages are delivered. */
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
  const { setTimer, latencyMs = 0, isProtected } = ports
  const connections = new Set<Connection>()
  const published: MemoryRealtime['published'][number][] = []
  /** Clients on a channel without a connection: added by a test, or closed without leaving. */
  const guests = new Map<string, Set<string>>()
  let isRefusing = false

  const soon = (work: () => void) => {
    if (setTimer) setTimer(work, latencyMs)
    else void Promise.resolve().then(work)
  }
  const tell = (connection: Connection, event: RealtimeEvent) =>
    soon(() => {
      if (connections.has(connection)) connection.options.listen(event)
    })
  const addGuest = (channel: string, identity: string) =>
    void guests.set(channel, (guests.get(channel) ?? new Set()).add(identity))
  const occupants = (channel: string) => {
    const joined = [...connections].filter(({ isUp, options }) => isUp && nameOf(options, channel))
    return [...new Set([...joined.map(({ options }) => options.identity), ...(guests.get(channel) ?? [])])]
  }
  const announce: MemoryRealtime['tellPresence'] = (channel, action, presenceId) => {
    for (const connection of connections)
      if (connection.isUp && nameOf(connection.options, channel)?.hasPresence)
        tell(connection, { type: 'presence', channel, action, presenceIds: [presenceId] })
  }
  /** Delivers missed messages. */
  const catchUp = (connection: Connection) => {
    for (const { channel, body, publisher } of published.slice(connection.cursor)) {
      connection.cursor += 1
      if (!nameOf(connection.options, channel)) continue
      tell(connection, { type: 'message', channel, body, publisher, cursor: cursorText(connection.cursor) })
    }
  }
  const connect = (connection: Connection) => {
    const { identity, channels } = connection.options
    const joins = channels.filter(({ name }) => !occupants(name).includes(identity))
    connection.isUp = true
    for (const { name } of channels) guests.get(name)?.delete(identity)
    tell(connection, { type: 'state', state: 'connected', cursor: cursorText(connection.cursor) })
    for (const { name } of joins) announce(name, 'join', identity)
    catchUp(connection)
  }
  const disconnect = (connection: Connection, action: 'leave' | 'timeout') => {
    if (!connection.isUp) return
    connection.isUp = false
    const { identity, channels } = connection.options
    for (const { name } of channels) if (!occupants(name).includes(identity)) announce(name, action, identity)
  }
  const connectionsOf = (identity: string | undefined) =>
    [...connections].filter(({ options }) => identity === undefined || options.identity === identity)
  const publish: MemoryRealtime['publish'] = (channel, body, publisher) => {
    // Deliver a copy, as a network does.
    published.push({ channel, body: structuredClone(body), publisher })
    for (const connection of connections) if (connection.isUp) catchUp(connection)
  }
  const open = (options: RealtimeOpenOptions): RealtimeLink => {
    const { cursor, identity, channels } = options
    const connection = { options, isUp: false, cursor: Number(cursor ?? published.length) }
    connections.add(connection)
    tell(connection, { type: 'state', state: 'connecting' })
    soon(() => {
      if (connections.has(connection)) connect(connection)
    })
    const assertUp = () => {
      if (!connections.has(connection)) throw new RealtimeFault('closed', 'The connection is closed')
      if (!connection.isUp) throw new RealtimeFault('offline', 'The connection is down')
    }
    return {
      isSpeaker: true,
      publish: async (channel, body) => {
        assertUp()
        if (isRefusing) throw new RealtimeFault('denied', 'Publishing is refused')
        publish(channel, body, identity)
      },
      occupants: async (channel) => {
        assertUp()
        return occupants(channel)
      },
      close({ leave = false } = {}) {
        if (!connections.delete(connection)) return
        if (leave) disconnect(connection, 'leave')
        else if (connection.isUp) for (const { name } of channels) addGuest(name, identity)
        connection.isUp = false
      },
    }
  }

  return {
    transport: { isProtected, open },
    publish,
    tellPresence(channel, action, presenceId) {
      if (action === 'join') addGuest(channel, presenceId)
      else guests.get(channel)?.delete(presenceId)
      announce(channel, action, presenceId)
    },
    occupants,
    cut(state = 'offline', identity) {
      for (const connection of connectionsOf(identity)) {
        disconnect(connection, 'timeout')
        tell(connection, { type: 'state', state, reason: 'cut' })
      }
    },
    restore(identity) {
      for (const connection of connectionsOf(identity)) if (!connection.isUp) connect(connection)
    },
    refusePublish: (isRefused) => void (isRefusing = isRefused),
    get openLinks() {
      return connections.size
    },
    published,
  }
}

const cursorText = (cursor: number) => String(cursor).padStart(17, '0')

const nameOf = ({ channels }: RealtimeOpenOptions, name: string) =>
  channels.find((channel) => channel.name === name)
