// When a tab leaves the hidden frame out: after two failures in a row, or one that is hopeless, for five minutes.
import { expect, it } from 'vitest'
import { SILENT_SIGN_IN_OFF_MS } from '../../../src/base/constants.ts'
import { afterFailure, isSwitchedOff, parseSilentSignIn } from '../../../src/protocol/tabRecords.ts'

const NOW = 1_000_000
const UNTIL = NOW + SILENT_SIGN_IN_OFF_MS

it('is after the second failure in a row, and after a hopeless one at once', () => {
  const once = afterFailure(undefined, NOW, false)
  expect(once).toEqual({ failures: 1, offUntilMs: 0 })
  expect(afterFailure(once, NOW, false)).toEqual({ failures: 2, offUntilMs: UNTIL })
  expect(afterFailure({ failures: 2, offUntilMs: 5 }, NOW, false)).toEqual({ failures: 2, offUntilMs: UNTIL })
  expect(afterFailure(undefined, NOW, true)).toEqual({ failures: 1, offUntilMs: UNTIL })
})

it.each([
  ['that begins', UNTIL, true],
  ['that has a millisecond left', NOW + 1, true],
  ['that is over', NOW, false],
  ['that never was', 0, false],
  ['longer than any, because the clock was set back', UNTIL + 1, false],
])('counts a time %s', (_what, offUntilMs, isOff) => {
  expect(isSwitchedOff({ failures: 2, offUntilMs }, NOW)).toBe(isOff)
})

it.each<[unknown, unknown]>([
  [
    { failures: 1, offUntilMs: 0, more: 7 },
    { failures: 1, offUntilMs: 0 },
  ],
  [{ failures: 0, offUntilMs: 0 }, undefined],
  [{ failures: -1, offUntilMs: 0 }, undefined],
  [{ failures: 1.5, offUntilMs: 0 }, undefined],
  [{ failures: '1', offUntilMs: 0 }, undefined],
  [{ failures: 1, offUntilMs: '0' }, undefined],
  [{ failures: 1, offUntilMs: Infinity }, undefined],
  [{ failures: 1 }, undefined],
  [{ offUntilMs: 0 }, undefined],
  ['x', undefined],
  [null, undefined],
  [undefined, undefined],
])('reads %j as %j', (stored, expected) => {
  expect(parseSilentSignIn(stored)).toEqual(expected)
})
