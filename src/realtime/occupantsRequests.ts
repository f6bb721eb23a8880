// Asks the service who is on a channel, once for all tabs that want to know at the same time.
import type { Platform } from '../session/platform/platform.ts'
import type { RealtimeLink } from '../protocol/realtimeTransport.ts'

export type OccupantsRequests = ReturnType<typeof createOccupantsRequests>

/** The service itself gives the same response for this long. */
const SAME_RESPONSE_MS = 3_000

export function createOccupantsRequests(setTimer: Platform['setTimer']) {
  const sent = new Map<string, { presenceIds: Promise<readonly string[]>; cancel: () => void }>()
  return {
    send(link: RealtimeLink, channel: string) {
      const known = sent.get(channel)
      if (known) return known.presenceIds
      const presenceIds = link.occupants(channel)
      const forget = () => void sent.delete(channel)
      sent.set(channel, { presenceIds, cancel: setTimer(forget, SAME_RESPONSE_MS) })
      presenceIds.catch(forget)
      return presenceIds
    },
    clear() {
      for (const { cancel } of sent.values()) cancel()
      sent.clear()
    },
  }
}
