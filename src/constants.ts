// Every number and default of the product, with its unit in the name and its source beside it (spec §9); those of a running session alone stand in sessionConstants.ts.

/** Automatic sign-in at the end of start-up (spec §9). */
export const DEFAULT_AUTO_LOGIN = true
/** Whether a browser that never had a session is asked for one in the hidden frame, before automatic sign-in. */
export const DEFAULT_VERIFY_FIRST_VISIT = true
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

/** No timer is set for a longer delay (spec §9 "Largest timer delay"). */
export const LARGEST_TIMER_DELAY_MS = 2_147_483_647
/** Length of the proof key's verifier (spec §9). */
export const VERIFIER_LENGTH = 64
/** Length of the state key (spec §9). */
export const STATE_KEY_LENGTH = 6
/** The hidden frame goes this long after its answer (spec §9 "Hidden frame removal"). */
export const FRAME_REMOVAL_MS = 2_000
/** A frame that has loaded has this long to answer, or the configured time if that is shorter (contract §4 "frame"). */
export const FRAME_GRACE_MS = 10_000
/** Frames that fail switch silent sign-in off in this tab, for this long at most (contract §4 "frame"). */
export const SILENT_SIGN_IN_OFF_MS = 300_000
/** What `latchkey/early` has begun is worth this long: what is older is asked for anew. */
export const EARLY_LIFETIME_MS = 25_000
/** Name of the hidden frame (contract §4). */
export const FRAME_NAME = 'agent-iframe'

/** A sign-in attempt is worth this long (contract §4 "answer"). */
export const ATTEMPT_LIFETIME_MS = 600_000
/** A code waits this long for the network to come back. */
export const CODE_LIFETIME_MS = 60_000

/** A call to the authorization server is given up after this long. */
export const CALL_TIMEOUT_MS = 15_000
/** A 429 without Retry-After is obeyed for this long. */
export const DEFAULT_RETRY_AFTER_MS = 30_000
/** A longer Retry-After is cut to this. */
export const LARGEST_RETRY_AFTER_MS = 300_000

/** Access tokens above this length are refused unread. */
export const LARGEST_TOKEN_LENGTH = 65_536
/** A token in an address above this length is left where it is. */
export const LARGEST_ADDRESS_TOKEN_LENGTH = 16_384
/** Steps that `explain()` keeps. */
export const TIMELINE_LENGTH = 200

/** A popup that never answers is given up after this long (threat T10). */
export const POPUP_LIMIT_MS = 600_000
/** How often a popup is looked at. */
export const POPUP_POLL_MS = 500
/** The server's close page has this long to end its own work before the window is closed (contract §4 "popups"). */
export const POPUP_CLOSE_WAIT_MS = 2_000
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
/** The wait for a lock of all tabs; then the work goes on without it: with the word of the other tabs it takes 10 s at most. */
export const LOCK_WAIT_MS = 9_000
