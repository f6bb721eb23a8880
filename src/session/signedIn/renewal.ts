// One renewal, once for all tabs, read from top to bottom: fetch or adopt tokens, hold them, say what failed (spec §4 "Renewal").
import { AuthError } from '../../errors.ts'
import { isSameIdentity } from '../../protocol/identity.ts'
import { identityChanged, notAuthenticated } from '../../sessionErrors.ts'
import type { Context } from '../context.ts'
import type { SendEvent } from '../sessionEvent.ts'
import type { Granted } from '../signIn/tokenEndpoint.ts'
import { fetchTokens } from './fetchTokens.ts'
import type { Parts } from './parts.ts'

export interface RenewalOptions {
  context: Context
  parts: Parts
  /** Aborted when the session ends. */
  signal: AbortSignal
  send: SendEvent
}

/**
 * Resolves with whether this tab put new tokens into its store; not when another tab's were adopted meanwhile.
 *
 * @throws AuthError
 */
export async function renewTokens({ context, parts, signal, send }: RenewalOptions): Promise<boolean> {
  const { tokens, tokenEndpoint, timeline, page } = context
  const { holding } = tokens
  if (!holding) throw notAuthenticated()
  const { claims } = holding
  let isHeld = false

  const fetchOrEnd = async (first: 'refresh' | 'verify') => {
    const outcome = await fetchTokens({ tokenEndpoint, page, session: signal }, holding, first)
    if ('granted' in outcome) return outcome.granted
    void send({ type: 'refused', cause: outcome.refused })
    throw outcome.refused
  }
  const hold = (granted: Granted) => {
    // Never another user by a renewal: the token held stays until it expires.
    if (!isSameIdentity(claims, granted.tokens.claims)) throw identityChanged()
    if (signal.aborted) throw notAuthenticated()
    tokens.put(granted)
    isHeld = true
  }
  try {
    await parts.tabs.renewOnce(fetchOrEnd, hold)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    timeline.record('renew token', 'failed', error)
    if (!signal.aborted) {
      parts.tokenLife.renewalFailed()
      // Nothing renews the first user's session any more, and the token held has had its time.
      if (error.code === 'identity-changed' && tokens.isExpired())
        void send({ type: 'replaced', cause: error })
    }
    throw error
  }
  return isHeld && !signal.aborted
}
