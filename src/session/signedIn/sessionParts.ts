// Names the parts that a session is made of.
import type { Granted } from '../../protocol/credentials.ts'
import type { SignInWay } from '../sessionEvent.ts'
import type { Joining } from '../tabs/joining.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { BeforeLogout } from './beforeLogout.ts'
import type { ClashHook } from './hooks.ts'
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
  /** The session that the page leaves to the next page of its tab; absent without `sessionWorker`. */
  betweenPages:
    | { take(): Promise<Granted | undefined>; prepare(): void; end(session: string): void }
    | undefined
  timersAndChannels: TimersAndChannels
  signInRedirect: SignInRedirect
  pendingLogout: PendingLogout
  logoutPage: LogoutPage
  beforeLogout: BeforeLogout
  clashHook: ClashHook
  /** The idle logout: whether the user is away, whether a session that is found must end, and that one has ended. */
  idleLogout: { isOver(): boolean; endsAt(via: SignInWay): boolean; forget(): void }
}
