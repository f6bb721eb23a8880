// The part of the browser that opens popups.
import type { OpenPopup, Platform, PopupPort } from './platform.ts'

const openBrowserPopup: OpenPopup = ({ name, url, origin, listen }) => {
  const left = Math.max(0, screenX + (outerWidth - 520) / 2)
  const popup = window.open(url, name, `popup,width=520,height=680,left=${left},top=${screenY + 60}`)
  if (!popup) return undefined
  const onMessage = (event: MessageEvent) => {
    if (event.origin === origin && event.source === popup) listen(event.data)
  }
  addEventListener('message', onMessage)
  return {
    get isClosed() {
      return popup.closed
    },
    get isPageInFront() {
      return document.hasFocus()
    },
    isPageInFrame: parent !== window,
    navigate: (address: string) => popup.location.replace(address),
    focus: () => popup.focus(),
    close() {
      removeEventListener('message', onMessage)
      popup.close()
    },
  }
}

/** Opens a window inside the user's click; `undefined` when it was blocked. */
export function openWindow(
  { openPopup = openBrowserPopup }: Pick<Platform, 'openPopup'>,
  options: Parameters<OpenPopup>[0],
): PopupPort | undefined {
  try {
    const port = openPopup(options)
    if (!port?.isClosed) return port
    // Some blockers return a window that is already closed; remove its listener.
    port.close()
  } catch {
    // Blocked by a sandbox or an extension.
  }
  return undefined
}
