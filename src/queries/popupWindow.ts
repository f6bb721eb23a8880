// Follows the window of one popup from the click that opens it to a certain end: answered, closed, given up or too late.
import { POPUP_CLOSE_WAIT_MS } from '../base/popupConstants.ts'
import type { Settings } from '../protocol/config.ts'
import { createStateKey } from '../protocol/pkce.ts'
import { BLANK, closeUrl, isCloseMessage, type PopupPage } from '../protocol/popups.ts'
import { popupName } from '../protocol/storageKeys.ts'
import { loadLater } from '../session/laterFile.ts'
import { openWindow } from '../session/platform/browserPopup.ts'
import type { Platform } from '../session/platform/platform.ts'

/** How a popup ended, and whether its window first goes to /oauth/close, which ends unfinished work and posts closeMe. */
const ENDS = {
  /** Its page posted closeMe. */
  answered: false,
  /** The server has made the change. */
  changed: true,
  /** The user clicked "done" in the app. */
  done: true,
  /** The window was closed. */
  closed: false,
  /** The user or a newer popup ended it. */
  cancelled: true,
  /** The time limit has passed. */
  late: true,
  /** The session has ended. */
  'signed-out': false,
  /** The app was unmounted, or the page is being left. */
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
 * @param hasChanged asks the server whether the popup has had its effect
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
  /** `BLANK` until `navigate` is called. */
  url: string
  hasChanged(): Promise<boolean>
}) {
  const openedAtMs = platform.monotonicNow()
  /** `undefined` while the blank page is shown. */
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
      // The close page has posted closeMe, or the user signs out: do not wait for the page.
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
  /** The user is back on the page: the window may be closed, or the change made. */
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
