// Reads the user info, pushes the authorization request (PAR, RFC 9126), and adds remedies to errors. Loads at the first use: no start-up waits for it.
import { type AuthError, fault, unexpectedAnswer, unexpectedStatus } from '../../base/errors.ts'
import { readRecord, type ServerRecord } from '../answers.ts'
import type { IdClaims } from './idToken.ts'
import type { KnownProvider } from './oidcOptions.ts'
import type { ServerPorts, WireRequest } from './profile.ts'

/** Remedies by the error's message, where the provider's text follows the colon. The first match counts. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^ID token refused: encrypted/, 'Switch encryption off for this client.'],
  [/^ID token refused: none/, 'Let the provider issue ID tokens to this client.'],
  [/^ID token refused: larger/, 'Put fewer claims into it.'],
  [/^ID token refused: sub/, 'Let the provider send it as text, not as a number.'],
  [/^ID token refused: crit/, 'Use no extensions of JWS.'],
  [/^ID token refused: not signed/, 'Give the provider a signing key.'],
  [/^ID token refused: signed/, 'Give the provider a signing key: RS256, ES256 or the like.'],
  [/^ID token refused: alg/, 'Name it in id_token_signing_alg_values_supported.'],
  [/^ID token refused: another tenant/, 'Add it to tenants.'],
  [/^ID token refused: .*\(aud\)/, 'Compare clientId with its registration.'],
  [/^ID token refused: further/, 'If you know them, name them in trustedAudiences of openIdConnect.'],
  [/^ID token refused: too old/, 'Set the clocks.'],
  [/^ID token refused/, 'Sign in again, or ask the administrator of the provider.'],
  [
    /^The response is of/,
    'Sign in again. If both are your provider, let metadata and sign-in page name one issuer.',
  ],
  [/^The response names no/, 'Sign in again. If it repeats, a proxy drops the parameter iss.'],
  [/the issuer that the metadata promise$/, 'Let the provider send iss with its errors too (RFC 9207).'],
  [/^The sign-in page sent/, "Allow this client the response type 'code' only."],
  [/: a token of \d+ characters/, 'Let the provider put fewer roles and claims into it.'],
  [/ refused.*pushed/i, "This client must push its requests: set pushedRequests: 'required'."],
  [/ refused.*dpop/i, "It requires DPoP: set dpop: 'required'."],
  [/: invalid_client/, 'Register it as a public client: PKCE, no secret.'],
  [
    /: unauthorized_client/,
    'Make it a public client, without a secret (Keycloak: Client authentication off), and allow it the grants authorization_code and refresh_token.',
  ],
  [/: unsupported_grant_type/, 'Allow it the grants authorization_code and refresh_token.'],
  [/: invalid_scope/, 'Ask for scopes that this client may have.'],
  [/: invalid_target/, 'Ask for a resource that the provider knows.'],
  [/: invalid_request/, 'Compare clientId and redirectUri with its registration.'],
  [
    /that cannot be right$|: token_type is missing$/,
    'Compare the response of the token endpoint with RFC 6749 §5.1.',
  ],
]

export function addRemedy(error: AuthError): void {
  const [, remedy] = REMEDIES.find(([words]) => words.test(error.message)) ?? []
  if (remedy !== undefined) setRemedy(error, remedy)
}

/**
 * @param asked the response; `undefined`: the metadata names no endpoint
 * @param user the claims of the ID token
 */
export async function readUserInfo(
  asked: Promise<unknown> | undefined,
  user: () => IdClaims,
): Promise<ServerRecord> {
  if (!asked)
    throw fault('not-supported', 'The provider has no user info', 'Its metadata names no userinfo_endpoint.')
  const answer = await asked.catch((error: unknown) => knownInstead(error as AuthError, user()))
  // A JWT.
  if (String(answer).startsWith('eyJ'))
    throw fault('unexpected-answer', 'The user info is a signed token', 'Let the provider send it as JSON.')
  const userInfo = readRecord('user info', answer)
  if (userInfo['sub'] === user().sub) return userInfo
  throw fault(
    'unexpected-answer',
    'The user info is of another user than the ID token',
    'A cache may have responded.',
  )
}

/**
 * The user info that the ID token contains. A provider may refuse a token for the app's own API (RFC 8707), and would refuse a new
 * one; a bound one by its challenge. @throws the error if it contains none, or is another
 */
function knownInstead(error: AuthError, { sub, name, email, picture }: IdClaims): object {
  const { status, code } = error
  if (status !== 401 && status !== 403 && code !== 'client-refused') throw error
  if (name ?? email) return { sub, name, email, picture }
  if (status !== undefined)
    setRemedy(
      error,
      "Is the token for it (audience), and is openid among its scopes? Keycloak refuses a client's lightweight access tokens.",
    )
  throw error
}

function setRemedy(error: AuthError, remedy: string) {
  const { stack = '', message, remedy: before } = error
  const words = before === undefined ? message : `${message} (${before})`
  Object.assign(error, { remedy, stack: stack.replace(words, () => `${message} (${remedy})`) })
}

interface PushOptions extends Pick<KnownProvider, 'metadata' | 'client'> {
  /** To the endpoint, without a body. */
  request: WireRequest
  ports: Pick<ServerPorts, 'send' | 'record'>
  /** Not imported: the first file has it. */
  clientRefused(status: number, body: unknown): AuthError | undefined
}

/** Returns the URL to go to. @throws AuthError `client-refused`, `unexpected-answer`, and those of a request */
export async function pushRequest(
  authorizeUrl: string,
  { request, metadata, client, ports, clientRefused }: PushOptions,
): Promise<string> {
  const { what } = request
  const answer = await ports.send({
    ...request,
    body: new URL(authorizeUrl).search.slice(1),
    expectedStatus: 201,
    refused: (refusal) => clientRefused(refusal.status, refusal.body) ?? unexpectedStatus(what, refusal),
  })
  const { request_uri } = readRecord(what, answer)
  if (typeof request_uri !== 'string' || request_uri === '') throw unexpectedAnswer(what)
  ports.record('pushed request', 'done', 'the server took it')
  const url = new URL(metadata.authorization_endpoint)
  url.searchParams.set('client_id', client.clientId)
  url.searchParams.set('request_uri', request_uri)
  return url.href
}
