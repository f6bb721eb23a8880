// Lists which sessions of the user are online, from the presence events of the session channel.
import type { Occupant } from '../session/realtimePort.ts'
import { createSubscribers } from '../base/subscribers.ts'
import { shortAgentName } from '../protocol/eventHooks.ts'
import { parsePresenceId, REALTIME_CACHE_SIZE, type SessionAnnouncement } from '../protocol/presence.ts'

const NOBODY: readonly Occupant[] = Object.freeze([])

/** Skips identifiers that are not in latchkey's form. Makes a new list only when something changed. */
export function createOccupants(
  ownPresenceId: string | undefined,
  own: SessionAnnouncement | undefined,
  report: (error: unknown) => void,
) {
  const { subscribe, notify } = createSubscribers(report)
  const known = new Map<string, Occupant>()
  // An announcement may arrive before the join event of its sender.
  const described = new Map<string, Pick<Occupant, 'sessionId' | 'sinceMs'>>()
  let list = NOBODY

  function add(presenceId: string): boolean {
    const parsed = parsePresenceId(presenceId)
    if (!parsed || known.has(presenceId) || known.size >= REALTIME_CACHE_SIZE) return false
    known.set(
      presenceId,
      Object.freeze({
        ...parsed,
        presenceId,
        name: shortAgentName(parsed.agentId),
        isThisBrowser: presenceId === ownPresenceId,
        sessionId: undefined,
        sinceMs: undefined,
        ...described.get(presenceId),
      }),
    )
    return true
  }

  function publish(isChanged: boolean): void {
    if (!isChanged) return
    list = Object.freeze([...known.values()])
    notify()
  }

  const occupants = {
    list: () => list,
    replace(presenceIds: readonly string[]) {
      const gone = [...known.keys()].filter((presenceId) => !presenceIds.includes(presenceId))
      for (const presenceId of gone) known.delete(presenceId)
      const added = presenceIds.map((presenceId) => add(presenceId))
      publish(gone.length > 0 || added.includes(true))
    },
    change(action: 'join' | 'leave' | 'timeout', presenceIds: readonly string[]) {
      const changed = presenceIds.map((presenceId) =>
        action === 'join' ? add(presenceId) : known.delete(presenceId),
      )
      publish(changed.includes(true))
    },
    describe(presenceId: string | undefined, { sessionId, since }: SessionAnnouncement) {
      if (presenceId === undefined || described.get(presenceId)?.sessionId === sessionId) return
      const description = { sessionId, sinceMs: since === 0 ? undefined : since }
      described.set(presenceId, description)
      for (const oldest of described.keys()) {
        if (described.size <= REALTIME_CACHE_SIZE) break
        described.delete(oldest)
      }
      const occupant = known.get(presenceId)
      if (!occupant) return
      known.set(presenceId, Object.freeze({ ...occupant, ...description }))
      publish(true)
    },
    subscribe,
  }
  if (own) occupants.describe(ownPresenceId, own)
  return occupants
}
