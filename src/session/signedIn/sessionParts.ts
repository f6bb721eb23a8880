// Names the parts that a session is made of.
import type { Joining } from '../tabs/joining.ts'
import type { BetweenPages } from '../tabs/betweenPages.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { BeforeLogout } from './beforeLogout.ts'
import type { ClashHook } from './hooks.ts'
import type { IdleTime } from './idle.ts'
import type { LogoutPage } from './logoutPage.ts'
import type { PendingLogout } from './pendingLogout.ts'
import type { SessionMarker } from '../tabs/sessionMarker.ts'
import type { TokenRefresh } from './tokenRefresh.ts'
import type { SignInRedirect } from '../signIn/signInRedirect.ts'
import type { TimersAndChannels } from './timersAndChannels.ts'

/** What begins, goes on and ends with a session. */
export interface SessionParts {
  marker: SessionMarker
  refresh: TokenRefresh
  otherTabs: OtherTabs
  joining: Joining
  /** Absent without `sessionWorker`. */
  betweenPages: BetweenPages | undefined
  timersAndChannels: TimersAndChannels
  signInRedirect: SignInRedirect
  pendingLogout: PendingLogout
  logoutPage: LogoutPage
  beforeLogout: BeforeLogout
  clashHook: ClashHook
  idleTime: IdleTime
}
