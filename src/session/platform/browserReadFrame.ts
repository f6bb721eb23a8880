// A hidden frame whose own address may be the answer.
import { openFrame } from './browserFrame.ts'
import type { Platform } from './platform.ts'

/** Opens the frame. At any other origin than the page's the browser does not tell where it is. */
export const openReadableFrame: Platform['openFrame'] = (options) => {
  const { frame, remove } = openFrame(options)
  return {
    remove,
    address() {
      try {
        return frame.contentWindow?.location.href
      } catch {
        return undefined
      }
    },
  }
}
