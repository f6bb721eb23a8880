// What most parts of a session share. A part names, by `Pick`, the few of these that it uses: it sees no others.
import type { Settings } from '../protocol/config.ts'
import type { OpenedServer } from '../protocol/servers/profile.ts'
import type { Caches } from './caches.ts'
import type { Call } from './http/call.ts'
import type { RateLimits } from './http/rateLimits.ts'
import type { Reachability } from './http/reachability.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Platform } from './platform/platform.ts'
import type { Listening } from './realtimePort.ts'
import type { EventHooks, FireHook } from './signedIn/hooks.ts'
import type { TokenStore } from './signedIn/tokenStore.ts'
import type { StepUps } from './http/challenge.ts'
import type { Switches } from './signIn/switchTypes.ts'
import type { TabRecords } from './signIn/tabRecords.ts'
import type { TokenEndpoint } from './signIn/tokenEndpoint.ts'
import type { Store } from './store.ts'
import type { Timeline } from './timeline.ts'

/** What is there from the beginning: nothing of it knows the session. */
export interface Context {
  readonly settings: Settings
  readonly platform: Platform
  readonly store: Store
  readonly timeline: Timeline
  readonly tabRecords: TabRecords
  readonly server: OpenedServer
  readonly tokenEndpoint: TokenEndpoint
  /** The tokens of the signed-in user. */
  readonly tokens: TokenStore
  readonly limits: RateLimits
  readonly reachability: Pick<Reachability, 'heard' | 'check'>
  /** A call without the bearer token. */
  readonly call: Call
  readonly hooks: EventHooks
  readonly fireHook: FireHook
  /** Who listens to messages. */
  readonly listening: Set<Listening>
  readonly stepUps: StepUps
  readonly switches: Switches
  /** Exact value sent to authorize and token. */
  redirectUri(): string
  readonly page: Lifecycle['page']
  readonly disposal: Lifecycle['disposal']
  /** What the page holds of the user for the app. */
  readonly caches: Caches
}
