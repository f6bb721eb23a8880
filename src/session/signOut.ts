// Ends the session: here first, then at the server (spec §4 "Logout", architecture "identity change").
import { HOOK_TIMEOUT_MS } from '../sessionConstants.ts'
import { type AuthError, offline } from '../errors.ts'
import { logoutFailed } from '../sessionErrors.ts'
import type { SignedOutReason } from '../protocol/claims.ts'
import type { SessionClash } from '../protocol/eventHooks.ts'
import { logoutUrl } from '../protocol/pages.ts'
import type { Core } from './core.ts'
import { within } from '../within.ts'

/** What an app can say about one logout. */
export interface LogoutOptions {
  /** Sent to the server as the force flag: end the session without asking. Default true. */
  force?: boolean | undefined
}

/** A logout that goes on to another environment instead of coming back. */
export interface Departure extends LogoutOptions {
  /** Address of that environment's passthrough page. */
  environmentUrl?: string | undefined
  /** The sign-in that this one gives way to. */
  clash?: SessionClash | undefined
}

export interface SignOutOptions extends Pick<
  Core,
  'settings' | 'platform' | 'timeline' | 'store' | 'redirectUri' | 'clearCaches'
> {
  keepDeparture(reason: SignedOutReason, clash: SessionClash | undefined): string
  /** Results of work that began before count no more. */
  beginEpoch(): void
  /** The beforeLogout hook of every tab, awaited with its limit; resolves with the sessions of the other tabs. */
  prepare(reason: SignedOutReason): Promise<readonly string[]>
  /** Clears the vault, here and in the tabs of these sessions; resolves when the user's other browsers have been told, or cannot be. */
  clearVault(
    reason: SignedOutReason,
    clash: SessionClash | undefined,
    sessions: readonly string[],
  ): Promise<void>
}

export interface SignOut {
  /** Logs out; a second call while the first one runs joins it. */
  leave(reason: SignedOutReason, departure?: Departure): Promise<void>
  /** The server is not told any more once the network is back. */
  forget(): void
}

export function createSignOut(options: SignOutOptions): SignOut {
  const { settings, platform, timeline } = options
  let inFlight: Promise<void> | undefined
  let stopWaiting = () => {}

  const navigate = (reason: SignedOutReason, { force = true, environmentUrl, clash }: Departure) => {
    const returnUri = environmentUrl ?? options.redirectUri()
    const state = environmentUrl === undefined ? options.keepDeparture(reason, clash) : undefined
    platform.navigate(logoutUrl(settings, { isForced: force, returnUri, state }))
  }
  /** Caches that never come to an end keep nobody here. */
  const emptyCaches = async () => {
    await within(platform, HOOK_TIMEOUT_MS, options.clearCaches)
  }
  const run = async (reason: SignedOutReason, departure: Departure) => {
    const { environmentUrl, clash } = departure
    options.beginEpoch()
    const sessions = await options.prepare(reason)
    const goodbye = options.clearVault(reason, clash, sessions)
    const clearing = emptyCaches()
    options.store.change({ type: 'leaving', to: environmentUrl === undefined ? 'logout' : 'environment' })
    await Promise.all([clearing, goodbye])
    if (!platform.isOnline()) {
      // The browser would show its own error page; the server is told as soon as it can be reached.
      options.store.change({ type: 'absent', reason, cause: offline() })
      stopWaiting()
      stopWaiting = platform.on('online', () => {
        stopWaiting()
        navigate(reason, departure)
      })
      return
    }
    timeline.record('log out', 'started', reason)
    navigate(reason, departure)
  }

  return {
    leave(reason, departure = {}) {
      // In the next breath: a hook that logs out again finds this one under way and joins it.
      inFlight ??= Promise.resolve()
        .then(() => run(reason, departure))
        .catch((cause: unknown) => {
          const error: AuthError = logoutFailed(cause)
          platform.warn(error.message, cause)
          timeline.record('log out', 'failed', error)
          options.store.change({ type: 'absent', reason, cause: error })
          throw error
        })
        .finally(() => {
          inFlight = undefined
        })
      return inFlight
    },
    forget: () => stopWaiting(),
  }
}
