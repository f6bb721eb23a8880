// Holds the state of a session and notifies its listeners.
import { createSubscribers } from '../base/subscribers.ts'
import { untilHeard } from '../base/within.ts'
import type { Platform } from './platform/platform.ts'
import { type Flags, initialState, type StateEvent, transition } from './state.ts'
import type { Timeline } from './timeline.ts'

export type Store = ReturnType<typeof createStore>

export function createStore(
  flags: Flags,
  platform: Pick<Platform, 'warn'>,
  timeline: Pick<Timeline, 'record'>,
) {
  const { subscribe, notify } = createSubscribers((error) => platform.warn('A subscriber failed', error))
  let state = initialState(flags)
  return {
    get state() {
      return state
    },
    change(event: StateEvent) {
      const next = transition(state, event)
      if (next === state) return
      state = next
      const { status } = state
      if (event.type !== 'flags' && event.type !== 'planned')
        timeline.record('state', status === 'failed' ? status : 'done', status)
      notify()
    },
    /** Notifies of a change behind the state: the expiry after a renewal. */
    notify,
    subscribe,
  }
}

/** Resolves at the first change after which `isSo` holds. */
export const untilChanged = (store: Pick<Store, 'subscribe'>, isSo: () => boolean): Promise<void> =>
  untilHeard((changed) => store.subscribe(() => isSo() && changed()))
