// Answers the calls of the wire protocol that latchkey makes: subscribe, publish, heartbeat, leave, here-now, time.
import type { AccessTokens } from './accessTokens.ts'
import type { Exchange } from './exchange.ts'
import { type Envelope, type Messages, REGION } from './messages.ts'
import { PRESENCE_SUFFIX, type PresenceRegister } from './presence.ts'

export interface CallContext {
  messages: Messages
  presence: PresenceRegister
  /** Undefined when access control is off. */
  tokens: AccessTokens | undefined
  /** Polls being held, so that a fault or a restart can reach them. */
  held: Set<Exchange>
}

/** How long a poll is held without a message. */
const HOLD_MS = 280_000
const DEFAULT_HEARTBEAT_SECONDS = 300
const MAX_NAME_LENGTH = 92
const INVALID_NAME = /[\s,:*/\\]/

const names = (joined = ''): string[] => joined.split(',').filter((name) => name !== '')
const withoutSuffix = (channels: readonly string[]) =>
  channels.filter((name) => !name.endsWith(PRESENCE_SUFFIX))

const badRequest = (exchange: Exchange, message: string): void =>
  exchange.reply(400, { status: 400, error: true, message })
const ok = (exchange: Exchange, extra: object = {}): void =>
  exchange.reply(200, { status: 200, message: 'OK', ...extra, service: 'Presence' })

/** Answers 400 or 403 and says true when the call is malformed or its token does not allow it. */
function isRefused(
  { tokens }: CallContext,
  exchange: Exchange,
  operation: 'read' | 'write',
  channels: readonly string[],
): boolean {
  const { uuid, token, query } = exchange
  if (uuid === '' || channels.some((name) => name.length > MAX_NAME_LENGTH || INVALID_NAME.test(name))) {
    badRequest(exchange, 'Invalid channel or uuid')
    return true
  }
  const groups = names(query.get('channel-group') ?? '')
  const message = tokens?.refusal({ operation, channels, groups, uuid, token })
  if (message === undefined) return false
  const payload = { channels }
  exchange.reply(403, { status: 403, error: true, message, payload, service: 'Access Manager' })
  return true
}

function touch({ presence }: CallContext, { query, uuid }: Exchange, channels: readonly string[]): void {
  const seconds = Number(query.get('heartbeat') ?? DEFAULT_HEARTBEAT_SECONDS)
  for (const channel of withoutSuffix(channels)) presence.touch(channel, uuid, seconds * 1000)
}

function arranged({ fault }: Exchange, envelopes: Envelope[]): Envelope[] {
  if (fault?.kind === 'duplicate') return envelopes.flatMap((envelope) => [envelope, envelope])
  return fault?.kind === 'reorder' ? envelopes.toReversed() : envelopes
}

export function subscribe(context: CallContext, exchange: Exchange): void {
  const { messages, held } = context
  const channels = names(exchange.segments[3])
  if (isRefused(context, exchange, 'read', channels)) return
  const after = exchange.query.get('tt') ?? '0'
  if (!/^\d{1,17}$/.test(after)) return badRequest(exchange, 'Invalid timetoken')
  touch(context, exchange, channels)

  const reply = (envelopes: Envelope[]) =>
    exchange.reply(200, { t: { t: messages.now(), r: REGION }, m: arranged(exchange, envelopes) })
  const waiting = BigInt(after) === 0n ? [] : messages.newerThan(channels, after)
  if (BigInt(after) === 0n || waiting.length > 0) return reply(waiting)

  const finish = () => {
    release()
    reply(messages.newerThan(channels, after))
  }
  const stop = messages.wait(channels, finish)
  const timer = setTimeout(finish, HOLD_MS)
  const release = () => {
    stop()
    clearTimeout(timer)
    held.delete(exchange)
  }
  exchange.onGone(release)
  held.add(exchange)
}

export function publish(context: CallContext, exchange: Exchange): void {
  const { messages } = context
  const channel = exchange.segments[4] ?? ''
  if (isRefused(context, exchange, 'write', [channel])) return
  try {
    const data: unknown = JSON.parse(exchange.segments.slice(6).join('/'))
    exchange.reply(200, [1, 'Sent', messages.post(channel, data, exchange.uuid)])
  } catch {
    exchange.reply(400, [0, 'Invalid JSON', messages.now()])
  }
}

export function heartbeat(context: CallContext, exchange: Exchange): void {
  const channels = withoutSuffix(names(exchange.segments[5]))
  if (isRefused(context, exchange, 'read', channels)) return
  touch(context, exchange, channels)
  ok(exchange)
}

/** Needs no permission, as the service documents. */
export function leave({ presence }: CallContext, exchange: Exchange): void {
  for (const channel of withoutSuffix(names(exchange.segments[5]))) presence.leave(channel, exchange.uuid)
  ok(exchange, { action: 'leave' })
}

export function hereNow(context: CallContext, exchange: Exchange): void {
  const channel = exchange.segments[5] ?? ''
  if (isRefused(context, exchange, 'read', [channel])) return
  const uuids = context.presence.uuids(channel)
  ok(exchange, { occupancy: uuids.length, uuids })
}
