// Opens the window of a sign-in inside the click; the rest loads meanwhile.
import { BLANK } from '../../../protocol/popups.ts'
import { createStateKey } from '../../../protocol/pkce.ts'
import { signInPopup } from '../../../protocol/storageKeys.ts'
import { loadLater } from '../../laterFile.ts'
import { openBrowserPopup } from '../../platform/browserPopup.ts'
import type { SendEvent } from '../../sessionEvent.ts'
import type { PopupContext, SignInPopup } from './popupAnswer.ts'
import { type AttemptOptions, beginAttempt, strengthOf } from '../../signIn/signInAttempt.ts'
import type { LoginInPopup } from '../../signIn/signInRedirect.ts'

export function createPopupSignIn(context: AttemptOptions & PopupContext, send: SendEvent): LoginInPopup {
  const { platform, settings, tabRecords } = context
  let last: SignInPopup | undefined
  // One for the page: the next sign-in has the same window.
  let name: string | undefined
  context.stepUps.focus = () => last?.done && last.port?.focus()
  return async ({ check, ...wishes }) => {
    // A step-up never joins a plain sign-in, because its result would not be checked for strength.
    if (last?.done && !check) {
      last.port?.focus()
      return last.done
    }
    last?.replaced.abort()
    const popup: SignInPopup = { port: last?.port, hear() {}, replaced: new AbortController() }
    last = popup
    const ownName = (name ??= signInPopup(settings, createStateKey(platform.crypto)))
    // The new window starts with a copy of this tab's session storage: there it finds the mark, whatever becomes of its name.
    // The copy has no attempts: one that is found in the window later was begun there.
    const before = tabRecords.read()
    tabRecords.change({ marks: [...before.marks, ownName], attempts: {} })
    try {
      if (popup.port?.isClosed === false) {
        popup.port.navigate(BLANK)
        popup.port.focus()
      } else
        popup.port = (platform.openPopup ?? openBrowserPopup)({
          name: ownName,
          url: BLANK,
          origin: new URL(platform.address()).origin,
          listen: (data) => last!.hear(data),
        })
    } catch {
      // A sandbox, or an extension in its place: as good as blocked.
    } finally {
      // With the mark, this page would take itself for the window.
      tabRecords.change(before)
    }
    // Blocked: some blockers return a window that is closed already.
    if (popup.port?.isClosed !== false) {
      // It still listens to messages.
      popup.port?.close()
      popup.port = undefined
    }
    // Taken before anything is waited for: what ends meanwhile ends this too.
    const disposal = context.disposal()
    popup.done = loadLater(platform)
      .then((file) =>
        file.signInByPopup(context, send, popup, {
          name: ownName,
          begin: () => beginAttempt(context, wishes, ''),
          check,
          isFresh: wishes.isFresh,
          disposal,
          strength: strengthOf(wishes),
        }),
      )
      .finally(() => {
        popup.done = undefined
        // The next one has the same window.
        if (last === popup) popup.port?.close()
      })
    return popup.done
  }
}
