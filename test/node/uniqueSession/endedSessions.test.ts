// Whose goodbye still counts: it may come late or twice, and the same session may begin again.
import { expect, it } from 'vitest'
import { type EndedSession, hasJustEnded, noteEnded } from '../../../src/protocol/uniqueSession.ts'
import { REALTIME_CACHE_SIZE } from '../../../src/protocol/presence.ts'

const note = (...pairs: readonly (readonly [sessionId: string, atMs: number])[]) =>
  pairs.reduce<readonly EndedSession[]>((ended, [sessionId, atMs]) => noteEnded(ended, sessionId, atMs), [])

it('counts for ten seconds, for that session alone', () => {
  const ended = note(['ada', 1000])
  expect([1000, 10_999, 11_000].map((nowMs) => hasJustEnded(ended, 'ada', nowMs))).toEqual([
    true,
    true,
    false,
  ])
  expect(hasJustEnded(ended, 'ben', 1000)).toBe(false)
  expect(hasJustEnded([], 'ada', 1000)).toBe(false)
})

it('counts anew from the last goodbye, which takes the place of the one before', () => {
  const ended = note(['ada', 0], ['ben', 1], ['ada', 9000])
  expect(ended).toEqual([
    { sessionId: 'ben', atMs: 1 },
    { sessionId: 'ada', atMs: 9000 },
  ])
  expect(hasJustEnded(ended, 'ada', 18_000)).toBe(true)
})

it('keeps the newest, as many as messages are kept', () => {
  const names = Array.from({ length: REALTIME_CACHE_SIZE + 5 }, (_, index) => `session ${index}`)
  const ended = note(...names.map((name) => [name, 0] as const))
  expect(ended.map(({ sessionId }) => sessionId)).toEqual(names.slice(5))
})
