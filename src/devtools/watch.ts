// Follows a session for the devtools: a new snapshot on every change and every second, and events that the session does not record.
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import type { ExplainStep } from '../session/timeline.ts'
import { LARGEST_EVENT_COUNT, readSnapshot, type Snapshot } from './snapshot.ts'

/** A session as a store for useSyncExternalStore. */
type Watch = ReturnType<typeof createWatch>

const EVERY_MS = 1_000

const watches = new WeakMap<Auth, Watch>()

/** One store per session, shared by all panels. */
export function watchOf(auth: Auth): Watch {
  const watch = watches.get(auth) ?? createWatch(auth)
  watches.set(auth, watch)
  return watch
}

function createWatch(auth: Auth) {
  const { platform } = internalsOf(auth)
  const own: ExplainStep[] = []
  const now = () => readSnapshot(auth, own)
  let { isOnline } = auth.getState()
  let tabCount: number | undefined
  let snapshot: Snapshot | undefined

  const note = (step: string, detail: string) => {
    own.push({ atMs: platform.now(), step, outcome: 'done', detail })
    if (own.length > LARGEST_EVENT_COUNT) own.shift()
  }
  const look = () => {
    const state = auth.getState()
    if (state.isOnline !== isOnline) note('network', state.isOnline ? 'online' : 'offline')
    isOnline = state.isOnline
    snapshot = now()
    const { summary, all } = snapshot.tabs
    if (tabCount !== undefined && tabCount !== all.length) note('tabs', summary)
    tabCount = all.length
  }
  return {
    /** Takes a new snapshot and returns it. */
    now,
    read: () => (snapshot ??= now()),
    subscribe(listener: () => void) {
      const lookAndTell = () => {
        look()
        listener()
      }
      let cancel = () => {}
      const waitForNext = () => {
        cancel = platform.setTimer(() => {
          waitForNext()
          lookAndTell()
        }, EVERY_MS)
      }
      waitForNext()
      const unsubscribe = auth.subscribe(lookAndTell)
      // Events from the time without a panel.
      snapshot = undefined
      return () => {
        cancel()
        unsubscribe()
      }
    },
  }
}
