// Where Keycloak has its endpoints. What it does, `npm run interop -- keycloak` shows.
import type { Provider } from './trait.ts'

/** https://login.example.com/realms/staff */
export const keycloak: Provider = {
  name: 'Keycloak',
  issuer: 'https://login.example.com/realms/staff',
  paths: {
    authorization: '/realms/staff/protocol/openid-connect/auth',
    token: '/realms/staff/protocol/openid-connect/token',
    userinfo: '/realms/staff/protocol/openid-connect/userinfo',
    revocation: '/realms/staff/protocol/openid-connect/revoke',
    end_session: '/realms/staff/protocol/openid-connect/logout',
    jwks: '/realms/staff/protocol/openid-connect/certs',
  },
  everyday: [],
}
