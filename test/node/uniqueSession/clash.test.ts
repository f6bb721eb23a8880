// Why a session ended for another one, as it is kept on the way over the logout page.
import { describe, expect, it } from 'vitest'
import { parseClash, shortAgentName } from '../../../src/protocol/eventHooks.ts'
import { LARGEST_INSTANT_MS } from '../../../src/base/sessionConstants.ts'

describe('a clash that was left behind', () => {
  it.each<[unknown, unknown]>([
    [undefined, undefined],
    [null, undefined],
    ['x', undefined],
    [{}, undefined],
    [{ sinceMs: 0 }, undefined],
    [{ sinceMs: -1 }, undefined],
    [{ sinceMs: Number.POSITIVE_INFINITY }, undefined],
    [{ sinceMs: '5' }, undefined],
    [{ sinceMs: LARGEST_INSTANT_MS }, { sinceMs: LARGEST_INSTANT_MS }],
    [{ sinceMs: LARGEST_INSTANT_MS + 1 }, undefined],
    [{ agentId: '' }, undefined],
    [{ agentId: 'a'.repeat(65) }, undefined],
    [{ sinceMs: 5 }, { sinceMs: 5 }],
    [{ agentId: 'ab-1', more: 1 }, { agentId: 'ab-1' }],
    [{ sinceMs: 5, agentId: 'a b' }, { sinceMs: 5 }],
  ])('as %j is read as %j', (value, clash) => {
    expect(parseClash(value)).toEqual(clash)
  })

  it('names the browser by four letters', () => {
    expect(shortAgentName('c0ffee-babe')).toBe('c0ff')
  })
})

describe('a clash on its way', () => {
  it('began a millisecond after 1970 at the earliest', () => {
    expect(parseClash({ sinceMs: 1 })).toEqual({ sinceMs: 1 })
    expect(parseClash({ sinceMs: 0 })).toBeUndefined()
  })
})
