// Activity outside the page's own window: in same-origin frames, and in same-origin windows that it opens; loads later.

type ListenOptions = AddEventListenerOptions & { readonly signal: AbortSignal }

/** Calls `listenIn` for each window but the page's own, again after each load. */
export function listenElsewhere(listenIn: (window: Window) => void, options: ListenOptions): void {
  if (options.signal.aborted) return
  // A frame has a new window after each load.
  const listenInFrames = (page: Document) => {
    page.addEventListener('load', ({ target }) => listenInFrame(target as HTMLIFrameElement), options)
    for (const frame of page.querySelectorAll('iframe')) listenInFrame(frame)
  }
  /** Ignores elements that are no frames, and frames of another origin. */
  const listenInFrame = ({ contentWindow, contentDocument }: HTMLIFrameElement) => {
    if (!contentWindow || !contentDocument) return
    listenIn(contentWindow)
    listenInFrames(contentDocument)
  }
  listenInFrames(document)

  // Only `open` reveals which windows there are.
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
  // When the focus leaves this page: listen again in windows that have loaded another page since.
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

/** Whether the focus is in a frame of another origin. */
export function isFocusElsewhere({ activeElement }: Document = document): boolean {
  const inner = (activeElement as HTMLIFrameElement | null)?.contentDocument
  return inner ? isFocusElsewhere(inner) : document.hasFocus() && activeElement?.localName === 'iframe'
}
