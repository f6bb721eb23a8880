// The error class with its stable codes, and the errors of the catalogue that start-up can meet.
import { memberOf } from './json.ts'

/** Stable codes. Switch on these, never on the message. */
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
  | 'conflict'
  | 'forbidden'
  | 'access-denied'
  | 'login-required'
  | 'authorization-refused'
  | 'issuer-mismatch'
  | 'invalid-metadata'
  | 'invalid-id-token'
  | 'invalid-claims'
  | 'clock-skew'
  | 'client-refused'
  | 'not-supported'
  | 'invalid-grant'
  | 'identity-changed'
  | 'session-clash'
  | 'redirect-loop'
  | 'redirect-refused'
  | 'popup-blocked'
  | 'popup-closed'
  | 'popup-timeout'
  | 'logout-failed'
  | 'session-kept'
  | 'step-up-required'
  | 'step-up-refused'
  | 'switch-refused'
  | 'no-provider'
  | 'internal'

/** Further members of an `AuthError`. */
export interface AuthErrorDetails {
  /** What to do next, in one sentence. */
  remedy?: string | undefined
  /** HTTP status of the response, if there was one. */
  status?: number | undefined
  /** Body of the response without secrets: parsed if it is JSON, else text. */
  body?: unknown
  /** Whether the same call may succeed later without a change. */
  retryable?: boolean | undefined
  /** How long the server asked to wait, in milliseconds. */
  retryAfterMs?: number | undefined
  /** The underlying error; never one with a request or a token in it. */
  cause?: unknown
}

/**
 * The error class of this package. `code` is stable, `message` is for logs, `remedy` says what to do next. An error never
 * contains a token, a code or a request.
 *
 * @example
 * if (error instanceof AuthError && error.code === 'offline') showBanner(userText(error))
 */
export class AuthError extends Error {
  /** Always 'AuthError', also in minified bundles. */
  override readonly name = 'AuthError'
  /** The stable code. Switch on this. */
  declare readonly code: AuthErrorCode
  /** What to do next, in one sentence. */
  declare readonly remedy: string | undefined
  /** HTTP status of the response, if there was one. */
  declare readonly status: number | undefined
  /** The same as `status`, for code that reads it by this name. */
  declare readonly statusCode: number | undefined
  /** Body of the response without secrets: parsed if it is JSON, else text. */
  declare readonly body: unknown
  /** Whether the same call may succeed later without a change. */
  declare readonly retryable: boolean
  /** How long the server asked to wait, in milliseconds. */
  declare readonly retryAfterMs: number | undefined
  /** With `step-up-required`: any of these strengths will do. */
  declare readonly acrValues?: readonly string[] | undefined
  /** With `step-up-required`: how long ago the user may have given their credentials. */
  declare readonly maxAgeInSeconds?: number | undefined
  /** With `forbidden`: why, in the server's own words, on one line; cut at 300 characters. For users to read. */
  declare readonly description?: string | undefined
  /** With `forbidden`: the scopes that the server asks for (RFC 6750 `insufficient_scope`). */
  declare readonly scopes?: readonly string[] | undefined

  constructor(code: AuthErrorCode, message: string, details: AuthErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.remedy = details.remedy
    // For Node, test runners and error services, which print the stack. Chromium's console shows the first text.
    if (details.remedy !== undefined && this.stack !== undefined)
      this.stack = this.stack.replace(message, () => `${message} (${details.remedy})`)
    this.status = this.statusCode = details.status
    this.body = details.body
    this.retryable = details.retryable ?? false
    this.retryAfterMs = details.retryAfterMs
  }

  /** What `JSON.stringify` and the support bundle contain. */
  toJSON(): Pick<AuthError, 'name' | 'code' | 'message' | 'remedy' | 'status'> {
    const { name, code, message, remedy, status } = this
    return { name, code, message, remedy, status }
  }
}

/** Details of an error that a later attempt may not meet. */
export const RETRY = { retryable: true }

export const fault = (
  code: AuthErrorCode,
  message: string,
  remedy: string,
  details?: AuthErrorDetails,
): AuthError => new AuthError(code, message, { remedy, ...details })

export const notInitialised = (): AuthError =>
  fault(
    'not-initialised',
    'Not init yet',
    'In a loader, await auth.start() first. In a test, pass insteadOf.',
  )

export const missingConfig = (name: string): AuthError =>
  fault('missing-config', `Missing config parameter : ${name}`, `Pass ${name} to createAuth().`)

export const invalidScopes = (): AuthError =>
  fault(
    'invalid-scopes',
    'Scopes must be an array with string values',
    "One scope per item, like ['openid'].",
  )

export const invalidConfig = (name: string, expected: string): AuthError =>
  fault('invalid-config', `Invalid config parameter : ${name}`, `${name} must be ${expected}.`)

/** `nearest` is the parameter that was probably meant. */
export const unknownConfig = (name: string, nearest: string | undefined): AuthError =>
  fault(
    'invalid-config',
    `Unknown config parameter : ${name}`,
    nearest === undefined ? `Take ${name} out: nothing reads it.` : `Did you mean ${nearest}?`,
  )

export const unsupportedHook = (name: string): AuthError =>
  fault(
    'unsupported-hook',
    `Unsupported hook: ${name}`,
    'Use afterLogin, beforeLogout, uniqueSessionTrigger or afterRefreshToken.',
  )

export const invalidHook = (name: string): AuthError =>
  fault('invalid-hook', `hook must be a function: ${name}`, 'Pass a function.')

export const invalidAccessToken = (): AuthError =>
  fault('invalid-access-token', 'Fail to decode access token.', 'The server must issue JWTs with a userId.')

export const iframeTimeout = (hasLoaded = false): AuthError =>
  fault(
    'iframe-timeout',
    'agent-iframe timeout',
    hasLoaded
      ? 'The frame loaded and said nothing: check X-Frame-Options, frame-ancestors and web_message of the server and of your page.'
      : 'Sign in with a redirect.',
    RETRY,
  )

/** Why a hidden frame failed before its time limit. */
export type FrameObstacle = 'csp' | 'removed' | 'earlier' | 'off'

const FRAME_REMEDIES: Record<FrameObstacle, string> = {
  csp: "Add the authHost to frame-src of the page's CSP; with OpenID Connect, the provider and 'self'.",
  removed: 'Other code took the frame out of the page.',
  off: "No refresh token came, and silent: 'off' rules out the frame. Ask for offline_access, or leave silent out.",
  earlier: 'Frames failed in this tab: the next is tried after 5 minutes or a sign-in.',
}

export const iframeBlocked = (reason: FrameObstacle): AuthError =>
  fault('iframe-blocked', `agent-iframe blocked: ${reason}`, FRAME_REMEDIES[reason])

export const randomUnavailable = (): AuthError =>
  fault('random-unavailable', 'crypto.getRandomValues() not supported', 'Use a browser with Web Crypto.')

export const proofKeyUnavailable = (cause?: unknown): AuthError =>
  fault('proof-key-unavailable', 'No SHA-256 for PKCE', 'Find what breaks crypto.subtle on this page.', {
    cause,
  })

export const offline = (): AuthError =>
  fault('offline', 'The browser is offline', 'Check the connection.', RETRY)

export const network = (
  what: string,
  cause?: unknown,
  remedy = 'Try again. If it repeats: server down, CORS, CSP or a blocker.',
): AuthError => fault('network', `${what} did not reach the server`, remedy, { cause, ...RETRY })

export const timedOut = (what: string): AuthError =>
  fault('timeout', `${what} took too long`, 'Try again.', RETRY)

const STATUS_REMEDIES: Readonly<Record<number, string>> = {
  401: 'Is the token for it (audience)?',
  403: 'This user is not allowed to do that.',
  412: 'It was changed meanwhile: read it again.',
}

const CODES: Readonly<Record<number, AuthErrorCode>> = { 412: 'conflict', 429: 'rate-limited' }

/** A response with an unexpected status. Its body has no secrets. */
export interface Refusal {
  readonly status: number
  readonly body?: unknown
  readonly retryAfterMs?: number | undefined
}

export const unexpectedStatus = (
  what: string,
  answer: Refusal,
  code: AuthErrorCode = CODES[answer.status] ?? 'unexpected-status',
): AuthError =>
  fault(
    code,
    `${what} answered ${answer.status}`,
    answer.retryAfterMs
      ? 'Wait for retryAfterMs.'
      : (STATUS_REMEDIES[answer.status] ?? 'The server says why in the body.'),
    { ...answer, retryable: code === 'rate-limited' || answer.status >= 500 },
  )

export const unexpectedAnswer = (what: string, status?: number): AuthError =>
  fault(
    'unexpected-answer',
    `${what} got an unexpected answer`,
    'Try again. A proxy or portal may have responded.',
    { status, ...RETRY },
  )

/** A refusal of the token endpoint; without an OAuth `error` (RFC 6749 §5.2) of a proxy or firewall, so it is retryable. */
export const tokenRefused = (
  what: string,
  answer: Refusal,
  refused: typeof unexpectedStatus = unexpectedStatus,
): AuthError => {
  const error = refused(what, answer)
  return error.retryable || memberOf(answer.body, 'error') ? error : unexpectedAnswer(what, answer.status)
}

/** For calls of the firm's protocol, where 403 means that the user lacks rights. */
export const callRefused: typeof unexpectedStatus = (what, answer) =>
  unexpectedStatus(what, answer, answer.status === 403 ? 'forbidden' : undefined)

/** The user or the server refused the sign-in. `body.error_description` is the server's text, if it sent one. */
export const accessDenied = (description?: string): AuthError =>
  description === undefined
    ? fault('access-denied', 'The sign-in was cancelled', 'Sign in again.')
    : fault(
        'access-denied',
        `The server refused: access_denied: ${description}`,
        'Sign in again, or ask its administrator.',
        { body: { error: 'access_denied', error_description: description } },
      )

export const loginRequired = (message = 'The server has no session'): AuthError =>
  fault('login-required', message, 'Sign in.')

export const authorizationRefused = (error: string, description?: string): AuthError =>
  fault(
    'authorization-refused',
    `The server refused: ${description === undefined ? error : `${error}: ${description}`}`,
    error === 'invalid_scope'
      ? 'Ask for scopes that this client may have.'
      : 'Try again, or ask its administrator.',
    {
      body: { error, error_description: description },
      retryable: error === 'server_error' || error === 'temporarily_unavailable',
    },
  )

export const issuerMismatch = (): AuthError =>
  fault('issuer-mismatch', 'The answer came from another issuer', 'Set authHost to the issuer of the server.')

export const noProvider = (): AuthError =>
  fault(
    'no-provider',
    'No <AuthProvider> above this component: render it inside <AuthProvider>, in tests inside <TestAuthProvider>',
    'Render it inside <AuthProvider>, in tests inside <TestAuthProvider>.',
  )

export const noQueryClient = (): AuthError =>
  fault(
    'no-provider',
    '<AuthProvider> has no QueryClient: put it inside <QueryClientProvider client={queryClient}>, or pass it queryClient',
    'Put <AuthProvider> inside <QueryClientProvider client={queryClient}>, or pass it queryClient.',
  )

export const noAuthNorConfig = (): AuthError =>
  fault(
    'missing-config',
    '<AuthProvider> needs one of two props: auth or config',
    'Pass auth={auth} or config={{ authHost, clientId, scopes }}.',
  )

export const invalidListener = (topic: string, type: string): AuthError =>
  fault('invalid-listener', `callback must be a function: topic ${topic}, type ${type}`, 'Pass a function.')

export const fileMissing = (cause: unknown): AuthError =>
  fault('internal', 'A file of latchkey did not load', 'Reload the page. The cause says more.', {
    cause,
    ...RETRY,
  })

export const startUpFailed = (cause: unknown): AuthError =>
  fault('internal', 'Start-up failed', 'Try again. The cause says more.', { cause, ...RETRY })
