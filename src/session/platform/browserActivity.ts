// Listens to the user's hands: in the page, and in its frames of the same origin.

/** Not scrolling. Text may come without keys: dictation, an on-screen keyboard. */
const TYPES = 'pointerdown pointermove keydown beforeinput wheel touchstart touchmove'.split(' ')
const OPTIONS = { capture: true, passive: true }

/** Calls the listener for what the user does, and for nothing that a script does. */
export function listenToActivity(listener: () => void): () => void {
  const hear = (event: Event) => {
    if (event.isTrusted) listener()
  }
  // The window of a frame is another one after each load.
  const hearLoad = ({ target }: Event) => {
    const frame = ownWindow(target as Element)
    if (frame) change(frame, 'addEventListener')
  }
  const change = (view: Window, how: 'addEventListener' | 'removeEventListener') => {
    for (const type of TYPES) view[how](type, hear, OPTIONS)
    view.document[how]('load', hearLoad, OPTIONS)
    for (const element of view.document.querySelectorAll('iframe')) {
      const frame = ownWindow(element)
      if (frame) change(frame, how)
    }
  }
  change(window, 'addEventListener')
  return () => change(window, 'removeEventListener')
}

/** Whether the focus is in a frame of another origin, where nothing can be seen. */
export function isFocusElsewhere(): boolean {
  let { activeElement } = document
  while (activeElement && ownWindow(activeElement)) activeElement = ownDocument(activeElement)!.activeElement
  return document.hasFocus() && activeElement?.localName === 'iframe'
}

/** `null` or `undefined` for a frame of another origin, and for an element that is no frame. */
const ownDocument = (element: Element) => (element as HTMLIFrameElement).contentDocument
const ownWindow = (element: Element) => ownDocument(element)?.defaultView
