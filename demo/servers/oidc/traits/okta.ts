// Okta, from its documentation and its table of error codes.
import {
  asksForOffline,
  challenging,
  formOf,
  idTokens,
  onEndpoint,
  type Provider,
  refuse,
  sendsBack,
  tokens,
} from './trait.ts'

const SITE = 'okta/okta-developer-docs packages/@okta/vuepress-site'
const ERRORS = `${SITE}/data/oauth2-error-codes.json, release 2026.08.1`

export const okta: Provider = {
  name: 'Okta',
  issuer: 'https://example.okta.com/oauth2/default',
  paths: {
    authorization: '/oauth2/default/v1/authorize',
    token: '/oauth2/default/v1/token',
    userinfo: '/oauth2/default/v1/userinfo',
    revocation: '/oauth2/default/v1/revoke',
    end_session: '/oauth2/default/v1/logout',
    jwks: '/oauth2/default/v1/keys',
  },
  everyday: [
    {
      name: 'a refresh without scope brings no ID token',
      source: `${SITE}/docs/guides/refresh-tokens/main/index.md, "Use a refresh token", 2026-08-21`,
      wrap: tokens((_body, form) =>
        form.has('refresh_token') && !form.get('scope')?.includes('openid') ? { id_token: undefined } : {},
      ),
    },
    {
      name: 'the ID token has amr, idp, ver and auth_time, and no sid',
      source: `${SITE}/docs/reference/api/oidc/index.md, "ID token payload": no sid among them, read 2026-11-26`,
      wrap: idTokens(({ iat, auth_time }) => ({
        amr: ['pwd'],
        idp: '00o1',
        ver: 1,
        sid: undefined,
        auth_time: auth_time ?? iat,
      })),
    },
  ],
  occasional: [
    {
      name: 'without a policy that fits: access_denied, "Policy evaluation failed for this request"',
      source: `${ERRORS}, no_matching_policy`,
      wrap: sendsBack({
        error: 'access_denied',
        error_description:
          'Policy evaluation failed for this request, please check the policy configurations.',
      }),
    },
    {
      name: 'offline_access that the server has not: invalid_scope, "One or more scopes are not configured"',
      source: `${ERRORS}, no_matching_scope`,
      wrap: sendsBack(
        {
          error: 'invalid_scope',
          error_description: 'One or more scopes are not configured for the authorization server resource.',
        },
        asksForOffline,
      ),
    },
    {
      name: 'an organization without API Access Management has no server named default: 404, E0000007',
      source: `${SITE}/docs/concepts/auth-servers/index.md, "Default custom authorization server", 2026-08-21`,
      wrap: onEndpoint('metadata', async (request) =>
        refuse(
          request,
          {
            errorCode: 'E0000007',
            errorSummary: 'Not found: Resource not found: default (AuthorizationServer)',
          },
          404,
        ),
      ),
    },
    {
      name: 'a client that requires DPoP and gets no proof: invalid_dpop_proof, "The DPoP proof JWT header is missing."',
      source: `${ERRORS}, invalid_dpop_proof_missing_header`,
      wrap: onEndpoint('token', async (request) =>
        request.headers.has('dpop')
          ? undefined
          : refuse(request, {
              error: 'invalid_dpop_proof',
              error_description: 'The DPoP proof JWT header is missing.',
            }),
      ),
    },
    {
      name: 'an API that wants a stronger sign-in: 401, insufficient_authentication_context, with acr_values',
      source: `${SITE}/docs/guides/step-up-authentication/main/index.md, 2026-08-21; the error: …/guides/pwd-optional-change-email/main/react/integrationsteps.md`,
      wrap: challenging(
        'acr_values',
        'Bearer realm="IdpMyAccountAPI", error="insufficient_authentication_context", acr_values="urn:okta:loa:2fa:any"',
      ),
    },
    {
      name: 'a refresh token that was used before is taken again for 30 s',
      source: `${SITE}/docs/guides/refresh-tokens/main/index.md, "Grace period for token rotation", 2026-08-21`,
      wrap: onEndpoint('token', async (request, next, { memory }) => {
        const token = (await formOf(request)).get('refresh_token')
        if (token === null) return undefined
        const given = (memory.get('given') ?? new Map()) as Map<string, string>
        memory.set('given', given)
        const before = given.get(token)
        if (before !== undefined) return refuse(request, JSON.parse(before) as Record<string, unknown>, 200)
        const response = await next(request)
        if (response.ok) given.set(token, await response.clone().text())
        return response
      }),
    },
  ],
}
