// Loads what the core leaves out. A file that did not come is asked for again by its next use.
import { loadFile, type Timers } from '../protocol/loadFile.ts'
import type { Platform } from './platform/platform.ts'

/** What a page needs only after sign-in. @throws AuthError as `loadFile` */
export const loadLater = (platform: Timers) => loadFile(platform, () => import('./later.ts'))

/** Prints a text for developers that the core leaves out. If its file cannot be loaded, nothing is printed. */
export const tellLater = (
  platform: Timers & Pick<Platform, 'tell'>,
  text: 'noCookies' | 'notBack' | 'otherOrigin',
): void => {
  const tell = (file: Awaited<ReturnType<typeof loadLater>>) => platform.tell?.(file[text])
  loadLater(platform).then(tell, () => {})
}
