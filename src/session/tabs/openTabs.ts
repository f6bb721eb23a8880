// Keeps the channel to the other tabs open as long as the page is used; where the browser forbids it, this tab is alone.
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { alikeTabsName, tabsName } from '../../protocol/storageKeys.ts'
import { longestRenewalMs } from '../../sessionConstants.ts'
import type { Context } from '../context.ts'
import type { FetchTokens, Hold } from './renewOnce.ts'
import { createTabs, type Tabs, type TabsOptions } from './tabChannel.ts'

export interface OpenTabs {
  /** The other tabs; `undefined` while nobody uses the page, or when this tab is alone. */
  open(): Tabs | undefined
  close(): void
  /** The session held here, and these others, are over: they end in every tab. Also from a tab that holds none. */
  tellEnded(reason: SignedOutReason, others?: readonly string[], clash?: SessionClash): void
  /** Renews once for all tabs; see `Tabs.once`. */
  renewOnce(fetchTokens: FetchTokens, hold: Hold): Promise<void>
}

interface OwnOptions extends Pick<TabsOptions, 'holding' | 'send'> {
  /** Which tabs hold the session. */
  marker: { readonly tabId: string; countOthers(): number; join(session: string): void }
}

export function createOpenTabs(
  {
    settings,
    platform,
    limits,
    store,
    timeline,
    server,
    tokens,
    tokenEndpoint,
    page,
  }: Pick<
    Context,
    'settings' | 'platform' | 'limits' | 'store' | 'timeline' | 'server' | 'tokens' | 'tokenEndpoint' | 'page'
  >,
  { marker, holding, send }: OwnOptions,
): OpenTabs {
  let tabs: Tabs | undefined
  /** The last renewal of this tab: two with one refresh token would end the session. */
  let turn: Promise<unknown> = Promise.resolve()

  const open = () => {
    // A page that has gone tells nobody, and hears nothing.
    if (page().aborted) return undefined
    try {
      tabs ??= createTabs({
        holding,
        send,
        tabId: marker.tabId,
        countOthers: marker.countOthers,
        session: tokens.session,
        sentAtMs: () => tokens.holding?.sentAtMs,
        outlive() {
          if (tokens.holding) marker.join(tokens.holding.session)
        },
        platform,
        limits,
        port: platform.tabs(),
        name: tabsName(settings),
        alikeName: alikeTabsName(settings),
        asked: settings.asked,
        lockWaitMs: longestRenewalMs(settings.iframeTimeoutInSeconds * 1000),
        mayBeSpent: tokenEndpoint.mayBeSpent,
        restore: server.restore,
        keyOf: (held) => server.known()?.binding?.keyOf(held),
        takeKey: server.takeKey,
        isWilling: () => ['authenticated', 'unauthenticated'].includes(store.state.status),
      })
    } catch (error) {
      // A browser that forbids the channel must not cost a session.
      platform.warn('Other tabs are out of reach', error)
      timeline.record('other tabs', 'failed', 'the channel to them could not be opened')
    }
    return tabs
  }
  limits.follow((endpoint, forMs) => open()?.block(endpoint, forMs))

  return {
    open,
    tellEnded(reason, others = [], clash) {
      const session = tokens.session()
      const sessions = session === undefined ? others : [session, ...others]
      open()?.ended(reason, [...new Set(sessions)], clash)
    },
    close() {
      tabs?.dispose()
      tabs = undefined
    },
    renewOnce(fetchTokens, hold) {
      const renewing = turn.then(async () => {
        const others = open()
        if (others) return others.once(fetchTokens, hold)
        // Nobody used the page when this began; if somebody does by now, the other tabs learn of it.
        const granted = await fetchTokens('refresh')
        if (granted) hold(granted, true)
        void open()?.signedIn()
      })
      turn = renewing.catch(() => {})
      return renewing
    },
  }
}
