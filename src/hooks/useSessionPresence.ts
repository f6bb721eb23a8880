'use client'
// Returns which of the user's sessions are online.
import { useEffect } from 'react'
import type { Occupant } from '../session/realtimePort.ts'
import { useStoreBeforePaint } from '../provider/beforePaint.ts'
import { useAuthObject } from '../provider/context.ts'
import { internalsOf } from '../session/internals.ts'

const NOBODY: readonly Occupant[] = Object.freeze([])

/**
 * Returns the user's sessions that are online, this one included. The list is empty when signed out and until the
 * service has responded. It is the same array until it changes. Without `realtime` it contains only this browser.
 *
 * @example
 * const others = useSessionPresence().filter(({ isThisBrowser }) => !isThisBrowser)
 */
export function useSessionPresence(): readonly Occupant[] {
  const auth = useAuthObject()
  const { connection } = internalsOf(auth)
  // Without a messaging service the channels are joined only for this. From now on subscribers hear of every change.
  useEffect(() => void connection.occupants(), [connection])
  const read = () => connection.presence()?.occupants() ?? NOBODY
  return useStoreBeforePaint(auth.subscribe, read, read)
}
