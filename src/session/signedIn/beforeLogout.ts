// Runs the app's `beforeLogout` hook of this tab: once for one ending, however many tabs take part in it (contract §5, §8).
import type { SignedOutReason } from '../../protocol/claims.ts'
import { HOOK_TIMEOUT_MS } from '../../sessionConstants.ts'
import type { Platform } from '../platform/platform.ts'
import type { Store } from '../store.ts'
import type { FireHook } from './hooks.ts'

export interface BeforeLogout {
  /** Calls the hook, or joins the call for the same ending; resolves when it has ended, 5 seconds later at the latest. */
  run(reason: SignedOutReason): Promise<void>
  /** Resolves when a hook that runs for the session held here has ended. */
  untilDone(): Promise<void>
  /** Whether the hook has been called for the session held here. */
  hasRun(): boolean
}

export function createBeforeLogout(options: {
  platform: Pick<Platform, 'monotonicNow'>
  store: Store
  fireHook: FireHook
  /** What the tabs call the session held here. */
  session(): string | undefined
}): BeforeLogout {
  const { platform, store, fireHook } = options
  let last: { session: string; done: Promise<void>; untilMs: number; isRunning: boolean } | undefined

  const isForThis = () => last !== undefined && last.session === options.session()

  return {
    run(reason) {
      const { state } = store
      const session = options.session()
      if (last && isForThis()) {
        // A second click asks the hook again: the user may have gone on typing.
        const isRecent = reason !== 'signed-out' && platform.monotonicNow() < last.untilMs
        if (last.isRunning || isRecent) return last.done
      }
      const user = state.status === 'authenticated' ? state.user : undefined
      const done = fireHook('beforeLogout', { user, reason })
      if (session === undefined) return done
      const own = { session, done, untilMs: platform.monotonicNow() + HOOK_TIMEOUT_MS, isRunning: true }
      last = own
      void done.then(() => (own.isRunning = false))
      return done
    },
    async untilDone() {
      if (last?.isRunning && isForThis()) await last.done
    },
    hasRun: isForThis,
  }
}
