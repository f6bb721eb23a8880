// Asks every tab of a session to get ready for its end, so that each runs its own hook before any of them ends.
import type { SignedOutReason } from '../../protocol/claims.ts'
import { type CryptoPort, createStateKey } from '../../protocol/pkce.ts'
import { parseReason, parseSessions } from '../../protocol/tabMessages.ts'
import { HOOK_TIMEOUT_MS, SIBLING_WAIT_MS } from '../../sessionConstants.ts'
import type { ChannelPort, Platform } from '../platform/platform.ts'
import type { SendEvent } from '../sessionEvent.ts'

export interface PreparationsOptions {
  platform: Pick<Platform, 'setTimer'> & { crypto: CryptoPort }
  tabId: string
  /** How many other tabs seem to hold the session. */
  countOthers(): number
  /** What the tabs call the session that this one holds. */
  session(): string | undefined
  send: SendEvent
}

export interface Preparations {
  /** Asks the others, and waits for those that answer at once; resolves with the names of their sessions. */
  ask(channel: ChannelPort, reason: SignedOutReason): Promise<readonly string[]>
  /** Another tab asks. */
  getReady(channel: ChannelPort, message: Record<string, unknown>): void
  /** Another tab answers. */
  hear(message: Record<string, unknown>): void
  /** Nobody is waited for any more. */
  stop(): void
}

interface Question {
  hear(tab: string, isReady: boolean, session: string): void
  stop(): void
}

export function createPreparations(options: PreparationsOptions): Preparations {
  const { platform, tabId } = options
  const questions = new Map<string, Question>()

  return {
    async ask(channel, reason) {
      const ending = createStateKey(platform.crypto)
      const expectedCount = options.countOthers()
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
        channel.post({ type: 'prepare', ending, session: options.session(), reason })
        look()
      })
      for (const cancel of timers) cancel()
      questions.delete(ending)
      return [...sessions]
    },
    getReady(channel, { ending, session: asked, reason }) {
      const session = options.session()
      if (session === undefined || (asked !== undefined && asked !== session)) return
      const tell = (isReady: boolean) =>
        channel.post({ type: 'preparing', ending, by: tabId, session, isReady })
      // At once: who keeps silent is not waited for.
      tell(false)
      void options.send({ type: 'ending', reason: parseReason(reason) }).then(() => tell(true))
    },
    hear({ ending, by, session, isReady }) {
      const [name] = parseSessions([session])
      if (name) questions.get(String(ending))?.hear(String(by), isReady === true, name)
    },
    stop() {
      for (const { stop } of questions.values()) stop()
    },
  }
}
