// Sends the browser to the server's logout page, and keeps a logout that the server has not been told of until it has.
import { AuthError, offline } from '../../errors.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { Held } from '../../protocol/servers/profile.ts'
import { isSafeUrl } from '../../protocol/origin.ts'
import { sameOriginPath } from '../../protocol/sameOriginPath.ts'
import { logoutFailed, redirectRefused } from '../../sessionErrors.ts'
import type { Context } from '../context.ts'
import type { Departure } from '../sessionEvent.ts'
import type { SignInRedirect } from '../signIn/signInRedirect.ts'
import type { Owed, OwedLogout } from './owedLogout.ts'

export interface LogoutPageOptions extends Pick<
  Context,
  'platform' | 'timeline' | 'store' | 'tokens' | 'server' | 'redirectUri' | 'tabRecords'
> {
  owedLogout: OwedLogout
  keepDeparture: SignInRedirect['keepDeparture']
  /** Ends a session in every tab. */
  endInTabs(reason: SignedOutReason, session: string): void
}

/** What became of a logout that was owed when the page opened. */
export interface OwedOutcome {
  reason: SignedOutReason
  is: 'redirecting' | 'offline' | 'sent before'
}

/** Where a logout leads: a path of this origin, or an address that the server has to know. @throws AuthError `redirect-refused` */
export function logoutReturn(
  returnTo: string | undefined,
  base: string,
): Pick<Departure, 'returnTo' | 'returnUri'> {
  const path = sameOriginPath(returnTo, base)
  if (returnTo === undefined || path !== undefined) return { returnTo: path }
  if (!isSafeUrl(returnTo)) throw redirectRefused()
  return { returnUri: returnTo }
}

export class LogoutPage {
  readonly #options: LogoutPageOptions
  /** What the session held that is being ended. */
  #held: Held | undefined
  #stopWaiting = () => {}

  constructor(options: LogoutPageOptions) {
    this.#options = options
  }

  /**
   * A logout begins: from now until the browser comes back from the logout page, nobody knows whether the server has
   * heard of it, and no page of this browser signs that user in again.
   */
  begin(reason: SignedOutReason, departure: Departure): void {
    this.#held = this.#options.tokens.holding
    this.#keep(reason, departure, false)
  }

  /** Goes to the logout page, or as soon as there is a network: the browser would show its own error page. */
  leave(reason: SignedOutReason, departure: Departure): void {
    const { platform, timeline, store } = this.#options
    if (platform.isOnline()) {
      timeline.record('log out', 'started', reason)
      this.#keep(reason, departure, true)
      return this.#go(reason, departure)
    }
    this.#owe(reason, departure)
    store.change({ type: 'absent', reason, cause: offline() })
    const { force = true, environmentUrl } = departure
    if (environmentUrl === undefined) this.#tellWhenOnline({ reason, force, isSent: false }, departure)
    else this.#whenOnline(() => this.#go(reason, departure))
  }

  /** Takes the tokens back at the server, where it has an endpoint for that; a failure, or a slow one, holds nobody. */
  async revoke(): Promise<void> {
    const held = this.#held
    if (held)
      await this.#options.server
        .known()
        ?.revoke?.(held)
        .catch(() => {})
  }

  /** The logout failed on its way: says so, and that the server is owed one. */
  fail(reason: SignedOutReason, departure: Departure, cause: unknown): AuthError {
    const { platform, timeline, store } = this.#options
    const error = logoutFailed(cause)
    platform.warn(error.message, cause)
    timeline.record('log out', 'failed', error)
    this.#owe(reason, departure)
    store.change({ type: 'absent', reason, cause: error })
    return error
  }

  /**
   * Tells the server of an owed logout, or waits for the network to do so; `undefined` when none is owed. Each owed
   * logout leads to the logout page once: a server that never sends the user back keeps nobody out.
   */
  settleOwed(): OwedOutcome | undefined {
    const { platform, timeline, store, owedLogout, tabRecords } = this.#options
    const owed = owedLogout.read()
    if (!owed) return undefined
    const { reason, force } = owed
    const skip = (is: OwedOutcome['is'], why: string) => {
      timeline.record('owed logout', 'skipped', why)
      return { reason, is }
    }
    if (owed.isSent) return skip('sent before', 'the logout page was asked for before')
    // The page that began it was gone before its hooks had ended.
    if (owed.session !== undefined) this.#options.endInTabs(reason, owed.session)
    if (!platform.isOnline()) {
      this.#tellWhenOnline(owed, { force })
      return skip('offline', 'the browser is offline')
    }
    if (!tabRecords.countNavigation(platform.now()))
      return skip('sent before', 'too many navigations in a short time')
    store.change({ type: 'redirecting', to: 'logout' })
    this.#tell(owed, { force })
    return { reason, is: 'redirecting' }
  }

  /** The server is no longer told once the network is back. */
  forget(): void {
    this.#stopWaiting()
  }

  #go(reason: SignedOutReason, departure: Departure): void {
    const { platform, server, store, redirectUri, keepDeparture } = this.#options
    const { force = true, environmentUrl, clash, returnTo } = departure
    const away = environmentUrl ?? departure.returnUri
    const returnUri = away ?? redirectUri()
    const state = away === undefined ? keepDeparture(reason, clash, returnTo) : undefined
    const held = this.#held
    this.#held = undefined
    const page = server.known()?.logout({ isForced: force, returnUri, state, held })
    // It stays owed: whoever signs in next is asked for the credentials.
    if (!page || page instanceof AuthError) store.change({ type: 'absent', reason, cause: page })
    else platform.navigate(page.url, page.form)
  }

  #tell(owed: Owed, departure: Departure): void {
    const { owedLogout, timeline } = this.#options
    owedLogout.keep({ ...owed, isSent: true, session: undefined })
    timeline.record('owed logout', 'started', 'to the logout page')
    this.#go(owed.reason, departure)
  }

  #tellWhenOnline(owed: Owed, departure: Departure): void {
    const { owedLogout, tokens, server } = this.#options
    this.#whenOnline(() => {
      // Another page has been at the logout page meanwhile, or is on its way; or somebody has signed in.
      const isDone = owedLogout.isSettled() || owedLogout.read()?.isSent
      if (isDone || tokens.holding) return
      // A page that opened offline may not know the server's logout page yet.
      void server.get().then(
        () => this.#tell(owed, departure),
        () => {},
      )
    })
  }

  #whenOnline(work: () => void): void {
    this.#stopWaiting()
    this.#stopWaiting = this.#options.platform.on('online', () => {
      this.#stopWaiting()
      work()
    })
  }

  #owe(reason: SignedOutReason, departure: Departure): void {
    const isStored = this.#keep(reason, departure, false)
    if (isStored === undefined) return
    this.#options.timeline.record(
      'owed logout',
      isStored ? 'started' : 'failed',
      isStored ? 'the server is told with the next page' : 'not stored: only this page can tell the server',
    )
  }

  /** Who continues to another environment has not signed out: `undefined`. */
  #keep(
    reason: SignedOutReason,
    { force = true, environmentUrl }: Departure,
    isSent: boolean,
  ): boolean | undefined {
    if (environmentUrl !== undefined) return undefined
    const { owedLogout, tokens } = this.#options
    return owedLogout.keep({ reason, force, isSent, session: isSent ? undefined : tokens.session() })
  }
}
