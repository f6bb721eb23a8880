// The messaging options, and the specification's figures in the SDK's units (spec §7; contract §7).
import type { Id } from './claims.ts'
import { isLoopback } from './loopback.ts'

/** Presence lives this long without a heartbeat (spec §7). */
export const DEFAULT_PRESENCE_TIMEOUT_IN_SECONDS = 300
/** Shorter presence is raised to this (spec §7). */
export const LEAST_PRESENCE_TIMEOUT_IN_SECONDS = 20
/** The service takes no longer presence. */
export const LARGEST_PRESENCE_TIMEOUT_IN_SECONDS = 320
/** A publish, heartbeat or handshake is given up after this long (spec §7). */
export const DEFAULT_TRANSACTION_TIMEOUT_MS = 15_000
/** A poll is given up after this long (spec §7). */
export const DEFAULT_SUBSCRIBE_TIMEOUT_MS = 310_000
/** Messages remembered to tell duplicates (spec §7). */
export const DEFAULT_CACHE_SIZE = 100
/** Repeats of a file's message; we send no files, the SDK is told all the same (spec §7). */
export const DEFAULT_FILE_UPLOAD_PUBLISH_RETRY_LIMIT = 5

/** Keys and figures of the messaging service, in the specification's units. */
export interface MessagingOptions {
  /** Key of your keyset for what is sent. */
  readonly publishKey: string
  /** Key of your keyset for what is heard. */
  readonly subscribeKey: string
  /** Host, with a port where needed, and no scheme. Default: the service's own hosts. */
  readonly origin?: string | undefined
  /** Default true. */
  readonly ssl?: boolean | undefined
  /** Presence lives this long without a heartbeat. Default 300; raised to 20, lowered to 320. */
  readonly presenceTimeoutInSeconds?: number | undefined
  /** A publish, heartbeat or handshake is given up after this long. Default 15,000. */
  readonly transactionTimeoutMs?: number | undefined
  /** A poll is given up after this long. Default 310,000. */
  readonly subscribeTimeoutMs?: number | undefined
  /** Messages remembered to tell duplicates. Default 100. */
  readonly cacheSize?: number | undefined
  /** Repeats of a file's message; this client sends no files, the SDK is told all the same. Default 5. */
  readonly fileUploadPublishRetryLimit?: number | undefined
  /** Let messages log users out even where nothing keeps strangers off the channels. Default false. */
  readonly allowUnprotected?: boolean | undefined
}

/** What an app passes as `realtime` to use the messaging service (contract §2). */
export interface RealtimeConfig extends MessagingOptions {
  /**
   * Gives an access token for this very session, from your own server. Without it, and off this machine, messages do
   * not log anybody out unless `allowUnprotected` says so.
   */
  readonly getToken?:
    | ((session: {
        userId: Id
        firmId: Id | undefined
        sessionId: Id | undefined
        impersonatorId: Id | undefined
        /** The one identifier that the token is to be good for. */
        presenceId: string
      }) => Promise<string>)
    | undefined
}

/** A line of the app's own: a `RealtimeTransport`. */
export interface OwnRealtime {
  /** Opens the line, as `open` of `RealtimeTransport`; called after sign-in. */
  open(options: never): unknown
}

const DEFAULT_HOST = 'ps.pndsn.com'

/** Figures in the SDK's units. */
export interface SdkFigures {
  readonly presenceTimeout: number
  readonly transactionalRequestTimeout: number
  readonly subscribeRequestTimeout: number
  readonly maximumCacheSize: number
  readonly fileUploadPublishRetryLimit: number
}

/** The SDK counts in seconds where the specification counts in milliseconds, and lost the minimum of 20 s. */
export function sdkFigures(options: MessagingOptions): SdkFigures {
  const presence = options.presenceTimeoutInSeconds ?? DEFAULT_PRESENCE_TIMEOUT_IN_SECONDS
  return {
    presenceTimeout: Math.min(
      Math.max(presence, LEAST_PRESENCE_TIMEOUT_IN_SECONDS),
      LARGEST_PRESENCE_TIMEOUT_IN_SECONDS,
    ),
    transactionalRequestTimeout: (options.transactionTimeoutMs ?? DEFAULT_TRANSACTION_TIMEOUT_MS) / 1000,
    subscribeRequestTimeout: (options.subscribeTimeoutMs ?? DEFAULT_SUBSCRIBE_TIMEOUT_MS) / 1000,
    maximumCacheSize: options.cacheSize ?? DEFAULT_CACHE_SIZE,
    fileUploadPublishRetryLimit:
      options.fileUploadPublishRetryLimit ?? DEFAULT_FILE_UPLOAD_PUBLISH_RETRY_LIMIT,
  }
}

/** Whether the messages stay on this machine, as with a development server. */
export function isLocalService({ origin = DEFAULT_HOST }: MessagingOptions): boolean {
  return isLoopback(origin.replace(/:\d+$/, ''))
}

/** Address of the request that says goodbye to channels. */
export function leaveAddress(
  options: MessagingOptions,
  goodbye: { identity: string; channels: readonly string[]; token: string | undefined },
): string {
  const { origin = DEFAULT_HOST, ssl = true, subscribeKey } = options
  const channels = goodbye.channels.map(encodeURIComponent).join(',')
  const query = new URLSearchParams({
    uuid: goodbye.identity,
    ...(goodbye.token ? { auth: goodbye.token } : {}),
  })
  return `${ssl ? 'https' : 'http'}://${origin}/v2/presence/sub-key/${subscribeKey}/channel/${channels}/leave?${query}`
}
