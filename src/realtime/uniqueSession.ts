// Carries out what `protocol/uniqueSession` decides for one session: it keeps the state and turns the clock.
import type { SessionAnnouncement } from '../protocol/presence.ts'
import {
  initialUniqueSession,
  nextTickAtMs,
  stepUniqueSession,
  type UniqueSessionEffect,
  type UniqueSessionEvent,
  type UniqueSessionOptions,
} from '../protocol/uniqueSession.ts'
import type { Platform } from '../session/platform/platform.ts'

export interface UniqueSessionRunOptions extends Omit<UniqueSessionOptions, 'own'> {
  readonly own: SessionAnnouncement | undefined
  readonly ports: Pick<Platform, 'monotonicNow' | 'setTimer'>
  readonly carryOut: (effect: UniqueSessionEffect) => void
}

export function createUniqueSession(options: UniqueSessionRunOptions) {
  const { isProtected, isUnique, ports, carryOut } = options
  let { own } = options
  let state = initialUniqueSession
  let tickAtMs: number | undefined
  let cancelTick: (() => void) | undefined
  let isStopped = false

  function decide(event: UniqueSessionEvent): void {
    if (isStopped || !own) return
    const step = stepUniqueSession({ own, isProtected, isUnique }, state, event, ports.monotonicNow())
    state = step.state
    planTick()
    for (const effect of step.effects) carryOut(effect)
  }

  function planTick(): void {
    const dueMs = nextTickAtMs(state)
    if (dueMs === tickAtMs) return
    cancelTick?.()
    tickAtMs = dueMs
    if (dueMs === undefined) return
    const tick = () => {
      tickAtMs = undefined
      decide({ type: 'tick' })
    }
    cancelTick = ports.setTimer(tick, Math.max(0, dueMs - ports.monotonicNow()))
  }

  return {
    /** What is announced of the session; `undefined`: it cannot be announced, and nothing is decided. */
    get own() {
      return own
    },
    get isConnected() {
      return state.isConnected
    },
    decide,
    /** Decides for another session of the same user from now on. */
    replace(next: SessionAnnouncement | undefined) {
      const { announcedAtMs, ended } = state
      own = next
      state = { ...initialUniqueSession, announcedAtMs, ended }
      planTick()
    },
    /** Decides nothing any more. */
    stop() {
      isStopped = true
      cancelTick?.()
    },
  }
}
