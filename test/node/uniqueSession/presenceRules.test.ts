// Every clause of the rule about one session, one by one: what logs out, and each thing that does not.
import { describe, expect, it } from 'vitest'
import { begin, idOf, NEWER, OWN } from './oneSession.ts'

const THIRD = { ...NEWER, sessionId: 'third', agentId: 'third', since: 3000 }

/** Connected, and alone so far. */
function play(options: Parameters<typeof begin>[0] = {}) {
  const game = begin(options)
  game.connected()
  game.meet()
  game.wait(0)
  /** Whom this session yielded to, in order. */
  const sessions = () => game.causes().map(({ sessionId }) => sessionId)
  return { ...game, sessions }
}

describe('a clash', () => {
  it('makes the older session yield once, 300 ms after the newest of the others spoke', () => {
    const game = play()
    game.hear(NEWER)
    game.wait(299)
    expect(game.of('yield')).toEqual([])
    game.hear(THIRD, idOf('third'))
    game.wait(60_000)
    game.hear(THIRD, idOf('third'))
    game.wait(60_000)
    expect(game.times('yield')).toEqual([300])
    expect(game.sessions()).toEqual(['third'])
    expect(game.times('announce')).toEqual([0])
  })

  it('is told of again for the next conflicting session, however often each of them speaks', () => {
    const game = play()
    game.hear(NEWER)
    game.wait(1000)
    game.hear(NEWER)
    game.wait(1000)
    game.hear(THIRD, idOf('third'))
    game.wait(1000)
    for (const [claim, publisher] of [[NEWER, idOf('them')] as const, [THIRD, idOf('third')] as const]) {
      game.hear(claim, publisher)
      game.wait(600_000)
    }
    expect(game.times('yield')).toEqual([300, 2300])
    expect(game.sessions()).toEqual(['their', 'third'])
  })

  it('leaves the session announcing itself: to a conflicting session that stays, and to whoever comes', () => {
    const game = play()
    game.join(idOf('them'))
    game.hear(NEWER)
    game.wait(40_000)
    expect(game.times('announce')).toEqual([0, 2000, 8000, 30_000])
    game.wait(960_000)
    game.join(idOf('third'))
    game.wait(100)
    expect(game.times('announce')).toContain(1_000_000)
    // An older one is told who is newer, as before.
    game.hear({ ...NEWER, since: 1, sessionId: 'older', agentId: 'third' }, idOf('third'))
    game.wait(3000)
    expect(game.times('announce').filter((time) => time >= 1_000_000).length).toBeGreaterThan(1)
    expect(game.of('yield')).toHaveLength(1)
  })

  it('can still be ended by its own logout after a yield', () => {
    const game = play()
    game.hear(NEWER)
    game.wait(1000)
    game.hear({ ...OWN, logout: true })
    expect(game.of('end')).toHaveLength(1)
    game.hear(THIRD, idOf('third'))
    game.wait(60_000)
    expect(game.of('yield')).toHaveLength(1)
  })

  it('that has said goodbye counts again 10 seconds later: its user signed in again in the same session', () => {
    const game = play()
    game.hear(NEWER)
    game.wait(100)
    game.hear({ ...NEWER, logout: true })
    // Late, or sent twice: a session that is over ends nobody.
    game.hear(NEWER)
    game.wait(9800)
    game.hear(NEWER)
    game.wait(1000)
    expect(game.of('yield')).toEqual([])
    game.hear(NEWER)
    game.wait(1000)
    expect(game.of('yield')).toHaveLength(1)
  })

  it('is answered with its own announcement by the newer session', () => {
    const game = play()
    game.wait(5000)
    game.hear({ ...NEWER, since: 1 })
    game.wait(1000)
    expect(game.times('announce')).toEqual([0, 5000])
    expect(game.of('yield')).toEqual([])
  })

  it('at the same instant is decided by the session id', () => {
    const game = play()
    game.hear({ ...NEWER, since: 1000, sessionId: 'a' })
    game.wait(1000)
    expect(game.of('yield')).toEqual([])
    game.hear({ ...NEWER, since: 1000, sessionId: 'z' })
    game.wait(1000)
    expect(game.of('yield')).toHaveLength(1)
  })

  it('is called off when the newer session says goodbye in time, and that session is never believed again', () => {
    const game = play()
    game.hear(NEWER)
    game.wait(200)
    game.hear({ ...NEWER, logout: true })
    game.wait(1000)
    game.hear(NEWER)
    game.wait(60_000)
    expect(game.of('yield')).toEqual([])
  })

  it.each([
    ['another authorization server', { authHost: 'https://other.test' }, undefined],
    ['another product', { clientId: 'other' }, undefined],
    ['the same session elsewhere', { sessionId: 'own' }, undefined],
    ['another tab of this browser', { agentId: 'me' }, idOf('me')],
    ['an impersonated session', { impersonatorId: 'admin' }, undefined],
    ['an impersonated session that hides it', {}, idOf('them', '2')],
    ['a publisher of another agent', {}, idOf('stranger')],
    ['a publisher without an identifier', {}, 'server'],
    ['no publisher at all', {}, ''],
  ])('is not seen in an announcement of %s', (_who, change, publisher) => {
    const game = play()
    game.hear({ ...NEWER, ...change }, publisher ?? idOf('them'))
    game.wait(60_000)
    expect(game.of('yield')).toEqual([])
    expect(game.of('end')).toEqual([])
  })

  it('means nothing to an impersonated session, which stays silent itself', () => {
    const game = play({ own: { impersonatorId: 'admin' } })
    game.hear(NEWER)
    game.join(idOf('them'))
    game.wait(60_000, [idOf('them')])
    expect([...game.of('yield'), ...game.of('announce')]).toEqual([])
  })

  it('means nothing where the app allows several sessions', () => {
    const game = play({ isUnique: false })
    game.hear(NEWER)
    game.join(idOf('them'))
    game.wait(60_000, [idOf('them')])
    expect([...game.of('yield'), ...game.of('announce')]).toEqual([])
    game.hear({ ...OWN, logout: true })
    expect(game.of('end')).toHaveLength(1)
  })

  it('means nothing without access control, where the session id is not given away either', () => {
    const game = play({ isProtected: false })
    game.hear(NEWER)
    game.join(idOf('them'))
    game.wait(60_000, [idOf('them')])
    expect([...game.of('yield'), ...game.of('announce')]).toEqual([])
  })
})

describe('logout: true', () => {
  it('ends exactly the session it names, impersonated or not', () => {
    for (const own of [{}, { impersonatorId: 'admin' }]) {
      const game = play({ own })
      game.hear({ ...NEWER, logout: true })
      game.hear({ ...OWN, authHost: 'https://other.test', logout: true })
      expect(game.of('end')).toEqual([])
      game.hear({ ...OWN, logout: true }, 'server')
      game.hear({ ...OWN, logout: true }, 'server')
      expect(game.of('end')).toHaveLength(1)
    }
  })

  it('needs an unguessable session id where anybody can speak', () => {
    const guessable = play({ isProtected: false })
    guessable.hear({ ...OWN, logout: true })
    expect(guessable.of('end')).toEqual([])
    const sessionId = '5b2c1d7e-1111-4222-8333-444455556666'
    const random = play({ isProtected: false, own: { sessionId } })
    random.hear({ ...OWN, sessionId, logout: true })
    expect(random.of('end')).toHaveLength(1)
  })
})

describe('the presence logout', () => {
  it('comes after 12 s of an unannounced client that is still here', () => {
    const game = play()
    game.join(idOf('them'))
    game.wait(11_999, [idOf('them')])
    expect(game.of('yield')).toEqual([])
    game.wait(1, [idOf('them')])
    expect(game.of('yield')).toHaveLength(1)
    expect(game.times('announce').length).toBeGreaterThan(4)
  })

  it('comes once for an unannounced client, also when it stays, comes back, or announces itself at last; again for the next one', () => {
    const game = play()
    game.join(idOf('them'))
    game.wait(60_000, [idOf('them')])
    expect(game.times('yield')).toEqual([12_000])
    game.presence('leave', [idOf('them')])
    game.join(idOf('them'))
    game.wait(60_000, [idOf('them')])
    game.hear(NEWER)
    game.wait(1000)
    expect(game.times('yield')).toEqual([12_000])
    game.hear({ ...NEWER, sessionId: 'the next', since: 9000 })
    game.wait(1000)
    game.join(idOf('silent'))
    game.wait(60_000, [idOf('them'), idOf('silent')])
    expect(game.times('yield')).toEqual([12_000, 121_300, 134_000])
  })

  const device = '0a1b2c3d-1111-4222-8333-444455556666'
  it.each([
    ['an impersonated session', idOf('them', '2')],
    ['an installed client', idOf('them', '3')],
    ['a device-bound client', idOf('them', '1', device)],
    ['this browser', idOf('me')],
    ['something without an identifier of ours', 'bot'],
  ])('never comes from %s', (_who, presenceId) => {
    const game = play()
    game.join(presenceId)
    game.wait(600_000, [presenceId])
    expect(game.of('yield')).toEqual([])
  })

  it('never comes from an agent that has announced itself, before or after it joined', () => {
    for (const isFirst of [true, false]) {
      const game = play()
      const older = { ...NEWER, since: 1 }
      if (isFirst) game.hear(older)
      game.join(idOf('them'))
      game.wait(5000)
      if (!isFirst) game.hear(older)
      game.wait(600_000, [idOf('them')])
      expect(game.of('yield')).toEqual([])
    }
  })

  it('never comes from somebody who was here first', () => {
    const game = play()
    game.meet(idOf('them'))
    game.join(idOf('them'))
    game.wait(600_000, [idOf('them')])
    expect(game.of('yield')).toEqual([])
  })

  it.each(['leave', 'timeout'] as const)('never comes on a %s', (action) => {
    const game = play()
    game.presence(action, [idOf('other')])
    game.join(idOf('them'))
    game.wait(5000)
    game.presence(action, [idOf('them')])
    game.wait(600_000, [idOf('them')])
    expect(game.of('yield')).toEqual([])
  })

  it('never comes from somebody whose leaving was missed, nor over an outage', () => {
    const missed = play()
    missed.join(idOf('them'))
    missed.wait(600_000, [])
    expect(missed.of('yield')).toEqual([])
    const cut = play()
    cut.join(idOf('them'))
    cut.disconnected()
    cut.connected()
    cut.wait(600_000, [idOf('them')])
    expect(cut.of('yield')).toEqual([])
  })

  it('never comes out of a crowd', () => {
    const game = play()
    const crowd = Array.from({ length: 150 }, (_, index) => idOf(`bot-${index}`))
    game.join(...crowd)
    game.wait(600_000, crowd)
    expect(game.of('yield')).toEqual([])
  })
})

describe('announcements', () => {
  const OLDER = { ...NEWER, since: 1 }

  it('are repeated after 2, 8 and 30 s only while somebody else is here', () => {
    const alone = play()
    alone.wait(3_600_000)
    expect(alone.times('announce')).toEqual([0])
    const inCompany = play()
    inCompany.meet(idOf('them'))
    inCompany.wait(40_000)
    expect(inCompany.times('announce')).toEqual([0, 2000, 8000, 30_000])
  })

  it('are repeated when one did not get through, even where nobody seems to be', () => {
    const game = play()
    game.unsent()
    game.wait(3_600_000)
    expect(game.times('announce')).toEqual([0, 2000])
  })

  it('answer a known older session that speaks again with one announcement, not with a round of them', () => {
    const game = play()
    game.join(idOf('them'))
    game.hear(OLDER)
    game.wait(500_000)
    const before = game.times('announce').length
    game.hear(OLDER)
    game.wait(301_000)
    expect(game.times('announce').slice(before)).toEqual([500_000, 800_000])
  })

  it('answer an older session that speaks for the first time with a round of them', () => {
    const game = play()
    game.meet(idOf('them'))
    game.wait(500_000)
    const before = game.times('announce').length
    game.hear(OLDER)
    game.wait(20_000)
    expect(game.times('announce').slice(before)).toEqual([500_000, 502_000, 508_000])
  })

  it('answer an older session that the service has not listed: it would stay for ever', () => {
    const game = play()
    game.wait(1500)
    game.hear(OLDER)
    game.wait(60_000)
    expect(game.times('announce')).toEqual([0, 2000])
    game.hear(OLDER)
    game.wait(60_000)
    expect(game.times('announce')).toEqual([0, 2000, 61_500])
  })

  it('wait for the connection', () => {
    const game = play()
    game.hear(OLDER)
    game.wait(10_000)
    game.disconnected()
    const before = game.times('announce').length
    game.hear(OLDER)
    game.wait(60_000)
    expect(game.times('announce')).toHaveLength(before)
    game.connected()
    game.wait(0)
    expect(game.times('announce').slice(before)).toEqual([70_000])
  })

  it('are never closer than 2 s, whatever is shouted', () => {
    const game = play()
    for (let count = 0; count < 10_000; count += 1) {
      game.hear(
        { ...NEWER, since: 1, agentId: `bot-${count}`, sessionId: `s-${count}` },
        idOf(`bot-${count}`),
      )
      game.wait(1)
    }
    const times = game.times('announce')
    expect(times.length).toBeGreaterThan(3)
    times.slice(1).forEach((time, index) => expect(time - times[index]!).toBeGreaterThanOrEqual(2000))
    expect(game.of('yield')).toEqual([])
  })
})
