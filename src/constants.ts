// Every number and default of the product, with its unit in the name and its source beside it (spec §9).

/** Automatic sign-in at the end of start-up (spec §9). */
export const DEFAULT_AUTO_LOGIN = true
/** Automatic logout after idle time (spec §9). */
export const DEFAULT_AUTO_LOGOUT = true
/** Renewal ahead of expiry by a timer (spec §9). */
export const DEFAULT_AUTO_REFRESH_TOKEN = false
/** One session per user (spec §9). */
export const DEFAULT_UNIQUE_SESSION = true
/** Whether the server is asked to remember the user (spec §9). */
export const DEFAULT_REMEMBER_ME = false
/** Idle time before logout, in minutes (spec §9). */
export const DEFAULT_IDLE_TIMEOUT_IN_MINUTES = 30
/** How long the hidden frame may take, in seconds (spec §9 "Iframe timeout default"). */
export const DEFAULT_IFRAME_TIMEOUT_IN_SECONDS = 60

/** Renew this long before the access token expires (spec §9 "Refresh margin"). */
export const RENEW_MARGIN_MS = 30_000
/** No timer is set for a longer delay (spec §9 "Largest timer delay"). */
export const LARGEST_TIMER_DELAY_MS = 2_147_483_647
/** Length of the proof key's verifier (spec §9). */
export const VERIFIER_LENGTH = 64
/** Length of the state key (spec §9). */
export const STATE_KEY_LENGTH = 6
/** The hidden frame goes this long after its answer (spec §9 "Hidden frame removal"). */
export const FRAME_REMOVAL_MS = 2_000
/** A frame that loaded and stays silent this long is taken as refused (contract §4 "frame"). */
export const FRAME_GRACE_MS = 3_000
/** What `latchkey/early` has begun is worth this long: what is older is asked for anew. */
export const EARLY_LIFETIME_MS = 25_000
/** Name of the hidden frame (contract §4). */
export const FRAME_NAME = 'agent-iframe'

/** A sign-in attempt is worth this long (contract §4 "answer"). */
export const ATTEMPT_LIFETIME_MS = 600_000
/** Sign-in attempts kept at once (contract §5). */
export const LARGEST_ATTEMPT_COUNT = 5
/** A code waits this long for the network to come back. */
export const CODE_LIFETIME_MS = 60_000
/** Automatic navigations allowed within the window (contract §5 "redirect-loop counter"). */
export const LARGEST_NAVIGATION_COUNT = 3
/** The window in which automatic navigations are counted. */
export const NAVIGATION_WINDOW_MS = 60_000

/** A call to the authorization server is given up after this long. */
export const CALL_TIMEOUT_MS = 15_000
/** `beforeLogout` is awaited at most this long (contract §8). */
export const HOOK_TIMEOUT_MS = 5_000
/** Waits between renewals that failed for want of the network or the server; the last one repeats. */
export const RENEWAL_BACK_OFF_MS: readonly number[] = [1_000, 2_000, 5_000, 10_000, 30_000]
/** A 429 without Retry-After is obeyed for this long. */
export const DEFAULT_RETRY_AFTER_MS = 30_000
/** A longer Retry-After is cut to this. */
export const LARGEST_RETRY_AFTER_MS = 300_000
/** A new tab waits this long for its siblings' answer (measured: 100 ms is tight under load). */
export const SIBLING_WAIT_MS = 500
/** A tab that was not asked by name answers for the one that was after this long. */
export const SUCCESSOR_WAIT_MS = 150
/** The wait for the lock of all tabs; then the renewal goes on without it. */
export const LOCK_WAIT_MS = 10_000
/** The countdown before the idle logout. */
export const IDLE_WARNING_MS = 60_000

/** Access tokens above this length are refused unread. */
export const LARGEST_TOKEN_LENGTH = 65_536
/** A token in an address above this length is left where it is. */
export const LARGEST_ADDRESS_TOKEN_LENGTH = 16_384
/** The redirections file is read up to this size. */
export const LARGEST_REDIRECTIONS_BYTES = 262_144
/** The redirections file is waited for this long. */
export const REDIRECTIONS_TIMEOUT_MS = 5_000
/** Steps that `explain()` keeps. */
export const TIMELINE_LENGTH = 200

/** A popup that never answers is given up after this long (threat T10). */
export const POPUP_LIMIT_MS = 600_000
/** How often a popup is looked at. */
export const POPUP_POLL_MS = 500
/** So soon after opening, a window that seems closed may only be cut off by its Cross-Origin-Opener-Policy. */
export const POPUP_GRACE_MS = 3_000
/** Longest support access (contract §4 "support"). */
export const LARGEST_SUPPORT_MINUTES = 1_440

/** Toasts shown at once (spec §9). */
export const LARGEST_TOAST_COUNT = 3
/** A toast goes by itself after this long (spec §9 "auto-hide"). */
export const TOAST_DURATION_MS = 5_000
/** Debounce for typing and activity (spec §9). */
export const DEBOUNCE_MS = 166
