// What the hand-over between two pages uses of the session.
import type { Granted } from '../../../protocol/credentials.ts'
import type { Context } from '../../context.ts'
import type { SendEvent } from '../../sessionEvent.ts'
import type { TokenRefresh } from '../../signedIn/tokenRefresh.ts'
import type { OtherTabs } from '../../tabs/otherTabs.ts'

export type BetweenPagesContext = Pick<
  Context,
  'settings' | 'platform' | 'store' | 'timeline' | 'tokens' | 'server' | 'marker' | 'record'
>

export interface BetweenPagesParts {
  /** What this tab can hand over. */
  credentials(): Granted | undefined
  refresh: Pick<TokenRefresh, 'isRunning'>
  otherTabs: Pick<OtherTabs, 'open'>
  send: SendEvent
  /** The page looks at the server, as when it wakes. */
  checkSession(): void
}
