// What OpenID Connect providers in common use need beyond the standard: options to be spread into openIdConnect, or given as the server as they are.
import { invalidConfig } from '../../base/errors.ts'
import { discoveryUrl, GUID } from './metadata.ts'
import { isUnset, type OpenIdConnectOptions, unsetOption } from './oidcOptions.ts'
import type { OidcProfile } from './oidcProfile.ts'
import { oidcProfile } from './openIdConnect.ts'
import type { ServerProfile } from './profile.ts'

/** The options of a provider; given to `createAuth` as `server`, they are its profile. A copy made with a spread has the options only. */
export type Preset = OpenIdConnectOptions & ServerProfile

const PROFILE = [
  'id',
  'protocol',
  'authHost',
  'supports',
  'checkClient',
  'createKey',
  'readAnswer',
  'open',
  // The Vite plugin reads it: from where the first script of a page fetches the metadata.
  'discovery',
] as const satisfies readonly (keyof OidcProfile)[]

/** The options as they are; the profile is made of them when it is first used. */
function preset(options: OpenIdConnectOptions): Preset {
  let made: OidcProfile | undefined
  // Not enumerable, so a spread copies the options only.
  for (const name of PROFILE)
    Object.defineProperty(options, name, { get: () => (made ??= oidcProfile(options))[name] })
  return options as Preset
}

/**
 * Keycloak 17 and later; for older ones, `url` ends with `/auth`.
 *
 * @example openIdConnect(keycloak({ url: 'https://login.example.com', realm: 'staff' }))
 */
export const keycloak = ({ url, realm }: { url: string; realm: string }): Preset =>
  preset({
    issuer: `${trim(url)}/realms/${encodeURIComponent(given('realm', realm))}`,
    originSetting: "the client's 'Web origins'",
    organization: { scope: 'organization:{organization}' },
  })

/** The directory of personal Microsoft accounts. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * Microsoft Entra ID. `tenant`: the id of a tenant; or `organizations` or `common`, and then the `tenants` whose users may
 * sign in; or `consumers`, personal Microsoft accounts. `clientCapabilities`: `['cp1']` tells APIs that the app knows claims challenges (`xms_cc`).
 *
 * @example openIdConnect(entra({ tenant: '11111111-2222-3333-4444-555555555555' }))
 */
export function entra({
  tenant,
  tenants,
  host = 'login.microsoftonline.com',
  clientCapabilities = [],
}: {
  tenant: string
  tenants?: readonly string[] | 'any' | undefined
  host?: string | undefined
  clientCapabilities?: readonly string[] | undefined
}): Preset {
  const base = `https://${hostOf(host)}/`
  const isConsumers = tenant === 'consumers' || tenant === CONSUMERS
  const isTemplate = /^(common|organizations)$/.test(given('tenant', tenant))
  if (!isTemplate && !isConsumers && !GUID.test(tenant))
    throw invalidConfig(
      'tenant',
      "a tenant's id (not its domain name), 'organizations', 'common' or 'consumers'",
    )
  if (isConsumers && tenants !== undefined && tenants !== 'any' && !tenants.includes(CONSUMERS))
    throw invalidConfig('tenants', `left out with 'consumers', whose one tenant is ${CONSUMERS}`)
  return preset({
    issuer: `${base}${isTemplate ? '{tenantid}' : isConsumers ? CONSUMERS : tenant}/v2.0`,
    ...((isTemplate || isConsumers) && {
      discoveryUrl: discoveryUrl(`${base}${isConsumers ? 'consumers' : tenant}/v2.0`),
    }),
    ...(isTemplate && { tenants }),
    ...(clientCapabilities.length > 0 && {
      parameters: { claims: JSON.stringify({ access_token: { xms_cc: { values: clientCapabilities } } }) },
    }),
    ...MICROSOFT,
  })
}

/**
 * Microsoft Entra External ID, for customers. `host`: that of the sign-in pages, `example.ciamlogin.com` or your own domain;
 * `tenantId`: the id of the external tenant.
 *
 * @example openIdConnect(entraExternalId({ host: 'example.ciamlogin.com', tenantId: '11111111-2222-3333-4444-555555555555' }))
 */
export function entraExternalId({ host, tenantId }: { host: string; tenantId: string }): Preset {
  const tenant = guidOf('tenantId', tenantId)
  return preset({
    // Whatever the host of the pages, the issuer has the tenant's id there, too.
    issuer: `https://${tenant}.ciamlogin.com/${tenant}/v2.0`,
    discoveryUrl: discoveryUrl(`https://${hostOf(host, 'host')}/${tenant}/v2.0`),
    ...MICROSOFT,
  })
}

/**
 * Azure AD B2C. `host`: that of the sign-in pages, `example.b2clogin.com` or your own domain; `tenantId`: the id of the
 * tenant; `policy`: the user flow, with its setting 'Issuer (iss) claim' as it is by default.
 *
 * @example openIdConnect(azureB2c({ host: 'example.b2clogin.com', tenantId: '11111111-2222-3333-4444-555555555555', policy: 'B2C_1_signin' }))
 */
export function azureB2c({
  host,
  tenantId,
  policy,
}: {
  host: string
  tenantId: string
  policy: string
}): Preset {
  const issuer = `https://${hostOf(host, 'host')}/${guidOf('tenantId', tenantId)}/v2.0/`
  const flow = encodeURIComponent(given('policy', policy))
  return preset({
    issuer,
    discoveryUrl: discoveryUrl(issuer.replace('/v2.0/', `/${flow}/v2.0`)),
    originSetting: MICROSOFT.originSetting,
  })
}

const MICROSOFT = {
  // Without it, a silent check fails for who is signed in with two accounts. The first one is an optional claim.
  loginHintClaim: ['login_hint', 'preferred_username'],
  // A user name is not taken there.
  logoutHintClaim: 'login_hint',
  originSetting: "the redirect URIs of type 'Single-page application'",
}

/**
 * Auth0. `audience`: the API that the access token is for. `hasEndSession: false`: a tenant that does not publish a logout
 * endpoint.
 *
 * @example openIdConnect(auth0({ domain: 'example.eu.auth0.com', audience: 'https://api.example.com' }))
 */
export const auth0 = ({
  domain,
  audience,
  hasEndSession = true,
}: {
  domain: string
  audience?: string | undefined
  hasEndSession?: boolean | undefined
}): Preset =>
  preset({
    issuer: `https://${hostOf(domain)}/`,
    ...(audience !== undefined && { parameters: { audience } }),
    ...(!hasEndSession && {
      endSession: { url: `https://${hostOf(domain)}/v2/logout`, returnParameter: 'returnTo' },
    }),
    originSetting: "'Allowed Web Origins' of the application",
  })

/**
 * Okta. `authorizationServer`: its id, such as `default`; left out, the one of the organization. `clientId`: only where
 * its issuer is 'Dynamic'.
 *
 * @example openIdConnect(okta({ domain: 'example.okta.com', authorizationServer: 'default' }))
 */
export function okta({
  domain,
  authorizationServer,
  clientId,
}: {
  domain: string
  authorizationServer?: string | undefined
  clientId?: string | undefined
}): Preset {
  const server = authorizationServer === undefined ? '' : `/oauth2/${authorizationServer}`
  const issuer = `https://${hostOf(domain)}${server}`
  return preset({
    issuer,
    ...(clientId !== undefined && {
      discoveryUrl: `${discoveryUrl(issuer)}?${new URLSearchParams({ client_id: clientId })}`,
    }),
    refreshScope: true,
    refreshReuseInSeconds: 30,
    originSetting: "'Trusted Origins'",
  })
}

/**
 * Amazon Cognito. `domain`: the host of the pool's own sign-in pages.
 *
 * @example openIdConnect(cognito({ region: 'eu-west-1', userPoolId: 'eu-west-1_AbCdEf', domain: 'example.auth.eu-west-1.amazoncognito.com' }))
 */
export const cognito = ({
  region,
  userPoolId,
  domain,
}: {
  region: string
  userPoolId: string
  domain: string
}): Preset =>
  preset({
    issuer: `https://cognito-idp.${given('region', region)}.amazonaws.com/${given('userPoolId', userPoolId)}`,
    endSession: { url: `https://${hostOf(domain)}/logout`, returnParameter: 'logout_uri' },
  })

/**
 * Zitadel. `url`: the address of the instance.
 *
 * @example openIdConnect(zitadel({ url: 'https://example.zitadel.cloud' }))
 */
export const zitadel = ({ url }: { url: string }): Preset =>
  preset({
    issuer: trim(url),
    originSetting: 'the redirect URIs of the application',
    organization: { scope: 'urn:zitadel:iam:org:id:{organization}' },
  })

/**
 * authentik. `application`: its slug.
 *
 * @example openIdConnect(authentik({ url: 'https://login.example.com', application: 'admin' }))
 */
export const authentik = ({ url, application }: { url: string; application: string }): Preset =>
  preset({
    issuer: `${trim(url)}/application/o/${encodeURIComponent(given('application', application))}/`,
    originSetting: 'the redirect URIs of the provider',
  })

/**
 * Logto. `url`: the endpoint of the tenant; `resource`: the API that the access token is for.
 *
 * @example openIdConnect(logto({ url: 'https://example.logto.app', resource: 'https://api.example.com' }))
 */
export const logto = ({
  url,
  resource,
}: {
  url: string
  resource?: string | readonly string[] | undefined
}): Preset =>
  preset({
    issuer: `${trim(url)}/oidc`,
    // Without it, the scope offline_access is dropped without a word.
    parameters: { prompt: 'consent', ...(resource !== undefined && { resource }) },
    originSetting: 'the redirect URIs of the application',
  })

const trim = (url: unknown) => given('url', url).replace(/\/+$/, '')

/** A text in the place where one is needed: `undefined` would become part of an address. */
function given(name: string, value: unknown): string {
  if (isUnset(value)) throw unsetOption(name)
  if (typeof value !== 'string') throw invalidConfig(name, 'a text')
  return value
}

function guidOf(name: string, value: unknown): string {
  if (!GUID.test(given(name, value)))
    throw invalidConfig(name, "the tenant's id: 32 hex digits in five groups, in small letters")
  return value as string
}

/** A host, with a port at most: an address in its place would become part of another one. */
function hostOf(domain: unknown, name = 'domain'): string {
  if (!/^[\w.-]+(:\d+)?$/.test(given(name, domain))) throw invalidConfig(name, 'a host without https://')
  return domain as string
}
