// What the auth objects of a page share, wherever their code comes from: each copy of latchkey has modules of its own.
import type { SharedByPage } from './platform.ts'

const PAGE: unique symbol = Symbol.for('latchkey.page') as never

export const sharedByPage = (): SharedByPage =>
  ((globalThis as { [PAGE]?: SharedByPage })[PAGE] ??= { returns: {}, mounted: new Set() })
