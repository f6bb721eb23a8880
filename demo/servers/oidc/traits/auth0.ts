// Auth0, from its documentation.
import {
  audienceOf,
  claimsOf,
  idTokens,
  onEndpoint,
  originalAtUserInfo,
  originalOf,
  type Provider,
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
}
