// Sends the browser to the server's logout page, and keeps a logout that the server has not been told of until it has.
import { AuthError } from '../../base/errors.ts'
import { isSafeUrl, sameOriginPath } from '../../protocol/origin.ts'
import { failureOf } from '../../protocol/signIn.ts'
import { logoutFailed, redirectRefused } from '../../base/sessionErrors.ts'
import type { LogoutPage as ServerLogoutPage } from '../../protocol/servers/profile.ts'
import type { Context } from '../context.ts'
import type { Flow } from '../http/reachability.ts'
import type { Departure, ReasonedDeparture } from '../sessionEvent.ts'
import { loadLater } from '../laterFile.ts'
import type { SignInRedirect } from '../signIn/signInRedirect.ts'
import type { Credentials, Granted } from '../../protocol/credentials.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'

interface LogoutParts {
  signInRedirect: Pick<SignInRedirect, 'keepDeparture'>
  otherTabs: Pick<OtherTabs, 'tellEnded'>
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
  readonly #context: Context
  readonly #parts: LogoutParts
  /** What the session held that is being ended. */
  #credentials: Credentials | undefined
  #beganAtMs: number | undefined
  #flow: Flow
  #waiting = new AbortController()

  constructor(context: Context, parts: LogoutParts) {
    this.#context = context
    this.#parts = parts
    this.#flow = context.reachability.begin()
  }

  /** A logout begins: until the browser is back from the logout page, no page signs that user in again. */
  begin(departure: ReasonedDeparture): void {
    this.#credentials = this.#context.tokens.current
    this.#beganAtMs = this.#context.platform.now()
    this.#flow = this.#context.reachability.begin()
    this.#keep(departure, false)
  }

  /** Goes to the logout page; where the server is away, as soon as it is there: the browser would show its own error page. */
  leave(departure: ReasonedDeparture, cause: AuthError | undefined): void {
    const { reason, environmentUrl } = departure
    const { timeline, store } = this.#context
    if (!cause) {
      timeline.record('log out', 'started', reason)
      this.#keep(departure, true)
      return this.#go(departure)
    }
    this.#owe(departure)
    store.change({ type: 'absent', reason, cause })
    if (environmentUrl === undefined) this.tellWhenThere(departure)
    else this.#whenThere(() => this.#go(departure))
  }

  /** Revokes the tokens that outlive the logout page, or all where it is out of reach. Resolves with why that is; 9 s at most. */
  async prepare(): Promise<AuthError | undefined> {
    await this.#revoke()
    const away = await failureOf(this.#flow.check())
    if (away) await this.#revoke(false)
    return away
  }

  async #revoke(isPageNext = true): Promise<void> {
    const credentials = this.#credentials
    if (credentials)
      await this.#context.server
        .known()
        ?.revoke?.(credentials, isPageNext)
        .catch(() => {})
  }

  /** The logout failed on its way: says so, and that the server is owed one. */
  fail(departure: ReasonedDeparture, cause: unknown): AuthError {
    const { platform, timeline, store } = this.#context
    const error = logoutFailed(cause)
    platform.warn(error.message, cause)
    timeline.record('log out', 'failed', error)
    this.#owe(departure)
    store.change({ type: 'absent', reason: departure.reason, cause: error })
    return error
  }

  /** Tells the server of an owed logout, or waits until it is there; `undefined` when none is owed. */
  async settlePending(flow: Flow) {
    const pending = this.#context.pendingLogout.read()
    if (!pending) return undefined
    const file = await loadLater(this.#context.platform)
    return file.settleOwedLogout(pending, flow, this.#context, { ...this.#parts, logoutPage: this })
  }

  /** A user came back from the sign-in page; resolves once that has settled a pending logout. @throws AuthError `logout-failed`, `session-kept` */
  settleBySignIn(granted: Granted): Promise<void> | void {
    const { platform, pendingLogout } = this.#context
    const pending = pendingLogout.read()
    if (!pending) return pendingLogout.settle()
    return loadLater(platform).then((file) =>
      file.settleBySignIn(granted, pending, this.#context, () => {
        this.#credentials = granted
        void this.#revoke()
      }),
    )
  }

  /** The server is no longer told once the network is back. */
  forget(): void {
    this.#waiting.abort()
  }

  #go(departure: ReasonedDeparture): void {
    const { server, store, redirectUri, tabRecords, pendingLogout } = this.#context
    const { reason, force = true, environmentUrl, clash, returnTo } = departure
    const away = environmentUrl ?? departure.returnUri
    const returnUri = away ?? redirectUri()
    const state =
      away === undefined ? this.#parts.signInRedirect.keepDeparture(reason, clash, returnTo) : undefined
    const credentials = this.#credentials
    this.#credentials = undefined
    const page = server.known()?.logout({ isForced: force, returnUri, state, current: credentials })
    // It stays pending: the next user to sign in is asked for the credentials.
    const pending = page instanceof AuthError && pendingLogout.read()
    if (pending) pendingLogout.keep({ ...pending, hasNoPage: true })
    if (!page || page instanceof AuthError) return store.change({ type: 'absent', reason, cause: page })
    if (page.isBare && state !== undefined) tabRecords.markBare(state)
    this.#navigate(page)
  }

  /** A form, for what is too long for an address, needs a file; without it, it goes by the address, which some servers cut off. */
  #navigate({ url, form }: ServerLogoutPage): void {
    const { platform } = this.#context
    if (!form) return platform.navigate(url)
    const address = new URL(url)
    for (const [name, value] of Object.entries(form)) address.searchParams.set(name, value)
    loadLater(platform).then(
      (file) => file.leaveByForm(platform, { url, form, address: address.href }),
      () => platform.navigate(address.href),
    )
  }

  /** Goes to the logout page for an owed logout, with what names the session there. */
  tell(departure: ReasonedDeparture, credentials = this.#credentials): void {
    const { store, timeline } = this.#context
    this.#credentials = credentials
    store.change({ type: 'redirecting', to: 'logout' })
    this.#keep(departure, true)
    timeline.record('owed logout', 'started', 'to the logout page')
    this.#go(departure)
  }

  tellWhenThere(departure: ReasonedDeparture): void {
    this.#whenThere(async () => {
      // The first time it could not be reached.
      await this.#revoke()
      if (!this.#isOver()) this.tell(departure)
    })
  }

  /** Another page has been at the logout page meanwhile, or is on its way; or a user has signed in, or is about to. */
  #isOver(): boolean {
    const { tokens, store, pendingLogout, page } = this.#context
    const isToldElsewhere = pendingLogout.isSettled() || pendingLogout.read()?.isSent === true
    return (
      isToldElsewhere || page().aborted || Boolean(tokens.current) || store.state.status === 'redirecting'
    )
  }

  #whenThere(work: () => unknown): void {
    this.#waiting.abort()
    this.#waiting = new AbortController()
    void this.#context.reachability
      .untilThere(this.#waiting.signal, () => !this.#isOver())
      .then((isThere) => isThere && !this.#isOver() && work())
  }

  #owe(departure: ReasonedDeparture): void {
    const isStored = this.#keep(departure, false)
    if (isStored === undefined) return
    this.#context.timeline.record(
      'owed logout',
      isStored ? 'started' : 'failed',
      isStored ? 'the next page sends it' : 'not stored: only this page can send it',
    )
  }

  /** A user who continues to another environment has not signed out: `undefined`. */
  #keep({ reason, force = true, environmentUrl }: ReasonedDeparture, isSent: boolean): boolean | undefined {
    if (environmentUrl !== undefined) return undefined
    const { platform, pendingLogout } = this.#context
    const atMs = this.#beganAtMs ?? pendingLogout.read()?.atMs ?? platform.now()
    return pendingLogout.keep({ reason, force, isSent, atMs })
  }
}
