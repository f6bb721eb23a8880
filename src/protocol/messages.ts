// The English texts that users read. An app replaces them through its config.
import { CLOSE_WINDOW } from './popups.ts'

/** A text with `{placeholders}`, or a function of the values. An empty text hides its notice. */
export type Message = string | ((values: MessageValues) => string)

/** Values of the placeholders: `{seconds}`, `{time}`, `{browser}`, `{count}`, `{text}`. */
export type MessageValues = Readonly<Record<string, string | number>>

const TEXTS = {
  idleCountdown: 'You will be signed out in {seconds} s, because nothing has happened here for a while.',
  idleStay: 'Stay signed in',
  sessionEnding: 'Your session ends in {seconds} s. Save your work; then you can sign in again.',
  idleSignedOut: 'You were signed out, because nothing had happened for a while.',
  sessionClash: ({ browser, time }: MessageValues): string =>
    `You were signed out here, because you signed in with another browser (${browser ? `${browser}, ` : ''}${time}).`,
  signedOutElsewhere: 'You signed out in another tab.',
  otherUser: 'Another user signed in with this browser, so you were signed out.',
  otherUsersLink: 'This link was meant for another user.',
  sessionEnded: 'Your session has ended.',
  signedOutOffline: 'You are signed out here. The server will be told when you are online again.',
  logoutFailed: 'You are signed out here, but the server has not confirmed it.',
  signedOut: 'You are signed out.',
  notSignedIn: 'You are not signed in.',
  forbidden: 'You are not allowed to see this page.',
  signIn: 'Sign in',
  signInFailed: 'We could not sign you in',
  signInHere: 'Sign in here instead',
  closeWindow: CLOSE_WINDOW as string,
  signInAgain: 'Your session ended',
  signInAgainKeeps: 'Sign in again to keep your text.',
  signInWindow: 'Sign in in the window that has opened. This page waits for you.',
  showWindow: 'Show the window',
  signInPage: 'Leave this page and sign in',
  tryAgain: 'Try again',
  whatHappened: 'What happened',
  tryingAgainIn: 'Next attempt in {seconds} s.',
  offline: 'You are offline. Changes cannot be saved now.',
  backOnline: 'You are online again.',
  errorOffline: 'That did not work, because you are offline.',
  errorNetwork: 'The server could not be reached.',
  errorTimeout: 'The server took too long to answer.',
  errorBusy: 'The server is busy. Give it a moment.',
  errorConflict: 'Somebody else changed this meanwhile. Look at their change, then save again.',
  errorForbidden: 'You are not allowed to do that.',
  errorNotSignedIn: 'Your session has ended. Sign in to continue.',
  errorNotAccepted: 'The server does not accept your sign-in.',
  errorPopupBlocked: 'Your browser blocked the window. Allow windows of this site.',
  errorPopupClosed: 'The window was closed before anything changed.',
  errorSessionKept:
    'The sign-in page still has the session that you ended here. Sign in once more to continue with it.',
  errorStorage: 'Your browser does not let this site store anything, so signing in cannot work.',
  errorRedirectLoop: 'Signing in was tried several times in a row without success.',
  errorAnswer: 'The answer of the server could not be read.',
  errorNotFound: 'It is not there any more.',
  errorInvalid: 'Something you entered is not valid. Correct it, then try again.',
  errorTooLarge: 'It is too large for the server.',
  errorDenied: 'The sign-in was cancelled or refused.',
  errorUnconfirmed: 'Your session could not be confirmed. You may have to sign in again.',
  errorClock: 'The clock of this device is wrong. Set it to the right time.',
  errorNotSupported: 'That is not available here.',
  errorStepUp: 'That needs a stronger or more recent sign-in.',
  errorSwitch: 'You could not be switched to that organization.',
  errorSetup: 'This app is not set up correctly. Tell the people who run it.',
  errorBrowser: 'Signing in cannot work in this browser. Update it, or use another one.',
  errorAddress: 'That address is not allowed.',
  errorOther: 'That did not work.',
  toasts: 'Notifications',
  closeToast: 'Close: {text}',
  closeToasts: 'Close all',
  waitingToasts: '{count} more',
}

/** Name of a text. */
export type MessageName = keyof typeof TEXTS

/** The English texts. */
export const ENGLISH: Readonly<Record<MessageName, Message>> = TEXTS

/** Texts by name. Missing ones stay English. */
export type Messages = { readonly [Name in MessageName]?: Message | undefined }

/** Falls back to English if a replacement throws or returns no string. */
export function textOf(messages: Messages, name: MessageName, values: MessageValues = {}): string {
  const english = fill(ENGLISH[name], values)
  try {
    const text: unknown = fill(messages[name] ?? english, values)
    return typeof text === 'string' ? text : english
  } catch {
    return english
  }
}

function fill(message: Message, values: MessageValues): string {
  if (typeof message === 'function') return message(values)
  return message.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  )
}
