// Holds the one state of a session and tells whoever listens (contract §2 "State").
import { type AuthState, type Flags, initialState, type StateEvent, transition } from './state.ts'

export interface Store {
  readonly state: AuthState
  change(event: StateEvent): void
  /** Tells the listeners that something behind the state changed: the expiry after a renewal. */
  notify(): void
  subscribe(listener: () => void): () => void
}

export function createStore(flags: Flags, onStatus: (status: AuthState['status']) => void): Store {
  const listeners = new Set<() => void>()
  let state = initialState(flags)
  const notify = () => {
    for (const listener of listeners) listener()
  }
  return {
    get state() {
      return state
    },
    change(event) {
      const next = transition(state, event)
      if (next === state) return
      state = next
      if (event.type !== 'flags') onStatus(state.status)
      notify()
    },
    notify,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
