// Runs the app's `beforeLogout` hook of this tab: once for one ending, however many tabs take part in it.
import type { SignedOutReason } from '../../protocol/claims.ts'
import { HOOK_TIMEOUT_MS } from '../../sessionConstants.ts'
import type { Context } from '../context.ts'

export type BeforeLogout = ReturnType<typeof createBeforeLogout>

export function createBeforeLogout({
  platform,
  store,
  hooks,
  tokens,
}: Pick<Context, 'platform' | 'store' | 'hooks' | 'tokens'>) {
  let last: { session: string; done: Promise<void>; untilMs: number; isRunning: boolean } | undefined

  const isForThis = () => last !== undefined && last.session === tokens.session()

  return {
    /** Calls the hook, or joins the call for the same ending; resolves when it has ended, 5 seconds later at the latest. */
    run(reason: SignedOutReason) {
      const { state } = store
      const session = tokens.session()
      if (last && isForThis()) {
        // A second click asks the hook again: the user may have gone on typing.
        const isRecent = reason !== 'signed-out' && platform.monotonicNow() < last.untilMs
        if (last.isRunning || isRecent) return last.done
      }
      const user = state.status === 'authenticated' ? state.user : undefined
      const done = hooks.fire('beforeLogout', { user, reason })
      if (session === undefined) return done
      const own = { session, done, untilMs: platform.monotonicNow() + HOOK_TIMEOUT_MS, isRunning: true }
      last = own
      void done.then(() => (own.isRunning = false))
      return done
    },
    /** Resolves when a hook that runs for the session held here has ended. */
    async untilDone() {
      if (last?.isRunning && isForThis()) await last.done
    },
    /** Whether the hook has been called for the session held here. */
    hasRun: isForThis,
  }
}
