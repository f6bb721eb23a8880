// A real-time service in memory, within one page, for tests and stories (contract §7).
import { RealtimeFault } from '../session/realtime/realtime.ts'
import type {
  RealtimeEvent,
  RealtimeLineState,
  RealtimeOpenOptions,
  RealtimeTransport,
} from '../session/realtime/realtime.ts'

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
  cut(state?: Exclude<RealtimeLineState, 'connected' | 'connecting'>, identity?: string): void
  /** Reconnects what was disconnected. Missed messages are delivered. */
  restore(identity?: string): void
  /** Refuses every publish from now on, or accepts it again. */
  refusePublish(isRefused: boolean): void
  /** How many connections are open. */
  readonly openLinks: number
  /** All published messages, in order. */
  readonly published: readonly { channel: string; body: unknown; publisher: string | undefined }[]
}

interface Line {
  options: RealtimeOpenOptions
  isUp: boolean
  cursor: number
}

interface Posted {
  channel: string
  body: unknown
  publisher: string | undefined
}

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
  const lines = new Set<Line>()
  /** Clients on a channel without a connection: added by a test, or closed without leaving. */
  const guests = new Map<string, Set<string>>()
  const published: Posted[] = []
  let dropped = 0
  let isRefusing = false

  const { setTimer, latencyMs = 0, isProtected } = ports
  const soon = (work: () => void) => {
    if (setTimer) setTimer(work, latencyMs)
    else void Promise.resolve().then(work)
  }
  const end = () => dropped + published.length
  const cursorText = (cursor: number) => String(cursor).padStart(17, '0')
  const listensOn = (line: Line, channel: string) =>
    line.options.channels.some(({ name }) => name === channel)
  const hasPresence = (line: Line, channel: string) =>
    line.options.channels.some((known) => known.name === channel && known.hasPresence)

  function tell(line: Line, event: RealtimeEvent): void {
    soon(() => {
      if (lines.has(line)) line.options.listen(event)
    })
  }

  function catchUp(line: Line): void {
    const first = Math.max(0, line.cursor - dropped)
    for (const [index, { channel, body, publisher }] of published.slice(first).entries()) {
      const cursor = dropped + first + index + 1
      if (!listensOn(line, channel)) continue
      tell(line, { type: 'message', channel, body, publisher, cursor: cursorText(cursor) })
    }
    line.cursor = end()
  }

  function occupants(channel: string): string[] {
    const joined = [...lines].filter((line) => line.isUp && listensOn(line, channel))
    return [...new Set([...joined.map((line) => line.options.identity), ...(guests.get(channel) ?? [])])]
  }

  function guestsOf(channel: string): Set<string> {
    const known = guests.get(channel) ?? new Set()
    guests.set(channel, known)
    return known
  }

  function announce(channel: string, action: 'join' | 'leave' | 'timeout', presenceId: string): void {
    for (const line of lines)
      if (line.isUp && hasPresence(line, channel))
        tell(line, { type: 'presence', channel, action, presenceIds: [presenceId] })
  }

  function connect(line: Line): void {
    const { identity, channels } = line.options
    const isNew = channels.map(({ name }) => !occupants(name).includes(identity))
    line.isUp = true
    for (const { name } of channels) guests.get(name)?.delete(identity)
    tell(line, { type: 'state', state: 'connected', cursor: cursorText(line.cursor) })
    channels.forEach(({ name }, index) => {
      if (isNew[index]) announce(name, 'join', identity)
    })
    catchUp(line)
  }

  function disconnect(line: Line, action: 'leave' | 'timeout'): void {
    if (!line.isUp) return
    line.isUp = false
    const { identity, channels } = line.options
    for (const { name } of channels) if (!occupants(name).includes(identity)) announce(name, action, identity)
  }

  function publish(channel: string, body: unknown, publisher?: string): void {
    // Deliver a copy, as a network does.
    published.push({ channel, body: structuredClone(body), publisher })
    if (published.length > KEPT) {
      published.shift()
      dropped += 1
    }
    for (const line of lines) if (line.isUp) catchUp(line)
  }

  const affected = (identity: string | undefined) =>
    [...lines].filter((line) => identity === undefined || line.options.identity === identity)

  return {
    transport: {
      isProtected,
      open(options) {
        const line: Line = {
          options,
          isUp: false,
          cursor: options.cursor === undefined ? end() : Number(options.cursor),
        }
        lines.add(line)
        tell(line, { type: 'state', state: 'connecting' })
        soon(() => {
          if (lines.has(line)) connect(line)
        })
        const assertUp = () => {
          if (!lines.has(line)) throw new RealtimeFault('closed', 'The line is closed')
          if (!line.isUp) throw new RealtimeFault('offline', 'The line is down')
        }
        return {
          isSpeaker: true,
          async publish(channel, body) {
            assertUp()
            if (isRefusing) throw new RealtimeFault('denied', 'Publishing is refused')
            publish(channel, body, options.identity)
          },
          async occupants(channel) {
            assertUp()
            return occupants(channel)
          },
          wake() {
            if (lines.has(line) && line.isUp) catchUp(line)
          },
          close({ leave = false } = {}) {
            if (!lines.delete(line)) return
            if (leave) disconnect(line, 'leave')
            else if (line.isUp) for (const { name } of options.channels) guestsOf(name).add(options.identity)
            line.isUp = false
          },
        }
      },
    },
    publish,
    tellPresence(channel, action, presenceId) {
      if (action === 'join') guestsOf(channel).add(presenceId)
      else guestsOf(channel).delete(presenceId)
      announce(channel, action, presenceId)
    },
    occupants,
    cut(state = 'offline', identity) {
      for (const line of affected(identity)) {
        disconnect(line, 'timeout')
        tell(line, { type: 'state', state, reason: 'cut' })
      }
    },
    restore(identity) {
      for (const line of affected(identity)) if (!line.isUp) connect(line)
    },
    refusePublish(isRefused) {
      isRefusing = isRefused
    },
    get openLinks() {
      return lines.size
    },
    published,
  }
}
