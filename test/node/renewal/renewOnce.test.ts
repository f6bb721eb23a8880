// What a tab does to get new tokens when it holds the lock: every combination of what it may know.
import { describe, expect, it } from 'vitest'
import { planRenewal } from '../../../src/session/tabs/renewOnce.ts'

const OWN = 5
type Agreed = Parameters<typeof planRenewal>[1]
const agreed = (generation: number, isPending = false): Agreed => ({ generation, isPending })

describe('a tab that has the 5th tokens', () => {
  it.each<[string, Agreed, boolean, ReturnType<typeof planRenewal>]>([
    ['alone, nothing is shared', undefined, false, { askFor: undefined, otherwise: 'refresh' }],
    ['alone, nobody has renewed', agreed(5), false, { askFor: undefined, otherwise: 'refresh' }],
    ['alone, the record was emptied', agreed(0), false, { askFor: undefined, otherwise: 'refresh' }],
    ['alone, a tab that is gone renewed', agreed(6), false, { askFor: undefined, otherwise: 'frame' }],
    ['alone, a tab died while it renewed', agreed(5, true), false, { askFor: undefined, otherwise: 'frame' }],
    ['alone, both', agreed(6, true), false, { askFor: undefined, otherwise: 'frame' }],
    ['alone, emptied and died', agreed(0, true), false, { askFor: undefined, otherwise: 'frame' }],
    ['with others, nothing is shared', undefined, true, { askFor: 6, otherwise: 'refresh' }],
    ['with others, nobody has renewed', agreed(5), true, { askFor: undefined, otherwise: 'refresh' }],
    ['with others, the record was emptied', agreed(0), true, { askFor: undefined, otherwise: 'refresh' }],
    ['with others, another tab renewed', agreed(6), true, { askFor: 6, otherwise: 'frame' }],
    ['with others, renewed twice', agreed(7), true, { askFor: 7, otherwise: 'frame' }],
    [
      'with others, one died while it renewed',
      agreed(5, true),
      true,
      { askFor: undefined, otherwise: 'frame' },
    ],
    ['with others, renewed and died', agreed(6, true), true, { askFor: 6, otherwise: 'frame' }],
    ['with others, emptied and died', agreed(0, true), true, { askFor: undefined, otherwise: 'frame' }],
  ])('%s', (_what, known, hasSiblings, plan) => {
    expect(planRenewal(OWN, known, hasSiblings)).toEqual(plan)
  })
})
