// Opens the password page, in a popup or instead of the app.
import { notSupported } from '../sessionErrors.ts'
import { popupUrl } from '../protocol/popups.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { type PopupFlow, popupMutation, type PopupOutcome } from './popups.ts'
import { rememberUser } from './sameUser.ts'
import type { AuthMutation } from './types.ts'
import { userInfoQuery } from './userInfo.ts'

/** How the page opens. */
export interface PasswordRequest {
  /** In a popup, or instead of the app. Default 'popup'. */
  how?: 'popup' | 'navigation' | undefined
}

/** The popup in which the password is changed. */
export const changePasswordFlow = (auth: Auth): PopupFlow<PasswordRequest | void, undefined> => ({
  name: 'change password',
  page: 'changepassword',
  // The server does not say whether the password changed. If that ended the session, the next read shows it.
  clearUp: (client) => void client.invalidateQueries({ queryKey: userInfoQuery(auth).queryKey }),
  isElsewhere: (request) => request?.how === 'navigation',
})

/**
 * Opens the page on which the user changes the password. Variables: `{ how: 'navigation' }` leaves the app; anything else
 * opens a popup, so call it in a click.
 *
 * Errors: `popup-blocked`, `popup-closed`, `popup-timeout`, `not-authenticated`, `offline`.
 */
export function changePasswordMutation(
  auth: Auth,
): AuthMutation<PopupOutcome<undefined>, PasswordRequest | void> {
  const inPopup = popupMutation(auth, changePasswordFlow(auth))
  return {
    ...inPopup,
    mutationFn: async (request, context) => {
      if (request?.how !== 'navigation') return inPopup.mutationFn!(request, context)
      rememberUser(auth)
      const { settings, leaveSignedIn } = internalsOf(auth)
      if (!settings.server.supports('changePassword')) throw notSupported('Changing the password')
      await leaveSignedIn('change-password', popupUrl(settings, 'changepassword'))
      return { status: undefined, isChanged: false }
    },
  }
}
