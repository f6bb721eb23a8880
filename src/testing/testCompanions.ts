// Idle time and the user's other sessions as a test sets them: nothing counts down and nobody comes by itself.
import type { Occupant } from '../session/realtime/occupants.ts'
import type { Idle } from '../session/signedIn/idle.ts'
import type { Presence } from '../session/realtime/presence.ts'

/** A session of the user that is online; members that are left out are made up. */
export type TestOccupant = Partial<Occupant>

/** Stands still at the time left; `onStay` is called when the user says that they are here. */
export function createTestIdle(options: {
  remainingMs: number
  timeoutMs: number
  now(): number
  onStay(): void
}): Idle {
  const { remainingMs, timeoutMs } = options
  return {
    idleSinceMs: options.now() - (timeoutMs - remainingMs),
    remainingMs,
    stayActive: options.onStay,
    check: () => false,
    stop() {},
  }
}

const NOBODY_LISTENS = () => () => {}

/** A list of who is online that changes only when the test gives another one. */
export function createTestPresence(given: readonly TestOccupant[]): Presence {
  const occupants = Object.freeze(given.map(fillOccupant))
  return {
    presenceId: occupants.find(({ isThisBrowser }) => isThisBrowser)?.presenceId,
    whyNotUnique: () => undefined,
    listen: NOBODY_LISTENS,
    publish: async () => {},
    occupants: () => occupants,
    onOccupants: NOBODY_LISTENS,
    announceLogout: async () => {},
    line: { listen() {}, isLeading: () => true },
    dispose() {},
  }
}

function fillOccupant(given: TestOccupant, index: number): Occupant {
  const agentId = given.agentId ?? `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
  const device = given.device ?? '00000000-0000-0000-0000-000000000000'
  const type = given.type ?? '1'
  return {
    type,
    device,
    agentId,
    presenceId: `${type}:${device}:${agentId}`,
    name: agentId.slice(-4),
    isThisBrowser: index === 0,
    sessionId: `s${index + 1}`,
    sinceMs: undefined,
    ...given,
  }
}
