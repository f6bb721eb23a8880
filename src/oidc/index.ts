// The entry latchkey/oidc: the profile of any OpenID Connect provider, and the settings of those in common use.
export { readInitiatedLogin } from '../protocol/servers/initiatedLogin.ts'
export type { InitiatedLogin } from '../protocol/servers/initiatedLogin.ts'
export { openIdConnect } from '../protocol/servers/openIdConnect.ts'
export {
  auth0,
  authentik,
  cognito,
  entra,
  keycloak,
  logto,
  okta,
  zitadel,
} from '../protocol/servers/presets.ts'
export type { Preset } from '../protocol/servers/presets.ts'
export type { TokenClaims } from '../protocol/claims.ts'
export type { MappedUser, OpenIdConnectOptions } from '../protocol/servers/oidcOptions.ts'
export type { ServerProfile } from '../protocol/servers/profile.ts'
