// What the demo's authorization server can be started with, and what it gives back.
import type { IncomingMessage } from 'node:http'
import type { Environment } from '../seed.ts'
import type { Accounts } from './accounts.ts'
import type { Caller } from './bearer.ts'
import type { ClientRegistration } from './clients.ts'
import type { Faults } from './faults.ts'
import type { Handovers } from './handovers.ts'
import type { Identity } from './identity.ts'
import type { IssuedCounts } from './issued.ts'
import type { RequestLog } from './requestLog.ts'

/** Names of this computer itself; a page on the one is cross-site to the other, which blocks silent frames. */
export type LoopbackHost = '127.0.0.1' | 'localhost'

export interface AuthServerOptions {
  /** 0 (default) picks a free one. */
  port?: number
  /** The host in the server's origin. It always listens on loopback only. */
  host?: LoopbackHost
  clientId?: string
  redirectUris?: readonly string[]
  /** Where the app's pages come from; by default the origins of the redirect URIs. */
  appOrigins?: readonly string[]
  /** Further apps, for example other libraries measured side by side. */
  clients?: readonly ClientRegistration[]
  accessTokenLifetimeSeconds?: number
  /** Who saves a link map has to confirm that it is they, every five minutes (RFC 9470). Default false. */
  asksToConfirm?: boolean
  /** Every address of this computer is registered: apps at any port may sign in, call and frame. Default false. */
  anyLoopbackApp?: boolean
  environment?: Environment
  cloudProviderOrigin?: string
  /** Servers of other environments, whose passthrough address may follow a logout. */
  partnerOrigins?: readonly string[]
  /** Share one between the servers of all environments, so that a session can be handed over. */
  handovers?: Handovers
  /** Serve /__faults, by which a test in another process can drive the faults. */
  faultsEndpoint?: boolean
  /** Gets the line that says where the server is, and mistakes of its own; never a request. */
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
  /** An app of another environment: a passthrough whose `redirect` is there leads to the same place in our own app. */
  addPartnerApp(origin: string): void
  /** An access token outside any browser session, for addresses and initToken. */
  mintAccessToken(options: MintTokenOptions): string
  /** Starts a session of the server without its sign-in page: the cookie that makes a browser part of it. */
  startSession(accountId: string): Promise<{ name: string; value: string }>
  /** Who calls another server of the firm with a bearer token. @throws HttpError 401 */
  callerOf(request: IncomingMessage): Caller
  /** REST calls answer 401 from now on, refreshing still works. */
  expireAllTokens(): void
  /** Ends every session and everything it gave out. */
  revokeAllSessions(): void
  close(): Promise<void>
}
