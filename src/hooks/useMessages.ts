'use client'
// Listens to the channels of the user and their firm while a component is mounted.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { invalidListener } from '../base/errors.ts'
import { useAuthObject } from '../provider/context.ts'
import type { MessageKind } from '../session/realtimePort.ts'
import { internalsOf } from '../session/internals.ts'

/** Receives the data of a message: frozen and unchecked. */
export type MessageCallback = (data: unknown) => unknown

/** Always calls the latest callback. Changing it neither misses nor repeats a message. */
export function useMessages(kind: MessageKind, topic: string, type: string, callback: MessageCallback): void {
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
 * Calls `callback` for every message of a topic and type that is sent to the user's whole firm. The data is frozen and
 * unchecked: check it before you trust it. The latest callback is called; it need not be stable.
 *
 * @throws AuthError `no-provider`; `invalid-listener`, naming topic and type
 * @example
 * useFirmMessages('office', 'closing', (data) => notify.info(textOf(data)))
 */
export function useFirmMessages(topic: string, type: string, callback: MessageCallback): void {
  useMessages('firm', topic, type, callback)
}
