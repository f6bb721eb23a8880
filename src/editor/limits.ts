// The numbers of the editor, unit in the name: how large, how long, how many.

/** How long typing must pause before the text is checked. */
export const CHECK_DEBOUNCE_MS = 166
/** Spaces of one step of indentation. */
export const TAB_SIZE = 2
/** Above this a text is "large": `onChange` comes after a pause instead of with every key. */
export const LARGE_LENGTH = 500_000
/** Above this colours, folding, wrapping and the schema are switched off, with a note. */
export const HUGE_LENGTH = 5_000_000
/** Progress is shown for work that takes longer than this. */
export const PROGRESS_AFTER_MS = 300
/** While a worker's file has not come after this long, the page does what it can itself. */
export const WORKER_START_LIMIT_MS = 5_000
/** A check that has no verdict after this long ends with "too large to check": 100 MB take a slow laptop half of it. */
export const CHECK_LIMIT_MS = 30_000
/** Longer texts are not checked at all; they can still be edited, saved and downloaded. */
export const CHECK_LIMIT_LENGTH = 100_000_000
/** Texts up to this length are checked in place, unless by a schema: a worker's round trip would take longer than the check. */
export const IN_PLACE_LENGTH = 50_000
/** The most that is checked in place when no worker can be had. */
export const NO_WORKER_LENGTH = 5_000_000
/** The largest file that can be opened or dropped. */
export const OPEN_LIMIT_BYTES = 200_000_000
/** The longest result an action may produce: indenting a million levels would not fit any memory. */
export const RESULT_LIMIT_LENGTH = 250_000_000
/** The full editor draws so many characters of a line and no more. */
export const DRAWN_COLUMNS = 10_000
/** The most faults the scanner reports before it stops. */
export const MOST_FAULTS = 100
/** The most faults of a schema that are listed; all are counted. */
export const MOST_SCHEMA_FAULTS = 1_000
/** Longer texts are not judged by a schema: the whole value has to be held for it, and each check makes it anew. */
export const SCHEMA_LIMIT_LENGTH = 20_000_000
/** A schema has so long with a text that is being typed; with one of more than 500,000 characters as long as any check. */
export const SCHEMA_LIMIT_MS = 2_000
/** In a page without workers a schema has so long: the page stands still meanwhile. */
export const IN_PAGE_JUDGING_MS = 300
/** A newer text ends a judgement that has taken longer: the next one begins at once, in a new worker. */
export const OUTDATED_AFTER_MS = 300
