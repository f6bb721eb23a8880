// Turns an error into a text for users: what happened and what to do, without technical details.
import { AuthError, type AuthErrorCode } from '../base/errors.ts'
import { recordOf } from '../base/json.ts'
import { serversWords, statusOf } from './httpError.ts'
import { type MessageName, textOf } from './messages.ts'

/** `undefined`: the status of the response says more than the code. */
const BY_CODE: Readonly<Record<AuthErrorCode, MessageName | undefined>> = {
  'not-initialised': 'errorOther',
  'not-authenticated': 'errorNotSignedIn',
  'missing-config': 'errorSetup',
  'invalid-scopes': 'errorSetup',
  'invalid-config': 'errorSetup',
  'invalid-argument': 'errorInvalid',
  'unsupported-hook': 'errorOther',
  'invalid-hook': 'errorOther',
  'invalid-listener': 'errorOther',
  'invalid-link-map': 'errorInvalid',
  'cloud-provider-id-required': 'errorInvalid',
  'invalid-access-token': 'errorSetup',
  'iframe-timeout': 'errorUnconfirmed',
  'iframe-blocked': 'errorUnconfirmed',
  'random-unavailable': 'errorBrowser',
  'proof-key-unavailable': 'errorBrowser',
  'storage-unavailable': 'errorStorage',
  offline: 'errorOffline',
  network: 'errorNetwork',
  timeout: 'errorTimeout',
  'unexpected-status': undefined,
  'unexpected-answer': 'errorAnswer',
  'rate-limited': 'errorBusy',
  conflict: 'errorConflict',
  forbidden: 'errorForbidden',
  'access-denied': 'errorDenied',
  'login-required': 'errorNotSignedIn',
  'authorization-refused': 'errorDenied',
  'issuer-mismatch': 'errorSetup',
  'invalid-metadata': 'errorSetup',
  'invalid-id-token': 'errorSetup',
  'invalid-claims': 'errorSetup',
  'clock-skew': 'errorClock',
  'client-refused': 'errorSetup',
  'not-supported': 'errorNotSupported',
  'invalid-grant': 'errorNotSignedIn',
  'identity-changed': 'otherUser',
  'session-clash': 'errorNotSignedIn',
  'redirect-loop': 'errorRedirectLoop',
  'redirect-refused': 'errorAddress',
  'popup-blocked': 'errorPopupBlocked',
  'popup-closed': 'errorPopupClosed',
  'popup-timeout': 'errorPopupClosed',
  'logout-failed': 'logoutFailed',
  'session-kept': 'errorSessionKept',
  'step-up-required': 'errorStepUp',
  'step-up-refused': 'errorStepUp',
  'switch-refused': 'errorSwitch',
  'no-provider': 'errorOther',
  internal: 'errorOther',
}

const BY_STATUS: Readonly<Record<number, MessageName>> = {
  400: 'errorInvalid',
  // The session is active: an ended one has a code.
  401: 'errorNotAccepted',
  403: 'errorForbidden',
  404: 'errorNotFound',
  408: 'errorTimeout',
  409: 'errorConflict',
  410: 'errorNotFound',
  412: 'errorConflict',
  413: 'errorTooLarge',
  422: 'errorInvalid',
  429: 'errorBusy',
}

const inEnglish = (name: MessageName) => textOf({}, name)

/**
 * Returns the text for an error, as users read it: by its code, or by the status of the response where your own API answered.
 * Where latchkey's own call was refused with 400, 409 or 422, the server's words follow. Messages of unknown errors are not shown,
 * because they may contain URLs and other details. `say` returns the texts by name. Default: the English ones.
 *
 * @example
 * if (error) return <p role="alert">{userText(error)}</p>
 */
export function userText(error: unknown, say: (name: MessageName) => string = inEnglish): string {
  const name = nameOf(error)
  const isOwn = error instanceof AuthError && error.code === 'unexpected-status'
  // Only the server knows which field is wrong. Its 409 with words refuses what was entered, for example a used code.
  const isForm = isOwn && (name === 'errorInvalid' || error.status === 409)
  const words = isForm ? serversWords(error, 'error_description', 'detail', 'title') : undefined
  const text = say(words === undefined ? name : 'errorInvalid')
  return words === undefined ? text : `${text} ${words}`.trim()
}

/** The text for a start-up or a sign-in that failed: there the user has no form to correct. */
export function signInText(error: unknown, say: (name: MessageName) => string): string {
  const name = nameOf(error)
  return say(name === 'errorInvalid' ? 'errorDenied' : name)
}

function nameOf(error: unknown): MessageName {
  const status = statusOf(error) ?? 0
  const { code, retryable } = error instanceof AuthError ? error : ({} as Partial<AuthError>)
  const byCode = code && BY_CODE[code]
  // A redirect has no status: the sign-in page says `server_error` or `temporarily_unavailable` instead (RFC 6749 §4.1.2.1).
  if (status >= 500 || (retryable && byCode === 'errorDenied')) return 'errorBusy'
  // A proxy or a portal may have responded in the server's place.
  if (retryable && byCode === 'errorSetup') return 'errorAnswer'
  const found = byCode ?? BY_STATUS[status]
  if (found) return found
  // `auth.fetch` rejects with ofetch's error also where no response came.
  if (status || !(error instanceof Error) || error.name !== 'FetchError') return 'errorOther'
  return recordOf(error.cause)['name'] === 'TimeoutError' ? 'errorTimeout' : 'errorNetwork'
}
