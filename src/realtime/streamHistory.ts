// Remembers what a connection has brought: how far its stream was read, the latest messages for tabs that were frozen, and which have come already.
import { REALTIME_CACHE_SIZE } from '../protocol/presence.ts'
import type { RealtimeEvent } from '../protocol/realtimeTransport.ts'

type Message = Extract<RealtimeEvent, { type: 'message' }>
type State = Extract<RealtimeEvent, { type: 'state' }>

export type StreamHistory = ReturnType<typeof createStreamHistory>

/** Messages kept for a tab that was frozen. */
const KEPT_MESSAGES = 100

export function createStreamHistory(start: string | undefined) {
  const messages: Message[] = []
  let state: State = { type: 'state', state: 'connecting' }
  let cursor = start

  return {
    /** Place in the stream up to which everything was read. */
    get cursor() {
      return cursor
    },
    /** How the connection is. */
    get state() {
      return state
    },
    add(event: RealtimeEvent) {
      if (event.type === 'presence') return
      cursor = event.cursor ?? cursor
      if (event.type === 'state') state = event
      else if (messages.push(event) > KEPT_MESSAGES) messages.shift()
    },
    /** What a tab needs that has read up to `from`: how the connection is, and the messages since. */
    since(from: string | undefined): readonly RealtimeEvent[] {
      const now = { ...state, cursor }
      if (from === undefined) return [now]
      const known = messages.findIndex((message) => message.cursor === from)
      return [now, ...messages.slice(known + 1)]
    },
  }
}

export type SeenMessages = ReturnType<typeof createSeenMessages>

/** The names of the latest messages, so that a repeated one is delivered once; the oldest is forgotten first. */
export function createSeenMessages(size: number = REALTIME_CACHE_SIZE) {
  const known = new Set<string>()
  return {
    has: (name: string) => known.has(name),
    /** Returns false when the name is known already. */
    add(name: string) {
      if (known.has(name)) return false
      known.add(name)
      for (const oldest of known) {
        if (known.size <= size) break
        known.delete(oldest)
      }
      return true
    },
  }
}
