// Every limit of a wait beside those that it must be longer or shorter than: one that is changed alone contradicts another.
import { expect, it } from 'vitest'
import * as shared from '../../../src/base/constants.ts'
import * as popups from '../../../src/base/popupConstants.ts'
import * as session from '../../../src/base/sessionConstants.ts'

const renewalMs = session.longestRenewalMs(shared.DEFAULT_IFRAME_TIMEOUT_IN_SECONDS * 1000)

/** From the shortest to the longest, strictly; each row says what breaks where it does not hold. */
const ORDERS: readonly (readonly [broken: string, ...waits: number[]])[] = [
  ['start-up shows nothing for longer than 10 s', shared.LOCK_WAIT_MS + session.SIBLING_WAIT_MS, 10_000],
  [
    'a tab sends a refresh token that another one has under way',
    shared.CALL_TIMEOUT_MS + session.PROOF_WAIT_MS + 4 * session.STORAGE_WAIT_MS,
    2 * shared.CALL_TIMEOUT_MS + shared.DEFAULT_IFRAME_TIMEOUT_IN_SECONDS * 1000,
    renewalMs,
    shared.LARGEST_TIMER_DELAY_MS,
  ],
  ['a renewal in time ends after the token', shared.CALL_TIMEOUT_MS, session.RENEW_MARGIN_MS],
  ['a proof takes longer than its call', session.PROOF_WAIT_MS, shared.CALL_TIMEOUT_MS],
  ['the time takes longer than its call', session.OWN_ORIGIN_WAIT_MS, shared.CALL_TIMEOUT_MS],
  ['a frame is given up before it was slow', shared.FRAME_GRACE_MS, shared.CALL_TIMEOUT_MS],
  ['the first script’s code is too old', shared.EARLY_LIFETIME_MS, shared.CODE_LIFETIME_MS],
  [
    'a sign-in’s record goes before its code',
    shared.CODE_LIFETIME_MS,
    shared.ATTEMPT_LIFETIME_MS,
    shared.METADATA_LIFETIME_MS,
  ],
  ['a tab is not waited for that answers', session.SIBLING_WAIT_MS, session.HOOK_TIMEOUT_MS],
  ['a window is looked at once', popups.POPUP_POLL_MS, popups.POPUP_GRACE_MS, popups.POPUP_LIMIT_MS],
  ['a pause without a time is cut', shared.DEFAULT_RETRY_AFTER_MS, shared.LARGEST_RETRY_AFTER_MS],
  ['a sleep is never noticed', session.DRIFT_CHECK_MS, session.AWAY_MS, session.SESSION_CHECK_INTERVAL_MS],
]

it.each(ORDERS)('else %s', (_broken, ...given) => {
  const waits = given.map(Number)
  expect(waits.every(Number.isFinite)).toBe(true)
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(new Set(waits).size).toBe(waits.length)
})

it('a window’s answer counts as long as the record of a sign-in on the page', () => {
  expect(popups.POPUP_LIMIT_MS).toBe(shared.ATTEMPT_LIFETIME_MS)
})

it.each([0.5, 1, 20, 59, 60, 300, 86_400])('a token that lives for %s s is not due when it comes', (life) => {
  const marginMs = session.renewMarginMs(life * 1000)
  expect(marginMs).toBeLessThan(life * 1000)
  expect(marginMs).toBeLessThanOrEqual(session.RENEW_MARGIN_MS)
})

it.each([1, 10, 60, 3_600])('a frame of %i s lengthens the wait for a turn by as much', (limit) => {
  expect(session.longestRenewalMs(limit * 1000) - session.longestRenewalMs(0)).toBe(limit * 1000)
})
