// Listens to the user's hands: in the page, and in its frames of the same origin.

/** Not scrolling. Text may come without keys: dictation, an on-screen keyboard. */
const TYPES = 'pointerdown pointermove keydown beforeinput wheel touchstart touchmove'.split(' ')

/** Calls the listener for what the user does, and for nothing that a script does. */
export function listenToActivity(listener: () => void): () => void {
  const end = new AbortController()
  const options = { capture: true, passive: true, signal: end.signal }
  const hear = (event: Event) => {
    if (event.isTrusted) listener()
  }
  // The window of a frame is another one after each load.
  const hearLoad = ({ target }: Event) => listenIn(pageIn(target))
  const listenIn = (page: Document | undefined) => {
    for (const type of TYPES) page?.defaultView?.addEventListener(type, hear, options)
    page?.addEventListener('load', hearLoad, options)
    for (const frame of page?.querySelectorAll('iframe') ?? []) listenIn(pageIn(frame))
  }
  listenIn(document)
  return () => end.abort()
}

/** Whether the focus is in a frame of another origin, where nothing can be seen. */
export function isFocusElsewhere({ activeElement }: Document = document): boolean {
  const inner = pageIn(activeElement)
  return inner ? isFocusElsewhere(inner) : document.hasFocus() && activeElement?.localName === 'iframe'
}

/** Nothing for a frame of another origin, and for an element that is no frame. */
const pageIn = (element: EventTarget | null): Document | undefined =>
  (element as HTMLIFrameElement | null)?.contentDocument ?? undefined
