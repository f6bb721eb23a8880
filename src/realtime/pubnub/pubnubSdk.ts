// Builds the client of the PubNub SDK, and reads its statuses, events and errors.
import { readable } from '../../base/json.ts'
import type { RealtimeFaultCode } from '../../protocol/realtimeTransport.ts'
import { type PubnubOptions, sdkFigures } from './pubnubOptions.ts'

/** The part of the SDK that is used. The SDK's own types do not compile everywhere. */
export interface Sdk {
  /** The listeners get data of the service: parse it strictly. */
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

export type SdkConstructor = (new (options: object) => Sdk) & { NoneRetryPolicy(): object }

const LEAST_BACK_OFF_MS = 1_000
const LARGEST_BACK_OFF_MS = 60_000
const LEAST_TOKEN_WAIT_MS = 10_000
const LARGEST_TOKEN_WAIT_MS = 86_400_000

/** Reconnection, network events and presence state of the SDK are off. */
export function buildClient(Constructor: SdkConstructor, options: PubnubOptions, identity: string): Sdk {
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
    // latchkey knows the tokens and the state of the page, so it retries itself.
    retryConfiguration: Constructor.NoneRetryPolicy(),
  }
  try {
    return new Constructor(settings)
  } catch {
    // The default transport needs an iframe, which a sandboxed page refuses.
    return new Constructor({ ...settings, transport: 'xhr' })
  }
}

/** A position in the service's stream. The service refuses a subscription with anything else. */
export function timetokenOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{1,20}$/.test(text) ? text : undefined
}

type Members = Readonly<Record<string, unknown>>

/** Reads unchecked data of the service; returns `undefined` if a member throws. */
const reader =
  <Result>(read: (members: Members) => Result) =>
  (value: unknown): Result | undefined =>
    readable(() => read(Object(value) as Members))

export const readStatus = reader(({ category, operation, error, currentTimetoken }) => ({
  category: typeof category === 'string' ? category : '',
  operation,
  /** The category of a failed subscription; true for a failed heartbeat. */
  error: typeof error === 'string' || error === true ? error : undefined,
  cursor: timetokenOf(currentTimetoken),
}))

export const readMessage = reader(({ channel, message, publisher, timetoken }) => ({
  type: 'message',
  channel,
  body: message,
  publisher,
  cursor: timetokenOf(timetoken),
}))

/** On a crowded channel, one `interval` event lists several joins and leaves. */
export const readPresence = reader(({ channel, timetoken, action, uuid, ...interval }) => ({
  cursor: typeof channel === 'string' ? timetokenOf(timetoken) : undefined,
  changes: (['join', 'leave', 'timeout'] as const).flatMap((kind) => {
    const alone = action === kind && uuid !== undefined ? [uuid] : undefined
    const presenceIds = action === 'interval' ? interval[kind] : alone
    return presenceIds ? [{ type: 'presence', channel, action: kind, presenceIds }] : []
  }),
}))

export const readPublished = reader(({ timetoken }) => timetokenOf(timetoken))

const member = (value: unknown, name: string) => reader((members) => members[name])(value)

export function readOccupants(hereNow: unknown, channel: string): unknown[] {
  const listed = member(member(member(hereNow, 'channels'), channel), 'occupants')
  return Array.isArray(listed) ? listed.map((one) => member(one, 'uuid')) : []
}

/** When to fetch the next token; `undefined` for a token without a lifetime. */
export function renewalDelayMs(
  client: Pick<Sdk, 'parseToken'>,
  token: string,
  nowMs: number,
): number | undefined {
  const { timestamp = 0, ttl = 0 } = readable(() => client.parseToken(token)) ?? {}
  if (!(ttl > 0)) return undefined
  const lifeMs = ttl * 60_000
  const leftMs = timestamp * 1000 + lifeMs - nowMs
  // If this machine's clock is wrong, treat the token as new.
  const plannedMs = (leftMs > 0 && leftMs < lifeMs ? leftMs : lifeMs) * 0.8
  return Math.min(Math.max(plannedMs, LEAST_TOKEN_WAIT_MS), LARGEST_TOKEN_WAIT_MS)
}

/** Doubles from 1 s to 60 s. `chance`, from 0 to 1, spreads the reconnections of many browsers. */
export function backOffMs(failures: number, chance: number): number {
  const fullMs = Math.min(LARGEST_BACK_OFF_MS, LEAST_BACK_OFF_MS * 2 ** Math.min(failures, 10))
  return fullMs * (0.5 + chance / 2)
}

const FAULTS = new Map<unknown, RealtimeFaultCode>([
  ['PNAccessDeniedCategory', 'denied'],
  ['PNTimeoutCategory', 'timeout'],
  ['PNNetworkIssuesCategory', 'offline'],
  ['PNBadRequestCategory', 'invalid'],
  ['PNValidationErrorCategory', 'invalid'],
])

/** Only the cause: the SDK's error contains the request. */
export const faultOf = (error: unknown): RealtimeFaultCode =>
  FAULTS.get(member(member(error, 'status'), 'category')) ?? 'failed'
