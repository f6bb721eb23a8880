// Sends the browser to the server's logout page, and keeps a logout that the server has not been told of until it has (contract §5).
import { logoutUrl } from '../../protocol/pages.ts'
import { type AuthError, offline } from '../../errors.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import { logoutFailed } from '../../sessionErrors.ts'
import type { Context } from '../context.ts'
import type { Departure } from '../sessionEvent.ts'
import type { SignInRedirect } from '../signIn/signInRedirect.ts'
import type { Owed, OwedLogout } from './owedLogout.ts'

export interface LogoutPageOptions extends Pick<
  Context,
  'settings' | 'platform' | 'timeline' | 'store' | 'redirectUri' | 'tabRecords'
> {
  owedLogout: OwedLogout
  keepDeparture: SignInRedirect['keepDeparture']
  /** Whether somebody is signed in in this page. */
  isSignedIn(): boolean
}

/** What became of a logout that was owed when the page opened. */
export interface OwedOutcome {
  reason: SignedOutReason
  is: 'leaving' | 'offline' | 'sent before'
}

export interface LogoutPage {
  /**
   * A logout begins: from now until the browser comes back from the logout page, nobody knows whether the server has
   * heard of it, and no page of this browser signs that user in again.
   */
  begin(reason: SignedOutReason, departure: Departure): void
  /** Goes to the logout page, or as soon as there is a network: the browser would show its own error page. */
  leave(reason: SignedOutReason, departure: Departure): void
  /** The logout failed on its way: says so, and that the server is owed one. */
  fail(reason: SignedOutReason, departure: Departure, cause: unknown): AuthError
  /**
   * Tells the server of an owed logout, or waits for the network to do so; `undefined` when none is owed. Each owed
   * logout leads to the logout page once: a server that never sends the user back keeps nobody out.
   */
  settleOwed(): OwedOutcome | undefined
  /** The server is no longer told once the network is back. */
  forget(): void
}

export function createLogoutPage(options: LogoutPageOptions): LogoutPage {
  const { settings, platform, timeline, store, owedLogout } = options
  let stopWaiting = () => {}

  const go = (reason: SignedOutReason, { force = true, environmentUrl, clash }: Departure) => {
    const returnUri = environmentUrl ?? options.redirectUri()
    const state = environmentUrl === undefined ? options.keepDeparture(reason, clash) : undefined
    platform.navigate(logoutUrl(settings, { isForced: force, returnUri, state }))
  }
  const tell = (owed: Owed, departure: Departure) => {
    owedLogout.keep({ ...owed, isSent: true })
    timeline.record('owed logout', 'started', 'to the logout page')
    go(owed.reason, departure)
  }
  const whenOnline = (work: () => void) => {
    stopWaiting()
    stopWaiting = platform.on('online', () => {
      stopWaiting()
      work()
    })
  }
  const tellWhenOnline = (owed: Owed, departure: Departure) =>
    whenOnline(() => {
      // Another page has been at the logout page meanwhile, or is on its way; or somebody has signed in.
      const isDone = owedLogout.isSettled() || owedLogout.read()?.isSent
      if (!isDone && !options.isSignedIn()) tell(owed, departure)
    })

  // Who continues to another environment has not signed out.
  const owe = (reason: SignedOutReason, { force = true, environmentUrl }: Departure) => {
    if (environmentUrl !== undefined) return
    const isStored = owedLogout.keep({ reason, force, isSent: false })
    timeline.record(
      'owed logout',
      isStored ? 'started' : 'failed',
      isStored ? 'the server is told with the next page' : 'not stored: only this page can tell the server',
    )
  }

  const keep = (reason: SignedOutReason, { force = true, environmentUrl }: Departure, isSent: boolean) => {
    if (environmentUrl === undefined) owedLogout.keep({ reason, force, isSent })
  }
  let wasOffline = false

  return {
    begin(reason, departure) {
      wasOffline = !platform.isOnline()
      if (wasOffline) owe(reason, departure)
      else keep(reason, departure, false)
    },
    leave(reason, departure) {
      if (platform.isOnline()) {
        timeline.record('log out', 'started', reason)
        keep(reason, departure, true)
        return go(reason, departure)
      }
      if (!wasOffline) owe(reason, departure)
      store.change({ type: 'absent', reason, cause: offline() })
      const { force = true, environmentUrl } = departure
      if (environmentUrl === undefined) tellWhenOnline({ reason, force, isSent: false }, departure)
      else whenOnline(() => go(reason, departure))
    },
    fail(reason, departure, cause) {
      const error = logoutFailed(cause)
      platform.warn(error.message, cause)
      timeline.record('log out', 'failed', error)
      owe(reason, departure)
      store.change({ type: 'absent', reason, cause: error })
      return error
    },
    settleOwed() {
      const owed = owedLogout.read()
      if (!owed) return undefined
      const { reason, force } = owed
      const outcome = (is: OwedOutcome['is'], why?: string) => {
        if (why) timeline.record('owed logout', 'skipped', why)
        return { reason, is }
      }
      if (owed.isSent) return outcome('sent before', 'the logout page was asked for before')
      if (!platform.isOnline()) {
        tellWhenOnline(owed, { force })
        return outcome('offline', 'the browser is offline')
      }
      if (!options.tabRecords.countNavigation(platform.now()))
        return outcome('sent before', 'too many navigations in a short time')
      store.change({ type: 'leaving', to: 'logout' })
      tell(owed, { force })
      return outcome('leaving')
    },
    forget: () => stopWaiting(),
  }
}
