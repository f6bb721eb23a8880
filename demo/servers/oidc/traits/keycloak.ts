// Keycloak 26, from its documentation and source: what happens once in a while. What it does every day, `npm run interop -- keycloak` shows.
import { answers, metadata, type Provider, refuses, sendsBack, tokens } from './trait.ts'

const GUIDES = 'keycloak/keycloak docs/guides/securing-apps'

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
  occasional: [
    {
      name: 'a login page that was open for too long ends with temporarily_unavailable, authentication_expired',
      source: `${GUIDES}/partials/oidc/oidc-errors.adoc, read 2026-11-24`,
      wrap: sendsBack(
        { error: 'temporarily_unavailable', error_description: 'authentication_expired' },
        (asked, { memory }) => {
          if (asked.get('prompt') === 'none' || memory.has('expired')) return false
          memory.set('expired', true)
          return true
        },
      ),
    },
    {
      name: 'an action that the app asked for (kc_action) comes back with kc_action and kc_action_status',
      source:
        'Red Hat build of Keycloak 26.0, server administration guide, 5.6 "Application initiated actions", read 2026-11-24',
      wrap: answers((back, asked) => {
        const action = asked.get('kc_action')
        if (action === null) return
        back.set('kc_action', action)
        back.set('kc_action_status', 'success')
      }),
    },
    {
      name: 'behind a proxy that hides its host name, the metadata names another issuer',
      source: 'Keycloak guide "Configuring the hostname (v2)", "Using a reverse proxy", read 2026-11-26',
      wrap: metadata(() => ({ issuer: 'http://keycloak:8080/realms/staff' })),
    },
    {
      name: 'a client with Client authentication on wants a secret: 401, unauthorized_client',
      source: 'keycloak/keycloak services/…/client/ClientIdAndSecretAuthenticator.java, read 2026-11-26',
      wrap: refuses(
        'token',
        {
          error: 'unauthorized_client',
          error_description: 'Invalid client or Invalid client credentials',
        },
        401,
      ),
    },
    {
      name: 'a client session that ended there, while the session of the user goes on: invalid_grant, "Session not active"',
      source: 'keycloak/keycloak services/…/oidc/TokenManager.java, validateToken, read 2026-11-26',
      wrap: refuses('refresh', { error: 'invalid_grant', error_description: 'Session not active' }),
    },
    {
      name: 'by policy, DPoP binds the refresh token only: the access token is Bearer',
      source: `${GUIDES}/dpop.adoc, "Refresh Token Only", read 2026-11-24`,
      wrap: tokens(({ token_type }) => (token_type === 'DPoP' ? { token_type: 'Bearer' } : {})),
    },
  ],
}
