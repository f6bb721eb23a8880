// One session under the rule of one session per user: what the test lets it hear, and what it does about it, by a clock that is turned by hand.
import { NIL_DEVICE, parseAnnouncement } from '../../../src/protocol/presence.ts'
import {
  initialUniqueSession,
  nextTickAtMs,
  stepUniqueSession,
  type UniqueSessionEffect,
  type UniqueSessionEvent,
} from '../../../src/protocol/uniqueSession.ts'

const SESSION = { authHost: 'https://auth.test', clientId: 'app', impersonatorId: null, logout: false }
export const OWN = { ...SESSION, sessionId: 'own', agentId: 'me', since: 1000 }
export const NEWER = { ...SESSION, sessionId: 'their', agentId: 'them', since: 2000 }
export const idOf = (agentId: string, type = '1', device = NIL_DEVICE) => `${type}:${device}:${agentId}`

interface SessionOptions {
  own?: object
  isProtected?: boolean
  isUnique?: boolean
}

/** From its first moment on; it is not connected yet. */
export function begin({ own, isProtected = true, isUnique = true }: SessionOptions = {}) {
  const settings = { own: parseAnnouncement({ ...OWN, ...own })!, isProtected, isUnique }
  let state = initialUniqueSession
  let nowMs = 0
  const effects: { atMs: number; effect: UniqueSessionEffect }[] = []
  const feed = (event: UniqueSessionEvent) => {
    const step = stepUniqueSession(settings, state, event, nowMs)
    state = step.state
    for (const effect of step.effects) effects.push({ atMs: nowMs, effect })
    return step
  }
  /** Turns the clock to a moment; whoever is asked after and stands here is still there. */
  const until = (atMs: number, stillHere: readonly string[] = []) => {
    for (;;) {
      const dueMs = nextTickAtMs(state)
      if (dueMs === undefined || dueMs > atMs) break
      nowMs = Math.max(nowMs, dueMs)
      const isAsking = feed({ type: 'tick' }).effects.some(({ type }) => type === 'ask')
      if (isAsking) feed({ type: 'still-here', presenceIds: [...stillHere] })
    }
    nowMs = atMs
  }
  const of = (type: UniqueSessionEffect['type']) => effects.filter(({ effect }) => effect.type === type)
  return {
    feed,
    state: () => state,
    nextTickAtMs: () => nextTickAtMs(state),
    connect: () => void feed({ type: 'connected' }),
    meet: (...presenceIds: string[]) => void feed({ type: 'occupants', presenceIds }),
    join: (...presenceIds: string[]) => void feed({ type: 'presence', action: 'join', presenceIds }),
    hear: (announcement: object, publisher = idOf('them')) =>
      void feed({ type: 'announcement', announcement: parseAnnouncement(announcement)!, publisher }),
    until,
    wait: (ms: number, stillHere?: readonly string[]) => until(nowMs + ms, stillHere),
    of,
    times: (type: UniqueSessionEffect['type']) => of(type).map(({ atMs }) => atMs),
    /** Why it yielded, in order. */
    causes: () => effects.flatMap(({ effect }) => (effect.type === 'yield' ? [effect.cause] : [])),
  }
}
