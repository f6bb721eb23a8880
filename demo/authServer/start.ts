// Starts the demo's authorization server: a demo and test tool on loopback, in memory, over npm oidc-provider.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Environment } from '../seed.ts'
import { createAccounts, type Accounts } from './accounts.ts'
import { answerByWebMessage } from './authorize.ts'
import { createClients, type ClientRegistration } from './clients.ts'
import type { ServerContext } from './context.ts'
import { allowCrossOrigin } from './crossOrigin.ts'
import { createFaults, type Faults } from './faults.ts'
import { handleFaultsEndpoint } from './faultsEndpoint.ts'
import { createHandovers, type Handovers } from './handovers.ts'
import { HttpError, isOrigin, sendError } from './http.ts'
import { encodeIdentity, type Identity } from './identity.ts'
import { createIssued, type IssuedCounts } from './issued.ts'
import { createLogout } from './logout.ts'
import { createMemoryStore } from './memoryAdapter.ts'
import { sendErrorPage } from './page.ts'
import { createProvider } from './provider.ts'
import { createRequestLog, type RequestLog, type RequestRecord } from './requestLog.ts'
import { createRoutes, type Route } from './routes.ts'
import { createTokenMaker, signingKey } from './signing.ts'
import { strikeAfter, strikeBefore } from './strike.ts'
import {
  createTokenEndpoint,
  editAnswers,
  readTokenParameters,
  registerJtiGrant,
  type TokenParameters,
} from './token.ts'

/** Names of this computer itself; a page on the one is cross-site to the other, which blocks silent frames. */
export type LoopbackHost = '127.0.0.1' | 'localhost'

export interface AuthServerOptions {
  /** 0 (default) picks a free one. */
  port?: number
  /** The host in the server's origin. It always listens on loopback only. */
  host?: LoopbackHost
  clientId?: string
  redirectUris?: readonly string[]
  /** Where the app's pages come from; by default the origins of the redirect addresses. */
  appOrigins?: readonly string[]
  /** Further apps, for example other libraries measured side by side. */
  clients?: readonly ClientRegistration[]
  accessTokenLifetimeSeconds?: number
  environment?: Environment
  cloudProviderOrigin?: string
  /** Servers of other environments, whose passthrough address may follow a logout. */
  partnerOrigins?: readonly string[]
  /** Share one between the servers of all environments, so that a session can be handed over. */
  handovers?: Handovers
  /** Session cookies that third-party frames may send (SameSite=None), where the browser still allows that. */
  crossSiteCookies?: boolean
  /** Serve /__faults, by which a test in another process can drive the faults. */
  faultsEndpoint?: boolean
  /** Gets the line that says where the server is, and errors of its own; never a request. */
  log?: (line: string) => void
}

export interface MintTokenOptions extends Identity {
  clientId?: string
  lifetimeSeconds?: number
  sessionId?: string
  /** Replaces or adds claims, to make a token that is wrong on purpose. */
  claims?: Record<string, unknown>
}

export interface AuthServer {
  readonly origin: string
  readonly environment: Environment
  readonly requests: RequestLog
  readonly faults: Faults
  /** What was handed out and revoked, for tests to compare. */
  readonly counts: IssuedCounts
  /** The database: read or change it to set a scene. */
  readonly accounts: Accounts
  /** Makes an app known after the start, when its own port was not known before. */
  registerApp(client: Omit<ClientRegistration, 'clientId'> & { clientId?: string }): void
  setCloudProvider(origin: string): void
  addPartner(origin: string): void
  /** An access token outside any browser session, for addresses and initToken. */
  mintAccessToken(options: MintTokenOptions): string
  /** REST calls answer 401 from now on, refreshing still works. */
  expireAllTokens(): void
  /** Ends every session and everything it gave out. */
  revokeAllSessions(): void
  close(): Promise<void>
}

const HOSTS: readonly string[] = ['127.0.0.1', 'localhost']

export async function startAuthServer(options: AuthServerOptions = {}): Promise<AuthServer> {
  const { host = '127.0.0.1', environment = 'eu', clientId = 'demo-admin', log } = options
  if (!HOSTS.includes(host))
    throw new TypeError(`host must be one of ${HOSTS.join(', ')}: this server is for loopback only`)

  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => undefined
  const http = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => answerFailure(response, error, log))
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = http.address() as AddressInfo
  const origin = `http://${host}:${port}`

  const accounts = createAccounts(environment)
  const clients = createClients()
  const faults = createFaults()
  const issued = createIssued()
  const store = createMemoryStore()
  const requests = createRequestLog()
  const key = await signingKey()
  const person: Accounts['person'] = (userId) => accounts.person(userId)
  const tokens = createTokenMaker({ issuer: origin, key, issued, firmOf: (userId) => person(userId)?.firmId })
  const accessTokenLifetimeSeconds = (): number =>
    faults.accessTokenLifetimeSeconds ?? options.accessTokenLifetimeSeconds ?? 120
  // Cookies are shared by all ports of a host, so the port stands in their names.
  const cookiePrefix = `latchkey_${environment}_${port}`
  const provider = createProvider({
    origin,
    cookiePrefix,
    key,
    clients,
    store,
    issued,
    faults,
    tokens,
    person,
    accessTokenLifetimeSeconds,
  })
  provider.registerResponseMode('web_message', (context, redirectUri, answer) =>
    answerByWebMessage({ clients, faults }, context, redirectUri, answer),
  )
  let cloudProviderOrigin = options.cloudProviderOrigin
  const partnerOrigins = new Set(options.partnerOrigins)
  const server: ServerContext = {
    origin,
    environment,
    provider,
    clients,
    accounts,
    issued,
    store,
    faults,
    tokens,
    handovers: options.handovers ?? createHandovers(),
    cloudProviderOrigin: () => cloudProviderOrigin,
    accessTokenLifetimeSeconds,
  }
  registerJtiGrant(server)
  editAnswers(server)
  const registerApp: AuthServer['registerApp'] = (client) => clients.register({ clientId, ...client })
  registerApp({
    redirectUris: options.redirectUris ?? [],
    ...(options.appOrigins ? { appOrigins: options.appOrigins } : {}),
  })
  for (const client of options.clients ?? []) clients.register(client)

  const tokenEndpoint = createTokenEndpoint(server)
  const routes = createRoutes(
    server,
    createLogout(server, () => [...partnerOrigins]),
  )
  const revokeAllSessions = (): void => {
    for (const { grantId } of issued.allFamilies()) {
      store.revokeGrant(grantId)
      issued.revokeFamily(grantId)
    }
    issued.expireAllTokens()
    store.clear('Session')
  }
  const control = {
    requests,
    faults,
    counts: issued.counts,
    expireAllTokens: issued.expireAllTokens,
    revokeAllSessions,
  }

  handle = async (request, response) => {
    const url = URL.parse(request.url ?? '/', origin)
    if (url === null || request.headers.host !== `${host}:${port}`) {
      sendErrorPage(response, 421, 'Wrong address', `This server answers on ${origin} only.`)
      return
    }
    if (options.faultsEndpoint === true && url.pathname === '/__faults') {
      await handleFaultsEndpoint(control, request, response)
      return
    }
    const record = requests.begin(request, response, url)
    if (faults.latencyMs > 0) await wait(faults.latencyMs)
    response.setHeader('cache-control', 'no-store')
    response.setHeader('referrer-policy', 'no-referrer')
    response.setHeader('x-content-type-options', 'nosniff')
    if (options.crossSiteCookies === true) sendCookiesAcrossSites(response)
    await answer(request, response, url, record)
  }

  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    record: RequestRecord,
  ) => {
    const isPreflight = allowCrossOrigin(clients, request, response)
    const parameters = isTokenRequest(request, url) ? await readTokenParameters(request) : undefined
    record.grant = grantOf(parameters)
    const subject = { method: request.method ?? 'GET', path: url.pathname, grant: record.grant }
    if (await strikeBefore(response, faults.take('before', subject))) return
    if (isPreflight) {
      response.writeHead(204).end()
      return
    }
    for (const rule of faults.take('after', subject)) strikeAfter(response, rule)
    if (parameters) await tokenEndpoint.handle(request, response, parameters)
    else await dispatch(routes, request, response, url)
  }

  log?.(`authorization server (${environment}), a demo and test tool: ${origin}`)

  return {
    origin,
    environment,
    requests,
    faults,
    counts: issued.counts,
    accounts,
    registerApp,
    setCloudProvider(cloudOrigin) {
      if (!isOrigin(cloudOrigin)) throw new TypeError(`not an origin: ${cloudOrigin}`)
      cloudProviderOrigin = cloudOrigin
    },
    addPartner: (partner) => void partnerOrigins.add(partner),
    mintAccessToken: ({ lifetimeSeconds, sessionId, claims, clientId: audience, ...identity }) =>
      tokens.mint({
        accountId: encodeIdentity(identity),
        clientId: audience ?? clientId,
        lifetimeSeconds: lifetimeSeconds ?? accessTokenLifetimeSeconds(),
        sessionId: sessionId ?? crypto.randomUUID(),
        ...(claims ? { claims } : {}),
      }),
    expireAllTokens: issued.expireAllTokens,
    revokeAllSessions,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}

const isTokenRequest = (request: IncomingMessage, url: URL): boolean =>
  request.method === 'POST' && url.pathname === '/oauth/token'

const GRANTS = ['authorization_code', 'refresh_token', 'jti']

function grantOf(parameters: TokenParameters | undefined): string | undefined {
  const grant = parameters?.['grant_type']
  return grant !== undefined && GRANTS.includes(grant) ? grant : undefined
}

async function dispatch(
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const there = routes.filter((route) => route.path.test(url.pathname))
  const found = there.find((route) => route.method === request.method)
  if (found) {
    const [, piece] = found.path.exec(url.pathname) ?? []
    await found.handle(request, response, url, decodePiece(piece))
    return
  }
  const isRest = /^\/(?:api|cloudprovider|support)\//.test(url.pathname)
  const allow = there.map((route) => route.method).join(', ')
  if (there.length > 0)
    throw new HttpError(405, 'invalid_request', 'this method is not known here', { allow })
  if (isRest) throw new HttpError(404, 'not_found', 'there is nothing at this address')
  sendErrorPage(
    response,
    404,
    'Nothing here',
    'This address does not exist on the demo authorization server.',
  )
}

function decodePiece(piece: string | undefined): string {
  try {
    return decodeURIComponent(piece ?? '')
  } catch {
    throw new HttpError(400, 'invalid_request', 'the address is not well-formed')
  }
}

function sendCookiesAcrossSites(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response)
  response.setHeader = (name, value) => {
    if (name.toLowerCase() !== 'set-cookie' || typeof value === 'number') return setHeader(name, value)
    const cookies = typeof value === 'string' ? [value] : [...value]
    return setHeader(
      name,
      cookies.map((cookie) => cookie.replace(/samesite=lax/i, 'samesite=none; secure')),
    )
  }
}

function answerFailure(response: ServerResponse, error: unknown, log: AuthServerOptions['log']): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  if (error instanceof HttpError) {
    sendError(response, error)
    return
  }
  log?.(`authorization server: ${error instanceof Error ? error.message : 'unknown failure'}`)
  sendError(response, new HttpError(500, 'server_error', 'the demo server made a mistake'))
}
