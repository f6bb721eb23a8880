// Lists the user's online sessions, by the presence events of the session channel.
import type { Occupant } from '../session/realtimePort.ts'
import { shortAgentName } from '../protocol/eventHooks.ts'
import {
  forgetOldest,
  parsePresenceId,
  REALTIME_CACHE_SIZE,
  type SessionAnnouncement,
} from '../protocol/presence.ts'

const NOBODY: readonly Occupant[] = Object.freeze([])

/** Skips identifiers that are not in latchkey's form. Makes a new list, and calls `notify`, only when something changed. */
export function createOccupants(ownPresenceId: string | undefined, notify: () => void) {
  const known = new Map<string, Occupant>()
  // An announcement may arrive before the join event of its sender.
  const described = new Map<string, Pick<Occupant, 'sessionId' | 'sinceMs'>>()
  let list = NOBODY

  function add(presenceId: string): boolean {
    const parsed = parsePresenceId(presenceId)
    if (!parsed || known.has(presenceId) || known.size >= REALTIME_CACHE_SIZE) return false
    const occupant = {
      ...parsed,
      presenceId,
      name: shortAgentName(parsed.agentId),
      isThisBrowser: presenceId === ownPresenceId,
      sessionId: undefined,
      sinceMs: undefined,
      ...described.get(presenceId),
    }
    known.set(presenceId, Object.freeze(occupant))
    return true
  }

  function publish(changes: readonly boolean[]): void {
    if (!changes.includes(true)) return
    list = Object.freeze([...known.values()])
    notify()
  }

  return {
    list: () => list,
    replace(presenceIds: readonly string[]) {
      const listed = new Set(presenceIds)
      const gone = [...known.keys()].filter((presenceId) => !listed.has(presenceId))
      publish([...gone.map((presenceId) => known.delete(presenceId)), ...presenceIds.map(add)])
    },
    change(action: 'join' | 'leave' | 'timeout', presenceIds: readonly string[]) {
      publish(
        presenceIds.map((presenceId) => (action === 'join' ? add(presenceId) : known.delete(presenceId))),
      )
    },
    describe(presenceId: string | undefined, { sessionId, since }: SessionAnnouncement) {
      if (presenceId === undefined || described.get(presenceId)?.sessionId === sessionId) return
      const description = { sessionId, sinceMs: since === 0 ? undefined : since }
      described.set(presenceId, description)
      forgetOldest(described)
      const occupant = known.get(presenceId)
      if (occupant) known.set(presenceId, Object.freeze({ ...occupant, ...description }))
      publish([occupant !== undefined])
    },
  }
}
