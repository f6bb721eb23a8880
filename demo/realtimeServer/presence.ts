// Knows who is on which channel: joins, leaves, time-outs, states, and the events about them.
import type { Messages } from './messages.ts'

interface Occupant {
  state: unknown
  cancelTimeout: () => void
}

export interface PresenceOptions {
  messages: Messages
  /** Above this occupancy only interval events are sent, as the service does. */
  announceMax: number
  intervalMs: number
  now?: () => number
}

export const PRESENCE_SUFFIX = '-pnpres'

export function createPresenceRegister({
  messages,
  announceMax,
  intervalMs,
  now = Date.now,
}: PresenceOptions) {
  const channels = new Map<string, Map<string, Occupant>>()
  const intervals = new Map<
    string,
    { join: string[]; leave: string[]; timeout: string[]; timer: NodeJS.Timeout }
  >()

  const occupancy = (channel: string) => channels.get(channel)?.size ?? 0
  const seconds = () => Math.floor(now() / 1000)

  function announce(channel: string, action: 'join' | 'leave' | 'timeout', uuid: string): void {
    const data = { action, uuid, timestamp: seconds(), occupancy: occupancy(channel) }
    if (data.occupancy <= announceMax) {
      messages.post({ channel: channel + PRESENCE_SUFFIX, data })
      return
    }
    const pending = intervals.get(channel)
    if (pending) {
      pending[action].push(uuid)
      return
    }
    const timer = setTimeout(() => {
      const due = intervals.get(channel)
      intervals.delete(channel)
      if (!due) return
      const { join, leave, timeout } = due
      messages.post({
        channel: channel + PRESENCE_SUFFIX,
        data: {
          action: 'interval',
          timestamp: seconds(),
          occupancy: occupancy(channel),
          join,
          leave,
          timeout,
        },
      })
    }, intervalMs)
    const entry = { join: [] as string[], leave: [] as string[], timeout: [] as string[], timer }
    entry[action].push(uuid)
    intervals.set(channel, entry)
  }

  function remove(channel: string, uuid: string, action: 'leave' | 'timeout'): void {
    const occupants = channels.get(channel)
    const occupant = occupants?.get(uuid)
    if (!occupants || !occupant) return
    occupant.cancelTimeout()
    occupants.delete(uuid)
    if (occupants.size === 0) channels.delete(channel)
    announce(channel, action, uuid)
  }

  return {
    /** A subscribe or a heartbeat: joins when not there yet, and lives for another `timeoutMs`. */
    touch(channel: string, uuid: string, timeoutMs: number): void {
      const occupants = channels.get(channel) ?? new Map<string, Occupant>()
      channels.set(channel, occupants)
      const known = occupants.get(uuid)
      known?.cancelTimeout()
      const timer = setTimeout(() => remove(channel, uuid, 'timeout'), timeoutMs)
      timer.unref()
      occupants.set(uuid, { state: known?.state, cancelTimeout: () => clearTimeout(timer) })
      if (!known) announce(channel, 'join', uuid)
    },

    leave(channel: string, uuid: string): void {
      remove(channel, uuid, 'leave')
    },

    /** Ends somebody's presence as if no heartbeat had come. */
    expire(channel: string, uuid: string): void {
      remove(channel, uuid, 'timeout')
    },

    uuids: (channel: string): string[] => [...(channels.get(channel)?.keys() ?? [])],
    occupancy,
    allChannels: (): string[] => [...channels.keys()],
    channelsOf: (uuid: string): string[] =>
      [...channels].filter(([, occupants]) => occupants.has(uuid)).map(([channel]) => channel),
    stateOf: (channel: string, uuid: string): unknown => channels.get(channel)?.get(uuid)?.state ?? {},

    setState(channel: string, uuid: string, state: unknown): void {
      const occupant = channels.get(channel)?.get(uuid)
      if (!occupant) return
      occupant.state = state
      messages.post({
        channel: channel + PRESENCE_SUFFIX,
        data: {
          action: 'state-change',
          uuid,
          timestamp: seconds(),
          occupancy: occupancy(channel),
          data: state,
        },
      })
    },

    close(): void {
      for (const { timer } of intervals.values()) clearTimeout(timer)
      for (const occupants of channels.values())
        for (const { cancelTimeout } of occupants.values()) cancelTimeout()
    },
  }
}

export type PresenceRegister = ReturnType<typeof createPresenceRegister>
