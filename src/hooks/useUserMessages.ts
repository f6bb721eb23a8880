'use client'
// Messages on the user's own channel (spec §3 "User-channel message").
import { type MessageCallback, useMessages } from './useMessages.ts'

/**
 * Calls back for every message of a topic and type that is sent to this user, in every tab. The data is frozen and
 * unchecked: check it before you trust it. The newest callback is the one that hears; it need not be stable.
 *
 * @throws AuthError `no-provider`; `invalid-listener`, naming topic and type
 * @example
 * useUserMessages('invoice', 'approved', () => queryClient.invalidateQueries({ queryKey: ['invoices'] }))
 */
export function useUserMessages(topic: string, type: string, callback: MessageCallback): void {
  useMessages('user', topic, type, callback)
}
