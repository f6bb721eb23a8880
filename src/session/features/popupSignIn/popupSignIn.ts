// Opens the window of a sign-in inside the click, and recognises the page that runs in one; the rest loads meanwhile.
import { offline } from '../../../errors.ts'
import { splitAddress } from '../../../protocol/address.ts'
import { isOwnWindow, isSignInPopup } from '../../../protocol/ownWindow.ts'
import { BLANK } from '../../../protocol/popups.ts'
import { createStateKey } from '../../../protocol/pkce.ts'
import { isSignInPopupOf, signInPopup } from '../../../protocol/storageKeys.ts'
import type { Context } from '../../context.ts'
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
    // A step-up joins no sign-in: what comes of that is not looked at.
    if (last?.done && !check) {
      last.port?.focus()
      return last.done
    }
    if (!platform.isOnline()) throw offline()
    last?.forget()
    const popup: SignInPopup = { port: last?.port, hear() {}, forget: () => (popup.isReplaced = true) }
    last = popup
    const ownName = (name ??= signInPopup(settings, createStateKey(platform.crypto)))
    // The new window starts with a copy of this tab's session storage: there it finds the mark, whatever becomes of its name,
    // and no attempt, so that one that is there is of a page that was in that window.
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
      // Or this page would take itself for the window.
      tabRecords.change(before)
    }
    popup.isBlocked = popup.port?.isClosed !== false
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

type OwnWindowOptions = Pick<Context, 'platform' | 'settings' | 'tabRecords'>

/** What this page runs in: the window of a sign-in of this client, another window or frame of latchkey, or none of them. */
export function ownWindow({
  platform,
  settings,
  tabRecords,
}: OwnWindowOptions): 'popup' | 'other' | undefined {
  const known = ownWindows.get(tabRecords)
  if (known) return known
  const name = platform.windowName()
  const isOurs = (one: string) => isSignInPopupOf(settings, one)
  // Where the server's page cuts the window off from its opener, it loses its name. The mark alone is not enough: a window
  // that is opened from there has it too, and is none of ours before it brings an answer, nor with one that it has asked for.
  const hasAnswer = () =>
    platform.early?.address !== undefined || settings.server.readAnswer(platform.address()) !== undefined
  const { marks, attempts } = tabRecords.read()
  const hasAsked = Object.keys({ ...attempts, ...platform.early?.attempts })[0]
  const found =
    isOurs(name) || (marks.some(isOurs) && !hasAsked && hasAnswer())
      ? 'popup'
      : isOwnWindow(name)
        ? 'other'
        : undefined
  // Its answer is soon gone from the address.
  if (found) ownWindows.set(tabRecords, found)
  return found
}

/** What each page has been found to run in. */
const ownWindows = new WeakMap<object, 'popup' | 'other'>()

/** Nothing begins in a window of latchkey: one of a sign-in hands over the answer in its address, and closes. */
export async function endOwnWindow(context: OwnWindowOptions): Promise<void> {
  const { platform, settings, tabRecords } = context
  if (ownWindow(context) === 'popup') {
    const address = platform.early?.address?.() ?? platform.address()
    platform.replaceAddress(splitAddress(address)[0])
    const names = [platform.windowName(), ...tabRecords.read().marks]
    const name = names.find((one) => isSignInPopupOf(settings, one)) ?? ''
    await loadLater(platform).then(
      (file) => file.handOver(context, name, address),
      () => {},
    )
  } else if (isSignInPopup(platform.windowName())) return
  platform.closeWindow()
}
