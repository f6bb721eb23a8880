// Keeps the channel to the other tabs open as long as the page is used; where the browser forbids it, this tab is alone.
import { AuthError } from '../../errors.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import type { Context } from '../context.ts'
import type { FetchTokens, Hold } from './renewOnce.ts'
import type { SessionMarker } from './sessionMarker.ts'
import { createTabs, LONGEST_ASK_MS, type Tabs, type TabsContext, type TabsParts } from './tabChannel.ts'

export type OpenTabs = ReturnType<typeof createOpenTabs>

export function createOpenTabs(
  context: TabsContext & Pick<Context, 'timeline' | 'page' | 'disposal'>,
  parts: TabsParts & { marker: Pick<SessionMarker, 'leave'> },
) {
  const { platform, limits, timeline, tokens, page, disposal } = context
  const { marker, send } = parts
  let tabs: Tabs | undefined
  /** The channel of before, and whose tokens were held when it closed: how new they are is known still. */
  let closed: { tabs: Tabs; session: string | undefined } | undefined
  /** The last renewal of this tab: two with one refresh token would end the session. */
  let turn: Promise<unknown> = Promise.resolve()

  const connect = () => {
    const session = tokens.session()
    const isSame = session !== undefined && closed?.session === session
    try {
      tabs ??= createTabs(context, parts, isSame ? closed?.tabs.generation() : undefined)
    } catch (error) {
      // A browser that forbids the channel must not cost a session.
      platform.warn('Other tabs are out of reach', error)
      timeline.record('other tabs', 'failed', 'the channel to them could not be opened')
    }
    return tabs
  }
  // A page that has gone tells nobody, and hears nothing.
  const open = () => (page().aborted ? undefined : connect())
  const close = () => {
    tabs?.dispose()
    if (tabs) closed = { tabs, session: tokens.session() }
    tabs = undefined
  }
  let cancelLeaving = () => {}
  const leave = () => {
    cancelLeaving()
    if (!page().aborted) return
    marker.leave()
    close()
  }
  limits.follow((endpoint, forMs) => open()?.block(endpoint, forMs))

  return {
    /** The other tabs; `undefined` while nobody uses the page, or when this tab is alone. */
    open,
    close,
    /** The session held here, and these others, are over: they end in every tab. Also from a tab that holds none. */
    tellEnded(reason: SignedOutReason, others: readonly (string | undefined)[] = [], clash?: SessionClash) {
      const sessions = [tokens.session(), ...others].filter((session) => session !== undefined)
      open()?.ended(reason, [...new Set(sessions)], clash)
    },
    /** Renews once for all tabs; see `once` of `tabChannel.ts`. */
    renewOnce(fetchTokens: FetchTokens, hold: Hold): Promise<void> {
      const holdOrFollow: Hold = (granted, isFetched) => {
        try {
          hold(granted, isFetched)
        } catch (error) {
          // Somebody else has signed in in another tab: this one follows, as when it is told so.
          const isOther = error instanceof AuthError && error.code === 'identity-changed'
          if (isOther && !isFetched && tokens.holding) void send({ type: 'adopted', granted })
          throw error
        }
      }
      const renewing = turn.then(async () => {
        // Also of a page that nobody uses: another tab may have spent the refresh token, or be about to.
        const { holding: held } = tokens
        const isUnused = page().aborted && held !== undefined
        const others = isUnused ? connect() : open()
        if (isUnused) marker.join(held.session)
        try {
          if (others) return await others.once(fetchTokens, holdOrFollow)
          const granted = await fetchTokens('refresh')
          if (granted) hold(granted, true)
        } finally {
          // The others may ask for what has come, for a while.
          if (isUnused) {
            cancelLeaving()
            cancelLeaving = platform.setTimer(leave, tokens.holding ? LONGEST_ASK_MS : 0)
            disposal().addEventListener('abort', leave)
          }
        }
      })
      turn = renewing.catch(() => {})
      return renewing
    },
  }
}
