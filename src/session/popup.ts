// Follows one popup from the click that opens it to a certain end: answered, closed, given up or too late.
import { POPUP_CLOSE_WAIT_MS, POPUP_GRACE_MS, POPUP_LIMIT_MS, POPUP_POLL_MS } from '../popupConstants.ts'
import { popupBlocked } from '../popupErrors.ts'
import { isCloseMessage } from '../protocol/popups.ts'
import type { OpenPopup, Platform } from './platform/platform.ts'

/**
 * `answered`: its page said so. `changed`: the server has what was asked for. `done`: the user said so. `closed`: the
 * window is gone. `cancelled`: the user or a newer popup ended it. `late`: the limit is over. `signed-out`: the
 * session has ended. `left`: the app is gone from the page.
 */
export type PopupEnd =
  | 'answered'
  | 'changed'
  | 'done'
  | 'closed'
  | 'cancelled'
  | 'late'
  | 'signed-out'
  | 'left'

/**
 * Ends after which the window first goes to the server's close page. The others are there already (`answered`), have no
 * window any more (`closed`), or cannot wait, because the page itself leaves (`signed-out`, `left`).
 */
const WITH_CLOSE_PAGE: readonly PopupEnd[] = ['changed', 'done', 'cancelled', 'late']

/** The focus comes back to the page within one look when a window is closed by hand. */
const CUT_OFF_LOOK_COUNT = 3
const CUT_OFF =
  'A window cannot be watched: Cross-Origin-Opener-Policy, of this page or of the server, cuts it off. ' +
  'Send same-origin-allow-popups here, and no such header with the pages of the server.'

export interface PopupOptions {
  platform: Pick<Platform, 'monotonicNow' | 'setTimer' | 'on' | 'isVisible' | 'tell'>
  open: OpenPopup
  name: string
  /** Undefined: it waits on a blank page until `navigate`. */
  url: string
  isBlank: boolean
  /** The server's page that ends what the popup has half done, and says closeMe. */
  closeUrl: string
  /** Where its messages have to come from. */
  origin: string
  /** Asks the server whether it has what the popup is for. */
  hasChanged(): Promise<boolean>
}

export interface Popup {
  /** How it ended; the window is closed by then. Rejects only with what `fail` was given. */
  readonly ended: Promise<PopupEnd>
  /** Its end is decided; the window may still be on the server's close page. */
  readonly isEnding: boolean
  /** Sends the window on from its blank page. */
  navigate(url: string): void
  focus(): void
  end(how: PopupEnd): void
  fail(error: unknown): void
}

/**
 * Opens the window at once: call it inside the user's click.
 *
 * @throws AuthError `popup-blocked`
 */
export function openPopup(options: PopupOptions): Popup {
  const { platform, open, name, url, origin, closeUrl, hasChanged } = options
  const openedAtMs = platform.monotonicNow()
  let { isBlank } = options
  let isEnding = false
  let onClosePage: (() => void) | undefined
  let isAsking = false
  let closedLookCount = 0
  let cancelPoll = () => {}
  const stops: (() => void)[] = []
  const { promise: ended, resolve, reject } = createDeferred<PopupEnd>()

  const port = open({
    name,
    url,
    origin,
    listen(data) {
      if (isBlank || !isCloseMessage(data)) return
      if (onClosePage) onClosePage()
      else end('answered')
    },
  })
  // Some blockers hand out a window that is closed already.
  if (!port || port.isClosed) {
    port?.close()
    platform.tell?.('The browser blocked a window: open it in the click itself, before any await.')
    throw popupBlocked()
  }

  const settle = (how: () => void, hasClosePage: boolean) => {
    if (isEnding) {
      // Whoever signs out does not wait for the close page.
      if (!hasClosePage) onClosePage?.()
      return
    }
    isEnding = true
    cancelPoll()
    for (const stop of stops) stop()
    let cancelWait = () => {}
    const close = () => {
      cancelWait()
      onClosePage = undefined
      port.close()
      how()
    }
    if (!hasClosePage || isBlank || port.isClosed) return close()
    onClosePage = close
    cancelWait = platform.setTimer(close, POPUP_CLOSE_WAIT_MS)
    port.navigate(closeUrl)
  }
  const end = (how: PopupEnd) => settle(() => resolve(how), WITH_CLOSE_PAGE.includes(how))

  /** A closed window is not always gone: a page with its own opener policy looks the same from here. */
  const isGone = () => {
    if (!port.isClosed) return false
    if (isBlank) return true
    const isPageInFront = platform.isVisible() && port.isPageInFront !== false
    closedLookCount += 1
    if (closedLookCount === CUT_OFF_LOOK_COUNT) platform.tell?.(CUT_OFF)
    return isPageInFront && platform.monotonicNow() - openedAtMs >= POPUP_GRACE_MS
  }
  const poll = () => {
    if (platform.monotonicNow() - openedAtMs >= POPUP_LIMIT_MS) end('late')
    else if (isGone()) end('closed')
    else cancelPoll = platform.setTimer(poll, POPUP_POLL_MS)
  }
  /** The user is back on the page: the window is done with, or the server may have news. */
  const look = () => {
    if (port.isClosed) {
      end('closed')
      return
    }
    if (isAsking || isBlank) return
    isAsking = true
    hasChanged()
      .then((isChanged) => isChanged && end('changed'))
      .catch(() => {})
      .finally(() => {
        isAsking = false
      })
  }
  stops.push(platform.on('focus', look), platform.on('visible', look))
  poll()

  return {
    ended,
    get isEnding() {
      return isEnding
    },
    navigate(address) {
      if (isEnding) return
      isBlank = false
      port.navigate(address)
    },
    focus: () => port.focus(),
    end,
    fail: (error) => settle(() => reject(error as Error), false),
  }
}

// Promise.withResolvers is newer than the browsers that are served.
function createDeferred<Value>() {
  let resolve!: (value: Value) => void
  let reject!: (reason: Error) => void
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
