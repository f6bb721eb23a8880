// The errors of OpenID Connect providers.
import { AuthError, fault, RETRY } from '../../base/errors.ts'
import { recordOf } from '../../base/json.ts'
import { cleanText } from '../redaction.ts'

const quote = (value: unknown) => JSON.stringify(cleanText(String(value)))

/** Frames have not responded before in this browser. */
export const frameUnanswered = (): AuthError =>
  fault(
    'iframe-blocked',
    'agent-iframe blocked: unanswered',
    "The sign-in page gave no response in a frame: new tabs wait for none for 7 days. If it never does, set silent: 'off'.",
  )

export const invalidMetadata = (name: string): AuthError =>
  fault('invalid-metadata', `The provider's metadata: no usable ${name}`, 'It must be an https address.')

/** The response is no metadata: of a proxy, a portal, or for a missing realm. */
export const noMetadata = (url: string): AuthError =>
  fault(
    'invalid-metadata',
    `No OpenID Connect metadata at ${url}`,
    'The address must show JSON in a browser: correct the issuer.',
    RETRY,
  )

export const metadataOfAnotherIssuer = (expected: string, found: string): AuthError =>
  fault(
    'issuer-mismatch',
    `The metadata is of issuer ${quote(found)}, not of ${quote(expected)}`,
    `If that is your provider, set issuer to exactly ${quote(found)}.`,
  )

/** A response of another server: a mix-up attack, or a wrong configuration (RFC 9207). */
export const answerOfAnotherIssuer = (expected: string, found: string): AuthError =>
  fault(
    'issuer-mismatch',
    `The response is of issuer ${quote(found)}, not of ${quote(expected)}`,
    'Sign in again. If both are your provider, let metadata and sign-in page name one issuer.',
  )

/** The metadata promises `iss` in every response, and this one has none (RFC 9207 §2.4). */
export const answerWithoutIssuer = (expected: string, error?: string): AuthError =>
  fault(
    'issuer-mismatch',
    `The response names no issuer, although the metadata of ${quote(expected)} promises one (iss)${error === undefined ? '' : `: ${cleanText(error)}`}`,
    'Sign in again. If it repeats, a proxy drops the parameter iss.',
  )

/** The metadata URL redirects; a page cannot see where to. */
export const metadataElsewhere = (url: string): AuthError =>
  fault(
    'invalid-metadata',
    `${url} redirects to another address`,
    'Open it in a browser, and set discoveryUrl to where it ends.',
    RETRY,
  )

export const malformedAnswer = (why: string): AuthError =>
  fault(
    'unexpected-answer',
    `The sign-in page sent ${why}`,
    "Allow this client the response type 'code' only.",
  )

/** `refusals.ts` has the remedy. */
export const invalidIdToken = (why: string): AuthError =>
  new AuthError('invalid-id-token', `ID token refused: ${why}`)

export const clockSkew = (): AuthError =>
  fault('clock-skew', "The device's clock is wrong", 'Set it, and sign in again.')

export const invalidUserInfo = (why: string, remedy: string): AuthError =>
  fault('unexpected-answer', `The user info is ${why}`, remedy)

export const noUserInfo = (): AuthError =>
  fault('not-supported', 'The provider has no user info', 'Its metadata names no userinfo_endpoint.')

/** An error without the promised issuer: not of the provider as far as RFC 9207 goes, so it says nothing about the session. */
export const silentWithoutIssuer = (error: string): AuthError =>
  fault(
    'iframe-blocked',
    `agent-iframe blocked: ${cleanText(error)} came without the issuer that the metadata promise`,
    'Let the provider send iss with its errors too (RFC 9207).',
  )

/** Only the session in this browser has ended. */
export const noLogoutPage = (): AuthError =>
  fault(
    'not-supported',
    'The server has no page that ends its own session',
    'On a shared computer, close the browser. The next sign-in asks for the credentials.',
  )

/** The response is the server's own, and one member of it is wrong: a repeat brings the same. Names its type, never its value. */
export const unexpectedMember = (what: string, name: string, found: unknown): AuthError =>
  fault(
    'unexpected-answer',
    `${what}: ${name} is ${found === undefined ? 'missing' : `a ${typeof found} that cannot be right`}`,
    'Compare the response of the token endpoint with RFC 6749 §5.1.',
  )

export const tokenTooLong = (what: string, length: number, limit: number): AuthError =>
  fault(
    'unexpected-answer',
    `${what}: a token of ${length} characters; the limit is ${limit}`,
    'Let the provider put fewer roles and claims into it.',
  )

const CLIENT_ERRORS =
  /^(invalid_(client|scope|target|request|dpop_proof)|unauthorized_client|unsupported_grant_type)$/

/** An error of the token endpoint that only the registration can cure; `undefined` for any other. `refusals.ts` has the remedy. */
export function clientRefused(status: number, body: unknown): AuthError | undefined {
  const { error, error_description: why } = recordOf(body)
  if (typeof error !== 'string' || !CLIENT_ERRORS.test(error)) return undefined
  const words = typeof why === 'string' && why !== '' ? `${error}: ${cleanText(why)}` : error
  return new AuthError('client-refused', `The provider refused this client: ${words}`, { status, body })
}

export const insecurePage = (): AuthError =>
  fault(
    'proof-key-unavailable',
    'The page is not a secure context',
    'Serve it over https, or from localhost.',
  )
