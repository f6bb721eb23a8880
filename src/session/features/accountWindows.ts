// Follows one popup from the click that opens it to a certain end: answered, closed, given up or too late.
import { POPUP_CLOSE_WAIT_MS } from '../../popupConstants.ts'
import { BLANK, isCloseMessage } from '../../protocol/popups.ts'
import type { OpenPopup, Platform } from '../platform/platform.ts'
import type { WatchedWindow } from './watchWindow.ts'

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

/** Ends after which the window first goes to the server's close page. After the others it is there, is closed, or the page itself leaves. */
const WITH_CLOSE_PAGE: readonly PopupEnd[] = ['changed', 'done', 'cancelled', 'late']

const CUT_OFF =
  'A window cannot be watched: Cross-Origin-Opener-Policy, of this page or of the server, cuts it off. ' +
  'Send same-origin-allow-popups here, and no such header with the pages of the server.'

export interface PopupOptions {
  platform: Pick<Platform, 'monotonicNow' | 'setTimer' | 'on' | 'isVisible' | 'tell'>
  open: OpenPopup
  name: string
  /** On `BLANK` it waits until `navigate`. */
  url: string
  /** The server's page that ends what the popup has half done, and says closeMe. */
  closeUrl: string
  /** Where its messages have to come from. */
  origin: string
  /** Asks the server whether it has what the popup is for. */
  hasChanged(): Promise<boolean>
  /** `watchWindow`, which loads while the user is in the window. Rejects when it does not come. */
  watch(watched: WatchedWindow): unknown
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

/** Call it inside the user's click. `undefined`: the browser blocked the window. */
export function openPopup(options: PopupOptions): Popup | undefined {
  const { platform, open, name, url, origin, closeUrl, hasChanged, watch } = options
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

  const port = open({
    name,
    url,
    origin,
    listen(data) {
      if (sentAtMs === undefined || !isCloseMessage(data)) return
      end('answered')
    },
  })
  // Some blockers hand out a window that is closed already.
  if (!port || port.isClosed) {
    port?.close()
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
    port.navigate(closeUrl)
  }
  const end = (how: PopupEnd) => settle(() => resolve(how), WITH_CLOSE_PAGE.includes(how))

  /** The user is back on the page: the window is done with, or the server may have news. */
  const look = () => {
    if (port.isClosed) {
      end('closed')
      return
    }
    if (isAsking || sentAtMs === undefined) return
    isAsking = true
    hasChanged()
      .then((isChanged) => isChanged && end('changed'))
      .catch(() => {})
      .finally(() => {
        isAsking = false
      })
  }
  const fail = (error: unknown) => settle(() => reject(error), false)
  const watching = async () =>
    watch({
      platform,
      port,
      openedAtMs,
      sentAtMs: () => sentAtMs,
      signal,
      onClosed: () => end('closed'),
      onLate: () => end('late'),
      onCutOff: () => platform.tell?.(CUT_OFF),
      onBack: look,
    })
  watching().catch(fail)

  return {
    ended,
    get isEnding() {
      return signal.aborted
    },
    navigate(address) {
      if (signal.aborted) return
      sentAtMs = platform.monotonicNow()
      port.navigate(address)
    },
    focus: () => port.focus(),
    end,
    fail,
  }
}
