// Quirks of OpenID Connect providers that an app's screens can meet.

/** A provider that a fake server can simulate. */
export type FakeProvider = 'keycloak' | 'entra' | 'auth0' | 'okta' | 'cognito'

/** One quirk of a provider. docs/testing.md says which providers have it. */
export type FakeTrait =
  | 'frame-no-answer'
  | 'frame-interaction-required'
  | 'frame-consent-on-localhost'
  | 'no-session-id'
  | 'refresh-24-hours'
  | 'refresh-interaction-required'
  | 'refresh-invalid-request'
  | 'sign-in-denied'
  | 'sign-in-expired'

/** The usual quirks of each provider. A test sets the rare ones. */
const EVERYDAY: Readonly<Record<FakeProvider, readonly FakeTrait[]>> = {
  keycloak: [],
  entra: ['no-session-id', 'refresh-24-hours'],
  auth0: ['frame-consent-on-localhost'],
  okta: ['no-session-id'],
  cognito: ['frame-no-answer', 'no-session-id'],
}

export const traitsOf = (
  provider: FakeProvider | undefined,
  more: Iterable<FakeTrait> = [],
): Set<FakeTrait> => new Set([...(provider ? EVERYDAY[provider] : []), ...more])

/** An error response, with the provider's own text. */
type ProviderError = {
  readonly error: string
  readonly error_description: string
}

const DAY_MS = 86_400_000

/** The error of an authorize request; `undefined`: it is granted. A trait that happens once is removed. */
export function signInError(traits: Set<FakeTrait>, address: string): ProviderError | undefined {
  const { searchParams } = new URL(address)
  if (searchParams.get('prompt') === 'none') {
    if (traits.has('frame-interaction-required') && !searchParams.has('login_hint'))
      return {
        error: 'interaction_required',
        error_description:
          'AADSTS16000: Either multiple user identities are available for the current request or selected account is not supported for the scenario.',
      }
    const { hostname } = new URL(searchParams.get('redirect_uri') ?? address)
    if (traits.has('frame-consent-on-localhost') && hostname === 'localhost')
      return { error: 'consent_required', error_description: 'Consent required' }
    return undefined
  }
  if (traits.delete('sign-in-expired'))
    return { error: 'temporarily_unavailable', error_description: 'authentication_expired' }
  return traits.has('sign-in-denied')
    ? {
        error: 'access_denied',
        error_description:
          'Policy evaluation failed for this request, please check the policy configurations.',
      }
    : undefined
}

/** The error of a refresh, `ageMs` after the sign-in; `undefined`: it is granted. */
export function refreshError(traits: ReadonlySet<FakeTrait>, ageMs: number): ProviderError | undefined {
  if (traits.has('refresh-24-hours') && ageMs >= DAY_MS)
    return {
      error: 'invalid_grant',
      error_description:
        'AADSTS700084: The refresh token was issued to a single page app (SPA), and therefore has a fixed, limited lifetime of 1.00:00:00, which cannot be extended.',
    }
  if (traits.has('refresh-interaction-required'))
    return {
      error: 'interaction_required',
      error_description:
        'AADSTS50076: Due to a configuration change made by your administrator, you must use multi-factor authentication.',
    }
  return traits.has('refresh-invalid-request')
    ? { error: 'invalid_request', error_description: 'invalid refresh token' }
    : undefined
}
