// Answers the calls of the wire protocol: subscribe, publish, signal, presence, time.
import type { AccessTokens } from './accessTokens.ts'
import type { Exchange } from './exchange.ts'
import type { Envelope, Messages } from './messages.ts'
import { PRESENCE_SUFFIX } from './presence.ts'
import type { PresenceRegister } from './presence.ts'
import type { TimetokenClock } from './timetoken.ts'

export interface CallContext {
  clock: TimetokenClock
  messages: Messages
  presence: PresenceRegister
  /** Undefined when access control is off. */
  tokens: AccessTokens | undefined
  holdMs: number
  /** Polls being held, so that a fault or a restart can reach them. */
  held: Set<Exchange>
}

const DEFAULT_HEARTBEAT_SECONDS = 300
const MAX_MESSAGE_BYTES = 32 * 1024
const MAX_SIGNAL_BYTES = 64
const MAX_NAME_LENGTH = 92
const INVALID_NAME = /[\s,:*/\\]/

const names = (joined: string): string[] => joined.split(',').filter((name) => name !== '')
const withoutSuffix = (channels: readonly string[]) =>
  channels.filter((name) => !name.endsWith(PRESENCE_SUFFIX))

function ok(extra: object): object {
  return { status: 200, message: 'OK', ...extra, service: 'Presence' }
}

/** Answers 403 and says true when the token does not allow the call. */
function isRefused(
  context: CallContext,
  exchange: Exchange,
  operation: 'read' | 'write',
  channels: readonly string[],
): boolean {
  const groups = names(exchange.query.get('channel-group') ?? '')
  const { uuid, token } = exchange
  const refusal = context.tokens?.refusal({ operation, channels, groups, uuid, token })
  if (!refusal) return false
  const { message, channels: denied } = refusal
  exchange.reply(403, {
    status: 403,
    error: true,
    message,
    payload: { channels: denied },
    service: 'Access Manager',
  })
  return true
}

function isBadRequest(exchange: Exchange, channels: readonly string[]): boolean {
  const isBad =
    exchange.uuid === '' || channels.some((name) => name.length > MAX_NAME_LENGTH || INVALID_NAME.test(name))
  if (isBad) exchange.reply(400, { status: 400, error: true, message: 'Invalid channel or uuid' })
  return isBad
}

function timeoutMs(exchange: Exchange): number {
  const seconds = Number(exchange.query.get('heartbeat') ?? DEFAULT_HEARTBEAT_SECONDS)
  return (Number.isFinite(seconds) && seconds > 0 ? seconds : DEFAULT_HEARTBEAT_SECONDS) * 1000
}

function arranged(exchange: Exchange, envelopes: Envelope[]): Envelope[] {
  if (exchange.fault?.kind === 'duplicate') return envelopes.flatMap((envelope) => [envelope, envelope])
  return exchange.fault?.kind === 'reorder' ? envelopes.toReversed() : envelopes
}

export function subscribe(context: CallContext, exchange: Exchange): void {
  const { clock, messages, presence, held, holdMs } = context
  const channels = names(exchange.segments[3] ?? '')
  if (isBadRequest(exchange, channels) || isRefused(context, exchange, 'read', channels)) return
  for (const channel of withoutSuffix(channels)) presence.touch(channel, exchange.uuid, timeoutMs(exchange))

  const reply = (envelopes: Envelope[]) =>
    exchange.reply(200, { t: { t: clock.current(), r: messages.region }, m: arranged(exchange, envelopes) })
  const after = exchange.query.get('tt') ?? '0'
  if (!/^\d{1,17}$/.test(after)) {
    exchange.reply(400, { status: 400, error: true, message: 'Invalid timetoken' })
    return
  }
  if (BigInt(after) === 0n) {
    reply([])
    return
  }
  const waiting = messages.newerThan(channels, after)
  if (waiting.length > 0) {
    reply(waiting)
    return
  }
  const wanted = new Set(channels)
  const stop = messages.wait(wanted, () => finish(messages.newerThan(channels, after)))
  const timer = setTimeout(() => finish([]), holdMs)
  function release(): void {
    stop()
    clearTimeout(timer)
    held.delete(exchange)
  }
  function finish(envelopes: Envelope[]): void {
    release()
    reply(envelopes)
  }
  exchange.onGone(release)
  held.add(exchange)
}

export function publish(context: CallContext, exchange: Exchange, body: string): void {
  const { clock, messages } = context
  const isSignal = exchange.operation === 'signal'
  const channel = exchange.segments[4] ?? ''
  const text = exchange.method === 'POST' ? body : exchange.segments.slice(6).join('/')
  if (isBadRequest(exchange, [channel]) || isRefused(context, exchange, 'write', [channel])) return
  if (Buffer.byteLength(text) > (isSignal ? MAX_SIGNAL_BYTES : MAX_MESSAGE_BYTES)) {
    exchange.reply(413, [0, 'Message Too Large', clock.next()])
    return
  }
  let data: unknown
  let meta: unknown
  try {
    data = JSON.parse(text)
    const metaText = exchange.query.get('meta')
    meta = metaText === null ? undefined : JSON.parse(metaText)
  } catch {
    exchange.reply(400, [0, 'Invalid JSON', clock.next()])
    return
  }
  const customType = exchange.query.get('custom_message_type') ?? undefined
  const publisher = exchange.uuid
  const type = isSignal ? 1 : undefined
  exchange.reply(200, [1, 'Sent', messages.post({ channel, data, publisher, type, meta, customType })])
}

export function heartbeat(context: CallContext, exchange: Exchange): void {
  const channels = withoutSuffix(names(exchange.segments[5] ?? ''))
  if (isBadRequest(exchange, channels) || isRefused(context, exchange, 'read', channels)) return
  for (const channel of channels) context.presence.touch(channel, exchange.uuid, timeoutMs(exchange))
  exchange.reply(200, ok({}))
}

/** Needs no permission, as the service documents. */
export function leave({ presence }: CallContext, exchange: Exchange): void {
  for (const channel of withoutSuffix(names(exchange.segments[5] ?? '')))
    presence.leave(channel, exchange.uuid)
  exchange.reply(200, ok({ action: 'leave' }))
}

export function hereNow(context: CallContext, exchange: Exchange): void {
  const { presence } = context
  const { query, segments } = exchange
  const isGlobal = segments[4] !== 'channel'
  const channels = isGlobal ? presence.allChannels() : names(segments[5] ?? '')
  if (isBadRequest(exchange, channels) || isRefused(context, exchange, 'read', channels)) return
  const limit = Math.min(Number(query.get('limit') ?? 1000) || 1000, 1000)
  const offset = Number(query.get('offset') ?? 0) || 0
  const describe = (channel: string) => {
    const page = presence.uuids(channel).slice(offset, offset + limit)
    const withState = () => page.map((uuid) => ({ uuid, state: presence.stateOf(channel, uuid) }))
    const uuids = query.get('state') === '1' ? withState() : page
    const occupancy = presence.occupancy(channel)
    return query.get('disable_uuids') === '1' ? { occupancy } : { occupancy, uuids }
  }
  const [only] = channels
  if (!isGlobal && channels.length === 1 && only !== undefined) {
    exchange.reply(200, ok(describe(only)))
    return
  }
  const occupancies = channels.map((channel) => presence.occupancy(channel))
  exchange.reply(
    200,
    ok({
      payload: {
        total_channels: channels.length,
        total_occupancy: occupancies.reduce((sum, occupancy) => sum + occupancy, 0),
        channels: Object.fromEntries(channels.map((channel) => [channel, describe(channel)])),
      },
    }),
  )
}

/** Needs no permission, as the service documents. */
export function whereNow({ presence }: CallContext, exchange: Exchange): void {
  exchange.reply(200, ok({ payload: { channels: presence.channelsOf(exchange.segments[5] ?? '') } }))
}

export function state(context: CallContext, exchange: Exchange): void {
  const { presence } = context
  const channels = names(exchange.segments[5] ?? '')
  const uuid = exchange.segments[7] ?? ''
  if (isBadRequest(exchange, channels) || isRefused(context, exchange, 'read', channels)) return
  if (exchange.segments[8] === 'data') {
    let payload: unknown
    try {
      payload = JSON.parse(exchange.query.get('state') ?? '{}')
    } catch {
      exchange.reply(400, { status: 400, error: true, message: 'Invalid JSON' })
      return
    }
    for (const channel of channels) presence.setState(channel, uuid, payload)
    exchange.reply(200, ok({ payload }))
    return
  }
  const [only] = channels
  const isOne = channels.length === 1 && only !== undefined
  const each = () => Object.fromEntries(channels.map((channel) => [channel, presence.stateOf(channel, uuid)]))
  exchange.reply(
    200,
    ok(
      isOne
        ? { uuid, channel: only, payload: presence.stateOf(only, uuid) }
        : { uuid, payload: { channels: each() } },
    ),
  )
}

export function time({ clock }: CallContext, exchange: Exchange): void {
  exchange.reply(200, [Number(clock.current())])
}
