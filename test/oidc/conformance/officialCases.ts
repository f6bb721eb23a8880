// The cases of the OpenID conformance suite's relying-party plans that fit a code client without a secret; evidence/conformance.md is written from this list.

/** What the suite wants: that the client goes on, that it refuses, or either. */
export type Expected = 'accept' | 'reject' | 'either'

export interface OfficialCase {
  readonly id: string
  readonly expected: Expected
  /** What latchkey does. */
  readonly result: 'accepted' | 'refused'
  /** What a reader has to know of it. */
  readonly note?: string
}

const UNSIGNED =
  'no signature is checked: the ID token comes from the token endpoint itself, over TLS (OpenID Connect Core 3.1.3.7)'

const OIDCC = 'oidcc-client-test'
const FAPI = 'fapi2-security-profile-final-client-test'

const accept = (id: string, note?: string): OfficialCase => ({
  id,
  expected: 'accept',
  result: 'accepted',
  ...(note && { note }),
})
const reject = (id: string): OfficialCase => ({ id, expected: 'reject', result: 'refused' })
const either = (id: string, result: OfficialCase['result'], note: string): OfficialCase => ({
  id,
  expected: 'either',
  result,
  note,
})

export const OFFICIAL_CASES: readonly OfficialCase[] = [
  accept(OIDCC),
  accept(`${OIDCC}-3rd-party-init-login`, 'by readInitiatedLogin'),
  ...['invalid-iss', 'missing-sub', 'invalid-aud', 'missing-aud', 'missing-iat', 'nonce-invalid'].map(
    (name) => reject(`${OIDCC}-${name}`),
  ),
  accept(`${OIDCC}-kid-absent-single-jwks`, UNSIGNED),
  either(`${OIDCC}-kid-absent-multiple-jwks`, 'accepted', UNSIGNED),
  accept(`${OIDCC}-idtoken-sig-rs256`, UNSIGNED),
  either(`${OIDCC}-idtoken-sig-none`, 'refused', 'an ID token without a signature is taken from nobody'),
  either(`${OIDCC}-invalid-sig-rs256`, 'accepted', UNSIGNED),
  either(`${OIDCC}-invalid-sig-es256`, 'accepted', UNSIGNED),
  either(`${OIDCC}-invalid-sig-hs256`, 'refused', 'a client without a secret has no key for it'),
  reject(`${OIDCC}-userinfo-invalid-sub`),
  accept(`${OIDCC}-userinfo-bearer-header`),
  accept(`${OIDCC}-scope-userinfo-claims`),
  {
    id: `${OIDCC}-userinfo-signed`,
    expected: 'accept',
    result: 'refused',
    note: 'on purpose: user info as a JWT is not read, and the error says to switch it off at the provider',
  },
  accept(`${OIDCC}-discovery-openid-config`),
  reject(`${OIDCC}-discovery-issuer-mismatch`),
  accept(`${OIDCC}-refresh-token`),
  reject(`${OIDCC}-refresh-token-invalid-issuer`),
  reject(`${OIDCC}-refresh-token-invalid-sub`),
  accept(`${OIDCC}-rp-init-logout`),
  accept(
    `${OIDCC}-rp-init-logout-other-state`,
    'the user is signed out, and the strange state leads nowhere',
  ),
  accept(`${OIDCC}-rp-init-logout-no-state`, 'the user is signed out, and stays where the provider leads'),
  accept(`${FAPI}-happy-path`),
  accept(`${FAPI}-happy-path-no-dpop-nonce`),
  accept(`${FAPI}-rs-dpop-auth-scheme-case-insensitivity`),
  ...[
    'invalid-iss',
    'invalid-aud',
    'invalid-nonce',
    'invalid-missing-aud',
    'invalid-missing-iss',
    'invalid-missing-nonce',
    'invalid-missing-exp',
    'invalid-expired-exp',
    'invalid-null-alg',
    'invalid-alternate-alg',
    'invalid-secondary-aud',
  ].map((name) => reject(`${FAPI}-${name}`)),
  accept(`${FAPI}-valid-aud-as-array`),
  ...[
    'invalid-authorization-response-iss',
    'remove-authorization-response-iss',
    'ensure-authorization-response-with-invalid-state-fails',
    'ensure-authorization-response-with-invalid-missing-state-fails',
    'discovery-issuer-mismatch',
  ].map((name) => reject(`${FAPI}-${name}`)),
  accept(`${FAPI}-token-endpoint-response-without-expires_in`),
  accept(`${FAPI}-token-type-case-insensitivity`),
  accept('fapi2-security-profile-final-client-refresh-token-test'),
]

/** Those that fit, and have no test yet. */
export const UNTESTED: Readonly<Record<string, string>> = {}

/** What of the plans is not for a code client without a secret in a browser. */
export const DO_NOT_FIT =
  'client secrets, form_post, request objects and request_uri, registration, webfinger, mutual TLS, hybrid flows and their hashes, aggregated and distributed claims, back- and front-channel logout, session management, JARM'
