// Options of openIdConnect for providers in common use; each is also a server profile.
import { invalidConfig } from '../../base/errors.ts'
import { discoveryUrl, GUID, TENANT } from './metadata.ts'
import { isUnset, type OidcProfile, type OpenIdConnectOptions, unsetOption } from './oidcOptions.ts'
import { oidcProfile } from './openIdConnect.ts'
import type { ServerProfile } from './profile.ts'

/** The options of a provider, and its profile for `createAuth({ server })`. A spread copies the options only. */
export type Preset = OpenIdConnectOptions & ServerProfile

/** Makes the profile at its first use. */
function preset(options: OpenIdConnectOptions): Preset {
  let made: OidcProfile | undefined
  const names = Object.keys(oidcProfile({ issuer: 'https://login.example' })) as (keyof OidcProfile)[]
  // Not enumerable, so a spread copies the options only.
  for (const name of names)
    Object.defineProperty(options, name, { get: () => (made ??= oidcProfile(options))[name] })
  return options as Preset
}

/**
 * Keycloak 17 and later; for older ones, `url` ends with `/auth`.
 *
 * @example openIdConnect(keycloak({ url: 'https://login.example.com', realm: 'staff' }))
 */
export const keycloak = (input: { url: string; realm: string }): Preset =>
  preset({
    issuer: `${urlOf(input)}/realms/${encodeURIComponent(textOf(input, 'realm'))}`,
    originSetting: "the client's 'Web origins'",
    organization: { scope: 'organization:{organization}' },
  })

/** The directory of personal Microsoft accounts. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * Microsoft Entra ID. `tenant`: the id of a tenant; or `organizations` or `common` with the `tenants` whose users may sign in;
 * or `consumers`, personal Microsoft accounts. `clientCapabilities`: `['cp1']` if the app handles claims challenges (`xms_cc`).
 *
 * @example openIdConnect(entra({ tenant: '11111111-2222-3333-4444-555555555555' }))
 */
export function entra(input: {
  tenant: string
  tenants?: readonly string[] | 'any' | undefined
  host?: string | undefined
  clientCapabilities?: readonly string[] | undefined
}): Preset {
  const { tenants, clientCapabilities: values = [] } = input
  const tenant = textOf(input, 'tenant')
  const base = `https://${hostOf({ host: input.host ?? 'login.microsoftonline.com' }, 'host')}/`
  const isConsumers = tenant === 'consumers' || tenant === CONSUMERS
  const isTemplate = /^(common|organizations)$/.test(tenant)
  if (!isTemplate && !isConsumers && !GUID.test(tenant))
    throw invalidConfig(
      'tenant',
      "a tenant's id (not its domain name), 'organizations', 'common' or 'consumers'",
    )
  if (isConsumers && tenants !== undefined && tenants !== 'any' && !tenants.includes(CONSUMERS))
    throw invalidConfig('tenants', `left out with 'consumers', whose one tenant is ${CONSUMERS}`)
  return preset({
    issuer: `${base}${isTemplate ? TENANT : isConsumers ? CONSUMERS : tenant}/v2.0`,
    ...((isTemplate || isConsumers) && {
      discoveryUrl: discoveryUrl(`${base}${isConsumers ? 'consumers' : tenant}/v2.0`),
    }),
    ...(isTemplate && { tenants }),
    ...(values.length > 0 && {
      parameters: { claims: JSON.stringify({ access_token: { xms_cc: { values } } }) },
    }),
    // Without it, a silent check fails for users with two accounts. The first one is an optional claim.
    loginHintClaim: ['login_hint', 'preferred_username'],
    // It does not accept a user name.
    logoutHintClaim: 'login_hint',
    originSetting: "the redirect URIs of type 'Single-page application'",
  })
}

/**
 * Auth0. `audience`: the API that the access token is for. `hasEndSession: false`: a tenant that does not publish a logout
 * endpoint.
 *
 * @example openIdConnect(auth0({ domain: 'example.eu.auth0.com', audience: 'https://api.example.com' }))
 */
export const auth0 = (input: {
  domain: string
  audience?: string | undefined
  hasEndSession?: boolean | undefined
}): Preset =>
  preset({
    issuer: `https://${hostOf(input)}/`,
    ...(input.audience !== undefined && { parameters: { audience: input.audience } }),
    ...(input.hasEndSession === false && {
      endSession: { url: `https://${hostOf(input)}/v2/logout`, returnParameter: 'returnTo' },
    }),
    originSetting: "'Allowed Web Origins' of the application",
  })

/**
 * Okta. `authorizationServer`: its id, such as `default`. Default: the organization's. `clientId`: only if
 * its issuer is 'Dynamic'.
 *
 * @example openIdConnect(okta({ domain: 'example.okta.com', authorizationServer: 'default' }))
 */
export function okta(input: {
  domain: string
  authorizationServer?: string | undefined
  clientId?: string | undefined
}): Preset {
  const { authorizationServer: server, clientId } = input
  const issuer = `https://${hostOf(input)}${server === undefined ? '' : `/oauth2/${server}`}`
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
export const cognito = (input: { region: string; userPoolId: string; domain: string }): Preset =>
  preset({
    issuer: `https://cognito-idp.${textOf(input, 'region')}.amazonaws.com/${textOf(input, 'userPoolId')}`,
    endSession: { url: `https://${hostOf(input)}/logout`, returnParameter: 'logout_uri' },
  })

/**
 * Zitadel. `url`: the address of the instance.
 *
 * @example openIdConnect(zitadel({ url: 'https://example.zitadel.cloud' }))
 */
export const zitadel = (input: { url: string }): Preset =>
  preset({
    issuer: urlOf(input),
    originSetting: 'the redirect URIs of the application',
    organization: { scope: 'urn:zitadel:iam:org:id:{organization}' },
  })

/**
 * authentik. `application`: its slug.
 *
 * @example openIdConnect(authentik({ url: 'https://login.example.com', application: 'admin' }))
 */
export const authentik = (input: { url: string; application: string }): Preset =>
  preset({
    issuer: `${urlOf(input)}/application/o/${encodeURIComponent(textOf(input, 'application'))}/`,
    originSetting: 'the redirect URIs of the provider',
  })

/**
 * Logto. `url`: the endpoint of the tenant; `resource`: the API that the access token is for.
 *
 * @example openIdConnect(logto({ url: 'https://example.logto.app', resource: 'https://api.example.com' }))
 */
export const logto = (input: { url: string; resource?: string | readonly string[] | undefined }): Preset =>
  preset({
    issuer: `${urlOf(input)}/oidc`,
    // Without it, Logto drops the scope offline_access silently.
    parameters: { prompt: 'consent', ...(input.resource !== undefined && { resource: input.resource }) },
    originSetting: 'the redirect URIs of the application',
  })

/** `undefined` would become part of a URL. */
function textOf(input: Readonly<Record<string, unknown>>, name: string): string {
  const value = input[name]
  if (isUnset(value)) throw unsetOption(name)
  if (typeof value !== 'string') throw invalidConfig(name, 'a text')
  return value
}

const urlOf = (input: { url: string }) => textOf(input, 'url').replace(/\/+$/, '')

/** A host, with an optional port: a URL would become part of another one. */
function hostOf(input: Readonly<Record<string, unknown>>, name = 'domain'): string {
  const host = textOf(input, name)
  if (/^[\w.-]+(:\d+)?$/.test(host)) return host
  throw invalidConfig(name, 'a host without https://')
}
