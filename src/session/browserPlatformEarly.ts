// What `latchkey/early` has done before the app's files arrived, and leaves for start-up to take over.
import type { Platform } from './platform.ts'

/** Each goes with the first call that it fits. */
export interface Early {
  /** The whole address, with what was taken out of it. */
  address?: (() => string) | undefined
  /** The hidden frame that is open already. */
  frame?: Platform['takeFrame']
  /** The answer to a request that was sent already. */
  fetch?:
    | ((input: Parameters<typeof fetch>[0], init?: RequestInit) => Promise<Response> | undefined)
    | undefined
}

export const EARLY: unique symbol = Symbol.for('latchkey.early') as never

/** What is left of it. */
export const early = (): Early => (globalThis as { [EARLY]?: Early })[EARLY] ?? {}
