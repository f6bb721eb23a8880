// When a session announces itself again, whom it believes, whom it asks after: the times of the rule about one session.
import { describe, expect, it } from 'vitest'
import { NIL_DEVICE, parseAnnouncement } from '../../../src/protocol/presence.ts'
import {
  initialUniqueSession,
  nextTickAtMs,
  stepUniqueSession,
  type UniqueSessionEffect,
  type UniqueSessionEvent,
} from '../../../src/protocol/uniqueSession.ts'

const SESSION = { authHost: 'https://auth.test', clientId: 'app', impersonatorId: null, logout: false }
const OWN = { ...SESSION, sessionId: 'own', agentId: 'me', since: 1000 }
const NEWER = { ...SESSION, sessionId: 'their', agentId: 'them', since: 2000 }
const idOf = (agentId: string) => `1:${NIL_DEVICE}:${agentId}`
const THEM = [idOf('them')]

/** One session from its first moment on. */
function begin(options: { sessionId?: string; isProtected?: boolean } = {}) {
  const own = parseAnnouncement({ ...OWN, ...(options.sessionId && { sessionId: options.sessionId }) })!
  const settings = { own, isProtected: options.isProtected ?? true, isUnique: true }
  let state = initialUniqueSession
  let nowMs = 0
  const seen: { atMs: number; effect: UniqueSessionEffect }[] = []
  const feed = (event: UniqueSessionEvent) => {
    const step = stepUniqueSession(settings, state, event, nowMs)
    state = step.state
    for (const effect of step.effects) seen.push({ atMs: nowMs, effect })
    return step
  }
  return {
    feed,
    state: () => state,
    nextTickAtMs: () => nextTickAtMs(state),
    connect: () => void feed({ type: 'connected' }),
    meet: (...presenceIds: string[]) => void feed({ type: 'occupants', presenceIds }),
    join: (...presenceIds: string[]) => void feed({ type: 'presence', action: 'join', presenceIds }),
    hear: (claim: object, agentId = 'them') =>
      void feed({ type: 'announcement', announcement: parseAnnouncement(claim)!, publisher: idOf(agentId) }),
    /** Turns the clock to a moment; whoever is asked after and stands here is still there. */
    until(atMs: number, stillHere: readonly string[] = []) {
      for (;;) {
        const dueMs = nextTickAtMs(state)
        if (dueMs === undefined || dueMs > atMs) break
        nowMs = Math.max(nowMs, dueMs)
        const { effects } = feed({ type: 'tick' })
        if (effects.some(({ type }) => type === 'ask'))
          feed({ type: 'still-here', presenceIds: [...stillHere] })
      }
      nowMs = atMs
    },
    times: (type: UniqueSessionEffect['type']) =>
      seen.filter(({ effect }) => effect.type === type).map(({ atMs }) => atMs),
    causes: () => seen.flatMap(({ effect }) => (effect.type === 'yield' ? [effect.cause] : [])),
  }
}

describe('a session with others on its channel announces itself', () => {
  it('after 2, 8, 30, 120 and 420 seconds, and every five minutes from then on', () => {
    const session = begin()
    session.connect()
    session.meet(...THEM)
    session.until(1_100_000)
    expect(session.times('announce')).toEqual([0, 2000, 8000, 30_000, 120_000, 420_000, 720_000, 1_020_000])
    expect(session.times('ask')).toEqual([])
  })

  it('at once when the service says that somebody is there, and no sooner than planned when it says so again', () => {
    const session = begin()
    session.connect()
    session.meet()
    session.until(100_000)
    expect(session.times('announce')).toEqual([0])
    session.meet()
    session.until(101_000)
    expect(session.times('announce')).toEqual([0])
    session.meet(...THEM)
    session.until(115_000)
    expect(session.times('announce')).toEqual([0, 101_000, 103_000, 109_000])
    session.meet(...THEM, idOf('other'))
    session.until(130_000)
    expect(session.times('announce')).toHaveLength(4)
  })

  it('not because of somebody who is nobody', () => {
    const session = begin()
    session.connect()
    session.until(10_000)
    session.join('bot', idOf('me'))
    session.until(60_000)
    expect(session.times('announce')).toEqual([0])
  })

  it('not before it is connected, and not while the connection is cut', () => {
    const session = begin()
    session.join(...THEM)
    expect([session.nextTickAtMs(), session.state().occupants.unannounced]).toEqual([undefined, []])
    session.connect()
    session.until(10_000)
    session.feed({ type: 'disconnected' })
    const before = session.times('announce')
    session.join(idOf('other'))
    session.until(60_000)
    expect(session.times('announce')).toEqual(before)
  })
})

describe('a session alone', () => {
  it('looks at 2, 8, 30, 120 and 420 seconds whether an announcement is to be sent again, and then no more', () => {
    const session = begin()
    session.connect()
    session.until(20_000)
    expect(session.nextTickAtMs()).toBe(30_000)
    session.feed({ type: 'unsent' })
    session.until(30_000)
    expect(session.times('announce')).toEqual([0, 30_000])
    session.until(3_600_000)
    expect(session.nextTickAtMs()).toBeUndefined()
  })

  it('announces itself in the millisecond that was planned, and not in any before', () => {
    const session = begin()
    session.connect()
    session.until(0)
    session.feed({ type: 'unsent' })
    for (const atMs of [1, 1999]) {
      session.until(atMs)
      session.feed({ type: 'tick' })
    }
    expect(session.times('announce')).toEqual([0])
    session.until(2000)
    expect(session.times('announce')).toEqual([0, 2000])
  })

  it('says nothing on a tick for which nothing is planned', () => {
    const session = begin()
    expect(session.feed({ type: 'tick' })).toEqual({ state: initialUniqueSession, effects: [] })
  })
})

describe('a newer announcement', () => {
  it('is not believed early because something else falls due', () => {
    const session = begin()
    session.connect()
    session.meet(...THEM)
    session.until(1900)
    session.hear(NEWER)
    session.until(2199)
    expect([session.times('announce'), session.times('yield')]).toEqual([[0, 2000], []])
    session.until(2200)
    expect(session.times('yield')).toEqual([2200])
  })

  it('is not displaced by one that is older than it, nor by the goodbye of a third', () => {
    const session = begin()
    session.connect()
    session.hear({ ...NEWER, sessionId: 'newest', agentId: 'newest', since: 3000 }, 'newest')
    session.hear(NEWER)
    session.hear({ ...NEWER, sessionId: 'third', agentId: 'third', logout: true }, 'third')
    session.until(1000)
    expect(session.causes()).toMatchObject([{ by: 'announcement', announcement: { sessionId: 'newest' } }])
  })
})

describe('a goodbye where anybody may speak', () => {
  it.each([
    [21, 0],
    [22, 1],
  ])('that names a session id of %i characters ends %i sessions', (length, count) => {
    const sessionId = 'x'.repeat(length)
    const session = begin({ sessionId, isProtected: false })
    session.hear({ ...OWN, sessionId, logout: true })
    expect(session.times('end')).toHaveLength(count)
  })
})

describe('unannounced clients', () => {
  it('are named in the order in which they came', () => {
    const session = begin()
    session.connect()
    session.meet()
    session.join(idOf('first'))
    session.join(idOf('second'))
    session.until(12_000, [idOf('first'), idOf('second')])
    expect(session.causes()).toMatchObject([{ by: 'presence', agentId: 'first' }])
  })

  it('who came later are asked after later, whoever has gone meanwhile', () => {
    const session = begin()
    session.connect()
    session.meet()
    session.join(idOf('first'))
    session.until(5000)
    session.join(idOf('second'))
    session.until(16_999, [idOf('second')])
    expect([session.times('ask'), session.times('yield')]).toEqual([[12_000], []])
    session.until(17_000, [idOf('second')])
    expect(session.causes()).toMatchObject([{ by: 'presence', agentId: 'second' }])
  })
})
