// Where `latchkey/early` leaves what it has done before the app's files arrived.
import type { Early } from './platform.ts'

export const EARLY: unique symbol = Symbol.for('latchkey.early') as never

export const early = (): Early | undefined => (globalThis as { [EARLY]?: Early })[EARLY]
