// Remembers how far the stream of a connection was read, and the latest messages for tabs that were frozen.
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
