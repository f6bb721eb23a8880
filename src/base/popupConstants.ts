// The numbers of windows; apart, so that they load with the first window.

/** Longest time that a popup is waited for. */
export const POPUP_LIMIT_MS = 600_000
/** How often latchkey checks whether a popup is closed. */
export const POPUP_POLL_MS = 500
/** The server's close page has this long to clean up before the window is closed. */
export const POPUP_CLOSE_WAIT_MS = 2_000
/** A window that seems closed this soon may only be disconnected by its Cross-Origin-Opener-Policy. */
export const POPUP_GRACE_MS = 3_000
