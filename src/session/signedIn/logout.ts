// Sends the browser to the server's logout page, and stores a logout that the server does not know of yet.
import { AuthError } from '../../base/errors.ts'
import { LONGEST_END_MS } from '../../base/sessionConstants.ts'
import { isSafeUrl, sameOriginPath } from '../../protocol/origin.ts'
import { failureOf } from '../../protocol/signIn.ts'
import { logoutFailed, redirectRefused } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import type { Flow } from '../http/reachability.ts'
import type { Departure, Leaving } from '../sessionEvent.ts'
import { loadLater } from '../laterFile.ts'
import type { Platform } from '../platform/platform.ts'
import { createStateKey } from '../../protocol/pkce.ts'
import type { Credentials, Granted } from '../../protocol/credentials.ts'
import { currentPath } from '../signIn/place.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'

/** The target of a logout: a path of this origin, or a URL registered at the server. @throws AuthError `redirect-refused` */
export function logoutReturn(
  returnTo: string | undefined,
  base: string,
): Pick<Departure, 'returnTo' | 'returnUri'> {
  const path = sameOriginPath(returnTo, base)
  if (returnTo === undefined || path !== undefined) return { returnTo: path }
  if (!isSafeUrl(returnTo)) throw redirectRefused()
  return { returnUri: returnTo }
}

export type Logout = ReturnType<typeof createLogout>

export function createLogout(context: Context, otherTabs: Pick<OtherTabs, 'announceEnd'>) {
  const { platform, timeline, store, tokens, pendingLogout, reachability, server, tabRecords } = context
  let waiting = new AbortController()

  const revoke = async (credentials: Credentials | undefined, isPageNext = true): Promise<void> => {
    if (credentials)
      await server
        .known()
        ?.revoke?.(credentials, isPageNext)
        .catch(() => {})
  }

  /** Another page has gone to the logout page meanwhile; or a user has signed in, or is about to. */
  const isOver = (): boolean =>
    pendingLogout.isSettled() ||
    pendingLogout.read()?.isSent === true ||
    context.page().aborted ||
    Boolean(tokens.current) ||
    store.state.status === 'redirecting'

  /** `undefined`: a user who continues to another environment has not signed out. */
  const keep = (
    { reason, force = true, environmentUrl }: Leaving,
    isSent: boolean,
    atMs = pendingLogout.read()?.atMs ?? platform.now(),
  ): boolean | undefined =>
    environmentUrl === undefined ? pendingLogout.keep({ reason, force, isSent, atMs }) : undefined

  /** Signed out here; the logout at the server is pending. */
  const owe = (leaving: Leaving, cause: AuthError): void => {
    const isStored = keep(leaving, false)
    if (isStored !== undefined)
      timeline.record(
        'owed logout',
        isStored ? 'started' : 'failed',
        isStored ? 'the next page sends it' : 'not stored: only this page can send it',
      )
    store.change({ type: 'absent', reason: leaving.reason, cause })
  }

  const go = (leaving: Leaving): void => {
    const { reason, force = true, environmentUrl, returnUri } = leaving
    keep(leaving, true)
    const away = environmentUrl ?? returnUri
    const state = away === undefined ? keepDeparture(context, leaving) : undefined
    const page = server.known()?.logout({
      isForced: force,
      returnUri: away ?? context.redirectUri(),
      state,
      current: leaving.credentials,
    })
    // Without a logout page it stays pending: the next user to sign in is asked for the credentials.
    const pending = page instanceof AuthError && pendingLogout.read()
    if (pending) pendingLogout.keep({ ...pending, hasNoPage: true })
    if (!page || page instanceof AuthError) return store.change({ type: 'absent', reason, cause: page })
    if (page.isBare && state !== undefined) tabRecords.markBare(state)
    const { url, form } = page
    if (form) goByForm(platform, url, form)
    else platform.navigate(url)
  }

  const logout = {
    /** Until the browser is back from the logout page, no page signs that user in again. */
    begin(departure: Leaving): Leaving & { flow: Flow } {
      keep(departure, false, platform.now())
      return { ...departure, credentials: tokens.current, flow: reachability.begin() }
    },
    /** Revokes the tokens that outlive the logout page, or all if the server is away: then resolves with the error. 9 s at most. */
    async prepare({ credentials, flow }: Leaving & { flow: Flow }): Promise<AuthError | undefined> {
      await revoke(credentials)
      const away = await failureOf(flow.check())
      if (away) await revoke(credentials, false)
      return away
    },
    /** Goes to the logout page; if the server is away, once it is back: the browser would show its own error page. */
    leave(leaving: Leaving, cause: AuthError | undefined): void {
      if (!cause) {
        timeline.record('log out', 'started', leaving.reason)
        return go(leaving)
      }
      owe(leaving, cause)
      logout.goWhenThere(leaving)
    },
    /** The logout failed: it stays pending. Returns the error. */
    fail(departure: Leaving, cause: unknown): AuthError {
      const error = logoutFailed(cause)
      platform.warn(error.message, cause)
      timeline.record('log out', 'failed', error)
      owe(departure, error)
      return error
    },
    /** Sends a pending logout to the server, or waits for the server; `undefined` when none is pending. */
    async settlePending(flow: Flow) {
      const pending = pendingLogout.read()
      return (
        pending && (await loadLater(platform)).settleOwedLogout(pending, flow, context, { logout, otherTabs })
      )
    },
    /** A user came back from the sign-in page, which settles a pending logout. @throws AuthError `logout-failed`, `session-kept` */
    settleBySignIn(granted: Granted): Promise<void> | void {
      const pending = pendingLogout.read()
      if (!pending) return pendingLogout.settle()
      return loadLater(platform).then((file) =>
        file.settleBySignIn(granted, pending, context, () => void revoke(granted)),
      )
    },
    /** Goes to the logout page for a pending logout; the credentials name the session there. */
    goForPending(leaving: Leaving): void {
      store.change({ type: 'redirecting', to: 'logout' })
      timeline.record('owed logout', 'started', 'to the logout page')
      go(leaving)
    },
    /** Another tab goes to the logout page. If it is closed before that, this one does. */
    leaveToOther(leaving: Leaving): void {
      platform.setTimer(() => logout.goWhenThere(leaving), LONGEST_END_MS)
    },
    goWhenThere(leaving: Leaving): void {
      logout.stopWaiting()
      waiting = new AbortController()
      void reachability
        .untilThere(waiting.signal, () => !isOver())
        .then(async (isThere) => {
          if (!isThere) return
          // The first revocation could not reach the server.
          await revoke(leaving.credentials)
          if (isOver()) return
          if (leaving.environmentUrl) go(leaving)
          else logout.goForPending(leaving)
        })
    },
    stopWaiting(): void {
      waiting.abort()
    },
  }
  return logout
}

/** Stores the reason and the return path for the way back from the logout page. Returns the state to come back with; `undefined` if the browser refuses. */
function keepDeparture(
  context: Context,
  { reason, clash, returnTo = currentPath(context) }: Leaving,
): string | undefined {
  const { platform, settings, tabRecords } = context
  const state = createStateKey(platform.crypto)
  const departure = { departure: reason, clash, authHost: settings.authHost, returnTo }
  return tabRecords.keepAttempt(state, { ...departure, createdAtMs: platform.now() }) ? state : undefined
}

/** Too long for a URL, so a form, which loads later. If it cannot be loaded, the URL; some servers truncate it. */
function goByForm(platform: Platform, url: string, form: Readonly<Record<string, string>>): void {
  const address = new URL(url)
  for (const [name, value] of Object.entries(form)) address.searchParams.set(name, value)
  loadLater(platform).then(
    (file) => file.leaveByForm(platform, { url, form, address: address.href }),
    () => platform.navigate(address.href),
  )
}
