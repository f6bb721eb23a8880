// Start-up gets the current session from another tab, or from the server for all waiting tabs.
import { LOCK_WAIT_MS } from '../../base/constants.ts'
import { loginRequired } from '../../base/errors.ts'
import type { Granted } from '../../protocol/credentials.ts'
import type { Context } from '../context.ts'
import type { SignInWay } from '../sessionEvent.ts'
import type { OtherTabs } from './otherTabs.ts'

/** Half a second each, together longer than a code exchange. A tab that dies in one is not awaited longer. */
const COPY_ASK_COUNT = 4

/**
 * `isCopy`: another tab is exchanging the code of this page, and will have the session soon. `isOver`: whether a session has ended since
 * the page opened.
 *
 * @throws AuthError `login-required` when the session has ended meanwhile, those of `enter`, and others
 */
export async function joinSession(
  context: Pick<Context, 'marker' | 'pendingLogout' | 'tokenEndpoint' | 'revoke' | 'page'>,
  otherTabs: Pick<OtherTabs, 'open'>,
  page: AbortSignal,
  startUp: {
    isCopy: boolean
    isOver(granted?: Granted): boolean
    enter(granted: Granted, via: SignInWay): Promise<void>
  },
): Promise<void> {
  const { marker, pendingLogout, tokenEndpoint } = context
  const { isCopy, isOver, enter } = startUp
  context.page().throwIfAborted()
  let granted: Granted | undefined
  let isFromServer = false
  const askFrame = async () => {
    // The user has signed out here, and may have declined it at the provider.
    if (pendingLogout.mayBeDeclined()) throw loginRequired()
    return tokenEndpoint.askFrame(page)
  }
  const hold = (got: Granted, isFetched: boolean) => {
    granted = got
    isFromServer = isFetched
  }
  const others = isCopy || marker.countOthers() > 0 ? otherTabs.open() : undefined
  const askCount = isCopy ? COPY_ASK_COUNT : 1
  for (let count = 0; !granted && count < askCount; count += 1) granted = await others?.ask()
  if (!granted && !isOver()) {
    // No refresh token is sent, so a short wait for the lock is enough. Without other tabs the frame opens at once.
    if (others) await others.renewOnce(askFrame, hold, undefined, LOCK_WAIT_MS)
    else hold(await askFrame(), true)
  }
  if (isOver(granted)) {
    if (granted && isFromServer) context.revoke(granted)
    throw loginRequired()
  }
  // `undefined`: a session that another tab has announced meanwhile has begun here.
  if (granted) await enter(granted, isFromServer ? 'silent' : 'tab')
}
