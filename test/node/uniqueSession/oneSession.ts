// One session under the rule of one session per user: what it receives, and what it does about it, on a clock that a test turns.
import { NIL_DEVICE, parseAnnouncement } from '../../../src/protocol/presence.ts'
import { UniqueSession, type Winner } from '../../../src/realtime/uniqueSession.ts'

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
  let nowMs = 0
  let timer: { atMs: number; run: () => void } | undefined
  let stillHere: readonly string[] = []
  const effects: { atMs: number; type: 'announce' | 'ask' | 'yield' | 'end' }[] = []
  const causes: Winner[] = []
  const note = (type: (typeof effects)[number]['type']) => void effects.push({ atMs: nowMs, type })
  const session = new UniqueSession({
    own: parseAnnouncement({ ...OWN, ...own })!,
    isProtected,
    isUnique,
    ports: {
      monotonicNow: () => nowMs,
      setTimer(run, delayMs) {
        const set = { atMs: nowMs + delayMs, run }
        timer = set
        return () => {
          if (timer === set) timer = undefined
        }
      },
    },
    announce: () => note('announce'),
    ask() {
      note('ask')
      session.listed(stillHere)
    },
    onYield(winner) {
      note('yield')
      causes.push(winner)
    },
    onEnd: () => note('end'),
  })
  /** Turns the clock to a moment. `present` are the clients that are still there when the service is asked. */
  const until = (atMs: number, present: readonly string[] = []) => {
    stillHere = present
    while (timer && timer.atMs <= atMs) {
      const { atMs: dueAtMs, run } = timer
      nowMs = Math.max(nowMs, dueAtMs)
      timer = undefined
      run()
    }
    nowMs = atMs
  }
  const of = (type: (typeof effects)[number]['type']) => effects.filter((effect) => effect.type === type)
  return {
    connected: session.connected,
    disconnected: session.disconnected,
    presence: session.presence,
    unsent: () => session.unsent(),
    nextTickAtMs: () => timer?.atMs,
    meet: (...presenceIds: string[]) => session.listed(presenceIds),
    join: (...presenceIds: string[]) => session.presence('join', presenceIds),
    hear: (announcement: object, publisher = idOf('them')) =>
      session.announcement(parseAnnouncement(announcement)!, publisher),
    until,
    wait: (ms: number, present?: readonly string[]) => until(nowMs + ms, present),
    of,
    times: (type: (typeof effects)[number]['type']) => of(type).map(({ atMs }) => atMs),
    /** Whom it yielded to, in order. */
    causes: () => causes,
  }
}
