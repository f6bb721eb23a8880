// The errors of OpenID Connect providers. Those without a remedy get one from `oidcLater.ts`.
import { AuthError, type AuthErrorCode, fault, RETRY } from '../../base/errors.ts'
import { recordOf } from '../../base/json.ts'
import { cleanText } from '../redaction.ts'

export const quote = (value: unknown) => JSON.stringify(cleanText(String(value)))

export const withoutRemedy = (code: AuthErrorCode, message: string): AuthError => new AuthError(code, message)

export const invalidMetadata = (name: string): AuthError =>
  fault('invalid-metadata', `The provider's metadata: no usable ${name}`, 'It must be an https address.')

/** From a proxy, a portal, or for a missing realm. */
export const noMetadata = (url: string): AuthError =>
  fault(
    'invalid-metadata',
    `No OpenID Connect metadata at ${url}`,
    'The address must show JSON in a browser: correct the issuer.',
    RETRY,
  )

export const invalidIdToken = (why: string): AuthError =>
  withoutRemedy('invalid-id-token', `ID token refused: ${why}`)

export const clockSkew = (): AuthError =>
  fault('clock-skew', "The device's clock is wrong", 'Set it, and sign in again.')

/** A wrong member in the response of the token endpoint: not retryable. Names its type, never its value. */
export const unexpectedMember = (what: string, name: string, found: unknown): AuthError =>
  withoutRemedy(
    'unexpected-answer',
    `${what}: ${name} is ${found === undefined ? 'missing' : `a ${typeof found} that cannot be right`}`,
  )

const CLIENT_ERRORS =
  /^(invalid_(client|scope|target|request|dpop_proof)|unauthorized_client|unsupported_grant_type)$/

/** The error of a refusal that only a change of the registration can fix. */
export function clientRefused(status: number, body: unknown): AuthError | undefined {
  const { error, error_description: why } = recordOf(body)
  if (typeof error !== 'string' || !CLIENT_ERRORS.test(error)) return undefined
  const words = typeof why === 'string' && why !== '' ? `${error}: ${cleanText(why)}` : error
  return new AuthError('client-refused', `The provider refused this client: ${words}`, { status, body })
}
