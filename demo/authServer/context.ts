// What every part of one running authorization server shares.
import type { Provider } from 'oidc-provider'
import type { Environment } from '../seed.ts'
import type { Accounts } from './accounts.ts'
import type { Clients } from './clients.ts'
import type { Faults } from './faults.ts'
import type { FormKeys } from './formKeys.ts'
import type { Handovers } from './handovers.ts'
import type { Issued } from './issued.ts'
import type { JtiDesk } from './jtiDesk.ts'
import type { MemoryStore } from './memoryAdapter.ts'
import type { TokenMaker } from './signing.ts'
import type { Tickets } from './tickets.ts'

export interface ServerContext {
  readonly origin: string
  readonly environment: Environment
  readonly provider: Provider
  readonly clients: Clients
  readonly accounts: Accounts
  readonly issued: Issued
  readonly store: MemoryStore
  readonly faults: Faults
  readonly handovers: Handovers
  /** App origins of other environments; who comes from there arrives at this environment's own app. */
  readonly partnerApps: ReadonlySet<string>
  readonly jtiDesk: JtiDesk
  readonly tickets: Tickets
  readonly formKeys: FormKeys
  readonly tokens: TokenMaker
  readonly cloudProviderOrigin: () => string | undefined
  /** Who saves a link map has to confirm that it is they. */
  readonly asksToConfirm: boolean
  readonly accessTokenLifetimeSeconds: () => number
}
