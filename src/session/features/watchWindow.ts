// Watches a popup of latchkey until it is closed, cut off, or too late.
import { POPUP_GRACE_MS, POPUP_LIMIT_MS, POPUP_POLL_MS } from '../../base/popupConstants.ts'
import { createTimer } from '../../base/timer.ts'
import type { Platform, PopupPort } from '../platform/platform.ts'
import { endWith } from '../signedIn/lifecycle.ts'

/** When a user closes a popup, the page has the focus at the next look. A popup that looks closed for longer is cut off. */
const CUT_OFF_LOOK_COUNT = 3

export interface WatchedWindow {
  platform: Pick<Platform, 'now' | 'monotonicNow' | 'setTimer' | 'on' | 'isVisible'>
  port: PopupPort
  /** By the monotonic clock. */
  openedAtMs: number
  /** When it left for a page of the server, by the same clock; `undefined`: it is still blank. */
  sentAtMs(): number | undefined
  /** Ends the watch. */
  signal: AbortSignal
  /** It is closed, or cut off by an opener policy, which looks the same, and the user is back on the page. The limit keeps running. */
  onClosed(): void
  /** Ten minutes are over: abort the signal. */
  onLate(): void
  /** It looks closed, and the user is not back: it is cut off. */
  onCutOff?(): void
  /** The user looks at the page again. */
  onBack?(): void
}

export function watchWindow(watched: WatchedWindow): void {
  const { platform, port, openedAtMs, signal, onBack } = watched
  if (signal.aborted) return
  let isGone = false
  let closedLookCount = 0
  const nextLook = createTimer(platform)
  endWith(signal, [nextLook.clear])
  if (onBack) endWith(signal, [platform.on('focus', onBack), platform.on('visible', onBack)])
  look()

  function look(): void {
    const leftMs = openedAtMs + POPUP_LIMIT_MS - platform.monotonicNow()
    if (leftMs <= 0) return watched.onLate()
    if (!isGone && seemsGone()) {
      isGone = true
      watched.onClosed()
    }
    const waitMs = isGone ? leftMs : Math.min(POPUP_POLL_MS, leftMs)
    if (!signal.aborted) nextLook.set(Math.ceil(waitMs), look)
  }

  function seemsGone(): boolean {
    if (!port.isClosed) return false
    const sentAtMs = watched.sentAtMs()
    if (sentAtMs === undefined) return true
    closedLookCount += 1
    if (closedLookCount === CUT_OFF_LOOK_COUNT) watched.onCutOff?.()
    const isPageInFront = platform.isVisible() && port.isPageInFront !== false
    return isPageInFront && platform.monotonicNow() - sentAtMs >= POPUP_GRACE_MS
  }
}
