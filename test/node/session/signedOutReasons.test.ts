// What follows from each reason for which nobody is signed in: a reason without a row does not compile.
import { describe, expect, expectTypeOf, it } from 'vitest'
import { parseEndReason, REASONS, type SignedOutReason } from '../../../src/protocol/signedOutReasons.ts'

type Rows = Record<SignedOutReason, object>

describe('the reasons', () => {
  it('have one row each: one without a row does not compile', () => {
    expectTypeOf<keyof typeof REASONS>().toEqualTypeOf<SignedOutReason>()
    const { expired: _, ...others } = REASONS
    // @ts-expect-error a reason has no row
    expect(Object.keys(others satisfies Rows)).toHaveLength(5)
    // @ts-expect-error neither has a new one
    expect(Object.keys(REASONS satisfies Record<SignedOutReason | 'revoked', object>)).toHaveLength(6)
  })

  it('are read from a storage or another tab where a session has ended for them, and not otherwise', () => {
    const ends = ['signed-out', 'idle', 'session-clash', 'expired']
    const all = ['none', ...ends, 'cancelled', 'toString', ['idle'], 1, null]
    expect(all.filter((value) => parseEndReason(value) === value)).toEqual(ends)
    expect(all.flatMap((value) => parseEndReason(value) ?? [])).toEqual(ends)
  })

  it('leave nothing on a disk, and are owed to the server, where somebody has ended the session', () => {
    const of = (column: 'isOwed' | 'clearsDisk') =>
      Object.entries(REASONS).flatMap(([reason, row]) => (row[column] ? [reason] : []))
    expect(of('isOwed')).toEqual(['signed-out', 'idle', 'session-clash'])
    expect(of('clearsDisk')).toEqual(of('isOwed'))
  })
})
