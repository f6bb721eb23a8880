// A page opens and a logout is owed: tells the server, says why that waits, or takes a new sign-in for the end of it. Loads where one is owed.
import type { AuthError } from '../../errors.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { readJwt } from '../../protocol/claims.ts'
import { asAuthError } from '../../protocol/signIn.ts'
import type { SignedOutReason } from '../../protocol/signedOutReasons.ts'
import { logoutFailed, sessionKept } from '../../sessionErrors.ts'
import type { Context } from '../context.ts'
import type { Flow } from '../http/reachability.ts'
import type { ReasonedDeparture } from '../sessionEvent.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { LogoutRecord } from './pendingLogout.ts'

/** What became of a logout that was owed when the page opened. */
export interface PendingOutcome {
  reason: SignedOutReason
  is: 'redirecting' | 'away' | 'sent before'
  /** With `away`: why the server cannot be told now. */
  cause?: AuthError
}

/** Each pending logout visits the logout page once, so a server that never redirects back locks no user out. */
export async function settleOwedLogout(
  { reason, force, isSent }: LogoutRecord,
  flow: Flow,
  {
    platform,
    timeline,
    store,
    tabRecords,
    marker,
    pendingLogout,
    page,
  }: Pick<Context, 'platform' | 'timeline' | 'store' | 'tabRecords' | 'marker' | 'pendingLogout' | 'page'>,
  {
    logoutPage,
    otherTabs,
  }: {
    /** Goes there, now or as soon as the server is there. */
    logoutPage: Record<'tell' | 'tellWhenThere', (departure: ReasonedDeparture) => void>
    otherTabs: Pick<OtherTabs, 'tellEnded'>
  },
): Promise<PendingOutcome | undefined> {
  const skip = (is: PendingOutcome['is'], why: string) => {
    timeline.record('owed logout', 'skipped', why)
    return { reason, is }
  }
  if (isSent) return skip('sent before', 'the logout page was asked for before')
  // The page that began it may have been gone before its hooks had ended.
  marker.forget()
  otherTabs.tellEnded(reason, [])
  const cause = await flow.check().then(() => undefined, asAuthError)
  // Another page has been at the logout page meanwhile.
  if (pendingLogout.isSettled()) return undefined
  if (cause) {
    logoutPage.tellWhenThere({ reason, force })
    const why = cause.code === 'offline' ? 'the browser is offline' : 'the server is away'
    return { ...skip('away', why), cause }
  }
  // The last provider has unmounted, or the user has clicked on the sign-in button meanwhile.
  if (page().aborted || store.state.status === 'redirecting') return { reason, is: 'redirecting' }
  if (!tabRecords.countNavigation(platform.now()))
    return skip('sent before', 'too many navigations in a short time')
  logoutPage.tell({ reason, force })
  return { reason, is: 'redirecting' }
}

/** A server's machines do not agree to the second. */
const CLOCKS_APART_MS = 5_000

/**
 * A user came back from the sign-in page. If the user gave their credentials before an unconfirmed logout,
 * the server's own session let them in, which that logout was to end: it is owed again, and these tokens are revoked.
 *
 * @throws AuthError `logout-failed`, `session-kept`
 */
export function settleBySignIn(
  granted: Granted,
  pending: LogoutRecord,
  { platform, pendingLogout }: Pick<Context, 'platform' | 'pendingLogout'>,
  revoke: () => void,
): void {
  const { iat, auth_time } = readJwt(granted.memory['idToken'] ?? granted.accessToken) ?? {}
  // Each difference is of one clock: that of the server, and that of this machine.
  const sinceAskedMs = (Number(iat) - Number(auth_time)) * 1000
  const sinceLogoutMs = platform.now() - pending.atMs
  const isOld = sinceLogoutMs >= 0 && sinceAskedMs > sinceLogoutMs + CLOCKS_APART_MS
  // A server without a logout page cannot be asked again: the user sees it, and decides.
  if (isOld && !pending.isTold) {
    revoke()
    const { hasNoPage } = pending
    pendingLogout.keep({ ...pending, isSent: hasNoPage === true, isTold: hasNoPage })
    throw hasNoPage ? sessionKept() : logoutFailed(undefined)
  }
  pendingLogout.settle()
}
