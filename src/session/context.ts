// What the parts of a session share: made by createAuth before anything has begun.
import type { Settings } from '../protocol/config.ts'
import type { OpenedServer } from '../protocol/servers/profile.ts'
import type { Caches, RunInteraction } from './caches.ts'
import type { Call } from './http/call.ts'
import type { RateLimits } from './http/rateLimits.ts'
import type { Platform } from './platform/platform.ts'
import type { Listening } from './realtime/topicListeners.ts'
import type { EventHooks, FireHook } from './signedIn/hooks.ts'
import type { TokenStore } from './signedIn/tokenStore.ts'
import type { StepUps } from './http/challenge.ts'
import type { TabRecords } from './signIn/tabRecords.ts'
import type { TokenEndpoint } from './signIn/tokenEndpoint.ts'
import type { Store } from './store.ts'
import type { Timeline } from './timeline.ts'

/** The parts that are there from the beginning. */
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
  /** A call without the bearer token. */
  readonly call: Call
  readonly hooks: EventHooks
  readonly fireHook: FireHook
  /** Who listens to messages. */
  readonly listening: ReadonlySet<Listening>
  readonly stepUps: StepUps
  /** Exact value sent to authorize and token. */
  redirectUri(): string
  /** The page's lifetime: aborted when nobody uses the session any more; responses still count then, timers do not start. */
  page(): AbortSignal
  /** Aborted by `dispose()`: whatever was under way then signs nobody in. Take it before you begin something. */
  disposal(): AbortSignal
  /** Shows a server interaction in the query devtools. */
  readonly show: RunInteraction
  /** What the page holds of the user for the app. */
  readonly caches: Caches
}
