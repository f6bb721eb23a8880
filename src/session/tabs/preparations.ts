// Asks every tab of a session to prepare for its end, so that each runs its hook before any of them ends.
import type { SignedOutReason } from '../../protocol/signedOutReasons.ts'
import { createStateKey } from '../../protocol/pkce.ts'
import type { TabMessage } from '../../protocol/tabMessages.ts'
import { HOOK_TIMEOUT_MS, SIBLING_WAIT_MS } from '../../base/sessionConstants.ts'
import { startLimit, untilHeard } from '../../base/within.ts'
import type { Context } from '../context.ts'
import type { ChannelPort } from '../platform/platform.ts'
import type { SendEvent } from '../sessionEvent.ts'

export function createPreparations(
  { platform, tokens, marker, record }: Pick<Context, 'platform' | 'tokens' | 'marker' | 'record'>,
  channel: ChannelPort,
  { send, stillCounts }: { send: SendEvent; stillCounts(): boolean },
  /** Aborted when the channel closes. */
  signal: AbortSignal,
) {
  /** The questions of this tab, each with the receiver of the answers. */
  const questions = new Map<string, (answer: TabMessage) => void>()

  return {
    /** Asks the others, and waits for those that answer at once; resolves with the ids of their sessions. */
    async ask(reason: SignedOutReason): Promise<readonly string[]> {
      const ending = createStateKey(platform.crypto)
      let expectedCount = marker.countOthers()
      const sessions = new Set<string>()
      const isReadyByTab = new Map<string, boolean>()
      const limit = startLimit(platform, HOOK_TIMEOUT_MS, signal)
      await untilHeard((ready) => {
        const look = () => {
          if (isReadyByTab.size >= expectedCount && ![...isReadyByTab.values()].includes(false)) ready()
        }
        questions.set(ending, ({ session, by, isReady }) => {
          if (!session) return
          isReadyByTab.set(by, isReady)
          sessions.add(session)
          look()
        })
        // A tab that has not replied by then is closed or frozen.
        const cancel = platform.setTimer(() => {
          expectedCount = 0
          look()
        }, SIBLING_WAIT_MS)
        channel.post({ type: 'prepare', ending, reason })
        look()
        return () => {
          cancel()
          questions.delete(ending)
        }
      }, limit.signal)
      limit.end()
      return [...sessions]
    },
    getReady({ ending, reason }: TabMessage) {
      if (!tokens.current) return
      const tell = (isReady: boolean) =>
        channel.post({ type: 'preparing', ending, by: marker.tabId, session: record.id(), isReady })
      // At once: silent tabs are not awaited.
      tell(false)
      void send({ type: 'ending', reason }).then(() => tell(true))
      // The asking tab may close before it announces the end.
      const look = () => {
        signal.removeEventListener('abort', cancel)
        stillCounts()
      }
      const cancel = platform.setTimer(look, HOOK_TIMEOUT_MS + SIBLING_WAIT_MS)
      signal.addEventListener('abort', cancel)
    },
    receive: (message: TabMessage) => questions.get(message.ending)?.(message),
  }
}
