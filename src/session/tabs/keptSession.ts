// The session that a page leaves to the next page of its tab; what does it is loaded where the app has a session worker (contract §5).
import { keptSessionKey } from '../../protocol/storageKeys.ts'
import { type Handed, parseOffer, writeOffer } from '../../protocol/tabMessages.ts'
import { SESSION_WORKER_WAIT_MS } from '../../sessionConstants.ts'
import { within } from '../../within.ts'
import type { Context } from '../context.ts'
import type { Granted } from '../signIn/tokenEndpoint.ts'
import type { Offered } from './offers.ts'
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
  holding(): Handed | undefined
  /** A renewal is under way: the refresh token held may be used up before anybody has the next. */
  isRenewing(): boolean
  isEnded(session: string): boolean
  tabs(): Tabs | undefined
}

/** What the loaded part uses: also what the tabs have here already. */
export interface SessionWorkerUse extends KeptSessionOptions {
  write(held: Handed): string
  /** @throws AuthError where it is nothing that was written */
  read(text: string): ReturnType<typeof parseOffer>
}

/** What is loaded. */
export interface SessionWorker extends Pick<KeptSession, 'prepare' | 'leave' | 'end'> {
  /** What the page before has left, once; or why there is nothing to be had. */
  take(): Promise<Offered | string>
}

/** `undefined` where the app wants none. */
export function createKeptSession(context: Context, options: KeptSessionOptions): KeptSession | undefined {
  const { settings, platform, timeline, server } = context
  const { sessionWorker } = settings
  if (!sessionWorker) return undefined
  let loaded: SessionWorker | undefined
  const load = async () => {
    const { createSessionWorker } = await import('./sessionWorker.ts')
    const use: SessionWorkerUse = {
      ...options,
      write: (held) => writeOffer(held, 0),
      read: (text) => parseOffer(text, server.restore),
    }
    return (loaded ??= createSessionWorker(context, sessionWorker, use))
  }
  const note = (outcome: 'done' | 'skipped' | 'failed', why: string): undefined => {
    timeline.record('session worker', outcome, why)
  }
  const use = (work: (it: SessionWorker) => void) => {
    if (loaded) work(loaded)
    else load().then(work, () => note('failed', 'its file could not be loaded'))
  }

  return {
    async take() {
      // Where nothing was left, nothing is waited for.
      if (platform.sessionStorage.get(keptSessionKey(settings)) === undefined)
        return note('skipped', 'the page before has left nothing')
      // From now on this page hears of a session that ends.
      const tabs = options.tabs()
      const work = async () => (await load()).take()
      const found = await within(platform, SESSION_WORKER_WAIT_MS, work).catch(
        () => 'its file could not be loaded',
      )
      if (found === 'late') return note('failed', 'it did not respond in time')
      if (typeof found === 'string') return note('failed', found)
      if (options.isEnded(found.granted.session ?? '')) return note('skipped', 'the session has ended')
      note('done', 'has the session of the page before')
      tabs?.take(found)
      return found.granted
    },
    prepare: () => use((it) => it.prepare()),
    leave: () => loaded?.leave(),
    end: (session) => use((it) => it.end(session)),
  }
}
