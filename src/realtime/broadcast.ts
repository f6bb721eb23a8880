// Carries real-time messages between the tabs of this browser when no messaging service is configured.
import type { Platform, TabsPort } from '../session/platform/platform.ts'
import { RealtimeFault } from '../protocol/realtimeTransport.ts'
import type { RealtimeTransport } from '../protocol/realtimeTransport.ts'
import { parseRealtimeEvent } from './realtimeEvents.ts'

/** Without BroadcastChannel the connection is `failed`, and this tab hears only itself. */
export function createBroadcastTransport(
  channelName: string,
  { openChannel, now }: Pick<Platform, 'now'> & Pick<TabsPort, 'openChannel'>,
): RealtimeTransport {
  return {
    // Any script of the page's origin can speak here under any name.
    isProtected: false,
    open({ identity, channels, listen }) {
      let isClosed = false
      let count = 0
      // Tells this tab's messages from another's that are sent in the same millisecond.
      const origin = now()
      const names = new Set(channels.map(({ name }) => name))

      const hear = (message: unknown) => {
        const event = parseRealtimeEvent({ ...Object(message), type: 'message' })
        if (isClosed || event?.type !== 'message' || !names.has(event.channel)) return
        listen(event)
      }
      const relay = openChannel?.(channelName, hear)
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
          const carried = { channel, body, publisher: identity, cursor: `${now()}-${origin}-${count}` }
          relay?.post(carried)
          void Promise.resolve(structuredClone(carried)).then(hear)
        },
        occupants: () => Promise.resolve([identity]),
        wake: () => undefined,
        close() {
          isClosed = true
          relay?.close()
        },
      }
    },
  }
}
