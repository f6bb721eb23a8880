// Reads what comes over a real-time connection, from a service or from another tab: whole, or not at all.
import { memberOf, readable } from '../base/json.ts'
import { LARGEST_NAME_LENGTH } from '../protocol/presence.ts'
import type {
  RealtimeEvent,
  RealtimeFaultCode,
  RealtimeConnectionState,
  RelayedCall,
  RelayedMessage,
} from '../protocol/realtimeTransport.ts'

/** The service lists so many on one page; a longer list is cut. */
const LARGEST_LIST = 1000
const LARGEST_CURSOR_LENGTH = 512
const LARGEST_REASON_LENGTH = 300
/** Name of a tab: random bytes, or its presence identifier and a mark. */
const LARGEST_TAB_NAME_LENGTH = LARGEST_NAME_LENGTH + 1

const STATES: readonly RealtimeConnectionState[] = ['connecting', 'connected', 'offline', 'denied', 'failed']
const ACTIONS = ['join', 'leave', 'timeout'] as const
const METHODS: readonly RelayedCall['method'][] = ['publish', 'occupants', 'wake']
const FAULTS: readonly RealtimeFaultCode[] = ['denied', 'offline', 'timeout', 'invalid', 'closed', 'failed']

/** How a call over the connection failed, also where a transport of the app's own rejected it. */
export const faultCodeOf = (error: unknown): RealtimeFaultCode =>
  readable(() => oneOf(FAULTS, memberOf(error, 'code'))) ?? 'failed'

type Members = Readonly<Record<string, unknown>>

/** An event of a transport; `undefined` for every other shape. The body of a message is left to whoever takes it. */
export function parseRealtimeEvent(value: unknown): RealtimeEvent | undefined {
  return readable(() => readEvent(Object(value) as Members))
}

/** A message of another tab; `undefined` for every other shape. */
export function parseRelayed(value: unknown): RelayedMessage | undefined {
  return readable(() => readRelayed(Object(value) as Members))
}

/** Presence identifiers, whatever else stands among them; `undefined` for what is no list. */
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

function readRelayed(message: Members): RelayedMessage | undefined {
  const from = text(message['from'], LARGEST_TAB_NAME_LENGTH)
  const to = text(message['to'], LARGEST_TAB_NAME_LENGTH)
  const { kind, id } = message
  switch (kind) {
    case 'hello':
      return from === undefined
        ? undefined
        : { kind, from, cursor: text(message['cursor'], LARGEST_CURSOR_LENGTH) }
    case 'bye':
      return from === undefined ? undefined : { kind, from }
    case 'resting':
      return { kind }
    case 'event': {
      const event = parseRealtimeEvent(message['event'])
      // Addressed to somebody, and nobody knows to whom: it is not for all.
      if (!event || (to === undefined && message['to'] !== undefined)) return undefined
      return { kind, event, ...(to && { to }) }
    }
    case 'call': {
      const method = oneOf(METHODS, message['method'])
      const channel = message['channel'] === '' ? '' : text(message['channel'], LARGEST_NAME_LENGTH)
      if (!from || !method || channel === undefined || !isCount(id)) return undefined
      const { body } = message
      return { kind, from, id, method, channel, ...(body !== undefined && { body }) }
    }
    case 'answer': {
      if (!to || !isCount(id)) return undefined
      const value = parsePresenceIds(message['value'])
      const fault = message['fault'] === undefined ? undefined : (oneOf(FAULTS, message['fault']) ?? 'failed')
      return { kind, to, id, ...(value && { value }), ...(fault && { fault }) }
    }
    default:
      return undefined
  }
}

function text(value: unknown, largestLength: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= largestLength ? value : undefined
}

const oneOf = <Item>(items: readonly Item[], value: unknown): Item | undefined =>
  items.find((item) => item === value)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
