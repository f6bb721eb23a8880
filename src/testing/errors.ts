// Makes every error of the catalogue exactly as the library does.
import * as errors from '../base/errors.ts'
import type { AuthError, AuthErrorCode, AuthErrorDetails } from '../base/errors.ts'
import { invalidClaims } from '../protocol/appClaims.ts'
import * as oidcErrors from '../protocol/servers/oidcErrors.ts'
import * as popupErrors from '../base/popupErrors.ts'
import * as sessionErrors from '../base/sessionErrors.ts'
import {
  sessionKept,
  type StepUpChallenge,
  stepUpRefused,
  switchRefused,
  stepUpRequired,
} from '../base/stepUpErrors.ts'

const what = 'GET /api/userinfo'

// The library loads some remedies later (`oidcLater.ts`). Imported here as well, that file would be split in the build.

const MAKERS: Readonly<Record<AuthErrorCode, () => AuthError>> = {
  'not-initialised': errors.notInitialised,
  'not-authenticated': sessionErrors.notAuthenticated,
  'missing-config': () => errors.missingConfig('authHost'),
  'invalid-scopes': errors.invalidScopes,
  'invalid-config': () => errors.invalidConfig('authHost', 'an https origin, or http on loopback'),
  'invalid-argument': () =>
    sessionErrors.invalidArgument('domain is not a domain name', 'Pass a name like firm.example.'),
  'unsupported-hook': () => errors.unsupportedHook('onLogin'),
  'invalid-hook': () => errors.invalidHook('afterLogin'),
  'invalid-listener': () => errors.invalidListener('invoices', 'paid'),
  'invalid-link-map': sessionErrors.invalidLinkMap,
  'cloud-provider-id-required': sessionErrors.cloudProviderIdRequired,
  'invalid-access-token': errors.invalidAccessToken,
  'iframe-timeout': errors.iframeTimeout,
  'iframe-blocked': () => errors.iframeBlocked('csp'),
  'random-unavailable': errors.randomUnavailable,
  'proof-key-unavailable': errors.proofKeyUnavailable,
  'storage-unavailable': sessionErrors.storageUnavailable,
  offline: errors.offline,
  network: () => errors.network(what),
  timeout: () => errors.timedOut(what),
  'unexpected-status': () => errors.unexpectedStatus(what, { status: 404, body: { error: 'not_found' } }),
  'unexpected-answer': () => errors.unexpectedAnswer(what, 200),
  'rate-limited': () => errors.unexpectedStatus(what, { status: 429, body: undefined, retryAfterMs: 30_000 }),
  forbidden: () =>
    Object.assign(errors.callRefused(what, { status: 403, body: { error: 'insufficient_scope' } }), {
      description: 'For administrators only',
      scopes: ['invoices:read'],
    }),
  conflict: () => errors.unexpectedStatus('PUT /cloudprovider/linkmap', { status: 412, body: undefined }),
  'access-denied': errors.accessDenied,
  'login-required': errors.loginRequired,
  'authorization-refused': () => errors.authorizationRefused('invalid_scope', 'The scope is unknown'),
  'issuer-mismatch': errors.issuerMismatch,
  'invalid-metadata': () =>
    oidcErrors.noMetadata('https://login.example.com/.well-known/openid-configuration'),
  'invalid-id-token': () =>
    Object.assign(oidcErrors.invalidIdToken('not the nonce of this sign-in'), {
      remedy: 'Sign in again, or ask the administrator of the provider.',
    }),
  'invalid-claims': () => invalidClaims('there is no userId'),
  'clock-skew': oidcErrors.clockSkew,
  'client-refused': () =>
    Object.assign(oidcErrors.clientRefused(401, { error: 'invalid_client' })!, {
      remedy: 'Register it as a public client: PKCE, no secret.',
    }),
  'not-supported': () => sessionErrors.notSupported('The link map'),
  'invalid-grant': sessionErrors.invalidGrant,
  'identity-changed': sessionErrors.identityChanged,
  'session-clash': () => sessionErrors.sessionClash({}),
  'redirect-loop': sessionErrors.redirectLoop,
  'redirect-refused': sessionErrors.redirectRefused,
  'popup-blocked': popupErrors.popupBlocked,
  'popup-closed': popupErrors.popupClosed,
  'popup-timeout': popupErrors.popupTimeout,
  'session-kept': sessionKept,
  'logout-failed': () => sessionErrors.logoutFailed(new TypeError('Failed to fetch')),
  'step-up-required': () => stepUpRequired({ acrValues: ['gold'], maxAgeInSeconds: 300 }),
  'switch-refused': () => switchRefused('the server wants to ask the user'),
  'step-up-refused': () => stepUpRefused({ acrValues: ['gold'], maxAgeInSeconds: 300 }),
  'no-provider': errors.noProvider,
  internal: () => errors.startUpFailed(new TypeError('undefined is not a function')),
}

/** Every code of the catalogue. */
export const AUTH_ERROR_CODES: readonly AuthErrorCode[] = Object.keys(MAKERS) as AuthErrorCode[]

/**
 * Returns an error as the library makes it. `details` replaces the values that come from a response.
 *
 * @example
 * createAuthError('iframe-blocked').remedy // "Add the authHost to frame-src of the page's CSP; with OpenID Connect, the provider and 'self'."
 */
export function createAuthError(
  code: AuthErrorCode,
  details: AuthErrorDetails & StepUpChallenge & Pick<AuthError, 'description' | 'scopes'> = {},
): AuthError {
  const { status } = details
  return Object.assign(MAKERS[code](), details, status !== undefined && { statusCode: status })
}
