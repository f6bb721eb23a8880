// Lists which sessions of the user are online, as the channel tells it (contract §3 `useSessionPresence`).
import { createSubscribers } from '../subscribers.ts'
import { shortAgentName } from './clash.ts'
import { parsePresenceId, REALTIME_CACHE_SIZE } from './presence.ts'
import type { Claim, PresenceId } from './presence.ts'

/** A session of this user that is online. */
export interface Occupant extends PresenceId {
  /** Its name among those who are present on the user's channel. */
  readonly presenceId: string
  /** A few letters by which a user tells the browsers apart; the notice of a clash names the same ones. */
  readonly name: string
  /** This very browser. */
  readonly isThisBrowser: boolean
  /** Its session, as the server names it; undefined when it has not said. */
  readonly sessionId: string | undefined
  /** When it began, by the server's clock; undefined when it has not said. */
  readonly sinceMs: number | undefined
}

export interface Occupants {
  list(): readonly Occupant[]
  replace(presenceIds: readonly string[]): void
  change(action: 'join' | 'leave' | 'timeout', presenceIds: readonly string[]): void
  describe(presenceId: string | undefined, claim: Claim): void
  subscribe(listener: () => void): () => void
}

const NOBODY: readonly Occupant[] = Object.freeze([])

/** Identifiers that are not ours are left out. The list is a new one only when it changed. */
export function createOccupants(
  ownPresenceId: string | undefined,
  own: Claim | undefined,
  report: (error: unknown) => void,
): Occupants {
  const { subscribe, notify } = createSubscribers(report)
  const known = new Map<string, Occupant>()
  // A claim may be heard before its sender is seen to join.
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

  const occupants: Occupants = {
    list: () => list,
    replace(presenceIds) {
      const gone = [...known.keys()].filter((presenceId) => !presenceIds.includes(presenceId))
      for (const presenceId of gone) known.delete(presenceId)
      const added = presenceIds.map((presenceId) => add(presenceId))
      publish(gone.length > 0 || added.includes(true))
    },
    change(action, presenceIds) {
      const changed = presenceIds.map((presenceId) =>
        action === 'join' ? add(presenceId) : known.delete(presenceId),
      )
      publish(changed.includes(true))
    },
    describe(presenceId, { sessionId, since }) {
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
