// Reads and shortens what the notice of a session clash shows: when the other session began, and in which browser.
import { recordOf } from '../json.ts'
import { LARGEST_INSTANT_MS } from '../sessionConstants.ts'
import type { SessionClash } from './eventHooks.ts'

/** The first four characters of an agent id: enough for a user to tell their browsers apart. */
export const shortAgentName = (agentId: string): string => agentId.slice(0, 4)

/** Reads a clash that another tab or the previous page has stored. Invalid members are skipped. */
export function parseClash(value: unknown): SessionClash | undefined {
  const { sinceMs, agentId } = recordOf(value)
  const isTime = typeof sinceMs === 'number' && sinceMs > 0 && sinceMs <= LARGEST_INSTANT_MS
  const isName = typeof agentId === 'string' && /^[\w-]{1,64}$/.test(agentId)
  if (!isTime && !isName) return undefined
  return Object.freeze({ ...(isTime && { sinceMs }), ...(isName && { agentId }) })
}
