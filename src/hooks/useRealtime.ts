'use client'
// Real time in a component: messages to the user and the firm, and which of the user's sessions are online.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { invalidListener } from '../base/errors.ts'
import { useAuthObject, useStoreBeforePaint } from '../provider/context.ts'
import type { MessageKind, Occupant } from '../session/realtimePort.ts'
import { internalsOf } from '../session/internals.ts'

/** Receives the data of a message: frozen and unchecked. */
export type MessageCallback = (data: unknown) => unknown

/** Always calls the latest callback. Changing it neither misses nor repeats a message. */
function useMessages(kind: MessageKind, topic: string, type: string, callback: MessageCallback): void {
  const auth = useAuthObject()
  if (typeof callback !== 'function') throw invalidListener(topic, type)
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  }, [callback])
  useEffect(
    () =>
      internalsOf(auth).connection.listen({ kind, topic, type, callback: (data) => latest.current(data) }),
    [auth, kind, topic, type],
  )
}

/**
 * Calls `callback` for every message of a topic and type that is sent to this user, in every tab. The data is frozen and
 * unchecked: check it before you trust it. The latest callback is called; it need not be stable.
 *
 * @throws AuthError `no-provider`; `invalid-listener`, naming topic and type
 * @example
 * useUserMessages('invoice', 'approved', () => queryClient.invalidateQueries({ queryKey: ['invoices'] }))
 */
export function useUserMessages(topic: string, type: string, callback: MessageCallback): void {
  useMessages('user', topic, type, callback)
}

/**
 * As `useUserMessages`, for every message that is sent to the user's whole firm.
 *
 * @example
 * useFirmMessages('office', 'closing', (data) => notify.info(textOf(data)))
 */
export function useFirmMessages(topic: string, type: string, callback: MessageCallback): void {
  useMessages('firm', topic, type, callback)
}

const NO_SESSIONS: readonly Occupant[] = Object.freeze([])

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
  // Without a messaging service the channels are joined only for this. From now on subscribers are notified of every change.
  useEffect(() => void connection.occupants(), [connection])
  const read = () => connection.presence()?.occupants() ?? NO_SESSIONS
  return useStoreBeforePaint(auth.subscribe, read, read)
}
