// The reason why a call was refused, and its HTTP response.

/** Stable codes; switch on these, never on the message. */
export type TokenRefusedCode =
  | 'missing-token'
  | 'invalid-token'
  | 'expired-token'
  | 'invalid-proof'
  | 'insufficient-scope'
  | 'unavailable'

/** The status of each, and the error of RFC 6750 §3.1 and RFC 9449 §7.1. */
const RESPONSES: Readonly<Record<TokenRefusedCode, readonly [status: number, error?: string]>> = {
  'missing-token': [401],
  'invalid-token': [401, 'invalid_token'],
  'expired-token': [401, 'invalid_token'],
  'invalid-proof': [401, 'invalid_dpop_proof'],
  'insufficient-scope': [403, 'insufficient_scope'],
  unavailable: [503],
}

/**
 * A call without a valid access token. Contains no token and nothing of the request.
 *
 * @example
 * if (error instanceof TokenRefused) return error.response()
 */
export class TokenRefused extends Error {
  /** Always 'TokenRefused', also in minified bundles. */
  override readonly name = 'TokenRefused'
  /** The stable code. Switch on this. */
  readonly code: TokenRefusedCode
  /** HTTP status of the response: 401, 403 or 503. */
  readonly status: number
  /** The authentication scheme that the response asks for. */
  readonly scheme: 'Bearer' | 'DPoP'

  /** @param message plain ASCII without quotes, because it is sent in a header */
  constructor(
    code: TokenRefusedCode,
    message: string,
    { scheme = 'Bearer', ...options }: ErrorOptions & { scheme?: 'Bearer' | 'DPoP' } = {},
  ) {
    super(message, options)
    this.code = code
    this.status = RESPONSES[code][0]
    this.scheme = scheme
  }

  /** The response with `WWW-Authenticate` (RFC 6750, RFC 9449). */
  response(): Response {
    const [, error] = RESPONSES[this.code]
    const details = error === undefined ? '' : ` error="${error}", error_description="${this.message}"`
    const headers: Record<string, string> = { 'cache-control': 'no-store' }
    if (this.status !== 503) headers['www-authenticate'] = `${this.scheme}${details}`
    else headers['retry-after'] = '5'
    return Response.json({ error: error ?? this.code }, { status: this.status, headers })
  }
}
