// The name of this tab as a page opens: what the page before has left there, and nobody else can read.
import { NAME_OF_KEYS } from '../../protocol/storageKeys.ts'
import { EARLY } from './browserShared.ts'
import { windowName } from './browserFrame.ts'
import type { Early } from './platform.ts'

/** Moves the keys out of the name as the page opens: no later script reads them there. Frames and windows have a name of their own. */
export function emptyTabName(left: Early): void {
  const { name } = window
  if (windowName() || !name.startsWith(NAME_OF_KEYS)) return
  left.name = name
  window.name = ''
}

export function takeTabName(): string {
  const shared = globalThis as { [EARLY]?: Early }
  const left = shared[EARLY] ?? {}
  emptyTabName(left)
  if (left.name) shared[EARLY] = left
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
