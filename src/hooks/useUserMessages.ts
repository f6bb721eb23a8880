'use client'
// Listens to messages on the user's channel.
import { type MessageCallback, useMessages } from './useMessages.ts'

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
