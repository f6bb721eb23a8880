// Starts everything of the demo in one process, each server on a free port of this computer, and ends it as a whole.
import { type AddressDesk, startAddressDesk } from './addressDesk/start.ts'
import type { AppConfig } from './appServer/appConfig.ts'
import { startBuiltServer } from './appServer/startBuiltServer.ts'
import { startDevServer } from './appServer/startDevServer.ts'
import type { LoopbackHost } from './authServer/options.ts'
import { createHandovers } from './authServer/handovers.ts'
import { type AuthServer, startAuthServer } from './authServer/start.ts'
import { createRedirectionConfig } from './redirections/config.ts'
import { type RedirectionsServer, startRedirectionsServer } from './redirections/start.ts'
import { startMessageDesk } from './messageDesk/start.ts'
import { startRealtimeServer } from './realtimeServer/startRealtimeServer.ts'

export interface DemoOptions {
  /** From its sources on the wanted port or the next free one, or as built into a folder, on any port. */
  app:
    | { from: 'sources'; port: number }
    | { from: 'build'; folder: string; contentSecurityPolicy?: string; hasEarly?: boolean }
  /** `'127.0.0.1'` makes it another site than the app, so that the browser keeps its cookies out of frames. */
  authServerHost?: LoopbackHost
  accessTokenLifetimeSeconds?: number
  /** Who saves a link map has to confirm that it is they. Default false. */
  asksToConfirm?: boolean
  /** Changes the configuration that the app gives to `createAuth`. */
  auth?: Partial<AppConfig['auth']>
  /** Runs the real-time server and the firm's message desk too. Default false: the tabs of a browser have only each other. */
  realtime?: boolean
  /** Runs a second environment, the redirections file and links that lead into the app too. Default false. */
  environments?: boolean
  /** False keeps the JSON editor to its textarea, for a policy that Monaco cannot work with. */
  hasFullEditor?: boolean
  /** Gets the mistakes of the servers themselves. */
  log?: (line: string) => void
}

export type Demo = Awaited<ReturnType<typeof startDemo>>

const CLIENT_ID = 'demo-admin'

/** What a second environment is made of. */
export interface Environments {
  readonly us: AuthServer
  readonly redirections: RedirectionsServer
  readonly desk: AddressDesk
}

export async function startDemo(options: DemoOptions) {
  const { accessTokenLifetimeSeconds = 90, authServerHost = 'localhost' } = options
  const running: { close(): Promise<void> }[] = []
  const run = async <Server extends { close(): Promise<void> }>(starting: Promise<Server>) => {
    const server = await starting
    running.unshift(server)
    return server
  }
  const close = async () => {
    await Promise.all(running.splice(0).map(async (server) => server.close()))
  }

  // Tokens are required, as in production: what a browser may read and write stands in its own.
  const startMessaging = async (authServer: AuthServer) => {
    const realtimeServer = await run(startRealtimeServer({ requireTokens: true }))
    const desk = await run(startMessageDesk({ authServer, realtimeServer, log: options.log }))
    return { realtimeServer, desk }
  }

  const handovers = createHandovers()
  // Another environment is another authorization server and another app origin: this computer by its other name.
  const startEnvironments = async (eu: AuthServer): Promise<Environments> => {
    const us = await run(
      startAuthServer({
        host: '127.0.0.1',
        environment: 'us',
        clientId: CLIENT_ID,
        accessTokenLifetimeSeconds,
        handovers,
      }),
    )
    eu.addPartner(us.origin)
    us.addPartner(eu.origin)
    const authHosts = { eu: eu.origin, us: us.origin }
    const redirections = await run(
      startRedirectionsServer({ config: createRedirectionConfig({ clientId: CLIENT_ID, authHosts }) }),
    )
    return { us, redirections, desk: await run(startAddressDesk({ authServer: eu })) }
  }

  try {
    const authServer = await run(
      startAuthServer({
        host: authServerHost,
        clientId: CLIENT_ID,
        accessTokenLifetimeSeconds,
        handovers,
        asksToConfirm: options.asksToConfirm === true,
        ...(options.log && { log: options.log }),
      }),
    )

    const messaging = options.realtime === true ? await startMessaging(authServer) : undefined
    const callOrigins = messaging ? [messaging.desk.origin, `http://${messaging.realtimeServer.origin}`] : []

    const environments = options.environments === true ? await startEnvironments(authServer) : undefined

    const allowedOrigins = [authServer.origin, ...(environments ? [environments.us.origin] : [])]
    if (environments) callOrigins.push(environments.redirections.origin)

    const config: AppConfig = {
      auth: {
        authHost: authServer.origin,
        clientId: CLIENT_ID,
        scopes: ['openid', 'profile', 'offline_access'],
        autoRefreshToken: true,
        ...(environments && {
          redirectionsUrl: environments.redirections.url,
          allowedEnvironmentHosts: [authServer.origin, environments.us.origin],
        }),
        ...(messaging && { apiOrigins: [messaging.desk.origin] }),
        ...options.auth,
      },
      accessTokenLifetimeSeconds,
      userInfoUrl: `${authServer.origin}/api/userinfo`,
      ...(options.hasFullEditor === false && { hasFullEditor: false }),
      ...(messaging && {
        realtime: { origin: messaging.realtimeServer.origin, deskOrigin: messaging.desk.origin },
      }),
    }
    const app = await run(
      options.app.from === 'sources'
        ? startDevServer(config, { port: options.app.port })
        : startBuiltServer({ ...options.app, config, allowedOrigins, callOrigins }),
    )
    authServer.registerApp({ redirectUris: [`${app.origin}/`] })
    if (environments) joinEnvironments(app.origin, config, { ...environments, eu: authServer })
    messaging?.desk.setAppOrigin(app.origin)

    return { origin: app.origin, authServer, environments, realtimeServer: messaging?.realtimeServer, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Says who is where, once the app has an address; the app reads its configuration with every page. */
function joinEnvironments(
  appOrigin: string,
  config: AppConfig,
  { eu, us, desk }: Environments & { eu: AuthServer },
): void {
  const otherAppOrigin = appOrigin.replace('localhost', '127.0.0.1')
  us.registerApp({ redirectUris: [`${otherAppOrigin}/`] })
  us.addPartnerApp(appOrigin)
  eu.addPartnerApp(otherAppOrigin)
  desk.setAppOrigin(appOrigin)
  config.addresses = { environment: 'eu', deskOrigin: desk.origin, otherAppOrigin }
  const { other: _none, realtime: _alone, ...shared } = config
  config.other = {
    hostname: '127.0.0.1',
    config: {
      ...shared,
      auth: { ...config.auth, authHost: us.origin },
      userInfoUrl: `${us.origin}/api/userinfo`,
      addresses: { environment: 'us', deskOrigin: desk.origin, otherAppOrigin: appOrigin },
    },
  }
}
