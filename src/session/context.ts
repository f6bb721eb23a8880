// What start-up and upkeep share: the parts made by createAuth before anything has begun.
import type { Settings } from '../protocol/config.ts'
import type { HookName } from '../protocol/eventHooks.ts'
import type { Call } from './http/call.ts'
import type { TokenEndpoint } from './signIn/tokenEndpoint.ts'
import type { Platform } from './platform/platform.ts'
import type { MessageKind, MessageListener } from './realtime/topicListeners.ts'
import type { TabRecords } from './signIn/tabRecords.ts'
import type { Store } from './store.ts'
import type { Timeline } from './timeline.ts'

/** Names of the server interactions that the session starts by itself, as the query devtools show them. */
export type InteractionName = 'exchange code' | 'verify session' | 'renew token'

/** One listener of one kind of channel, topic and type. */
export interface Listening {
  readonly kind: MessageKind
  readonly topic: string
  readonly type: string
  readonly callback: MessageListener
}

/** The parts that are there from the beginning. */
export interface Core {
  readonly settings: Settings
  readonly platform: Platform
  readonly store: Store
  readonly timeline: Timeline
  readonly records: TabRecords
  readonly grants: TokenEndpoint
  /** A call without the bearer token. */
  readonly call: Call
  /** Path to the instant before which the server wants no further request, by the clock that nobody sets. */
  readonly blockedUntil: Map<string, number>
  /** The app's hook of that name, if it has set one. */
  hook(name: HookName): ((event: never) => unknown) | undefined
  /** Who listens to messages. */
  readonly listening: ReadonlySet<Listening>
  /** Exact value sent to authorize and token. */
  redirectUri(): string
  /** Cut off when the session stops running. */
  signal(): AbortSignal
  /** Cut off by `dispose()`; what was on its way then signs nobody in. Whoever begins something takes it beforehand. */
  disposal(): AbortSignal
  /** Shows a server interaction in the query devtools. */
  show<Result>(name: InteractionName, work: () => Promise<Result>): Promise<Result>
  /** Empties what the app's caches know of the user; resolves when it is gone from disk too. A failure is reported, it never rejects. */
  clearCaches(): Promise<void>
  /** The page is in use again: a start-up that failed is repeated when its time has come. */
  resumeStartUp(): void
  /** The link that was followed held a token of another user than the one who is signed in. */
  onOtherUsersLink(): void
}
