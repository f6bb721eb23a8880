// Amazon Cognito, from its documentation.
import { endSession } from './auth0.ts'
import { formOf, idTokens, metadata, onEndpoint, type Provider, refuse, sendBack, tokens } from './trait.ts'

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
  traits: [
    {
      name: 'the pages and endpoints are at another host than the issuer, and the metadata tells little',
      source: `${GUIDE}/federation-endpoints.html, notes of 2026-11-22, second hand`,
      wrap: metadata((body) => ({
        ...Object.fromEntries(
          Object.entries(body)
            .filter(([name]) => name.endsWith('_endpoint'))
            .map(([name, url]) => {
              const moved = new URL(url as string)
              moved.host = DOMAIN
              return [name, moved.href]
            }),
        ),
        end_session_endpoint: undefined,
        code_challenge_methods_supported: undefined,
        authorization_response_iss_parameter_supported: undefined,
        pushed_authorization_request_endpoint: undefined,
        dpop_signing_alg_values_supported: undefined,
      })),
    },
    {
      name: 'prompt=none counts for nothing: the frame gets the sign-in page',
      source: `${GUIDE}/authorization-endpoint.html, "prompt" is of managed login only, notes of 2026-11-22, second hand`,
      wrap: (next, standIn) => async (request) => {
        const url = new URL(request.url)
        if (standIn.endpointOf(request.url) !== 'authorization' || url.searchParams.get('prompt') !== 'none')
          return next(request)
        return new Response('<title>Sign in</title>', {
          headers: {
            'content-type': 'text/html',
            'x-frame-options': 'DENY',
            'content-security-policy': "frame-ancestors 'none'",
          },
        })
      },
    },
    {
      name: '/logout with client_id and logout_uri, and no state on the way back',
      source: `${GUIDE}/logout-endpoint.html, read 2026-11-24`,
      wrap: (next) => async (request) => {
        const { pathname, searchParams } = new URL(request.url)
        return pathname === '/logout' ? endSession(searchParams.get('logout_uri')) : next(request)
      },
    },
    {
      name: 'a refresh brings no new refresh token',
      source: `${GUIDE}/amazon-cognito-user-pools-using-the-refresh-token.html, notes of 2026-11-22, second hand`,
      wrap: tokens((_body, form) => (form.has('refresh_token') ? { refresh_token: undefined } : {})),
    },
    {
      name: 'the ID token names groups, token_use and event_id, and no sid',
      source: `${GUIDE}/amazon-cognito-user-pools-using-the-id-token.html, notes of 2026-11-22, second hand`,
      wrap: idTokens(() => ({
        'cognito:groups': ['staff'],
        token_use: 'id',
        event_id: 'e-1',
        sid: undefined,
      })),
    },
    {
      name: 'only refresh tokens can be revoked',
      source: `${GUIDE}/revocation-endpoint.html, notes of 2026-11-22, second hand`,
      wrap: onEndpoint('revocation', async (request) =>
        (await formOf(request)).get('token_type_hint') === 'access_token'
          ? refuse(request, { error: 'unsupported_token_type' })
          : undefined,
      ),
    },
    {
      name: 'the scope offline_access is refused: invalid_scope',
      source: `${GUIDE}/authorization-endpoint.html, notes of 2026-11-22, second hand`,
      isOccasional: true,
      wrap: onEndpoint('authorization', async (request, _next, standIn) =>
        new URL(request.url).searchParams.get('scope')?.includes('offline_access')
          ? sendBack(request, { error: 'invalid_scope' }, standIn)
          : undefined,
      ),
    },
  ],
}
