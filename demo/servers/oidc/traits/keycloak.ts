// Keycloak 26, from its documentation and source.
import {
  answers,
  formOf,
  idTokens,
  metadata,
  onEndpoint,
  type Provider,
  refuse,
  sendBack,
  tokens,
} from './trait.ts'

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
  traits: [
    {
      name: 'session_state stands beside each code, and the metadata lists a session frame',
      source: `${GUIDES}/javascript-adapter.adoc, "Session Status iframe", read 2026-11-24`,
      wrap: (next, standIn) =>
        metadata(() => ({
          check_session_iframe: `${standIn.issuer}/protocol/openid-connect/login-status-iframe.html`,
        }))(answers((back) => back.set('session_state', '0d5e2f3c-staff'))(next, standIn), standIn),
    },
    {
      name: 'the ID token has sid, auth_time, azp and acr, and tells roles in the access token only',
      source:
        'keycloak/keycloak docs/documentation/server_admin/topics/clients/con-client-scopes.adoc, "roles", read 2026-11-26; sid, azp and acr: second hand',
      wrap: idTokens(({ aud, iat, auth_time }) => ({
        azp: aud,
        sid: '0d5e2f3c-staff',
        acr: '1',
        typ: 'ID',
        auth_time: auth_time ?? iat,
      })),
    },
    {
      name: 'only the first ID token has the nonce',
      source: 'keycloak/keycloak pull request 27588, 2024-03-06: changes of version 25',
      wrap: idTokens((_, form) => (form.has('refresh_token') ? { nonce: undefined } : {})),
    },
    {
      name: 'each refresh token tells how long it lives, and refresh tokens may be used again',
      source:
        'keycloak/keycloak docs/documentation/server_admin/topics/sessions/timeouts.adoc, "Revoke Refresh Token", read 2026-11-26; off in operator/src/test/resources/token-test-realm.yaml',
      wrap: tokens(({ refresh_token }) =>
        refresh_token === undefined
          ? {}
          : { refresh_expires_in: 1800, 'not-before-policy': 0, session_state: '0d5e2f3c-staff' },
      ),
    },
    {
      name: 'an offline session: refresh_expires_in is 0, and the refresh token has no end',
      source:
        'keycloak/keycloak docs/documentation/server_admin/topics/sessions/offline.adoc, "Offline access", read 2026-11-26',
      isOccasional: true,
      wrap: tokens(({ refresh_token }) => (refresh_token === undefined ? {} : { refresh_expires_in: 0 })),
    },
    {
      name: 'a login page that was open for too long ends with temporarily_unavailable, authentication_expired',
      source: `${GUIDES}/partials/oidc/oidc-errors.adoc, read 2026-11-24`,
      isOccasional: true,
      wrap: onEndpoint('authorization', async (request, _next, standIn) => {
        const { memory } = standIn
        const asked = new URL(request.url).searchParams
        if (asked.get('prompt') === 'none' || memory.get('expired') !== undefined) return undefined
        memory.set('expired', true)
        return sendBack(
          request,
          { error: 'temporarily_unavailable', error_description: 'authentication_expired' },
          standIn,
        )
      }),
    },
    {
      name: 'where browsers block its cookies in frames, the session frame is off, and prompt=none finds nobody',
      source: `${GUIDES}/javascript-adapter.adoc, "Browsers with Blocked Third-Party Cookies", read 2026-11-26`,
      isOccasional: true,
      wrap: (next, standIn) => async (request) => {
        const { pathname, searchParams } = new URL(request.url)
        if (pathname.endsWith('/login-status-iframe.html')) return new Response('', { status: 403 })
        return standIn.endpointOf(request.url) === 'authorization' && searchParams.get('prompt') === 'none'
          ? sendBack(request, { error: 'login_required' }, standIn)
          : next(request)
      },
    },
    {
      name: 'an action that the app asked for (kc_action) comes back with kc_action and kc_action_status',
      source:
        'Red Hat build of Keycloak 26.0, server administration guide, 5.6 "Application initiated actions", read 2026-11-24',
      isOccasional: true,
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
      isOccasional: true,
      wrap: metadata(() => ({ issuer: 'http://keycloak:8080/realms/staff' })),
    },
    {
      name: 'a client with Client authentication on wants a secret: 401, unauthorized_client',
      source: 'keycloak/keycloak services/…/client/ClientIdAndSecretAuthenticator.java, read 2026-11-26',
      isOccasional: true,
      wrap: onEndpoint('token', async (request) =>
        refuse(
          request,
          {
            error: 'unauthorized_client',
            error_description: 'Invalid client or Invalid client credentials',
          },
          401,
        ),
      ),
    },
    {
      name: 'a client session that ended there, while the session of the user goes on: invalid_grant, "Session not active"',
      source: 'keycloak/keycloak services/…/oidc/TokenManager.java, validateToken, read 2026-11-26',
      isOccasional: true,
      wrap: onEndpoint('token', async (request) =>
        (await formOf(request)).has('refresh_token')
          ? refuse(request, { error: 'invalid_grant', error_description: 'Session not active' })
          : undefined,
      ),
    },
    {
      name: 'by policy, DPoP binds the refresh token only: the access token is Bearer',
      source: `${GUIDES}/dpop.adoc, "Refresh Token Only", read 2026-11-24`,
      isOccasional: true,
      wrap: tokens(({ token_type }) => (token_type === 'DPoP' ? { token_type: 'Bearer' } : {})),
    },
  ],
}
