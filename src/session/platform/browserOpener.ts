// The part of the browser that a popup reaches its opener through; loads with the first window.

/** Notifies the page that has opened this window, and no other page that may be there meanwhile. */
export const tellBrowserOpener = (message: unknown): void =>
  (globalThis.opener as Window | null | undefined)?.postMessage(message, location.origin)
