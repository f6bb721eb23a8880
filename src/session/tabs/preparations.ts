// Asks every tab of a session to get ready for its end, so that each runs its own hook before any of them ends.
import type { SignedOutReason } from '../../protocol/claims.ts'
import { createStateKey } from '../../protocol/pkce.ts'
import type { TabMessage } from '../../protocol/tabMessages.ts'
import { HOOK_TIMEOUT_MS, SIBLING_WAIT_MS } from '../../sessionConstants.ts'
import type { Context } from '../context.ts'
import type { ChannelPort } from '../platform/platform.ts'
import type { SendEvent } from '../sessionEvent.ts'
import type { SessionMarker } from './sessionMarker.ts'

interface Question {
  hear(tab: string, isReady: boolean, session: string): void
  stop(): void
}

export function createPreparations(
  { platform, tokens }: Pick<Context, 'platform' | 'tokens'>,
  { marker, send }: { marker: Pick<SessionMarker, 'tabId' | 'countOthers'>; send: SendEvent },
) {
  const questions = new Map<string, Question>()

  return {
    /** Asks the others, and waits for those that answer at once; resolves with the names of their sessions. */
    async ask(channel: ChannelPort, reason: SignedOutReason): Promise<readonly string[]> {
      const ending = createStateKey(platform.crypto)
      const expectedCount = marker.countOthers()
      const sessions = new Set<string>()
      const isReadyByTab = new Map<string, boolean>()
      const timers: (() => void)[] = []
      await new Promise<void>((resolve) => {
        // Who has not answered by then is closed or frozen.
        let isTimeUp = false
        const look = () => {
          const areAllHeard = isTimeUp || isReadyByTab.size >= expectedCount
          if (areAllHeard && ![...isReadyByTab.values()].includes(false)) resolve()
        }
        const endHearing = () => {
          isTimeUp = true
          look()
        }
        timers.push(
          platform.setTimer(endHearing, SIBLING_WAIT_MS),
          platform.setTimer(resolve, HOOK_TIMEOUT_MS),
        )
        questions.set(ending, {
          hear(tab, isReady, session) {
            isReadyByTab.set(tab, isReady)
            sessions.add(session)
            look()
          },
          stop: resolve,
        })
        channel.post({ type: 'prepare', ending, session: tokens.session(), reason })
        look()
      })
      for (const cancel of timers) cancel()
      questions.delete(ending)
      return [...sessions]
    },
    /** Another tab asks. */
    getReady(channel: ChannelPort, { ending, session: asked, reason }: TabMessage) {
      const session = tokens.session()
      if (session === undefined || (asked !== undefined && asked !== session)) return
      const tell = (isReady: boolean) =>
        channel.post({ type: 'preparing', ending, by: marker.tabId, session, isReady })
      // At once: who keeps silent is not waited for.
      tell(false)
      void send({ type: 'ending', reason }).then(() => tell(true))
    },
    /** Another tab answers. */
    hear({ ending, by, session, isReady }: TabMessage) {
      if (session) questions.get(ending)?.hear(by, isReady, session)
    },
    /** Nobody is waited for any more. */
    stop() {
      for (const { stop } of questions.values()) stop()
    },
  }
}
