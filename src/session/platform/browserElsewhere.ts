// What the user does outside the page's own window: in its frames of the same origin, and in windows of that origin that it opens; loads later.

type ListenOptions = AddEventListenerOptions & { readonly signal: AbortSignal }

/** Has `listenIn` called for each window but the page's own, and anew whenever it has loaded another page. */
export function listenElsewhere(listenIn: (window: Window) => void, options: ListenOptions): void {
  if (options.signal.aborted) return
  // The window of a frame is another one after each load.
  const listenInFrames = (page: Document) => {
    page.addEventListener('load', ({ target }) => listenInFrame(target as HTMLIFrameElement), options)
    for (const frame of page.querySelectorAll('iframe')) listenInFrame(frame)
  }
  /** Nothing happens for an element that is no frame, and for a frame of another origin. */
  const listenInFrame = ({ contentWindow, contentDocument }: HTMLIFrameElement) => {
    if (!contentWindow || !contentDocument) return
    listenIn(contentWindow)
    listenInFrames(contentDocument)
  }
  listenInFrames(document)

  // Nothing but `open` tells which windows there are.
  const windows = new Set<Window>()
  const listenInWindow = (opened: Window) => {
    if (!isReadable(opened)) return
    listenIn(opened)
    listenInFrames(opened.document)
  }
  const { open } = globalThis
  const openAndListen: typeof open = (...given) => {
    const opened = open(...given)
    if (opened && isReadable(opened)) {
      windows.add(opened)
      opened.addEventListener('load', () => listenInWindow(opened), options)
    }
    return opened
  }
  globalThis.open = openAndListen
  // One that has loaded another page since is listened to as the focus leaves this one.
  const listenInWindows = () => {
    for (const opened of windows)
      if (opened.closed) windows.delete(opened)
      else listenInWindow(opened)
  }
  addEventListener('blur', listenInWindows, options)
  options.signal.addEventListener('abort', () => {
    if (globalThis.open === openAndListen) globalThis.open = open
  })
}

/** Not a window at another origin. */
function isReadable(opened: Window): boolean {
  try {
    return opened.document !== undefined
  } catch {
    return false
  }
}

/** Whether the focus is in a frame of another origin, where nothing can be seen. */
export function isFocusElsewhere({ activeElement }: Document = document): boolean {
  const inner = (activeElement as HTMLIFrameElement | null)?.contentDocument
  return inner ? isFocusElsewhere(inner) : document.hasFocus() && activeElement?.localName === 'iframe'
}
