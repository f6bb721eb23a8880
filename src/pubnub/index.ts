// The entry latchkey/pubnub: real time over PubNub.
export {
  DEFAULT_CACHE_SIZE,
  DEFAULT_FILE_UPLOAD_PUBLISH_RETRY_LIMIT,
  DEFAULT_PRESENCE_TIMEOUT_IN_SECONDS,
  DEFAULT_SUBSCRIBE_TIMEOUT_MS,
  DEFAULT_TRANSACTION_TIMEOUT_MS,
  LEAST_PRESENCE_TIMEOUT_IN_SECONDS,
} from '../base/constants.ts'
export { pubnub } from '../realtime/pubnub/pubnub.ts'
export type { PubnubOptions } from '../realtime/pubnub/pubnubOptions.ts'
export type { RealtimeService, RealtimeSession, ServicePorts } from '../protocol/realtimeTransport.ts'
