// The session that a page leaves to the next page of its tab; what does it is loaded where the app has a session worker.
import { betweenPagesKey } from '../../../protocol/storageKeys.ts'
import { SESSION_WORKER_WAIT_MS } from '../../../sessionConstants.ts'
import { within } from '../../../within.ts'
import type { Granted } from '../../../protocol/credentials.ts'
import type { BetweenPagesContext, BetweenPagesOptions, SessionWorker } from './sessionWorker.ts'

export type BetweenPages = NonNullable<ReturnType<typeof createBetweenPages>>

/** `undefined` where the app wants none. */
export function createBetweenPages(context: BetweenPagesContext, options: BetweenPagesOptions) {
  const { settings, platform, timeline } = context
  if (!settings.sessionWorker) return undefined
  let loaded: SessionWorker | undefined
  const load = async () => {
    const { createSessionWorker } = await import('./sessionWorker.ts')
    return (loaded ??= createSessionWorker(context, options))
  }
  const note = (outcome: 'skipped' | 'failed', why: string): undefined => {
    timeline.record('session worker', outcome, why)
  }
  const noFile = () => note('failed', 'its file could not be loaded')
  const use = (work: (it: SessionWorker) => void) => {
    if (loaded) work(loaded)
    else load().then(work, noFile)
  }

  return {
    /** The session that the page before this one has left; once. `undefined`: none, or the worker does not respond in time. */
    async take(): Promise<Granted | undefined> {
      // Where nothing was left, nothing is waited for.
      if (platform.sessionStorage.get(betweenPagesKey(settings)) === undefined)
        return note('skipped', 'the page before has left nothing')
      // From now on this page hears of a session that ends.
      options.otherTabs.open()
      const work = async () => (await load()).take()
      const taken = await within(platform, SESSION_WORKER_WAIT_MS, work).catch(() => noFile)
      return taken === 'late' ? note('failed', 'it did not respond in time') : taken()
    },
    /** Makes ready what is held now. */
    prepare: () => use((it) => it.prepare()),
    /** The page goes: leaves what is ready. */
    leave: () => loaded?.leave(),
    /** A session has ended: no page finds it. */
    end: (session: string) => use((it) => it.end(session)),
  }
}
