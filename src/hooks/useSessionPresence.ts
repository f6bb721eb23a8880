'use client'
// Returns which of the user's sessions are online.
import { useMemo } from 'react'
import type { Occupant } from '../session/realtimePort.ts'
import { useStoreBeforePaint } from '../provider/beforePaint.ts'
import { useAuthObject } from '../provider/context.ts'
import type { Auth } from '../session/auth.ts'
import type { Presence } from '../session/realtimePort.ts'
import { internalsOf } from '../session/internals.ts'

const NOBODY: readonly Occupant[] = Object.freeze([])

/**
 * Returns the user's sessions that are online, this one included. The list is empty when signed out and until the
 * service has responded. It is the same array until it changes. Without `realtime` it contains only this browser.
 *
 * @throws AuthError `no-provider`
 * @example
 * const others = useSessionPresence().filter(({ isThisBrowser }) => !isThisBrowser)
 */
export function useSessionPresence(): readonly Occupant[] {
  const auth = useAuthObject()
  const { subscribe, read } = useMemo(() => createReader(auth), [auth])
  return useStoreBeforePaint(subscribe, read, read)
}

function createReader(auth: Auth) {
  const { connection } = internalsOf(auth)
  return {
    read: () => connection.presence()?.occupants() ?? NOBODY,
    subscribe(onChange: () => void) {
      let followed: Presence | undefined
      let stop = () => {}
      // Every sign-in has a new presence. Without a messaging service, the channels are joined only for this hook.
      const follow = () => {
        const presence = connection.presence()
        if (presence === undefined && auth.getState().status === 'authenticated') void connection.join()
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
