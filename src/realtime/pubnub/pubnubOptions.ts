// The options of `pubnub()`, and their figures in the SDK's units.
import {
  DEFAULT_CACHE_SIZE,
  DEFAULT_FILE_UPLOAD_PUBLISH_RETRY_LIMIT,
  DEFAULT_PRESENCE_TIMEOUT_IN_SECONDS,
  DEFAULT_SUBSCRIBE_TIMEOUT_MS,
  DEFAULT_TRANSACTION_TIMEOUT_MS,
  LARGEST_PRESENCE_TIMEOUT_IN_SECONDS,
  LEAST_PRESENCE_TIMEOUT_IN_SECONDS,
} from '../../base/constants.ts'
import { invalidConfig } from '../../base/errors.ts'
import type { RealtimeSession } from '../../protocol/realtimeTransport.ts'

/** Keys and limits of PubNub. */
export interface PubnubOptions {
  /** The publish key of your keyset. */
  readonly publishKey: string
  /** The subscribe key of your keyset. */
  readonly subscribeKey: string
  /** Host without a scheme, with an optional port. Default: PubNub's own hosts. */
  readonly origin?: string | undefined
  /** Whether to use https. Default true. */
  readonly ssl?: boolean | undefined
  /** Seconds that a client counts as present after its last heartbeat: 20 to 320. Default 300. */
  readonly presenceTimeoutInSeconds?: number | undefined
  /** Time limit of a publish, heartbeat or handshake, milliseconds. Default 15,000. */
  readonly transactionTimeoutMs?: number | undefined
  /** Time limit of a poll, milliseconds. Default 310,000. */
  readonly subscribeTimeoutMs?: number | undefined
  /** How many messages are remembered to recognise duplicates. Default 100. */
  readonly cacheSize?: number | undefined
  /** Retries of a file's message. latchkey sends no files; the value is passed to the SDK. Default 5. */
  readonly fileUploadPublishRetryLimit?: number | undefined
  /** Let messages log users out even if no access control protects the channels. Default false. */
  readonly allowUnprotected?: boolean | undefined
  /**
   * Fetches an access token for exactly this session from your own server. Without it, messages log users out only on
   * loopback or with `allowUnprotected`. Default: none.
   */
  readonly getToken?: ((session: RealtimeSession) => Promise<string>) | undefined
}

const DEFAULT_FIGURES = {
  presenceTimeoutInSeconds: DEFAULT_PRESENCE_TIMEOUT_IN_SECONDS,
  transactionTimeoutMs: DEFAULT_TRANSACTION_TIMEOUT_MS,
  subscribeTimeoutMs: DEFAULT_SUBSCRIBE_TIMEOUT_MS,
  cacheSize: DEFAULT_CACHE_SIZE,
  fileUploadPublishRetryLimit: DEFAULT_FILE_UPLOAD_PUBLISH_RETRY_LIMIT,
}
type SdkFigure =
  | `${'presence' | 'transactionalRequest' | 'subscribeRequest'}Timeout`
  | 'maximumCacheSize'
  | 'fileUploadPublishRetryLimit'

/** Converts milliseconds to the seconds of the SDK, and applies the minimum of 20 s that the SDK no longer has. */
export function sdkFigures(options: PubnubOptions): Readonly<Record<SdkFigure, number>> {
  const figure = (name: keyof typeof DEFAULT_FIGURES) => options[name] ?? DEFAULT_FIGURES[name]
  const atLeast = Math.max(figure('presenceTimeoutInSeconds'), LEAST_PRESENCE_TIMEOUT_IN_SECONDS)
  return {
    presenceTimeout: Math.min(atLeast, LARGEST_PRESENCE_TIMEOUT_IN_SECONDS),
    transactionalRequestTimeout: figure('transactionTimeoutMs') / 1000,
    subscribeRequestTimeout: figure('subscribeTimeoutMs') / 1000,
    maximumCacheSize: figure('cacheSize'),
    fileUploadPublishRetryLimit: figure('fileUploadPublishRetryLimit'),
  }
}

/** Returns the URL of the request that leaves the channels. */
export function leaveAddress(
  { origin = 'ps.pndsn.com', ssl = true, subscribeKey }: PubnubOptions,
  { identity, channels, token }: { identity: string; channels: readonly string[]; token: string | undefined },
): string {
  const list = channels.map(encodeURIComponent).join(',')
  const query = new URLSearchParams({ uuid: identity, ...(token ? { auth: token } : {}) })
  return `${ssl ? 'https' : 'http'}://${origin}/v2/presence/sub-key/${subscribeKey}/channel/${list}/leave?${query}`
}

const KEY = /^[\w-]{1,128}$/
const ORIGIN = /^[a-z0-9.-]+(?::\d{1,5})?$|^\[[0-9a-f:]+\](?::\d{1,5})?$/i
const isText = (value: unknown, form: RegExp) => typeof value === 'string' && form.test(value)

/** @throws AuthError `invalid-config` */
export function assertPubnubOptions(options: PubnubOptions): void {
  for (const name of ['publishKey', 'subscribeKey'] as const)
    if (!isText(options[name], KEY)) throw invalidConfig(`realtime.${name}`, 'a key')
  if (options.origin !== undefined && !isText(options.origin, ORIGIN))
    throw invalidConfig('realtime.origin', "a host without a scheme: 'ps.example.com:443'")
  for (const name of Object.keys(DEFAULT_FIGURES) as (keyof typeof DEFAULT_FIGURES)[]) {
    const figure = options[name]
    if (figure !== undefined && !(Number.isFinite(figure) && figure > 0))
      throw invalidConfig(`realtime.${name}`, 'a positive number')
  }
}
