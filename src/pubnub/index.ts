// The entry latchkey/pubnub: real time over PubNub.
export { pubnub } from '../realtime/pubnub/pubnub.ts'
export type { PubnubOptions } from '../realtime/pubnub/pubnubOptions.ts'
export type { RealtimeService, RealtimeSession, ServicePorts } from '../protocol/realtimeTransport.ts'
