'use client'
// Listens to messages on the channel of the user's firm.
import { type MessageCallback, useMessages } from './useMessages.ts'

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
