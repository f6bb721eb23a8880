// The numbers and defaults of latchkey, each with its unit and source. Those that only a running session needs are in sessionConstants.ts.

/** Automatic sign-in at the end of start-up. */
export const DEFAULT_AUTO_LOGIN = true
/** Automatic logout after idle time. */
export const DEFAULT_AUTO_LOGOUT = true
/** Renewal ahead of expiry by a timer. */
export const DEFAULT_AUTO_REFRESH_TOKEN = false
/** One session per user. */
export const DEFAULT_UNIQUE_SESSION = true
/** Whether the server is asked to remember the user. */
export const DEFAULT_REMEMBER_ME = false
/** Idle time before logout, in minutes. */
export const DEFAULT_IDLE_TIMEOUT_IN_MINUTES = 30
/** Time limit of the hidden frame, in seconds. */
export const DEFAULT_IFRAME_TIMEOUT_IN_SECONDS = 60

/** Longest delay of a timer. */
export const LARGEST_TIMER_DELAY_MS = 2_147_483_647
/** Length of the PKCE verifier. */
export const VERIFIER_LENGTH = 64
/** Length of the state key. */
export const STATE_KEY_LENGTH = 6
/** The hidden frame is removed this long after its response. */
export const FRAME_REMOVAL_MS = 2_000
/** A loaded frame must respond within this time, or within the configured time if that is shorter. */
export const FRAME_GRACE_MS = 10_000
/** Failing frames disable silent sign-in in this tab for at most this long. */
export const SILENT_SIGN_IN_OFF_MS = 300_000
/** After a sign-in page gave no response in a hidden frame, this browser skips the frame for this long. */
export const UNANSWERED_FRAME_MS = 604_800_000
/** An early request older than this is discarded. */
export const EARLY_LIFETIME_MS = 25_000
/** Name of the hidden frame. */
export const FRAME_NAME = 'agent-iframe'

/** A sign-in attempt is valid for this long. */
export const ATTEMPT_LIFETIME_MS = 600_000

/** On return from the sign-in page, a tab uses its stored metadata for this long. */
export const METADATA_LIFETIME_MS = 3_600_000
/** Metadata that opens the hidden frame of a later visit is used this long. */
export const REMEMBERED_METADATA_LIFETIME_MS = 86_400_000
/** A code is kept this long while the browser is offline. */
export const CODE_LIFETIME_MS = 60_000

/** Time limit of a call to the authorization server. */
export const CALL_TIMEOUT_MS = 15_000
/** Larger responses are not read to the end: no call has one. */
export const LARGEST_ANSWER_BYTES = 16_777_216
/** Larger error responses are not read to the end: an error contains a quarter of this. */
export const LARGEST_REFUSAL_BYTES = 1_048_576
/** The wait after a 429 without Retry-After. */
export const DEFAULT_RETRY_AFTER_MS = 30_000
/** Longest wait: a longer Retry-After is cut to this. */
export const LARGEST_RETRY_AFTER_MS = 300_000

/** Longer access tokens are refused without decoding. */
export const LARGEST_TOKEN_LENGTH = 65_536
/** A longer token in the URL of the page is left there. */
export const LARGEST_ADDRESS_TOKEN_LENGTH = 16_384
/** How many steps `explain()` keeps. */
export const TIMELINE_LENGTH = 200

/** Longest support access. */
export const LARGEST_SUPPORT_MINUTES = 1_440

/** Toasts shown at once. */
export const LARGEST_TOAST_COUNT = 3
/** A toast hides automatically after this long. */
export const TOAST_DURATION_MS = 5_000
/** Debounce for typing and activity. */
export const DEBOUNCE_MS = 166
/** Longest wait of start-up for a lock of all tabs; then it continues without it, so it takes at most 10 s. */
export const LOCK_WAIT_MS = 9_000

/** A client counts as present this long after its last heartbeat. */
export const DEFAULT_PRESENCE_TIMEOUT_IN_SECONDS = 300
/** Shorter presence timeouts are raised to this. */
export const LEAST_PRESENCE_TIMEOUT_IN_SECONDS = 20
/** Longer presence timeouts are lowered to this, the limit of the service. */
export const LARGEST_PRESENCE_TIMEOUT_IN_SECONDS = 320
/** Time limit of a publish, heartbeat or handshake. */
export const DEFAULT_TRANSACTION_TIMEOUT_MS = 15_000
/** Time limit of a poll. */
export const DEFAULT_SUBSCRIBE_TIMEOUT_MS = 310_000
/** How many messages are remembered to recognise duplicates. */
export const DEFAULT_CACHE_SIZE = 100
/** Retries of a file's message. latchkey sends no files; the value is passed to the SDK. */
export const DEFAULT_FILE_UPLOAD_PUBLISH_RETRY_LIMIT = 5
