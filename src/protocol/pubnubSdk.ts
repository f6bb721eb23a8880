// The words of the PubNub SDK, as far as they are used, and what they mean (spec §7).
import { sdkFigures } from './realtimeOptions.ts'
import type { MessagingOptions } from './realtimeOptions.ts'

/** The part of the SDK that is used; its own types do not compile everywhere. */
export interface Sdk {
  /** What it hands over was made of the service's words: to be read strictly. */
  addListener(listener: {
    status(status: unknown): void
    message(event: unknown): void
    presence(event: unknown): void
  }): void
  removeAllListeners(): void
  subscribe(options: { channels: string[]; timetoken?: string }): void
  publish(options: { channel: string; message: unknown; storeInHistory: boolean }): Promise<unknown>
  hereNow(options: { channels: string[] }): Promise<unknown>
  setToken(token: string): void
  parseToken(token: string): { timestamp?: number; ttl?: number } | undefined
  reconnect(from?: { timetoken: string }): void
  disconnect(isOffline: boolean): void
  destroy(isOffline: boolean): void
}

/** What a status says, whatever was handed over. */
export interface SdkStatus {
  category: string
  operation: unknown
  /** The category of the failure in a status of the subscription; true in one of a heartbeat. */
  error: string | true | undefined
  cursor: string | undefined
}

export interface SdkPresence {
  channel: string
  action: string
  timetoken?: string
  uuid?: string
  join?: string[]
  leave?: string[]
  timeout?: string[]
}

export type SdkConstructor = (new (options: object) => Sdk) & { NoneRetryPolicy(): object }

const LEAST_BACK_OFF_MS = 1_000
const LARGEST_BACK_OFF_MS = 60_000
const LEAST_TOKEN_WAIT_MS = 10_000
const LARGEST_TOKEN_WAIT_MS = 86_400_000

/** A client with the specification's figures, and nothing of the SDK's own that would act behind our back. */
export function buildClient(Constructor: SdkConstructor, options: MessagingOptions, identity: string): Sdk {
  const { publishKey, subscribeKey, origin, ssl = true } = options
  const settings = {
    ...sdkFigures(options),
    publishKey,
    subscribeKey,
    ssl,
    ...(origin === undefined ? {} : { origin }),
    userId: identity,
    enableEventEngine: true,
    restore: true,
    maintainPresenceState: false,
    listenToBrowserNetworkEvents: false,
    // One back-off only, ours: it knows tokens and the page's life, and tells the state as it is.
    retryConfiguration: Constructor.NoneRetryPolicy(),
  }
  try {
    return new Constructor(settings)
  } catch {
    // Its default transport needs a frame of its own, which a sandboxed page refuses.
    return new Constructor({ ...settings, transport: 'xhr' })
  }
}

/** A place in the service's stream; with anything else the service would refuse the subscription for good. */
export function timetokenOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return undefined
  return /^\d{1,20}$/.test(text) ? text : undefined
}

type Members = Readonly<Record<string, unknown>>

/** Reads what came from the service; `undefined` where a member throws. */
const reader =
  <Result>(read: (members: Members) => Result) =>
  (value: unknown): Result | undefined => {
    try {
      return read(Object(value) as Members)
    } catch {
      return undefined
    }
  }

export const readStatus = reader(({ category, operation, error, currentTimetoken }): SdkStatus => ({
  category: typeof category === 'string' ? category : '',
  operation,
  error: typeof error === 'string' || error === true ? error : undefined,
  cursor: timetokenOf(currentTimetoken),
}))

/** A message as the adapter's event; its other members are still to be read. */
export const readMessage = reader(({ channel, message, publisher, timetoken }) => ({
  type: 'message',
  channel,
  body: message,
  publisher,
  cursor: timetokenOf(timetoken),
}))

/** Joins and leaves as the adapter's events; their members are still to be read. */
export const readPresence = reader((event) => ({
  cursor: typeof event['channel'] === 'string' ? timetokenOf(event['timetoken']) : undefined,
  changes: presenceChanges(event as unknown as SdkPresence).map((change) => ({
    type: 'presence',
    channel: event['channel'],
    ...change,
  })),
}))

/** The place of a message that was published. */
export const readPublished = reader(({ timetoken }) => timetokenOf(timetoken))

const member = (value: unknown, name: string) => reader((members) => members[name])(value)

/** Who is on a channel; the ids are still to be read. */
export function readOccupants(hereNow: unknown, channel: string): unknown[] {
  const listed = member(member(member(hereNow, 'channels'), channel), 'occupants')
  return Array.isArray(listed) ? listed.map((one) => member(one, 'uuid')) : []
}

/** One event may tell of several joins and leaves: a crowded channel is told of at intervals. */
export function presenceChanges({
  action,
  uuid,
  ...interval
}: SdkPresence): { action: 'join' | 'leave' | 'timeout'; presenceIds: readonly string[] }[] {
  return (['join', 'leave', 'timeout'] as const)
    .map((kind) => {
      const listed = action === 'interval' ? (interval[kind] ?? []) : []
      return { action: kind, presenceIds: action === kind && uuid !== undefined ? [uuid] : listed }
    })
    .filter(({ presenceIds }) => presenceIds.length > 0)
}

/** When to ask for the next token; undefined for a token that does not say how long it lives. */
export function renewalDelayMs(
  client: Pick<Sdk, 'parseToken'>,
  token: string,
  nowMs: number,
): number | undefined {
  const { timestamp = 0, ttl = 0 } = readToken(client, token)
  if (!(ttl > 0)) return undefined
  const lifeMs = ttl * 60_000
  const leftMs = timestamp * 1000 + lifeMs - nowMs
  // A wrong clock says nonsense; then the token is taken as fresh.
  const plannedMs = (leftMs > 0 && leftMs < lifeMs ? leftMs : lifeMs) * 0.8
  return Math.min(Math.max(plannedMs, LEAST_TOKEN_WAIT_MS), LARGEST_TOKEN_WAIT_MS)
}

/** Doubles from 1 s to 60 s, and spreads the returns of many browsers; `chance` is from 0 to 1. */
export function backOffMs(failures: number, chance: number): number {
  const fullMs = Math.min(LARGEST_BACK_OFF_MS, LEAST_BACK_OFF_MS * 2 ** Math.min(failures, 10))
  return fullMs * (0.5 + chance / 2)
}

/** Why a call failed, without the request that the SDK's error carries. */
export function faultOf(error: unknown): 'denied' | 'timeout' | 'offline' | 'invalid' | 'failed' {
  const category = (error as { status?: { category?: unknown } } | undefined)?.status?.category
  if (category === 'PNAccessDeniedCategory') return 'denied'
  if (category === 'PNTimeoutCategory') return 'timeout'
  if (category === 'PNNetworkIssuesCategory') return 'offline'
  return category === 'PNBadRequestCategory' || category === 'PNValidationErrorCategory'
    ? 'invalid'
    : 'failed'
}

function readToken(client: Pick<Sdk, 'parseToken'>, token: string): { timestamp?: number; ttl?: number } {
  try {
    return client.parseToken(token) ?? {}
  } catch {
    return {}
  }
}
