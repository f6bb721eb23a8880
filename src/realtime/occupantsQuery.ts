// Asks who is on the session channel, again and again until the service responds.
import type { Platform } from '../session/platform/platform.ts'
import { parsePresenceIds } from './realtimeEvents.ts'

/** `occupants`: who is here; `still-here`: whether those are here who never announced themselves. */
export type OccupantsPurpose = 'occupants' | 'still-here'

export interface OccupantsQueryOptions {
  readonly setTimer: Platform['setTimer']
  /** `undefined`: there is no connection to ask over. */
  readonly fetch: () => Promise<readonly string[]> | undefined
  /** Whether to ask again when there was no response. */
  readonly isConnected: () => boolean
  readonly take: (purpose: OccupantsPurpose, presenceIds: readonly string[]) => void
}

const LEAST_RETRY_MS = 2_000
const LARGEST_RETRY_MS = 60_000

export function createOccupantsQuery(options: OccupantsQueryOptions) {
  let cancelRetry: (() => void) | undefined

  /** Does not ask again. */
  const stop = () => cancelRetry?.()
  function ask(purpose: OccupantsPurpose, retryMs = LEAST_RETRY_MS): void {
    stop()
    /** Nobody is judged by a response that did not come. */
    const askLater = () => {
      if (purpose === 'still-here' || !options.isConnected()) return
      const laterMs = Math.min(retryMs * 2, LARGEST_RETRY_MS)
      cancelRetry = options.setTimer(() => ask(purpose, laterMs), retryMs)
    }
    options.fetch()?.then((listed) => {
      const presenceIds = parsePresenceIds(listed)
      if (presenceIds) options.take(purpose, presenceIds)
      else askLater()
    }, askLater)
  }
  return { ask: (purpose: OccupantsPurpose) => ask(purpose), stop }
}
