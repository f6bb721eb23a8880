// Listens to what the user does in the page's own window. Its frames and further windows: browserElsewhere.ts, which loads later.
import { withLater } from '../laterFile.ts'
import type { Platform } from './platform.ts'

/** Not scrolling. Text may come without keys: dictation, an on-screen keyboard. */
const TYPES = 'pointerdown pointermove keydown beforeinput wheel touchstart touchmove'.split(' ')

/** The start of a page comes first. */
const ELSEWHERE_AFTER_MS = 1_000

/** Calls the listener for what the user does, and for nothing that a script does. */
export function listenToActivity(listener: () => void, timers: Pick<Platform, 'setTimer'>): () => void {
  const end = new AbortController()
  const options = { capture: true, passive: true, signal: end.signal }
  const hear = (event: Event) => {
    if (event.isTrusted) listener()
  }
  const listenIn = (target: EventTarget) => {
    for (const type of TYPES) target.addEventListener(type, hear, options)
  }
  listenIn(window)
  timers.setTimer(() => {
    if (!end.signal.aborted) void withLater(timers, (file) => file.listenElsewhere(listenIn, options))
  }, ELSEWHERE_AFTER_MS)
  return () => end.abort()
}
