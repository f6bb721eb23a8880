// A hidden frame, opened before the app's files have loaded, for start-up to take over.
import { EARLY_LIFETIME_MS, FRAME_NAME } from '../base/constants.ts'
import type { Early, EarlyFrame, FrameEvent, FramePort, Platform } from '../session/platform/platform.ts'

/** For the exchange of the frame's code, with the time of its opening. */
export type EarlyKey = Omit<EarlyFrame, 'openFrame'>

interface Offer {
  readonly url: string
  readonly origin: string
  /** Receives messages and loads until start-up listens. */
  receive(event: FrameEvent): void
  /** The frame's URL, for start-up to read. Absent: the frame sends messages. */
  address?(): string | undefined
  /** Start-up would open another URL. */
  onOther?(): void
}

/** Opens it. If start-up does not take it over in time, it is removed. */
export function offerFrame(
  left: Early,
  key: EarlyKey,
  { url, origin, receive, address, onOther }: Offer,
  openFrame: Platform['openFrame'],
): FramePort {
  const past: FrameEvent[] = []
  let listen = (event: FrameEvent) => {
    past.push(event)
    // After a failure start-up tries again, and explains it.
    if (event.type === 'message' || event.type === 'loaded') receive(event)
    else stop()
  }
  const timer = setTimeout(stop, EARLY_LIFETIME_MS)
  const frame = openFrame({ name: FRAME_NAME, url, origin, listen: (event) => listen(event) })

  left.frame = (urlOfApp) => {
    const wanted = urlOfApp(key)
    // Another client on the same page.
    if (!wanted.startsWith(url.split('redirect_uri')[0]!)) return undefined
    if (wanted !== url) onOther?.()
    // No timer runs during sleep.
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
        for (const event of past) queueMicrotask(() => listen(event))
        // A frame whose URL is read is removed with its response; the request sent for it is taken over after that.
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
