// Who is online, listed for the app: a new list only when something changed, never more than a hundred.
import { describe, expect, it, vi } from 'vitest'
import {
  makePresenceId,
  NIL_DEVICE,
  parseAnnouncement,
  REALTIME_CACHE_SIZE,
} from '../../../src/protocol/presence.ts'
import { createOccupants } from '../../../src/realtime/occupants.ts'

const idOf = (agentId: string) => makePresenceId({ type: '1', device: NIL_DEVICE, agentId })!

describe('who is online', () => {
  const claim = (agentId: string, since = 5, sessionId = `session-${agentId}`) =>
    parseAnnouncement({ authHost: 'https://auth.test', clientId: 'app', sessionId, agentId, since })!
  const open = () => {
    const told = vi.fn<() => void>()
    const occupants = createOccupants(idOf('me'), told)
    occupants.describe(idOf('me'), claim('me'))
    return { occupants, told, names: () => occupants.list().map(({ agentId }) => agentId) }
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
    const { occupants, told, names } = open()
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
    const occupants = createOccupants(idOf('me'), () => {})
    occupants.change('join', [idOf('me')])
    expect(occupants.list()).toMatchObject([{ isThisBrowser: true, sessionId: undefined }])
  })
})
