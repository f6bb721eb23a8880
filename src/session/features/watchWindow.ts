// Watches a popup of latchkey until it is closed, cut off, or too late.
import { POPUP_GRACE_MS, POPUP_LIMIT_MS, POPUP_POLL_MS } from '../../base/popupConstants.ts'
import { createTimer } from '../../base/timer.ts'
import type { OpenedPopup } from '../platform/browserPopup.ts'
import type { Platform } from '../platform/platform.ts'
import { endWith } from '../signedIn/lifecycle.ts'

/** When a user closes a popup, the page has the focus at the next look. A popup that looks closed for longer is cut off. */
const CUT_OFF_LOOK_COUNT = 3

interface WatchedWindow {
  platform: Pick<Platform, 'now' | 'monotonicNow' | 'setTimer' | 'on' | 'isVisible'>
  popup: Pick<OpenedPopup, 'port' | 'sentAtMs'>
  /** Ends the watch. */
  signal: AbortSignal
  /** It is closed, or cut off by an opener policy, which looks the same, and the user is back on the page. The limit keeps running. */
  onClosed(): void
  /** Ten minutes are over: abort the signal. */
  onLate(): void
  /** It looks closed, and the user is not back: it is cut off. */
  onCutOff?(): void
}

export function watchWindow({ platform, popup, signal, onClosed, onLate, onCutOff }: WatchedWindow): void {
  if (signal.aborted) return
  const { port } = popup
  const limitAtMs = platform.monotonicNow() + POPUP_LIMIT_MS
  let isGone = false
  let closedLookCount = 0
  const nextLook = createTimer(platform)
  endWith(signal, [nextLook.clear])
  look()

  function look(): void {
    const leftMs = limitAtMs - platform.monotonicNow()
    if (leftMs <= 0) return onLate()
    if (!isGone && seemsGone()) {
      isGone = true
      onClosed()
    }
    const waitMs = isGone ? leftMs : Math.min(POPUP_POLL_MS, leftMs)
    if (!signal.aborted) nextLook.set(Math.ceil(waitMs), look)
  }

  function seemsGone(): boolean {
    if (!port.isClosed) return false
    const sentAtMs = popup.sentAtMs()
    if (sentAtMs === undefined) return true
    closedLookCount += 1
    if (closedLookCount === CUT_OFF_LOOK_COUNT) onCutOff?.()
    const isPageInFront = platform.isVisible() && port.isPageInFront !== false
    return isPageInFront && platform.monotonicNow() - sentAtMs >= POPUP_GRACE_MS
  }
}
