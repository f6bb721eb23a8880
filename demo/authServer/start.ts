// Starts the demo's authorization server: a demo and test tool on loopback, in memory, over npm oidc-provider.
import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createAccounts, type Accounts } from './accounts.ts'
import { answerByWebMessage } from './authorize.ts'
import { readCaller } from './bearer.ts'
import { createClients } from './clients.ts'
import type { ServerContext } from './context.ts'
import { createFaults } from './faults.ts'
import { createFormKeys } from './formKeys.ts'
import { createHandovers } from './handovers.ts'
import { isOrigin } from './http.ts'
import { encodeIdentity } from './identity.ts'
import { createIssued } from './issued.ts'
import { createJtiDesk } from './jtiDesk.ts'
import { listenOnLoopback } from './listen.ts'
import { createMemoryStore } from './memoryAdapter.ts'
import type { AuthServer, AuthServerOptions } from './options.ts'
import { createProvider } from './provider.ts'
import { createRequestLog } from './requestLog.ts'
import { createRoutes } from './routes.ts'
import { createListener } from './serve.ts'
import { createSession } from './session.ts'
import { createTokenMaker, signingKey } from './signing.ts'
import { createTickets } from './tickets.ts'
import { createTokenEndpoint, editAnswers, registerJtiGrant } from './token.ts'

const DEFAULT_LIFETIME_SECONDS = 120

export async function startAuthServer(options: AuthServerOptions = {}): Promise<AuthServer> {
  const { host = '127.0.0.1', port = 0, environment = 'eu', clientId = 'demo-admin', log } = options
  const key = await signingKey()
  // The origin is part of everything below, and known only once the port is.
  let listener: RequestListener = (_request, response) => response.destroy()
  const listening = await listenOnLoopback({ host, port }, (request, response) => listener(request, response))
  const { origin } = listening

  const accounts = createAccounts(environment)
  const clients = createClients({ anyLoopback: options.anyLoopbackApp === true })
  const faults = createFaults()
  const issued = createIssued()
  const store = createMemoryStore()
  const requests = createRequestLog()
  const handovers = options.handovers ?? createHandovers()
  const partners = new Set(options.partnerOrigins)
  const partnerApps = new Set<string>()
  let cloudProvider = options.cloudProviderOrigin
  const person: Accounts['person'] = (userId) => accounts.person(userId)
  const accessTokenLifetimeSeconds = (): number =>
    faults.accessTokenLifetimeSeconds ?? options.accessTokenLifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS
  const tokens = createTokenMaker({ issuer: origin, key, issued, person })
  const onMistake = (error: Error): void => log?.(`authorization server: ${error.message}`)
  // Cookies are shared by all ports of a host, so the port stands in their names.
  const cookiePrefix = `latchkey_${environment}_${listening.port}`
  const common = { origin, clients, issued, store, faults, tokens, accessTokenLifetimeSeconds }
  const provider = createProvider({ ...common, cookiePrefix, key, person, onMistake })
  provider.registerResponseMode('web_message', (context, redirectUri, answer) =>
    answerByWebMessage({ clients, faults }, context, redirectUri, answer),
  )

  const server: ServerContext = {
    ...common,
    environment,
    provider,
    accounts,
    handovers,
    partnerApps,
    asksToConfirm: options.asksToConfirm === true,
    jtiDesk: createJtiDesk({ issued, handovers }),
    tickets: createTickets(),
    formKeys: createFormKeys(),
    cloudProviderOrigin: () => cloudProvider,
  }
  registerJtiGrant(server)
  editAnswers(server)

  const { redirectUris = [], appOrigins } = options
  clients.register({ clientId, redirectUris, ...(appOrigins ? { appOrigins } : {}) })
  for (const client of options.clients ?? []) clients.register(client)

  const revokeAllSessions = (): void => {
    for (const { grantId } of issued.allFamilies()) {
      store.revokeGrant(grantId)
      issued.revokeFamily(grantId)
    }
    issued.expireAllTokens()
    store.clear('Session')
  }
  const { counts, expireAllTokens } = issued
  const control = { requests, faults, counts, expireAllTokens, revokeAllSessions }
  listener = createListener({
    server,
    host: listening.host,
    requests,
    routes: createRoutes(server, () => [...partners]),
    tokenEndpoint: createTokenEndpoint(server),
    control: options.faultsEndpoint === true ? control : undefined,
    log,
  })
  log?.(`authorization server (${environment}), a demo and test tool: ${origin}`)

  return {
    origin,
    environment,
    accounts,
    ...control,
    registerApp: (client) => clients.register({ clientId, ...client }),
    setCloudProvider(cloudOrigin) {
      cloudProvider = checkedOrigin(cloudOrigin)
    },
    addPartner: (partner) => void partners.add(checkedOrigin(partner)),
    addPartnerApp: (app) => void partnerApps.add(checkedOrigin(app)),
    mintAccessToken: ({ lifetimeSeconds, sessionId, claims, clientId: audience, ...identity }) =>
      tokens.mint({
        accountId: encodeIdentity(identity),
        clientId: audience ?? clientId,
        lifetimeSeconds: lifetimeSeconds ?? accessTokenLifetimeSeconds(),
        sessionId: sessionId ?? randomUUID(),
        ...(claims ? { claims } : {}),
      }),
    startSession: async (accountId) => ({
      name: provider.cookieName('session'),
      value: await createSession(server, accountId),
    }),
    callerOf: (request) => readCaller(server, request),
    close: listening.close,
  }
}

function checkedOrigin(origin: string): string {
  if (!isOrigin(origin)) throw new TypeError(`not an origin (scheme, host and port only): ${origin}`)
  return origin
}
