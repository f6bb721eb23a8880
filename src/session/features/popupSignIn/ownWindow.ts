// Recognises and ends a page in a popup or frame of latchkey, where no session begins.
import { FRAME_NAME } from '../../../base/constants.ts'
import { splitAddress } from '../../../protocol/address.ts'
import { isOwnWindow, isSignInPopup, isSignInPopupOf } from '../../../protocol/storageKeys.ts'
import type { Context } from '../../context.ts'
import { withLater } from '../../laterFile.ts'

export function createOwnWindow({ platform, settings, tabRecords }: Context) {
  const isOurs = (name: string) => isSignInPopupOf(settings, name)
  const find = () => {
    const name = platform.windowName()
    // A popup that the server's page cuts off from its opener loses its name. The mark alone is not enough, because a window
    // opened from the popup inherits it: it counts only with a response in the URL and without an attempt of its own.
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
  /** Computed once: the response is soon removed from the URL, and every render asks. */
  let known: { kind: ReturnType<typeof find> } | undefined
  /** `popup`: a sign-in popup of this client; `other`: another window or frame of latchkey. */
  const kind = () => (known ??= { kind: find() }).kind
  return {
    kind,
    /** A sign-in popup passes on the response in its URL, and closes. */
    async end(): Promise<void> {
      if (kind() === 'popup') {
        const address = platform.early?.address?.() ?? platform.address()
        platform.replaceAddress(splitAddress(address)[0])
        const name = [platform.windowName(), ...tabRecords.read().marks].find(isOurs) ?? ''
        await withLater(platform, (file) => file.handOver({ platform, settings }, name, address))
      } else if (isSignInPopup(platform.windowName())) return
      platform.closeWindow()
      // In the hidden frame start-up never ends: a redirect of the app would replace the response, for which a hidden tab looks
      // once a second. A window that may not close is used again.
      if (platform.windowName() === FRAME_NAME) await new Promise(() => {})
    },
  }
}
