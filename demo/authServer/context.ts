// What every part of one running authorization server shares, and one request to it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { Environment } from '../seed.ts'
import type { Accounts } from './accounts.ts'
import type { Clients } from './clients.ts'
import type { Faults } from './faults.ts'
import type { Issued } from './issued.ts'
import type { MemoryStore } from './memoryAdapter.ts'
import type { TokenMaker } from './signing.ts'
import type { OneTimeKeys, Ticket } from './tickets.ts'

export interface ServerContext {
  readonly origin: string
  readonly environment: Environment
  readonly provider: Provider
  readonly clients: Clients
  readonly accounts: Accounts
  readonly issued: Issued
  readonly store: MemoryStore
  readonly faults: Faults
  /** By key, the account that is handed over from another environment. */
  readonly handovers: OneTimeKeys<string>
  /** Servers of other environments, whose passthrough address may follow a logout. */
  readonly partners: Set<string>
  /** App origins of other environments; who comes from there arrives at this environment's own app. */
  readonly partnerApps: Set<string>
  /** What popups have half done, by the key in the form of their page. */
  readonly tickets: OneTimeKeys<Ticket>
  /** The accounts that may open a re-authentication. */
  readonly nonces: OneTimeKeys<string>
  /** Proof that a form was shown by this server to this very session, so that no other page can submit it. */
  readonly formKey: (sessionUid: string) => string
  /** Request codes of supporters who were let in. */
  readonly usedCodes: Set<string>
  readonly tokens: TokenMaker
  /** Who saves a link map has to confirm that it is they. */
  readonly asksToConfirm: boolean
  readonly accessTokenLifetimeSeconds: () => number
}

/** One request, and where its answer goes. */
export interface Call {
  readonly server: ServerContext
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
}
