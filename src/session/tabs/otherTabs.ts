// Keeps the channel to the other tabs open while the page is in use; if the browser forbids it, this tab is alone.
import { AuthError } from '../../base/errors.ts'
import { createTimer } from '../../base/timer.ts'
import type { SignedOutReason } from '../../protocol/signedOutReasons.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import type { Granted } from '../../protocol/credentials.ts'
import type { Context } from '../context.ts'
import { type FetchTokens, type Hold, renewAlone } from './renewOnce.ts'
import { createTabChannel, LONGEST_ASK_MS, type TabChannel, type TabChannelParts } from './tabChannel.ts'

export type OtherTabs = ReturnType<typeof createOtherTabs>

export function createOtherTabs(context: Context, parts: TabChannelParts) {
  const { platform, limits, timeline, tokens, marker, record, revoke, page, disposal } = context
  let channel: TabChannel | undefined
  /** The generation of a session's tokens when the channel closed, or when the page before left them. */
  let known: { generation: number; session: string | undefined } | undefined
  /** The last renewal of this tab: two with one refresh token would end the session. */
  let turn: Promise<unknown> = Promise.resolve()

  const connect = () => {
    const session = record.id()
    try {
      const generation = session !== undefined && known?.session === session ? known.generation : 0
      channel ??= createTabChannel(context, parts, generation)
    } catch (error) {
      // A browser that forbids the channel must not cost a session.
      platform.warn('Other tabs are out of reach', error)
      timeline.record('other tabs', 'failed', 'the channel to them could not be opened')
    }
    return channel
  }
  // A disposed page neither sends nor receives.
  const open = () => (page().aborted ? undefined : connect())
  const close = () => {
    channel?.dispose()
    if (channel) known = { generation: channel.generation(), session: record.id() }
    channel = undefined
  }
  const leaving = createTimer(platform)
  const leave = () => {
    leaving.clear()
    if (!page().aborted) return
    marker.leave()
    close()
  }
  limits.follow((block) => open()?.block(block))

  return {
    /** The other tabs; `undefined` without a mounted provider, or when this tab is alone. */
    open,
    close,
    /** Start-up takes the session of the page before. */
    expect(offer: Granted) {
      known = { generation: offer.generation ?? 0, session: offer.session }
      channel?.adopt(offer)
    },
    /** Ends the sessions of these ids in every tab. */
    announceEnd(reason: SignedOutReason, ids: readonly (string | undefined)[], clash?: SessionClash) {
      open()?.ended(reason, [...new Set(ids.filter((id) => id !== undefined))], clash)
    },
    renewOnce(fetchTokens: FetchTokens, hold: Hold, onFailure?: () => void): Promise<void> {
      const disposed = disposal()
      const holdOrFollow: Hold = (granted, isFetched) => {
        try {
          hold(granted, isFetched)
        } catch (error) {
          if (isFetched) {
            // The user has signed out meanwhile: revoke. After `dispose()` the session continues.
            if (!disposed.aborted) revoke(granted)
          } else if (tokens.current && error instanceof AuthError && error.code === 'identity-changed')
            // Another user has signed in in another tab: this one follows.
            void parts.send({ type: 'adopted', granted })
          throw error
        }
      }
      const renewing = turn.then(async () => {
        // Also while no component uses the page: another tab may have spent the refresh token, or be about to.
        const isUnused = page().aborted && tokens.current !== undefined
        const others = isUnused ? connect() : open()
        if (isUnused) marker.join()
        try {
          return await (others?.renewOnce ?? renewAlone)(fetchTokens, holdOrFollow, onFailure)
        } finally {
          // For a while, the others may ask for the new tokens.
          if (isUnused) {
            leaving.set(tokens.current ? LONGEST_ASK_MS : 0, leave)
            disposal().addEventListener('abort', leave)
          }
        }
      })
      turn = renewing.catch(() => {})
      return renewing
    },
  }
}
