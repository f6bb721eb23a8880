// What to do about a provider's refusal or its ID token, and what is known without the user info that it refuses. Loads with the first one.
import type { AuthError } from '../../base/errors.ts'
import type { IdClaims } from './idToken.ts'

/** What to do, by the words of the error; a provider's own follow the colon. The first that fits counts. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/token refused: encrypted/, 'Switch encryption off for this client.'],
  [/token refused: none/, 'Let the provider issue ID tokens to this client.'],
  [/token refused: larger/, 'Put fewer claims into it.'],
  [/token refused: sub/, 'Let the provider send it as text, not as a number.'],
  [/token refused: crit/, 'Use no extensions of JWS.'],
  [/token refused: not signed/, 'Give the provider a signing key.'],
  [/token refused: signed/, 'Give the provider a signing key: RS256, ES256 or the like.'],
  [/token refused: alg/, 'Name it in id_token_signing_alg_values_supported.'],
  [/token refused: another tenant/, 'Add it to tenants.'],
  [/token refused: .*\(aud\)/, 'Compare clientId with its registration.'],
  [/token refused: further/, 'If you know them, name them in trustedAudiences of openIdConnect.'],
  [/token refused: too old/, 'Set the clocks.'],
  [/token refused/, 'Sign in again, or ask the administrator of the provider.'],
  [/pushed/i, "This client must push its requests: set pushedRequests: 'required'."],
  [/dpop/i, "It requires DPoP: set dpop: 'required'."],
  [/: invalid_client/, 'Register it as a public client: PKCE, no secret.'],
  [
    /: unauthorized_client/,
    'Make it a public client, without a secret (Keycloak: Client authentication off), and allow it the grants authorization_code and refresh_token.',
  ],
  [/: unsupported_grant_type/, 'Allow it the grants authorization_code and refresh_token.'],
  [/: invalid_scope/, 'Ask for scopes that this client may have.'],
  [/: invalid_target/, 'Ask for a resource that the provider knows.'],
  [/: invalid_request/, 'Compare clientId and redirectUri with its registration.'],
]

/** Tells what to do, where the error leads to a cause. */
export function addRemedy(error: AuthError): void {
  const [, remedy] = REMEDIES.find(([words]) => words.test(error.message)) ?? []
  if (remedy !== undefined) tell(error, remedy)
}

/** What the ID token says of the user. @throws the error where that is nothing */
export function knownInstead(error: AuthError, { sub, name, email, picture }: IdClaims): object {
  if (name ?? email) return { sub, name, email, picture }
  if (error.status === undefined) throw error
  tell(
    error,
    "Is the token for it (audience), and is openid among its scopes? Keycloak refuses a client's lightweight access tokens.",
  )
  throw error
}

function tell(error: AuthError, remedy: string) {
  const { stack = '', message, remedy: before } = error
  const words = before === undefined ? message : `${message} (${before})`
  Object.assign(error, { remedy, stack: stack.replace(words, () => `${message} (${remedy})`) })
}
