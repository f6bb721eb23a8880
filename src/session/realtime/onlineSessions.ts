// The user's sessions that are online, for readers outside React: the channels are joined because somebody looks (contract §3).
import type { Occupant } from './occupants.ts'
import type { Presence } from './presence.ts'
import type { Store } from '../store.ts'

const NOBODY: readonly Occupant[] = Object.freeze([])

export interface OnlineSessions {
  /** Who is online now; from the first call on, the store's listeners hear of every change. */
  read(): readonly Occupant[]
  stop(): void
}

export function createOnlineSessions(options: {
  store: Pick<Store, 'state' | 'subscribe' | 'notify'>
  presence(): Presence | undefined
  join(): void
}): OnlineSessions {
  const { store, presence, join } = options
  let followed: Presence | undefined
  let stopListening = () => {}
  let stopFollowing: (() => void) | undefined
  const follow = () => {
    const now = presence()
    // Every sign-in joins anew.
    if (now === undefined && store.state.status === 'authenticated') join()
    if (now === followed) return
    followed = now
    stopListening()
    stopListening = now?.onOccupants(store.notify) ?? (() => {})
    store.notify()
  }
  return {
    read() {
      if (!stopFollowing) {
        stopFollowing = store.subscribe(follow)
        follow()
      }
      return presence()?.occupants() ?? NOBODY
    },
    stop() {
      stopFollowing?.()
      stopFollowing = undefined
      stopListening()
      stopListening = () => {}
      followed = undefined
    },
  }
}
