// What an app says of its OpenID Connect provider, checked once, with a reason for everything that is refused.
import { type AuthError, fault, invalidConfig, unknownConfig } from '../../base/errors.ts'
import { notSupported } from '../../base/sessionErrors.ts'
import { invalidMetadata } from './oidcErrors.ts'
import type { Id, TokenClaims } from '../claims.ts'
import { OWN_PARAMETERS } from '../signIn.ts'
import { isSafeUrl } from '../origin.ts'
import type { OrganizationNames, ServerClient, ServerProfile, WireRequest } from './profile.ts'
import { discoveryUrl, type Metadata, readMetadata, TENANT } from './metadata.ts'

/** The signed-in user, as `claims` returns it; further members are copied to `user`. */
export interface MappedUser {
  /** The user, a text or a safe integer. */
  userId: Id
  /** The firm, organization or tenant that the user works for. */
  firmId?: Id | undefined
  /** The session, as the provider names it. */
  sessionId?: Id | undefined
  /** Present when someone acts for this user. */
  impersonatorId?: Id | undefined
  /** Whatever else the app needs of the user. */
  [further: string]: unknown
}

/** What `openIdConnect` takes. */
export interface OpenIdConnectOptions {
  /** The provider: https, or http on loopback; exactly as in its metadata, but for the slash after a bare host. */
  issuer: string
  /** Endpoints by their standard names: then nothing is fetched. Default: what the provider publishes. */
  metadata?: Readonly<Record<string, unknown>> | undefined
  /** Where the metadata is. Default: `{issuer}/.well-known/openid-configuration`. */
  discoveryUrl?: string | undefined
  /** The silent check: by message where the provider offers it, else by the address of the frame; or none. Default 'auto'. */
  silent?: 'auto' | 'frame' | 'off' | undefined
  /** Redirect URI of the silent check. Default: that of every sign-in. */
  silentRedirectUri?: string | undefined
  /**
   * The user, from the claims of the ID token and, where it is a JWT, of the access token. Default: `sub`, `sid`, `act.sub`. What it throws refuses the
   * sign-in.
   */
  claims?: ((idToken: TokenClaims, accessToken: TokenClaims | undefined) => MappedUser) | undefined
  /** Further parameters of the authorization request; `resource` goes to the token endpoint, too. Default: none. */
  parameters?: Readonly<Record<string, string | readonly string[]>> | undefined
  /**
   * Binds tokens to a key of this browser (DPoP, RFC 9449), so that a stolen token is worth nothing elsewhere. 'auto': where the provider offers it;
   * 'required': a token that is not bound is refused. Default 'off'.
   */
  dpop?: 'off' | 'auto' | 'required' | undefined
  /**
   * Sends the authorization request to the provider first (PAR, RFC 9126): 'auto' where its metadata requires that, 'required' for
   * a client that must although the metadata do not say so; 'off' refuses such a provider. Default 'auto'.
   */
  pushedRequests?: 'auto' | 'required' | 'off' | undefined
  /** Further audiences that an ID token without `azp` may name beside this client. Default: none. */
  trustedAudiences?: readonly string[] | undefined
  /** For an issuer with `{tenantid}`: the tenants whose users may sign in. Default: none; such an issuer needs it. */
  tenants?: readonly string[] | 'any' | undefined
  /** A logout page with parameters of its own: its address, and the name of the parameter that holds the way back. Default: the provider's standard one. */
  endSession?: { readonly url: string; readonly returnParameter: string } | undefined
  /** Repeat the scopes at a refresh: some providers send no ID token otherwise. Default false. */
  refreshScope?: boolean | undefined
  /** So long the provider takes a refresh token a second time, seconds. Default 0. */
  refreshReuseInSeconds?: number | undefined
  /**
   * The claim of the ID token that a silent check sends as `login_hint`, and a sign-in after a reload; of a list, the first that is there. This tab
   * remembers it until the session ends. Default: none is sent.
   */
  loginHintClaim?: string | readonly string[] | undefined
  /** The claim that the logout page is sent as `logout_hint`. Default: none is sent. */
  logoutHintClaim?: string | undefined
  /** How the organization is sent to the provider, for `auth.switchTo`. Default: by the parameter `organization`. */
  organization?: OrganizationNames | undefined
  /** What the provider calls its list of allowed origins, for the text of an error. Default: 'the allowed origins'. */
  originSetting?: string | undefined
}

/** The options after their check. */
export interface OidcSettings extends OpenIdConnectOptions {
  readonly discoveryUrl: string
  readonly inline: Metadata | undefined
}

/** A profile with what the presets and the tests need besides. */
export interface OidcProfile extends ServerProfile {
  readonly settings: OidcSettings
  /** The request for the metadata; `undefined` if the options contain it. */
  readonly discovery: WireRequest | undefined
  /** @throws AuthError `invalid-metadata`, `issuer-mismatch`, `not-supported` */
  readMetadata(document?: unknown, onUnusable?: (name: string) => void): Metadata
}

/** A provider whose metadata is known, for one client. */
export interface KnownProvider {
  readonly metadata: Metadata
  readonly settings: OidcSettings
  readonly client: ServerClient
}

/** Tells whether a value that is given is right, and says in words what it must be. */
type Check<Value> = readonly [isRight: (value: NonNullable<Value>) => boolean, expected: string]

const SAFE_URL: Check<string> = [isSafeUrl, 'an https URL']
const oneOf = (...values: readonly unknown[]): Check<unknown> => [
  (value) => values.includes(value),
  `one of ${values.map((value) => `'${String(value)}'`).join(', ')}`,
]
const UNCHECKED: Check<unknown> = [() => true, '']

/** All options; one that is missing here does not compile. The issuer and the tenants depend on more than their own value. */
const OPTIONS: { readonly [Name in keyof OpenIdConnectOptions]-?: Check<OpenIdConnectOptions[Name]> } = {
  issuer: UNCHECKED,
  metadata: UNCHECKED,
  discoveryUrl: SAFE_URL,
  silent: oneOf('auto', 'frame', 'off'),
  silentRedirectUri: SAFE_URL,
  claims: [(value) => typeof value === 'function', 'a function'],
  parameters: [
    (value) => !Object.keys(value).some((name) => OWN_PARAMETERS.test(name)),
    'texts by name, none of the code flow itself',
  ],
  dpop: oneOf('off', 'auto', 'required'),
  pushedRequests: oneOf('auto', 'required', 'off'),
  trustedAudiences: [
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
    'a list of texts',
  ],
  tenants: UNCHECKED,
  endSession: [
    ({ url, returnParameter: name }) => isSafeUrl(url) && typeof name === 'string' && name !== '',
    '{ url, returnParameter }',
  ],
  refreshScope: UNCHECKED,
  refreshReuseInSeconds: [(value) => value >= 0, 'a number of seconds'],
  loginHintClaim: UNCHECKED,
  logoutHintClaim: UNCHECKED,
  organization: UNCHECKED,
  originSetting: UNCHECKED,
}

/** @throws AuthError `invalid-config`, `invalid-metadata`, `issuer-mismatch`, `not-supported` */
export function checkOptions(given: OpenIdConnectOptions): OidcSettings {
  // A copy, so that later changes of the object have no effect. `openIdConnect()` without an object lacks its issuer.
  const options = { ...given }
  const { issuer, metadata, tenants } = options
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name))
  if (unknown !== undefined) throw unknownConfig(unknown, undefined)
  explainIssuer(issuer)
  const checks = Object.entries(OPTIONS) as [name: keyof OpenIdConnectOptions, check: Check<never>][]
  for (const [name, [isRight, expected]] of checks) {
    const value = options[name]
    if (value === null || (value !== undefined && !isRight(value as never)))
      throw invalidConfig(name, expected)
  }
  const isAllowed = issuer.includes(TENANT) ? tenants === 'any' || tenants?.length : tenants === undefined
  if (!isAllowed) throw invalidConfig('tenants', `a list of ids, or 'any', with ${TENANT} in the issuer`)
  const refuse = (name: string) => {
    throw invalidMetadata(name)
  }
  const inline = metadata && readMetadata({ issuer, ...metadata }, issuer, 'metadata', refuse)
  return { ...options, discoveryUrl: options.discoveryUrl ?? discoveryUrl(issuer), inline }
}

/** What an environment variable that is not set becomes, also where a bundler has written it into a text. */
export const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && /^(undefined|null|\s*)$/.test(value))

/** A value is missing; most often it was to come from an environment variable. */
export const unsetOption = (name: string): AuthError =>
  fault(
    'invalid-config',
    `Invalid config parameter : ${name}`,
    `${name} is missing. If it comes from an environment variable, that one is not set: with Vite its name begins with VITE_, and the dev server must be started again.`,
  )

/** The slips that everybody makes first, and the one provider that cannot work. */
function explainIssuer(issuer: unknown): void {
  if (isUnset(issuer)) throw unsetOption('issuer')
  if (!isSafeUrl(issuer) || issuer.includes('?'))
    throw invalidConfig(
      'issuer',
      'an https URL without a query; FusionAuth: set one as issuer of the tenant, too',
    )
  const [base, wellKnown] = issuer.split('/.well-known/')
  if (wellKnown !== undefined) throw invalidConfig('issuer', JSON.stringify(base))
  if (/^https:\/\/accounts\.google\.com\/?$/.test(issuer))
    throw notSupported(
      'Google',
      'It wants a client secret. Sign in through a provider between, such as Keycloak.',
    )
}
