// What follows from every outcome of a renewal that brought no tokens, for every combination of facts.
import { describe, expect, it } from 'vitest'
import { type FrameFailure, judgeRenewal, type RefreshFailure } from '../../../src/protocol/renewalOutcome.ts'

const REFRESH: RefreshFailure[] = ['none', 'refused', 'unreadable', 'away']
const FRAME: FrameFailure[] = [
  ...(['not asked', 'another user', 'nobody', 'mute', 'known to be mute', 'kept out', 'away'] as const),
]
const BOTH = [false, true]

const cells = (isTokenOver: boolean) =>
  REFRESH.flatMap((refresh) =>
    FRAME.flatMap((frame) =>
      BOTH.flatMap((doFramesWork) =>
        BOTH.map((wasUnreadable) => {
          const facts = { isTokenOver, doFramesWork, wasUnreadable }
          return { refresh, frame, ...facts, verdict: judgeRenewal(refresh, frame, facts) }
        }),
      ),
    ),
  )

describe('a session whose token lives', () => {
  it('ends only where another user is there and the refresh token is refused, or a frame that works says nobody', () => {
    const ended = cells(false).filter(({ verdict }) => verdict === 'end')
    expect(
      ended.every(
        ({ refresh, frame, doFramesWork }) =>
          (refresh === 'refused' && frame === 'another user') ||
          (['refused', 'none'].includes(refresh) && frame === 'nobody' && doFramesWork),
      ),
    ).toBe(true)
    expect(ended).toHaveLength(8)
  })

  it('ends with its token only where nothing is left to try', () => {
    const planned = cells(false).filter(({ verdict }) => verdict === 'end with the token')
    expect(new Set(planned.map(({ refresh, frame }) => `${refresh}, ${frame}`))).toEqual(
      new Set([
        'none, another user',
        'none, nobody',
        'none, kept out',
        'refused, nobody',
        'refused, mute',
        'refused, known to be mute',
        'refused, kept out',
      ]),
    )
  })
})

describe('a session whose token has expired', () => {
  it('never waits for an end that has come', () => {
    expect(cells(true).map(({ verdict }) => verdict)).not.toContain('end with the token')
  })

  it('goes on while the server is away, was not asked, or its first response could not be read', () => {
    const isOpen = ({ refresh, frame, wasUnreadable }: ReturnType<typeof cells>[number]) =>
      refresh === 'away' ||
      frame === 'away' ||
      frame === 'not asked' ||
      (refresh === 'unreadable' && (!wasUnreadable || ['mute', 'kept out'].includes(frame))) ||
      (refresh === 'none' && frame === 'mute')
    for (const cell of cells(true))
      expect([cell, cell.verdict]).toEqual([cell, isOpen(cell) ? 'again' : 'end'])
  })
})
