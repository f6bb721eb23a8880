// Loads what the core leaves out. A file that did not come is asked for again by its next use.
import { timedOut } from '../errors.ts'
import { asAuthError } from '../protocol/signIn.ts'
import { FILE_WAIT_MS } from '../sessionConstants.ts'
import { within } from '../within.ts'
import type { Platform } from './platform/platform.ts'
import type { Store } from './store.ts'

/** What sets the limit of a file: nobody waits for ever for one that hangs. */
type Timers = Pick<Platform, 'setTimer'>

/** The import of a file of ours. @throws AuthError `timeout`, `internal` where it does not come */
export async function ours<File>(platform: Timers, load: () => Promise<File>): Promise<File> {
  const file = await within(platform, FILE_WAIT_MS, load).catch((error: unknown) => {
    throw asAuthError(error)
  })
  if (file === 'late') throw timedOut('A file of latchkey')
  return file
}

/** What a page needs only after sign-in. @throws AuthError as `ours` */
export const loadLater = async (platform: Timers) => (await ours(platform, () => import('./later.ts'))).later

/** Fetches that file in an idle moment, so that a click waits for no file: for a component whose click needs it. */
export function fetchLaterFile(
  platform: Pick<Platform, 'setTimer' | 'whenIdle'>,
  page: () => AbortSignal,
  store: Pick<Store, 'state'>,
): void {
  platform.whenIdle?.(() => {
    const isElsewhere = /^(initializing|redirecting)$/.test(store.state.status)
    if (!page().aborted && !isElsewhere) loadLater(platform).catch(() => {})
  })
}
