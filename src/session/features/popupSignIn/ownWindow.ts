// Recognises the page that runs in a window of latchkey, where no session begins, and ends it.
import { FRAME_NAME } from '../../../base/constants.ts'
import { splitAddress } from '../../../protocol/address.ts'
import { isOwnWindow, isSignInPopup, isSignInPopupOf } from '../../../protocol/storageKeys.ts'
import type { Context } from '../../context.ts'
import { withLater } from '../../laterFile.ts'

export function createOwnWindow({
  platform,
  settings,
  tabRecords,
}: Pick<Context, 'platform' | 'settings' | 'tabRecords'>) {
  const isOurs = (name: string) => isSignInPopupOf(settings, name)
  const find = () => {
    const name = platform.windowName()
    // Where the server's page cuts the window off from its opener, it loses its name. The mark alone is not enough: a window
    // opened from that window inherits it. It counts only with a response in its URL and without an attempt of its own.
    const hasAnswer = () =>
      platform.early?.address !== undefined || settings.server.readAnswer(platform.address()) !== undefined
    const isMarked = () => {
      const { marks, attempts } = tabRecords.read()
      const hasAsked = Object.keys({ ...attempts, ...platform.early?.attempts }).length > 0
      return marks.some(isOurs) && !hasAsked
    }
    if (isOurs(name) || (hasAnswer() && isMarked())) return 'popup'
    return isOwnWindow(name) ? 'other' : undefined
  }
  /** Found out once: the answer of a sign-in is soon gone from the address, and every render asks. */
  let known: { kind: ReturnType<typeof find> } | undefined
  /** What this page runs in: the window of a sign-in of this client, another window or frame of latchkey, or none of them. */
  const kind = () => (known ??= { kind: find() }).kind
  return {
    kind,
    /** Nothing begins in a window of latchkey: one of a sign-in hands over the answer in its address, and closes. */
    async end(): Promise<void> {
      if (kind() === 'popup') {
        const address = platform.early?.address?.() ?? platform.address()
        platform.replaceAddress(splitAddress(address)[0])
        const name = [platform.windowName(), ...tabRecords.read().marks].find(isOurs) ?? ''
        await withLater(platform, (file) => file.handOver({ platform, settings }, name, address))
      } else if (isSignInPopup(platform.windowName())) return
      platform.closeWindow()
      // What waits for start-up does not go on in the hidden frame: a redirect of the app would take it away from its response,
      // which a hidden tab looks for once a second. A window may not be allowed to close, and is used again.
      if (platform.windowName() === FRAME_NAME) await new Promise(() => {})
    },
  }
}
