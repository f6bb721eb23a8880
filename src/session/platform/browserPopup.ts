// Opens popups inside the user's click, and closes one that the page leaves blank.
import { BLANK } from '../../protocol/popups.ts'
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

export type OpenedPopup = NonNullable<ReturnType<typeof openWindow>>

/** `undefined` when it was blocked. `listen` receives no message of a blank page. */
export function openWindow(
  { openPopup = openBrowserPopup, monotonicNow, on }: Pick<Platform, 'openPopup' | 'monotonicNow' | 'on'>,
  options: Parameters<OpenPopup>[0],
) {
  const sentAt = (url: string) => (url === BLANK ? undefined : monotonicNow())
  let sentAtMs = sentAt(options.url)
  const listen = (data: unknown) => void (sentAtMs !== undefined && options.listen(data))
  let port: PopupPort | undefined
  try {
    port = openPopup({ ...options, listen })
  } catch {
    // Blocked by a sandbox or an extension.
  }
  if (!port) return undefined
  const { navigate, close } = port
  // Some blockers return a window that is already closed; remove its listener.
  if (port.isClosed) {
    close()
    return undefined
  }
  const stop = on('pagehide', () => void (sentAtMs === undefined && close()))
  return {
    port,
    /** When it left for a page of the server, by the monotonic clock; `undefined`: it is blank. */
    sentAtMs: () => sentAtMs,
    navigate(url: string) {
      sentAtMs = sentAt(url)
      navigate(url)
    },
    close() {
      stop()
      close()
    },
  }
}
