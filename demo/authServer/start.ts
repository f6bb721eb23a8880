// Starts the demo's authorization server: a demo and test tool on loopback, in memory, over npm oidc-provider.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createAccounts, encodeIdentity } from './accounts.ts'
import { answerByWebMessage } from './authorize.ts'
import { readCaller } from './bearer.ts'
import { type Client, createClients } from './clients.ts'
import type { ServerContext } from './context.ts'
import { createFaults } from './faults.ts'
import { createHandovers } from './handovers.ts'
import { isOrigin } from './http.ts'
import { createIssued } from './issued.ts'
import { listenOnLoopback } from './listen.ts'
import { createMemoryStore } from './memoryAdapter.ts'
import type { AuthServerOptions, MintTokenOptions } from './options.ts'
import { createProvider } from './provider.ts'
import { createRequestLog } from './requestLog.ts'
import { createListener } from './serve.ts'
import { createSession } from './session.ts'
import { createTokenMaker, signingKey } from './signing.ts'
import { createOneTimeKeys, NONCE_MS, type Ticket, TICKET_MS } from './tickets.ts'
import { editAnswers, registerJtiGrant } from './token.ts'

const DEFAULT_LIFETIME_SECONDS = 120

export type AuthServer = Awaited<ReturnType<typeof startAuthServer>>

export async function startAuthServer(options: AuthServerOptions = {}) {
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
  const accessTokenLifetimeSeconds = (): number =>
    faults.accessTokenLifetimeSeconds ?? options.accessTokenLifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS
  const tokens = createTokenMaker({ issuer: origin, key, issued, accounts })
  const onMistake = (error: Error): void => log?.(`authorization server: ${error.message}`)
  // Cookies are shared by all ports of a host, so the port stands in their names.
  const cookiePrefix = `latchkey_${environment}_${listening.port}`
  const common = { origin, accounts, clients, issued, store, faults, tokens, accessTokenLifetimeSeconds }
  const provider = createProvider({ ...common, cookiePrefix, key, onMistake })
  provider.registerResponseMode('web_message', (context, redirectUri, answer) =>
    answerByWebMessage({ clients, faults }, context, redirectUri, answer),
  )

  const formSecret = randomBytes(32)
  const server: ServerContext = {
    ...common,
    environment,
    provider,
    handovers: options.handovers ?? createHandovers(),
    partners: new Set(),
    partnerApps: new Set(),
    asksToConfirm: options.asksToConfirm === true,
    tickets: createOneTimeKeys<Ticket>(TICKET_MS),
    nonces: createOneTimeKeys<string>(NONCE_MS),
    formKey: (sessionUid) => createHmac('sha256', formSecret).update(sessionUid).digest('base64url'),
    usedCodes: new Set(),
  }
  registerJtiGrant(server)
  editAnswers(server)

  clients.register({ clientId, redirectUris: options.redirectUris ?? [] })

  listener = createListener({ server, host: listening.host, requests, log })

  return {
    origin,
    environment,
    /** The database: read or change it to set a scene. */
    accounts,
    requests,
    faults,
    /** What was handed out and revoked, for tests to compare. */
    counts: issued.counts,
    /** REST calls answer 401 from now on, refreshing still works. */
    expireAllTokens: issued.expireAllTokens,
    /** Ends every session and everything it gave out. */
    revokeAllSessions(): void {
      for (const { grantId } of issued.families()) {
        store.revokeGrant(grantId)
        issued.revokeFamily(grantId)
      }
      issued.expireAllTokens()
      store.clear('Session')
    },
    /** Makes an app known after the start, when its own port was not known before. */
    registerApp: (app: Pick<Client, 'redirectUris'> & Partial<Client>) =>
      clients.register({ clientId, ...app }),
    addPartner: (partner: string) => void server.partners.add(checkedOrigin(partner)),
    /** An app of another environment: a passthrough whose `redirect` is there leads to the same place in our own app. */
    addPartnerApp: (app: string) => void server.partnerApps.add(checkedOrigin(app)),
    /** An access token outside any browser session, for addresses and initToken. */
    mintAccessToken: ({
      lifetimeSeconds,
      sessionId,
      claims,
      clientId: audience,
      ...identity
    }: MintTokenOptions) =>
      tokens.mint({
        accountId: encodeIdentity(identity),
        clientId: audience ?? clientId,
        lifetimeSeconds: lifetimeSeconds ?? accessTokenLifetimeSeconds(),
        sessionId: sessionId ?? randomUUID(),
        ...(claims && { claims }),
      }),
    /** Starts a session of the server without its sign-in page: the cookie that makes a browser part of it. */
    startSession: async (accountId: string) => ({
      name: provider.cookieName('session'),
      value: await createSession(server, accountId),
    }),
    /** Who calls another server of the firm with a bearer token. @throws HttpError 401 */
    callerOf: (request: IncomingMessage) => readCaller({ server, request }),
    close: listening.close,
  }
}

function checkedOrigin(origin: string): string {
  if (!isOrigin(origin)) throw new TypeError(`not an origin (scheme, host and port only): ${origin}`)
  return origin
}
