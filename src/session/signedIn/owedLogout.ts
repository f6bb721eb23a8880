// A page opens and a logout is owed: tells the server, or says why that waits. Loads where one is owed.
import type { AuthError } from '../../errors.ts'
import { asAuthError } from '../../protocol/signIn.ts'
import type { SignedOutReason } from '../../protocol/signedOutReasons.ts'
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

/** Each owed logout leads to the logout page once: a server that never sends the user back keeps nobody out. */
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
  // Nobody uses it any more, or the user has clicked on the sign-in button meanwhile.
  if (page().aborted || store.state.status === 'redirecting') return { reason, is: 'redirecting' }
  if (!tabRecords.countNavigation(platform.now()))
    return skip('sent before', 'too many navigations in a short time')
  logoutPage.tell({ reason, force })
  return { reason, is: 'redirecting' }
}
