// Begins a logout and keeps it until the server has been told. What leaves for the logout page loads with the first logout.
import { AuthError } from '../../base/errors.ts'
import { isSafeUrl, sameOriginPath } from '../../protocol/origin.ts'
import { logoutFailed, redirectRefused } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import type { Flow } from '../http/reachability.ts'
import type { Departure, ReasonedDeparture } from '../sessionEvent.ts'
import { loadLater, withLater } from '../laterFile.ts'
import { createStateKey } from '../../protocol/pkce.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { currentPath } from '../signIn/place.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { Leaving, Submit } from './logoutPage.ts'

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

export type Logout = ReturnType<typeof createLogout>

export function createLogout(context: Context, otherTabs: Pick<OtherTabs, 'tellEnded'>) {
  const { platform, timeline, store, tokens, pendingLogout, reachability, server, tabRecords } = context
  let waiting = new AbortController()
  const logout = {
    /** Until the browser is back from the logout page, no page signs that user in again. */
    begin(departure: ReasonedDeparture): Leaving & { flow: Flow } {
      const leaving = { departure, credentials: tokens.current, atMs: platform.now() }
      logout.keep(leaving, false)
      // It comes while the hooks run.
      void withLater(platform, () => {})
      return { ...leaving, flow: reachability.begin() }
    },
    /** Tells the server what it can be told in the background; resolves with what leaves for its page. @throws AuthError where neither the file nor the server is there */
    prepare: (leaving: Leaving & { flow: Flow }): Promise<() => void> =>
      loadLater(platform).then(
        (file) => file.prepareLogout(context, logout, leaving),
        async () => {
          await leaving.flow.check()
          return () => logout.go(leaving)
        },
      ),
    /** Goes to the logout page; what is too long for an address is left to `submit`, if there is one. */
    go(leaving: Leaving, submit?: Submit): void {
      const { reason, force = true, environmentUrl, returnUri } = leaving.departure
      logout.keep(leaving, true)
      const away = environmentUrl ?? returnUri
      const state = away === undefined ? keepDeparture(context, leaving) : undefined
      const page = server.known()?.logout({
        isForced: force,
        returnUri: away ?? context.redirectUri(),
        state,
        current: leaving.credentials,
      })
      // It stays pending: the next user to sign in is asked for the credentials.
      const pending = page instanceof AuthError && pendingLogout.read()
      if (pending) pendingLogout.keep({ ...pending, hasNoPage: true })
      if (!page || page instanceof AuthError) return store.change({ type: 'absent', reason, cause: page })
      if (page.isBare && state !== undefined) tabRecords.markBare(state)
      const address = new URL(page.url)
      for (const [name, value] of Object.entries(page.form ?? {})) address.searchParams.set(name, value)
      if (page.form && submit) submit(page.url, page.form, address.href)
      else platform.navigate(page.form ? address.href : page.url)
    },
    /** The logout failed on its way: says so, and that the server is owed one. */
    fail(departure: ReasonedDeparture, cause: unknown): AuthError {
      const error = logoutFailed(cause)
      platform.warn(error.message, cause)
      timeline.record('log out', 'failed', error)
      logout.owe({ departure })
      store.change({ type: 'absent', reason: departure.reason, cause: error })
      return error
    },
    /** Tells the server of an owed logout, or waits until it is there; `undefined` when none is owed. */
    async settlePending(flow: Flow) {
      const pending = pendingLogout.read()
      return (
        pending && (await loadLater(platform)).settleOwedLogout(pending, flow, context, { logout, otherTabs })
      )
    },
    /** A user came back from the sign-in page; resolves once that has settled a pending logout. @throws AuthError `logout-failed`, `session-kept` */
    settleBySignIn(granted: Granted): Promise<void> | void {
      const pending = pendingLogout.read()
      if (!pending) return pendingLogout.settle()
      return loadLater(platform).then((file) => file.settleBySignIn(granted, pending, context))
    },
    /** A user who continues to another environment has not signed out: `undefined`. */
    keep({ departure, atMs }: Leaving, isSent: boolean): boolean | undefined {
      const { reason, force = true, environmentUrl } = departure
      if (environmentUrl !== undefined) return undefined
      const beganAtMs = atMs ?? pendingLogout.read()?.atMs ?? platform.now()
      return pendingLogout.keep({ reason, force, isSent, atMs: beganAtMs })
    },
    owe(leaving: Leaving): void {
      const isStored = logout.keep(leaving, false)
      if (isStored === undefined) return
      timeline.record(
        'owed logout',
        isStored ? 'started' : 'failed',
        isStored ? 'the next page sends it' : 'not stored: only this page can send it',
      )
    },
    /** The server is no longer told once the network is back. Returns the signal of the next wait for it. */
    stopWaiting(): AbortSignal {
      waiting.abort()
      waiting = new AbortController()
      return waiting.signal
    },
  }
  return logout
}

/** Stores why the user is sent to the logout page. Returns the state to come back with. */
function keepDeparture(context: Context, { departure }: Leaving): string {
  const { platform, settings, tabRecords } = context
  const { reason, clash, returnTo = currentPath(context) } = departure
  const state = createStateKey(platform.crypto)
  const { authHost } = settings
  tabRecords.keepAttempt(state, { departure: reason, clash, authHost, returnTo, createdAtMs: platform.now() })
  return state
}
