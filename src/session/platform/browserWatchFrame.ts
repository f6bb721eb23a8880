// The part of the browser that notices when other code takes a frame out of the page; loads with real time.

/** Calls back once when the frame of that name is removed; returns the end of the watch. */
export function watchBrowserFrame(name: string, listen: () => void): () => void {
  const frame = globalThis.document?.querySelector<HTMLIFrameElement>(`iframe[name="${name}"]`)
  if (!frame) return () => {}
  const { contentWindow } = frame
  const observer = new MutationObserver(() => {
    // A frame that was only moved has a new window.
    if (frame.contentWindow === contentWindow) return
    observer.disconnect()
    listen()
  })
  // An ancestor may be replaced as well.
  for (let place: Node | null = frame.parentNode; place; place = place.parentNode)
    observer.observe(place, { childList: true })
  return () => observer.disconnect()
}
