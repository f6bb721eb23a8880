// The app's caches, as far as a session uses them: they show its server interactions and are emptied when its user goes.
import type { Context } from './context.ts'
import type { AppCache } from './internals.ts'
import type { Platform } from './platform/platform.ts'

export interface Caches extends Pick<Context, 'show' | 'clearCaches'> {
  /** Adds a cache; returns the removal. */
  attach(cache: AppCache): () => void
}

export function createCaches(platform: Pick<Platform, 'warn'>): Caches {
  const all = new Set<AppCache>()
  return {
    attach(cache) {
      all.add(cache)
      return () => all.delete(cache)
    },
    show(name, work) {
      const [first] = all
      return first ? first.run(name, work) : work()
    },
    async clearCaches() {
      const clear = async (cache: AppCache) => cache.clear()
      const report = (error: unknown) => platform.warn('The caches of the app could not be emptied', error)
      await Promise.all([...all].map((cache) => clear(cache).catch(report)))
    },
  }
}
