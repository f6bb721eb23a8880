// One error class with stable codes, and one maker for every line of the error catalogue (spec §8).

/** Stable codes; switch on these, never on the message. */
export type AuthErrorCode =
  | 'not-initialised'
  | 'not-authenticated'
  | 'missing-config'
  | 'invalid-scopes'
  | 'invalid-config'
  | 'invalid-argument'
  | 'unsupported-hook'
  | 'invalid-hook'
  | 'invalid-listener'
  | 'invalid-link-map'
  | 'cloud-provider-id-required'
  | 'invalid-access-token'
  | 'iframe-timeout'
  | 'iframe-blocked'
  | 'random-unavailable'
  | 'proof-key-unavailable'
  | 'storage-unavailable'
  | 'offline'
  | 'network'
  | 'timeout'
  | 'unexpected-status'
  | 'unexpected-answer'
  | 'rate-limited'
  | 'access-denied'
  | 'login-required'
  | 'authorization-refused'
  | 'issuer-mismatch'
  | 'invalid-grant'
  | 'identity-changed'
  | 'redirect-loop'
  | 'redirect-refused'
  | 'popup-blocked'
  | 'popup-closed'
  | 'popup-timeout'
  | 'logout-failed'
  | 'no-provider'

/** What an `AuthError` can carry beside its code and message. */
export interface AuthErrorDetails {
  /** What the reader can do next, one plain sentence. */
  remedy?: string | undefined
  /** HTTP status of the answer, when there was one. */
  status?: number | undefined
  /** The answer's body: parsed when it is JSON, raw otherwise, secret-named members redacted. */
  body?: unknown
  /** Whether the same call may succeed later without a change. */
  retryable?: boolean | undefined
  /** How long the server asked to wait. */
  retryAfterMs?: number | undefined
  /** The lower error; never one that holds a request or a token. */
  cause?: unknown
}

/**
 * The one error of this package. `message` is the specification's text where it has one, `remedy` says what to do
 * next. No token, code or request is ever inside.
 *
 * @example
 * if (error instanceof AuthError && error.code === 'offline') showBanner(error.remedy)
 */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  /** Stable; switch on this. */
  readonly code: AuthErrorCode
  /** What to do next. */
  readonly remedy: string | undefined
  /** HTTP status of the answer, when there was one. */
  readonly status: number | undefined
  /** The answer's body, parsed or raw, redacted. */
  readonly body: unknown
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean
  /** How long the server asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(code: AuthErrorCode, message: string, details: AuthErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.remedy = details.remedy
    this.status = details.status
    this.body = details.body
    this.retryable = details.retryable ?? false
    this.retryAfterMs = details.retryAfterMs
  }

  /** What a log, a support bundle or `JSON.stringify` sees. */
  toJSON(): {
    name: string
    code: AuthErrorCode
    message: string
    remedy: string | undefined
    status: number | undefined
  } {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      remedy: this.remedy,
      status: this.status,
    }
  }
}

export const notInitialised = (): AuthError =>
  new AuthError('not-initialised', 'Not init yet', {
    remedy:
      'Wait until the status is no longer "initializing": call start() or render inside <AuthProvider>.',
  })

export const notAuthenticated = (): AuthError =>
  new AuthError('not-authenticated', 'Not authenticated yet', { remedy: 'Sign in first.' })

export const missingConfig = (name: string): AuthError =>
  new AuthError('missing-config', `Missing config parameter : ${name}`, {
    remedy: `Pass ${name} to createAuth().`,
  })

export const invalidScopes = (): AuthError =>
  new AuthError('invalid-scopes', 'Scopes must be an array with string values', {
    remedy: "Pass one scope an item, without comma or space: ['openid', 'profile'].",
  })

export const invalidConfig = (name: string, expected: string): AuthError =>
  new AuthError('invalid-config', `Invalid config parameter : ${name}`, {
    remedy: `${name} must be ${expected}.`,
  })

export const invalidArgument = (message: string, remedy: string): AuthError =>
  new AuthError('invalid-argument', message, { remedy })

export const unsupportedHook = (name: string): AuthError =>
  new AuthError('unsupported-hook', `Unsupported hook: ${name}`, {
    remedy: 'Use afterLogin, beforeLogout, uniqueSessionTrigger or afterRefreshToken.',
  })

export const invalidHook = (name: string): AuthError =>
  new AuthError('invalid-hook', `hook must be a function: ${name}`, { remedy: 'Pass a function.' })

export const invalidListener = (topic: string, type: string): AuthError =>
  new AuthError('invalid-listener', `callback must be a function: topic ${topic}, type ${type}`, {
    remedy: 'Pass a function.',
  })

export const invalidAccessToken = (): AuthError =>
  new AuthError('invalid-access-token', 'Fail to decode access token.', {
    remedy: 'The authorization server must issue JWT access tokens with a userId.',
  })

export const iframeTimeout = (): AuthError =>
  new AuthError('iframe-timeout', 'agent-iframe timeout', {
    remedy: 'The authorization server did not answer the hidden frame in time. Sign in with a redirect.',
    retryable: true,
  })

/** Why a hidden frame could be seen to fail before its limit. */
export type FrameFailure = 'csp' | 'no-answer' | 'removed' | 'earlier'

export const iframeBlocked = (reason: FrameFailure): AuthError =>
  new AuthError('iframe-blocked', `agent-iframe blocked: ${reason}`, { remedy: FRAME_REMEDIES[reason] })

const FRAME_REMEDIES: Record<FrameFailure, string> = {
  csp: "The page's Content-Security-Policy forbids the frame: add the authHost to frame-src.",
  'no-answer':
    'The frame loaded without an answer: check X-Frame-Options and frame-ancestors of the authHost, and that it answers web_message.',
  earlier:
    'The frame failed before in this browser session, so it was not tried again. The first failure says why.',
  removed:
    'Something removed the frame from the page: look for browser extensions or code that clears document.body.',
}

export const randomUnavailable = (): AuthError =>
  new AuthError('random-unavailable', 'crypto.getRandomValues() not supported', {
    remedy: 'Use a browser with Web Crypto.',
  })

export const proofKeyUnavailable = (cause?: unknown): AuthError =>
  new AuthError('proof-key-unavailable', 'SHA-256 is not available, so no proof key can be made', {
    remedy: 'crypto.subtle is missing or failing on a secure page: look for code that replaces it.',
    cause,
  })

export const storageUnavailable = (): AuthError =>
  new AuthError('storage-unavailable', 'The browser refused to store the sign-in attempt', {
    remedy: 'Allow site data for this page, or free browser storage, and sign in again.',
  })

export const offline = (): AuthError =>
  new AuthError('offline', 'The browser is offline', { remedy: 'Check the connection.', retryable: true })

export const network = (what: string, cause?: unknown): AuthError =>
  new AuthError('network', `${what} did not reach the server`, {
    remedy: 'The server may be down, or CORS, CSP or a blocker forbids the call. Try again.',
    retryable: true,
    cause,
  })

export const timedOut = (what: string): AuthError =>
  new AuthError('timeout', `${what} took too long`, { remedy: 'Try again.', retryable: true })

export const unexpectedStatus = (
  what: string,
  answer: { status: number; body: unknown; retryAfterMs?: number | undefined },
): AuthError =>
  new AuthError(
    answer.status === 429 ? 'rate-limited' : 'unexpected-status',
    `${what} answered ${answer.status}`,
    {
      ...answer,
      remedy:
        answer.status === 403
          ? 'The signed-in user is not allowed to do this.'
          : 'The body says what the server did not accept.',
      retryable: answer.status === 429 || answer.status >= 500,
    },
  )

export const unexpectedAnswer = (what: string, status?: number): AuthError =>
  new AuthError('unexpected-answer', `${what} got an unexpected answer`, {
    remedy:
      'Something between the app and the server, a proxy or captive portal, may have answered. Try again.',
    retryable: true,
    status,
  })

export const accessDenied = (): AuthError =>
  new AuthError('access-denied', 'The sign-in was cancelled', { remedy: 'Sign in again when ready.' })

export const loginRequired = (): AuthError =>
  new AuthError('login-required', 'The authorization server has no session for this browser', {
    remedy: 'Sign in.',
  })

export const authorizationRefused = (error: string, description?: string): AuthError =>
  new AuthError('authorization-refused', `The authorization server refused: ${description ?? error}`, {
    remedy: 'Try again, or show this text to the administrator of the authorization server.',
    body: { error, error_description: description },
    retryable: error === 'server_error' || error === 'temporarily_unavailable',
  })

export const issuerMismatch = (): AuthError =>
  new AuthError('issuer-mismatch', 'The answer came from another issuer than the authHost', {
    remedy: 'Set authHost to the issuer of the authorization server.',
  })

export const invalidGrant = (cause?: unknown): AuthError =>
  new AuthError('invalid-grant', 'The authorization server ended this session', {
    remedy: 'Sign in again.',
    cause,
  })

export const identityChanged = (): AuthError =>
  new AuthError('identity-changed', 'Another user signed in at the authorization server', {
    remedy: 'Sign in again to go on as that user.',
  })

export const redirectLoop = (): AuthError =>
  new AuthError('redirect-loop', 'Stopped after 3 automatic redirects within a minute', {
    remedy:
      'Sign in with a click. If it repeats, the server signs the user in and the app cannot keep the session.',
    retryable: true,
  })

export const redirectRefused = (): AuthError =>
  new AuthError('redirect-refused', 'The address is not one of this app', {
    remedy: 'Pass an address of the same origin.',
  })

export const logoutFailed = (cause: unknown): AuthError =>
  new AuthError('logout-failed', 'The browser could not be sent to the logout page', {
    remedy: 'The session of this page has ended; the session of the server may not.',
    cause,
  })

export const noProvider = (): AuthError =>
  new AuthError('no-provider', 'No <AuthProvider> above this component', {
    remedy: 'Render it inside <AuthProvider>, from the same copy of latchkey.',
  })
