// What lives as long as a session does, and loads when one begins: the other tabs, idle time (contract §5, §8).
import { TABS_FILE_WAIT_MS } from '../sessionConstants.ts'
import { decodeAccessToken, type SignedOutReason } from '../protocol/claims.ts'
import { assertMessagingOptions } from '../protocol/messagingOptions.ts'
import type { SessionClash } from '../protocol/eventHooks.ts'
import { tabsName } from '../protocol/storageKeys.ts'
import type { Core } from './core.ts'
import type { Granted } from './grants.ts'
import type { Hint } from './hint.ts'
import type { createIdle, Idle } from './idle.ts'
import type { Request } from './call.ts'
import type { Ledger } from './ledger.ts'
import type { joinChannels, JoinedChannels } from './messaging.ts'
import type { Presence } from './presence.ts'
import type { redirectToEnvironment } from './redirection.ts'
import type { createTabs, Tabs } from './tabs.ts'
import type { Holding, Vault } from './vault.ts'
import { within } from '../within.ts'

export interface CompanionsOptions extends Core {
  vault: Vault
  hint: Hint
  /** The parts, each in a chunk of its own that start-up does not wait for. */
  load: {
    tabs(): Promise<{ createTabs: typeof createTabs }>
    idle(): Promise<{ createIdle: typeof createIdle }>
    messaging(): Promise<{ joinChannels: typeof joinChannels }>
    redirection(): Promise<{ redirectToEnvironment: typeof redirectToEnvironment }>
  }
  ledger: Ledger
  /** A call with the bearer token. */
  callWithToken(request: Omit<Request, 'token'>): Promise<unknown>
  /** Logs out, to another environment. */
  logOutTo(url: string): Promise<void>
  adopt(granted: Granted): void
  /** The session ended in another tab. */
  onEnded(reason: SignedOutReason, clash?: SessionClash): void
  onIdle(): void
  /** Another device signed in as this user: every tab is told, and one of them, `isFirst`, tells the server. */
  onYield(clash: SessionClash, isFirst: () => Promise<boolean>): void
}

/** `paused`: it goes on elsewhere; `over`: others know already, or need not; `signed-out`: they are told. */
type Ending = 'paused' | 'over' | 'signed-out'

/** Telling the user's other browsers of a logout may take this long. */
const GOODBYE_MS = 1_000

export interface Companions {
  /** The other tabs; loads what is needed to talk to them, again when it did not load. `undefined`: this tab is alone. */
  tabs(): Promise<Tabs | undefined>
  /** The other tabs if they have been loaded. */
  loadedTabs(): Promise<Tabs | undefined> | undefined
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
  /** The other tabs were out of reach when the session began: they are told now, if they can be. */
  share(): Promise<void>
  /** The session ended here. Resolves when the user's other browsers have been told, a second later at the latest. */
  end(ending: Ending): Promise<void>
  /** Nothing runs any more; the session stays. */
  stop(): void
}

export function createCompanions(options: CompanionsOptions): Companions {
  const { settings, platform, store, vault, hint, load } = options
  let tabs: Promise<Tabs | undefined> | undefined
  let idle: Idle | undefined
  let presence: JoinedChannels | undefined
  let joining: Promise<void> | undefined
  // Changes whenever companions end: what loads too late is not started.
  let round = 0

  /** A file that neither comes nor fails must not hold up what waits for the tabs. */
  const loadPort = async () => {
    const port = await within(platform, TABS_FILE_WAIT_MS, platform.loadTabs)
    if (port === 'late') throw new Error('It took too long')
    return port
  }
  const createThem = async () => {
    const [{ createTabs: create }, port] = await Promise.all([load.tabs(), loadPort()])
    return create({
      port,
      platform,
      name: tabsName(settings),
      tabId: hint.tabId,
      countOthers: hint.countOthers,
      holding: () => vault.holding && vault.copy(),
      isWilling: () => ['authenticated', 'unauthenticated'].includes(store.state.status),
      adopt: options.adopt,
      onEnded: options.onEnded,
      onBlocked(endpoint, forMs) {
        const { blockedUntil } = options
        const untilMs = platform.monotonicNow() + forMs
        blockedUntil.set(endpoint, Math.max(blockedUntil.get(endpoint) ?? 0, untilMs))
      },
    })
  }
  const loadTabs = () => {
    const loading: Promise<Tabs | undefined> = (tabs ??= createThem().catch((error: unknown) => {
      // Stopped meanwhile: nobody waits for it.
      if (tabs !== loading) return undefined
      tabs = undefined
      // A file that does not come must not cost a session: this tab is alone until it does.
      platform.warn('Other tabs are out of reach', error)
      options.timeline.record('other tabs', 'failed', 'what they talk through could not be loaded')
      return undefined
    }))
    return loading
  }
  const loadIdle = async () => {
    const startedIn = round
    const { createIdle: create } = await load.idle()
    if (startedIn !== round || idle) return
    idle = create({
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
      const [messaging, tabsPort] = await Promise.all([load.messaging(), loadPort()])
      const { holding } = vault
      if (startedIn !== round || !holding) return
      if (presence) return presence.follow(speaking(holding))
      const { realtime } = settings
      if (realtime && !('open' in realtime)) assertMessagingOptions(realtime)
      presence = messaging.joinChannels({
        ...options,
        ...speaking(holding),
        tabsPort,
        isCurrent: () => startedIn === round,
        onRemoteLogout() {
          void end('over')
          void tabs?.then((loaded) => loaded?.ended('signed-out'))
          options.onEnded('signed-out')
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
    const { redirectToEnvironment: look } = await load.redirection()
    const isCurrent = () => startedIn === round
    if (claims && isCurrent())
      await look({ ...options, ...options.ledger, claims, isCurrent, call: options.callWithToken })
  }
  const joinWhenWanted = () => {
    if (presence || settings.realtime || options.listening.size > 0) void join()
  }
  /** Whether they have heard of the session that there is. */
  const tellTabs = async () => {
    const startedIn = round
    const loaded = await loadTabs()
    if (loaded && startedIn === round) await loaded.signedIn()
    return loaded !== undefined && startedIn === round
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
    tabs: loadTabs,
    loadedTabs: () => tabs,
    idle: () => idle,
    presence: () => presence,
    joinChannels: join,
    async followListeners() {
      if (presence) presence.followListeners()
      else if (vault.holding && options.listening.size > 0) await join()
    },
    tellOfBlock(endpoint, forMs) {
      // A page that has gone tells nobody.
      if (!options.signal().aborted) void loadTabs().then((loaded) => loaded?.block(endpoint, forMs))
    },
    begin(isNew) {
      if (settings.autoLogout) void loadIdle()
      joinWhenWanted()
      if (isNew && settings.redirectionsUrl !== undefined) void lookForEnvironment()
      void (isNew ? tellTabs() : loadTabs())
    },
    async share() {
      // Real time goes through the same file.
      if ((await tellTabs()) && !presence) joinWhenWanted()
    },
    end,
    stop() {
      void end('paused')
      void tabs?.then((loaded) => loaded?.dispose())
      tabs = undefined
    },
  }
}

const speaking = (holding: Holding) => ({
  holding,
  tokenSinceMs: decodeAccessToken(holding.accessToken).sinceMs,
})
