// The numbers of a running session, with their units and sources.
import { CALL_TIMEOUT_MS, LARGEST_TIMER_DELAY_MS } from './constants.ts'

/** Renew this long before the access token expires. The docs, the comments of options and many tests repeat it as a number. */
export const RENEW_MARGIN_MS = 30_000
/** A token with a shorter life is renewed after half of it: otherwise every call would renew it. */
export const renewMarginMs = (lifeMs: number | undefined): number =>
  Math.min(RENEW_MARGIN_MS, (lifeMs ?? Infinity) / 2)
/** The machine has slept if the wall clock is ahead of the monotonic clock by more than this. */
export const SLEEP_MS = 30_000
/** Waits between renewals that failed because of the network or the server. The last one repeats. */
export const RENEWAL_BACK_OFF_MS: readonly number[] = [1_000, 2_000, 5_000, 10_000, 30_000]
/** Waits before a failed start-up is repeated automatically. The last one repeats. */
export const START_UP_WAITS_MS: readonly number[] = [2_000, 5_000, 15_000, 30_000, 60_000]
export const waitAfter = (waitsMs: readonly number[], count: number): number =>
  waitsMs[Math.min(count, waitsMs.length - 1)]!
/** Automatic navigations allowed within the window. */
export const LARGEST_NAVIGATION_COUNT = 3
/** The window in which automatic navigations are counted. */
export const NAVIGATION_WINDOW_MS = 60_000
/** Sign-in attempts kept at once. */
export const LARGEST_ATTEMPT_COUNT = 5
/** Longest wait for `beforeLogout`. */
export const HOOK_TIMEOUT_MS = 5_000
/** A session ends within two waits: for the hooks of every tab, and for its caches. */
export const LONGEST_END_MS: number = 2 * HOOK_TIMEOUT_MS
/** A new tab waits this long for the response of the other tabs (measured: 100 ms is tight under load). */
export const SIBLING_WAIT_MS = 500
/** A storage that takes longer counts as missing. */
export const STORAGE_WAIT_MS = 1_000
/** Longest wait for making a key for a request to the other tabs, and for decrypting their response. */
export const CRYPTO_WAIT_MS = 1_000
/** Longest wait for making a key, a hash or a proof that a sign-in cannot do without. */
export const PROOF_WAIT_MS = 5_000
/** Longest wait for a file of latchkey. */
export const FILE_WAIT_MS: number = CALL_TIMEOUT_MS
/** Longest wait for the time by the app's own server. */
export const OWN_ORIGIN_WAIT_MS = 5_000
/** A token response is read once, again with new metadata, and again with the time of the app's own server. */
const LONGEST_READING_MS = CALL_TIMEOUT_MS + OWN_ORIGIN_WAIT_MS + 3 * PROOF_WAIT_MS
/** Longest renewal of one tab, without the hidden frame: tab messages, metadata, refresh token, and the frame's code. */
const LONGEST_TURN_MS =
  4 * STORAGE_WAIT_MS +
  2 * (2 * CRYPTO_WAIT_MS + SIBLING_WAIT_MS) +
  Math.max(CALL_TIMEOUT_MS, FILE_WAIT_MS) +
  (CALL_TIMEOUT_MS + LONGEST_READING_MS) +
  (PROOF_WAIT_MS + CALL_TIMEOUT_MS + CALL_TIMEOUT_MS + LONGEST_READING_MS)
/** How long a tab waits for the renewal of another: longer than it can take, because a refresh token in flight is never sent again. */
export const longestRenewalMs = (frameLimitMs: number): number =>
  Math.min(LONGEST_TURN_MS + frameLimitMs + CALL_TIMEOUT_MS, LARGEST_TIMER_DELAY_MS)
/** Longest wait for the request that asks whether the server is there. */
export const PROBE_LIMIT_MS = 5_000
/** A hidden frame under way when the browser loses the network has this much time left. */
export const OFFLINE_FRAME_MS = 3_000
/** The countdown before the idle logout, and before the end that the provider has named. */
export const IDLE_WARNING_MS = 60_000
/** The next check of an end in `leftMs`: at the start of the last minute, then every second. */
export const untilNextLookMs = (leftMs: number): number =>
  leftMs > IDLE_WARNING_MS ? leftMs - IDLE_WARNING_MS : Math.min(leftMs, 1000)

/** The last time that a `Date` can hold. Formatting a later one would throw. */
export const LARGEST_INSTANT_MS = 8_640_000_000_000_000

/** After this many failures in a row the SDK client is rebuilt, because some of its states never recover. */
export const FAILURES_PER_CLIENT = 4
/** An own message that does not come back within this time means that the connection is dead. */
export const ECHO_MS = 10_000
/** A connection without any message for this long is checked, in case the SDK missed a failure. */
export const QUIET_MS = 900_000
/** How often the clocks are compared, to notice that the machine slept. */
export const DRIFT_CHECK_MS = 30_000
/** After the page slept or was hidden for this long, the poll may be dead. */
export const AWAY_MS = 60_000
/** `checkSessionOnWake`: the server is asked at most this often. */
export const SESSION_CHECK_INTERVAL_MS = 300_000
