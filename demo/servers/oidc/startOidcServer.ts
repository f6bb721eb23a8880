// Starts npm oidc-provider in its standard configuration, with pages in the demo's look: any OpenID Connect provider, as an app meets it.
import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { errors, type KoaContextWithOIDC as Context, Provider } from 'oidc-provider'
import { isLoopback } from '../../../src/protocol/origin.ts'
import { listenOnLoopback } from '../../authServer/listen.ts'
import { createMemoryStore } from '../../authServer/memoryAdapter.ts'
import { signingKey } from '../../authServer/signing.ts'
import { interact, logoutPages, pageOptions } from './pages.ts'

export type OidcServer = Awaited<ReturnType<typeof startOidcServer>>

/** A free port, unless one is named. Any name signs in, with any password. */
export async function startOidcServer({
  port = 0,
  host = 'localhost',
  clientId = 'admin',
  accessTokenSeconds = 300,
  isBound = false,
  isPushed = false,
  redirectUris,
  resources = [],
  organizations,
  as,
  onRequest,
}: {
  port?: number | undefined
  host?: string | undefined
  clientId?: string | undefined
  accessTokenSeconds?: number | undefined
  /** Issues tokens only to clients that prove they have a key, with a nonce in each proof (DPoP). */
  isBound?: boolean | undefined
  /** Takes authorization requests only by a call of the client before (PAR). */
  isPushed?: boolean | undefined
  /** Exact addresses, in place of any on this computer. */
  redirectUris?: readonly string[] | undefined
  /** Issues a token of its own, a JWT, for each of these APIs (RFC 8707). */
  resources?: readonly string[] | undefined
  /** Signs a user in for one of these, by the scope `organization:…`; for one that asks only after consent. */
  organizations?: { readonly open: readonly string[]; readonly asking: readonly string[] } | undefined
  /** Is known by another address, behind a proxy; asks nobody for consent, and issues refresh tokens to everybody. */
  as?: { readonly issuer: string; readonly routes: Readonly<Record<string, string>> } | undefined
  /** Hears of every request: 'POST /token'. */
  onRequest?: ((request: string) => void) | undefined
} = {}) {
  // The issuer holds the port, which is known only when something listens there.
  const app: { handle?: (...answering: Parameters<RequestListener>) => Promise<void> } = {}
  const listening = await listenOnLoopback({ host, port }, (request, response) => {
    onRequest?.(`${request.method} ${request.url?.split('?')[0]}`)
    void app.handle?.(request, response)
  })
  const { privateKey, keyId } = await signingKey()
  const provider = new Provider(as?.issuer ?? listening.origin, {
    ...pageOptions,
    adapter: createMemoryStore().adapter,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] },
    ...(as && withoutConsent(clientId)),
    ...(organizations && {
      ...withoutConsent(clientId, organizations.open.map(scopeOf)),
      scopes: ['openid', 'offline_access', ...namesOf(organizations).map(scopeOf)],
    }),
    ...(as && { routes: as.routes }),
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        dpop_bound_access_tokens: isBound,
        ...(as && { require_auth_time: true }),
        redirect_uris: redirectUris ?? ['http://localhost/'],
        post_logout_redirect_uris: redirectUris ?? ['http://localhost/'],
      },
    ],
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async (_use: string, scope: string) => ({
        sub,
        name: sub,
        email: `${sub}@example.test`,
        organization: namesOf(organizations).find((name) => scope.split(' ').includes(scopeOf(name))),
      }),
    }),
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email'],
      ...Object.fromEntries(namesOf(organizations).map((name) => [scopeOf(name), ['organization']])),
    },
    // A page reads who the user works for, and a small app asks for nothing else.
    ...(organizations && { conformIdTokenClaims: false }),
    clientBasedCORS: (_context: unknown, origin: string) => isOfThisMachine(origin),
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: logoutPages,
      dPoP: { nonceSecret: randomBytes(32), requireNonce: () => isBound },
      pushedAuthorizationRequests: { requirePushedAuthorizationRequests: isPushed },
      resourceIndicators: {
        enabled: resources.length > 0,
        getResourceServerInfo(_context: unknown, resource: string) {
          if (!resources.includes(resource)) throw new errors.InvalidTarget()
          return { scope: 'read', audience: resource, accessTokenFormat: 'jwt' }
        },
      },
    },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    ttl: {
      AccessToken: accessTokenSeconds,
      IdToken: accessTokenSeconds,
      AuthorizationCode: 60,
      RefreshToken: 3600,
      Session: 3600,
      Grant: 3600,
      Interaction: 600,
    },
  })
  // An app of this machine may stand at any port and path.
  if (!redirectUris) {
    provider.Client.prototype.redirectUriAllowed = isOfThisMachine
    provider.Client.prototype.postLogoutRedirectUriAllowed = isOfThisMachine
  }
  Object.assign(provider, { proxy: as !== undefined })
  const handle = provider.callback()
  app.handle = async (request, response) => {
    if (!(await interact(provider, request, response))) await handle(request, response)
  }
  return {
    /** Issuer, and origin of all its pages. */
    issuer: as?.issuer ?? listening.origin,
    /** Where it listens. */
    origin: listening.origin,
    clientId,
    close: listening.close,
  }
}

const scopeOf = (organization: string) => `organization:${organization}`
const namesOf = ({
  open = [],
  asking = [],
}: { open?: readonly string[]; asking?: readonly string[] } = {}) => [...open, ...asking]

/** What staff of a company meet: the application is known, and nobody is asked whether it may. */
const withoutConsent = (clientId: string, more: readonly string[] = []) => ({
  issueRefreshToken: () => true,
  expiresWithSession: () => true,
  async loadExistingGrant({ oidc }: Context) {
    const { Grant } = oidc.provider
    const { accountId = '' } = oidc.session ?? {}
    const given = oidc.result?.consent?.grantId ?? oidc.session?.grantIdFor(clientId)
    if (more.length > 0 && given !== undefined) return Grant.find(given)
    const grant = new Grant({ clientId, accountId })
    grant.addOIDCScope(['openid profile email offline_access', ...more].join(' '))
    await grant.save()
    return grant
  },
})

const isOfThisMachine = (address: string) => URL.canParse(address) && isLoopback(new URL(address).hostname)
