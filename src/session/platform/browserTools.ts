// The part of the browser for the devtools: the clipboard and simulated events.

export interface ToolsPort {
  /** Puts a text on the clipboard; false when the browser does not let it. */
  copy(text: string): Promise<boolean>
  /** Dispatches the event, as the browser does. */
  emit(event: 'online' | 'offline'): void
}

/** The browser's own. Reads no global until it is used. */
export const browserTools: ToolsPort = {
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      return false
    }
  },
  emit: (event) => void dispatchEvent(new Event(event)),
}
