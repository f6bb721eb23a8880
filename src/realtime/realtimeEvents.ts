// Parses the events of a real-time connection, from a service or another tab.
import { memberOf, readable } from '../base/json.ts'
import { LARGEST_NAME_LENGTH } from '../protocol/presence.ts'
import type { RealtimeConnectionState, RealtimeEvent } from '../protocol/realtimeTransport.ts'

/** The length of the service's list; a longer one is cut. */
const LARGEST_LIST = 1000
const LARGEST_CURSOR_LENGTH = 512
const LARGEST_REASON_LENGTH = 300

const STATES: readonly RealtimeConnectionState[] = ['connecting', 'connected', 'offline', 'denied', 'failed']
const ACTIONS = ['join', 'leave', 'timeout'] as const

/** Whether the service would refuse the call again; also for the app's own transport. */
export const isDenied = (error: unknown): boolean =>
  readable(() => memberOf(error, 'code') === 'denied') === true

type Members = Readonly<Record<string, unknown>>

/** `undefined` for every other shape. The body of a message stays unchecked. */
export const parseRealtimeEvent = (value: unknown): RealtimeEvent | undefined =>
  readable(() => readEvent(Object(value) as Members))

export const parseRelayed = (value: unknown) => readable(() => readRelayed(Object(value) as Members))

/** A message between tabs that share a connection. Unknown kinds are dropped. */
export type RelayedMessage = NonNullable<ReturnType<typeof readRelayed>>

/** Skips invalid items; `undefined` for anything but a list. */
export function parsePresenceIds(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value
    .slice(0, LARGEST_LIST)
    .filter((id): id is string => text(id, LARGEST_NAME_LENGTH) !== undefined)
}

function readEvent(event: Members): RealtimeEvent | undefined {
  const channel = text(event['channel'], LARGEST_NAME_LENGTH)
  const cursor = text(event['cursor'], LARGEST_CURSOR_LENGTH)
  if (event['type'] === 'state') {
    const state = oneOf(STATES, event['state'])
    const { reason } = event
    const why = typeof reason === 'string' ? reason.slice(0, LARGEST_REASON_LENGTH) : undefined
    return state && { type: 'state', state, ...(why && { reason: why }), ...(cursor && { cursor }) }
  }
  if (channel === undefined) return undefined
  if (event['type'] === 'presence') {
    const action = oneOf(ACTIONS, event['action'])
    const presenceIds = parsePresenceIds(event['presenceIds'])
    return action && presenceIds && { type: 'presence', channel, action, presenceIds }
  }
  if (event['type'] !== 'message' || cursor === undefined) return undefined
  const publisher = text(event['publisher'], LARGEST_NAME_LENGTH)
  return { type: 'message', channel, body: event['body'], ...(publisher && { publisher }), cursor }
}

function readRelayed(message: Members) {
  const from = text(message['from'], LARGEST_NAME_LENGTH)
  const to = text(message['to'], LARGEST_NAME_LENGTH)
  const { kind } = message
  if (kind === 'ask') return { kind } as const
  // `isOver`: the session has ended; the other tabs are about to leave, too.
  if (kind === 'bye' && from) return { kind, from, isOver: message['isOver'] === true } as const
  if (kind === 'hello' && from)
    return { kind, from, cursor: text(message['cursor'], LARGEST_CURSOR_LENGTH) } as const
  if (kind === 'list') return { kind, presenceIds: parsePresenceIds(message['presenceIds']) } as const
  if (kind !== 'event') return undefined
  const event = parseRealtimeEvent(message['event'])
  // An event with an unreadable addressee is not for all tabs.
  return event && (to !== undefined || message['to'] === undefined)
    ? ({ kind, event, to } as const)
    : undefined
}

function text(value: unknown, largestLength: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= largestLength ? value : undefined
}

const oneOf = <Item>(items: readonly Item[], value: unknown): Item | undefined =>
  items.find((item) => item === value)
