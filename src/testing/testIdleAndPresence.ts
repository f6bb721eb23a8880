// The idle time and the online sessions that a test sets. Nothing changes automatically.
import type { Occupant } from '../session/realtimePort.ts'
import type { IdleTime } from '../session/auth.ts'
import type { Presence } from '../session/realtimePort.ts'
import type { TestOccupant } from './testState.ts'

/** Idle time that stays at the time left. `onStay` is called when the user stays active. */
export function createTestIdle(options: {
  remainingMs: number
  timeoutMs: number
  now(): number
  onStay(): void
}): IdleTime {
  const { remainingMs, timeoutMs } = options
  return {
    idleSinceMs: options.now() - (timeoutMs - remainingMs),
    remainingMs,
    stayActive: options.onStay,
  }
}

const NOBODY_LISTENS = () => () => {}

/** A list of online sessions that changes only when the test sets another one. */
export function createTestPresence(given: readonly TestOccupant[]): Presence {
  const occupants = Object.freeze(given.map(fillOccupant))
  return {
    presenceId: occupants.find(({ isThisBrowser }) => isThisBrowser)?.presenceId,
    whyNotUnique: () => undefined,
    publish: async () => {},
    occupants: () => occupants,
    onOccupants: NOBODY_LISTENS,
    announceLogout: async () => {},
    connection: { listen() {}, isLeading: () => true },
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
