// The editor's limits, with the unit in each name.

/** Pause in typing before the text is checked. */
export const CHECK_DEBOUNCE_MS = 166
/** Spaces per level of indentation. */
export const TAB_SIZE = 2
/** Longer texts are "large": `onChange` comes after a pause instead of with every key. */
export const LARGE_LENGTH = 500_000
/** Longer texts are "huge": colours, folding, wrapping and completion are off, with a note. */
export const HUGE_LENGTH = 5_000_000
/** Work that takes longer shows its progress. */
export const PROGRESS_AFTER_MS = 300
/** If the worker has not started by then, the page does what it can itself. */
export const WORKER_START_LIMIT_MS = 5_000
/** A check that takes longer ends with "too large to check": 100 MB take a slow laptop half of it. */
export const CHECK_LIMIT_MS = 30_000
/** Longer texts are not checked; they can still be edited, saved and downloaded. */
export const CHECK_LIMIT_LENGTH = 100_000_000
/** Texts up to this length, without a schema, are checked in the page: a worker's round trip would take longer. */
export const IN_PLACE_LENGTH = 50_000
/** The longest text that the page checks if no worker is available. */
export const NO_WORKER_LENGTH = 5_000_000
/** The largest file that can be opened or dropped. */
export const OPEN_LIMIT_BYTES = 200_000_000
/** The longest result of an action: indenting a million levels would exhaust the memory. */
export const RESULT_LIMIT_LENGTH = 250_000_000
/** Monaco draws each line up to this column. */
export const DRAWN_COLUMNS = 10_000
/** The scanner stops after this many faults. */
export const MAX_FAULTS = 100
/** At most this many schema faults are listed; all are counted. */
export const MAX_SCHEMA_FAULTS = 1_000
/** Longer texts are not checked against the schema: each check parses the whole value into memory. */
export const SCHEMA_LIMIT_LENGTH = 20_000_000
/** Time limit of a schema check while typing; above 500,000 characters it is that of any check. */
export const SCHEMA_LIMIT_MS = 2_000
/** Time limit of a schema check in a page without workers, which is blocked meanwhile. */
export const IN_PAGE_SCHEMA_MS = 300
/** A newer text ends a schema check that has run longer: the next one starts at once, in a new worker. */
export const OUTDATED_AFTER_MS = 300
/** In a page without workers a pattern that may need more steps is skipped. */
export const MAX_PATTERN_STEPS = 1e8
