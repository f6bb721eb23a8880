// Ends the session: here first, then at the server (spec §4 "Logout", architecture "identity change").
import { HOOK_TIMEOUT_MS } from '../../sessionConstants.ts'
import { type AuthError, offline } from '../../errors.ts'
import { logoutFailed } from '../../sessionErrors.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { logoutUrl } from '../../protocol/pages.ts'
import type { Core } from '../context.ts'
import type { Owed, OwedLogout } from './owedLogout.ts'
import { within } from '../../within.ts'

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
  owedLogout: OwedLogout
  keepDeparture(reason: SignedOutReason, clash: SessionClash | undefined): string
  /** Counts an automatic navigation; false when there were too many. */
  countNavigation(): boolean
  /** Whether somebody is signed in in this page. */
  isSignedIn(): boolean
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
  /**
   * Tells the server of a logout that it has not been told of, or waits for the network to do so; `undefined` when none is
   * owed. Each owed logout leads to the logout page once: a server that never sends the user back keeps nobody out.
   */
  honourOwed(): { reason: SignedOutReason; is: 'leaving' | 'offline' | 'sent before' } | undefined
  /** The server is not told any more once the network is back. */
  forget(): void
}

export function createSignOut(options: SignOutOptions): SignOut {
  const { settings, platform, timeline, owedLogout } = options
  let inFlight: Promise<void> | undefined
  let stopWaiting = () => {}

  const navigate = (reason: SignedOutReason, { force = true, environmentUrl, clash }: Departure) => {
    const returnUri = environmentUrl ?? options.redirectUri()
    const state = environmentUrl === undefined ? options.keepDeparture(reason, clash) : undefined
    platform.navigate(logoutUrl(settings, { isForced: force, returnUri, state }))
  }
  /** Remembers it until the server has been told: whatever happens to this page, no other one signs that user in again. */
  const owe = (reason: SignedOutReason, { force = true, environmentUrl }: Departure) => {
    // Who goes on to another environment has not signed out.
    if (environmentUrl !== undefined) return
    const isStored = owedLogout.keep({ reason, force, isSent: false })
    timeline.record(
      'owed logout',
      isStored ? 'started' : 'failed',
      isStored ? 'the server is told with the next page' : 'not stored: only this page can tell the server',
    )
  }
  const whenOnline = (work: () => void) => {
    stopWaiting()
    stopWaiting = platform.on('online', () => {
      stopWaiting()
      work()
    })
  }
  const tellOwed = (owed: Owed, departure: Departure) => {
    owedLogout.keep({ ...owed, isSent: true })
    timeline.record('owed logout', 'started', 'to the logout page')
    navigate(owed.reason, departure)
  }
  const tellOwedWhenOnline = (owed: Owed, departure: Departure) =>
    whenOnline(() => {
      // Another page has been at the logout page meanwhile, or is on its way; or somebody has signed in.
      const isDone = owedLogout.isSettled() || owedLogout.read()?.isSent
      if (!isDone && !options.isSignedIn()) tellOwed(owed, departure)
    })
  /** Caches that never come to an end keep nobody here. */
  const emptyCaches = async () => {
    await within(platform, HOOK_TIMEOUT_MS, options.clearCaches)
  }
  /** Until the browser comes back from the logout page nobody knows whether the server has heard of it. */
  const keepUntilReturn = (
    reason: SignedOutReason,
    { force = true, environmentUrl }: Departure,
    isSent: boolean,
  ) => {
    if (environmentUrl === undefined) owedLogout.keep({ reason, force, isSent })
  }
  const run = async (reason: SignedOutReason, departure: Departure) => {
    const { environmentUrl, clash, force = true } = departure
    // Before anything is waited for: the page may be closed meanwhile.
    const isOwed = !platform.isOnline()
    if (isOwed) owe(reason, departure)
    else keepUntilReturn(reason, departure, false)
    options.beginEpoch()
    const sessions = await options.prepare(reason)
    const goodbye = options.clearVault(reason, clash, sessions)
    const clearing = emptyCaches()
    options.store.change({ type: 'leaving', to: environmentUrl === undefined ? 'logout' : 'environment' })
    await Promise.all([clearing, goodbye])
    if (!platform.isOnline()) {
      // The browser would show its own error page; the server is told as soon as it can be reached.
      if (!isOwed) owe(reason, departure)
      options.store.change({ type: 'absent', reason, cause: offline() })
      if (environmentUrl === undefined) tellOwedWhenOnline({ reason, force, isSent: false }, departure)
      else whenOnline(() => navigate(reason, departure))
      return
    }
    timeline.record('log out', 'started', reason)
    keepUntilReturn(reason, departure, true)
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
          owe(reason, departure)
          options.store.change({ type: 'absent', reason, cause: error })
          throw error
        })
        .finally(() => {
          inFlight = undefined
        })
      return inFlight
    },
    honourOwed() {
      const owed = owedLogout.read()
      if (!owed) return undefined
      const { reason, force } = owed
      const outcome = (is: 'leaving' | 'offline' | 'sent before', why?: string) => {
        if (why) timeline.record('owed logout', 'skipped', why)
        return { reason, is }
      }
      if (owed.isSent) return outcome('sent before', 'the logout page was asked for before')
      if (!platform.isOnline()) {
        tellOwedWhenOnline(owed, { force })
        return outcome('offline', 'the browser is offline')
      }
      if (!options.countNavigation()) return outcome('sent before', 'too many navigations in a short time')
      options.store.change({ type: 'leaving', to: 'logout' })
      tellOwed(owed, { force })
      return outcome('leaving')
    },
    forget: () => stopWaiting(),
  }
}
