// What lives as long as a session does: the other tabs, idle time (contract §5, §8).
import { decodeAccessToken, type SignedOutReason } from '../../protocol/claims.ts'
import { assertMessagingOptions } from '../../protocol/messagingOptions.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { tabsName } from '../../protocol/storageKeys.ts'
import type { Core } from '../context.ts'
import type { Granted } from '../signIn/tokenEndpoint.ts'
import type { SessionMarker } from './sessionMarker.ts'
import { createIdle, type Idle } from './idle.ts'
import type { Request } from '../http/call.ts'
import type { Ledger } from '../signIn/attempts.ts'
import type { JoinedChannels } from '../realtime/channels.ts'
import type { Presence } from '../realtime/presence.ts'
import { loadPubnub } from '../realtime/pubnubFile.ts'
import { createTabs, type Tabs, type TabsOptions } from '../tabs/tabChannel.ts'
import type { Holding, TokenStore } from './tokenStore.ts'
import { within } from '../../within.ts'
import { NO_SERVICE, recordUniqueSession } from '../realtime/uniqueSessionStep.ts'

export interface CompanionsOptions extends Core {
  vault: TokenStore
  hint: SessionMarker
  ledger: Ledger
  /** A call with the bearer token. */
  callWithToken(request: Omit<Request, 'token'>): Promise<unknown>
  /** Logs out, to another environment. */
  logOutTo(url: string): Promise<void>
  adopt(granted: Granted): void
  /** The session ended in another tab. */
  onEnded(reason: SignedOutReason, clash: SessionClash | undefined, sessions: readonly string[]): void
  /** Another tab is about to end the session: resolves when this one is ready. */
  onPrepare(reason: SignedOutReason): Promise<void>
  /** The session held here is over, though its tokens may be there a little longer. */
  isEnding(): boolean
  onIdle(): void
  /** Another device signed in as this user: every tab is told, and one of them, `isFirst`, tells the server. */
  onYield(clash: SessionClash, isFirst: () => Promise<boolean>): void
}

/** `paused`: it goes on elsewhere; `over`: others know already, or need not; `signed-out`: they are told. */
type Ending = 'paused' | 'over' | 'signed-out'

/** Telling the user's other browsers of a logout may take this long. */
const GOODBYE_MS = 1_000

export interface Companions {
  /** The other tabs; `undefined` while the session does not run, or when this tab is alone. */
  tabs(): Tabs | undefined
  idle(): Idle | undefined
  /** The channels of the signed-in user, once they are joined. */
  presence(): Presence | undefined
  /** Joins the channels now, though no messaging service is configured: somebody listens. */
  joinChannels(): Promise<void>
  /** Somebody listens, or no more. */
  followListeners(): Promise<void>
  /** The server wants no further request to an endpoint for a while: the other tabs hear of it. */
  tellOfBlock(endpoint: string, forMs: number): void
  /** A session began here; `isNew` when this tab got it from the server. */
  begin(isNew: boolean): void
  /** The session ended here. Resolves when the user's other browsers have been told, a second later at the latest. */
  end(ending: Ending): Promise<void>
  /** Nothing runs any more; the session stays. */
  stop(): void
}

export function createCompanions(options: CompanionsOptions): Companions {
  const { settings, platform, store, vault, hint } = options
  let tabs: Tabs | undefined
  let idle: Idle | undefined
  let presence: JoinedChannels | undefined
  let joining: Promise<void> | undefined
  // Changes whenever companions end: what loads too late is not started.
  let round = 0

  const openTabs = () => {
    // A page that has gone tells nobody, and hears nothing.
    if (options.signal().aborted) return undefined
    try {
      tabs ??= createTabs(tabsOptions())
    } catch (error) {
      // A browser that forbids the channel must not cost a session: this tab is alone.
      platform.warn('Other tabs are out of reach', error)
      options.timeline.record('other tabs', 'failed', 'the channel to them could not be opened')
    }
    return tabs
  }
  const tabsOptions = (): TabsOptions => ({
    port: platform.tabs(),
    platform,
    name: tabsName(settings),
    tabId: hint.tabId,
    countOthers: hint.countOthers,
    holding: () => (vault.holding && !options.isEnding() ? vault.copy() : undefined),
    session: () => vault.holding?.session,
    onPrepare: options.onPrepare,
    isWilling: () => ['authenticated', 'unauthenticated'].includes(store.state.status),
    adopt: options.adopt,
    onEnded: options.onEnded,
    onBlocked(endpoint, forMs) {
      const { blockedUntil } = options
      const untilMs = platform.monotonicNow() + forMs
      blockedUntil.set(endpoint, Math.max(blockedUntil.get(endpoint) ?? 0, untilMs))
    },
  })
  const beginIdle = () => {
    idle ??= createIdle({
      platform,
      client: settings,
      timeoutMs: settings.idleTimeoutInMinutes * 60_000,
      onIdle: options.onIdle,
      onChange: store.notify,
    })
  }
  const join = () => {
    joining ??= joinNow().finally(() => {
      joining = undefined
    })
    return joining
  }
  async function joinNow() {
    const startedIn = round
    try {
      const { realtime } = settings
      const hasService = realtime !== undefined && !('open' in realtime)
      // Both files at once; whoever uses the SDK says what became of it.
      if (hasService) loadPubnub().catch(() => {})
      const messaging = await import('../realtime/channels.ts')
      const { holding } = vault
      if (startedIn !== round || !holding) return
      if (presence) return presence.follow(speaking(holding))
      if (hasService) assertMessagingOptions(realtime)
      presence = messaging.joinChannels({
        ...options,
        ...speaking(holding),
        tabsPort: platform.tabs(),
        isCurrent: () => startedIn === round,
        onRemoteLogout() {
          void end('over')
          const sessions = vault.holding ? [vault.holding.session] : []
          tabs?.ended('signed-out', sessions)
          options.onEnded('signed-out', undefined, sessions)
        },
      })
      store.notify()
    } catch (error) {
      if (startedIn !== round) return
      // Wrong keys, or a chunk that does not load, must not end a session: the developer is told, the user keeps working.
      platform.warn('Real time is not available', error)
      options.timeline.record('real time', 'failed', 'It could not be started')
      if (settings.realtime) store.change({ type: 'flags', flags: { realtime: 'degraded' } })
    }
  }
  /** After the user is in, and without making anything wait: whether they belong to another environment. */
  const lookForEnvironment = async () => {
    const startedIn = round
    const { claims } = vault.holding ?? {}
    const isCurrent = () => startedIn === round
    const file = await import('./environment.ts').catch(() => undefined)
    if (!file) options.timeline.record('environment', 'failed', 'it could not be loaded')
    else if (claims && isCurrent())
      await file.redirectToEnvironment({
        ...options,
        ...options.ledger,
        claims,
        isCurrent,
        call: options.callWithToken,
      })
  }
  async function end(ending: Ending) {
    round += 1
    joining = undefined
    idle?.stop()
    idle = undefined
    const left = presence
    presence = undefined
    if (!left) return
    if (ending === 'signed-out') {
      await within(platform, GOODBYE_MS, left.announceLogout)
    }
    left.dispose({ leave: ending !== 'paused' })
  }

  return {
    tabs: openTabs,
    idle: () => idle,
    presence: () => presence,
    joinChannels: join,
    async followListeners() {
      if (presence) presence.followListeners()
      else if (vault.holding && options.listening.size > 0) await join()
    },
    tellOfBlock: (endpoint, forMs) => openTabs()?.block(endpoint, forMs),
    begin(isNew) {
      if (settings.autoLogout) beginIdle()
      if (settings.uniqueSession && !settings.realtime) recordUniqueSession(options.timeline, NO_SERVICE)
      if (presence || settings.realtime || options.listening.size > 0) void join()
      if (isNew && settings.redirectionsUrl !== undefined) void lookForEnvironment()
      if (isNew) void openTabs()?.signedIn()
      else openTabs()
    },
    end,
    stop() {
      void end('paused')
      tabs?.dispose()
      tabs = undefined
    },
  }
}

const speaking = (holding: Holding) => ({
  holding,
  tokenSinceMs: decodeAccessToken(holding.accessToken).sinceMs,
})

// Who gives way to another session needs not say so: that one knows; of one that expired the server knows.
export const endingOf = (reason: SignedOutReason): Ending =>
  reason === 'session-clash' || reason === 'expired' ? 'over' : 'signed-out'
