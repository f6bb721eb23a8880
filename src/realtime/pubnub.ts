// Carries real-time messages over PubNub's SDK.
import { isLocalService } from '../protocol/realtimeOptions.ts'
import { PubnubConnection, type PubnubPorts, type PubnubTransportOptions } from './pubnubConnection.ts'
import type { RealtimeTransport } from '../protocol/realtimeTransport.ts'

/** Loads nothing until a connection is opened. */
export function createPubnubTransport(
  options: PubnubTransportOptions,
  ports: PubnubPorts,
): RealtimeTransport {
  return {
    isProtected:
      options.getToken !== undefined || options.allowUnprotected === true || isLocalService(options),
    open: (opening) => new PubnubConnection(options, ports, opening),
  }
}
