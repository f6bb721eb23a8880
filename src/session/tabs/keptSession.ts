// The session that a page leaves to the next page of its tab; what does it is loaded where the app has a session worker.
import { keptSessionKey } from '../../protocol/storageKeys.ts'
import { parseOffer, writeOffer } from '../../protocol/tabMessages.ts'
import { SESSION_WORKER_WAIT_MS } from '../../sessionConstants.ts'
import { within } from '../../within.ts'
import type { Context } from '../context.ts'
import type { Granted } from '../../protocol/credentials.ts'
import type { Tabs } from './tabChannel.ts'

export interface KeptSession {
  /** The session that the page before this one has left; once. `undefined`: none, or the worker does not respond in time. */
  take(): Promise<Granted | undefined>
  /** Makes ready what is held now. */
  prepare(): void
  /** The page goes: leaves what is ready. */
  leave(): void
  /** A session has ended: no page finds it. */
  end(session: string): void
}

export interface KeptSessionOptions {
  holding(): Granted | undefined
  /** A renewal is under way: the refresh token held may be used up before anybody has the next. */
  isRenewing(): boolean
  isEnded(session: string): boolean
  tabs(): Tabs | undefined
}

/** What the loaded part uses: also what the tabs have here already. */
export interface SessionWorkerUse extends KeptSessionOptions {
  writeOffer: typeof writeOffer
  parseOffer: typeof parseOffer
}

/** What is loaded. */
export interface SessionWorker extends Pick<KeptSession, 'prepare' | 'leave' | 'end'> {
  /** Asks for what the page before has left; the result is called where the answer came in time. */
  take(): Promise<() => Granted | undefined>
}

/** `undefined` where the app wants none. */
export function createKeptSession(
  context: Pick<Context, 'settings' | 'platform' | 'timeline' | 'server'>,
  options: KeptSessionOptions,
): KeptSession | undefined {
  const { settings, platform, timeline } = context
  if (!settings.sessionWorker) return undefined
  let loaded: SessionWorker | undefined
  const load = async () => {
    const { createSessionWorker } = await import('./sessionWorker.ts')
    return (loaded ??= createSessionWorker(context, { ...options, writeOffer, parseOffer }))
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
    async take() {
      // Where nothing was left, nothing is waited for.
      if (platform.sessionStorage.get(keptSessionKey(settings)) === undefined)
        return note('skipped', 'the page before has left nothing')
      // From now on this page hears of a session that ends.
      options.tabs()
      const work = async () => (await load()).take()
      const taken = await within(platform, SESSION_WORKER_WAIT_MS, work).catch(() => noFile)
      return taken === 'late' ? note('failed', 'it did not respond in time') : taken()
    },
    prepare: () => use((it) => it.prepare()),
    leave: () => loaded?.leave(),
    end: (session) => use((it) => it.end(session)),
  }
}
