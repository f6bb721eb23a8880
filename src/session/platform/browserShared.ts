// What the files of the browser share: state of all copies of latchkey on a page, the keys that the page before has left in the tab's name, the notice that the user stays.
import { NAME_OF_KEYS } from '../../protocol/storageKeys.ts'
import { windowName } from './browserFrame.ts'
import type { Early, SharedByPage } from './platform.ts'

/** The results of `latchkey/early`. */
export const EARLY: unique symbol = Symbol.for('latchkey.early') as never

export const early = (): Early | undefined => (globalThis as { [EARLY]?: Early })[EARLY]

const PAGE: unique symbol = Symbol.for('latchkey.page') as never

export const sharedByPage = (): SharedByPage =>
  ((globalThis as { [PAGE]?: SharedByPage })[PAGE] ??= { returns: {}, mounted: new Set() })

/** Removes the keys from the name as the page opens: no later script reads them there. Frames and popups have names of their own. */
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
 * The page before was of this origin, without a redirect via another site, such as a provider's logout page. Only then does the browser
 * report an unload time; the referrer and `navigation.activation` do not show such a redirect. None after a page in the bfcache, either.
 */
function isFromHere(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return visit !== undefined && visit.unloadEventEnd > 0
}

/** Dispatches `stayed` on the window if the page is not left after all; needs the Navigation API. */
export function tellOfStay(): void {
  const { navigation } = globalThis as { navigation?: EventTarget }
  const onNext = (listen: (event: { signal: AbortSignal }) => void) =>
    navigation?.addEventListener('navigate', listen as never, { once: true })
  onNext(({ signal }) =>
    signal.addEventListener('abort', () => {
      const timer = setTimeout(() => dispatchEvent(new Event('stayed')))
      // A router that changes the URL meanwhile aborts it too, although the page is left.
      onNext(() => clearTimeout(timer))
    }),
  )
}
