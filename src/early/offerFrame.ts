// A hidden frame that is opened before the app's files have come, left for start-up to take over; and why none may be.
import { EARLY_LIFETIME_MS, FRAME_NAME } from '../constants.ts'
import { isSwitchedOff, parseSilentSignIn } from '../protocol/frameFailures.ts'
import {
  type Client,
  betweenPagesKey,
  pendingLogoutKey,
  sessionMarkerKey,
  SETTLED_LOGOUT,
  tabKey,
} from '../protocol/storageKeys.ts'
import type { Early, EarlyFrame, FrameEvent, FramePort, Platform } from '../session/platform/platform.ts'

/** Tabs that seem to hold the session: start-up asks them first. A marker that cannot be read is left to start-up too. */
export const seemsHeldElsewhere = (client: Client): boolean => {
  const marker = JSON.parse(localStorage.getItem(sessionMarkerKey(client))!) as { tabs?: unknown[] } | null
  return Boolean(marker?.tabs?.length)
}

/** The page before has left its session, a user has signed out and the server does not know yet, or frames have failed in this tab: start-up would open none either. */
export function isFrameRuledOut(client: Client): boolean {
  // Its frames are held back until the user opens the page.
  if ((document as { prerendering?: boolean }).prerendering) return true
  if (sessionStorage.getItem(betweenPagesKey(client))) return true
  const pending = localStorage.getItem(pendingLogoutKey(client)) ?? SETTLED_LOGOUT
  const stored = JSON.parse(sessionStorage.getItem(tabKey(client))!) as { silentSignIn?: unknown } | null
  const silentSignIn = parseSilentSignIn(stored?.silentSignIn)
  return pending !== SETTLED_LOGOUT || (silentSignIn !== undefined && isSwitchedOff(silentSignIn, Date.now()))
}

/** What the code of the frame is exchanged with, and when the frame was opened. */
export type EarlyKey = Omit<EarlyFrame, 'openFrame'>

interface Offer {
  readonly url: string
  readonly origin: string
  /** Told of messages and loads until start-up listens. */
  hear(event: FrameEvent): void
  /** Where the frame is, for start-up to look at. Absent: it only speaks. */
  address?(): string | undefined
  /** Start-up would ask in another way. */
  onOther?(): void
}

/** Opens it. What nobody takes over is dropped in time. */
export function offerFrame(
  left: Early,
  key: EarlyKey,
  { url, origin, hear, address, onOther }: Offer,
  openFrame: Platform['openFrame'],
): FramePort {
  const heard: FrameEvent[] = []
  let listen = (event: FrameEvent) => {
    heard.push(event)
    // What fails early is tried again, and explained, by start-up itself.
    if (event.type === 'message' || event.type === 'loaded') hear(event)
    else stop()
  }
  const timer = setTimeout(stop, EARLY_LIFETIME_MS)
  const frame = openFrame({ name: FRAME_NAME, url, origin, listen: (event) => listen(event) })

  left.frame = (urlOfApp) => {
    const wanted = urlOfApp(key)
    // Another client on the same page: this is none of its business.
    if (!wanted.startsWith(url.split('redirect_uri')[0]!)) return undefined
    if (wanted !== url) onOther?.()
    // While the machine sleeps no timer runs.
    if (wanted !== url || Date.now() - key.createdAtMs > EARLY_LIFETIME_MS) {
      stop()
      return undefined
    }
    clearTimeout(timer)
    delete left.frame
    return {
      ...key,
      openFrame(options) {
        listen = options.listen
        for (const event of heard) queueMicrotask(() => listen(event))
        // One that is looked at goes as soon as its answer is read, and what was sent for it is taken after that.
        return { address: address ?? (() => undefined), remove: address ? frame.remove : stop }
      },
    }
  }

  function stop() {
    clearTimeout(timer)
    frame.remove()
    delete left.frame
    delete left.fetch
  }
  return frame
}
