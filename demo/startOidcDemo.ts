// Starts the same app on an OpenID Connect provider that nobody here wrote, in its standard configuration.
import type { AppConfig } from './appServer/appConfig.ts'
import { startBuiltServer } from './appServer/startBuiltServer.ts'
import { startDevServer } from './appServer/startDevServer.ts'
import { startOidcServer } from './servers/oidc/startOidcServer.ts'
import type { DemoOptions } from './startDemo.ts'

export interface OidcDemoOptions extends Pick<
  DemoOptions,
  'app' | 'accessTokenLifetimeSeconds' | 'auth' | 'hasFullEditor'
> {
  /** The provider binds all tokens to a key of the page (DPoP). Default false. */
  isBound?: boolean | undefined
  /** The provider takes authorization requests only by a call of the app before (PAR). Default false. */
  isPushed?: boolean | undefined
  /** The policy of the built app, by the origin of the provider. Default: what the app needs. */
  policy?: ((issuer: string) => string) | undefined
  /** Hears of every request to the provider: 'POST /token'. */
  onRequest?: ((request: string) => void) | undefined
}

export type OidcDemo = Awaited<ReturnType<typeof startOidcDemo>>

export async function startOidcDemo(options: OidcDemoOptions) {
  const { accessTokenLifetimeSeconds = 90, isBound = false, isPushed, onRequest, policy } = options
  const server = await startOidcServer({
    accessTokenSeconds: accessTokenLifetimeSeconds,
    isBound,
    isPushed,
    onRequest,
  })
  const { issuer, clientId } = server
  const config: AppConfig = {
    auth: {
      clientId,
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      autoRefreshToken: true,
      apiOrigins: [issuer],
      ...options.auth,
    },
    // This provider has refresh tokens only for users who were asked.
    provider: { issuer, parameters: { prompt: 'consent' }, ...(isBound && { dpop: 'required' }) },
    userInfoUrl: `${issuer}/me`,
    accessTokenLifetimeSeconds,
    ...(options.hasFullEditor === false && { hasFullEditor: false }),
  }
  try {
    const app = await (options.app.from === 'sources'
      ? startDevServer(config, { port: options.app.port })
      : startBuiltServer({
          ...options.app,
          config,
          allowedOrigins: [issuer],
          framesItself: true,
          ...(policy && { contentSecurityPolicy: policy(issuer) }),
        }))
    const close = async () => {
      await Promise.all([app.close(), server.close()])
    }
    return { origin: app.origin, server, close }
  } catch (error) {
    await server.close()
    throw error
  }
}
