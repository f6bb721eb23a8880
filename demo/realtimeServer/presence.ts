// Knows who is on which channel: joins, leaves, time-outs, and the events about them.
import type { Messages } from './messages.ts'

export const PRESENCE_SUFFIX = '-pnpres'

export function createPresenceRegister(messages: Messages) {
  /** By channel: each occupant, with the timer that ends their presence. */
  const channels = new Map<string, Map<string, NodeJS.Timeout>>()
  const of = (channel: string) => channels.get(channel) ?? new Map<string, NodeJS.Timeout>()

  function announce(channel: string, action: 'join' | 'leave' | 'timeout', uuid: string): void {
    const timestamp = Math.floor(Date.now() / 1000)
    messages.post(channel + PRESENCE_SUFFIX, { action, uuid, timestamp, occupancy: of(channel).size })
  }

  function remove(channel: string, uuid: string, action: 'leave' | 'timeout'): void {
    const timer = of(channel).get(uuid)
    if (timer === undefined) return
    clearTimeout(timer)
    of(channel).delete(uuid)
    announce(channel, action, uuid)
  }

  return {
    /** A subscribe or a heartbeat: joins when not there yet, and lives for another `timeoutMs`. */
    touch(channel: string, uuid: string, timeoutMs: number): void {
      const occupants = of(channel)
      channels.set(channel, occupants)
      const before = occupants.get(uuid)
      clearTimeout(before)
      const timer = setTimeout(() => remove(channel, uuid, 'timeout'), timeoutMs)
      timer.unref()
      occupants.set(uuid, timer)
      if (before === undefined) announce(channel, 'join', uuid)
    },

    leave: (channel: string, uuid: string): void => remove(channel, uuid, 'leave'),

    /** Ends somebody's presence as if no heartbeat had come. */
    expire: (channel: string, uuid: string): void => remove(channel, uuid, 'timeout'),

    uuids: (channel: string): string[] => [...of(channel).keys()],

    close(): void {
      for (const occupants of channels.values()) for (const timer of occupants.values()) clearTimeout(timer)
    },
  }
}

export type PresenceRegister = ReturnType<typeof createPresenceRegister>
