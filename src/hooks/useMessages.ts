'use client'
// Listens to one kind of channel while a component is mounted.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { invalidListener } from '../errors.ts'
import { useAuthObject } from '../provider/context.ts'
import type { MessageKind } from '../session/realtime/topicListeners.ts'
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
    () => internalsOf(auth).listen({ kind, topic, type, callback: (data) => latest.current(data) }),
    [auth, kind, topic, type],
  )
}
