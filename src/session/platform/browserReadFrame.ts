// A hidden frame whose own address is the answer: read as soon as it is back at the page's origin (contract §11 "silent").
import { openFrame } from './browserFrame.ts'
import type { FramePort, Platform } from './platform.ts'

/** The browser has no event for a frame that has come to another address: it is looked at this often. */
const LOOK_EVERY_MS = 20
const NOWHERE = 'about:blank'

/** Opens the frame. With `readsAddress` each new address that the page may read is told, too. */
export function openReadableFrame(options: Parameters<Platform['openFrame']>[0]): FramePort {
  if (!options.readsAddress) return openFrame(options)
  const { frame, remove } = openFrame(options)
  let seen = NOWHERE
  // The page behind an answer is this very app: nobody waits until it has loaded a second time, or has moved on.
  const look = () => {
    const address = addressOf(frame)
    if (address === NOWHERE || address === seen) return
    seen = address
    options.listen({ type: 'loaded', address })
  }
  const looking = setInterval(look, LOOK_EVERY_MS)
  frame.addEventListener('load', look)
  return {
    remove() {
      clearInterval(looking)
      remove()
    },
  }
}

/** Where the frame is; nowhere at any other origin, which the browser does not tell. */
function addressOf({ contentWindow }: HTMLIFrameElement): string {
  try {
    return contentWindow?.location.href ?? NOWHERE
  } catch {
    return NOWHERE
  }
}
