// Names the parts that a session is made of.
import type { Joining } from '../tabs/joining.ts'
import type { KeptSession } from '../tabs/keptSession.ts'
import type { OpenTabs } from '../tabs/openTabs.ts'
import type { BeforeLogout } from './beforeLogout.ts'
import type { ClashHook } from './hooks.ts'
import type { IdleTime } from './idle.ts'
import type { LogoutPage } from './logoutPage.ts'
import type { OwedLogout } from './owedLogout.ts'
import type { SessionMarker } from '../tabs/sessionMarker.ts'
import type { TokenRefresh } from './tokenRefresh.ts'
import type { SignInRedirect } from '../signIn/signInRedirect.ts'
import type { TimersAndChannels } from './timersAndChannels.ts'

/** What begins, goes on and ends with a session. */
export interface SessionParts {
  marker: SessionMarker
  refresh: TokenRefresh
  tabs: OpenTabs
  joining: Joining
  /** Absent without `sessionWorker`. */
  betweenPages: KeptSession | undefined
  timersAndChannels: TimersAndChannels
  signInRedirect: SignInRedirect
  owedLogout: OwedLogout
  logoutPage: LogoutPage
  beforeLogout: BeforeLogout
  clashHook: ClashHook
  idleTime: IdleTime
}
