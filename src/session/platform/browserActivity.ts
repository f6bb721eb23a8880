// Listens to the user's hands: in the page, in its frames of the same origin, and in windows of that origin that it opens.

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
  // Nothing but `open` tells which windows there are. One that has loaded another page is listened to as the focus leaves this one.
  const windows = new Set<Window>()
  const { open } = globalThis
  const openAndListen: typeof open = (...given) => {
    const opened = open(...given)
    if (opened) windows.add(opened)
    return opened
  }
  globalThis.open = openAndListen
  const hearBlur = () => {
    for (const opened of windows)
      if (opened.closed) windows.delete(opened)
      else listenIn(pageOf(opened))
  }
  addEventListener('blur', hearBlur, options)
  return () => {
    end.abort()
    if (globalThis.open === openAndListen) globalThis.open = open
  }
}

/** Nothing for a window at another origin. */
function pageOf(opened: Window): Document | undefined {
  try {
    return opened.document
  } catch {
    return undefined
  }
}

/** Whether the focus is in a frame of another origin, where nothing can be seen. */
export function isFocusElsewhere({ activeElement }: Document = document): boolean {
  const inner = pageIn(activeElement)
  return inner ? isFocusElsewhere(inner) : document.hasFocus() && activeElement?.localName === 'iframe'
}

/** Nothing for a frame of another origin, and for an element that is no frame. */
const pageIn = (element: EventTarget | null): Document | undefined =>
  (element as HTMLIFrameElement | null)?.contentDocument ?? undefined
