// How a page that starts up gets the session that there is: from another tab, or from the server for all tabs that wait.
import { LOCK_WAIT_MS } from '../../base/constants.ts'
import { loginRequired } from '../../base/errors.ts'
import type { Granted } from '../../protocol/credentials.ts'
import type { Context } from '../context.ts'
import type { SignInWay } from '../sessionEvent.ts'
import type { OtherTabs } from './otherTabs.ts'

/** Half a second each: together longer than the exchange of a code takes. A tab that died in one is not waited for any longer. */
const COPY_ASK_COUNT = 4

/**
 * Of the options, `isCopy`: another tab is sending the code that this one came with, and has the session in a moment;
 * `isOver`: whether a session has ended since the page opened.
 *
 * @throws AuthError `login-required` when the session was ended while it was on its way here, those of `enter`, and others
 */
export async function joinSession(
  context: Pick<Context, 'marker' | 'pendingLogout' | 'tokenEndpoint' | 'revoke' | 'page'>,
  otherTabs: Pick<OtherTabs, 'open'>,
  page: AbortSignal,
  {
    isCopy,
    isOver,
    enter,
  }: {
    isCopy: boolean
    isOver(granted?: Granted): boolean
    enter(granted: Granted, via: SignInWay): Promise<void>
  },
): Promise<void> {
  const { marker, pendingLogout, tokenEndpoint } = context
  context.page().throwIfAborted()
  let granted: Granted | undefined
  let via = 'tab' as SignInWay
  const askFrame = async () => {
    // The session of a user who has signed out here, and has not told the provider to sign them out there.
    if (pendingLogout.mayBeDeclined()) throw loginRequired()
    return tokenEndpoint.askFrame(page)
  }
  const hold = (got: Granted, isFetched: boolean) => {
    granted = got
    if (isFetched) via = 'silent'
  }
  const others = isCopy || marker.countOthers() > 0 ? otherTabs.open() : undefined
  const askCount = isCopy ? COPY_ASK_COUNT : 1
  for (let count = 0; !granted && count < askCount; count += 1) granted = await others?.ask()
  if (!granted && !isOver()) {
    // No refresh token is sent, so the lock is waited for shortly, then done without. Without other tabs the frame opens at once.
    if (others) await others.renewOnce(askFrame, hold, LOCK_WAIT_MS)
    else hold(await askFrame(), true)
  }
  if (isOver(granted)) {
    if (granted && via === 'silent') context.revoke(granted)
    throw loginRequired()
  }
  // None: what another tab has announced meanwhile has begun here.
  if (granted) await enter(granted, via)
}
