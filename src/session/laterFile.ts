// Loads what the core leaves out. After a failure, the next use tries again.
import { loadFile } from '../protocol/loadFile.ts'
import type { Timers } from '../base/within.ts'

/** @throws AuthError as `loadFile` */
export const loadLater = (platform: Timers) => loadFile(platform, () => import('./later.ts'))

type LaterFile = Awaited<ReturnType<typeof loadLater>>

/** Calls `use` with the loaded file. If it cannot be loaded, nothing happens. */
export const withLater = (platform: Timers, use: (file: LaterFile) => unknown): Promise<unknown> =>
  loadLater(platform).then(use, () => {})
