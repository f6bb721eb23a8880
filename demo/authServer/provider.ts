// Configures npm oidc-provider for the contract: short JWT access tokens, rotation, one grant a sign-in, no consent page.
import type { EventEmitter } from 'node:events'
import { type Grant, type KoaContextWithOIDC as Context, Provider } from 'oidc-provider'
import { decodeIdentity } from './accounts.ts'
import type { ServerContext } from './context.ts'
import type { Strength } from './issued.ts'
import { errorPage, showPage } from './page.ts'
import type { SigningKey } from './signing.ts'

/** A session whose "keep me signed in" box was not ticked ends with the browser, and on the server after this time. */
export const SHORT_SESSION_SECONDS = 8 * 60 * 60

export const REMEMBERED_SESSION_SECONDS = 30 * 24 * 60 * 60

const REFRESH_TOKEN_SECONDS = 12 * 60 * 60

export interface ProviderOptions extends Pick<
  ServerContext,
  'origin' | 'clients' | 'accounts' | 'store' | 'issued' | 'faults' | 'tokens' | 'accessTokenLifetimeSeconds'
> {
  cookiePrefix: string
  key: SigningKey
  /** Gets what the provider itself did wrong. */
  onMistake(error: Error): void
}

export function createProvider(options: ProviderOptions): Provider {
  const { origin, clients, store, issued, faults, key } = options
  const resource = `${origin}/api`

  const provider = new Provider(origin, {
    adapter: (model) => ({
      ...store.adapter(model),
      ...(model === 'Client' ? { find: async (id: string) => clients.metadata(id) } : {}),
    }),
    jwks: {
      keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: key.keyId, use: 'sig', alg: 'RS256' }],
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      // Its form ends the session of the one where another user signs in.
      end_session: '/oauth/end_session',
      jwks: '/oauth/jwks',
    },
    cookies: {
      names: {
        session: `${options.cookiePrefix}_session`,
        interaction: `${options.cookiePrefix}_interaction`,
        resume: `${options.cookiePrefix}_resume`,
      },
      long: { httpOnly: true, sameSite: 'lax', path: '/' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    claims: { openid: ['sub'], profile: ['name', 'email'] },
    scopes: ['openid', 'offline_access', 'profile', 'email'],
    extraParams: ['remember_me'],
    clientBasedCORS: (_context, pageOrigin) => clients.isAppOrigin(pageOrigin),
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      // The contract has a logout of its own.
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (context: Context) => ({
          scope: requestedScope(context),
          audience: context.oidc.client?.clientId,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256', kid: key.keyId } },
        }),
      },
    },
    findAccount(_context, accountId) {
      const person = options.accounts.person(decodeIdentity(accountId).userId)
      return (
        person && {
          accountId,
          claims: () => ({ sub: person.userId, name: person.name, email: person.email }),
        }
      )
    },
    formats: {
      customizers: {
        jwt(context, token, made) {
          if (token.kind !== 'AccessToken') return
          const lifetimeSeconds = options.accessTokenLifetimeSeconds()
          const issuedAtSeconds = Number(made.payload['iat'])
          const { jti, accountId, clientId = '', grantId, sessionUid } = token
          const sessionId = sessionUid ?? grantId
          const strength = strengthOf(context)
          const common = { jti, accountId, clientId, strength }
          made.payload = options.tokens.claims({ ...common, lifetimeSeconds, sessionId, issuedAtSeconds })
          const expiresAtMs = (issuedAtSeconds + lifetimeSeconds) * 1000
          issued.addToken({ ...common, grantId, sessionUid, expiresAtMs })
        },
      },
    },
    interactions: { url: (_context, { uid }) => `/oauth/signin/${uid}` },
    loadExistingGrant: newGrant,
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: () => !faults.rotationOff,
    pkce: { required: () => true },
    ttl: {
      AccessToken: () => options.accessTokenLifetimeSeconds(),
      AuthorizationCode: 60,
      Grant: REMEMBERED_SESSION_SECONDS,
      IdToken: 600,
      Interaction: 3600,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Session: (_context, session) =>
        session.transient === true ? SHORT_SESSION_SECONDS : REMEMBERED_SESSION_SECONDS,
    },
    renderError(context, out) {
      const text = out.error_description ?? 'The request could not be understood.'
      showPage(context, errorPage(context.status, 'This sign-in cannot go on', text, clients.appOrigins()[0]))
    },
  })

  // The library compares registered addresses by itself; those of this computer may be registered as a whole.
  const { prototype } = provider.Client
  const isAllowed = prototype.redirectUriAllowed
  prototype.redirectUriAllowed = function (address) {
    return isAllowed.call(this, address) || clients.isLoopbackApp(address)
  }

  /** One grant for each sign-in, so that reuse of one tab's refresh token ends that family and no other. */
  async function newGrant(context: Context): Promise<Grant | undefined> {
    const { session, client, params } = context.oidc
    if (!session?.accountId || !client) return undefined
    const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
    const scope = textIn(params, 'scope') ?? ''
    grant.addOIDCScope(scope)
    grant.addResourceScope(resource, scope)
    issued.addFamily({
      grantId: await grant.save(),
      sessionUid: session.uid,
      challenge: textIn(params, 'code_challenge'),
      isExchanged: false,
    })
    return grant
  }

  provider.on('grant.success', (context) => {
    const grantId = context.oidc.entities['AuthorizationCode']?.grantId
    if (grantId !== undefined) issued.exchanged(grantId)
    if (context.oidc.params?.['grant_type'] === 'refresh_token') issued.counts.refreshes += 1
  })
  provider.on('grant.revoked', (_context, grantId) => issued.revokeFamily(grantId))
  // However a session ends (logout, another person, passthrough), what it gave out ends with it.
  provider.on('session.destroyed', ({ uid }) => {
    for (const { grantId, sessionUid } of issued.families()) {
      if (sessionUid !== uid) continue
      store.revokeGrant(grantId)
      issued.revokeFamily(grantId)
    }
  })
  provider.on('server_error', (_context, error) => options.onMistake(error))
  // Connections that a visitor or a fault cuts off end up here too, and are nobody's mistake.
  ;(provider as EventEmitter).on('error', () => undefined)
  return provider
}

/** How strongly the user has signed in for what is exchanged or renewed now. */
function strengthOf({ oidc }: Context): Strength | undefined {
  const { acr, authTime } = oidc.entities['RefreshToken'] ?? oidc.entities['AuthorizationCode'] ?? {}
  return acr === undefined || authTime === undefined ? undefined : { acr, authTimeSeconds: authTime }
}

const textIn = (parameters: Readonly<Record<string, unknown>> | undefined, name: string) => {
  const value = parameters?.[name]
  return typeof value === 'string' ? value : undefined
}

function requestedScope({ oidc }: Context): string {
  return (
    textIn(oidc.params, 'scope') ??
    oidc.entities['RefreshToken']?.scope ??
    oidc.entities['AuthorizationCode']?.scope ??
    ''
  )
}
