// Ends the session: here first, then at the server (spec §4 "Logout", architecture "identity change").
import { type AuthError, logoutFailed, offline } from '../errors.ts'
import type { SignedOutReason } from '../protocol/claims.ts'
import type { Settings } from '../protocol/config.ts'
import { logoutUrl } from '../protocol/pages.ts'
import type { Platform } from './platform.ts'
import type { StateEvent } from './state.ts'
import type { Timeline } from './timeline.ts'

/** What an app can say about one logout. */
export interface LogoutOptions {
  /** Sent to the server as the force flag: end the session without asking. Default true. */
  force?: boolean | undefined
}

export interface SignOutOptions {
  settings: Settings
  platform: Pick<Platform, 'isOnline' | 'navigate' | 'on' | 'warn'>
  timeline: Timeline
  redirectUri(): string
  keepDeparture(reason: SignedOutReason): string
  /** Results of work that began before count no more. */
  beginEpoch(): void
  /** The beforeLogout hook, awaited with its limit. */
  beforeLogout(reason: SignedOutReason): Promise<void>
  /** Clears the vault, here and in the other tabs. */
  clearVault(reason: SignedOutReason): void
  /** Empties what the app's caches know of the user; resolves when it is gone from disk too. */
  clearCaches(): Promise<void>
  changeState(event: StateEvent): void
}

/** Logs out; a second call while the first one runs joins it. */
export function createSignOut(
  options: SignOutOptions,
): (reason: SignedOutReason, choice?: LogoutOptions) => Promise<void> {
  const { settings, platform, timeline } = options
  let inFlight: Promise<void> | undefined

  const leave = (reason: SignedOutReason, isForced: boolean) => {
    const state = options.keepDeparture(reason)
    platform.navigate(logoutUrl(settings, { isForced, returnUri: options.redirectUri(), state }))
  }
  const run = async (reason: SignedOutReason, isForced: boolean) => {
    options.beginEpoch()
    await options.beforeLogout(reason)
    options.clearVault(reason)
    const clearing = options.clearCaches()
    options.changeState({ type: 'leaving', to: 'logout' })
    await clearing
    if (!platform.isOnline()) {
      // The browser would show its own error page; the server is told as soon as it can be reached.
      options.changeState({ type: 'absent', reason, cause: offline() })
      const stop = platform.on('online', () => {
        stop()
        leave(reason, isForced)
      })
      return
    }
    timeline.record('log out', 'started', reason)
    leave(reason, isForced)
  }

  return (reason, { force = true } = {}) => {
    inFlight ??= run(reason, force)
      .catch((cause: unknown) => {
        const error: AuthError = logoutFailed(cause)
        platform.warn(error.message, cause)
        timeline.record('log out', 'failed', error)
        options.changeState({ type: 'absent', reason, cause: error })
        throw error
      })
      .finally(() => {
        inFlight = undefined
      })
    return inFlight
  }
}
