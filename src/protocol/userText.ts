// Turns an error into a text for users: what happened and what to do, without technical details.
import { AuthError, type AuthErrorCode } from '../errors.ts'
import { type MessageName, textOf } from './messages.ts'

const BY_CODE: Partial<Record<AuthErrorCode, MessageName>> = {
  offline: 'errorOffline',
  network: 'errorNetwork',
  timeout: 'errorTimeout',
  'rate-limited': 'errorBusy',
  conflict: 'errorConflict',
  'not-authenticated': 'errorNotSignedIn',
  'login-required': 'errorNotSignedIn',
  'invalid-grant': 'errorNotSignedIn',
  'popup-blocked': 'errorPopupBlocked',
  'popup-closed': 'errorPopupClosed',
  'popup-timeout': 'errorPopupClosed',
  'session-kept': 'errorSessionKept',
  'storage-unavailable': 'errorStorage',
  'redirect-loop': 'errorRedirectLoop',
}

const inEnglish = (name: MessageName) => textOf({}, name)

/**
 * Returns the text for an error, as users read it. Messages of unknown errors are not shown, because they may contain URLs
 * and other details. `say` returns the texts by name. Default: the English ones.
 *
 * @example
 * if (error) return <p role="alert">{userText(error)}</p>
 */
export function userText(error: unknown, say: (name: MessageName) => string = inEnglish): string {
  if (!(error instanceof AuthError)) return say('errorOther')
  if (error.status === 401) return say('errorNotSignedIn')
  if (error.status === 403) return say('errorForbidden')
  if (error.status !== undefined && error.status >= 500) return say('errorBusy')
  return say(BY_CODE[error.code] ?? 'errorOther')
}
