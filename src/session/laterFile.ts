// Loads what the core leaves out. A file that did not come is asked for again by its next use.
import { loadFile } from '../protocol/loadFile.ts'
import type { Timers } from '../base/within.ts'

/** What a page needs only after sign-in. @throws AuthError as `loadFile` */
export const loadLater = (platform: Timers) => loadFile(platform, () => import('./later.ts'))

type LaterFile = Awaited<ReturnType<typeof loadLater>>

/** Uses that file once it is there. If it cannot be loaded, nothing happens. */
export const withLater = (platform: Timers, use: (file: LaterFile) => unknown): Promise<unknown> =>
  loadLater(platform).then(use, () => {})
