// What a page finds as it opens: what scripts of it share, each copy of latchkey with modules of its own, and what the page before has left in the tab's name.
import { NAME_OF_KEYS } from '../../protocol/storageKeys.ts'
import { windowName } from './browserFrame.ts'
import type { Early, SharedByPage } from './platform.ts'

/** Where `latchkey/early` leaves what it has done before the app's files arrived. */
export const EARLY: unique symbol = Symbol.for('latchkey.early') as never

export const early = (): Early | undefined => (globalThis as { [EARLY]?: Early })[EARLY]

/** What the auth objects of the page share. */
const PAGE: unique symbol = Symbol.for('latchkey.page') as never

export const sharedByPage = (): SharedByPage =>
  ((globalThis as { [PAGE]?: SharedByPage })[PAGE] ??= { returns: {}, mounted: new Set() })

/** Moves the keys out of the name as the page opens: no later script reads them there. Frames and windows have a name of their own. */
export function emptyTabName(left: Early): void {
  const { name } = window
  if (windowName() || !name.startsWith(NAME_OF_KEYS)) return
  left.name = name
  window.name = ''
}

export function takeTabName(): string {
  const left = early() ?? {}
  emptyTabName(left)
  if (left.name) (globalThis as { [EARLY]?: Early })[EARLY] = left
  // Another auth object of this page, also of another copy of latchkey, starts in the same task.
  setTimeout(() => delete left.name)
  return (isFromHere() && left.name) || ''
}

/**
 * The page before was of this origin, and no other site was asked in between: a provider's logout page may have redirected. Only then
 * the browser gives the time of an unload; the referrer and `navigation.activation` do not show such a redirect. After a page that lies
 * in the bfcache it gives none either.
 */
function isFromHere(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return visit !== undefined && visit.unloadEventEnd > 0
}
