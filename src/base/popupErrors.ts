// Makes the errors of the catalogue that only a window can meet; apart, so that they load with the first window.
import { type AuthError, fault, RETRY } from './errors.ts'

export const popupBlocked = (): AuthError =>
  fault(
    'popup-blocked',
    'The browser blocked the window',
    'Allow windows of this site, then click again.',
    RETRY,
  )

export const popupClosed = (): AuthError =>
  fault('popup-closed', 'The window was closed before anything changed', 'Click again to go on.', RETRY)

export const popupTimeout = (): AuthError =>
  fault('popup-timeout', 'The window did not come to an end', 'Close it, then click again.', RETRY)

/** The page is in a frame of another site: its windows share neither storage nor channel with it. */
export const popupCutOff = (): AuthError =>
  fault(
    'popup-closed',
    'The window was closed before anything changed',
    'Sign in on the page itself: in a frame of another site a window cannot always answer.',
    RETRY,
  )
