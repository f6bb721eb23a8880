// Brings the session of this tab to its end when another tab has ended it, or is about to: its own hook first (contract §5, §8).
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { HOOK_TIMEOUT_MS } from '../../sessionConstants.ts'
import { within } from '../../within.ts'
import type { FireHook } from './hookCalls.ts'
import type { Platform } from '../platform/platform.ts'
import type { Store } from '../store.ts'
import type { Holding } from './tokenStore.ts'

export interface EndingOptions {
  platform: Pick<Platform, 'monotonicNow' | 'setTimer'>
  store: Store
  fireHook: FireHook
  holding(): Pick<Holding, 'session'> | undefined
  /** Ends the session in this tab. */
  end(reason: SignedOutReason, clash: SessionClash | undefined): void
}

export interface Ending {
  /** Runs the `beforeLogout` hook of this tab; once for one ending, however many tabs take part in it. */
  prepare(reason: SignedOutReason): Promise<void>
  /** The session has been ended elsewhere. A hook that runs here may bring its work to an end first. */
  endHere(reason: SignedOutReason, clash?: SessionClash): Promise<void>
  /** It was ended elsewhere while this page was frozen: the hook begins, and the content goes in the same task. */
  endLate(reason: SignedOutReason): void
  /** Another tab leaves for all after a clash: gets ready, and ends when that tab says so, or by itself after 5 seconds. */
  follow(clash: SessionClash): Promise<void>
  /** Whether the session held here has been ended elsewhere; its hook may still run. */
  isOver(): boolean
}

interface Preparation {
  readonly session: string
  readonly done: Promise<void>
  readonly untilMs: number
  isRunning: boolean
}

export function createEnding({ platform, store, fireHook, holding, end }: EndingOptions): Ending {
  let preparation: Preparation | undefined
  let endedSession: string | undefined
  const isHeld = (session: string) => holding()?.session === session

  function prepare(reason: SignedOutReason): Promise<void> {
    const { state } = store
    const session = holding()?.session
    if (session !== undefined && preparation?.session === session) {
      // A second click is asked anew: the user may have gone on typing.
      const isRecent = reason !== 'signed-out' && platform.monotonicNow() < preparation.untilMs
      if (preparation.isRunning || isRecent) return preparation.done
    }
    const user = state.status === 'authenticated' ? state.user : undefined
    const done = fireHook('beforeLogout', { user, reason })
    if (session === undefined) return done
    const untilMs = platform.monotonicNow() + HOOK_TIMEOUT_MS
    const own: Preparation = { session, done, untilMs, isRunning: true }
    preparation = own
    void done.then(() => (own.isRunning = false))
    return done
  }
  async function endHere(reason: SignedOutReason, clash?: SessionClash) {
    const session = holding()?.session
    if (session === undefined) return
    endedSession = session
    if (preparation?.isRunning && preparation.session === session) await preparation.done
    if (isHeld(session)) end(reason, clash)
  }
  const untilGone = (session: string) =>
    new Promise<void>((resolve) => {
      const stop = store.subscribe(() => {
        if (isHeld(session)) return
        stop()
        resolve()
      })
    })

  return {
    prepare,
    endHere,
    endLate(reason) {
      const session = holding()?.session
      if (session === undefined) return
      if (preparation?.session !== session) void prepare(reason)
      end(reason, undefined)
    },
    async follow(clash) {
      const session = holding()?.session
      if (session === undefined) return
      const whenGone = async () => {
        await Promise.all([prepare('session-clash'), untilGone(session)])
      }
      await within(platform, HOOK_TIMEOUT_MS, whenGone)
      if (isHeld(session)) await endHere('session-clash', clash)
    },
    isOver: () => endedSession !== undefined && isHeld(endedSession),
  }
}
