// The server of all contestants: npm oidc-provider with the endpoints, issuer and responses that each library expects.
import type { EventEmitter } from 'node:events'
import { type Grant, type KoaContextWithOIDC as Context, Provider } from 'oidc-provider'
import { answerByWebMessage } from '../../demo/authServer/authorize.ts'
import { createClients } from '../../demo/authServer/clients.ts'
import { createFaults } from '../../demo/authServer/faults.ts'
import { isRecord } from '../../demo/authServer/http.ts'
import { createMemoryStore } from '../../demo/authServer/memoryAdapter.ts'
import { signingKey } from '../../demo/authServer/signing.ts'

export const CLIENT_ID = 'bench'
const ACCOUNT = 'anna'

/** So long that only an advanced clock makes a token expire. */
const ACCESS_TOKEN_SECONDS = 600
const DAY_SECONDS = 86_400

export interface ServerPaths {
  authorization: string
  token: string
  /** Further endpoints, by oidc-provider's names. */
  [route: string]: string
}

export interface ProviderOptions {
  issuer: string
  paths: ServerPaths
  cookiePrefix: string
  appOrigin: string
  redirectUris: readonly string[]
  wrapsRefreshTokens: boolean
  onReuse(): void
}

export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const key = await signingKey()
  const store = createMemoryStore()
  const resource = `${options.appOrigin}/api`
  const provider: Provider = new Provider(options.issuer, {
    adapter: (model: string) => store.adapter(model),
    clients: [
      {
        client_id: CLIENT_ID,
        application_type: 'web',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: options.redirectUris,
        post_logout_redirect_uris: options.redirectUris,
      },
    ],
    jwks: {
      keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: key.keyId, use: 'sig', alg: 'RS256' }],
    },
    routes: options.paths,
    cookies: {
      names: {
        session: `${options.cookiePrefix}_session`,
        interaction: `${options.cookiePrefix}_interaction`,
        resume: `${options.cookiePrefix}_resume`,
      },
    },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'] },
    scopes: ['openid', 'offline_access', 'profile', 'email'],
    conformIdTokenClaims: false,
    clientBasedCORS: () => true,
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'openid profile email offline_access',
          audience: CLIENT_ID,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256', kid: key.keyId } },
        }),
      },
    },
    findAccount: (_context: Context, accountId: string) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        name: 'Anna',
        preferred_username: 'anna@firm.example',
        email: 'anna@firm.example',
      }),
    }),
    formats: {
      customizers: {
        jwt(_context, token, made) {
          const sessionId = ('sessionUid' in token && token.sessionUid) || 's1'
          Object.assign(made.payload, { userId: ACCOUNT, firmId: 'f1', sessionId })
        },
      },
    },
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    loadExistingGrant: newGrant,
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    pkce: { required: () => true },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: 60,
      Grant: DAY_SECONDS,
      IdToken: DAY_SECONDS,
      Interaction: 3600,
      RefreshToken: DAY_SECONDS,
      Session: DAY_SECONDS,
    },
  })

  /** One grant per sign-in: reusing one tab's refresh token revokes that family only. */
  async function newGrant(context: Context): Promise<Grant | undefined> {
    const { session, client, params } = context.oidc
    if (!session?.accountId || !client) return undefined
    const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
    const scope = (params?.['scope'] ?? '') as string
    grant.addOIDCScope(scope)
    grant.addResourceScope(resource, scope)
    await grant.save()
    return grant
  }

  const clients = createClients()
  clients.register({ clientId: CLIENT_ID, redirectUris: options.redirectUris })
  provider.registerResponseMode('web_message', (context, redirectUri, answer) =>
    answerByWebMessage({ clients, faults: createFaults() }, context, redirectUri, answer),
  )
  // The same under Okta's name, and with the bare response as the message.
  provider.registerResponseMode('okta_post_message', (context, redirectUri, answer) => {
    context.type = 'text/html'
    context.body = `<!doctype html><script>window.parent.postMessage(${JSON.stringify(answer)}, ${JSON.stringify(new URL(redirectUri).origin)})</script>`
  })
  // keycloak-js sends cookies where others do not.
  provider.use(async (context, next) => {
    await next()
    if (context.req.headers.origin) context.res.setHeader('access-control-allow-credentials', 'true')
    const { body } = context
    if (!options.wrapsRefreshTokens || !isRecord(body) || typeof body['refresh_token'] !== 'string') return
    context.body = { ...body, refresh_token: wrapToken(body['refresh_token']) }
  })
  // A refresh token that is used twice revokes everything from its sign-in.
  provider.on('grant.revoked', () => options.onReuse())
  ;(provider as EventEmitter).on('error', () => undefined)
  return provider
}

/** Signs in every visitor at once: the user's part is the same for every library. */
export async function signInAtOnce(
  provider: Provider,
  ...[request, response]: Parameters<Provider['interactionDetails']>
): Promise<void> {
  await provider.interactionFinished(request, response, { login: { accountId: ACCOUNT, remember: true } })
}

const wrapToken = (token: string): string =>
  [{ alg: 'none' }, { jti: token }, {}]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
