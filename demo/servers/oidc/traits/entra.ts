// Microsoft Entra ID, its External ID and Azure AD B2C, from their documentation.
import {
  audienceOf,
  endpointsAt,
  idTokens,
  metadata,
  onEndpoint,
  originalAtUserInfo,
  originalOf,
  type Provider,
  refuse,
  tokens,
  type Trait,
  withoutIss,
} from './trait.ts'

const DOCS = 'MicrosoftDocs/entra-docs docs/identity-platform'
export const ENTRA_TENANT = '11111111-2222-3333-4444-555555555555'
/** Microsoft Graph, as an audience. */
const GRAPH = '00000003-0000-0000-c000-000000000000'

const pathsOf = (tenant: string): Provider['paths'] => ({
  authorization: `/${tenant}/oauth2/v2.0/authorize`,
  token: `/${tenant}/oauth2/v2.0/token`,
  userinfo: '/oidc/userinfo',
  revocation: `/${tenant}/oauth2/v2.0/none`,
  end_session: `/${tenant}/oauth2/v2.0/logout`,
  jwks: `/${tenant}/discovery/v2.0/keys`,
})

const EVERYDAY: readonly Trait[] = [
  {
    name: 'the metadata lists neither PKCE, none nor a revocation endpoint, and responses have no iss',
    source: `${DOCS}/v2-protocols-oidc.md, "Sample response", 2023-09-13`,
    wrap: [
      metadata(() => ({
        code_challenge_methods_supported: undefined,
        token_endpoint_auth_methods_supported: [
          'client_secret_post',
          'private_key_jwt',
          'client_secret_basic',
        ],
        revocation_endpoint: undefined,
        userinfo_endpoint: 'https://graph.microsoft.com/oidc/userinfo',
        introspection_endpoint: undefined,
        authorization_response_iss_parameter_supported: undefined,
        dpop_signing_alg_values_supported: undefined,
        pushed_authorization_request_endpoint: undefined,
        response_modes_supported: ['query', 'fragment', 'form_post'],
      })),
      withoutIss,
    ],
  },
  {
    name: 'the ID token names user and tenant by oid and tid, and has no sid unless it is asked for',
    source: `${DOCS}/optional-claims-reference.md, "sid", "auth_time", 2024-04-10`,
    wrap: idTokens(({ sub, tid, iss }) => ({
      oid: `oid-of-${String(sub)}`,
      tid: tid ?? String(iss).split('/')[3],
      preferred_username: `${String(sub)}@example.com`,
      ver: '2.0',
      sid: undefined,
      auth_time: undefined,
    })),
  },
  {
    name: 'an ID token is five minutes old when it is made',
    source: 'keycloakify/oidc-spa issue 162, 2026-02-27',
    wrap: idTokens(({ iat }) => ({ iat: Number(iat) - 300, nbf: Number(iat) - 300 })),
  },
  {
    name: 'without a scope of an API the access token is for Microsoft Graph, and no other API can check it',
    source: `${DOCS}/access-tokens.md, "Validate tokens", 2023-08-01; as developers meet it: microsoft-authentication-library-for-js issue 4702, 2022-04-12`,
    wrap: [
      onEndpoint('authorization', async (request, next, { memory }) => {
        const url = new URL(request.url)
        const scopes = url.searchParams.get('scope')?.split(' ') ?? []
        const isOfAnApi = (scope: string) => scope.startsWith('api://')
        if (scopes.length === 0) return undefined
        memory.set('audience', scopes.find(isOfAnApi)?.replace(/\/[^/]*$/, '') ?? GRAPH)
        // The server has no such scope.
        url.searchParams.set('scope', scopes.filter((scope) => !isOfAnApi(scope)).join(' '))
        return next(new Request(url, request))
      }),
      tokens(async ({ access_token }, _form, { memory, sign, issuer }) => {
        const aud = memory.get('audience')
        const signed = await sign({ iss: issuer, aud, ver: '2.0', jti: crypto.randomUUID() })
        const token = aud === GRAPH ? uncheckable(signed) : signed
        memory.set(originalOf(token), access_token)
        memory.set(audienceOf(token), aud)
        return { access_token: token, ext_expires_in: 3599 }
      }),
      originalAtUserInfo,
    ],
  },
]

/** Looks like a JWT; the nonce in its head makes the signature one that only Graph can check. */
function uncheckable(token: string): string {
  const head = btoa(JSON.stringify({ typ: 'JWT', nonce: 'n-1', alg: 'RS256' })).replace(/=+$/, '')
  return [head, ...token.split('.').slice(1)].join('.')
}

/** One tenant. */
export const entra: Provider = {
  name: 'Entra ID',
  issuer: `https://login.microsoftonline.com/${ENTRA_TENANT}/v2.0`,
  hosts: ['graph.microsoft.com'],
  paths: pathsOf(ENTRA_TENANT),
  everyday: EVERYDAY,
}

/** Work accounts of any tenant: the metadata has a template for an issuer, and the tokens the tenant in its place. */
export const entraOrganizations: Provider = {
  ...entra,
  name: 'Entra ID, organizations',
  issuer: 'https://login.microsoftonline.com/organizations/v2.0',
  paths: pathsOf('organizations'),
  everyday: [
    ...EVERYDAY,
    {
      name: 'the metadata of organizations has a template for an issuer, the tokens the tenant in its place',
      source: `${DOCS}/access-tokens.md, "Validate the issuer", 2023-08-01`,
      wrap: [
        metadata(() => ({ issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' })),
        idTokens(() => ({
          iss: `https://login.microsoftonline.com/${ENTRA_TENANT}/v2.0`,
          tid: ENTRA_TENANT,
        })),
      ],
    },
  ],
}

/** External ID: the metadata is at the host of the pages, the issuer at that of the tenant's id. */
export const entraExternal: Provider = {
  name: 'Entra External ID',
  issuer: `https://${ENTRA_TENANT}.ciamlogin.com/${ENTRA_TENANT}/v2.0`,
  hosts: ['example.ciamlogin.com', 'graph.microsoft.com'],
  paths: pathsOf(ENTRA_TENANT),
  everyday: [
    ...EVERYDAY,
    {
      name: "metadata and pages are at the tenant's name, the issuer at the host of its id",
      source: 'AzureAD/microsoft-authentication-library-for-js pull request 8595, 2026-05-19',
      wrap: metadata((body) => ({
        ...endpointsAt('example.ciamlogin.com', body),
        userinfo_endpoint: body['userinfo_endpoint'],
      })),
    },
  ],
}

/** Azure AD B2C: a slash at the end of the issuer, metadata for each user flow, auth_time of the refresh. */
export const azureB2c: Provider = {
  name: 'Azure AD B2C',
  issuer: `https://example.b2clogin.com/${ENTRA_TENANT}/v2.0/`,
  paths: pathsOf(`${ENTRA_TENANT}/b2c_1_signin`),
  everyday: [
    {
      name: 'no user info, no revocation endpoint, and responses without iss',
      source:
        'Azure AD B2C documentation: "UserInfo endpoint" (custom policies only), and openid-connect.md, whose responses have no iss, read 2026-11-26',
      wrap: [...[EVERYDAY[0]!.wrap].flat(), metadata(() => ({ userinfo_endpoint: undefined }))],
    },
    {
      name: 'the issuer has a slash at its end and no policy; only the address with the policy has metadata',
      source:
        'coreos/go-oidc issue 121, the metadata of 2020-07-14; spring-projects/spring-security issue 16460, 2025-01-23',
      wrap: onEndpoint('metadata', async (request) =>
        new URL(request.url).pathname.startsWith(`/${ENTRA_TENANT}/b2c_1_signin/v2.0/.well-known/`)
          ? undefined
          : refuse(request, { error: 'not found' }, 404),
      ),
    },
    {
      name: 'auth_time changes with a refresh',
      source:
        'MicrosoftDocs/azure-docs issue 54566, 2020-05-11; DuendeArchive/identity-model-oidc-client-js issue 1058, 2020-02-24',
      wrap: idTokens(({ iat }) => ({ auth_time: iat, tfp: 'B2C_1_signin' })),
    },
  ],
}
