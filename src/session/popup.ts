// Follows one popup from the click that opens it to a certain end: answered, closed, given up or too late (contract §4 "popups").
import { POPUP_GRACE_MS, POPUP_LIMIT_MS, POPUP_POLL_MS } from '../constants.ts'
import { popupBlocked } from '../sessionErrors.ts'
import { isCloseMessage } from '../protocol/popups.ts'
import type { OpenPopup, Platform } from './platform.ts'

/**
 * `answered`: its page said so. `changed`: the server has what was asked for. `done`: the user said so. `closed`: the
 * window is gone. `cancelled`: the user or a newer popup ended it. `late`: the limit is over. `signed-out`: the
 * session has ended.
 */
export type PopupEnd = 'answered' | 'changed' | 'done' | 'closed' | 'cancelled' | 'late' | 'signed-out'

export interface PopupOptions {
  platform: Pick<Platform, 'now' | 'setTimer' | 'on' | 'isVisible'>
  open: OpenPopup
  name: string
  /** Undefined: it waits on a blank page until `navigate`. */
  url: string
  isBlank: boolean
  /** Where its messages have to come from. */
  origin: string
  /** Asks the server whether it has what the popup is for. */
  hasChanged(): Promise<boolean>
}

export interface Popup {
  /** How it ended; the window is closed by then. Rejects only with what `fail` was given. */
  readonly ended: Promise<PopupEnd>
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
  const { platform, open, name, url, origin, hasChanged } = options
  const openedAtMs = platform.now()
  let { isBlank } = options
  let isEnded = false
  let isAsking = false
  let cancelPoll = () => {}
  const stops: (() => void)[] = []
  const { promise: ended, resolve, reject } = createDeferred<PopupEnd>()

  const port = open({
    name,
    url,
    origin,
    listen(data) {
      if (!isBlank && isCloseMessage(data)) end('answered')
    },
  })
  // Some blockers hand out a window that is closed already.
  if (!port || port.isClosed) {
    port?.close()
    throw popupBlocked()
  }

  const settle = (how: () => void) => {
    if (isEnded) return
    isEnded = true
    cancelPoll()
    for (const stop of stops) stop()
    port.close()
    how()
  }
  const end = (how: PopupEnd) => settle(() => resolve(how))

  /** A closed window is not always gone: a page with its own opener policy looks the same from here. */
  const isGone = () => {
    if (!port.isClosed) return false
    if (isBlank) return true
    const isPageInFront = platform.isVisible() && port.isPageInFront !== false
    return isPageInFront && platform.now() - openedAtMs >= POPUP_GRACE_MS
  }
  const poll = () => {
    if (platform.now() - openedAtMs >= POPUP_LIMIT_MS) end('late')
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
    navigate(address) {
      if (isEnded) return
      isBlank = false
      port.navigate(address)
    },
    focus: () => port.focus(),
    end,
    fail: (error) => settle(() => reject(error as Error)),
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
