// Opens the sign-in popup inside the click; the rest loads meanwhile.
import { BLANK } from '../../../protocol/popups.ts'
import { createStateKey } from '../../../protocol/pkce.ts'
import { signInPopup } from '../../../protocol/storageKeys.ts'
import type { Context } from '../../context.ts'
import { loadLater } from '../../laterFile.ts'
import { openWindow } from '../../platform/browserPopup.ts'
import type { SendEvent } from '../../sessionEvent.ts'
import type { SignInPopup } from './popupAnswer.ts'
import { beginAttempt, strengthOf } from '../../signIn/signInAttempt.ts'
import type { LoginInPopup } from '../../signIn/signInRedirect.ts'

export function createPopupSignIn(context: Context, send: SendEvent): LoginInPopup {
  const { platform, settings, tabRecords } = context
  let last: SignInPopup | undefined
  // One for the page: the next sign-in reuses the popup.
  let name: string | undefined
  context.stepUps.focus = () => last?.done && last.port?.focus()
  return async ({ check, ...wishes }) => {
    // A step-up never joins a plain sign-in, because its result would not be checked for strength.
    if (last?.done && !check) {
      last.port?.focus()
      return last.done
    }
    last?.replaced.abort()
    const ownName = (name ??= signInPopup(settings, createStateKey(platform.crypto)))
    const popup: SignInPopup = {
      name: ownName,
      port: last?.port?.isClosed === false ? last.port : undefined,
      begin: () => beginAttempt(context, wishes, ''),
      check,
      isFresh: wishes.isFresh,
      strength: strengthOf(wishes),
      receive() {},
      replaced: new AbortController(),
      disposal: context.disposal(),
    }
    last = popup
    // The popup starts with a copy of this tab's session storage, with the mark in case it loses its name, and without attempts:
    // one found in the popup later was begun there.
    const before = tabRecords.read()
    tabRecords.change({ marks: [...before.marks, ownName], attempts: {} })
    popup.port?.navigate(BLANK)
    popup.port?.focus()
    popup.port ??= openWindow(platform, {
      name: ownName,
      url: BLANK,
      origin: new URL(platform.address()).origin,
      listen: (data) => last!.receive(data),
    })
    // With the mark, this page would take itself for the popup.
    tabRecords.change(before)
    popup.done = loadLater(platform)
      .then((file) => file.signInByPopup(context, send, popup))
      .finally(() => {
        popup.done = undefined
        if (last === popup) popup.port?.close()
      })
    return popup.done
  }
}
