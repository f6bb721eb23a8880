// Loads what the core leaves out. A file that did not come is asked for again by its next use.
import { timedOut } from '../errors.ts'
import { asAuthError } from '../protocol/signIn.ts'
import { FILE_WAIT_MS } from '../sessionConstants.ts'
import { within } from '../within.ts'
import type { Platform } from './platform/platform.ts'

/** What sets the limit of a file: nobody waits for ever for one that hangs. */
type Timers = Pick<Platform, 'setTimer'>

/** Imports a file of latchkey. @throws AuthError `timeout`, `internal` where it does not come */
export async function loadFile<File>(platform: Timers, load: () => Promise<File>): Promise<File> {
  const file = await within(platform, FILE_WAIT_MS, load).catch((error: unknown) => {
    throw asAuthError(error)
  })
  if (file === 'late') throw timedOut('A file of latchkey')
  return file
}

/** What a page needs only after sign-in. @throws AuthError as `loadFile` */
export const loadLater = (platform: Timers) => loadFile(platform, () => import('./later.ts'))

/** Tells developers a text that the core leaves out. If its file cannot be loaded, nothing is told. */
export const tellLater = (
  platform: Timers & Pick<Platform, 'tell'>,
  text: 'noCookies' | 'notBack' | 'otherOrigin',
): void => {
  const tell = (file: Awaited<ReturnType<typeof loadLater>>) => platform.tell?.(file[text])
  loadLater(platform).then(tell, () => {})
}
