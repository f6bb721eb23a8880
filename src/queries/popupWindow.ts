// Follows the window of one popup from the click that opens it to a certain end: answered, closed, given up or too late.
import { POPUP_CLOSE_WAIT_MS } from '../base/popupConstants.ts'
import type { Settings } from '../protocol/config.ts'
import { createStateKey } from '../protocol/pkce.ts'
import { BLANK, closeUrl, isCloseMessage, type PopupPage } from '../protocol/popups.ts'
import { popupName } from '../protocol/storageKeys.ts'
import { loadLater } from '../session/laterFile.ts'
import { openWindow } from '../session/platform/browserPopup.ts'
import type { Platform } from '../session/platform/platform.ts'

/** How a popup ended, and whether its window first goes to the server's page that ends what it has half done, and says closeMe. */
const ENDS = {
  /** Its page said so. */
  answered: false,
  /** The server has what was asked for. */
  changed: true,
  /** The user said so. */
  done: true,
  /** The window is gone. */
  closed: false,
  /** The user or a newer popup ended it. */
  cancelled: true,
  /** The limit is over. */
  late: true,
  /** The session has ended. */
  'signed-out': false,
  /** The app is gone from the page. */
  left: false,
}

export type PopupEnd = keyof typeof ENDS

export type Popup = NonNullable<ReturnType<typeof openPopup>>

const CUT_OFF =
  'A window cannot be watched: Cross-Origin-Opener-Policy, of this page or of the server, cuts it off. ' +
  'Send same-origin-allow-popups here, and no such header with the pages of the server.'

/**
 * Call it inside the user's click. `undefined`: the browser blocked the window.
 *
 * @param hasChanged asks the server whether it has what the popup is for
 */
export function openPopup({
  platform,
  settings,
  page,
  url,
  hasChanged,
}: {
  platform: Platform
  settings: Pick<Settings, 'authHost' | 'clientId'>
  page: PopupPage
  /** On `BLANK` it waits until `navigate`. */
  url: string
  hasChanged(): Promise<boolean>
}) {
  const openedAtMs = platform.monotonicNow()
  /** `undefined`: it waits on its blank page. */
  let sentAtMs = url === BLANK ? undefined : openedAtMs
  /** Aborted when its end is decided. */
  const ending = new AbortController()
  const { signal } = ending
  let onClosePage: (() => void) | undefined
  let isAsking = false
  // Promise.withResolvers is newer than the browsers that are served.
  let resolve!: (how: PopupEnd) => void
  let reject!: (error: unknown) => void
  const ended = new Promise<PopupEnd>((...settlers) => {
    ;[resolve, reject] = settlers
  })

  const port = openWindow(platform, {
    // Another name for each, so that a new popup does not reuse one that still shows the close page.
    name: popupName(settings, page, createStateKey(platform.crypto)),
    url,
    // A server may lie below a path.
    origin: new URL(settings.authHost).origin,
    listen: (data) => void (sentAtMs !== undefined && isCloseMessage(data) && end('answered')),
  })
  if (!port) {
    platform.tell?.('The browser blocked a window: open it in the click itself, before any await.')
    return undefined
  }

  const settle = (how: () => void, hasClosePage: boolean) => {
    if (signal.aborted) {
      // The close page has said closeMe, or the user signs out: the page is waited for no longer.
      if (!hasClosePage) onClosePage?.()
      return
    }
    ending.abort()
    let cancelWait = () => {}
    const close = () => {
      cancelWait()
      onClosePage = undefined
      port.close()
      how()
    }
    if (!hasClosePage || sentAtMs === undefined || port.isClosed) return close()
    onClosePage = close
    cancelWait = platform.setTimer(close, POPUP_CLOSE_WAIT_MS)
    port.navigate(closeUrl(settings))
  }
  const end = (how: PopupEnd) => settle(() => resolve(how), ENDS[how])
  const fail = (error: unknown) => settle(() => reject(error), false)
  /** The user is back on the page: the window is done with, or the server may have news. */
  const look = () => {
    if (port.isClosed) return end('closed')
    if (isAsking || sentAtMs === undefined) return
    isAsking = true
    hasChanged()
      .then((isChanged) => isChanged && end('changed'))
      .catch(() => {})
      .finally(() => {
        isAsking = false
      })
  }
  // While the file loads, the user is in the window.
  loadLater(platform)
    .then((file) =>
      file.watchWindow({
        platform,
        port,
        openedAtMs,
        sentAtMs: () => sentAtMs,
        signal,
        onClosed: () => end('closed'),
        onLate: () => end('late'),
        onCutOff: () => platform.tell?.(CUT_OFF),
        onBack: look,
      }),
    )
    .catch(fail)

  return {
    /** How it ended; the window is closed by then. Rejects only with what `fail` was given. */
    ended,
    /** Aborted when its end is decided; the window may still be on the server's close page. */
    ending: signal,
    /** Sends the window on from its blank page. */
    navigate(address: string) {
      if (signal.aborted) return
      sentAtMs = platform.monotonicNow()
      port.navigate(address)
    },
    focus: () => port.focus(),
    end,
    fail,
  }
}
