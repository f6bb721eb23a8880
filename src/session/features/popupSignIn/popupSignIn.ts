// Opens the sign-in popup inside the click; the rest loads meanwhile.
import { BLANK } from '../../../protocol/popups.ts'
import { createStateKey } from '../../../protocol/pkce.ts'
import { signInPopup } from '../../../protocol/storageKeys.ts'
import type { Context } from '../../context.ts'
import { loadLater } from '../../laterFile.ts'
import { type OpenedPopup, openWindow } from '../../platform/browserPopup.ts'
import type { SendEvent } from '../../sessionEvent.ts'
import type { SignInPopup } from './popupAnswer.ts'
import { beginAttempt } from '../../signIn/signInAttempt.ts'
import type { LoginInPopup } from '../../signIn/signInRedirect.ts'

export function createPopupSignIn(context: Context, send: SendEvent): LoginInPopup {
  const { platform, settings, tabRecords } = context
  let opened: OpenedPopup | undefined
  let last: SignInPopup | undefined
  /** Until the promise of the last sign-in settles. */
  let done: Promise<void> | undefined
  let replaced = new AbortController()
  // One for the page: the next sign-in reuses the popup.
  let name: string | undefined
  const focus = () => opened?.port.focus()
  context.stepUps.focus = () => done && focus()
  return async (request) => {
    // A step-up never joins a plain sign-in, because its result would not be checked for strength.
    if (done && !request.check) {
      focus()
      return done
    }
    replaced.abort()
    replaced = new AbortController()
    name ??= signInPopup(settings, createStateKey(platform.crypto))
    // The popup starts with a copy of this tab's session storage, with the mark in case it loses its name, and without attempts:
    // one found in the popup later was begun there.
    const before = tabRecords.read()
    tabRecords.change({ marks: [...before.marks, name], attempts: {} })
    if (opened?.port.isClosed === false) {
      opened.navigate(BLANK)
      focus()
    } else {
      opened?.close()
      const { origin } = new URL(platform.address())
      opened = openWindow(platform, { name, url: BLANK, origin, listen: (data) => last?.receive?.(data) })
    }
    // With the mark, this page would take itself for the popup.
    tabRecords.change(before)
    const popup: SignInPopup = {
      name,
      opened,
      request,
      begin: () => beginAttempt(context, request, ''),
      replaced: replaced.signal,
      disposal: context.disposal(),
    }
    last = popup
    const own = loadLater(platform)
      .then((file) => file.signInByPopup(context, send, popup))
      .finally(() => {
        if (last !== popup) return
        done = undefined
        opened?.close()
      })
    done = own
    return own
  }
}
