// The options of `openIdConnect`, and their check.
import { type AuthError, fault, invalidConfig } from '../../base/errors.ts'
import { notSupported } from '../../base/sessionErrors.ts'
import { invalidMetadata } from './oidcErrors.ts'
import type { Id, TokenClaims } from '../claims.ts'
import { checkOptions, isFunction, isText, oneOf, type Option, type Options } from '../options.ts'
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
  /** Further members of the app. */
  [further: string]: unknown
}

/** Options of `openIdConnect`. */
export interface OpenIdConnectOptions {
  /** The provider: https, or http on loopback; exactly as in its metadata, except for the slash after a bare host. */
  issuer: string
  /** Endpoints by their standard names; then no metadata is fetched. Default: the provider's published metadata. */
  metadata?: Readonly<Record<string, unknown>> | undefined
  /** URL of the metadata. Default: `{issuer}/.well-known/openid-configuration`. */
  discoveryUrl?: string | undefined
  /** The silent check: 'auto' by message if the provider supports it, else by the frame's URL; 'frame' by URL; 'off': none. Default 'auto'. */
  silent?: 'auto' | 'frame' | 'off' | undefined
  /** Redirect URI of the silent check. Default: that of every sign-in. */
  silentRedirectUri?: string | undefined
  /**
   * Maps the claims of the ID token and, where it is a JWT, of the access token to the user. If it throws, the sign-in is
   * refused. Default: `sub`, `sid`, `act.sub`.
   */
  claims?: ((idToken: TokenClaims, accessToken: TokenClaims | undefined) => MappedUser) | undefined
  /** Further parameters of the authorization request; `resource` goes to the token endpoint, too. Default: none. */
  parameters?: Readonly<Record<string, string | readonly string[]>> | undefined
  /**
   * Binds tokens to a key of this browser (DPoP, RFC 9449), so that a stolen token is useless elsewhere. 'auto': if the provider
   * supports it; 'required': tokens that are not bound are refused. Default 'off'.
   */
  dpop?: 'off' | 'auto' | 'required' | undefined
  /**
   * Pushes the authorization request (PAR, RFC 9126): 'auto' if the metadata requires it, 'required' if only the client's
   * registration does; 'off' refuses a provider that requires it. Default 'auto'.
   */
  pushedRequests?: 'auto' | 'required' | 'off' | undefined
  /** Further audiences that an ID token without `azp` may have. Default: none. */
  trustedAudiences?: readonly string[] | undefined
  /** The tenants whose users may sign in. Required for an issuer with `{tenantid}`. */
  tenants?: readonly string[] | 'any' | undefined
  /** A non-standard logout page: its URL, and the name of its parameter for the return address. Default: the standard one. */
  endSession?: { readonly url: string; readonly returnParameter: string } | undefined
  /** Repeats the scopes at a refresh: otherwise some providers send no ID token. Default false. */
  refreshScope?: boolean | undefined
  /** How long the provider accepts a refresh token again, seconds. Default 0. */
  refreshReuseInSeconds?: number | undefined
  /**
   * The claim of the ID token for `login_hint` of a silent check, and of a sign-in after a reload; of a list, the first that is
   * present. This tab stores it until the session ends. Default: none.
   */
  loginHintClaim?: string | readonly string[] | undefined
  /** The claim for `logout_hint` of the logout page. Default: none. */
  logoutHintClaim?: string | undefined
  /** How the organization is sent to the provider, for `auth.switchTo`. Default: by the parameter `organization`. */
  organization?: OrganizationNames | undefined
  /** The provider's name for its list of allowed origins, for error texts. Default: 'the allowed origins'. */
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
  readonly discovery?: WireRequest | undefined
  /** Asks newer metadata, since the provider may have changed them while the page is open. Absent if they are in the options. */
  readonly isKnownByNow?: ((isKnown: (metadata: Metadata) => boolean) => Promise<boolean>) | undefined
}

const SAFE_URL: Option<string> = [isSafeUrl, 'an https URL']
const UNCHECKED = [() => true, ''] as const

/** Issuer and tenants are checked together. */
const OPTIONS: Options<OpenIdConnectOptions> = {
  issuer: UNCHECKED,
  metadata: UNCHECKED,
  discoveryUrl: SAFE_URL,
  silent: oneOf(['auto', 'frame', 'off']),
  silentRedirectUri: SAFE_URL,
  claims: [isFunction, 'a function'],
  parameters: [
    (value) => !Object.keys(value).some((name) => OWN_PARAMETERS.test(name)),
    'texts by name, none of the code flow itself',
  ],
  dpop: oneOf(['off', 'auto', 'required']),
  pushedRequests: oneOf(['auto', 'required', 'off']),
  trustedAudiences: [(value) => Array.isArray(value) && value.every(isText), 'a list of texts'],
  tenants: UNCHECKED,
  endSession: [
    ({ url, returnParameter: name }) => isSafeUrl(url) && isText(name) && name !== '',
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
export function parseOptions(given: OpenIdConnectOptions): OidcSettings {
  const options = checkOptions(OPTIONS, given)
  const { issuer, metadata, tenants } = options
  explainIssuer(issuer)
  const isAllowed = issuer.includes(TENANT) ? tenants === 'any' || tenants?.length : tenants === undefined
  if (!isAllowed) throw invalidConfig('tenants', `a list of ids, or 'any', with ${TENANT} in the issuer`)
  const refuse = (name: string) => {
    throw invalidMetadata(name)
  }
  const inline = metadata && readMetadata({ issuer, ...metadata }, issuer, 'metadata', refuse)
  return { ...options, discoveryUrl: options.discoveryUrl ?? discoveryUrl(issuer), inline }
}

/** Whether it comes from an unset environment variable, also where a bundler has inserted it into a text. */
export const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && /^(undefined|null|\s*)$/.test(value))

export const unsetOption = (name: string): AuthError =>
  fault(
    'invalid-config',
    `Invalid config parameter : ${name}`,
    `${name} is missing. If it comes from an environment variable, that one is not set: with Vite its name begins with VITE_, and the dev server must be started again.`,
  )

/** Explains frequent mistakes, and the one provider that cannot work. */
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
