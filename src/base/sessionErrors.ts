// Makes the errors of the catalogue that only a running session can meet.
import { type AuthError, fault, RETRY } from './errors.ts'

export const notAuthenticated = (): AuthError =>
  fault('not-authenticated', 'Not authenticated yet', 'Sign in first.')

/** Not a sign-out: for guards on a server. */
export const noBrowser = (): AuthError =>
  fault('not-initialised', 'There is no session on a server', 'Call start() in the browser only.')

export const invalidArgument = (message: string, remedy: string): AuthError =>
  fault('invalid-argument', message, remedy)

export const invalidLinkMap = (): AuthError =>
  fault(
    'invalid-link-map',
    'linkmap in wrong format',
    'An array of plain { internalUser, externalUser: { id } }; leave out who has no link.',
  )

export const cloudProviderIdRequired = (): AuthError =>
  fault('cloud-provider-id-required', 'cloudProviderId is required', 'Choose a cloud provider.')

export const storageUnavailable = (): AuthError =>
  fault(
    'storage-unavailable',
    'Browser storage is full or denied',
    'Allow site data or free space, then sign in.',
  )

export const invalidGrant = (cause?: unknown): AuthError =>
  fault('invalid-grant', 'The server ended this session', 'Sign in again.', { cause })

export const identityChanged = (): AuthError =>
  fault('identity-changed', 'Another user signed in', 'Sign in to go on as that user.')

/** `body` contains when the other session began and in which browser. */
export const sessionClash = (body: object): AuthError =>
  fault('session-clash', 'Signed in with another browser', 'Sign in here to go on here.', { body })

export const redirectLoop = (): AuthError =>
  fault('redirect-loop', 'Stopped after 3 automatic redirects in a minute', 'Sign in with a click.', RETRY)

export const redirectRefused = (): AuthError =>
  fault('redirect-refused', 'The address is not one of this app', 'Pass an address of the same origin.')

export const logoutFailed = (cause: unknown): AuthError =>
  fault('logout-failed', 'Logging out at the server failed', 'Try again: only the session here has ended.', {
    cause,
  })

/** A call that the server of this app does not support. Thrown before any request. */
export const notSupported = (
  what: string,
  remedy = 'Ask auth.supports() first: only a server of the latchkey contract has it.',
): AuthError => fault('not-supported', `${what} is not supported`, remedy)
