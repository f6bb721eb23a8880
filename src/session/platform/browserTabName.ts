// The name of this tab, which its next page can read: on no disk, and out of reach of every other tab.
import { NAME_OF_KEYS } from '../../protocol/storageKeys.ts'
import { EARLY } from './browserEarly.ts'
import { windowName } from './browserFrame.ts'
import type { Early, TabName } from './platform.ts'

/** Moves the keys out of the name as the page opens: no later script reads them there. Frames and windows have a name of their own. */
export function emptyTabName(left: Early): void {
  const { name } = window
  if (windowName() || !name.startsWith(NAME_OF_KEYS)) return
  left.name = name
  window.name = ''
}

export const browserTabName: TabName = {
  // A frame belongs to another page, and a window that was opened may be named and read by its opener.
  get: () => (parent === window && !window.opener ? window.name : undefined),
  set(name) {
    window.name = name
  },
  take() {
    const shared = globalThis as { [EARLY]?: Early }
    const left = shared[EARLY] ?? {}
    emptyTabName(left)
    // Another auth object of this page, also of another copy of latchkey, finds it there.
    if (left.name) shared[EARLY] = left
    return (isFromHere() && left.name) || ''
  },
}

/**
 * The page before was of this origin, and no other site was asked in between: by a redirect through its logout page a provider may
 * have signed the user out. The browser gives the time of an unload in this case alone; neither the referrer nor
 * `navigation.activation` shows such a redirect. It gives none, too, where the page before lies in the back/forward cache.
 */
function isFromHere(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return visit !== undefined && visit.unloadEventEnd > 0
}
