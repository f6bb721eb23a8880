// Follows the window of one popup from the click that opens it to a certain end: answered, closed, given up or too late.
import { POPUP_CLOSE_WAIT_MS } from '../base/popupConstants.ts'
import type { Settings } from '../protocol/config.ts'
import { createStateKey } from '../protocol/pkce.ts'
import { closeUrl, isCloseMessage, type PopupPage } from '../protocol/popups.ts'
import { popupName } from '../protocol/storageKeys.ts'
import { loadLater } from '../session/laterFile.ts'
import { openWindow } from '../session/platform/browserPopup.ts'
import type { Platform } from '../session/platform/platform.ts'
import { endWith } from '../session/signedIn/lifecycle.ts'

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
  /** Its page or what watches it could not be loaded. */
  failed: false,
}

export type PopupEnd = keyof typeof ENDS

export type Popup = NonNullable<ReturnType<typeof openPopup>>

const CUT_OFF =
  'A window cannot be watched: Cross-Origin-Opener-Policy, of this page or of the server, cuts it off. ' +
  'Send same-origin-allow-popups here, and no such header with the pages of the server.'

interface PopupOptions {
  platform: Platform
  settings: Pick<Settings, 'authHost' | 'clientId'>
  page: PopupPage
  /** `BLANK` until `navigate` is called. */
  url: string
  /** Asks the server whether the popup has had its effect. */
  hasChanged(): Promise<boolean>
}

/** Call it inside the user's click. `undefined`: the browser blocked the window. */
export function openPopup({ platform, settings, page, url, hasChanged }: PopupOptions) {
  /** Aborted when its end is decided; the window may still be on the server's close page. */
  const ending = new AbortController()
  const { signal } = ending
  const closing = new AbortController()
  let isAsking = false
  let outcome: { how: PopupEnd; error: Error | undefined } | undefined

  const popup = openWindow(platform, {
    // Another name for each, so that a new popup does not reuse one that still shows the close page.
    name: popupName(settings, page, createStateKey(platform.crypto)),
    url,
    // A server may lie below a path.
    origin: new URL(settings.authHost).origin,
    listen: (data) => void (isCloseMessage(data) && end('answered')),
  })
  if (!popup) {
    platform.tell?.('The browser blocked a window: open it in the click itself, before any await.')
    return undefined
  }
  const { port, sentAtMs } = popup

  const close = () => closing.abort()
  const end = (how: PopupEnd, error?: Error): void => {
    if (outcome) {
      // The close page has posted closeMe, or the user signs out: do not wait for the page.
      if (!ENDS[how]) close()
      return
    }
    outcome = { how, error }
    ending.abort()
    if (!ENDS[how] || sentAtMs() === undefined || port.isClosed) return close()
    endWith(closing.signal, [platform.setTimer(close, POPUP_CLOSE_WAIT_MS)])
    popup.navigate(closeUrl(settings))
  }
  const fail = (error: Error) => end('failed', error)
  /** The user is back on the page: the window may be closed, or the change made. */
  const look = () => {
    if (port.isClosed) return end('closed')
    if (isAsking || sentAtMs() === undefined) return
    isAsking = true
    hasChanged()
      .then((isChanged) => isChanged && end('changed'))
      .catch(() => {})
      .finally(() => {
        isAsking = false
      })
  }
  endWith(signal, [platform.on('focus', look), platform.on('visible', look)])
  loadLater(platform)
    .then(({ watchWindow }) =>
      watchWindow({
        platform,
        popup,
        signal,
        onClosed: () => end('closed'),
        onLate: () => end('late'),
        onCutOff: () => platform.tell?.(CUT_OFF),
      }),
    )
    .catch(fail)

  return {
    /** How it ended; the window is closed by then. Rejects only with what `fail` was given. */
    ended: new Promise<PopupEnd>((resolve, reject) => {
      endWith(closing.signal, [
        popup.close,
        () => (outcome?.error ? reject(outcome.error) : resolve(outcome!.how)),
      ])
    }),
    ending: signal,
    closing: closing.signal,
    /** Sends the window on from its blank page. */
    navigate: (address: string) => void (signal.aborted || popup.navigate(address)),
    focus: () => port.focus(),
    end,
    fail,
  }
}
