// Carries real-time messages between the tabs of this browser when no messaging service is configured.
import type { Platform, TabsPort } from '../session/platform/platform.ts'
import { RealtimeFault, type RealtimeTransport } from '../protocol/realtimeTransport.ts'
import { parseRealtimeEvent } from './realtimeEvents.ts'

/** Without BroadcastChannel the connection is `failed`, and this tab receives only its own messages. */
export function createBroadcastTransport(
  channelName: string,
  { openChannel, now }: Pick<Platform, 'now'> & Pick<TabsPort, 'openChannel'>,
): RealtimeTransport {
  return {
    // Any script of the page's origin can send here under any name.
    isProtected: false,
    open({ identity, channels, listen }) {
      let isClosed = false
      let count = 0
      // Tells this tab's messages from another's that are sent in the same millisecond.
      const openedAtMs = now()

      const receive = (message: unknown) => {
        const event = parseRealtimeEvent({ ...Object(message), type: 'message' })
        const isOwn = event?.type === 'message' && channels.some(({ name }) => name === event.channel)
        if (isOwn && !isClosed) listen(event)
      }
      const relay = openChannel?.(channelName, receive)
      void Promise.resolve().then(() => {
        if (isClosed) return
        const reason = 'This browser has no BroadcastChannel'
        listen(relay ? { type: 'state', state: 'connected' } : { type: 'state', state: 'failed', reason })
      })

      return {
        isSpeaker: true,
        async publish(channel, body) {
          if (isClosed) throw new RealtimeFault('closed', 'The connection is closed')
          count += 1
          const carried = { channel, body, publisher: identity, cursor: `${now()}-${openedAtMs}-${count}` }
          relay?.post(carried)
          void Promise.resolve(structuredClone(carried)).then(receive)
        },
        occupants: () => Promise.resolve([identity]),
        close() {
          isClosed = true
          relay?.close()
        },
      }
    },
  }
}
