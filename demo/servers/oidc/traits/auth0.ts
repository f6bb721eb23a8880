// Auth0, from its documentation.
import {
  audienceOf,
  claimsOf,
  formOf,
  idTokens,
  metadata,
  onEndpoint,
  originalAtUserInfo,
  originalOf,
  type Provider,
  refuse,
  sendsBack,
  tokens,
} from './trait.ts'

const DOCS = 'auth0/docs-v2 main/docs'

export const auth0: Provider = {
  name: 'Auth0',
  issuer: 'https://example.eu.auth0.com/',
  paths: {
    authorization: '/authorize',
    token: '/oauth/token',
    userinfo: '/userinfo',
    revocation: '/oauth/revoke',
    end_session: '/oidc/logout',
    jwks: '/.well-known/jwks.json',
  },
  everyday: [
    {
      name: 'the access token is a JWT for the API in audience, and opaque without one: good for user info only',
      source: `${DOCS}/secure/tokens/access-tokens.mdx, "Opaque access tokens", and …/get-access-tokens.mdx, "Multiple audiences", 2026-08-20`,
      wrap: [
        onEndpoint('authorization', async (request, _next, { memory }) => {
          memory.set('audience', new URL(request.url).searchParams.get('audience') ?? undefined)
          return undefined
        }),
        tokens(async (body, _form, { memory, sign, issuer }) => {
          const audience = memory.get('audience')
          const { id_token } = body
          const { sub } = typeof id_token === 'string' ? claimsOf(id_token) : { sub: memory.get('sub') }
          memory.set('sub', sub)
          if (audience === undefined) return {}
          const iat = Math.floor(Date.now() / 1000)
          const access_token = await sign({
            iss: issuer,
            sub,
            aud: [audience, `${issuer}userinfo`],
            iat,
            exp: iat + 60,
            azp: 'admin',
            scope: body['scope'],
            jti: crypto.randomUUID(),
          })
          memory.set(originalOf(access_token), body['access_token'])
          memory.set(audienceOf(access_token), audience)
          return { access_token }
        }),
        originalAtUserInfo,
      ],
    },
    {
      name: 'own claims stand below a name of their own, or, since July 2022, without one',
      source: `${DOCS}/secure/tokens/json-web-tokens/create-custom-claims.mdx, 2026-08-20`,
      wrap: idTokens(() => ({ 'https://example.com/roles': ['admin'], team: 'north', sid: 'auth0-sid-1' })),
    },
  ],
  occasional: [
    {
      name: 'resource names no API, unless the tenant has the Resource Parameter Compatibility Profile',
      source: `${DOCS}/api/authentication/authorization-code-flow-with-pkce/authorize-with-pkce.mdx, "resource", 2026-08-20`,
      wrap: onEndpoint('authorization', async (request, next, { memory }) => {
        const url = new URL(request.url)
        if (!url.searchParams.has('resource')) return undefined
        memory.set('resource', url.searchParams.get('resource'))
        url.searchParams.delete('resource')
        return next(new Request(url, request))
      }),
    },
    {
      name: 'localhost is asked for consent each time: prompt=none gives consent_required',
      source: `${DOCS}/get-started/applications/third-party-applications/user-consent-and-third-party-applications.mdx, 2026-08-20`,
      wrap: sendsBack(
        { error: 'consent_required', error_description: 'Consent required' },
        (asked) =>
          asked.get('prompt') === 'none' &&
          new URL(asked.get('redirect_uri') ?? 'http://x').hostname === 'localhost',
      ),
    },
    {
      name: 'a tenant that publishes no logout endpoint has /v2/logout with returnTo',
      source: `${DOCS}/authenticate/login/logout/log-users-out-of-auth0.mdx, 2026-08-20`,
      wrap: [
        (next) => async (request) => {
          const { pathname, searchParams } = new URL(request.url)
          return pathname === '/v2/logout' ? endSession(searchParams.get('returnTo')) : next(request)
        },
        metadata(() => ({ end_session_endpoint: undefined })),
      ],
    },
    {
      name: 'a refresh token that was used before ends the family, but within the reuse interval',
      source: `${DOCS}/secure/tokens/refresh-tokens/refresh-token-rotation.mdx, 2026-08-20`,
      wrap: onEndpoint('token', async (request, _next, { memory }) => {
        const token = (await formOf(request)).get('refresh_token')
        if (token === null) return undefined
        const used = (memory.get('used') ?? new Set()) as Set<string>
        memory.set('used', used)
        if (used.has(token)) memory.set('isFamilyDead', true)
        used.add(token)
        return memory.get('isFamilyDead') === true
          ? refuse(
              request,
              { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' },
              403,
            )
          : undefined
      }),
    },
    {
      name: 'an organization that was asked for stands in the ID token as org_id, and one is never changed by a refresh',
      source: `${DOCS}/manage-users/organizations/using-tokens.mdx, 2026-08-20`,
      wrap: [
        onEndpoint('authorization', async (request, _next, { memory }) => {
          memory.set('organization', new URL(request.url).searchParams.get('organization') ?? undefined)
          return undefined
        }),
        idTokens((_claims, form, { memory }) => {
          if (!form.has('refresh_token')) memory.set('org_id', memory.get('organization'))
          return { org_id: memory.get('org_id') }
        }),
      ],
    },
    {
      name: 'the end of an enterprise session stands in the ID token of the sign-in as session_expiry',
      source: `${DOCS}/authenticate/enterprise-connections/session-expiry-enterprise-connections.mdx, 2026-08-20`,
      wrap: idTokens(({ iat }, form) =>
        form.has('refresh_token') ? {} : { session_expiry: Number(iat) + 3600 },
      ),
    },
  ],
}

/** The browser leaves without its session, and goes back to the app. */
export const endSession = (returnTo: string | null): Response =>
  new Response(null, {
    status: 302,
    headers: [
      ['location', returnTo ?? '/'],
      ['set-cookie', '_session=; Max-Age=0; path=/'],
      ['set-cookie', '_session.sig=; Max-Age=0; path=/'],
    ],
  })
