'use client'
// Which of the user's sessions are online (contract §3 "who else is here").
import { useMemo, useSyncExternalStore } from 'react'
import type { Occupant } from '../session/realtime/occupants.ts'
import { useAuthObject } from '../provider/context.ts'
import type { Auth } from '../session/auth.ts'
import type { Presence } from '../session/realtime/presence.ts'
import { internalsOf } from '../session/internals.ts'

const NOBODY: readonly Occupant[] = Object.freeze([])

/**
 * The user's sessions that are online, this one included; empty while nobody is signed in, and until the service has
 * answered. The same array until somebody comes or goes. Without `realtime` it knows this browser only.
 *
 * @throws AuthError `no-provider`
 * @example
 * const others = useSessionPresence().filter(({ isThisBrowser }) => !isThisBrowser)
 */
export function useSessionPresence(): readonly Occupant[] {
  const auth = useAuthObject()
  const { subscribe, read } = useMemo(() => createReader(auth), [auth])
  return useSyncExternalStore(subscribe, read, read)
}

function createReader(auth: Auth) {
  const session = internalsOf(auth)
  return {
    read: () => session.presence()?.occupants() ?? NOBODY,
    subscribe(onChange: () => void) {
      let followed: Presence | undefined
      let stop = () => {}
      // Every sign-in joins anew; without a messaging service it does so only because somebody looks.
      const follow = () => {
        const presence = session.presence()
        if (presence === undefined && auth.getState().status === 'authenticated') void session.joinChannels()
        if (presence === followed) return
        followed = presence
        stop()
        stop = presence?.onOccupants(onChange) ?? (() => {})
        onChange()
      }
      const unsubscribe = auth.subscribe(follow)
      follow()
      return () => {
        unsubscribe()
        stop()
      }
    },
  }
}
