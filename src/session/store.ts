// Holds the state of a session and notifies its listeners.
import { createSubscribers } from '../base/subscribers.ts'
import { untilHeard } from '../base/within.ts'
import { type AuthState, type Flags, initialState, type StateEvent, transition } from './state.ts'

export type Store = ReturnType<typeof createStore>

/** `onFault`: a subscriber threw. */
export function createStore(
  flags: Flags,
  { onStatus, onFault }: { onStatus(status: AuthState['status']): void; onFault(error: unknown): void },
) {
  const { subscribe, notify } = createSubscribers(onFault)
  let state = initialState(flags)
  return {
    get state() {
      return state
    },
    change(event: StateEvent) {
      const next = transition(state, event)
      if (next === state) return
      state = next
      if (event.type !== 'flags' && event.type !== 'planned') onStatus(state.status)
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
