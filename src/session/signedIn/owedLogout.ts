// Settles a logout that was pending when the page opened: at the logout page, or by a new sign-in. Loads later.
import { AuthError } from '../../base/errors.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { readJwt } from '../../protocol/claims.ts'
import { asAuthError, failureOf } from '../../protocol/signIn.ts'
import type { SignedOutReason } from '../../protocol/signedOutReasons.ts'
import type { OwedLogout } from '../../protocol/storedSession.ts'
import { logoutFailed } from '../../base/sessionErrors.ts'
import { sessionKept } from '../../base/stepUpErrors.ts'
import type { Context } from '../context.ts'
import type { Flow } from '../http/reachability.ts'
import { submitBrowserForm } from '../platform/browserLater.ts'
import type { Platform } from '../platform/platform.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { Leaving } from '../sessionEvent.ts'

/** The clocks of a server's machines differ by seconds. */
const CLOCKS_APART_MS = 5_000

/** The outcome of a logout that was pending when the page opened. */
export interface PendingOutcome {
  reason: SignedOutReason
  is: 'redirecting' | 'away' | 'sent before'
  /** Shown to the user: why the server cannot be reached, or, once, that it has not confirmed the logout. */
  cause?: AuthError | undefined
}

/** Visits the logout page once per pending logout, so that a server that never redirects back locks no user out. */
export async function settleOwedLogout(
  pending: OwedLogout,
  flow: Flow,
  context: Context,
  parts: {
    /** Goes there, now or as soon as the server is there. */
    logout: { goForPending(leaving: Leaving): void; goWhenThere(leaving: Leaving): void }
    otherTabs: Pick<OtherTabs, 'announceEnd'>
  },
): Promise<PendingOutcome | undefined> {
  const { platform, timeline, store, tabRecords, marker, pendingLogout, page, server, tokenEndpoint } =
    context
  const { logout, otherTabs } = parts
  const { reason, force, isSent } = pending
  const departure = { reason, force }
  const skip = (is: PendingOutcome['is'], why: string) => {
    timeline.record('owed logout', 'skipped', why)
    return { reason, is }
  }
  // The server may still have its session: a redirect would sign the same user in again.
  const waitForUser = (why: string) => {
    const isSaid = pending.isSaid || pending.hasNoPage
    if (!isSaid) pendingLogout.keep({ ...pending, isSaid: true })
    return { ...skip('sent before', why), cause: isSaid ? undefined : logoutFailed(undefined) }
  }
  if (isSent) return waitForUser('the logout page was asked for before')
  // The page that began the logout may have closed before its hooks had ended.
  marker.forget()
  otherTabs.announceEnd(reason, [])
  const cause = await failureOf(flow.check())
  // Another page has been at the logout page meanwhile.
  if (pendingLogout.isSettled()) return undefined
  if (cause) {
    logout.goWhenThere(departure)
    const why = cause.code === 'offline' ? 'the browser is offline' : 'the server is away'
    return { ...skip('away', why), cause }
  }
  // The last provider has unmounted, or the user has clicked on the sign-in button meanwhile.
  const isLeft = () => page().aborted || store.state.status === 'redirecting'
  if (isLeft()) return { reason, is: 'redirecting' }
  // This page has no ID token of the session: the hidden frame gets one. Nobody is signed in by it.
  const found = (await server.get()).isLogoutHinted
    ? await tokenEndpoint.askFrame(page()).catch(asAuthError)
    : undefined
  if (pendingLogout.isSettled()) return undefined
  if (isLeft()) return { reason, is: 'redirecting' }
  const isGone = found instanceof AuthError && found.code === 'login-required' && tokenEndpoint.doFramesWork()
  const isOfNow = found && !(found instanceof AuthError) && isSignedInSince(found, pending, platform.now())
  if (isGone || isOfNow) {
    skip('sent before', isGone ? 'the server has no session any more' : 'the user has signed in there since')
    pendingLogout.settle()
    return undefined
  }
  if (!tabRecords.countNavigation(platform.now())) return waitForUser('too many navigations in a short time')
  logout.goForPending({ ...departure, credentials: found instanceof AuthError ? undefined : found })
  return { reason, is: 'redirecting' }
}

/** By how much the user's authentication precedes the logout; `NaN` if the server does not report it. Only times of the same clock are subtracted. */
function ageBeyondLogoutMs({ memory, accessToken }: Granted, { atMs }: OwedLogout, nowMs: number): number {
  const { iat, auth_time } = readJwt(memory.idToken ?? accessToken) ?? {}
  return (Number(iat) - Number(auth_time)) * 1000 - (nowMs - atMs)
}

const isSignedInSince = (granted: Granted, pending: OwedLogout, nowMs: number) =>
  ageBeyondLogoutMs(granted, pending, nowMs) < -CLOCKS_APART_MS

/**
 * A user came back from the sign-in page. If they gave their credentials before an unconfirmed logout, the server's session let them in:
 * the logout is pending again, and these tokens are revoked.
 *
 * @throws AuthError `logout-failed`, `session-kept`
 */
export function settleBySignIn(
  granted: Granted,
  pending: OwedLogout,
  { platform, pendingLogout }: Pick<Context, 'platform' | 'pendingLogout'>,
  revoke: () => void,
): void {
  const nowMs = platform.now()
  const isOld = nowMs >= pending.atMs && ageBeyondLogoutMs(granted, pending, nowMs) > CLOCKS_APART_MS
  // A server without a logout page cannot be asked again: the user is informed once, and decides.
  if (isOld && !pending.isTold) {
    revoke()
    const { hasNoPage } = pending
    pendingLogout.keep({ ...pending, isSent: hasNoPage === true, isTold: hasNoPage })
    throw hasNoPage ? sessionKept() : logoutFailed(undefined)
  }
  pendingLogout.settle()
}

/** Leaves for the logout page with a form, or by URL if the page's CSP forbids the form. */
export function leaveByForm(
  platform: Pick<Platform, 'submitForm' | 'navigate' | 'warn'>,
  { url, form, address }: { url: string; form: Readonly<Record<string, string>>; address: string },
): void {
  const submit = platform.submitForm ?? submitBrowserForm
  submit(url, form, () => {
    platform.warn(`Add ${new URL(url).origin} to form-action of the page's CSP`)
    platform.navigate(address)
  })
}
