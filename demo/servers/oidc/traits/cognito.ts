// Amazon Cognito, from its documentation.
import {
  endpointsAt,
  formOf,
  idTokens,
  metadata,
  onEndpoint,
  type Provider,
  refuse,
  tokens,
} from './trait.ts'

const GUIDE = 'docs.aws.amazon.com/cognito/latest/developerguide'
const DOMAIN = 'example.auth.eu-west-1.amazoncognito.com'

export const cognito: Provider = {
  name: 'Cognito',
  issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf',
  hosts: [DOMAIN],
  paths: {
    authorization: '/oauth2/authorize',
    token: '/oauth2/token',
    userinfo: '/oauth2/userInfo',
    revocation: '/oauth2/revoke',
    end_session: '/session/end',
    jwks: '/eu-west-1_AbCdEf/.well-known/jwks.json',
  },
  everyday: [
    {
      name: 'pages and endpoints are at another host than issuer and keys; the metadata lists /logout as if it were the standard one, and no PKCE',
      source:
        'the metadata of a pool in localstack/localstack issue 12914, 2025-07-28; no PKCE: anthropics/claude-code issue 13275, 2025-12-07',
      wrap: metadata((body) => ({
        ...endpointsAt(DOMAIN, body),
        jwks_uri: body['jwks_uri'],
        end_session_endpoint: `https://${DOMAIN}/logout`,
        code_challenge_methods_supported: undefined,
        authorization_response_iss_parameter_supported: undefined,
        pushed_authorization_request_endpoint: undefined,
        dpop_signing_alg_values_supported: undefined,
      })),
    },
    {
      name: 'prompt=none is ignored: the frame gets the sign-in page',
      source:
        'authts/oidc-client-ts pull request 377, 2022-02-10; the headers: manfredsteyer/angular-oauth2-oidc issue 1216, 2022-03-30',
      wrap: onEndpoint('authorization', async ({ url }) =>
        new URL(url).searchParams.get('prompt') === 'none'
          ? new Response('<title>Sign in</title>', {
              headers: {
                'content-type': 'text/html',
                'x-frame-options': 'DENY',
                'content-security-policy': "frame-ancestors 'none'",
              },
            })
          : undefined,
      ),
    },
    {
      name: '/logout with client_id and logout_uri, and no state on the way back',
      source: `${GUIDE}/logout-endpoint.html, read 2026-11-24`,
      wrap: (next) => async (request) => {
        const { pathname, searchParams } = new URL(request.url)
        if (pathname !== '/logout') return next(request)
        const isWhole = ['client_id', 'logout_uri'].every((name) => searchParams.has(name))
        return isWhole ? endSession(searchParams.get('logout_uri')) : new Response('', { status: 400 })
      },
    },
    {
      name: 'without rotation, a refresh brings no new refresh token',
      source:
        'docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RefreshTokenRotationType.html, read 2026-11-26',
      wrap: tokens((_body, form) => (form.has('refresh_token') ? { refresh_token: undefined } : {})),
    },
    {
      name: 'the ID token names groups, token_use and origin_jti, and no sid',
      source:
        'awsdocs/amazon-cognito-developer-guide doc_source/amazon-cognito-user-pools-using-the-id-token.md, archived 2023-06; groups: …-using-tokens-with-identity-providers.html, read 2026-11-26',
      wrap: idTokens(() => ({
        'cognito:groups': ['staff'],
        token_use: 'id',
        origin_jti: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
        sid: undefined,
      })),
    },
    {
      name: 'only refresh tokens can be revoked: else unsupported_token_type',
      source: `${GUIDE}/revocation-endpoint.html, "Endpoint errors", read 2026-11-26`,
      wrap: onEndpoint('revocation', async (request) =>
        (await formOf(request)).get('token_type_hint') === 'access_token'
          ? refuse(request, { error: 'unsupported_token_type' })
          : undefined,
      ),
    },
  ],
}

/** The browser leaves without its session, and goes back to the app. */
const endSession = (returnTo: string | null): Response =>
  new Response(null, {
    status: 302,
    headers: [
      ['location', returnTo ?? '/'],
      ['set-cookie', '_session=; Max-Age=0; path=/'],
      ['set-cookie', '_session.sig=; Max-Age=0; path=/'],
    ],
  })
