// Leaves a signed-in page for a page of the server that sends the user back signed in; loads later.
import { storageUnavailable } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import type { RedirectTarget } from '../state.ts'

/** @throws AuthError `storage-unavailable`, `not-authenticated`, those of `Flow.check` */
export async function leaveSignedIn(
  { platform, store, tabRecords, caches, reachability }: Context,
  session: AbortSignal,
  to: RedirectTarget,
  url: string,
): Promise<void> {
  // Without this mark, each return could redirect there again.
  if (to === 'passthrough' && !tabRecords.mark(to)) throw storageUnavailable()
  await reachability.begin().check()
  // Signed out while the server was asked.
  session.throwIfAborted()
  tabRecords.keepUser(caches.holds())
  store.change({ type: 'redirecting', to })
  platform.navigate(url)
}
