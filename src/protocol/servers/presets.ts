// What OpenID Connect providers in common use need beyond the standard: data only, to be passed to openIdConnect.
import { invalidConfig } from '../../errors.ts'
import { discoveryUrl } from './metadata.ts'
import type { OpenIdConnectOptions } from './oidcOptions.ts'

/**
 * Keycloak 17 and later; for older ones, `url` ends with `/auth`.
 *
 * @example openIdConnect(keycloak({ url: 'https://login.example.com', realm: 'staff' }))
 */
export const keycloak = ({ url, realm }: { url: string; realm: string }): OpenIdConnectOptions => ({
  issuer: `${trim(url)}/realms/${encodeURIComponent(given('realm', realm))}`,
  originSetting: "the client's 'Web origins'",
})

/**
 * Microsoft Entra ID. `tenant`: the id of a tenant, or `organizations`, `common` or `consumers`, and then the `tenants` whose users may sign in.
 *
 * @example openIdConnect(entra({ tenant: '11111111-2222-3333-4444-555555555555' }))
 */
export function entra({
  tenant,
  tenants,
  host = 'login.microsoftonline.com',
}: {
  tenant: string
  tenants?: readonly string[] | 'any' | undefined
  host?: string | undefined
}): OpenIdConnectOptions {
  const base = `https://${hostOf(host)}/`
  const isTemplate = /^(common|organizations|consumers)$/.test(given('tenant', tenant))
  return {
    issuer: `${base}${isTemplate ? '{tenantid}' : tenant}/v2.0`,
    ...(isTemplate && { discoveryUrl: `${base}${tenant}/v2.0/.well-known/openid-configuration`, tenants }),
    // Without it, a silent check fails for who is signed in with two accounts.
    loginHintClaim: 'preferred_username',
    originSetting: "the redirect addresses of type 'Single-page application'",
  }
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
}): OpenIdConnectOptions => ({
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
}): OpenIdConnectOptions {
  const server = authorizationServer === undefined ? '' : `/oauth2/${authorizationServer}`
  const issuer = `https://${hostOf(domain)}${server}`
  return {
    issuer,
    ...(clientId !== undefined && {
      discoveryUrl: `${discoveryUrl(issuer)}?${new URLSearchParams({ client_id: clientId })}`,
    }),
    refreshScope: true,
    refreshReuseInSeconds: 30,
    originSetting: "'Trusted Origins' (CORS)",
  }
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
}): OpenIdConnectOptions => ({
  issuer: `https://cognito-idp.${given('region', region)}.amazonaws.com/${given('userPoolId', userPoolId)}`,
  endSession: { url: `https://${hostOf(domain)}/logout`, returnParameter: 'logout_uri' },
})

/**
 * Zitadel. `url`: the address of the instance.
 *
 * @example openIdConnect(zitadel({ url: 'https://example.zitadel.cloud' }))
 */
export const zitadel = ({ url }: { url: string }): OpenIdConnectOptions => ({
  issuer: trim(url),
  originSetting: 'the redirect addresses of the application',
})

/**
 * authentik. `application`: its slug.
 *
 * @example openIdConnect(authentik({ url: 'https://login.example.com', application: 'admin' }))
 */
export const authentik = ({
  url,
  application,
}: {
  url: string
  application: string
}): OpenIdConnectOptions => ({
  issuer: `${trim(url)}/application/o/${encodeURIComponent(given('application', application))}/`,
  originSetting: 'the redirect addresses of the provider',
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
}): OpenIdConnectOptions => ({
  issuer: `${trim(url)}/oidc`,
  // Without it, the scope offline_access is dropped without a word.
  parameters: { prompt: 'consent', ...(resource !== undefined && { resource }) },
  originSetting: 'the redirect addresses of the application',
})

const trim = (url: unknown) => given('url', url).replace(/\/+$/, '')

/** A text in the place where one is needed: `undefined` would become part of an address. */
function given(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalidConfig(name, 'a text')
  return value
}

/** A host, with a port at most: an address in its place would become part of another one. */
function hostOf(domain: unknown): string {
  if (!/^[\w.-]+(:\d+)?$/.test(given('domain', domain)))
    throw invalidConfig('domain', 'a host without https://')
  return domain as string
}
