// The numbers of a running session, with their units and sources (spec §9).

/** Renew this long before the access token expires (spec §9 "Refresh margin"). */
export const RENEW_MARGIN_MS = 30_000
/** Waits between renewals that failed for want of the network or the server; the last one repeats. */
export const RENEWAL_BACK_OFF_MS: readonly number[] = [1_000, 2_000, 5_000, 10_000, 30_000]
/** Waits before a start-up that failed is repeated by itself; the last one repeats (contract §2 "failed"). */
export const START_UP_WAITS_MS: readonly number[] = [2_000, 5_000, 15_000, 30_000, 60_000]
/** Automatic navigations allowed within the window (contract §5 "redirect-loop counter"). */
export const LARGEST_NAVIGATION_COUNT = 3
/** The window in which automatic navigations are counted. */
export const NAVIGATION_WINDOW_MS = 60_000
/** Sign-in attempts kept at once (contract §5). */
export const LARGEST_ATTEMPT_COUNT = 5
/** `beforeLogout` is awaited at most this long (contract §8). */
export const HOOK_TIMEOUT_MS = 5_000
/** A new tab waits this long for its siblings' answer (measured: 100 ms is tight under load). */
export const SIBLING_WAIT_MS = 500
/** A tab that was not asked by name answers for the one that was after this long. */
export const SUCCESSOR_WAIT_MS = 150
/** A storage that answers later than this counts as one that the browser does not have. */
export const STORAGE_WAIT_MS = 1_000
/** A key for a question to the other tabs, and the opening of their answer, are waited for this long. */
export const CRYPTO_WAIT_MS = 1_000
/** The redirections file is read up to this size. */
export const LARGEST_REDIRECTIONS_BYTES = 262_144
/** The redirections file is waited for this long. */
export const REDIRECTIONS_TIMEOUT_MS = 5_000
/** The countdown before the idle logout. */
export const IDLE_WARNING_MS = 60_000

/** The last instant that a `Date` can show; a later one would throw where it is formatted. */
export const LARGEST_INSTANT_MS = 8_640_000_000_000_000

/** So many failures in a row and the client is built anew: some of its states never recover. */
export const FAILURES_PER_CLIENT = 4
/** An own message that does not come back within this time shows a line that only seems open. */
export const ECHO_MS = 10_000
/** A line without any word for this long is checked: no fault of the SDK stays unseen for ever. */
export const QUIET_MS = 900_000
export const DRIFT_CHECK_MS = 30_000
/** The page slept, or was hidden, for so long that the poll may be dead. */
export const AWAY_MS = 60_000
