// `pubnub()`: real time over PubNub. Its connection and PubNub's SDK load once a user is signed in.
import { isLoopback } from '../../protocol/origin.ts'
import type { RealtimeService } from '../../protocol/realtimeTransport.ts'
import { loadPubnub } from './pubnubFile.ts'
import type { PubnubOptions } from './pubnubOptions.ts'

/**
 * Connects the devices of a user over PubNub (`npm install pubnub`). Pass the result as `realtime` to `createAuth`.
 *
 * Wrong keys or figures do not stop a sign-in: real time is then `degraded`, and the console says why.
 *
 * @example
 * import { pubnub } from 'latchkey/pubnub'
 *
 * createAuth({ …, realtime: pubnub({ publishKey: 'pub-c-…', subscribeKey: 'sub-c-…', getToken: fetchToken }) })
 */
export function pubnub(options: PubnubOptions): RealtimeService {
  const isProtected = keepsStrangersOut(options)
  return {
    isProtected,
    async connect(ports, session) {
      // Both files at once; the connection reports an SDK that does not load.
      loadPubnub().catch(() => {})
      const { createPubnubTransport } = await import('./pubnubConnection.ts')
      return { ...createPubnubTransport(options, ports, session), isProtected }
    },
  }
}

/** By access tokens, because the service runs on this machine, or because the app accepts the risk. */
const keepsStrangersOut = ({ getToken, allowUnprotected, origin }: PubnubOptions): boolean =>
  getToken !== undefined || allowUnprotected === true || isLoopback(String(origin).replace(/:\d+$/, ''))
