// The numbers of the editor that count from the first key on, unit in the name. An island keeps its own copy of the product's.

/** How long typing must pause before the text is checked. */
export const CHECK_DEBOUNCE_MS = 166
/** Spaces of one step of indentation. */
export const TAB_SIZE = 2
/** Above this a text is "large": `onChange` comes after a pause instead of with every key. */
export const LARGE_LENGTH = 500_000
/** Above this colours, folding, wrapping and the schema are switched off, with a note. */
export const HUGE_LENGTH = 5_000_000
