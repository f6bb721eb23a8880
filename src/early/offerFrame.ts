// A hidden frame that was opened before the app's files have come, left for start-up to take over.
import { EARLY_LIFETIME_MS, FRAME_NAME } from '../base/constants.ts'
import type { Early, EarlyFrame, FrameEvent, FramePort, Platform } from '../session/platform/platform.ts'

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

/** Opens it. If start-up does not take it over in time, it is removed. */
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
