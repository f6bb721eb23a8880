// What scripts of one page share, wherever their code comes from: each copy of latchkey has modules of its own.
import type { Early, SharedByPage } from './platform.ts'

/** Where `latchkey/early` leaves what it has done before the app's files arrived. */
export const EARLY: unique symbol = Symbol.for('latchkey.early') as never

export const early = (): Early | undefined => (globalThis as { [EARLY]?: Early })[EARLY]

/** What the auth objects of the page share. */
const PAGE: unique symbol = Symbol.for('latchkey.page') as never

export const sharedByPage = (): SharedByPage =>
  ((globalThis as { [PAGE]?: SharedByPage })[PAGE] ??= { returns: {}, mounted: new Set() })
