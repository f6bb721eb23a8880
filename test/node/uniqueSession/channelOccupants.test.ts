// Who is on the channel of a user: announced, unannounced, gone, and listed for the app.
import { describe, expect, it, vi } from 'vitest'
import {
  askAboutUnannounced,
  type ChannelOccupants,
  noteLeft,
  hasUnsettled,
  forgetPresent,
  noteJoined,
  noteOccupants,
  noteAnnouncement,
  noteWinner,
  noOccupants,
  recogniseWinner,
  remember,
  UNANNOUNCED_LIMIT_MS,
} from '../../../src/protocol/channelOccupants.ts'
import {
  makePresenceId,
  NIL_DEVICE,
  REALTIME_CACHE_SIZE,
  parseAnnouncement,
} from '../../../src/protocol/presence.ts'
import { createOccupants } from '../../../src/realtime/occupants.ts'

const DEVICE = '0a1b2c3d-1111-4222-8333-444455556666'
const idOf = (agentId: string, type: '1' | '2' | '3' = '1', device = NIL_DEVICE) =>
  makePresenceId({ type, device, agentId })!

describe('the sessions that this one has yielded to', () => {
  const yieldedTo = (...winners: readonly { agentId: string; sessionId?: string }[]) =>
    winners.reduce(noteWinner, noOccupants)

  it('are known by their session, and one that had not announced itself by its browser', () => {
    const occupants = yieldedTo({ agentId: 'a', sessionId: 's1' }, { agentId: 'b' })
    expect(recogniseWinner(occupants, { agentId: 'elsewhere', sessionId: 's1' })).toBeDefined()
    expect(recogniseWinner(occupants, { agentId: 'a', sessionId: 's2' })).toBeUndefined()
    expect(recogniseWinner(occupants, { agentId: 'c', sessionId: 's3' })).toBeUndefined()
    // From its announcement on, it is known by its session alone.
    const announced = recogniseWinner(occupants, { agentId: 'b', sessionId: 's4' })!
    expect(announced.winners).toEqual([
      { agentId: 'a', sessionId: 's1' },
      { agentId: 'b', sessionId: 's4' },
    ])
    expect(recogniseWinner(announced, { agentId: 'b', sessionId: 's5' })).toBeUndefined()
  })

  it('are remembered, the last hundred of them, and all count as here before', () => {
    const winners = Array.from({ length: REALTIME_CACHE_SIZE + 5 }, (_, index) => ({
      agentId: `a${index}`,
      sessionId: `s${index}`,
    }))
    expect(yieldedTo(...winners).winners).toEqual(winners.slice(5))
    expect(yieldedTo({ agentId: 'a' }, { agentId: 'b' }).earlier).toEqual(['a', 'b'])
  })

  it('are waited for no longer, and the others still are', () => {
    const waiting = ['a', 'b'].map((agentId) => ({
      presenceId: idOf(agentId),
      agentId,
      dueAtMs: 1,
      isAsked: false,
    }))
    const { unannounced } = noteWinner({ ...noOccupants, unannounced: waiting }, { agentId: 'a' })
    expect(unannounced).toEqual([waiting[1]])
  })
})

describe('the occupants of a channel', () => {
  const known: ChannelOccupants = { ...noOccupants, earlier: [] }
  const join = (occupants: ChannelOccupants, ids: string[], mayJudge = true, nowMs = 1000) =>
    noteJoined(occupants, 'me', ids, { mayJudge, nowMs })
  const stranger = (agentId: string, dueAtMs = 1000 + UNANNOUNCED_LIMIT_MS, isAsked = false) => ({
    presenceId: idOf(agentId),
    agentId,
    dueAtMs,
    isAsked,
  })

  it('a browser that joins is unannounced for twelve seconds, once', () => {
    const met = join(known, [idOf('a'), idOf('a'), idOf('b')])
    expect(met).toEqual({ ...known, present: ['a', 'b'], unannounced: [stranger('a'), stranger('b')] })
    expect(join(met, [idOf('a')], true, 2000).unannounced).toEqual(met.unannounced)
  })

  it.each<[string, ChannelOccupants, string]>([
    ['an impersonator', known, idOf('a', '2')],
    ['another kind of session', known, idOf('a', '3')],
    ['another device', known, idOf('a', '1', DEVICE)],
    ['who was here before', { ...known, earlier: ['a'] }, idOf('a')],
    ['who has spoken', { ...known, announced: ['a'] }, idOf('a')],
    ['anybody, as long as it is not known who was here', noOccupants, idOf('a')],
  ])('%s does not count as unannounced', (_what, occupants, presenceId) => {
    expect(join(occupants, [presenceId]).unannounced).toEqual([])
  })

  it('an impersonator and this browser itself are not counted, and change nothing', () => {
    expect(join(known, [idOf('a', '2'), idOf('me'), 'nonsense'])).toBe(known)
  })

  it('nobody is unannounced where presence may not judge, nor in a crowd', () => {
    const met = join(known, [idOf('a')])
    expect(join(met, [idOf('b')], false)).toMatchObject({ present: ['a', 'b'], unannounced: [] })
    const many = Array.from({ length: REALTIME_CACHE_SIZE - 1 }, (_, index) => idOf(`a${index}`))
    expect(join(known, many).unannounced).toHaveLength(REALTIME_CACHE_SIZE - 1)
    expect(join(known, [...many, idOf('last')]).unannounced).toEqual([])
  })

  it('who speaks is unannounced no longer, and conflicting or not', () => {
    const met = join(known, [idOf('a'), idOf('b')])
    const spoken = noteAnnouncement(met, 'a', true)
    expect(spoken).toMatchObject({ announced: ['a'], nonConflicting: [], unannounced: [stranger('b')] })
    expect(noteAnnouncement(spoken, 'a', true)).toBe(spoken)
    const calm = noteAnnouncement(spoken, 'a', false)
    expect(calm).toMatchObject({ announced: ['a'], nonConflicting: ['a'] })
    expect(noteAnnouncement(calm, 'a', false)).toBe(calm)
    const two = noteAnnouncement(calm, 'c', false)
    expect(noteAnnouncement(two, 'a', true)).toMatchObject({ announced: ['a', 'c'], nonConflicting: ['c'] })
    // Known already, and unannounced again: it counts anew.
    const again = { ...calm, unannounced: [stranger('a')] }
    expect(noteAnnouncement(again, 'a', false).unannounced).toEqual([])
  })

  it('who was here when this session came is not unannounced, whatever was thought before', () => {
    const met = { ...join(known, [idOf('a'), idOf('b')]), earlier: ['z'] }
    expect(noteOccupants(met, 'me', [idOf('a'), idOf('c', '2'), idOf('me'), 'nonsense'])).toEqual({
      ...met,
      earlier: ['z', 'a', 'c'],
      present: ['a'],
      unannounced: [stranger('b')],
    })
    const many = Array.from({ length: REALTIME_CACHE_SIZE + 5 }, (_, index) => idOf(`a${index}`))
    const { present } = noteOccupants(noOccupants, 'me', many)
    expect([present.length, present.at(-1)]).toEqual([REALTIME_CACHE_SIZE, `a${REALTIME_CACHE_SIZE + 4}`])
  })

  it('is asked after when the time of one is up, and that one waits anew', () => {
    const met = { ...known, unannounced: [stranger('a', 5000), stranger('b', 5001)] }
    expect(askAboutUnannounced(met, 4999)).toEqual({ occupants: met, isAsking: false })
    expect(askAboutUnannounced(met, 5000)).toEqual({
      occupants: {
        ...met,
        unannounced: [stranger('a', 5000 + UNANNOUNCED_LIMIT_MS, true), stranger('b', 5001)],
      },
      isAsking: true,
    })
  })

  it('who leaves is gone, others stay; out of sight nobody is here', () => {
    const met = join(known, [idOf('a'), idOf('b')])
    expect(noteLeft(met, [idOf('a'), 'nonsense'])).toEqual({
      ...met,
      present: ['b'],
      unannounced: [stranger('b')],
    })
    expect(forgetPresent({ ...met, announced: ['a'] })).toMatchObject({
      present: [],
      unannounced: [],
      announced: ['a'],
    })
  })

  it('is unsettled as long as one is here who is not known to be nonConflicting', () => {
    expect(hasUnsettled({ ...known, present: ['a'], nonConflicting: ['a'] })).toBe(false)
    expect(hasUnsettled({ ...known, present: ['a', 'b'], nonConflicting: ['a'] })).toBe(true)
    expect(hasUnsettled(known)).toBe(false)
  })

  it('is remembered to a hundred, without repeats', () => {
    const full = Array.from({ length: REALTIME_CACHE_SIZE }, (_, index) => `a${index}`)
    expect(remember(full, 'a3')).toBe(full)
    expect(remember(full, 'new')).toEqual([...full.slice(1), 'new'])
  })
})

describe('who is online', () => {
  const claim = (agentId: string, since = 5, sessionId = `session-${agentId}`) =>
    parseAnnouncement({ authHost: 'https://auth.test', clientId: 'app', sessionId, agentId, since })!
  const open = (own = claim('me')) => {
    const occupants = createOccupants(idOf('me'), own, () => {})
    const told = vi.fn<() => void>()
    const stop = occupants.subscribe(told)
    return { occupants, told, stop, names: () => occupants.list().map(({ agentId }) => agentId) }
  }

  it('is described by what each has said, before or after it was seen', () => {
    const { occupants, told } = open()
    occupants.describe(idOf('late'), claim('late', 0))
    occupants.describe(undefined, claim('nobody'))
    expect(told).toHaveBeenCalledTimes(0)
    occupants.change('join', [idOf('me'), idOf('late'), idOf('silent'), 'nonsense'])
    expect(told).toHaveBeenCalledTimes(1)
    expect(occupants.list()).toMatchObject([
      { agentId: 'me', isThisBrowser: true, sessionId: 'session-me', sinceMs: 5 },
      { agentId: 'late', isThisBrowser: false, sessionId: 'session-late', sinceMs: undefined },
      { agentId: 'silent', isThisBrowser: false, sessionId: undefined, sinceMs: undefined },
    ])
    occupants.describe(idOf('silent'), claim('silent', 7))
    expect(occupants.list()[2]).toMatchObject({ sessionId: 'session-silent', sinceMs: 7 })
    expect(told).toHaveBeenCalledTimes(2)
    occupants.describe(idOf('silent'), claim('silent', 7))
    expect(told).toHaveBeenCalledTimes(2)
    occupants.describe(idOf('silent'), claim('silent', 9, 'another'))
    expect(occupants.list()[2]).toMatchObject({ sessionId: 'another', sinceMs: 9 })
  })

  it('is a new list when it changed, and the same one when it did not', () => {
    const { occupants, told, stop, names } = open()
    occupants.replace([idOf('a'), idOf('b')])
    const list = occupants.list()
    expect([names(), told.mock.calls.length]).toEqual([['a', 'b'], 1])
    occupants.replace([idOf('b'), idOf('a')])
    occupants.change('join', [idOf('a')])
    occupants.change('leave', [idOf('z')])
    expect(occupants.list()).toBe(list)
    expect(told).toHaveBeenCalledTimes(1)
    occupants.replace([idOf('a')])
    expect(names()).toEqual(['a'])
    occupants.change('timeout', [idOf('a')])
    expect([names(), told.mock.calls.length]).toEqual([[], 3])
    stop()
    occupants.change('join', [idOf('a')])
    expect(told).toHaveBeenCalledTimes(3)
  })

  it('is a hundred at most, and so is what was said by those who are not here', () => {
    const { occupants } = open()
    const ids = Array.from({ length: REALTIME_CACHE_SIZE + 1 }, (_, index) => `a${index}`)
    for (const agentId of ids) occupants.describe(idOf(agentId), claim(agentId))
    occupants.replace(ids.map((agentId) => idOf(agentId)))
    expect(occupants.list()).toHaveLength(REALTIME_CACHE_SIZE)
    // This browser and the first one spoke longest ago.
    expect(
      occupants
        .list()
        .map(({ sessionId }) => sessionId)
        .slice(0, 2),
    ).toEqual([undefined, 'session-a1'])
  })

  it('knows nothing of a browser without a session', () => {
    const occupants = createOccupants(idOf('me'), undefined, () => {})
    occupants.change('join', [idOf('me')])
    expect(occupants.list()).toMatchObject([{ isThisBrowser: true, sessionId: undefined }])
  })
})
