// When a session announces itself again, whom it believes, whom it asks after: the times of the rule about one session.
import { describe, expect, it } from 'vitest'
import { begin, idOf, NEWER, OWN } from './oneSession.ts'

const THEM = [idOf('them')]

/** Connected, and told at once that somebody is there. */
function meetThem() {
  const session = begin()
  session.connected()
  session.meet(...THEM)
  return session
}

describe('a session with others on its channel announces itself', () => {
  it('after 2, 8, 30, 120 and 420 seconds, and every five minutes from then on', () => {
    const session = meetThem()
    session.until(1_100_000)
    expect(session.times('announce')).toEqual([0, 2000, 8000, 30_000, 120_000, 420_000, 720_000, 1_020_000])
    expect(session.times('ask')).toEqual([])
  })

  it('at once when the service says that somebody is there, and no sooner than planned when it says so again', () => {
    const session = begin()
    session.connected()
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
    session.connected()
    session.until(10_000)
    session.join('bot', idOf('me'))
    session.until(60_000)
    expect(session.times('announce')).toEqual([0])
  })

  it('not before it is connected, and not while the connection is cut', () => {
    const session = begin()
    session.join(...THEM)
    expect(session.nextTickAtMs()).toBeUndefined()
    session.connected()
    session.until(10_000)
    session.disconnected()
    const before = session.times('announce')
    session.join(idOf('other'))
    session.until(60_000)
    expect(session.times('announce')).toEqual(before)
  })
})

describe('a session alone', () => {
  it('looks at 2, 8, 30, 120 and 420 seconds whether an announcement is to be sent again, and then no more', () => {
    const session = begin()
    session.connected()
    session.until(20_000)
    expect(session.nextTickAtMs()).toBe(30_000)
    session.unsent()
    session.until(30_000)
    expect(session.times('announce')).toEqual([0, 30_000])
    session.until(3_600_000)
    expect(session.nextTickAtMs()).toBeUndefined()
  })

  it('announces itself in the millisecond that was planned, and not in any before', () => {
    const session = begin()
    session.connected()
    session.until(0)
    session.unsent()
    session.until(1999)
    expect(session.times('announce')).toEqual([0])
    session.until(2000)
    expect(session.times('announce')).toEqual([0, 2000])
  })
})

describe('a newer announcement', () => {
  it('is not believed early because something else falls due', () => {
    const session = meetThem()
    session.until(1900)
    session.hear(NEWER)
    session.until(2199)
    expect([session.times('announce'), session.times('yield')]).toEqual([[0, 2000], []])
    session.until(2200)
    expect(session.times('yield')).toEqual([2200])
  })

  it('is not displaced by one that is older than it, nor by the goodbye of a third', () => {
    const session = begin()
    session.connected()
    session.hear({ ...NEWER, sessionId: 'newest', agentId: 'newest', since: 3000 }, idOf('newest'))
    session.hear(NEWER)
    session.hear({ ...NEWER, sessionId: 'third', agentId: 'third', logout: true }, idOf('third'))
    session.until(1000)
    expect(session.causes()).toMatchObject([{ sessionId: 'newest' }])
  })
})

describe('a goodbye where anybody may speak', () => {
  it.each([
    [21, 0],
    [22, 1],
  ])('that names a session id of %i characters ends %i sessions', (length, count) => {
    const sessionId = 'x'.repeat(length)
    const session = begin({ own: { sessionId }, isProtected: false })
    session.hear({ ...OWN, sessionId, logout: true })
    expect(session.times('end')).toHaveLength(count)
  })
})

describe('unannounced clients', () => {
  it('are named in the order in which they came', () => {
    const session = begin()
    session.connected()
    session.meet()
    session.join(idOf('first'))
    session.join(idOf('second'))
    session.until(12_000, [idOf('first'), idOf('second')])
    expect(session.causes()).toEqual([{ agentId: 'first' }])
  })

  it('who came later are asked after later, whoever has gone meanwhile', () => {
    const session = begin()
    session.connected()
    session.meet()
    session.join(idOf('first'))
    session.until(5000)
    session.join(idOf('second'))
    session.until(16_999, [idOf('second')])
    expect([session.times('ask'), session.times('yield')]).toEqual([[12_000], []])
    session.until(17_000, [idOf('second')])
    expect(session.causes()).toEqual([{ agentId: 'second' }])
  })
})
