// What is kept of a session clash on its way to the user: when the other session began, and in which browser (spec §4 "Unique session").
import { recordOf } from '../json.ts'
import { LARGEST_INSTANT_MS } from '../sessionConstants.ts'
import type { SessionClash } from './eventHooks.ts'

/** Enough of a browser's name to tell a user's own few apart: 'c0ff'. */
export const shortAgentName = (agentId: string): string => agentId.slice(0, 4)

/** Reads what another tab or the page before has left; whatever is not as it should be is left out. */
export function parseClash(value: unknown): SessionClash | undefined {
  const { sinceMs, agentId } = recordOf(value)
  const isTime = typeof sinceMs === 'number' && sinceMs > 0 && sinceMs <= LARGEST_INSTANT_MS
  const isName = typeof agentId === 'string' && /^[\w-]{1,64}$/.test(agentId)
  if (!isTime && !isName) return undefined
  return Object.freeze({ ...(isTime && { sinceMs }), ...(isName && { agentId }) })
}
