// Opens the password page, in a popup or instead of the app.
import { notSupported } from '../base/sessionErrors.ts'
import { popupUrl } from '../protocol/popups.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { popupMutation, type PopupOutcome } from './popups.ts'
import { rememberUser } from './keys.ts'
import type { AuthMutation } from './defaults.ts'
import { userInfoQuery } from './userInfo.ts'

/** How the page opens. */
export interface PasswordRequest {
  /** In a popup, or instead of the app. Default 'popup'. */
  how?: 'popup' | 'navigation' | undefined
}

/** The popup or redirect of `useChangePassword`. Call `mutate` in a click. */
export function changePasswordMutation(
  auth: Auth,
): AuthMutation<PopupOutcome<undefined>, PasswordRequest | void> {
  const leave = async () => {
    rememberUser(auth)
    const { settings, leaveSignedIn } = internalsOf(auth)
    if (!settings.server.supports('changePassword')) throw notSupported('Changing the password')
    await leaveSignedIn('change-password', () => popupUrl(settings, 'changepassword'))
    return { status: undefined, isChanged: false }
  }
  return popupMutation(auth, {
    name: 'change password',
    page: 'changepassword',
    // The server does not say whether the password changed. If that ended the session, the next read shows it.
    clearUp: (client) => void client.invalidateQueries({ queryKey: userInfoQuery(auth).queryKey }),
    instead: (request) => (request?.how === 'navigation' ? leave() : undefined),
  })
}
