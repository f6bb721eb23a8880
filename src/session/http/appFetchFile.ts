// The file of the app's own calls: separate from its users, so that it can be preloaded alone.
import type { Platform } from '../platform/platform.ts'

export const loadAppFetchFile = () => import('./appFetch.ts')

/** In an idle moment, so that the app's own first call seldom waits for it; one that comes sooner, or after a failure, asks for it itself. */
export const fetchAppFetchFile = ({ whenIdle }: Pick<Platform, 'whenIdle'>): void =>
  whenIdle?.(() => void loadAppFetchFile().catch(() => {}))
